#include "model/base/row_index.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

/* Fibonacci hashing (Knuth 1973): the high bits of the product depend on all of the row's. */
static size_t find_slot(const struct row_index *x, int64_t row)
{
    size_t at = (size_t)((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> x->shift);
    while (x->slot[at] && x->row[x->slot[at] - 1] != row)
        at = (at + 1) & (x->slots - 1);
    return at;
}

static bool grow_slots(struct row_index *x)
{
    size_t slots = x->slots ? x->slots * 2 : 64;
    uint32_t *slot = slots / 2 < UINT32_MAX ? calloc(slots, sizeof(*slot)) : NULL;
    if (!slot)
        return false;
    free(x->slot);
    x->slot = slot;
    x->slots = slots;
    x->shift = 64 - (unsigned)__builtin_ctzll(slots);
    for (size_t i = 0; i < x->count; i++)
        x->slot[find_slot(x, x->row[i])] = (uint32_t)i + 1;
    return true;
}

size_t row_index_add(struct row_index *x, int64_t row)
{
    void *rows = x->row;
    if (2 * x->count >= x->slots && !grow_slots(x))
        return ROW_NONE;
    size_t at = find_slot(x, row);
    if (x->slot[at])
        return x->slot[at] - 1;
    if (!array_grow(&rows, &x->alloc, x->count, sizeof(*x->row)))
        return ROW_NONE;
    x->row = rows;
    x->row[x->count] = row;
    x->slot[at] = (uint32_t)++x->count;
    return x->count - 1;
}

size_t row_index_find(const struct row_index *x, int64_t row)
{
    uint32_t number = x->count ? x->slot[find_slot(x, row)] : 0;
    return number ? number - 1 : ROW_NONE;
}

void row_index_clear(struct row_index *x)
{
    x->count = 0;
    if (x->slots)
        memset(x->slot, 0, x->slots * sizeof(*x->slot));
}

void row_index_release(struct row_index *x)
{
    free(x->row);
    free(x->slot);
    *x = (struct row_index)ROW_INDEX_INIT;
}
