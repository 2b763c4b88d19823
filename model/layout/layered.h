/*
 * A picture as a proper layered graph: every segment joins two neighbouring layers. The phases of
 * the layout share it; private to model/layout.
 *
 * A net is a set of edges that are drawn as one tree, a star: all share their upper end, or all
 * share their lower end. They have the same stroke, and are all reversed or none. Where an edge of
 * a net passes a layer there is a dummy, one for each layer and net. Points are the nodes of the
 * picture, with the same numbers, followed by the dummies.
 */
#ifndef STEMMA_LAYERED_H
#define STEMMA_LAYERED_H

#include "model/layout/picture.h"
#include "model/layout/rows.h"
#include <stdint.h>

struct segment {
    uint32_t upper, lower; /* points of layer L and L + 1 */
    uint32_t net, upper_layer;
    /* the edge that ends at this segment, away from the centre; PICTURE_NONE if none */
    uint32_t edge;
};

struct net {
    uint8_t stroke;
    bool reversed;   /* its edges lead to antecedents below */
    uint32_t centre; /* the node that all its edges share */
    bool fans_out;   /* the centre is their upper end */
};

struct layered {
    struct arena arena; /* owns everything, and the data of the phases */
    const struct picture *picture;
    /* [picture's edges] */
    uint32_t *upper, *lower; /* nodes; upper is in an earlier layer */
    uint8_t *reversed;       /* upper is `from`, not `to` */
    uint32_t *edge_net;
    struct net *net; /* [nets] */
    uint32_t nets;

    uint32_t points, layers;
    uint32_t *layer;     /* [points] 0 is at the top, or left */
    uint32_t *point_net; /* [points] the net of a dummy; PICTURE_NONE for a node */

    struct segment *segment; /* [segments] by (layer, upper, lower, net) */
    uint32_t segments;
    struct rows down, up; /* segments by upper point, and by lower point */

    /* The order inside the layers: layer l is order[first[l] .. first[l + 1]]; place[p] is the
     * index of a point in its layer. At first: nodes in the order of the picture, then dummies
     * by net. */
    uint32_t *first, *order, *place;
};

/*
 * Finds cycles and layers (layering.c), then makes nets, dummies and segments. With `bundle`
 * several edges may share a net; otherwise only at a node without room for their ports. Returns -1
 * if there are too many points. Call layered_release in any case. O(size of the result).
 */
int layered_make(struct layered *g, const struct picture *p, bool bundle);
void layered_release(struct layered *g);

/* Sets place[] from order[]. */
void layered_place(struct layered *g);

/* For a node that was not drawn before; see ordering_seeded. */
#define SEED_NONE INT32_MIN

/* The most lines on a side of a node that each get a port of their own. */
#define NETS_PORTS 12

/* The first phases of a layout: reversing edges to remove cycles, and a layer for each node. */
/*
 * Sets layer[node] for `nodes` nodes and `edges` edges upper[e] → lower[e], which must have no
 * cycle. Each edge goes at least one layer down, the sum of their lengths is minimal, and each
 * component begins at layer 0. Network simplex (Gansner, Koutsofios, North, Vo 1993), O(nodes +
 * edges) for each exchange. A bound on the steps, which no graph of a few thousand nodes reaches,
 * may end it with a longer layering.
 */
void layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                   uint32_t *layer);

/*
 * Chooses the edges that are drawn against their direction, so that no cycle remains.
 *
 * Sets reversed[e] [p->edges] to 1 if a depth first search, which starts with the nodes that
 * nothing is based on, finds an edge to a node on its own path. A greedy order of the nodes (Eades,
 * Lin, Smyth 1993) reverses a third fewer edges in random graphs, but needs half as many layers,
 * with a sixth more crossings. Iterative, since paths may be of any length. O(nodes + edges).
 */
void acyclic_find(const struct picture *p, uint8_t *reversed);

/* The order of points inside their layers, with few crossings of segments. */
/*
 * Sets order[] and place[]. Each connected component is contiguous; components are in the order of
 * their first points. In each component the better of two starts, swept by barycentres, is improved
 * by sifting points. Then, repeatedly, a point is put elsewhere, and the result is kept if it has
 * no more crossings (iterated local search). The bound on the work counts steps, not time.
 */
void ordering_find(struct layered *g);

/*
 * The same if some nodes were drawn before. seed[node] of the picture's nodes is its place across
 * its layer in the last drawing, in any unit, or SEED_NONE for a new node. Two seeded nodes of a
 * layer keep their order (with equal seeds, that of the picture). Only new nodes and dummies are
 * moved to better places.
 */
void ordering_seeded(struct layered *g, const int32_t *seed);

/* The number of crossing pairs of segments in the current order. Segments of one net that meet
 * do not count. O(segments · log points). */
uint64_t ordering_crossings(const struct layered *g);

#endif
