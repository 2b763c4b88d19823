/*
 * What is left to do after a purge is committed: the bytes of what was erased still stand in pages that are
 * free, in the search index and in the write-ahead log. Scrubbing merges the index to one piece, writes
 * the file anew and empties the log, so that nothing but what is stored is in the store's files.
 *
 * Whoever commits a purge calls it next, off the main thread: O(the store), with progress. It may be
 * called at any time, and again where it could not finish: `stemma purge` of what is purged already does
 * just that.
 */
#ifndef STEMMA_SCRUB_H
#define STEMMA_SCRUB_H

#include "store/db/store.h"

enum scrub_stage {
    SCRUB_INDEX = 0, /* merging the search index */
    SCRUB_FILE,      /* writing the file anew */
    SCRUB_LOG,       /* waiting for readers, and emptying the log */
    SCRUB_STAGE_COUNT
};
const char *scrub_stage_name(enum scrub_stage stage); /* "merging the search index" */

/* Hears how far a stage is (`total` 0: not known), and stops it with non-zero. On the caller's thread or, while that
 * waits, on the writer's. */
typedef int (*scrub_told)(void *arg, enum scrub_stage stage, int64_t done, int64_t total);

/*
 * 0: no byte of what was purged is left in the store's files. -1: what was purged is erased, but its bytes may
 * still be found in them; `e` says why and how to finish: ERROR_BUSY (somebody else reads or writes, and
 * went on for 30 s), ERROR_INTERRUPTED, ERROR_STORE (the disk is full: it takes as much room again as
 * the store). Others may read and write between its stages and in the first.
 */
int store_scrub(struct store *s, scrub_told told, void *arg, struct error *e);

#endif
