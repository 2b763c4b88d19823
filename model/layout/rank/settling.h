/* Points moved across their layers to where lines can be straight, or are short. */
#ifndef STEMMA_SETTLING_H
#define STEMMA_SETTLING_H

#include "model/layout/rank/coordinates.h"

/*
 * at[point] is the first cell of each, far enough apart; they stay so, in their order. Each point,
 * or run of a net's dummies in one line, goes where the lines that leave it bend and measure least,
 * as long as the others stand where they do; a few times over. Ports have no cells yet: a line can
 * be straight where the cells that are left for its ports, beside those of other nets, have one in
 * common. It takes a tenth to a third of all bends, and a tenth of all cells. -1 where memory ran
 * out. O(points + segments · log).
 */
int points_settle(const struct layered *g, const struct widths *w, int64_t *at);

#endif
