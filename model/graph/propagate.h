/*
 * Caps confidence: a memory based on others gets no more confidence than they have.
 *
 * For all descendants of the root: new = min(own, the greatest over the valid justifications of the
 * least new confidence of their antecedents). An empty justification sets no limit. The root
 * and nodes that are not descendants keep their own confidence. So do descendants on a cycle,
 * without a valid justification, or ended; these are listed with the reason. Confidence never
 * rises.
 */
#ifndef STEMMA_PROPAGATE_H
#define STEMMA_PROPAGATE_H

#include "model/graph/graph.h"

enum unchanged {
    UNCHANGED_CYCLE,       /* it is on a cycle of support */
    UNCHANGED_UNSUPPORTED, /* none of its justifications is valid */
    UNCHANGED_ENDED,
};

struct propagated {
    uint32_t node;
    double own, confidence; /* before and after; the latter is less */
    uint32_t limited_by;    /* the antecedent that sets the new confidence */
};

struct unchanged_node {
    uint32_t node;
    enum unchanged why;
};

struct propagation {
    struct propagated *lowered; /* in topological order, antecedents first */
    size_t lowered_count;
    struct unchanged_node *unchanged; /* in topological order too */
    size_t unchanged_count;
    size_t reached; /* the number of descendants */
};

/*
 * `own` [g->nodes] must have the confidence of each descendant of the root and of their
 * antecedents; others are not read. `labels` are those of `g`. Cycles count even if they are not
 * valid, as in a trace (Tarjan 1972, iterative: it completes a component after all components that
 * it is based on, which is the order needed). O(descendants and their links). Release `out`.
 */
void propagate_confidence(struct propagation *out, const struct graph *g,
                          const struct labels *labels, uint32_t root, const double *own);
void propagation_release(struct propagation *p);

#endif
