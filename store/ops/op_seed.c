/* Seed: beliefs that were there from the start, as Kernle's roundtable made them. */
#include <string.h>
#include "store/ops/operation.h"

static int seed(struct plan *p, const struct seed *s, const struct request *q, struct error *e)
{
    struct memory *m = plan_add(p, KIND_BELIEF, q->agent, s->text, s->len, "seed", q->reason, e);
    if (!m)
        return -1;
    struct request check = {.confidence = s->confidence};
    if (operation_check_confidence(&check, e))
        return -1;
    if (!isnan(s->confidence))
        m->confidence = s->confidence;
    m->source = "seed-initialization";
    m->source_type = source_type_name(SOURCE_SEED);
    m->context = "kernle_seed";
    for (size_t i = 0; i < s->tag_count; i++)
        plan_add_tag(p, m, s->tags[i]);
    plan_set_detail(p, m, "belief_type", "\"foundational\"");
    plan_set_detail(p, m, "foundational", "true");
    plan_add_annotation(p, m, "kernle:seed-beliefs");
    return 0;
}

int op_seed(struct plan *p, const struct request *q, struct error *e)
{
    if (!q->seed_count)
        return error_set(e, ERROR_INVALID, "Give a statement.", "there is nothing to seed");
    for (size_t i = 0; i < q->seed_count; i++)
        if (seed(p, &q->seeds[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}
