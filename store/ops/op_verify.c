/* Verify: it was looked into, and holds. Its confidence rises by 0.1, to 1 at most. */
#include "store/ops/operation.h"
#include "store/ops/remedy.h"

#define VERIFIED 0.1

static int verify(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, "verify", q->reason, e);
    if (!m)
        return -1;
    if (!STATUS_LIVES(m->status))
        return error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "%s:%s is %s", kind_name(m->ref.kind),
                         m->ref.id, status_name(m->status));
    double confidence = m->confidence + VERIFIED < 1 ? m->confidence + VERIFIED : 1;
    return plan_confidence(p, m, confidence, q->reason ? q->reason : "verified", NULL, e);
}

int op_verify(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    p->named = count;
    for (size_t i = 0; i < count; i++)
        if (verify(p, rows[i], q, e))
            return -1;
    return 0;
}
