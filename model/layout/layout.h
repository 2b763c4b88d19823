/*
 * The drawing of a picture in character cells: where each node is and where each line runs, from
 * left to right or from top to bottom, flat or with boxes.
 *
 * Support flows to the right, or down: a node is based on the nodes to its left, or above. A line in
 * the other direction has an arrow, ◄ or ▲, where it enters the first of its two nodes: in the
 * border, or right after the node if it has none there, or a double port. A flat drawing from top to
 * bottom always has the arrow below the node. A connected component of lines has exactly one node at
 * its beginning or exactly one at its end, so a reader can tell its edges. Two nets share a cell only
 * where they cross.
 *
 * A flat node is its bare label, and lines touch it. From left to right, one of several rows has a
 * border on its left and right, and a free row around one whose label has several lines. A line of
 * STROKE_ALL enters the node that needs all of it at a double port, ╢ or ╧ (╟ or ╤ if the line is
 * reversed). So a flat node of one row with such a port has a border too. From left to right it is
 * on both sides, or only on the side of the port if an arrow follows the node. From top to bottom it
 * is on the side of the port, without corners: ─╧──.
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
    /* draw several edges as one net; otherwise only at a node without room for a port each */
    bool bundle;
    bool ascii;          /* keep the space that ASCII corners need to be unambiguous */
    const int32_t *seed; /* [picture->nodes] see ordering_seeded; NULL for a new drawing */
};

/* The cells of a node, border included. */
struct layout_node {
    int32_t column, row, width, height;
    int32_t label_column, label_row, label_columns,
        label_rows;        /* the cells of its label, in the drawing */
    uint32_t layer, place; /* its layer, and its index there without dummies */
    int32_t seed;          /* for layout_options.seed of the next drawing */
};

struct layout_wire; /* a straight part of a net's line; for raster.c */
struct layout_port;
struct layout_leg;

struct layout {
    struct arena arena;            /* owns everything below */
    const struct picture *picture; /* owned by the caller; must outlive the layout */
    struct layout_options options; /* without `seed` */
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
    struct layout_leg *leg; /* the parts of wires along which a segment runs */
    size_t legs;
    /* [picture->edges] the leg at the edge's outer end, which is not its net's centre */
    uint32_t *edge_leg;
    uint64_t segment_crossings; /* crossings of segments, as dot counts them */
};

/*
 * Makes the layout of a finished picture. `p` must outlive it. Returns -1 if the drawing would be
 * wider or higher than 2^26 cells. Call layout_release in either case. A picture without nodes has
 * no cells. Most of the time is spent in ordering_find; see ordering.c.
 */
int layout_make(struct layout *l, const struct picture *p, const struct layout_options *options);
void layout_release(struct layout *l);

/*
 * Copies a layout for an equal picture (picture_same), which may live longer.
 */
void layout_copy(struct layout *to, const struct layout *from, const struct picture *p);
/* Do both have the same nodes, widths and edges, in any order of adding? */
bool picture_same(const struct picture *a, const struct picture *b);

#endif
