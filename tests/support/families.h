/*
 * Graphs by which the layout is compared with others': families of the kinds that are drawn, 5 to 100 nodes each, or as
 * many as wanted. The same number makes the same graph in every run.
 */
#ifndef STEMMA_TEST_FAMILIES_H
#define STEMMA_TEST_FAMILIES_H

#include "model/layout/picture.h"

enum family {
    FAMILY_SPARSE = 0, /* acyclic, 1.3 edges a node */
    FAMILY_MIDDLE,     /* 2 edges a node */
    FAMILY_DENSE,      /* 3 */
    FAMILY_NEAR,       /* 1.6, between nodes that are numbered close to each other */
    FAMILY_TREE,       /* and a quarter as many more */
    FAMILY_LINEAGE,    /* beliefs, episodes, raws */
    FAMILY_CYCLIC,     /* 1.5, in any direction */
    FAMILY_COUNT
};
extern const char *const family_name[FAMILY_COUNT];

struct family_graph {
    uint32_t nodes, edges;
    uint32_t *from, *to; /* [edges] each once, none to itself */
    char (*id)[8];       /* [nodes] */
};

/* `nodes` 0: as the number decides. Ends the program where memory runs out; family_release follows. */
void family_make(struct family_graph *f, enum family family, uint32_t number, uint32_t nodes);
void family_release(struct family_graph *f);

/* How many graphs of each family make up the 500, all with nodes as their numbers decide. */
uint32_t family_graphs(enum family family);

/* A finished picture, which refers to the graph's ids. */
void family_picture(const struct family_graph *f, struct picture *p);

#endif
