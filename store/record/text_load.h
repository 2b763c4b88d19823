/*
 * The index of texts of a bulk load (bulk.h), made by a thread of its own in a database in memory while
 * the writer writes the rows, and then taken over into the store as it is. For store/ alone.
 *
 * Measured: it is a sixth of all the work of a load, and what is taken over a tenth of a store.
 */
#ifndef STEMMA_TEXT_LOAD_H
#define STEMMA_TEXT_LOAD_H

#include "store/record/text_index.h"

struct text_load;

/* Begins an index that is empty. The caller closes it. NULL with `e`. */
struct text_load *text_load_open(struct error *e);
/* Takes all changes out of `x`, which is empty then, to be made; waits until those before are. -1 where
 * one of those could not be. */
int text_load_take(struct text_load *l, struct text_index *x, struct error *e);
/* Waits until all is made and puts it in the place of the index in `to`. */
int text_load_finish(struct text_load *l, struct db *to, struct error *e);
/* Ends the thread, whatever it was at. NULL is allowed. */
void text_load_close(struct text_load *l);

#endif
