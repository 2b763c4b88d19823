/*
 * What a connection shows of a moment: temporary views that are called as the tables are, and stand
 * before them, for SQLite looks for a name among the temporary ones first. A view gives the rows of
 * the memories that are as they were from the table itself, and those of the others from a
 * temporary table, which holds them as they were. So everything that reads, reads the past, and by
 * the same indexes: a UNION ALL is taken apart into the statement around it
 * (https://sqlite.org/optoverview.html#flattening), and what cannot be is asked in another way
 * (past_sql.h). The file is not written to. For store/ alone.
 */
#ifndef STEMMA_PAST_OVERLAY_H
#define STEMMA_PAST_OVERLAY_H

#include "store/db/db.h"
#include "store/db/store.h"
#include "store/history/past_rows.h"

/* Makes tables and views, outside of a transaction. `rows` stays the caller's, until the connection
 * is closed. `now`: what was called until then is of a moment that no event has ended yet. `many`:
 * more than should be held in memory, so that SQLite keeps them in a file of its own. */
int overlay_make(struct db *db, const struct past_rows *rows, int64_t now, bool many,
                 struct error *e);
/* Its indexes, once what is there at first is in it. */
int overlay_index(struct db *db, struct error *e);

/* Writing is allowed on the connection between the two, in a transaction; the end undoes it all
 * where `keep` is false. */
int overlay_begin(struct db *db, struct error *e);
int overlay_end(struct db *db, bool keep, struct error *e);
/* The memory as it was, whole, with the rows that its links lead to. */
int overlay_put(struct db *db, const struct memory *m, struct error *e);
int overlay_drop(struct db *db, int64_t node, struct error *e);

/* Statements that the views of the past (past_overlay.h) would answer slowly. For store/ alone. */

/* Of temp.then_entry, which has the rows of those entries that were other then than they are now. */
#define ENTRY_PAST_COLUMNS "memory, namespace, key, state, created, updated, expires, bytes"

#endif
