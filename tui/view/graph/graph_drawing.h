/*
 * What a graph view shows: a chart, and what walking, lighting and zooming need of it.
 *
 * It is made by the worker and is not changed afterwards but for the way that was walked. The next one is laid out
 * over it, so it is counted; only the main thread counts.
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
    unsigned epoch; /* of the view, when its reading began */
    int64_t seen;   /* the journal's last event then */
};

/*
 * Reads and lays out. NULL with an error, else the reference is the caller's; `chart.style` is CHART_OUTLINE where
 * nothing is to be drawn, and then there is the chart's picture alone.
 */
struct drawing *drawing_make(struct reader *r, const struct subgraph_request *w,
                             const struct chart_options *o, struct error *e);
struct drawing *drawing_hold(struct drawing *d);
void drawing_drop(struct drawing *d); /* NULL is allowed */

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
/* The node that stands for that row, itself or among others; where none does, the rest that it is of; PICTURE_NONE. */
uint32_t drawing_find_row(const struct drawing *d, int64_t row);
/* The node of that id; PICTURE_NONE. */
uint32_t drawing_find(const struct drawing *d, const char *id);

/* lit[edge] of the picture becomes 1 on every way to and from the node. O(nodes + edges). */
void drawing_light(const struct drawing *d, uint32_t node, uint8_t *lit);

#endif
