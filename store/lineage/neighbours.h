/*
 * The neighbours of a memory in the lineage, a few at a time: the source of a subgraph
 * (model/subgraph/subgraph.h). And the links and surroundings of memories for the rest of the room.
 */
#ifndef STEMMA_NEIGHBOURS_H
#define STEMMA_NEIGHBOURS_H

#include "model/base/map.h"
#include "model/graph/graph.h"
#include "model/subgraph/subgraph.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"

/* At most so many links on one side of a memory are counted; more reads "999+". */
#define NEIGHBOURS_COUNTED 999

/*
 * The source of a subgraph. The reader's transaction must have begun and last as long as it is
 * used. A relation `supersedes` counts as a link (STROKE_SUPERSEDES). Cost is bounded: a memory
 * with 60,000 dependants costs no more than one with a thousand.
 */
struct subgraph_source neighbours_of(struct reader *r);

/*
 * The number of memories that a drawing reaches from it towards `side` (model/graph/lineage.h),
 * directly and indirectly, `supersedes` included, counted up to `most`; *more tells whether there
 * are others. For support alone see dependants_find (subgraph.h).
 */
int neighbours_total(struct reader *r, int64_t row, enum direction side, size_t most, size_t *total,
                     bool *more, struct error *e);

struct link_group {
    unsigned shape;      /* GRAPH_SHAPE */
    size_t first, count; /* range of `row`: its antecedents */
};

/* The links of support of a memory: what it is based on. Overwritten by each call of links_of. */
struct links {
    struct link_group *group;
    size_t groups, group_alloc;
    int64_t *row;
    size_t rows, row_alloc;
};
void links_release(struct links *l);

/* Reads the groups of support of a memory, in order. */
int links_of(struct links *l, struct reader *r, int64_t row, struct error *e);
/* Reads kind and status of a row. ERROR_NOT_FOUND if there is no such row. */
int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e);
struct query;
/* The same of a statement that selects them first. Returns false on error, and then has ended it. */
bool links_read_nature(struct reader *r, struct query *q, int64_t row, enum kind *kind,
                       enum status *status);

/*
 * The surroundings of a few memories while they are being read: the rows, each with its future
 * node, and their antecedents. Other rooms use subgraph.h.
 */
struct surroundings {
    struct reader *reader;
    struct row_index rows; /* the index of a row is its node */
    struct links links;
    size_t max;    /* limit of rows; SIZE_MAX if none */
    size_t opened; /* the links of so many rows are read; the others are the edge */
    uint32_t *antecedent;
    size_t antecedent_alloc;
};
#define SURROUNDINGS_INIT(r)                                                                       \
    {                                                                                              \
        .reader = (r), .rows = ROW_INDEX_INIT, .max = SIZE_MAX, .opened = SIZE_MAX                 \
    }

void surroundings_release(struct surroundings *f);
/* Adds the roots. Duplicate rows become one node. */
void surroundings_add_roots(struct surroundings *f, const int64_t *roots, size_t count);
/* Adds the nodes and everything that they are based on to the graph; stops beyond `max` rows. */
int surroundings_build(struct surroundings *f, struct graph *g, struct error *e);
static inline bool surroundings_in_limit(const struct surroundings *f)
{
    return f->rows.count <= f->max;
}

#endif
