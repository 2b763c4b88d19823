/* Trust: how far a memory can be believed for where it came from. */
#ifndef STEMMA_TRUST_H
#define STEMMA_TRUST_H

#include "model/graph/graph.h"

/*
 * The trust of each node is the minimum of the weights along its best support: its own weight, at
 * most the trust of its best justification, which is as good as its worst antecedent. A node that
 * does not stand has 0: a fold by (max, min), see fold.h.
 *
 * `weight` [nodes] is 0 to 1, `trust` [nodes] the result. `weakest` [nodes], or NULL, is the node
 * of that support whose weight is the minimum: the node itself if it has it, otherwise one that is
 * few steps away; NODE_NONE if it does not stand. Costs what the labels and a fold cost.
 */
void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight);

#endif
