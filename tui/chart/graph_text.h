/* A chart as text for terminals, pipes and files, for Graphviz, and as JSON. */
#ifndef STEMMA_GRAPH_TEXT_H
#define STEMMA_GRAPH_TEXT_H

#include "tui/chart/chart.h"
#include "tui/text/output.h"
#include "model/base/strbuf.h"

/*
 * Appends the drawing or outline, and below it what it shows: the focus, how much of its lineage is hidden, the
 * legend, and each cycle. Does not flush. `show` is the value from the request. A drawing is never cut; lines of an
 * outline are cut at out->columns.
 */
void graph_text_print(struct output *out, const struct chart *c, enum subgraph_show show);

/*
 * Appends the chart in Graphviz's DOT language (`dot -Tsvg` draws it). Node names are chart_node.name; a name with
 * special characters gets a number as prefix and is cleaned. Shapes depend on the kind. Missing memories and nodes
 * for several memories are dashed, inactive ones grey. Edges point from a source to what is based on it: down with
 * `down`, else to the right. Text of memories is cleaned and stays inside quotes.
 */
void graph_dot_add(struct strbuf *out, const struct chart *c, bool down);

/*
 * Appends the chart as JSON: the object of `show --trace` plus the layout: {"focus", "show", "nodes", "links", "cut",
 * "cycles"} and, for a drawing, "style", "width", "height".
 *
 * A node has {"ref", "depth", "text", "label", "status", "missing"?} as in a trace (depth: the fewest steps from the
 * focus on either side), "kind", "side" (based_on, used_by; both for the focus), "hidden"? {"based_on", "used_by"}
 * (counts of hidden neighbours), and in a drawing "layer", "column", "row", "columns", "rows". A node for several
 * memories has "id" in place of "ref", "sort" (more, equivalent, chain), "kind", "total", and "of" (the node that
 * they are attached to) or "members". Refs and ids are chart_node.name everywhere.
 *
 * A link has {"from", "to", "role", "reading", "justification", "recorded"} as in a trace, one for each justification
 * between two visible memories, and "stroke" as drawn (not for a link to itself). A relation has only the role
 * "supersedes". A link of a node for several memories has "strokes" (all of them) and "stroke".
 *
 * `cut` is the number of hidden memories of the lineage. A count that stopped early has "bounded": true next to it.
 * Returns -1 and sets *e on failure.
 */
int graph_json_add(struct strbuf *out, struct reader *r, const struct chart *c,
                   enum subgraph_show show, struct error *e);

#endif
