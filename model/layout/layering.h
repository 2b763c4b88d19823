/* Layers by network simplex (Gansner, Koutsofios, North, Vo 1993), so that edges are short in
 * total. */
#ifndef STEMMA_LAYERING_H
#define STEMMA_LAYERING_H

#include <stdint.h>
#include "model/layout/picture.h"

/*
 * layer[node] for `nodes` nodes and `edges` edges upper[e] → lower[e], which make no circle: each
 * edge goes at least one layer down, the sum of their lengths is least (but where a bound on the
 * work ended it, which gives a layering too), each component begins at layer 0, and nodes with as
 * many edges above as below, which could stand in several layers at no cost, stand in the emptiest.
 * The bound counts steps and no time. -1 if there are more than two million nodes.
 */
int layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
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

/* Edges by node, both ways, in compressed sparse rows: for the phases that find layers. */
struct rows {
    uint32_t nodes, edges;
    /* What is below node v: below[below_first[v] .. below_first[v + 1]]; above likewise. A node
     * stands there once for each edge. */
    uint32_t *below_first, *below, *above_first, *above;
};

/* rows_release follows. O(nodes + edges). */
void rows_make(struct rows *r, uint32_t nodes, uint32_t edges, const uint32_t *upper,
               const uint32_t *lower);
void rows_release(struct rows *r);

static inline uint32_t rows_below(const struct rows *r, uint32_t node)
{
    return r->below_first[node + 1] - r->below_first[node];
}

static inline uint32_t rows_above(const struct rows *r, uint32_t node)
{
    return r->above_first[node + 1] - r->above_first[node];
}

/*
 * Network simplex (Gansner, Koutsofios, North, Vo 1993): edges made shorter in total until none can be.
 *
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
 * Steps are nodes and edges looked at. 1 where it is the least, 0 where the steps ended it.
 */
int simplex_shorten(const struct rows *r, enum heights heights, uint64_t most, int64_t *height);

#endif
