#include "store/lineage/tracing.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/lineage/closure.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"

/* Beyond so many memories around those asked about the whole graph is loaded instead. */
#define AROUND_MAX 50000

static int no_memory(struct error *e, const char *what)
{
    error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
              "there is no memory for the %s", what);
    return -1;
}

/* *whole: node numbers are rows less one; else those asked about come first, in their order. */
static int load(struct graph *g, struct reader *r, const int64_t *rows, size_t count,
                enum direction direction, bool *whole, struct error *e)
{
    graph_init(g);
    if (graph_load_around(r, g, rows, count, direction, AROUND_MAX, whole, e))
        return -1;
    if (!*whole)
        return 0;
    graph_release(g);
    graph_init(g);
    return graph_load(r, g, e);
}

int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e)
{
    bool whole = false;
    *t = (struct trace){.direction = direction, .depth = depth};
    if (load(&t->graph, r, &row, 1, direction, &whole, e) || guard_graph(r, &t->graph, e))
        return -1;
    t->root = whole ? (uint32_t)(row - 1) : 0;
    return labels_compute(&t->labels, &t->graph) ? no_memory(e, "labels") : 0;
}

/* Labels of what is shown; the others have none. */
static int label_near(struct trace *t, struct reader *r, size_t within, struct error *e)
{
    enum label *label = xmalloc(within * sizeof(*label));
    t->labels.label = xcalloc(t->graph.nodes, sizeof(*t->labels.label));
    int result = label && t->labels.label ? kept_labels_of_rows(r, t->graph.row, within, label, e)
                                          : no_memory(e, "labels");
    for (size_t i = 0; i < within && result == 0; i++)
        t->labels.label[i] = (uint8_t)label[i];
    free(label);
    return result;
}

/* How much lies deeper than what is shown: 1; 0 where that is more than `beyond` tells. */
static int find_beyond(struct trace *t, struct reader *r, int64_t row, size_t within,
                       struct error *e)
{
    const struct beyond_what what = {row, t->direction, t->depth};
    int known = kept_beyond_find(r, &what, &t->beyond, e);
    if (known || (known = closure_of(r, row, t->direction, &t->beyond, e)) <= 0)
        return known;
    t->beyond.cut -= within;
    return kept_beyond_keep(r, &what, &t->beyond, e) ? -1 : 1;
}

/* 1 where what is shown suffices; 0: all of it must be loaded. */
static int load_near(struct trace *t, struct reader *r, int64_t row, struct error *e)
{
    struct within within;
    if (graph_load_within(r, &t->graph, row, t->direction, t->depth, AROUND_MAX, &within, e))
        return -1;
    bool whole = within.whole && !within.bounded;
    int known = within.bounded ? 0 : whole ? 1 : find_beyond(t, r, row, within.nodes, e);
    t->near = known > 0 && !whole;
    if (known > 0)
        return label_near(t, r, within.nodes, e) ? -1 : 1;
    graph_release(&t->graph);
    return known;
}

/* What carries it is told by its descendants alone, and the labels of what they rest on besides. */
static int load_carried(struct graph *g, struct labels *l, struct reader *r, const int64_t *rows,
                        size_t count, bool *whole, struct error *e)
{
    size_t inside;
    if (graph_load_carried(r, g, rows, count, AROUND_MAX, &inside, whole, e))
        return -1;
    if (*whole && (graph_release(g), graph_init(g), graph_load(r, g, e)))
        return -1;
    if (labels_compute(l, g))
        return no_memory(e, "labels");
    return *whole ? 0 : labels_keep(r, g, l, inside, e);
}

int trace_load_shown(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                     uint32_t depth, struct error *e)
{
    *t = (struct trace){.direction = direction, .depth = depth};
    int known = load_near(t, r, row, e);
    return known ? (known < 0 ? -1 : 0) : trace_load(t, r, row, direction, depth, e);
}

/* The closure of those that are seen is smaller, but the memories of others count in their labels. */
static int thin(struct trace *t, struct reader *r, uint8_t **view, struct error *e)
{
    struct graph *g = &t->graph;
    uint8_t *seen = xmalloc((size_t)g->nodes + 1);
    if (!seen)
        return no_memory(e, "trace");
    *view = seen;
    for (uint32_t node = 0; node < g->nodes; node++) {
        enum sight sight;
        if (guard_sight(r, graph_row(g, node), &sight, e) || reader_check(r, e))
            return -1;
        seen[node] = (uint8_t)sight;
    }
    return graph_thin(g, seen) ? no_memory(e, "trace") : 0;
}

int trace_load_seen(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, uint8_t **view, struct error *e)
{
    *view = NULL;
    if (!guard_hides_linked(r))
        return trace_load_shown(t, r, row, direction, depth, e);
    return trace_load(t, r, row, direction, depth, e) || thin(t, r, view, e) ? -1 : 0;
}

void trace_release(struct trace *t)
{
    labels_release(&t->labels);
    graph_release(&t->graph);
}

/* The same with all that these rest on, less what is hidden from the reader's caller. */
static int load_carried_seen(struct graph *g, struct labels *l, struct reader *r,
                             const int64_t *rows, size_t count, bool *whole, struct error *e)
{
    if (load(g, r, rows, count, DESCENDANTS, whole, e) || guard_graph(r, g, e))
        return -1;
    return labels_compute(l, g) ? no_memory(e, "labels") : 0;
}

/* From a graph of what they carry. */
static int load_retraction(struct retraction *q, struct reader *r, const int64_t *rows, bool seen,
                           struct error *e)
{
    bool whole = false;
    if ((seen ? load_carried_seen : load_carried)(&q->graph, &q->labels, r, rows, q->count, &whole,
                                                  e))
        return -1;
    for (size_t n = 0; n < q->count; n++)
        q->nodes[n] = whole ? (uint32_t)(rows[n] - 1) : (uint32_t)n;
    if (whatif_retract(&q->outcome, &q->graph, &q->labels, q->nodes, q->count))
        return no_memory(e, "answer");
    return 0;
}

static int begin_retraction(struct retraction *q, size_t count, struct error *e)
{
    *q = (struct retraction){.count = count, .nodes = xmalloc((count + 1) * sizeof(*q->nodes))};
    if (!q->nodes)
        return no_memory(e, "question");
    for (size_t n = 0; n < count; n++)
        q->nodes[n] = (uint32_t)n;
    return 0;
}

int retraction_load_graph(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                          struct error *e)
{
    bool seen = guard_hides_linked_entries(r);
    return begin_retraction(q, count, e) ? -1 : load_retraction(q, r, rows, seen, e);
}

int retraction_load_seen(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                         struct error *e)
{
    if (!guard_hides_linked(r))
        return retraction_load(q, r, rows, count, e);
    bool seen = guard_hides_linked_entries(r);
    return begin_retraction(q, count, e) ? -1 : load_retraction(q, r, rows, seen, e);
}

int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e)
{
    if (begin_retraction(q, count, e))
        return -1;
    int told = retraction_near(q, r, rows, count, e);
    return told ? (told < 0 ? -1 : 0) : load_retraction(q, r, rows, false, e);
}

void retraction_release(struct retraction *q)
{
    whatif_release(&q->outcome);
    labels_release(&q->labels);
    graph_release(&q->graph);
    free(q->nodes);
}
