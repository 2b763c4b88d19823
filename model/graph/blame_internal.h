/* Shared by the files of blame. */
#ifndef STEMMA_BLAME_INTERNAL_H
#define STEMMA_BLAME_INTERNAL_H

#include "model/graph/blame.h"
#include "model/graph/walk.h"

/* What a target is based on: it is node 0. Sources have no justification, and all justifications are
 * valid. */
struct part {
    struct graph g;
    struct labels labels;
    struct row_index reached; /* the node that each was copied from */
};

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

/* Sets `share` and `error` of all sources of the part, [support_sources] rows in its order. Returns
 * whether they are samples. */
bool blame_shares(struct blame_source *source, const struct part *p);

#endif
