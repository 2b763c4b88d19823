/* Items grouped by a number that each has: edges by the node that they leave, segments by their upper points, … */
#ifndef STEMMA_ROWS_H
#define STEMMA_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* The items with key k are item[first[k] .. first[k + 1]], ascending. */
struct rows {
    uint32_t *first, *item;
};

/*
 * `key` points to the key of item 0, less than `keys`; that of the next item stands `stride` bytes further on.
 * rows_release follows. O(keys + items).
 */
void rows_make(struct rows *r, uint32_t keys, uint32_t items, const uint32_t *key, size_t stride);
void rows_release(struct rows *r);

static inline uint32_t rows_count(const struct rows *r, uint32_t key)
{
    return r->first[key + 1] - r->first[key];
}

#endif
