#include "store/lineage/tracing.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"

/* Beyond so many memories around those asked about the whole graph costs less. */
#define AROUND_MAX 20000
/* The same of what is based on them, where the labels of its surroundings are found one by one. */
#define CARRIED_MAX 2000

static void labelled_release(struct labelled *l)
{
    if (l->shared) {
        loaded_release(l->shared);
        return;
    }
    labels_release(&l->labels);
    graph_release(&l->graph);
}

/* A view of what is shared. */
static int take_shared(struct labelled *l, const struct loaded *shared)
{
    if (!shared)
        return -1;
    *l = (struct labelled){shared->graph, shared->labels, shared};
    return 0;
}

static void label_own(struct labelled *l)
{
    labels_compute(&l->labels, &l->graph);
}

/* `own`: the graph is to be changed, so that nothing is shared. */
static int load(struct labelled *l, struct reader *r, const int64_t *rows, size_t count,
                enum direction direction, bool own, struct error *e)
{
    bool bounded;
    const struct loaded *shared = own ? NULL : loaded_find(r);
    *l = (struct labelled){.shared = NULL};
    if (shared)
        return take_shared(l, shared);
    if (graph_load_around(r, &l->graph, rows, count, direction, AROUND_MAX, &bounded, e))
        return -1;
    if (bounded && !own)
        return take_shared(l, loaded_get(r, e));
    if ((bounded && graph_load(r, &l->graph, e)) || guard_graph(r, &l->graph, e))
        return -1;
    label_own(l);
    return 0;
}

static uint32_t node_of(const struct graph *g, int64_t row, size_t number)
{
    return (uint32_t)(g->row ? number : (size_t)row - 1);
}

static int load_trace(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                      uint32_t depth, bool own, struct error *e)
{
    *t = (struct trace){.direction = direction, .depth = depth};
    int result = load(&t->loaded, r, &row, 1, direction, own, e);
    t->graph = t->loaded.graph;
    t->labels = t->loaded.labels;
    t->root = node_of(&t->graph, row, 0);
    return result;
}

int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e)
{
    return load_trace(t, r, row, direction, depth, false, e);
}

/* The closure of those that are seen is smaller, but the memories of others count in their labels. */
int trace_load_seen(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, uint8_t **view, struct error *e)
{
    bool hides = guard_hides_linked(r);
    *view = NULL;
    if (load_trace(t, r, row, direction, depth, hides, e))
        return -1;
    if (!hides)
        return 0;
    struct graph *g = &t->loaded.graph;
    *view = xmalloc((size_t)g->nodes + 1);
    for (uint32_t node = 0; node < g->nodes; node++) {
        enum sight sight;
        if (guard_sight(r, graph_row(g, node), &sight, e) || reader_check(r, e))
            return -1;
        (*view)[node] = (uint8_t)sight;
    }
    graph_thin(g, *view);
    t->graph = *g;
    return 0;
}

void trace_release(struct trace *t)
{
    labelled_release(&t->loaded);
}

/* ---- retractions ---- */

/* What is based on them, and the labels of what that is based on besides; of what the caller may not see all of it. */
static int load_carried(struct labelled *l, struct reader *r, const int64_t *rows, size_t count,
                        struct error *e)
{
    size_t inside;
    bool bounded;
    const struct loaded *shared = loaded_find(r);
    *l = (struct labelled){.shared = NULL};
    if (shared)
        return take_shared(l, shared);
    if (guard_hides_linked_entries(r))
        return load(l, r, rows, count, DESCENDANTS, false, e);
    const struct known_labels *known = known_labels_find(r);
    int result =
        graph_load_carried(r, &l->graph, known, rows, count, CARRIED_MAX, &inside, &bounded, e);
    known_labels_release(known);
    if (result == 0 && bounded)
        return take_shared(l, loaded_get(r, e));
    if (result == 0)
        label_own(l);
    return result;
}

int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e)
{
    *q = (struct retraction){.count = count, .nodes = xmalloc((count + 1) * sizeof(*q->nodes))};
    if (load_carried(&q->loaded, r, rows, count, e))
        return -1;
    q->graph = q->loaded.graph;
    q->labels = q->loaded.labels;
    for (size_t n = 0; n < count; n++)
        q->nodes[n] = node_of(&q->graph, rows[n], n);
    whatif_retract(&q->outcome, &q->graph, &q->labels, q->nodes, count);
    return 0;
}

void retraction_release(struct retraction *q)
{
    whatif_release(&q->outcome);
    labelled_release(&q->loaded);
    free(q->nodes);
}
