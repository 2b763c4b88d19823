/* The tables that FTS5 keeps the search index in. For store/ alone. */
#ifndef STEMMA_FTS_TABLES_H
#define STEMMA_FTS_TABLES_H

#include "store/db/db.h"

/*
 * Makes those of `to` the same as those of `from`, in the transaction that is open there. FTS5 keeps in
 * mind what it has read of them: `to` must not have used them yet, or must forget it.
 */
int fts_tables_copy(struct db *from, struct db *to, struct error *e);

/* Makes the index itself and its tables as `from` has them, where `to` has not all of them. */
int fts_tables_make(struct db *from, struct db *to, struct error *e);

#endif
