/*
 * Decisions about memories as they are: verified, protected, retracted, restored, forgotten. Each is said of one memory
 * at a time; operation.c goes through those that are named.
 */
#include "model/base/strbuf.h"
#include "store/ops/operation_internal.h"
#include "store/ops/policy.h"
#include "store/record/entry_row.h"

#define VERIFIED 0.1

int op_verify(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, "verify", q->reason, e);
    if (!m || operation_check_living(m, e))
        return -1;
    double confidence = m->confidence + VERIFIED < 1 ? m->confidence + VERIFIED : 1;
    return plan_confidence(p, m, confidence, q->reason ? q->reason : "verified", NULL, e);
}

/* ---- protecting ---- */

static int set_protected(struct plan *p, int64_t node, const struct request *q, bool wanted,
                         struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* Agents may not change what a person verified either. */
    int verified = wanted ? 0 : policy_person_verified(p->reader, node, e);
    if (verified < 0)
        return -1;
    if (now->is_protected == wanted && !verified)
        return plan_leave(p, "%s:%s is %s already", kind_name(now->ref.kind), now->ref.id,
                          wanted ? "protected" : "unprotected");
    struct memory *m = plan_change(p, node, wanted ? "protect" : "unprotect", q->reason, e);
    if (!m)
        return -1;
    m->is_protected = wanted;
    return 0;
}

/* Agents do not change it from then on. */
int op_protect(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, true, e);
}

/* A person lets them change again what was protected or verified. */
int op_unprotect(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, false, e);
}

/* ---- taking away and bringing back ---- */

static int leave(struct plan *p, const struct memory *m)
{
    return plan_leave(p, "%s:%s is %s already", kind_name(m->ref.kind), m->ref.id,
                      status_name(m->status));
}

static int set_status(struct plan *p, int64_t node, const char *operation, enum status status,
                      const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, operation, q->reason, e);
    if (!m)
        return -1;
    m->status = status;
    return 0;
}

/* What it says is wrong. Its text and its lineage stay; what rests on it alone falls. */
int op_retract(struct plan *p, int64_t node, const struct request *q, struct error *e)
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
    return !STATUS_LIVES(now->status) && said
               ? leave(p, now)
               : set_status(p, node, "retract", STATUS_RETRACTED, q, e);
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

/* It is taken back from wherever it went, but from being purged. A belief that another one supersedes is superseded
 * still, whatever it was since. */
int op_restore(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    int64_t superseding;
    const struct memory *now = plan_read(p, node, e);
    if (!now || operation_superseding(p, now->node, &superseding, e))
        return -1;
    bool expired = has_expired(p, now);
    if (now->status == STATUS_EXPIRED && expired)
        return plan_leave(p, "entry:%s has expired, and nothing of its value is kept: put another",
                          now->ref.id);
    if (now->status == STATUS_ACTIVE || (superseding && now->status == STATUS_SUPERSEDED))
        return leave(p, now);
    return set_status(p, node, "restore",
                      superseding ? STATUS_SUPERSEDED
                      : expired   ? STATUS_EXPIRED
                                  : STATUS_ACTIVE,
                      q, e);
}

/* ---- forgetting ---- */

/* It is taken out of the lists, and the skeleton of the lineage stays: what it says, its links and its history. */
int op_forget(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays; what was retracted may be forgotten as well. */
    if (now->status >= STATUS_FORGOTTEN)
        return leave(p, now);
    return operation_check_unprotected(now, e)
               ? -1
               : set_status(p, node, "forget", STATUS_FORGOTTEN, q, e);
}

static bool is_marked(const struct memory *m, const char *reason)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, "for_review") == 0 && m->marks[i].reason &&
            strcmp(m->marks[i].reason, reason) == 0)
            return true;
    return false;
}

static void write_reason(struct strbuf *out, const struct consequence *c)
{
    strbuf_clear(out);
    strbuf_addstr(out, "rests on ");
    ref_add(out, c->because);
    strbuf_addstr(out, c->several ? " and others that were forgotten" : ", which was forgotten");
}

static int mark_for_review(struct plan *p, const struct consequence *c, struct strbuf *reason,
                           struct error *e)
{
    const struct memory *now = plan_read(p, c->node, e);
    if (!now)
        return -1;
    write_reason(reason, c);
    if (is_marked(now, reason->buf))
        return 0;
    struct memory *m = plan_follow(p, c->node, "mark", reason->buf, e);
    if (!m)
        return -1;
    plan_add_mark(p, m, "for_review", NULL, reason->buf);
    return 0;
}

/* What falls or is weakened by it is marked for a review. */
int op_forget_then(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct strbuf reason = STRBUF_INIT;
    int result = 0;
    (void)rows, (void)count;
    for (size_t i = 0; i < p->fall_count && result == 0; i++)
        result = mark_for_review(p, &p->falls[i], &reason, e);
    for (size_t i = 0; i < p->weakened_count && result == 0; i++)
        result = mark_for_review(p, &p->weakened[i], &reason, e);
    strbuf_release(&reason);
    return result;
}
