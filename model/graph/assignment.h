/*
 * The support of one memory as a Boolean function of its leaves ("sources"): evaluated for 64
 * assignments at once, and for all 2^n of them. Base of the exact probability, the Banzhaf index
 * and the tests' brute force.
 */
#ifndef STEMMA_ASSIGNMENT_H
#define STEMMA_ASSIGNMENT_H

#include "model/graph/ancestry.h"

#define EXACT_SOURCES 20 /* up to this many sources all assignments are computed */

/*
 * What `target` is based on through valid justifications: the leaves that make a difference (`source`, ascending),
 * and the evaluation in the order of dependence. A source that is not believed is taken as ended: it
 * does not stand, even if it has justifications besides the empty one. These are never needed, so
 * nothing is based on what is behind them, and a target that is itself a leaf is its only source. A
 * target that does not stand has no sources. O(ancestors and their links). Free it.
 */
struct support_function;
struct support_function *support_function_new(const struct graph *g, const struct labels *labels,
                                              uint32_t target);
/* The same of a condensed ancestry, which must outlive it. */
struct support_function *support_function_of(const struct ancestry *a);
void support_function_free(struct support_function *f);
size_t support_sources(const struct support_function *f, const uint32_t **source);

/*
 * Bit b of the result: does the target stand when bit b of leaf[i] says for each source i whether
 * it is believed? `leaf` has one word for each source. O(ancestors and their links) without circles, and of the
 * ancestors what ancestry_condense leaves; members of a circle are derived again when what they are based on changes.
 */
uint64_t support_evaluate(struct support_function *f, const uint64_t *leaf);

/* Members and links that were looked at so far, to bound what depends on circles: the same in every run. */
uint64_t support_steps(const struct support_function *f);

/*
 * The whole truth table, as bits: bit (a & 63) of out[a >> 6] is the answer for assignment `a`, in
 * which bit i stands for source i. At most EXACT_SOURCES sources. `out` has max(1, 2^n / 64) words;
 * for n < 6 the unused bits are 0. O(2^n / 512) evaluations. Returns false if these would take more than about 40 ms:
 * then `out` means nothing.
 */
bool support_truth_table(struct support_function *f, uint64_t *out);

/* What the assignments 64 · word … 64 · word + 63 say of source `s`, a bit for each. */
uint64_t support_assigned(size_t s, size_t word);

/* The exact probability that the target stands, if source i is right with p[i], independently. At
 * most EXACT_SOURCES sources; same cost, and NAN if it would take too long. */
double support_probability(struct support_function *f, const double *p);

#endif
