/* A chart as JSON: the object of `show --trace`, with what a drawing adds. */
#ifndef STEMMA_GRAPH_JSON_H
#define STEMMA_GRAPH_JSON_H

#include "model/base/strbuf.h"
#include "tui/chart/chart.h"

/*
 * Appends {"focus", "show", "nodes", "links", "cut", "cycles"} and, where it is drawn, "style", "width", "height".
 *
 * A node: {"ref", "depth", "text", "label", "status", "missing"?} as in a trace (depth: the fewest steps from the focus on
 * either side), with "kind", "side" (rests_on, carries; of the focus both), "hidden"? {"rests_on", "carries"} (neighbours that
 * are not in view), and where it is drawn "layer", "column", "row", "columns", "rows". What stands for several memories has
 * "id" and no ref, "sort" (more, twins, chain), "kind", "total", "of" (what the rest hangs on) or "members". A ref and an id is
 * the name that the chart has for the node, also where others name it.
 *
 * A link: {"from", "to", "role", "reading", "justification", "recorded"} as in a trace, for each justification that joins two
 * memories in view, and "stroke", as they are drawn (none to itself); a relation has but the role "supersedes". One from or to what stands for
 * several has "strokes", all of them, and "stroke" alone.
 *
 * `cut`: how many memories of its lineage are not in view. Numbers that are counted no further have "bounded": true beside
 * them. -1 with an error.
 */
int graph_json_add(struct strbuf *out, struct reader *r, const struct chart *c,
                   enum scene_show show, struct error *e);

#endif
