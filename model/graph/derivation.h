/* The strongest ways in which a memory is derived from its roots. */
#ifndef STEMMA_DERIVATION_H
#define STEMMA_DERIVATION_H

#include "model/graph/graph.h"

struct derivation_step {
    uint32_t node;
    uint32_t
        used; /* the justification, of a later step, of which it is an antecedent; NODE_NONE for the target */
};

struct derivation {
    double strength; /* the product of the weights of its roots, each counted where it is used */
    uint32_t just;   /* the target's justification; NODE_NONE: it stands by itself */
    struct derivation_step
        *step; /* [count] what a step is based on comes before it; the target is last */
    size_t count;
};

struct derivations {
    struct derivation *
        item; /* the strongest first; of equal ones the one with fewer steps, then by justification. A step that is used
                 twice counts twice for this */
    size_t count, total; /* those here; those that there are */
};

/*
 * For valid justifications of `target`, at most `most`, the strongest derivation of each, found as shortest hyperpaths
 * (Knuth 1977) in which each memory is used once it is known; so none goes round in a circle. `weight` [g->nodes], 0 to
 * 1, is read for leaves (fold.h). O(n log n + links) for n ancestors, and the steps. Release `out`.
 */
void derivations_best(struct derivations *out, const struct graph *g, const struct labels *labels,
                      uint32_t target, const double *weight, size_t most);
void derivations_release(struct derivations *d);

/*
 * The sets of sources that cannot all be right, since together they support two memories that contradict each other:
 * the
 * nogoods of an assumption-based truth maintenance system (de Kleer 1986).
 *
 * They follow from the contradiction and the graph, and are computed when somebody asks: a store has few recorded
 * contradictions, and what is written or disbelieved would change what is kept.
 */
#define NOGOODS_MOST 64 /* sets that are listed */

/* One of the two memories. Their graphs may be two, each of what one of them is based on: sources are told by row. */
struct nogood_of {
    const struct graph *g;
    const struct labels *labels;
    uint32_t node;
};

struct nogoods {
    int64_t *member; /* the rows of the sources of all sets, each set ascending … */
    size_t *first;   /* … [count + 1] ranges of `member`; smaller sets first */
    size_t count;    /* 0: the two do not both stand */
    bool all;        /* there are no other minimal sets */
};

/*
 * The minimal sets of leaves (fold.h) with which both stand if no other leaf is believed. With at most EXACT_SOURCES
 * sources (assignment.h) from all assignments of them: 2^sources / 64 · (ancestors and their links). With more it is
 * one set, from the shortest derivations: an evaluation for each of its sources. Release `out`.
 */
void nogoods_compute(struct nogoods *out, const struct nogood_of of[2]);
void nogoods_release(struct nogoods *n);

#endif
