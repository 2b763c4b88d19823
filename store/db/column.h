/* Columns as a memory holds them, whatever a damaged file holds. For store/ alone. */
#ifndef STEMMA_COLUMN_H
#define STEMMA_COLUMN_H

#include "store/db/db.h"

/* Its text in the arena as valid UTF-8 without NUL; NULL for NULL. */
const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column);

/* The first column of each row, in the arena. NULL is none. */
int column_texts(struct arena *a, struct query rows, const char ***out, size_t *count);

/* A JSON array of strings, each in the arena. Anything else comes back as one string, so that it is
 * seen. NULL where there is none. */
const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count);

/* The number of an enum that has `count`; -1 where it is none of them. */
int column_enum(sqlite3_stmt *stmt, int column, int count);

#endif
