/*
 * When the writer moves what the write-ahead log holds into the file: between batches once it is
 * 16 MB, and with nothing else to do once it is 4 MB, or once something was erased, whose bytes stand in it. Never
 * because a process quits, but for what a bulk load left or what was erased. For store/ alone.
 */
#ifndef STEMMA_CHECKPOINT_H
#define STEMMA_CHECKPOINT_H

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
bool checkpoint_is_overdue(struct checkpoint *c);
/* Empties it, if nobody reads or writes just then; without waiting. One that was removed is saved. */
void checkpoint_empty(struct checkpoint *c, struct txn *t);
/*
 * Under the write lock, where the store's files are not as they were: moves what the log holds into the file if that
 * and the log's index are, so that it is only the log that was removed. 0: all of it is there.
 */
int checkpoint_save(struct txn *t);

#endif
