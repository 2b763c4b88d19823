/* Shared by the files of blame. */
#ifndef STEMMA_BLAME_INTERNAL_H
#define STEMMA_BLAME_INTERNAL_H

#include "model/graph/ancestry.h"
#include "model/graph/blame.h"

/* What a target is based on, condensed, also as a graph: its node 0 is the target. Sources have no justification, and
 * all justifications are valid. */
struct part {
    struct ancestry a;
    struct graph g; /* node v is member a.count - 1 - v */
};

/* The node of the graph from which that of the part was copied; of several that are one, any. */
static inline uint32_t part_origin(const struct part *p, uint32_t node)
{
    return p->a.node[p->a.count - 1 - node];
}

/* Sets of nodes of a part. */
struct blame_sets {
    uint32_t *member;
    size_t members, member_alloc;
    size_t *end; /* [ends] where each set ends in `member` */
    size_t ends, end_alloc;
};

/*
 * Finds minimal sets in any order. Returns up to which size all are found; SIZE_MAX for all sizes. Sets
 * of more than `enough` sources are looked for with an eighth of the budget, unless there are none. If
 * the budget of steps is spent before any is found, one set is added that takes the support away, and
 * *greedy says whether it may be larger than needed. The target has no justification without
 * antecedents.
 */
size_t blame_search(struct blame_sets *out, const struct part *p, size_t enough, uint64_t budget,
                    bool *greedy);

/*
 * Every source that supports the target without any other, which is thus in every set, in
 * *forced [return value]. Free it.
 */
size_t blame_forced(uint32_t **forced, const struct part *p);

#endif
