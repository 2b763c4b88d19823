/*
 * The sets of sources that cannot all be right, since together they support two memories that contradict each other:
 * the
 * nogoods of an assumption-based truth maintenance system (de Kleer 1986).
 *
 * They follow from the contradiction and the graph, and are computed when somebody asks: a store has few recorded
 * contradictions, and what is written or disbelieved would change what is kept.
 */
#ifndef STEMMA_NOGOOD_H
#define STEMMA_NOGOOD_H

#include "model/graph/graph.h"

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
