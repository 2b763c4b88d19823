/* A chart as text for terminals, pipes and files, for Graphviz, and as JSON. */
#ifndef STEMMA_GRAPH_TEXT_H
#define STEMMA_GRAPH_TEXT_H

#include "tui/chart/chart.h"
#include "tui/text/output.h"
#include "model/layout/layout.h"
#include "model/base/strbuf.h"

/*
 * Appends the drawing or the outline, an empty line, and below it what it shows: of which memory, how much of its
 * lineage is not in view, what the signs mean, each circle. Nothing is flushed. `show` is what the subgraph was asked
 * for. A drawing is never cut; lines of an outline are, at out->columns.
 */
void graph_text_print(struct output *out, const struct chart *c, enum subgraph_show show);

/*
 * Appends a chart in the language of Graphviz: `dot -Tsvg` draws it. Nodes are named as the chart has it (one whose
 * name is not plain text by a number before what can be shown of it), shaped by kind, dashed where the memory is
 * missing or stands for several, grey where it is dead; edges go from what rests to what it rests on, downwards
 * where `down` says so and to the right else. Whatever a memory says stays within its quotes, and is clean.
 */
void graph_dot_add(struct strbuf *out, const struct chart *c, bool down);

/*
 * Appends a chart as JSON: the object of `show --trace` with what a drawing adds. {"focus", "show", "nodes",
 * "links", "cut", "cycles"} and, where it is drawn, "style", "width", "height".
 *
 * A node: {"ref", "depth", "text", "label", "status", "missing"?} as in a trace (depth: the fewest steps from the
 * focus on either side), with "kind", "side" (rests_on, carries; of the focus both), "hidden"? {"rests_on",
 * "carries"} (neighbours that are not in view), and where it is drawn "layer", "column", "row", "columns", "rows".
 * What stands for several memories has "id" and no ref, "sort" (more, equivalent, chain), "kind", "total", "of" (what the
 * rest hangs on) or "members". A ref and an id is the name that the chart has for the node, also where others name
 * it.
 *
 * A link: {"from", "to", "role", "reading", "justification", "recorded"} as in a trace, for each justification that
 * joins two memories in view, and "stroke", as they are drawn (none to itself); a relation has but the role
 * "supersedes". One from or to what stands for several has "strokes", all of them, and "stroke" alone.
 *
 * `cut`: how many memories of its lineage are not in view. Numbers that are counted no further have "bounded": true
 * next to them. -1 with an error.
 */
int graph_json_add(struct strbuf *out, struct reader *r, const struct chart *c,
                   enum subgraph_show show, struct error *e);

#endif
