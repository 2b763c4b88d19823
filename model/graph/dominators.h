/*
 * The dominator tree of what stands: without which single memory would another one have no support,
 * if one antecedent were enough for each valid justification? Where each has one antecedent, this is
 * exact. Shared by keystones.c and its tests.
 */
#ifndef STEMMA_DOMINATORS_H
#define STEMMA_DOMINATORS_H

#include "model/graph/graph.h"

/*
 * The nodes that stand have numbers 1..count, in preorder of a depth-first walk from the leaves along
 * their uses. 0 is a virtual root above all leaves.
 */
struct dominators {
    uint32_t count;
    uint32_t *number; /* [g->nodes] 0 if it does not stand */
    uint32_t *node;   /* [count + 1] by number; node[0] is NODE_NONE */
    uint32_t *above;  /* [count + 1] the immediate dominator, a lower number */
    uint32_t *order;  /* [count] nodes in reverse postorder: each after what it is based on, but for
                         circles */
};

/* Lengauer and Tarjan 1979, the simple version. O(links · log nodes), at worst too. Release `out`. */
void dominators_make(struct dominators *out, const struct graph *g, const struct labels *labels);
void dominators_release(struct dominators *d);

#endif
