/*
 * When the writer moves what the write-ahead log holds into the file: between batches once it is
 * 16 MB, and with nothing else to do once it is 4 MB, or once something was erased, whose bytes stand in it. Never
 * because a process quits, but for what a bulk load left or what was erased.
 */
#ifndef STEMMA_CHECKPOINT_H
#define STEMMA_CHECKPOINT_H

#include "store/db/store.h"
#include "store/txn/txn.h"

struct checkpoint {
    int64_t page; /* bytes of a page, which a frame holds */
    int frames;   /* in the log, as the last commit told */
    int kept;     /* that readers would not let the last checkpoint have, or that it had already */
    bool erased;  /* since it was emptied */
};

/* Counts the frames from now on. */
void checkpoint_watch(struct checkpoint *c, struct txn *t);
/* After a batch that was committed. */
void checkpoint_note(struct checkpoint *c, struct txn *t);
/* Before a batch: passively, which stops nobody, where the log is 16 MB. */
void checkpoint_between(struct checkpoint *c, struct txn *t);
/* Is the log worth emptying while there is nothing to do? After a bulk load, on closing? */
bool checkpoint_is_due(struct checkpoint *c);
/* Empties it, if nobody reads or writes just then; without waiting. One that was removed is saved. */
void checkpoint_empty(struct checkpoint *c, struct txn *t);
/*
 * Under the write lock, where the store's files are not as they were: moves what the log holds into the file if that
 * and the log's index are, so that it is only the log that was removed. 0: all of it is there.
 */
int checkpoint_save(struct txn *t);

/*
 * What is left to do after a purge is committed: the bytes of what was erased still stand in pages that are
 * free, in the search index and in the write-ahead log. Scrubbing merges the index to one piece, writes
 * the file anew and empties the log, so that nothing but what is stored is in the store's files.
 *
 * Whoever commits a purge calls it next, off the main thread: O(the store), with progress. It may be
 * called at any time, and again where it could not finish: `stemma purge` of what is purged already does
 * just that.
 */

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
