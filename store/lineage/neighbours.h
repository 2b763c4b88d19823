/* What a memory is based on and what is based on it, a few at a time: what a subgraph (model/subgraph/subgraph.h) asks of a
 * store. */
#ifndef STEMMA_NEIGHBOURS_H
#define STEMMA_NEIGHBOURS_H

#include "model/base/map.h"
#include "model/graph/graph.h"
#include "model/subgraph/subgraph.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"

/* Of one side of a memory so many links are counted at most: what is bounded reads "999+". */
#define NEIGHBOURS_COUNTED 999

/*
 * The source of a subgraph, of the moment of the reader, whose transaction must have begun and last as long. A relation
 * `supersedes` is a link as well, STROKE_SUPERSEDES. A memory on which 60,000 rest costs no more than one on which a
 * thousand do.
 */
struct subgraph_source neighbours_of(struct reader *r);

/* How many memories it is based on (ANCESTORS) or carries in all, counted to `most`; *more: there are others. */
int neighbours_total(struct reader *r, int64_t row, enum direction side, size_t most, size_t *total,
                     bool *more, struct error *e);

/* A memory's links of support: what it is based on. */

/* Filled anew by each call of links_of. */
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
/* What a row is. ERROR_NOT_FOUND: there is no such row. */
int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e);

/*
 * What surrounds a few memories, while it is being found: the rows, each with the node that it becomes, and what
 * they are based on. Other rooms call subgraph.h.
 */

struct around {
    struct reader *reader;
    struct row_index rows; /* a row's number is its node */
    struct links links;
    size_t max;    /* of rows; SIZE_MAX: none */
    size_t opened; /* the links of so many are read, the others stand at the edge */
    uint32_t *antecedent;
    size_t antecedent_alloc;
};
#define AROUND_INIT(r)                                                                             \
    {                                                                                              \
        .reader = (r), .rows = ROW_INDEX_INIT, .max = SIZE_MAX, .opened = SIZE_MAX                 \
    }

void around_release(struct around *f);
/* Rows that stand there several times become one node. */
void around_roots(struct around *f, const int64_t *roots, size_t count);
/* The nodes of the graph, and all that they are based on; stops where there are beyond `max`. */
int around_ascend(struct around *f, struct graph *g, struct error *e);
static inline bool around_is_whole(const struct around *f)
{
    return f->rows.count <= f->max;
}

#endif
