/* Rows of a store, each once, numbered in the order in which they were added. */
#ifndef STEMMA_ROW_INDEX_H
#define STEMMA_ROW_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define ROW_NONE SIZE_MAX

/* Found by open addressing in `slot` (number + 1; 0: free), which is at most half full. */
struct row_index {
    int64_t *row; /* [count] */
    size_t count, alloc;
    uint32_t *slot;
    size_t slots; /* a power of two */
    unsigned shift;
};
#define ROW_INDEX_INIT                                                                             \
    {                                                                                              \
        .row = NULL                                                                                \
    }

/* The row's number; it is new where that is what `count` was before. ROW_NONE where memory ran out. */
size_t row_index_add(struct row_index *x, int64_t row);
/* ROW_NONE where it is not there. */
size_t row_index_find(const struct row_index *x, int64_t row);
/* Empty again, with its memory. */
void row_index_clear(struct row_index *x);
void row_index_release(struct row_index *x);

#endif
