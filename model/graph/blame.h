/*
 * Whom to blame for a belief: the smallest sets of sources whose retraction takes all its support
 * away, and how much each source has to do with it.
 */
#ifndef STEMMA_BLAME_H
#define STEMMA_BLAME_H

#include "model/graph/graph.h"

struct blame_source {
    uint32_t node;
    /* 1 / size of the smallest set that contains it (Halpern and Pearl's degree of responsibility:
     * 1 / (1 + smallest contingency)); 0 if no set does */
    double responsibility;
    bool
        at_most; /* its smallest set was not found within the budget: the responsibility is this or less */
    /* The Banzhaf index: in what part of all combinations of the other sources it decides */
    double share;
    double error; /* half of the 95 % interval of `share`; 0 if it is exact */
};

struct blame {
    uint32_t *member; /* the sources of all sets, each set ascending … */
    size_t *first;    /* … [set_count + 1] ranges of `member`; smaller sets first, then by node */
    size_t set_count;
    size_t exact_to; /* all minimal sets up to this size are listed; SIZE_MAX: all that exist */
    bool greedy;     /* no set was found within the budget: the one listed is not proven minimal */
    bool sampled;    /* the shares are samples */
    struct blame_source *source; /* [source_count] the greatest responsibility first, then share */
    size_t source_count;
};

/* Steps of search; 0 for the default, which takes at most about 100 ms. What costs more is to copy a
 * lineage of 100,000s of memories. */
#define BLAME_BUDGET 0

/*
 * Every minimal set up to size 3, and larger ones within an eighth of the budget: a hitting-set tree
 * over derivations (Reiter 1987). `exact_to` says if the budget did not suffice. If no set is smaller,
 * larger ones get the whole budget. The set of the target alone is not listed: if it stands by itself,
 * no set takes it away and set_count is 0. The shares are exact up to 20 sources, unless the lineage is
 * so deep that all combinations would take more than about 100 ms. Release `out`.
 */
void blame_compute(struct blame *out, const struct graph *g, const struct labels *labels,
                   uint32_t target, uint64_t budget);
void blame_release(struct blame *b);

#endif
