/* Where points stand across their layers (Brandes and Köpf 2001, with the block graph in place of classes). */
#ifndef STEMMA_COORDINATES_H
#define STEMMA_COORDINATES_H

#include "layered.h"

/*
 * at[point] is the first cell of a point that takes up size[point] cells, by the order as it stands: in each layer
 * every point begins at least a gap beyond the end of the one before, `gap_nodes` between two nodes, `gap_dummies` where either
 * is a dummy. The least is 0. -1 where memory ran out. O(points + segments).
 */
int coordinates_find(const struct layered *g, const int32_t *size, int32_t gap_nodes,
                     int32_t gap_dummies, int32_t *at);

#endif
