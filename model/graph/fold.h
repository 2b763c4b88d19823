/*
 * One pass over the graph of support that answers many questions: what each memory gets from what it
 * is based on, where alternatives are added and antecedents multiplied (Green, Karvounarakis and
 * Tannen, "Provenance Semirings", 2007). A question is a `struct semiring`; see fold.c for those that exist.
 *
 * A leaf is a memory that stands by itself: it has no justification, or one without antecedents,
 * which is worth `one`.
 */
#ifndef STEMMA_FOLD_H
#define STEMMA_FOLD_H

#include "model/graph/graph.h"
#include <stddef.h>
#include <stdint.h>

/* `plus` and `times` are commutative and associative, `times` distributes over `plus`; `zero` is
 * neutral for plus and `one` for times. */
struct semiring {
    const char *name;
    double zero, one;
    double (*plus)(double a, double b);
    double (*times)(double a, double b);
    bool counts; /* a plus a is more than a; otherwise plus takes the better of two */
};

/* Own values, in this order: a weight; a probability from 0 to 1; a number above 0; a time in ms. */
extern const struct semiring fold_weakest, /* the best derivation by its weakest leaf (max, min) */
    fold_best,                             /* the best by the product of its leaves (max, ×) */
    fold_count,  /* how many derivations (+, ×); INFINITY through a circle */
    fold_oldest; /* the derivation whose youngest leaf is the oldest (min, max) */

/*
 * value[v] for each node: own[v] times what its valid justifications give; own[v] for a node
 * without any; `s->zero` for one that does not stand. If only the leaves count, own[v] is `s->one`
 * for the others. A circle is repeated until nothing changes, at most once for each of its members;
 * with `counts` they get INFINITY. O(nodes + links) without circles.
 */
void fold_compute(double *value, const struct graph *g, const struct labels *labels,
                  const struct semiring *s, const double *own);

/*
 * The same of one node, where only the leaves count: own[v] [g->nodes] is read for them. O(ancestors and their links)
 * without circles.
 */
double fold_one(const struct graph *g, const struct labels *labels, uint32_t node,
                const struct semiring *s, const double *own);

/* Is the node a leaf that stands? */
bool fold_is_leaf(const struct graph *g, const struct labels *labels, uint32_t node);

/*
 * The nodes that stand in an order in which each comes after what it is based on, circles together:
 * components as ranges of `node`. O(nodes + links). Release it.
 */
struct support_order {
    uint32_t *node;  /* [count] */
    uint32_t *first; /* [components + 1] ranges of `node` */
    uint32_t *of;    /* [g->nodes] the component of a node; NODE_NONE if it does not stand */
    size_t count, components;
};
void support_order_make(struct support_order *out, const struct graph *g,
                        const struct labels *labels);
void support_order_release(struct support_order *o);

/* What can be derived next, the best first, for Knuth's generalization of Dijkstra's algorithm (1977). */
struct candidate {
    double strength; /* the greatest first; */
    uint32_t steps;  /* of equal ones that with the fewest steps, then with the lowest number */
    uint32_t number;
    uint32_t just; /* by which it is derived */
};

struct candidates {
    struct candidate *heap;
    size_t count, alloc;
};
#define CANDIDATES_INIT ((struct candidates){.heap = NULL})

void candidates_push(struct candidates *c, struct candidate candidate);
/* There must be one. */
struct candidate candidates_pop(struct candidates *c);
void candidates_release(struct candidates *c);

/* Trust: how far a memory can be believed for where it came from. */
/*
 * The trust of each node is the minimum of the weights along its best support: its own weight, at
 * most the trust of its best justification, which is as good as its worst antecedent. A node that
 * does not stand has 0: a fold by (max, min).
 *
 * `weight` [nodes] is 0 to 1, `trust` [nodes] the result. `weakest` [nodes], or NULL, is the node
 * of that support whose weight is the minimum: the node itself if it has it, otherwise one that is
 * few steps away; NODE_NONE if it does not stand. Costs what the labels and a fold cost.
 */
void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight);

#endif
