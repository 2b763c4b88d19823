/* What follows from taking support away, for a plan: the what-if of what is stored. */
#include "model/base/alloc.h"
#include "store/ops/plan.h"

#include <stdlib.h>
#include "store/lineage/tracing.h"

static int name_node(struct plan *p, int64_t node, struct ref *out, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(p->reader, p->arena, node, &row, e))
        return -1;
    *out = row.ref;
    return 0;
}

/* ---- because of which ---- */

/* For each node up to two of those named that it descends from: their places from 1, 0: none. */
struct causes {
    const struct graph *g;
    uint32_t (*of)[2];
    struct {
        uint32_t node, cause;
    } * queue; /* [2 * nodes]: each node gets a cause twice at most */
    size_t first, end;
    struct ref *named; /* [count], in the arena */
};

static void add_cause(struct causes *c, uint32_t node, uint32_t cause)
{
    uint32_t *of = c->of[node];
    if (of[0] == cause || of[1])
        return;
    of[of[0] != 0] = cause;
    c->queue[c->end].node = node;
    c->queue[c->end++].cause = cause;
}

/* Breadth first from all of them at once, over what rests on what. */
static void spread(struct causes *c)
{
    const struct graph *g = c->g;
    while (c->first < c->end) {
        uint32_t node = c->queue[c->first].node, cause = c->queue[c->first].cause;
        c->first++;
        for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++)
            add_cause(c, g->just_node[g->use_just[i]], cause);
    }
}

static int find_causes(struct plan *p, const struct retraction *q, struct causes *c,
                       struct error *e)
{
    *c = (struct causes){.g = &q->graph};
    c->named = arena_array(p->arena, q->count + 1, sizeof(*c->named));
    c->of = xcalloc((size_t)q->graph.nodes + 1, sizeof(*c->of));
    c->queue = xcalloc(2 * (size_t)q->graph.nodes + 1, sizeof(*c->queue));
    for (size_t i = 0; i < q->count; i++) {
        if (name_node(p, graph_row(&q->graph, q->nodes[i]), &c->named[i], e))
            return -1;
        if (graph_lives(&q->graph, q->nodes[i]))
            add_cause(c, q->nodes[i], (uint32_t)i + 1);
    }
    spread(c);
    return 0;
}

static void release_causes(struct causes *c)
{
    free(c->of);
    free(c->queue);
}

static void take_cause(const struct causes *c, uint32_t node, struct consequence *out)
{
    const uint32_t *of = c->of[node];
    if (of[0])
        out->because = c->named[of[0] - 1];
    out->several = of[1] != 0;
}

/* ---- the lists ---- */

static int take_falls(struct plan *p, const struct retraction *q, const struct causes *causes,
                      struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->falls = arena_array(p->arena, w->fall_count + 1, sizeof(*p->falls));
    for (size_t i = 0; i < w->fall_count; i++) {
        uint32_t node = w->falls[i];
        struct consequence *c = &p->falls[p->fall_count++];
        *c = (struct consequence){.node = graph_row(&q->graph, node),
                                  .before = (enum label)q->labels.label[node],
                                  .holds = q->labels.holds[node]};
        take_cause(causes, node, c);
        if (name_node(p, c->node, &c->ref, e))
            return -1;
    }
    return 0;
}

static int take_weakened(struct plan *p, const struct retraction *q, const struct causes *causes,
                         struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->weakened = arena_array(p->arena, w->weakened_count + 1, sizeof(*p->weakened));
    for (size_t i = 0; i < w->weakened_count; i++) {
        const struct whatif_weakened *one = &w->weakened[i];
        struct consequence *c = &p->weakened[p->weakened_count++];
        *c = (struct consequence){.node = graph_row(&q->graph, one->node),
                                  .before = (enum label)q->labels.label[one->node],
                                  .holds = one->before,
                                  .remain = one->after};
        take_cause(causes, one->node, c);
        if (name_node(p, c->node, &c->ref, e))
            return -1;
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The nodes of a part of the graph are in no order of rows: all of them are looked at. */
static void take_descending(struct plan *p, const struct retraction *q)
{
    const struct whatif *w = &q->outcome;
    int64_t *rows = xcalloc(w->descends + 1, sizeof(*rows));
    p->descends = (int64_t)w->descends;
    p->descending_count = w->descends < PLAN_DESCENDING ? w->descends : PLAN_DESCENDING;
    for (size_t i = 0; i < w->descends; i++)
        rows[i] = graph_row(&q->graph, w->descending[i]);
    if (w->descends)
        qsort(rows, w->descends, sizeof(*rows), by_number);
    p->descending = arena_memdup(p->arena, rows, (p->descending_count + 1) * sizeof(*rows));
    free(rows);
}

static int by_row(const void *a, const void *b)
{
    const struct consequence *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

/* Whichever part of the graph was loaded. */
static void sort(struct plan *p)
{
    if (p->fall_count)
        qsort(p->falls, p->fall_count, sizeof(*p->falls), by_row);
    if (p->weakened_count)
        qsort(p->weakened, p->weakened_count, sizeof(*p->weakened), by_row);
}

int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct retraction q;
    struct causes causes = {.g = NULL};
    p->fall_count = p->weakened_count = p->descending_count = 0;
    int result = retraction_load(&q, p->reader, rows, count, e);
    if (result == 0) {
        result = find_causes(p, &q, &causes, e) || take_falls(p, &q, &causes, e) ||
                         take_weakened(p, &q, &causes, e)
                     ? -1
                     : 0;
        take_descending(p, &q);
        sort(p);
    }
    release_causes(&causes);
    retraction_release(&q);
    return result;
}
