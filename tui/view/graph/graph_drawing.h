/*
 * The data of a graph view: a chart, and what cursor movement, highlighting and zooming need.
 *
 * The worker makes it. Afterwards only `moves` changes. The next drawing is laid out over it, so it is
 * reference-counted, by the main thread only.
 */
#ifndef STEMMA_GRAPH_DRAWING_H
#define STEMMA_GRAPH_DRAWING_H

#include "model/layout/moves.h"
#include "tui/chart/chart.h"

struct drawing {
    int references;
    struct chart chart;
    struct moves moves;
    /* The same with a dot for each node. */
    struct picture small_picture;
    struct layout small;
    unsigned epoch; /* the view's epoch when its read began */
    int64_t seen;   /* the journal's last event at that time */
};

/*
 * Reads and lays out a drawing. The first drawing of a lineage sets w->fan, the most neighbours of one kind, to what
 * fits. Returns NULL and sets *e on failure; else the caller owns the reference. If chart.style is CHART_OUTLINE, only
 * the chart's picture exists.
 */
struct drawing *drawing_make(struct reader *r, struct subgraph_request *w,
                             const struct chart_options *o, struct error *e);
struct drawing *drawing_hold(struct drawing *d);
void drawing_drop(struct drawing *d); /* accepts NULL */

static inline bool drawing_is_drawn(const struct drawing *d)
{
    return d && d->chart.style != CHART_OUTLINE;
}
static inline const struct subgraph_node *drawing_subgraph(const struct drawing *d, uint32_t node)
{
    return &d->chart.subgraph.node[chart_of_drawn(&d->chart, node)];
}
static inline const struct chart_node *drawing_chart(const struct drawing *d, uint32_t node)
{
    return &d->chart.node[chart_of_drawn(&d->chart, node)];
}
/* The node of that memory: its own, one for several memories, or the SUBGRAPH_MORE that hides it; PICTURE_NONE if
 * there is none. */
uint32_t drawing_find_row(const struct drawing *d, int64_t row);
/* The node with that id, or PICTURE_NONE. */
uint32_t drawing_find(const struct drawing *d, const char *id);

/* Sets lit[edge] = 1 for every edge on a path to or from the node. O(nodes + edges). */
void drawing_light(const struct drawing *d, uint32_t node, uint8_t *lit);

#endif
