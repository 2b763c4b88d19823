/*
 * From how many independent origins a memory has its support. Ten notes that come from one web page
 * are one derivation, not ten.
 *
 * Only valid justifications count. A root of a memory is a leaf among what it is based on: it stands
 * by itself. Derivations are independent if they share no memory but the one that they support.
 */
#ifndef STEMMA_ROOTS_H
#define STEMMA_ROOTS_H

#include "model/graph/graph.h"

struct independence {
    uint32_t *root; /* [root_count] ascending; empty for a leaf */
    size_t root_count;
    uint32_t supports;    /* valid justifications */
    uint32_t independent; /* derivations found that share no memory */
    bool proven;          /* there are no more; else show "≥ n" */
    uint32_t
        *member;   /* the memories of these derivations, from root to the memory's antecedent … */
    size_t *first; /* … [independent + 1] ranges of `member`, shortest derivation first */
};

/*
 * Of one memory: its roots, and independent derivations. Where every valid justification has one
 * antecedent these are vertex-disjoint paths (Menger 1927), found by maximum flow over split
 * vertices; with `all` groups a greedy packing, proven if it reaches the flow of the relaxed graph,
 * in which one antecedent is enough. O((independent + 1) · (ancestors and their links)). `out` is
 * released with independence_release.
 */
void independence_compute(struct independence *out, const struct graph *g,
                          const struct labels *labels, uint32_t node);
void independence_release(struct independence *i);

/*
 * Of all memories, in one computation. A keystone of a memory is another one without which it would
 * lose all support.
 *
 * Where justifications have one antecedent, the keystones of a memory are its dominators (Lengauer
 * and Tarjan 1979); a memory from which an `all` group can be reached is taken away by counting,
 * and by whatif_retract where that meets a circle.
 */
struct keystones {
    uint32_t *loses;   /* [nodes] how many others would lose all support without it */
    uint8_t *at_least; /* [nodes] `loses` is a lower bound, since the budget of work was spent */
    uint8_t
        *independent; /* [nodes] 0: does not stand, or has no justification; 1: has a keystone; 2:
                             has none, so no single mistake takes it away */
};
/* O(nodes + links) without `all` groups. Release `out`. */
void keystones_compute(struct keystones *out, const struct graph *g, const struct labels *labels);
void keystones_release(struct keystones *k);

#endif
