/*
 * The head of a store's journal: how many events it had and the hash of the last, and the same of the log of calls. It
 * is kept away from the store, in ~/.local/state/stemma/heads/, so that a store that was cut, or replaced by an older
 * copy, shows. It is written after commits, never before: it may lag, never lead. For store/ alone.
 */
#ifndef STEMMA_HEAD_H
#define STEMMA_HEAD_H

#include <stdbool.h>
#include "model/base/digest.h"
#include "model/base/error.h"

/* Where a chain ends. */
struct chain_end {
    int64_t count; /* 0: nothing is known of it */
    struct digest hash;
};
struct head {
    struct chain_end events, calls;
};

struct db;
/*
 * The path of the head of the store that `db` has open at the absolute `path`, named by its secret and its path; under
 * HOME alone, for clients start servers without any other variable. The caller frees it. NULL: there is no home, or the
 * store has no secret.
 */
char *head_path(struct db *db, const char *path);
/* 1 read, 0 no such file, -1 with `e` where it is there and says something else. */
int head_read(struct head *out, const char *path, struct error *e);
/* Replaces it whole (a new file, synced and renamed). What the one that is there counts more of stays;
 * where it is all, the file does. */
int head_write(const struct head *head, const char *path, struct error *e);
/*
 * Versions before had files next to the store: STORE-head, and STORE-next, STORE-write and STORE-sessions to lock. Takes
 * the head over into `path` (NULL: there is none to be had, and the old one stays) and removes them.
 */
void head_take_over(const char *store_path, const char *path);

#endif
