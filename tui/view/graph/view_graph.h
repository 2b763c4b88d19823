/*
 * The lineage of a memory, drawn: nodes and lines in a window that the cursor walks through, from node to node along
 * the edges. lineage_view.h says when it is drawn.
 */
#ifndef STEMMA_VIEW_GRAPH_H
#define STEMMA_VIEW_GRAPH_H

#include "tui/chart/chart.h"
#include "tui/widget/view.h"

struct view *graph_view_new(struct app *x, int64_t node, enum scene_show show,
                            enum chart_style style);
bool view_is_graph(const struct view *v);

enum graph_format {
    GRAPH_TEXT = 0,
    GRAPH_DOT,
    GRAPH_JSON,
    GRAPH_FORMATS
};
/* Of a view that draws lineage: copies what is seen. */
void lineage_yank(struct app *x, enum graph_format format);

#endif
