/*
 * Forget: it is taken out of the lists, and the skeleton of the lineage stays: what it says, its links and its
 * history. What falls or is weakened by it is marked for a review.
 */
#include "store/ops/operation.h"

#include "model/base/strbuf.h"
#include "store/ops/remedy.h"

static int forget(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays; what was retracted may be forgotten as well. */
    if (now->status >= STATUS_FORGOTTEN) {
        plan_leave(p, "%s:%s is %s already", kind_name(now->ref.kind), now->ref.id,
                   status_name(now->status));
        return 0;
    }
    if (now->is_protected)
        return error_set(e, ERROR_REFUSED, REMEDY_UNPROTECT, "%s:%s is protected",
                         kind_name(now->ref.kind), now->ref.id);
    struct memory *m = plan_change(p, node, "forget", q->reason, e);
    if (!m)
        return -1;
    m->status = STATUS_FORGOTTEN;
    return 0;
}

/* ---- what it carried ---- */

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

static int mark_all(struct plan *p, struct error *e)
{
    struct strbuf reason = STRBUF_INIT;
    int result = 0;
    for (size_t i = 0; i < p->fall_count && result == 0; i++)
        result = mark_for_review(p, &p->falls[i], &reason, e);
    for (size_t i = 0; i < p->weakened_count && result == 0; i++)
        result = mark_for_review(p, &p->weakened[i], &reason, e);
    strbuf_release(&reason);
    return result;
}

int op_forget(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (forget(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return plan_consequences(p, rows, count, e) || mark_all(p, e) ? -1 : 0;
}
