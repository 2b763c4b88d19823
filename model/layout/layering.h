/* Edges turned so that nothing is circular, and a layer for each node. */
#ifndef STEMMA_LAYERING_H
#define STEMMA_LAYERING_H

#include <stdint.h>
#include "model/layout/picture.h"

/*
 * layer[node] for `nodes` nodes and `edges` edges upper[e] → lower[e], which make no circle: each edge goes at least
 * one layer down, the sum of their lengths is least, and each component begins at layer 0. Network simplex (Gansner,
 * Koutsofios, North, Vo 1993), O(nodes + edges) for each exchange. A bound on the steps, which no graph of a few
 * thousand nodes reaches, ends it with a layering that is not the shortest.
 */
void layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                   uint32_t *layer);

/*
 * Which edges are drawn against their direction, so that the rest has no circle.
 *
 * reversed[e] (of p->edges) becomes 1 where a depth first search, from the nodes that nothing rests
 * on first, finds an edge to a node on its own path. A greedy order of the nodes (Eades, Lin, Smyth
 * 1993) turns a third fewer edges of random graphs, but fills half as many layers, in which a sixth
 * more lines cross. Iterative: paths are as long as the input likes.
 * O(nodes + edges).
 */
void acyclic_find(const struct picture *p, uint8_t *reversed);

#endif
