/*
 * Propagating a confidence: what rests on a memory is believed no more than what it rests on bears.
 *
 * Over all that the root carries: new = min(own, the greatest over the justifications that hold of the least
 * of their antecedents' new). An empty justification bears anything. The root and what lies outside keep
 * their own; so do those on a circle, those without a justification that holds, and the dead, which are named.
 * Nothing rises.
 */
#ifndef STEMMA_PROPAGATE_H
#define STEMMA_PROPAGATE_H

#include "model/graph/graph.h"

enum unmoved {
    UNMOVED_CIRCLE, /* it is on a circle: on a chain of support that comes back to it */
    UNMOVED_UNHELD, /* none of its justifications holds */
    UNMOVED_DEAD,
};

struct propagation {
    struct propagated {
        uint32_t node;
        double own, confidence; /* as it was; as it is to be, which is less */
        uint32_t bearer;        /* the antecedent whose confidence it gets */
    } * lowered;                /* each after all of these that it rests on */
    size_t lowered_count;
    struct unmoved_node {
        uint32_t node;
        enum unmoved why;
    } * left; /* in the same order */
    size_t left_count;
    size_t reached; /* how many the root carries */
};

/*
 * `own` [g->nodes]: the confidence of each node that the root carries and of what these rest on; others are not
 * looked at. `labels` are those of `g`. Circles are all chains of support, held or not, as a trace shows
 * them (Tarjan 1972, iterative: it completes a component after all that it rests on, which is the order
 * needed). O(what is reached and its links). Release `out`.
 */
void propagate_confidence(struct propagation *out, const struct graph *g,
                          const struct labels *labels, uint32_t root, const double *own);
void propagation_release(struct propagation *p);

#endif
