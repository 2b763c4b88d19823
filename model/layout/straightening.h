/* Points moved across their layers so that more lines are straight. */
#ifndef STEMMA_STRAIGHTENING_H
#define STEMMA_STRAIGHTENING_H

#include "coordinates.h"

/*
 * at[point] is the first cell of each, far enough apart; they stay so, in their order. Each point, or run of a net's dummies that
 * is straight, goes where bends, and then lengths, of all lines that leave it are least, as long as the others stand where
 * they do; a few times over. -1 where memory ran out. O(points + segments · log).
 */
int straighten(const struct layered *g, const struct widths *w, int64_t *at);

#endif
