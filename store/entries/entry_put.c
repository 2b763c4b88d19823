/* Putting and deleting entries, and quotas of namespaces. */
#include "store/entries/entry.h"

#include "model/base/array.h"
#include "model/json/json.h"
#include "store/db/store_state.h"
#include "store/ops/fix.h"
#include "store/ops/operation.h"
#include "store/ops/policy.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/txn/txn.h"

/* ---- quotas ---- */

/*
 * Checks the quota of a namespace. Expired entries take no room, swept or not. Overwriting a value
 * with one that is not larger always fits, even over the limit. If the namespace allows eviction,
 * the entries changed longest ago are evicted, except those that the actor may not change.
 */

struct room {
    struct txn *t;
    const struct actor *actor;
    const struct namespace_policy *policy;
    int64_t name;                /* row of the namespace */
    int64_t overwritten;         /* row of the entry being overwritten; 0 for a new entry */
    int64_t put;                 /* bytes of the value */
    int64_t items, bytes;        /* after the put */
    bool more_items, more_bytes; /* whether the put increases them */
    int64_t *rows;               /* to be evicted */
    size_t count, alloc;
};

static int read_use(struct room *o, struct error *e)
{
    static const char sql[] =
        "SELECT n.items - coalesce(sum(e.memory IS NOT NULL), 0), n.bytes - coalesce(sum(e.bytes), "
        "0)"
        " FROM namespace n LEFT JOIN entry e INDEXED BY entry_expires ON e.namespace = n.id AND "
        "e.expires <= ?2"
        " AND e.state = 0 AND e.expires IS NOT NULL AND e.hidden = 0 WHERE n.id = ?1";
    static const char own[] = "SELECT bytes FROM entry WHERE memory = ? AND state = 0"
                              " AND (expires IS NULL OR expires > ?)";
    int64_t was;
    struct query row = db_query(o->t->db, e, sql, "ii", o->name, txn_now(o->t));
    if (db_next(&row)) {
        o->items += sqlite3_column_int64(row.stmt, 0);
        o->bytes += sqlite3_column_int64(row.stmt, 1);
    }
    if (db_end(&row) || db_int(o->t->db, &was, -1, e, own, "ii", o->overwritten, txn_now(o->t)))
        return -1;
    if (was < 0)
        return 0;
    o->items--;
    o->bytes -= was;
    o->more_items = false;
    o->more_bytes = o->put > was;
    return 0;
}

static bool items_fit(const struct room *o)
{
    int64_t most = o->policy->max_items;
    return most <= 0 || o->items <= most || !o->more_items;
}

static bool bytes_fit(const struct room *o)
{
    int64_t most = o->policy->max_bytes;
    return most <= 0 || o->bytes <= most || !o->more_bytes;
}

static bool fits(const struct room *o)
{
    return items_fit(o) && bytes_fit(o);
}

static int refuse(const struct room *o, const char *name, struct error *e)
{
    static const char hint[] = "Delete what is not needed any more, or store less.";
    int64_t most = items_fit(o) ? o->policy->max_bytes : o->policy->max_items;
    if (!items_fit(o))
        return error_set(e, ERROR_QUOTA, hint, "the namespace %s holds at most %lld entr%s", name,
                         (long long)most, most == 1 ? "y" : "ies");
    return error_set(e, ERROR_QUOTA, hint,
                     "%lld bytes do not fit into the namespace %s: %lld of %lld are used",
                     (long long)o->put, name, (long long)(o->bytes - o->put), (long long)most);
}

/* Returns 1 if the entry may be evicted, 0 if not, -1 on error. */
static int may_evict(struct room *o, int64_t memory, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct reader *r = txn_reader(o->t, e);
    int result = !r || memory_read_db(o->t->db, &arena, memory, &m, e) ? -1 : 1;
    if (result > 0 && m.is_protected)
        result = 0;
    else if (result > 0 && policy_may_change(r, o->actor, &m, e))
        result = e->code == ERROR_REFUSED ? 0 : -1;
    return result;
}

static int take(struct room *o, int64_t memory, int64_t bytes, struct error *e)
{
    int may = may_evict(o, memory, e);
    if (may <= 0)
        return may;
    *ARRAY_ADD(o->rows, o->count, o->alloc) = memory;
    o->items--;
    o->bytes -= bytes;
    return 0;
}

