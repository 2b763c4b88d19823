/* Graphs to draw, of many shapes; the same one can be made a picture with its nodes and edges added
 * in any order. */
#ifndef STEMMA_TEST_SKETCH_H
#define STEMMA_TEST_SKETCH_H

#include "model/layout/picture.h"
#include "tests/support/random.h"

enum sketch_shape {
    SKETCH_RANDOM = 0, /* twice as many edges as nodes; loops, circles, the same edge again */
    SKETCH_ACYCLIC,
    SKETCH_DENSE,  /* acyclic, seven times as many edges as nodes */
    SKETCH_CYCLIC, /* a ring through all, and as many edges again; every fifth goes back at once */
    SKETCH_STAR,   /* all rest on one, or one on all */
    SKETCH_TWO_SIDES, /* each of one half rests on each of the other */
    SKETCH_CHAIN,
    SKETCH_TREE,    /* its edges up or down */
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

/* sketch_release frees it. */
void sketch_make(struct sketch *s, struct random *r, enum sketch_shape shape, uint32_t nodes);
/* Nodes without edges; then edges one by one. */
void sketch_init(struct sketch *s, struct random *r, uint32_t nodes);
void sketch_edge(struct sketch *s, uint32_t from, uint32_t to, enum stroke stroke);
void sketch_release(struct sketch *s);

/* A finished picture, which refers to the sketch. Its parts are added in any order where `shuffle`
 * is not NULL. */
void sketch_picture(const struct sketch *s, struct picture *p, struct random *shuffle);

#endif
