/*
 * What surrounds a few memories, while it is being found: the rows, each with the node that it becomes, and what they are
 * based on. For store/lineage alone; callers see subgraph.h.
 */
#ifndef STEMMA_AROUND_H
#define STEMMA_AROUND_H

#include "model/base/map.h"
#include "store/lineage/links.h"
#include "store/lineage/subgraph.h"

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
/* The graph takes the rows over. */
void around_give(struct around *f, struct graph *g);
/* Rows that stand there several times become one node. */
void around_roots(struct around *f, const int64_t *roots, size_t count);
/* All that is based on what was found. */
int around_descend(struct around *f, struct error *e);
/* The nodes of the graph, and all that they are based on; stops where there are beyond `max`. */
int around_ascend(struct around *f, struct graph *g, struct error *e);
static inline bool around_is_whole(const struct around *f)
{
    return f->rows.count <= f->max;
}

#endif
