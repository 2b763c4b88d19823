/* How far from the focus of a chart its nodes are. */
#ifndef STEMMA_CHART_REACH_H
#define STEMMA_CHART_REACH_H

#include "tui/chart/chart.h"

/* depth[node], of the scene's: the fewest steps from the focus on that side, by what is in view; PICTURE_NONE where it is not
 * reached. -1 where memory ran out. O(nodes + edges). */
int chart_depths(const struct chart *c, enum direction side, uint32_t *depth);

/* How many memories the nodes that are reached stand for, the focus left out. */
size_t chart_reached(const struct chart *c, const uint32_t *depth);

#endif
