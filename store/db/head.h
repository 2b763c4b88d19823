/*
 * The head of a store's journal: the number of events and the hash of the last one, and the same
 * for the log of calls. It is kept away from the store, in ~/.local/state/stemma/heads/, so that a
 * truncated store, or one replaced by an older copy, is detected. Written after commits: it may be
 * behind the journal, never ahead. Only for store/.
 */
#ifndef STEMMA_HEAD_H
#define STEMMA_HEAD_H

#include "model/base/digest.h"
#include "model/base/error.h"

/* The end of a hash chain. */
struct chain_end {
    int64_t count; /* 0 if unknown */
    struct digest hash;
};
struct head {
    struct chain_end events, calls;
};

struct db;
/*
 * Returns the path of the head file, named by a hash of the store's secret and its absolute `path`.
 * The caller frees it. NULL if there is no home directory or the store has no secret.
 */
char *head_path(struct db *db, const char *path);
/*
 * Returns 1 if it was read, 0 if there is no such file, -1 with `e` if it cannot be read or is not
 * a head file.
 */
int head_read(struct head *out, const char *path, struct error *e);
/*
 * Replaces the file atomically (new file, fsync, rename). For each chain the larger count is kept.
 * An end in the file is only replaced if the store `db` holds it, with its hash: after a cut it stays
 * until a person accepts another. If `db` is NULL, only an end that the file lacks is added. If
 * nothing would change, the file is not written. For the same reason a missing or damaged file
 * that `db` has a note of stays as it is.
 */
int head_write(const struct head *head, struct db *db, const char *path, struct error *e);
/* Replaces the file whatever it holds: for an end that a person accepts, or that is seen first. */
int head_replace(const struct head *head, const char *path, struct error *e);
/*
 * A store notes where its head was written, as a keyed hash of the path. Returns 1 if `path` is
 * noted, 0 if not, -1 with `e`.
 */
int head_is_noted(struct db *db, const char *path, struct error *e);
/* Notes a path, in the caller's transaction. */
int head_note(struct db *db, const char *path, struct error *e);
/* Reads the ends of both chains from the store. */
int head_of(struct db *db, struct head *out, struct error *e);
/*
 * Earlier versions had files next to the store: STORE-head, and the lock files STORE-next,
 * STORE-write and STORE-sessions. Moves the head into `path` and removes them all. If `path` is
 * NULL, or the head cannot be written there, STORE-head stays.
 */
void head_migrate(const char *store_path, const char *path);

#endif
