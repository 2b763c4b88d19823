/*
 * What db_open.c and db.c share: opening a file, its companion files and private copies. Only for
 * store/.
 */
#ifndef STEMMA_DB_OPEN_H
#define STEMMA_DB_OPEN_H

#include "store/db/db.h"

struct strbuf;

#define DB_BUSY_MS 5000 /* wait for SQLite's locks, in ms; the write lock has its own limit */

/*
 * Makes a connection of a handle. It owns the handle and `private_copy`, a directory to remove on
 * close (may be NULL).
 */
struct db *db_wrap(sqlite3 *handle, const char *path, char *private_copy);
/* Fills `e` with the meaning of SQLite's `code` for `path`. Returns -1. */
int db_error_code(int code, const char *message, const char *path, struct error *e,
                  const char *doing);
struct stat;
/* Calls stat on `path` plus `suffix`. Returns 0, or -1 with errno. */
int db_stat_companion(const char *path, const char *suffix, struct stat *out);
/*
 * True if the file `path` plus `suffix` has content. `*exists` (may be NULL) is set to whether it
 * exists at all.
 */
bool db_has_companion(const char *path, const char *suffix, bool *exists);
/*
 * If `keep`, closing leaves the write-ahead log and its index even if empty, because they existed
 * before.
 */
void db_keep_log(struct db *db, bool keep);
/* If `share`, closing the last connection checkpoints the log, unless db_keep_log forbids it. */
void db_share(struct db *db, bool share);
/* Makes a connection for DB_READ one for DB_SHARED. False if it is of another kind: it reads a
 * copy, or cannot write. */
bool db_become_shared(struct db *db);
/*
 * Copies the file and its logs into a new directory under TMPDIR. Returns the directory, which the
 * caller frees after db_remove_copy, or NULL with an error. `name` must be empty; it receives the
 * path of the copy.
 */
char *db_make_copy(const char *path, struct strbuf *name, struct error *e);
/* Removes the directory of a private copy and the files in it. */
void db_remove_copy(const char *directory);

#endif
