/*
 * The worker: one thread for what takes longer than a frame, reading through a reader of its own.
 *
 * A job belongs to an owner (a view) and to one of its slots. A newer job of the same slot, or the
 * owner's end, cancels it: if it runs, its query is interrupted; its answer is never delivered. So an
 * answer that arrives is always to the latest question.
 *
 * `run` is called in the worker's thread and touches nothing but the job. `done` is called by
 * worker_deliver in the main thread, then `release`; a cancelled job is only released, in the main
 * thread as well. A long `run` does a part and returns JOB_AGAIN: shorter jobs get their turn, and
 * `part` (may be NULL) is called in the main thread while the job waits for its own.
 */
#ifndef STEMMA_WORKER_H
#define STEMMA_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "store/guard/guard.h"

struct job;
enum job_result {
    JOB_DONE = 0,
    JOB_AGAIN = 1,
    JOB_FAILED = -1
};

struct job_ops {
    const char *name; /* "filter the list": what C-c says it cancelled */
    enum job_result (*run)(struct job *job, struct reader *r, struct error *e);
    bool (*part)(struct job *job); /* true: there is something new to draw */
    /* `e`: ERROR_NONE where it succeeded. */
    void (*done)(struct job *job, const struct error *e);
    void (*release)(struct job *job); /* frees the job itself too */
    bool quiet;                       /* a small thing that C-c does not count as running */
};

/* The first member of every kind of job. */
struct job {
    const struct job_ops *ops;
    const void *owner;
    int slot;
    int64_t begun;         /* monotonic ms: it was submitted */
    atomic_bool cancelled; /* a long `run` asks now and then */
    /* The worker's, under its lock. */
    struct job *next;
    enum job_state {
        JOB_WAITS = 0,
        JOB_RUNS,
        JOB_ANSWERED
    } state;
    struct error error;
    enum job_result result;
};

struct worker {
    struct store *store;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct reader *reader, *next; /* `next` takes its place before another job; NULL: none */
    struct job *jobs;             /* one that changes its state goes to the end */
    bool quit;
    int wake[2];
    struct guard_rules *mask; /* held; its readers are masked by them; NULL: they are not */
};

int worker_open(struct worker *w, struct store *s, struct error *e);
/* Cancels everything and joins the thread. */
void worker_close(struct worker *w);
/* Its next jobs read through `r`, which becomes its own; the one of before is closed when what runs
 * has ended. */
void worker_turn(struct worker *w, struct reader *r);
/* Its next jobs see what they read masked by these rules, which it holds as well; NULL: as it is. */
void worker_mask(struct worker *w, struct guard_rules *rules);
/* Becomes readable when there is something to deliver. */
int worker_fd(const struct worker *w);
/* It becomes readable, though there may be nothing: something else is to be looked at. From any thread. */
void worker_wake(struct worker *w);
/* Calls `done`, `part` and `release` of what is ready; how many of them had something to draw. */
size_t worker_deliver(struct worker *w);

/* Hands the job over. It replaces those of its owner and slot. */
void worker_submit(struct worker *w, struct job *job, const struct job_ops *ops, const void *owner,
                   int slot);
void worker_cancel(struct worker *w, const void *owner, int slot);
void worker_cancel_owner(struct worker *w, const void *owner);
/* Cancels all that is not quiet; the name of one of them, or NULL where there was none. Its `done` is
 * called with ERROR_INTERRUPTED. */
const char *worker_cancel_all(struct worker *w);
/* Is such a job waiting or running? `slot` -1: of any. */
bool worker_has(struct worker *w, const void *owner, int slot);
/* Nothing waits, runs or is to be delivered. */
bool worker_idle(struct worker *w);
/* Waits until something is to be delivered, or nothing more will be. */
void worker_wait(struct worker *w);

#endif
