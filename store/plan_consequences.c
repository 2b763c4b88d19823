/* What follows from taking support away, for a plan: the what-if of what is stored. */
#include "plan.h"
#include "tracing.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
}

static int name_node(struct plan *p, int64_t node, struct ref *out, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(p->reader, p->arena, node, &row, e))
        return -1;
    *out = row.ref;
    return 0;
}

static int take_falls(struct plan *p, const struct retraction *q, struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->falls = arena_array(p->arena, w->fall_count + 1, sizeof(*p->falls));
    if (!p->falls)
        return out_of_memory(e);
    for (size_t i = 0; i < w->fall_count; i++) {
        uint32_t node = w->falls[i];
        struct consequence *c = &p->falls[p->fall_count++];
        *c = (struct consequence){.node = graph_row(&q->graph, node),
                                  .before = (enum label)q->labels.label[node],
                                  .holds = q->labels.holds[node]};
        if (name_node(p, c->node, &c->ref, e))
            return -1;
    }
    return 0;
}

static int take_weakened(struct plan *p, const struct retraction *q, struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->weakened = arena_array(p->arena, w->weakened_count + 1, sizeof(*p->weakened));
    if (!p->weakened)
        return out_of_memory(e);
    for (size_t i = 0; i < w->weakened_count; i++) {
        const struct whatif_weakened *one = &w->weakened[i];
        struct consequence *c = &p->weakened[p->weakened_count++];
        *c = (struct consequence){.node = graph_row(&q->graph, one->node),
                                  .before = (enum label)q->labels.label[one->node],
                                  .holds = one->before,
                                  .remain = one->after};
        if (name_node(p, c->node, &c->ref, e))
            return -1;
    }
    return 0;
}

int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct retraction q;
    p->fall_count = p->weakened_count = 0;
    int result = retraction_load(&q, p->reader, rows, count, e);
    if (result == 0) {
        result = take_falls(p, &q, e) || take_weakened(p, &q, e) ? -1 : 0;
        p->descends = (int64_t)q.outcome.descends;
    }
    retraction_release(&q);
    return result;
}
