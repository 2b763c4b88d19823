/* Network simplex (Gansner, Koutsofios, North, Vo 1993): edges made shorter in total until none can be. */
#ifndef STEMMA_SIMPLEX_H
#define STEMMA_SIMPLEX_H

#include "rows.h"

/*
 * Heights: a layer is HEIGHT_LAYER, and each edge must go down by that and a little more, which differs from
 * edge to edge. So hardly two ways to move are equally good, and simplex does not go round among layerings of the same sum, as
 * it does for most of its time in a graph of thousands of nodes where every edge is as long as another. What is least with these is
 * least without them, as long as they all together are less than half a layer: with up to HEIGHT_NODES nodes.
 */
#define HEIGHT_LAYER ((int64_t)1 << 40)
#define HEIGHT_NODES ((uint32_t)1 << 21)

/* How far an edge must go down. */
static inline int64_t height_of_edge(uint32_t upper, uint32_t lower)
{
    uint64_t mixed = ((uint64_t)upper << 32 | lower) * 0x9e3779b97f4a7c15u;
    return HEIGHT_LAYER + (int64_t)((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u >> 48);
}

/*
 * height[] of the nodes, in which each edge goes down as far as it must, is changed so that the sum of the lengths is
 * the least; or, where that takes more than a bound on the steps, is less than it was. -1 where memory ran out.
 */
int simplex_shorten(const struct rows *r, int64_t *height);

#endif
