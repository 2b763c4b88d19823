/*
 * When the writer checkpoints the write-ahead log: between batches from 16 MB, when idle from 4 MB,
 * and after something was erased, because its bytes are in the log. A quitting process checkpoints
 * only after a bulk load or an erasure; otherwise the last connection does.
 */
#ifndef STEMMA_CHECKPOINT_H
#define STEMMA_CHECKPOINT_H

#include "store/txn/txn.h"

struct checkpoint {
    int64_t page;    /* bytes of a page, and of a frame of the log */
    int frames;      /* frames in the log after the last commit */
    int last_frames; /* frames when the last checkpoint ended, moved or held up by readers */
    bool erased;     /* something was erased since the log was emptied */
};

/* Starts to count the frames of the log. */
int checkpoint_watch(struct checkpoint *c, struct txn *t, struct error *e);
/* Call after a commit. */
void checkpoint_note(struct checkpoint *c, struct txn *t);
/* Call before a batch: a passive checkpoint, which blocks nobody, if the log has 16 MB. */
void checkpoint_between(struct checkpoint *c, struct txn *t);
/* True if an idle writer should empty the log. */
bool checkpoint_is_due(struct checkpoint *c);
/*
 * Empties the log unless somebody reads or writes; does not wait. If the log was removed, saves its
 * content.
 */
void checkpoint_empty(struct checkpoint *c, struct txn *t);
/*
 * Call with the write lock after a file of the store was removed or replaced. If only the log was
 * removed, checkpoints its content into the file. Returns 0 if everything was moved.
 */
int checkpoint_save(struct txn *t);

/*
 * After a purge is committed, the erased bytes are still in free pages, in the search index and in
 * the log. A vacuum merges the index into one segment, rewrites the file (VACUUM) and empties the
 * log.
 *
 * Call store_vacuum after the commit, not on the main thread: it is O(the store) and reports
 * progress. It can be called at any time, and repeated if it could not finish: `stemma purge` of
 * purged memories does only that.
 */
enum vacuum_stage {
    VACUUM_INDEX = 0, /* merging the search index */
    VACUUM_FILE,      /* rewriting the file */
    VACUUM_LOG,       /* waiting for readers, and emptying the log */
    VACUUM_STAGE_COUNT
};
const char *vacuum_stage_name(enum vacuum_stage stage); /* "merging the search index" */

/*
 * Reports the progress of a stage (`total` is 0 if unknown); non-zero stops it. Called on the
 * caller's thread, or on the writer's while the caller waits.
 */
typedef int (*vacuum_progress)(void *arg, enum vacuum_stage stage, int64_t done, int64_t total);

/*
 * Returns 0 if no purged byte is left in the store's files. After -1 the memories are purged, but
 * their bytes may still be in the files; `e` says why and what to do: ERROR_BUSY (others read or
 * write for 30 s), ERROR_INTERRUPTED, ERROR_STORE (for example a full disk: it needs free space as
 * large as the store). Others may read and write between the stages and during the first.
 */
int store_vacuum(struct store *s, vacuum_progress report, void *arg, struct error *e);

#endif
