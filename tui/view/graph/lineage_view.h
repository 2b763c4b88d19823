/*
 * The lineage of a memory, as a drawing or as an outline, and how the one takes the place of the other: below 60
 * columns, on a dumb terminal, above 200 nodes, or because a person wants it so, an outline stands for the drawing.
 */
#ifndef STEMMA_LINEAGE_VIEW_H
#define STEMMA_LINEAGE_VIEW_H

#include "model/subgraph/subgraph.h"
#include "tui/chart/chart.h"
#include "tui/widget/view.h"

/* What a memory rests on, carries, or both: drawn or as an outline, whichever suits. */
struct view *lineage_view_new(struct app *x, int64_t node, enum subgraph_show show);

/* Is it that lineage of that memory that is on top already? */
bool lineage_is_shown(struct app *x, int64_t node, enum subgraph_show show);

/* Before each frame: a drawing for which there is no room becomes an outline, and comes back with the room. */
void lineage_fit(struct app *x);

/* Of a view of lineage: the outline for the drawing, or the drawing for the outline, whatever suits. */
void lineage_exchange(struct app *x);
/* Draws it so, and others from now on. */
void lineage_draw_as(struct app *x, enum chart_style style);

#endif