static int choose(struct room *o, struct error *e)
{
    static const char sql[] =
        "SELECT memory, bytes FROM entry INDEXED BY entry_oldest WHERE namespace = ?"
        " AND state = 0 AND hidden = 0 AND (expires IS NULL OR expires > ?) AND memory <> ?"
        " ORDER BY updated, event";
    struct query rows = db_query(o->t->db, e, sql, "iii", o->name, txn_now(o->t), o->overwritten);
    while (!fits(o) && db_next(&rows))
        if (take(o, sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1), e))
            return db_fail(&rows);
    return db_end(&rows);
}

static int evict(struct room *o, struct error *e)
{
    int result = 0;
    for (size_t i = 0; i < o->count && result == 0; i++)
        result = entry_expire_now(o->t, o->actor, o->rows[i], "evict", e);
    return result;
}

/*
 * Makes room for a value of `bytes` in the row `memory` (0 for a new entry) that expires at
 * `expires` (ms since 1970; 0 for never). *evicted is the number of evicted entries. ERROR_QUOTA if
 * there is no room; then nothing is evicted.
 */
static int entry_make_room(struct txn *t, const struct actor *actor, const struct entry_put *put,
                           int64_t bytes, int64_t expires, int64_t memory, int64_t *evicted,
                           struct error *e)
{
    const struct namespace_policy *p = put->policy;
    struct room o = {.t = t,
                     .actor = actor,
                     .policy = p,
                     .overwritten = memory,
                     .items = 1,
                     .put = bytes,
                     .bytes = bytes,
                     .more_items = true,
                     .more_bytes = true};
    *evicted = 0;
    if (expires && expires <= txn_now(t))
        return 0; /* expired already, takes no room */
    if (!p || (p->max_items <= 0 && p->max_bytes <= 0))
        return 0;
    bool never = !memory && !fits(&o); /* not even into an empty namespace */
    if (db_int(t->db, &o.name, 0, e, "SELECT id FROM namespace WHERE name = ?", "s",
               put->namespace_) ||
        read_use(&o, e))
        return -1;
    struct room full = o;
    int result = fits(&o) || never ? 0 : p->evict_oldest ? choose(&o, e) : 0;
    if (result == 0 && !fits(&o))
        result = refuse(&full, put->namespace_, e);
    if (result == 0)
        result = evict(&o, e);
    *evicted = (int64_t)o.count;
    free(o.rows);
    return result;
}

/* ---- the value ---- */

static int expiry(const struct entry_put *put, int64_t now, int64_t *out, struct error *e)
{
    *out = 0;
    if (put->ttl_seconds < 0)
        return 0;
    if (put->ttl_seconds > (YEAR_10000 - now) / 1000)
        return error_set(e, ERROR_INVALID, "Leave it out for an entry that never expires.",
                         "ttl_seconds of %lld is beyond the year 9999",
                         (long long)put->ttl_seconds);
    *out = now + put->ttl_seconds * 1000;
    return 0;
}

static void set_value(struct plan *p, struct memory *m, const struct entry_put *put,
                      int64_t expires)
{
    AUTO_STRBUF value = STRBUF_INIT;
    json_tidy(&value, put->value, put->value_len);
    detail_set(&m->detail, p->arena, "value", value.buf);
    detail_set(&m->detail, p->arena, "expires_at",
               expires ? arena_format(p->arena, "%lld", (long long)expires) : NULL);
}

/* ---- decisions of persons ---- */

/* Refuses an agent if a person deleted, forgot or retracted the last entry with that key. */
static int check_not_deleted_by_person(struct txn *t, const struct actor *actor,
                                       const struct entry_put *put, struct error *e)
{
    static const char sql[] =
        "SELECT person FROM event WHERE operation IN ('delete', 'forget', 'retract') AND subject ="
        " (SELECT e.memory FROM namespace n CROSS JOIN entry e INDEXED BY entry_aside WHERE n.name"
        " = ? AND e.namespace = n.id AND e.key = ? AND e.state > 0 AND e.state = 2"
        " ORDER BY e.event DESC LIMIT 1) ORDER BY seq DESC LIMIT 1";
    int64_t person;
    if (actor->class == ACTOR_PERSON)
        return 0;
    if (db_int(t->db, &person, 0, e, sql, "ss", put->namespace_, put->key))
        return -1;
    return person ? error_set(e, ERROR_REFUSED, POLICY_HINT, "a person removed that entry") : 0;
}

