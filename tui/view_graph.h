/*
 * The lineage of a memory, drawn: nodes and lines in a window that the cursor walks through, from node to node along
 * the edges. Where a drawing does not suit (below 60 columns, on a dumb terminal, above 200 nodes, or because
 * a person wants it so) the outline stands for it.
 */
#ifndef STEMMA_VIEW_GRAPH_H
#define STEMMA_VIEW_GRAPH_H

#include "chart.h"
#include "view.h"

/* What a memory rests on, carries, or both: drawn or as an outline, whichever suits. */
struct view *lineage_view_new(struct app *x, int64_t node, enum scene_show show);

/* Before each frame: a drawing for which there is no room becomes an outline, and comes back with the room. */
void lineage_fit(struct app *x);

/* Of a view of lineage: the outline for the drawing, or the drawing for the outline, whatever suits. */
void lineage_exchange(struct app *x);
/* Draws it so, and others from now on. */
void lineage_draw_as(struct app *x, enum chart_style style);

enum graph_format {
    GRAPH_TEXT = 0,
    GRAPH_DOT,
    GRAPH_JSON,
    GRAPH_FORMATS
};
/* Of a view that draws lineage: copies what is seen. */
void lineage_yank(struct app *x, enum graph_format format);
bool view_is_graph(const struct view *v);

#endif
