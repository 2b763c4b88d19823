/* Trust: how far a memory can be believed for where it came from. */
#ifndef STEMMA_TRUST_H
#define STEMMA_TRUST_H

#include "model/graph/graph.h"

/*
 * The trust of each node is the minimum of the weights along its best support: its own weight, at
 * most the trust of its best justification, which is as good as its worst antecedent. A node that
 * does not stand has 0. Where every justification has one antecedent this is the widest path
 * (maximin, Pollack 1960); with several it is a shortest hyperpath in the order of max and min
 * (Knuth 1977).
 *
 * `weight` [nodes] is 0 to 1, `trust` [nodes] the result. `weakest` [nodes], or NULL, is the node
 * of that support whose weight is the minimum: the node itself if it has it, NODE_NONE if it does
 * not stand. O(nodes log nodes + links).
 */
void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight);

#endif
