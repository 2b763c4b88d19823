/* Counts by place: a Fenwick tree (1994), tree[1 .. width]. Crossings are counted with it (Barth, Jünger, Mutzel 2002). */
#ifndef STEMMA_ORDERING_COUNTER_H
#define STEMMA_ORDERING_COUNTER_H

#include <stdint.h>

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
