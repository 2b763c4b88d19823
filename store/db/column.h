/* Columns as a memory holds them, whatever a damaged file holds. For store/ alone. */
#ifndef STEMMA_COLUMN_H
#define STEMMA_COLUMN_H

#include "store/db/db.h"

/* Its text in the arena as valid UTF-8 without NUL; NULL for NULL. */
const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column);

/* The first column of each row of a statement that was stepped once, which gave `more`; it is reset. NULL is none. */
int column_texts(struct db *db, struct arena *a, sqlite3_stmt *stmt, int more, const char ***out,
                 size_t *count, struct error *e);

/* A JSON array of strings, each in the arena. Anything else comes back as one string, so that it is
 * seen. NULL where there is none. */
const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count);

/* The number of an enum that has `count`; -1 where it is none of them. */
int column_enum(sqlite3_stmt *stmt, int column, int count);

#endif
