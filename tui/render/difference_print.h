/* What differs between two states of a memory, as lines for people. */
#ifndef STEMMA_DIFFERENCE_PRINT_H
#define STEMMA_DIFFERENCE_PRINT_H

#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "tui/text/output.h"

/*
 * "confidence  0.7 → 0.713" for each field that differs; of a list "+ tags  …" for what came and "- tags  …"
 * for what went; a long text stands on lines of its own. After `indent` spaces. Either memory may be
 * NULL. *count (may be NULL) of the lines' fields. -1: ERROR_MEMORY.
 */
int difference_print(struct output *out, const struct memory *before, const struct memory *after,
                     size_t indent, size_t *count, struct error *e);

#endif
