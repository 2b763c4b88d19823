/*
 * A connection to an SQLite file: a cache of prepared statements, one-line binding and reading, and
 * SQLite's result codes as errors that say what to do. A connection belongs to one thread.
 */
#ifndef STEMMA_DB_H
#define STEMMA_DB_H

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "model/base/arena.h"
#include "model/base/error.h"

struct db;

enum db_mode {
    DB_READ, /* read only; the file stays byte-identical */
    DB_SHARED, /* reads a store of ours that may be written; the last connection to close checkpoints the log */
    DB_LARGE, /* as DB_WRITE; an empty file gets the page size of a large store */
    DB_WRITE, /* for the writer: WAL, synchronous=FULL; the file must exist, but may be empty */
    DB_FOREIGN, /* another program's file: as DB_READ, with views and triggers off and bounded lengths */
    DB_APPLY, /* another program's file, to be written on request (store/apply); its settings stay */
};

/* Sizes of the page cache for PRAGMA cache_size: a negative number is in KiB. */
#define CHUNK_NONE_SQL  "-9223372036854775808" /* CHUNK_NONE */
#define DB_READER_CACHE "-1024"
#define DB_WRITER_CACHE "-32768" /* the pages that a batch changes */

/*
 * Opens `path`. The caller closes the connection with db_close. Returns NULL with ERROR_STORE if
 * the file cannot be read or is not a database.
 *
 * DB_SHARED, DB_LARGE and DB_WRITE open the file read-write, as SQLite does. DB_READ and DB_FOREIGN
 * must not change the file, so they choose a way by what is next to it:
 *   - No log with content: a read-write handle with query_only. If the file is not in WAL mode the
 *     handle is read-only, because a read-write one could roll a journal back into the file.
 *   - A log with content: the same, without a checkpoint on close. DB_FOREIGN first tries not to
 *     write the log's index.
 *   - No log and an unwritable directory: immutable.
 *   - Otherwise: a private copy, which db_close removes.
 */
struct db *db_open(const char *path, enum db_mode mode, struct error *e);
void db_close(struct db *db); /* NULL is allowed */
/* Copies a database, opened in that mode, over the existing file `to`. */
int db_copy(const char *path, enum db_mode mode, const char *to, struct error *e);
sqlite3 *db_handle(struct db *db);
const char *db_path(const struct db *db);
/*
 * True if the connection has a write-ahead log open and its file is `path` (as realpath returns
 * it).
 */
bool db_has_log_of(struct db *db, const char *path);
/* Interrupts the running statement from another thread; it ends with ERROR_INTERRUPTED. */
void db_interrupt(struct db *db);

/*
 * Fills `e` from the connection's last error and returns -1. `doing` is a verb for the message:
 * "read", "write".
 */
int db_error(struct db *db, struct error *e, const char *doing);

/* Runs one or more statements that return no rows. */
int db_exec(struct db *db, const char *sql, struct error *e);
/*
 * Gives the connection a page cache of 128 MiB, or a smaller one where the address space is limited: for a long read
 * that looks up rows at random. PRAGMA cache_size = DB_READER_CACHE takes it back.
 */
int db_enlarge_cache(struct db *db, struct error *e);

/*
 * Returns the prepared statement for `sql`, reset and without bindings. The connection caches it
 * under the text of `sql` and db_close finalizes it. Returns NULL with an error if it cannot be
 * prepared. If an index named by INDEXED BY does not exist, that clause is dropped: the answer is
 * the same, only slower.
 *
 * A statement can be used by one caller at a time: a nested use of the same SQL is a bug.
 */
sqlite3_stmt *db_prepare(struct db *db, const char *sql, struct error *e);

/*
 * Sets a function that may replace the SQL of a statement before it is prepared. It returns another
 * statement with the same parameters and columns (allocated; db frees it), or NULL to keep `sql`.
 */
void db_set_rewrite(struct db *db, char *(*rewrite)(const char *sql));

