/* How db_open opens a file, and what db.c needs of it. For store/ alone. */
#ifndef STEMMA_DB_OPEN_H
#define STEMMA_DB_OPEN_H

#include "store/db/db.h"

#define DB_BUSY_MS 5000 /* how long a connection waits for a lock that is not the write lock */

/* Takes over the handle and `private_copy` (may be NULL). */
struct db *db_wrap(sqlite3 *handle, const char *path, char *private_copy);
/* Fills `e` with what SQLite's `code` means for `path`; returns -1. */
int db_error_code(int code, const char *message, const char *path, struct error *e,
                  const char *doing);
struct stat;
int db_stat_companion(const char *path, const char *suffix, struct stat *out);
/* Is there a file of that suffix next to it that has content? `stands` (may be NULL): be it empty. */
bool db_has_companion(const char *path, const char *suffix, bool *stands);
/* On close leave the write-ahead log and its index even where it is empty: they were there. */
void db_keep_log(struct db *db, bool keep);
/* On close move the log into the file where nobody else has it open, unless it is to be kept. */
void db_share(struct db *db, bool share);
/*
 * A private copy of the file and its logs, in a directory of its own under TMPDIR: the directory
 * (the caller's, to free after db_remove_copy), and the path of the copy in `name`, which is empty before.
 * NULL with an error.
 */
struct strbuf;
char *db_make_copy(const char *path, struct strbuf *name, struct error *e);
/* Removes a private copy's directory and what is in it. */
void db_remove_copy(const char *directory);

#endif
