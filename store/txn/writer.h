/*
 * The writer: one thread that owns the read-write connection.
 *
 * Jobs queue. What is ready becomes one transaction (a batch), each job in it a savepoint, so that
 * one that fails takes nothing of the others with it; everybody is answered after the commit, so
 * acknowledged means durable. Across processes writers take turns by locks on bytes of the
 * store file (lock next, lock write, unlock next), then BEGIN IMMEDIATE, and read the head of
 * the journal inside it.
 */
#ifndef STEMMA_WRITER_H
#define STEMMA_WRITER_H

#include "store/db/store.h"

/* A transaction in progress, as a job sees it. */
struct txn;
struct db *txn_db(struct txn *t);
struct store *txn_store(struct txn *t);
int64_t txn_now(struct txn *t); /* one time for the batch */

/* Runs in the writer thread. 0, or -1 with `e`: its savepoint is rolled back. */
typedef int (*job_run)(struct txn *t, void *arg, struct error *e);
/* Called in the writer thread after the commit (or the failure), with ERROR_NONE in `e` if done. */
typedef void (*job_done)(void *arg, const struct error *e);

/*
 * Queues a job. What can be waited for is bounded: 30 s for the write lock, 5 s where another program
 * holds the file; then the job fails with ERROR_BUSY. -1 where the store is read-only or the writer
 * cannot start.
 */
int store_submit(struct store *s, job_run run, job_done done, void *arg, struct error *e);
/*
 * A job whose place is its submitter's, for who has many: nothing is allocated, and a list of them
 * reaches the writer in one piece, so that they share a commit.
 */
struct store_job {
    job_run run;
    job_done done;        /* after it the place is the submitter's again */
    void *arg, *done_arg; /* done_arg NULL: `done` gets `arg` as `run` does */
    struct error *error;  /* the submitter's as well; `done` gets it */
    bool alone;           /* it must be a transaction of its own */
    /* It may be run a second time, as if it had not been run before. A transaction of such jobs has no
     * savepoints; where one fails half-way, all are run again with them. */
    bool again;
    /* When it gives up waiting for other programs (ms, monotonic), which may change meanwhile; NULL: as late
     * as any. Jobs that share a transaction wait together, as long as one of them does. */
    const _Atomic int64_t *until;
    const void *group; /* whatever the submitter's jobs have in common; NULL: nothing */
    bool last;         /* set before `done`: none of its group follows it in its commit */
    struct store_job *next;
};
/* As store_submit, for all of them; after -1 none was queued. */
int store_submit_list(struct store *s, struct store_job *jobs, struct error *e);
/* Queues a job and waits until it is committed. */
int store_run(struct store *s, job_run run, void *arg, struct error *e);
/* As store_submit, for a job that must be a transaction of its own. */
int store_submit_alone(struct store *s, job_run run, job_done done, void *arg, struct error *e);
/* As store_run, for a job that must be a transaction of its own and may drop and make indexes. */
int store_run_alone(struct store *s, job_run run, void *arg, struct error *e);

/* Starting and ending the writer. For store/ alone. */

struct writer *writer_new(struct store *s); /* its thread begins with the first job */
/* Waits for what was submitted, writes the head, ends the thread. NULL is allowed. */
void writer_free(struct writer *w);

#endif
