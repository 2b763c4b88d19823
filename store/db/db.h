/*
 * A connection to an SQLite file: prepared statements that are kept, binding and reading in one
 * line each, and SQLite's codes as errors that say what to do. A connection belongs to one thread.
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
    DB_READ, /* reads; the file stays byte-identical */
    DB_SHARED, /* reads a store of ours that is open for writing: the last to close moves the log into the file */
    DB_LARGE,   /* as DB_WRITE; a file that is empty gets the pages of a large store */
    DB_WRITE,   /* the writer's: WAL, synchronous=FULL; the file is there, be it empty */
    DB_FOREIGN, /* another program's file; as DB_READ, only real tables, bounded lengths */
};

/* Page caches: KiB below 0, as SQLite counts them. */
#define DB_READER_CACHE "-1024"
#define DB_WRITER_CACHE "-32768"  /* what a batch changes */
#define DB_CHECK_CACHE  "-131072" /* a pass over all of the store that looks rows up at random */

/*
 * Opens `path`. DB_SHARED and DB_WRITE: as SQLite does. In the other modes: no write-ahead log with content →
 * read-write handle with query_only (read-only where it is not in WAL mode: such a one rolls no journal back into
 * the file); with one → the same without a checkpoint on close, its index read but not written where that does; an
 * unwritable directory and no log → immutable; otherwise a private copy, removed on close. The caller closes it with
 * db_close (NULL is allowed). NULL with ERROR_STORE where it cannot be read or is no database.
 */
struct db *db_open(const char *path, enum db_mode mode, struct error *e);
void db_close(struct db *db);
sqlite3 *db_handle(struct db *db);
const char *db_path(const struct db *db);
/* Has it a write-ahead log open, and is that the one next to `path` (as realpath says it)? */
bool db_has_log_of(struct db *db, const char *path);
/* Interrupts what runs on the connection, from another thread: it ends with ERROR_INTERRUPTED. */
void db_interrupt(struct db *db);

/* Fills `e` from the connection's last error; returns -1. `doing` is "read the list", "write". */
int db_error(struct db *db, struct error *e, const char *doing);

/* Runs statements that return nothing. */
int db_exec(struct db *db, const char *sql, struct error *e);

/*
 * The prepared statement of that SQL, reset and with its bindings cleared; kept by the connection
 * under the text of `sql` and finalized by db_close. An INDEXED BY of an index that is not there is
 * left out: the answer is the same, only slower. NULL with an error where it does not prepare.
 * One statement is in use once at a time: a nested use of the same SQL is a bug.
 */
sqlite3_stmt *db_prepare(struct db *db, const char *sql, struct error *e);

/* From here on `vary` may give another statement with the same parameters and columns for one that is to
 * be prepared: allocated, or NULL. */
void db_vary(struct db *db, char *(*vary)(const char *sql));

/*
 * Binds by a format of one letter for each parameter, then steps once: i int64_t, r int64_t of a row
 * (0 binds NULL), d double (NAN binds NULL), s const char * (NULL binds NULL), b const void * (NULL
 * binds NULL) and size_t, n NULL. The strings must
 * live until the statement is reset. 1 a row, 0 done, -1 an error. A statement that is NULL is an error that
 * db_prepare has told.
 */
int db_bind(struct db *db, sqlite3_stmt *stmt, struct error *e, const char *format, ...);
int db_step(struct db *db, sqlite3_stmt *stmt, struct error *e);
/* db_prepare, db_bind and a step for a statement without rows; 0, or -1. */
int db_run(struct db *db, struct error *e, const char *sql, const char *format, ...);
/* The first column of the first row as an integer; `none` where there is no row. -1 on error. */
int db_int(struct db *db, int64_t *out, int64_t none, struct error *e, const char *sql,
           const char *format, ...);

/*
 * The rows of a query, one after the other. It is over behind the last row, and on an error; who leaves it before
 * calls db_end or db_fail.
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
    int more; /* 1: there is a row; 0: the end; -1: an error */
    bool begun;
};
/* The format is that of db_bind. */
struct query db_query(struct db *db, struct error *e, const char *sql, const char *format, ...);
/* True: a row stands in `stmt`. */
bool db_next(struct query *q);
/* 0, or -1 if an error ended it. */
int db_end(struct query *q);
/* Its reader met an error: ends it, and returns -1. */
int db_fail(struct query *q);

/* A column as a string in the arena; NULL for NULL. */
const char *db_text(struct arena *a, sqlite3_stmt *stmt, int column);
double db_double(sqlite3_stmt *stmt, int column); /* NAN for NULL */

/* ---- columns as a memory holds them, whatever a damaged file holds ---- */

/* Its text in the arena as valid UTF-8 without NUL; NULL for NULL. */
const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column);

/* The first column of each row, in the arena. NULL is none. */
int column_texts(struct arena *a, struct query rows, const char ***out, size_t *count);

/* A JSON array of strings, each in the arena. Anything else comes back as one string, so that it is
 * seen. NULL where there is none. */
const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count);

/* The number of an enum that has `count`; -1 where it is none of them. */
int column_enum(sqlite3_stmt *stmt, int column, int count);

/* Equality of values that may be absent: NULL equals NULL, NAN equals NAN. */

static inline bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

#endif
