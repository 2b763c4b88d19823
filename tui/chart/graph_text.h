/* A chart as text, for terminals, pipes and files. */
#ifndef STEMMA_GRAPH_TEXT_H
#define STEMMA_GRAPH_TEXT_H

#include "tui/chart/chart.h"
#include "tui/text/output.h"

/*
 * Appends the drawing or the outline, an empty line, and below it what it shows: of which memory, how much of its lineage is
 * not in view, what the signs mean, each circle. Nothing is flushed. `show` is what the scene was asked for. A
 * drawing is never cut; lines of an outline are, at out->columns. -1 with an error.
 */
int graph_text_print(struct output *out, const struct chart *c, enum scene_show show,
                     struct error *e);

#endif
