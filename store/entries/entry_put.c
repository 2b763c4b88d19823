#include "model/json/json.h"
#include "store/entries/entry.h"
#include "store/record/entry_find.h"
#include "store/record/entry_key.h"
#include "store/entries/entry_quota.h"
#include "store/record/entry_row.h"
#include "store/ops/operation.h"
#include "store/ops/policy.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

static int begin(struct plan *p, struct txn *t, const struct actor *actor, struct arena *arena,
                 struct error *e)
{
    *p = (struct plan){
        .reader = txn_reader(t, e), .actor = actor, .arena = arena, .now = txn_now(t)};
    return p->reader ? 0 : -1;
}

/* ---- what is put ---- */

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

/* Sets a member to the JSON text that `text` holds, and empties it. */
static void set_member(struct plan *p, struct memory *m, const char *name, struct strbuf *text)
{
    plan_set_detail(p, m, name, text->buf);
    strbuf_clear(text);
}

static void set_names(struct plan *p, struct memory *m, const struct entry_put *put)
{
    struct strbuf text = STRBUF_INIT;
    json_add_string(&text, put->namespace_);
    set_member(p, m, "namespace", &text);
    json_add_string(&text, put->key);
    set_member(p, m, "key", &text);
    strbuf_release(&text);
}

static void set_value(struct plan *p, struct memory *m, const struct entry_put *put,
                      int64_t expires)
{
    struct strbuf text = STRBUF_INIT;
    json_tidy(&text, put->value, put->value_len);
    set_member(p, m, "value", &text);
    if (expires) {
        json_add_int(&text, expires);
        set_member(p, m, "expires_at", &text);
    } else {
        plan_set_detail(p, m, "expires_at", NULL);
    }
    strbuf_release(&text);
}

/* ---- whose word stands against it ---- */

/* The last one of that key that lives no more: did a person take it away? */
static int check_gone(struct txn *t, const struct actor *actor, const struct entry_put *put,
                      struct error *e)
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
    return person ? error_set(e, ERROR_REFUSED, POLICY_TODO, "a person took that entry away") : 0;
}

/* As plan_change, but refused in the names that were given: whoever writes there may be one who reads nothing there, to
 * whom its ref is not told. */
static struct memory *change(struct plan *p, int64_t node, const struct entry_put *put,
                             const char *operation, struct error *e)
{
    const char *why;
    const struct memory *now = plan_read(p, node, e);
    if (!now || policy_stands_against(p->reader, p->actor, now, &why, e))
        return NULL;
    if (!why)
        return plan_follow(p, node, operation, put->reason, e);
    error_set(e, ERROR_REFUSED, POLICY_TODO, "the entry %s of %s %s", put->key, put->namespace_,
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
    if (m && m->status == STATUS_EXPIRED)
        m->status = STATUS_ACTIVE;
    return m;
}

static struct memory *make(struct plan *p, struct txn *t, const struct entry_put *put,
                           struct error *e)
{
    int64_t shown;
    if (entry_shown_read(put->key, &shown)) {
        entry_not_there(put->namespace_, e);
        return NULL;
    }
    if (check_gone(t, p->actor, put, e))
        return NULL;
    struct memory *m =
        plan_add(p, KIND_ENTRY, NULL, put->key, strlen(put->key), "put", put->reason, e);
    if (!m)
        return NULL;
    m->source_type = source_type_name(SOURCE_OBSERVATION);
    set_names(p, m, put);
    return m;
}

int entry_put(struct txn *t, const struct actor *actor, const struct entry_put *put,
              struct arena *arena, struct entry_done *out, struct error *e)
{
    struct plan p;
    struct json_slice value;
    int64_t node, expires;
    *out = (struct entry_done){0};
    if (begin(&p, t, actor, arena, e) || expiry(put, txn_now(t), &expires, e) ||
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
    struct plan p;
    int64_t node;
    if (begin(&p, t, actor, arena, e) || entry_find(t->db, name, key, &node, e))
        return -1;
    const struct memory *now = node ? plan_read(&p, node, e) : NULL;
    if (node && !now)
        return -1;
    if (!now || entry_is_over(now, txn_now(t)) || now->status == STATUS_EXPIRED)
        return entry_not_there(name, e);
    const struct entry_put names = {.namespace_ = name, .key = key, .reason = reason};
    struct memory *m = change(&p, node, &names, "delete", e);
    if (!m)
        return -1;
    m->status = STATUS_DELETED;
    return plan_carry_out(&p, t, e);
}
