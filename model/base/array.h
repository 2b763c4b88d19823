/*
 * A growing array is three members of a struct: `T *item; size_t count, alloc;`, all zero at first.
 * It doubles, never fails (see alloc.h) and is freed with free(item).
 *
 *     *ARRAY_ADD(v->item, v->count, v->alloc) = value;
 *
 * The arguments are evaluated more than once.
 */
#ifndef STEMMA_ARRAY_H
#define STEMMA_ARRAY_H

#include "model/base/alloc.h"

/* -1, 0 or 1, for qsort. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Sorts `count` elements, which may be none. */
#define SORT(item, count, compare) array_sort(item, count, sizeof(*(item)), compare)
void array_sort(void *item, size_t count, size_t size, int (*compare)(const void *, const void *));

/* Returns `item`, reallocated if needed, with room for `count` elements of `size` bytes. Updates
 * *alloc. */
void *array_room(void *item, size_t *alloc, size_t count, size_t size);

/* Makes room for `more` elements beyond `count`. */
#define ARRAY_ROOM(item, count, alloc, more)                                                       \
    ((item) = array_room((item), &(alloc), (count) + (more), sizeof(*(item))))

/* Adds an element and points to it. Its bytes are not initialized. */
#define ARRAY_ADD(item, count, alloc)                                                              \
    ((void)((count) < (alloc) || ARRAY_ROOM(item, count, alloc, 1)), &(item)[(count)++])

#endif
