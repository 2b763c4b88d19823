#include "store/ops/entry_expire.h"

#include "store/record/entry_row.h"
#include "store/txn/txn.h"

const struct actor sweeper_actor = {
    .class = ACTOR_AGENT, .name = "stemma", .origin = SWEEPER_ORIGIN};

int entry_expire(struct plan *p, int64_t node, const char *operation, struct error *e)
{
    struct memory *m = plan_follow(p, node, operation, NULL, e);
    if (!m)
        return -1;
    plan_set_detail(p, m, "value", NULL);
    if (STATUS_LIVES(m->status)) /* what was taken away stays so */
        m->status = STATUS_EXPIRED;
    p->change[p->count - 1].erases = true;
    return 0;
}

int entry_sweep_first(struct plan *p, int64_t node, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (!STATUS_LIVES(now->status) || now->status == STATUS_EXPIRED)
        return 0;
    return entry_is_over(now, p->now) ? entry_expire(p, node, "expire", e) : 0;
}

int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct plan p = plan_in(t, actor, &arena, e);
    int result = entry_expire(&p, node, operation, e) == 0 ? plan_carry_out(&p, t, e) : -1;
    arena_release(&arena);
    return result;
}

int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e)
{
    int64_t over;
    if (entry_claim_over(txn_db(t), before, after, txn_now(t), &over, e))
        return -1;
    return over ? entry_expire_now(t, &sweeper_actor, over, "expire", e) : 0;
}
