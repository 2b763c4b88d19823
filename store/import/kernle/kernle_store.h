/* A Kernle store as a file of tables: which there are, with what columns, and what else is in it. */
#ifndef STEMMA_KERNLE_STORE_H
#define STEMMA_KERNLE_STORE_H

#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/import/kernle/kernle_row.h"

#define KERNLE_NEWEST 27 /* the newest schema that is known */

/*
 * A column's or table's name quoted for SQL, appended. Names come from the file, so they are never
 * used otherwise.
 */
void kernle_quote(struct strbuf *sql, const char *name);

/* Is there a real table of that name, no view and no virtual table? -1 on error. */
int kernle_has_table(struct db *db, const char *name, struct error *e);
/* Is there a column of that name in it? -1 on error. */
int kernle_has_column(struct db *db, const char *table, const char *column, struct error *e);

/* The schema version, or 0 where the file does not say. */
int kernle_version(struct db *db, int64_t *version, struct error *e);

/* 1 with the table's columns in `arena`; 0: there is none of that name, or it has no id. */
int kernle_open_table(struct db *db, struct arena *arena, size_t index, struct kernle_table *table,
                      struct error *e);
/* A name for the row's number that no column has taken; NULL where the table has no such number. */
const char *kernle_rowid(struct db *db, const struct kernle_table *table);

/* A column of the row that a statement stands on; its bytes live as long. */
struct cell kernle_read_cell(sqlite3_stmt *stmt, int column);

/* "sync_queue 21, embedding_meta 19": the tables that are neither read nor SQLite's own, with what
 * is in them, into `out` of `size` bytes. */
int kernle_other_tables(struct db *db, struct arena *arena, char *out, size_t size,
                        struct error *e);

#endif