/* As plan_change, but the error names namespace and key: an agent with permission to write but not
 * to read must not learn the ref. */
static struct memory *change(struct plan *p, int64_t node, const struct entry_put *put,
                             const char *operation, struct error *e)
{
    const char *why;
    const struct memory *now = plan_read(p, node, e);
    if (!now || policy_objection(p->reader, p->actor, now, &why, e))
        return NULL;
    if (!why)
        return plan_follow(p, node, operation, put->reason, e);
    error_set(e, ERROR_REFUSED, POLICY_HINT, "the entry %s of %s %s", put->key, put->namespace_,
              why);
    return NULL;
}

/* ---- putting ---- */

static struct memory *overwrite(struct plan *p, int64_t node, const struct entry_put *put,
                                struct error *e)
{
    if (entry_sweep_first(p, node, e))
        return NULL;
    struct memory *m = change(p, node, put, "put", e);
    if (!m)
        return NULL;
    if (m->status == STATUS_EXPIRED)
        m->status = STATUS_ACTIVE;
    /* The whole value is the writer's, and so is the name that it claims. */
    if (!p->actor->claimed)
        detail_set(&m->detail, p->arena, CLAIMED_MEMBER, NULL);
    memory_claim(m, p->actor, p->arena);
    return m;
}

static struct memory *make(struct plan *p, struct txn *t, const struct entry_put *put,
                           struct error *e)
{
    int64_t shown;
    if (entry_key_hash_read(put->key, &shown)) {
        entry_not_found(put->namespace_, e);
        return NULL;
    }
    if (check_not_deleted_by_person(t, p->actor, put, e))
        return NULL;
    struct memory *m =
        plan_add(p, KIND_ENTRY, NULL, put->key, strlen(put->key), "put", put->reason, e);
    if (!m)
        return NULL;
    m->source_type = source_type_name(SOURCE_OBSERVATION);
    detail_set_text(&m->detail, p->arena, "namespace", put->namespace_);
    detail_set_text(&m->detail, p->arena, "key", put->key);
    return m;
}

int entry_put(struct txn *t, const struct actor *actor, const struct entry_put *put,
              struct arena *arena, struct entry_done *out, struct error *e)
{
    struct plan p = plan_in(t, actor, arena, e);
    struct json_slice value;
    int64_t node, expires;
    *out = (struct entry_done){0};
    if (!p.reader || expiry(put, txn_now(t), &expires, e) ||
        entry_find(t->db, put->namespace_, put->key, &node, e))
        return -1;
    struct memory *m = node ? overwrite(&p, node, put, e) : make(&p, t, put, e);
    if (!m)
        return -1;
    set_value(&p, m, put, expires);
    entry_value_of(m, &value);
    if (entry_make_room(t, actor, put, (int64_t)value.len, expires, node, &out->evicted, e) ||
        plan_carry_out(&p, t, e))
        return -1;
    out->node = m->node;
    out->version = m->version;
    out->ref = m->ref;
    return 0;
}

int entry_delete(struct txn *t, const struct actor *actor, const char *name, const char *key,
                 const char *reason, struct arena *arena, struct error *e)
{
    struct plan p = plan_in(t, actor, arena, e);
    int64_t node;
    if (!p.reader || entry_find(t->db, name, key, &node, e))
        return -1;
    const struct memory *now = node ? plan_read(&p, node, e) : NULL;
    if (node && !now)
        return -1;
    if (!now || entry_is_over(now, txn_now(t)) || now->status == STATUS_EXPIRED)
        return entry_not_found(name, e);
    const struct entry_put names = {.namespace_ = name, .key = key, .reason = reason};
    struct memory *m = change(&p, node, &names, "delete", e);
    if (!m)
        return -1;
    m->status = STATUS_DELETED;
    return plan_carry_out(&p, t, e);
}
