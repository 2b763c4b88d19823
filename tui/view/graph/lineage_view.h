/*
 * The lineage of a memory, as a drawing or as an outline. The outline replaces the drawing below 80 columns, on a
 * dumb terminal, above 60 memories, or if the person wants it.
 */
#ifndef STEMMA_LINEAGE_VIEW_H
#define STEMMA_LINEAGE_VIEW_H

#include "model/subgraph/subgraph.h"
#include "tui/chart/chart.h"
#include "tui/widget/view.h"

/* The sources of a memory, its users, or both, drawn or as an outline. */
struct view *lineage_view_new(struct app *x, int64_t node, enum subgraph_show show);

/* Whether the top view already shows that lineage. */
bool lineage_is_shown(struct view *top, int64_t node, enum subgraph_show show);

/* Before each frame: replaces a drawing without room by an outline, and shows it again when there is room. */
void lineage_fit(struct app *x);

/* Switches between drawing and outline. */
void lineage_exchange(struct app *x);
/* Sets the style of this and of later drawings. */
void lineage_draw_as(struct app *x, enum chart_style style);

#endif
