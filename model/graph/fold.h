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

#endif
