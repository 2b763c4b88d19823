/* Random graphs of many shapes for the layout. A picture of a graph can add nodes and edges in
 * any order. */
#ifndef STEMMA_TEST_SKETCH_H
#define STEMMA_TEST_SKETCH_H

#include "model/layout/picture.h"
#include "tests/support/random.h"

enum sketch_shape {
    SKETCH_RANDOM = 0, /* twice as many edges as nodes; loops, cycles, duplicate edges */
    SKETCH_ACYCLIC,
    SKETCH_DENSE, /* acyclic, seven times as many edges as nodes */
    SKETCH_CYCLIC, /* a ring through all nodes, and as many other edges; every fifth has a reverse edge */
    SKETCH_STAR,      /* all are based on one, or one on all */
    SKETCH_TWO_SIDES, /* each of one half is based on each of the other */
    SKETCH_CHAIN,
    SKETCH_TREE,    /* with edges up or down */
    SKETCH_LINEAGE, /* beliefs, episodes and raws */
    SKETCH_PARTS,   /* several components, and nodes by themselves */
    SKETCH_SHAPES
};

struct sketch_edge {
    uint32_t from, to;
    enum stroke stroke;
};

struct sketch {
    uint32_t nodes;
    struct picture_node *node; /* [nodes] */
    struct sketch_edge *edge;
    size_t edges, alloc;
    char (*id)[16]; /* [nodes] */
};

/* Makes a graph. Release it with sketch_release. */
void sketch_make(struct sketch *s, struct random *r, enum sketch_shape shape, uint32_t nodes);
/* Makes nodes without edges; sketch_edge adds edges. */
void sketch_init(struct sketch *s, struct random *r, uint32_t nodes);
void sketch_edge(struct sketch *s, uint32_t from, uint32_t to, enum stroke stroke);
void sketch_release(struct sketch *s);

/* A finished picture, which shares data of the sketch. With `shuffle` its nodes and edges are
 * added in random order. */
void sketch_picture(const struct sketch *s, struct picture *p, struct random *shuffle);

#endif
