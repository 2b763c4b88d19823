/* The order of points inside their layers, with few crossings of segments. */
#ifndef STEMMA_ORDERING_H
#define STEMMA_ORDERING_H

#include <stdint.h>
#include "model/layout/layered.h"

/*
 * Sets order[] and place[]. Each connected component is contiguous; components are in the order of
 * their first points. In each component the better of two starts, swept by barycentres, is improved
 * by sifting points. Then, repeatedly, a point is put elsewhere, and the result is kept if it has
 * no more crossings (iterated local search). The bound on the work counts steps, not time.
 */
void ordering_find(struct layered *g);

/*
 * The same if some nodes were drawn before. seed[node] of the picture's nodes is its place across
 * its layer in the last drawing, in any unit, or SEED_NONE for a new node. Two seeded nodes of a
 * layer keep their order (with equal seeds, that of the picture). Only new nodes and dummies are
 * moved to better places.
 */
void ordering_seeded(struct layered *g, const int32_t *seed);

/* The number of crossing pairs of segments in the current order. Segments of one net that meet
 * do not count. O(segments · log points). */
uint64_t ordering_crossings(const struct layered *g);

#endif
