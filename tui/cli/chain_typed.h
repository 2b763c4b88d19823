/* Which chain is meant by what was typed. */
#ifndef STEMMA_CHAIN_TYPED_H
#define STEMMA_CHAIN_TYPED_H

#include "store/db/store.h"

/*
 * The row of a chain, or of a step that is part of one, as its ref was typed. -1: ERROR_NOT_FOUND where there
 * is none, it was never written, or the step is part of no chain; ERROR_USAGE where it is ambiguous, or
 * another kind of memory.
 */
int64_t chain_typed(struct reader *r, const char *word, struct error *e);

/* ERROR_NOT_FOUND for a stub: what was typed is named by others only, or was not there yet. */
int check_written(struct reader *r, const struct memory_row *row, const char *word,
                  struct error *e);

#endif
