/* The order of points inside their layers, so that few segments cross. */
#ifndef STEMMA_ORDERING_H
#define STEMMA_ORDERING_H

#include <stdint.h>
#include "model/layout/layered.h"

/*
 * Sets order[] and place[]. What is connected stands together, in the order of its first points. In each such piece the
 * better of two starts, swept by barycentres, is improved by sifting points and by routing whole rows of dummies; then
 * again and again something is put elsewhere, and what that leads to is kept where it crosses no more (iterated local
 * search). A bound on the work counts steps and no time.
 */
void ordering_find(struct layered *g);

/*
 * The same where some nodes were drawn before: seed[node] (of the picture's) is where one stood across its layer, in
 * any unit, SEED_NONE where it is new. Two seeded nodes of a layer keep their order (of equal seeds: the
 * picture's); only new nodes and dummies look for the best place.
 */
void ordering_seeded(struct layered *g, const int32_t *seed);

/* How many pairs of segments cross, by the order as it stands; those of one net that meet are none. O(segments ·
 * log points). */
uint64_t ordering_crossings(const struct layered *g);

#endif
