/* Protect: agents do not change it from then on. Unprotect is a person's, and lets them change again what was
 * protected or verified. */
#include "store/ops/operation.h"
#include "store/ops/policy.h"

static int set_protected(struct plan *p, const struct request *q, bool wanted, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct memory *now = plan_read(p, rows[i], e);
        if (!now)
            return -1;
        /* Agents may not change what a person verified either. */
        int verified = wanted ? 0 : policy_person_verified(p->reader, rows[i], e);
        if (verified < 0)
            return -1;
        if (now->is_protected == wanted && !verified) {
            plan_leave(p, "%s:%s is %s already", kind_name(now->ref.kind), now->ref.id,
                       wanted ? "protected" : "unprotected");
            continue;
        }
        struct memory *m = plan_change(p, rows[i], wanted ? "protect" : "unprotect", q->reason, e);
        if (!m)
            return -1;
        m->is_protected = wanted;
    }
    p->named = p->count;
    return 0;
}

int op_protect(struct plan *p, const struct request *q, struct error *e)
{
    return set_protected(p, q, true, e);
}

int op_unprotect(struct plan *p, const struct request *q, struct error *e)
{
    return set_protected(p, q, false, e);
}
