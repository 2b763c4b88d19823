/*
 * The writer: one thread that owns the read-write connection.
 *
 * Jobs queue. The jobs that are ready form one transaction (a batch). Each runs in a savepoint, so
 * a failing job does not affect the others. All are answered after the commit, so acknowledged
 * means durable. Writers of several processes take turns by the write lock (store/db/store_file.h),
 * then BEGIN IMMEDIATE, and read the end of the journal inside the transaction.
 */
#ifndef STEMMA_WRITER_H
#define STEMMA_WRITER_H

#include "store/db/store.h"

/* The transaction in progress, as a job sees it. */
struct txn;
struct db *txn_db(struct txn *t);
struct store *txn_store(struct txn *t);
int64_t txn_now(struct txn *t); /* ms since the epoch; the same for the whole batch */

/* Runs in the writer thread. Returns 0, or -1 with `e`: then its savepoint is rolled back. */
typedef int (*job_run)(struct txn *t, void *arg, struct error *e);
/*
 * Called in the writer thread after the commit or the failure; ERROR_NONE in `e` if it was
 * committed.
 */
typedef void (*job_done)(void *arg, const struct error *e);

/*
 * Queues a job. Waiting is bounded: 30 s for the write lock, 5 s for other programs that lock the
 * file; then the job fails with ERROR_BUSY. Returns -1 if the store is read-only or the writer
 * cannot start.
 */
int store_submit(struct store *s, job_run run, job_done done, void *arg, struct error *e);
/*
 * A job in the submitter's memory, for many jobs: nothing is allocated, and a list is queued at
 * once, so that its jobs share a commit.
 */
struct store_job {
    job_run run;
    job_done done;        /* after it the writer does not use the struct any more */
    void *arg, *done_arg; /* if done_arg is NULL `done` gets `arg` */
    struct error *error;  /* owned by the submitter; passed to `done` */
    bool alone;           /* needs a transaction of its own */
    /*
     * It can run twice, as if it had not run before. A batch of such jobs has no savepoints; if one
     * fails half-way, all run again with savepoints.
     */
    bool again;
    /*
     * When it stops waiting for other programs (ms, monotonic); may change meanwhile. NULL: never
     * before the others. The jobs of a batch wait together until the last of these times.
     */
    const _Atomic int64_t *until;
    int64_t first, end; /* the events that it appended: from `first` to before `end` */
    const void *group;  /* identifies jobs of one submitter; NULL if none */
    bool last;          /* set before `done`: the last of its group in this commit */
    struct store_job *next;
};
/* As store_submit for a list. After -1 no job is queued. */
int store_submit_list(struct store *s, struct store_job *jobs, struct error *e);
/* Queues a job and waits for its commit. Returns 0, or -1 with the job's error. */
int store_run(struct store *s, job_run run, void *arg, struct error *e);
/* As store_run, for a job that can run twice. */
int store_run_again(struct store *s, job_run run, void *arg, struct error *e);
/* As store_submit, in a transaction of its own. */
int store_submit_alone(struct store *s, job_run run, job_done done, void *arg, struct error *e);
/* As store_run, in a transaction of its own. Such a job may drop and create indexes. */
int store_run_alone(struct store *s, job_run run, void *arg, struct error *e);

/* Starting and ending the writer. Only for store/open.c. */
struct writer *writer_new(struct store *s); /* the thread starts with the first job */
/* Finishes all submitted jobs, writes the head file, ends the thread. NULL is allowed. */
void writer_free(struct writer *w);

#endif
