/*
 * What the sources of a memory warrant, as an interval of probability. Each leaf is right with a
 * probability of its own (confidence × trust), independently; what is inferred is taken as sound.
 *
 *   low    product within a justification; justifications that share a root, directly or through
 *          others, are one group, of which the best counts; noisy-or over the groups: 1 − Π(1 − p).
 *          A member of a circle has the better of what comes from outside and of the best
 *          justification through the circle; all its members have the same roots
 *   exact  all combinations of the roots, if there are at most EXACT_SOURCES (assignment.h)
 *   high   minimum within a justification, noisy-or over all; 1 in a circle
 *
 * low ≤ exact ≤ high, since support never falls when another source is believed (Harris 1960).
 * exact and high never rise when evidence is retracted, and never fall when a memory gets another
 * support. low may rise with a retraction, when two justifications no longer share a root ("bound
 * tightened"), and fall with a new link, when two justifications share a root from then on.
 */
#ifndef STEMMA_INTERVAL_H
#define STEMMA_INTERVAL_H

#include "model/graph/graph.h"

struct strbuf;

struct interval {
    double low, high;
    double
        exact; /* NAN if there are too many roots, or their combinations would take too long (assignment.h) */
    size_t roots; /* the sources of assignment.h */
    bool
        grouped; /* false: finding the groups took too long, so each memory counts its best justification only: low is
                     a lower bound all the same */
};

/*
 * 0, 0, 0 for a memory that does not stand. `p` [g->nodes], from 0 to 1, is read for leaves.
 * O(n log n) for the ancestors and their links, the groups (interval.c) at worst, and the truth table.
 */
void interval_compute(struct interval *out, const struct graph *g, const struct labels *labels,
                      uint32_t node, const double *p);

/*
 * The interval after nodes are retracted, with the groups and circles that the graph has now for
 * `low`, so that it does not rise either. `after` are the labels of the same graph with the
 * retracted nodes ended.
 */
void interval_without(struct interval *out, const struct graph *g, const struct labels *labels,
                      const struct labels *after, uint32_t node, const double *p);

/*
 * Also appends the arithmetic as two expressions that a calculator (bc -l, python) evaluates to the
 * shown digits: "1 - (1 - 0.6) * (1 - 0.9 * 0.8)"; either may be NULL. Of a group and of a minimum only what counts is
 * written. Numbers have as many digits as they need. A memory that is used twice is written twice;
 * when `limit` bytes are written the rest is given as its value, so the expression stays right.
 */
void interval_explain(struct interval *out, struct strbuf *low, struct strbuf *high,
                      const struct graph *g, const struct labels *labels, uint32_t node,
                      const double *p, size_t limit);

#endif
