/*
 * Graphs for comparing the layout with other programs: families of typical graphs, with 5 to 100
 * nodes each, or as many as requested. The same number gives the same graph in every run.
 */
#ifndef STEMMA_TEST_FAMILIES_H
#define STEMMA_TEST_FAMILIES_H

#include "model/layout/picture.h"

enum family {
    FAMILY_SPARSE = 0, /* acyclic, 1.3 edges a node */
    FAMILY_MIDDLE,     /* 2 edges a node */
    FAMILY_DENSE,      /* 3 */
    FAMILY_NEAR,       /* 1.6, between nodes with close numbers */
    FAMILY_TREE,       /* a tree, and a quarter as many edges more */
    FAMILY_LINEAGE,    /* beliefs, episodes, raws */
    FAMILY_CYCLIC,     /* 1.5, in any direction */
    FAMILY_COUNT
};
extern const char *const family_name[FAMILY_COUNT];

struct family_graph {
    uint32_t nodes, edges;
    uint32_t *from, *to; /* [edges] unique, none to itself */
    char (*id)[8];       /* [nodes] */
};

/* With `nodes` 0 the number decides. Release with family_release. */
void family_make(struct family_graph *f, enum family family, uint32_t number, uint32_t nodes);
void family_release(struct family_graph *f);

/* The number of graphs of each family among the 500, all with `nodes` 0. */
uint32_t family_graphs(enum family family);

/* A finished picture. It shares the ids of the graph. */
void family_picture(const struct family_graph *f, struct picture *p);

#endif
