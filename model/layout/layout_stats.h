/* Figures of a drawing; for layout.c. */
#ifndef STEMMA_LAYOUT_STATS_H
#define STEMMA_LAYOUT_STATS_H

#include "model/layout/draft.h"

/* By a draft whose wires are made. -1 where memory ran out. O(wires · log). */
int layout_stats_find(struct layout_stats *stats, const struct draft *d);

#endif
