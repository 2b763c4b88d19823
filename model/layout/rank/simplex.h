/* Network simplex (Gansner, Koutsofios, North, Vo 1993): edges made shorter in total until none can
 * be. */
#ifndef STEMMA_SIMPLEX_H
#define STEMMA_SIMPLEX_H

#include "model/layout/rows.h"

/*
 * Heights: a layer is HEIGHT_LAYER, and each edge must go down by that. In a graph of thousands of
 * nodes, where every edge is as long as another, simplex goes round among layerings of the same sum
 * for most of its time. There each edge must go down by a little more, which differs from edge to
 * edge, so that hardly two ways to move are equally good. What is least with these is least without
 * them, as long as they all together are less than half a layer: with up to HEIGHT_NODES nodes.
 */
#define HEIGHT_LAYER ((int64_t)1 << 40)
#define HEIGHT_NODES ((uint32_t)1 << 21)

enum heights {
    HEIGHTS_EQUAL = 0,
    HEIGHTS_DIFFERENT,
};

/* How far an edge must go down. */
static inline int64_t height_of_edge(enum heights heights, uint32_t upper, uint32_t lower)
{
    if (heights == HEIGHTS_EQUAL)
        return HEIGHT_LAYER;
    uint64_t mixed = ((uint64_t)upper << 32 | lower) * 0x9e3779b97f4a7c15u;
    return HEIGHT_LAYER + (int64_t)((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u >> 48);
}

/*
 * height[] of the nodes, in which each edge goes down as far as it must, is changed so that the sum
 * of the lengths is the least; or, where that takes more than `most` steps, is less than it was.
 * Steps are nodes and edges looked at. 1 where it is the least, 0 where the steps ended it, -1
 * where memory ran out.
 */
int simplex_shorten(const struct rows *r, enum heights heights, uint64_t most, int64_t *height);

#endif
