/* Which edges are drawn against their direction, so that the rest has no circle. */
#ifndef STEMMA_ACYCLIC_H
#define STEMMA_ACYCLIC_H

#include "picture.h"

/*
 * reversed[e] (of p->edges) becomes 1 where an edge is to be turned: those that go backwards in an
 * order of the nodes of each strongly connected component, made greedily so that they are few (Eades,
 * Lin, Smyth 1993; at most half). Only edges on a circle are turned. Compared with a depth first
 * search it turns a third fewer, and what has many circles comes to have half the layers. Iterative:
 * paths are as long as the input likes. -1 where memory ran out. O(nodes + edges).
 */
int acyclic_find(const struct picture *p, uint8_t *reversed);

#endif
