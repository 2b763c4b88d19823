/*
 * From how many independent origins a memory has its support. Ten notes that come from one web page
 * are one derivation, not ten.
 *
 * Only valid justifications count. A leaf stands by itself (fold_is_leaf). A root of a memory is a
 * leaf among what it is based on. A derivation is what is enough for it to stand, down to leaves;
 * derivations are independent if they share no memory but the one that they support. A leaf needs
 * none, so it has 0.
 */
#ifndef STEMMA_ROOTS_H
#define STEMMA_ROOTS_H

#include "model/graph/graph.h"

struct independence {
    uint32_t *root; /* [root_count] ascending; none for a leaf */
    size_t root_count;
    uint32_t supports;    /* valid justifications */
    uint32_t independent; /* derivations found that share no memory; 0 if it does not stand */
    bool proven;          /* there are no more; else show "≥ n" */
    /* The memories of these derivations, each after what it is based on, the last an antecedent of
     * the memory … */
    uint32_t *member;
    size_t *first; /* … [independent + 1] ranges of `member`, the shortest first; NULL for a leaf */
};

/*
 * Of one memory: its roots, and independent derivations. Where one antecedent is enough these are
 * disjoint paths (Menger 1927), found by maximum flow over split vertices. If `all` groups could
 * give more, a greedy packing of derivations is tried. It is proven to be the best if it reaches the
 * flow of the relaxed graph, in which one antecedent is enough everywhere, or if a single memory
 * takes all support away; of 1,000 memories of the bench 998 are. O(√ancestors · (ancestors and
 * their links)) without `all` groups, mostly a few times the links; with them some 20 times that. `out`
 * is released with independence_release.
 */
void independence_compute(struct independence *out, const struct graph *g,
                          const struct labels *labels, uint32_t node);
void independence_release(struct independence *i);

/* How far a memory depends on single others. */
enum reliance {
    RELIES_ON_NONE, /* it does not stand, or is a leaf */
    RELIES_ON_ONE,  /* it has a keystone, so one independent derivation */
    RELIES_ON_MORE, /* it has none, so no single mistake takes it away: 2 or more derivations */
    /* as RELIES_ON_MORE, as far as the budget of work has shown */
    RELIES_ON_MORE_UNPROVEN,
};

/* As a number: 0, 1, or 2 for more. */
static inline int reliance_roots(enum reliance reliance)
{
    return reliance < RELIES_ON_MORE ? (int)reliance : 2;
}

/*
 * Of all memories, in one computation. A keystone of a memory is another one without which it would
 * lose all support.
 *
 * RELIES_ON_MORE means that two independent derivations exist where each justification has one
 * antecedent. With `all` groups there may be one and still no keystone: of three memories any two
 * together.
 */
struct keystones {
    uint32_t *loses;      /* [nodes] how many others would lose all support without it */
    uint8_t *at_least;    /* [nodes] `loses` is a lower bound, since the budget of work was spent */
    uint8_t *independent; /* [nodes] enum reliance */
};
/* Links to follow; 0 for the default: the links of the graph and a million. */
#define KEYSTONES_BUDGET 0

/*
 * O(links · log nodes) without `all` groups. With them also what would lose support, for each memory
 * that such a group is based on, within the budget. Release `out`.
 */
void keystones_compute(struct keystones *out, const struct graph *g, const struct labels *labels,
                       uint64_t budget);
void keystones_release(struct keystones *k);

/*
 * The dominator tree of what stands: without which single memory would another one have no support,
 * if one antecedent were enough for each valid justification? Where each has one antecedent, this is
 * exact. Shared by keystones.c and its tests.
 */
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
