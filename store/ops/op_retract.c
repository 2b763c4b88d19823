/*
 * Retract: what it says is wrong. Its text and its lineage stay; what rests on it alone falls. Restore takes a
 * memory back from wherever it went, but from being purged.
 */
#include "store/record/entry_row.h"
#include "store/ops/operation.h"
#include "store/ops/policy.h"

static void leave(struct plan *p, const struct memory *m)
{
    plan_leave(p, "%s:%s is %s already", kind_name(m->ref.kind), m->ref.id, status_name(m->status));
}

static int retract(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays: what is forgotten or deleted is dead already. That a person says so as well is a
     * change, for an agent may take back what an agent said. */
    int said = p->actor->class == ACTOR_PERSON && now->status == STATUS_RETRACTED
                   ? policy_person_retracted(p->reader, node, e)
                   : 1;
    if (said < 0)
        return -1;
    if (!STATUS_LIVES(now->status) && said) {
        leave(p, now);
        return 0;
    }
    struct memory *m = plan_change(p, node, "retract", q->reason, e);
    if (!m)
        return -1;
    m->status = STATUS_RETRACTED;
    return 0;
}

int op_retract(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || plan_consequences(p, rows, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (retract(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}

/* A belief that another one supersedes is superseded still, whatever it was since. */
static int is_superseded(struct plan *p, const struct memory *m, bool *superseded, struct error *e)
{
    int64_t by;
    *superseded = false;
    if (operation_superseding(p, m->node, &by, e))
        return -1;
    *superseded = by != 0;
    return 0;
}

/* Of an entry that has expired nothing is kept: it would live again without a value. */
static bool has_expired(struct plan *p, const struct memory *m)
{
    struct json_slice value;
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return false;
    entry_value_of(m, &value);
    return entry_is_over(m, p->now) && !value.ptr;
}

static void leave_expired(struct plan *p, const struct memory *m)
{
    plan_leave(p, "entry:%s has expired, and nothing of its value is kept: put another", m->ref.id);
}

static int restore(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    bool superseded;
    const struct memory *now = plan_read(p, node, e);
    if (!now || is_superseded(p, now, &superseded, e))
        return -1;
    bool expired = has_expired(p, now);
    if (now->status == STATUS_EXPIRED && expired) {
        leave_expired(p, now);
        return 0;
    }
    if (now->status == STATUS_ACTIVE || (superseded && now->status == STATUS_SUPERSEDED)) {
        leave(p, now);
        return 0;
    }
    struct memory *m = plan_change(p, node, "restore", q->reason, e);
    if (!m)
        return -1;
    m->status = superseded ? STATUS_SUPERSEDED : expired ? STATUS_EXPIRED : STATUS_ACTIVE;
    return 0;
}

int op_restore(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (restore(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}
