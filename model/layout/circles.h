/* Nodes that are on circles together. */
#ifndef STEMMA_CIRCLES_H
#define STEMMA_CIRCLES_H

#include "picture.h"

/*
 * circle[node] becomes the same number for two nodes where each is reached from the other, else a
 * different one (Tarjan 1972). Iterative. -1 where memory ran out. O(nodes + edges).
 */
int circles_find(const struct picture *p, uint32_t *circle);

#endif
