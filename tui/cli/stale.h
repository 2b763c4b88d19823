/* What a refused change did not know: the version it expected beside the one that is stored. */
#ifndef STEMMA_STALE_H
#define STEMMA_STALE_H

#include "tui/cli/command.h"

/* Writes what differs between the version that was expected and the present one, as far as that is known. `e`
 * is the refusal, and stays. */
void stale_print(struct invocation *i, const char *ref, int64_t expected, const struct error *e);

/* The same of an undo that was refused: what changed since those events (`count` 0: those that undo, or redo, would
 * take back) on the memories that they changed. */
void stale_undo_print(struct invocation *i, const int64_t *seqs, size_t count, bool redo);

#endif
