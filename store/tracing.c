#include "tracing.h"

#include <stdlib.h>

/* Beyond so many memories around those asked about the whole graph is loaded instead. */
#define AROUND_MAX 50000

static int no_memory(struct error *e, const char *what)
{
    return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for the %s", what);
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
    if (load(&t->graph, r, &row, 1, direction, &whole, e))
        return -1;
    t->root = whole ? (uint32_t)(row - 1) : 0;
    return labels_compute(&t->labels, &t->graph) ? no_memory(e, "labels") : 0;
}

void trace_release(struct trace *t)
{
    labels_release(&t->labels);
    graph_release(&t->graph);
}

int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e)
{
    bool whole = false;
    *q = (struct retraction){.count = count};
    if (load(&q->graph, r, rows, count, DESCENDANTS, &whole, e))
        return -1;
    q->nodes = malloc((count + 1) * sizeof(*q->nodes));
    if (!q->nodes)
        return no_memory(e, "question");
    for (size_t n = 0; n < count; n++)
        q->nodes[n] = whole ? (uint32_t)(rows[n] - 1) : (uint32_t)n;
    if (labels_compute(&q->labels, &q->graph) ||
        whatif_retract(&q->outcome, &q->graph, &q->labels, q->nodes, count))
        return no_memory(e, "answer");
    return 0;
}

void retraction_release(struct retraction *q)
{
    whatif_release(&q->outcome);
    labels_release(&q->labels);
    graph_release(&q->graph);
    free(q->nodes);
}
