/* A memory's links of support, read from the two indexes of links: what it is based on, and what is based on it. */
#ifndef STEMMA_LINKS_H
#define STEMMA_LINKS_H

#include "model/graph/graph.h"
#include "store/db/store.h"

/* Filled anew by each call of links_of and links_users. */
struct links {
    struct link_group {
        unsigned shape;      /* GRAPH_SHAPE */
        size_t first, count; /* of `row`: the antecedents it names */
    } * group;
    size_t groups, group_alloc;
    int64_t *row;
    size_t rows, row_alloc;
};
void links_release(struct links *l);

/* The groups of support of the memory in that row, in their order. */
int links_of(struct links *l, struct reader *r, int64_t row, struct error *e);
/* The rows that are based on it, ascending, each once, into `row`; stops behind `most` of them. */
int links_users(struct links *l, struct reader *r, int64_t row, size_t most, struct error *e);
/* What a row is. ERROR_NOT_FOUND: there is no such row. */
int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e);

#endif
