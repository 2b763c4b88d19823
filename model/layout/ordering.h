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
int ordering_find(struct layered *g);

#define SEED_NONE INT32_MIN
/*
 * The same where some nodes were drawn before: seed[node] (of the picture's) is where one stood across its layer, in
 * any unit, SEED_NONE where it is new. Two seeded nodes of a layer keep their order (of equal seeds: the
 * picture's); only new nodes and dummies look for the best place.
 */
void ordering_seeded(struct layered *g, const int32_t *seed);

/* How many pairs of segments cross, by the order as it stands; those of one net that meet are none. O(segments ·
 * log points). */
uint64_t ordering_crossings(const struct layered *g);

/* Counts by place: a Fenwick tree (1994), tree[1 .. width]. Crossings are counted with it (Barth, Jünger, Mutzel 2002). */

/* How many were added at `place`, from 0, or before it. */
static inline uint64_t counter_until(const uint32_t *tree, uint32_t place)
{
    uint64_t sum = 0;
    for (uint32_t i = place + 1; i > 0; i &= i - 1)
        sum += tree[i];
    return sum;
}

static inline void counter_add(uint32_t *tree, uint32_t width, uint32_t place)
{
    for (uint32_t i = place + 1; i <= width; i += i & (0 - i))
        tree[i]++;
}

#endif
