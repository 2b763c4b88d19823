/*
 * What differs between two states of a memory, as a person reads it: a line for each field or element of a
 * list that changed.
 */
#ifndef STEMMA_DIFFERENCE_H
#define STEMMA_DIFFERENCE_H

#include "arena.h"
#include "memory.h"

struct difference {
    const char *field; /* "text", "confidence", "tags", "justifications", "detail.outcome" */
    const char *before, *after; /* NULL: absent. Of a list one element: one of them is NULL */
};
/*
 * In the order of the exchange form, in the arena; either memory may be NULL (then all fields of the
 * other). Numbers as the exchange form writes them; version and updated_at are left out. -1 where
 * memory ran out.
 */
int memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                      struct difference **out, size_t *count);

#endif
