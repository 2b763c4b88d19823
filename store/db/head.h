/*
 * The head file, STORE-head: how many events the journal had and the hash of the last, and the same of the
 * log of calls, so that a cut tail shows. It is written after commits, never before: it may lag, never
 * lead. For store/ alone.
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

/* 1 read, 0 no such file, -1 with `e` where it is there and says something else. */
int head_read(struct head *out, const char *store_path, struct error *e);
/* Replaces it whole (a new file, synced and renamed). What the one that is there counts more of stays;
 * where it is all, the file does. */
int head_write(const struct head *head, const char *store_path, struct error *e);
/* Removes what writers that were killed on the way left of it beside the store: STORE-head.PID, where no
 * process has that number any more. */
void head_clean(const char *store_path);

#endif
