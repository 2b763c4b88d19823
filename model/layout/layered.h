/*
 * A picture as a proper layered graph: every segment joins two layers that follow each other. What
 * the phases of the layout hand on; for model/layout alone.
 *
 * A net is a set of edges that are drawn as one tree: all have one upper end in common, or all one
 * lower end (a star); they are of one stroke, and all reversed or none. Where an edge of a net
 * passes a layer stands a dummy, one for each layer and net. Points are the picture's nodes, with
 * their numbers there, and after them the dummies.
 */
#ifndef STEMMA_LAYERED_H
#define STEMMA_LAYERED_H

#include "model/layout/picture.h"
#include "model/layout/rows.h"

struct segment {
    uint32_t upper, lower; /* points of layer L and L + 1 */
    uint32_t net, upper_layer;
    uint32_t edge; /* of the picture's, whose outer end it has; PICTURE_NONE */
};

struct net {
    uint8_t stroke;
    bool reversed;   /* its edges rest on what stands above */
    uint32_t centre; /* the node that all its edges share */
    bool fans_out;   /* the centre is their upper end; of a single edge too */
};

struct layered {
    struct arena arena; /* holds all of it, and what the phases need */
    const struct picture *picture;
    /* of the picture's edges */
    uint32_t *upper, *lower; /* nodes; upper stands in an earlier layer */
    uint8_t *reversed;       /* upper is `to`, and not `from` */
    uint32_t *edge_net;
    struct net *net; /* [nets] */
    uint32_t nets;

    uint32_t points, layers;
    uint32_t *layer;     /* [points] 0 is the top, or the left */
    uint32_t *point_net; /* [points] a dummy's; PICTURE_NONE of a node */

    struct segment *segment; /* [segments] by (layer, upper, lower, net) */
    uint32_t segments;
    struct rows down, up; /* segments by their upper points, by their lower ones */

    /* The order inside the layers: layer l is order[first[l] .. first[l + 1]]; place[p] is a
     * point's number within its layer. As it was made: nodes in the picture's order, then dummies
     * by net. */
    uint32_t *first, *order, *place;
};

/*
 * Finds cycles and layers (layering.h), then makes nets, dummies and segments. `bundle`: several edges may share a
 * net, else only at a node that has no room for their ports. The caller calls layered_release in any case. O(a few
 * times what it makes).
 */
int layered_make(struct layered *g, const struct picture *p, bool bundle);
void layered_release(struct layered *g);

/* Sets place[] by order[]. */
void layered_place(struct layered *g);

/* Of a node that was not drawn before; see ordering_seeded. */
#define SEED_NONE INT32_MIN

/* A side of a node has room for as many lines that each have a port of their own. */
#define NETS_PORTS 12

#endif
