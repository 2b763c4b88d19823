/*
 * What the sources of a memory warrant, as an interval of probability. Each leaf is right with a
 * probability of its own (confidence × trust), independently; what is inferred is taken as sound.
 *
 *   low    product within a justification; justifications that share a root are one group, of which
 *          the best counts; noisy-or over the groups: 1 − Π(1 − p)
 *   exact  all combinations of the roots, if there are at most EXACT_SOURCES (assignment.h)
 *   high   minimum within a justification, noisy-or over all; 1 in a circle
 *
 * low ≤ exact ≤ high, since support never falls when another source is believed (Harris 1960).
 * exact and high never rise when evidence is retracted; low may, when two justifications no longer
 * share a root ("bound tightened").
 */
#ifndef STEMMA_INTERVAL_H
#define STEMMA_INTERVAL_H

#include "model/graph/graph.h"

struct strbuf;

struct interval {
    double low, high;
    double exact; /* NAN if there are too many roots */
    size_t roots;
};

/* 0, 0, 0 for a memory that does not stand. `p` [g->nodes] is read for leaves. */
void interval_compute(struct interval *out, const struct graph *g, const struct labels *labels,
                      uint32_t node, const double *p);

/*
 * The interval after the `retracted` nodes are ended, with the groups of justifications that the graph
 * has now, so that `low` does not rise either. `after` are the labels without the retracted ones.
 */
void interval_without(struct interval *out, const struct graph *g, const struct labels *labels,
                      const struct labels *after, uint32_t node, const double *p);

/*
 * The arithmetic as two expressions that a calculator (bc, python) evaluates to the shown digits:
 * "1 - (1 - 0.6) * (1 - 0.9 * 0.8)". Numbers are written with as many digits as they need. A memory
 * that is used twice is written twice; above `limit` bytes the rest is given as its value, so the
 * expression stays right.
 */
void interval_write(struct strbuf *low, struct strbuf *high, const struct graph *g,
                    const struct labels *labels, uint32_t node, const double *p, size_t limit);

#endif
