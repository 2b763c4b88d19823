/*
 * The drawing of a picture in character cells: where each node stands and where each line runs,
 * from left to right or from top to bottom, flat or in boxes.
 *
 * What is on the left, or on top, rests on what is on the right, or below; a line against that
 * bears ◄ or ▲ where it leaves the node that stands first: in its border, or right after it where
 * it has none there. From top to bottom a flat drawing has the arrow below the node always. A
 * connected component of lines has exactly one node at its beginning or exactly one at its end,
 * so it says which edges it stands for. Two nets never share a cell but where they cross.
 *
 * A flat node is its bare label, and lines touch it. From left to right one of several rows has a
 * border on its left and right. A line of STROKE_ALL leaves the node that needs all of it from a
 * double port, ╟ or ╤ (╢ or ╧ if it is reversed and so arrives there); for that a flat node of
 * one row has a border too: on both sides from left to right (but on the one side only where an
 * arrow stands after it), and from top to bottom on the side where the port is, without corners:
 * ─╤──.
 */
#ifndef STEMMA_LAYOUT_H
#define STEMMA_LAYOUT_H

#include "model/layout/layered.h"

enum flow {
    FLOW_RIGHT = 0,
    FLOW_DOWN
};

struct layout_options {
    enum flow flow;
    bool boxed;
    bool bundle; /* nets of several edges; else only where a node has no room for its ports */
    bool ascii;  /* lines keep what ASCII corners need to be told apart */
    const int32_t *seed; /* [picture->nodes] see ordering_seeded; NULL: a fresh drawing */
};

/* A node's cells, its border among them. */
struct layout_node {
    int32_t column, row, width, height;
    int32_t label_column, label_row, label_columns; /* where its label stands, in the drawing */
    uint32_t layer, place; /* which layer, which node in it (dummies not counted) */
    int32_t seed;          /* for the next drawing's layout_options.seed */
};

struct layout_wire; /* a straight piece of a net's line; for raster.c */
struct layout_port;
struct layout_leg;

struct layout {
    struct arena arena;            /* holds all of it */
    const struct picture *picture; /* the caller's, who keeps it */
    struct layout_options options; /* `seed` is not kept */
    int32_t width, height;         /* of the drawing; its first cell is 0, 0 */
    struct layout_node *node;      /* [picture->nodes] */
    struct net *net;               /* [nets] */
    uint32_t nets;
    uint32_t *edge_net;     /* [picture->edges] */
    uint8_t *edge_reversed; /* [picture->edges] */
    uint32_t layers;
    /* Nodes of layer l, in order: layer_node[layer_first[l] .. layer_first[l + 1]]. */
    uint32_t *layer_first, *layer_node;
    struct layout_wire *wire;
    size_t wires;
    struct layout_port *port;
    size_t ports;
    struct layout_leg *leg; /* what of the wires each segment runs along */
    size_t legs;
    uint32_t
        *edge_leg; /* [picture->edges] the one at the edge's end that is not its net's centre */
    uint64_t segment_crossings; /* of the layering: what dot counts */
};

/*
 * Lays a finished picture out. Returns -1 if the drawing would have more than 2^26 cells one way. Call
 * layout_release in either case. A picture without nodes has no cells. Time: with the order of nodes; see
 * ordering.h.
 */
int layout_make(struct layout *l, const struct picture *p, const struct layout_options *options);
void layout_release(struct layout *l);

/*
 * The same drawing for another picture that is the same (picture_same), which may be kept longer.
 */
void layout_copy(struct layout *to, const struct layout *from, const struct picture *p);
/* Nodes, widths and edges alike, in whatever order they were added. */
bool picture_same(const struct picture *a, const struct picture *b);

#endif