/*
 * Binds the parameters and steps once. The format has one letter for each parameter: i int64_t; r
 * int64_t row number (0 binds NULL); d double (NAN binds NULL); s const char * (NULL binds NULL); b
 * const void * (NULL binds NULL) and size_t; n NULL without an argument.
 *
 * Strings and blobs must stay valid until the statement is reset. Returns 1 for a row, 0 for done,
 * -1 for an error. `stmt` may be NULL after a failed db_prepare: returns -1 and leaves `e` as it
 * is.
 */
int db_bind(struct db *db, sqlite3_stmt *stmt, struct error *e, const char *format, ...);
int db_step(struct db *db, sqlite3_stmt *stmt, struct error *e);
/* Prepares, binds and runs a statement; rows are ignored. Returns 0 or -1. */
int db_run(struct db *db, struct error *e, const char *sql, const char *format, ...);
/*
 * Stores the first column of the first row as an integer, or `none` if there is no row. Returns 0
 * or -1.
 */
int db_int(struct db *db, int64_t *out, int64_t none, struct error *e, const char *sql,
           const char *format, ...);

/*
 * SQLite's temporary files are then made next to `path`, for the whole process. Call it before other
 * threads use SQLite.
 */
void db_use_temporary(const char *path);

/*
 * Iterates over the rows of a query. The statement is reset after the last row and after an error;
 * a caller that stops earlier must call db_end or db_fail.
 *
 *     struct query rows = db_query(db, e, "SELECT id FROM memory WHERE kind = ?", "i", (int64_t)kind);
 *     while (db_next(&rows))
 *         add(sqlite3_column_int64(rows.stmt, 0));
 *     return db_end(&rows);
 */
struct query {
    struct db *db;
    sqlite3_stmt *stmt;
    struct error *e;
    int more; /* 1: a row is ready; 0: end of rows; -1: an error */
    bool begun;
};
/* `format` is as in db_bind. */
struct query db_query(struct db *db, struct error *e, const char *sql, const char *format, ...);
/* Moves to the next row. True if `stmt` has one; false at the end and on an error. */
bool db_next(struct query *q);
/* As db_next, for results whose first column is a row from 1 to `rows`; others are skipped. *index is that row - 1. */
bool db_next_row(struct query *q, size_t rows, size_t *index);
/* Ends the query. Returns 0, or -1 if an error ended it. */
int db_end(struct query *q);
/* Ends the query after an error of the caller's own. Returns -1. */
int db_fail(struct query *q);

/* Copies a column as a string into the arena. Returns NULL for NULL. */
const char *db_text(struct arena *a, sqlite3_stmt *stmt, int column);
double db_double(sqlite3_stmt *stmt, int column); /* NAN for NULL */

/* ---- columns of a memory: valid values even from a damaged file ---- */

/* Copies the column's text into the arena as valid UTF-8 without NUL. Returns NULL for NULL. */
const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column);

/* Reads the first column of each row into an array in the arena. Rows with NULL are skipped. */
int column_texts(struct arena *a, struct query rows, const char ***out, size_t *count);

/*
 * Reads a column that holds a JSON array of strings; the array is in the arena. Any other text
 * becomes the only element, "damaged: TEXT", so that a reader sees it. Returns NULL if there are none.
 */
const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count);

/*
 * Is the text a detail as it is stored: one JSON object on one line? Only such a text may become a
 * part of an answer, because line breaks would end a record and begin another one.
 */
bool is_detail(const char *text, size_t len);
/*
 * Copies a column that holds a detail into the arena. Any other text becomes {"damaged":TEXT}, so
 * that a reader sees it. Returns NULL for NULL and for "".
 */
const char *column_detail(struct arena *a, sqlite3_stmt *stmt, int column);

/* The value of an enum with `count` values; -1 if the column has another value. */
int column_enum(sqlite3_stmt *stmt, int column, int count);

/* Equality of optional values: NULL equals NULL, NAN equals NAN. */
static inline bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

#endif
