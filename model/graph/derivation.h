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

#endif
