/*
 * Items grouped by a number: edges by the node that they leave, segments by their upper point, and
 * so on. Also strongly connected components.
 */
#ifndef STEMMA_ROWS_H
#define STEMMA_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

/* The items with key k are item[first[k] .. first[k + 1]], ascending. */
struct rows {
    uint32_t *first, *item;
};

/*
 * Groups the items, in the arena. `key` points to the key of item 0; the key of the next item is
 * `stride` bytes further on. Keys are less than `keys`. O(keys + items).
 */
void rows_make(struct rows *r, struct arena *a, uint32_t keys, uint32_t items, const uint32_t *key,
               size_t stride);

static inline uint32_t rows_count(const struct rows *r, uint32_t key)
{
    return r->first[key + 1] - r->first[key];
}

/*
 * Sets component[node] to a number less than `nodes`, the same for nodes that reach each other.
 * `out` has the edges by the node that they leave. `to` points to the target of edge 0; that of the
 * next edge is `stride` bytes further on. Tarjan 1972, iterative. O(nodes + edges).
 */
void components_find(uint32_t nodes, const struct rows *out, const uint32_t *to, size_t stride,
                     uint32_t *component);

#endif
