/*
 * The support of one memory as a Boolean function of its leaves ("sources"): evaluated for 64
 * assignments at once, and for all 2^n of them. Base of the exact probability, the Banzhaf index
 * and the tests' brute force.
 */
#ifndef STEMMA_ASSIGNMENT_H
#define STEMMA_ASSIGNMENT_H

#include "model/graph/graph.h"

#define EXACT_SOURCES 20 /* up to this many sources all assignments are computed */

/*
 * What `target` is based on through valid justifications: the leaves among it, and the evaluation
 * in the order of dependence. `source` is ascending. If the target is itself a leaf, it is a source.
 * Release it. O(ancestors and their links).
 */
struct support_function;
struct support_function *support_function_new(const struct graph *g, const struct labels *labels,
                                              uint32_t target);
void support_function_free(struct support_function *f);
size_t support_sources(const struct support_function *f, const uint32_t **source);

/*
 * Bit b of the result: does the target stand when bit b of leaf[i] says for each source i whether
 * it is believed? `leaf` has one word for each source. O(ancestors and their links).
 */
uint64_t support_evaluate(struct support_function *f, const uint64_t *leaf);

/*
 * The whole truth table, as bits: bit (a & 63) of out[a >> 6] is the answer for assignment `a`, in
 * which bit i stands for source i. At most EXACT_SOURCES sources. `out` has max(1, 2^n / 64) words;
 * for n < 6 the unused bits are 0.
 */
void support_truth_table(struct support_function *f, uint64_t *out);

/* The exact probability that the target stands, if source i is right with p[i], independently. */
double support_probability(struct support_function *f, const double *p);

#endif
