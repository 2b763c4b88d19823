/*
 * Room in a namespace. What has expired takes none, swept or not, and what is put over needs none where it takes no more
 * than it did, however low the limit is by now. Where the namespace says so the oldest give way, by when they were last
 * put or changed; those whose word a person guards do not.
 */
#include "store/entries/entry_quota.h"

#include "model/base/alloc.h"
#include "store/record/entry_find.h"
#include "store/ops/policy.h"
#include "store/db/reader.h"
#include "store/txn/txn.h"

struct room {
    struct txn *t;
    const struct actor *actor;
    const struct namespace_policy *policy;
    int64_t name,
        without;          /* the namespace's row, and that of the entry that is put; 0: a new one */
    int64_t items, bytes; /* as they would be */
    bool more_items, more_bytes; /* than there are now */
    int64_t *rows;               /* that give way */
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
    int64_t put = o->bytes, was;
    sqlite3_stmt *stmt = db_prepare(o->t->db, sql, e);
    int found = db_bind(o->t->db, stmt, e, "ii", o->name, txn_now(o->t));
    if (found > 0) {
        o->items += sqlite3_column_int64(stmt, 0);
        o->bytes += sqlite3_column_int64(stmt, 1);
    }
    sqlite3_reset(stmt);
    if (found < 0 || db_int(o->t->db, &was, -1, e, own, "ii", o->without, txn_now(o->t)))
        return -1;
    if (was < 0)
        return 0;
    o->items--;
    o->bytes -= was;
    o->more_items = false;
    o->more_bytes = put > was;
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
    bool items = !items_fit(o);
    int64_t most = items ? o->policy->max_items : o->policy->max_bytes;
    const char *one = items ? "entry" : "byte of values";
    const char *many = items ? "entries" : "bytes of values";
    return error_set(e, ERROR_QUOTA, "Delete what is not needed any more, or store less.",
                     "the namespace %s holds at most %lld %s", name, (long long)most,
                     most == 1 ? one : many);
}

/* May it give way? 1, 0; -1 on error. */
static int gives_way(struct room *o, int64_t memory, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    struct reader *r = txn_reader(o->t, e);
    int result = !r || memory_read_db(o->t->db, &arena, memory, &m, e) ? -1 : 1;
    if (result > 0 && m.is_protected)
        result = 0;
    else if (result > 0 && policy_may_change(r, o->actor, &m, e))
        result = e->code == ERROR_REFUSED ? 0 : -1;
    arena_release(&arena);
    return result;
}

static int take(struct room *o, int64_t memory, int64_t bytes, struct error *e)
{
    int may = gives_way(o, memory, e);
    if (may <= 0)
        return may;
    array_grow((void **)&o->rows, &o->alloc, o->count, sizeof(*o->rows));
    o->rows[o->count++] = memory;
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
    sqlite3_stmt *stmt = db_prepare(o->t->db, sql, e);
    int more = db_bind(o->t->db, stmt, e, "iii", o->name, txn_now(o->t), o->without);
    while (more > 0 && !fits(o))
        more = take(o, sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1), e)
                   ? -1
                   : db_step(o->t->db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int evict(struct room *o, struct error *e)
{
    int result = 0;
    for (size_t i = 0; i < o->count && result == 0; i++)
        result = entry_expire_now(o->t, o->actor, o->rows[i], "evict", e);
    return result;
}

int entry_make_room(struct txn *t, const struct actor *actor, const struct entry_put *put,
                    int64_t bytes, int64_t expires, int64_t memory, int64_t *evicted,
                    struct error *e)
{
    const struct namespace_policy *p = put->policy;
    struct room o = {.t = t,
                     .actor = actor,
                     .policy = p,
                     .without = memory,
                     .items = 1,
                     .bytes = bytes,
                     .more_items = true,
                     .more_bytes = true};
    *evicted = 0;
    if (expires && expires <= txn_now(t))
        return 0; /* over already: it takes none */
    if (!p || (p->max_items <= 0 && p->max_bytes <= 0))
        return 0;
    if (!memory && !fits(&o)) /* it never could */
        return refuse(&o, put->namespace_, e);
    if (db_int(t->db, &o.name, 0, e, "SELECT id FROM namespace WHERE name = ?", "s",
               put->namespace_) ||
        read_use(&o, e))
        return -1;
    struct room full = o;
    int result = fits(&o) ? 0 : p->evict_oldest ? choose(&o, e) : 0;
    if (result == 0 && !fits(&o))
        result = refuse(&full, put->namespace_, e);
    if (result == 0)
        result = evict(&o, e);
    *evicted = (int64_t)o.count;
    free(o.rows);
    return result;
}
