/*
 * Where a page of a namespace's keys ended: the last key, encrypted under the store's secret and bound to the
 * question (AES-SIV, RFC 5297), always of the same length. So a list goes on behind that key whatever became of
 * its entry, and a cursor says nothing of it. For store/ alone.
 */
#ifndef STEMMA_ENTRY_CURSOR_H
#define STEMMA_ENTRY_CURSOR_H

#include "store/db/db.h"
#include "store/entries/entry.h"

int entry_cursor_write(struct db *db, struct arena *arena, const struct entry_query *query,
                       const char *last, const char **out, struct error *e);
/* ERROR_INVALID: it is none, or of another question. */
int entry_cursor_read(struct db *db, struct arena *arena, const struct entry_query *query,
                      const char **last, struct error *e);

#endif
