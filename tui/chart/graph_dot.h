/* A chart in the language of Graphviz: `dot -Tsvg` draws it. */
#ifndef STEMMA_GRAPH_DOT_H
#define STEMMA_GRAPH_DOT_H

#include "model/base/strbuf.h"
#include "tui/chart/chart.h"

/*
 * Appends a digraph. Nodes are named as the chart has it (one whose name is not plain text by a number before what can be shown of it),
 * shaped by kind, dashed where the memory is missing or stands for several, grey where it is dead; edges go from what rests to
 * what it rests on, downwards where `down` says so and to the right else. Whatever a memory says stays within its quotes, and is clean. What fails shows in
 * out->failed.
 */
void graph_dot_add(struct strbuf *out, const struct chart *c, bool down);

#endif
