/* The order of points inside their layers, so that few segments cross. */
#ifndef STEMMA_ORDERING_H
#define STEMMA_ORDERING_H

#include "layered.h"

/*
 * Sets order[] and place[]: from several starts weighted medians, transposing and sifting, and the best is kept. A
 * bound on the work counts steps and no time. -1 where memory ran out.
 */
int ordering_find(struct layered *g);

#define SEED_NONE INT32_MIN
/*
 * The same where some nodes were drawn before: seed[node] (of the picture's) is where one stood across its layer, in
 * any unit, SEED_NONE where it is new. Two seeded nodes of a layer keep their order (of equal seeds: the
 * picture's); only new nodes and dummies look for the best place.
 */
int ordering_seeded(struct layered *g, const int32_t *seed);

/* How many pairs of segments cross, by the order as it stands; those of one net that meet are none. O(segments ·
 * log points). */
uint64_t ordering_crossings(const struct layered *g);

#endif
