/*
 * The worker: one thread, with its own reader, for reads that take longer than a frame.
 *
 * A job belongs to an owner (a view) and to one of its slots. A newer job of the same slot cancels it, and so does
 * the end of the owner: a running query is interrupted and its result is not delivered. So a delivered result always
 * answers the latest request.
 *
 * `run` is called in the worker's thread and accesses only the job. worker_deliver calls `done` and then `release` in
 * the main thread. A cancelled job only gets `release`, also in the main thread. A long `run` does a part and returns
 * JOB_AGAIN, so that other jobs get their turn. `part` (may be NULL) is then called in the main thread while the job
 * waits.
 */
#ifndef STEMMA_WORKER_H
#define STEMMA_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/platform/platform.h"

struct job;
enum job_result {
    JOB_DONE = 0,
    JOB_AGAIN = 1,
    JOB_FAILED = -1
};

struct job_ops {
    const char *name; /* "filter the list", for the message when C-c cancels it */
    enum job_result (*run)(struct job *job, struct reader *r, struct error *e);
    bool (*part)(struct job *job); /* returns true if there is something to draw */
    /* `e` is ERROR_NONE on success. */
    void (*done)(struct job *job, const struct error *e);
    void (*release)(struct job *job); /* also frees the job itself */
    bool quiet;                       /* a minor job: C-c does not cancel it */
};

/* The first member of every kind of job. */
struct job {
    const struct job_ops *ops;
    const void *owner;
    int slot;
    int64_t begun;         /* monotonic ms when it was submitted */
    atomic_bool cancelled; /* a long `run` checks it from time to time */
    /* Owned by the worker; protected by its lock. */
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
    struct reader *reader, *next; /* `next` replaces `reader` before the next job; NULL if none */
    struct job *jobs;             /* a job moves to the end when its state changes */
    bool quit;
    struct wakeup wake;
    struct guard_rules *mask;    /* masks for its readers, with a reference; NULL for none */
    struct disbelief *disbelief; /* which memories they disbelieve, held; NULL for none */
};

int worker_open(struct worker *w, struct store *s, struct error *e);
/* Cancels all jobs and joins the thread. */
void worker_close(struct worker *w);
/* Gives the worker another reader, which it owns from now on. The old one is closed when the running job has ended. */
void worker_set_reader(struct worker *w, struct reader *r);
/* Sets the masks of its next jobs, and takes a reference. NULL for none. */
void worker_set_mask(struct worker *w, struct guard_rules *rules);
/* The same for the memories that its reader disbelieves. */
void worker_set_disbelief(struct worker *w, struct disbelief *d);
/* A descriptor that is readable when there is something to deliver. */
int worker_fd(const struct worker *w);
/* Makes worker_fd readable to wake the main loop. Any thread may call it. */
void worker_wake(struct worker *w);
/* Calls `done`, `part` and `release` for finished and waiting jobs. Returns how many of them have something to draw. */
size_t worker_deliver(struct worker *w);

/* Submits a job, which the worker owns from now on. Replaces the jobs of the same owner and slot. */
void worker_submit(struct worker *w, struct job *job, const struct job_ops *ops, const void *owner,
                   int slot);
void worker_cancel(struct worker *w, const void *owner, int slot);
void worker_cancel_owner(struct worker *w, const void *owner);
/* Cancels all jobs that are not quiet; their `done` gets ERROR_INTERRUPTED. Returns the name of one, or NULL if there
 * was none. */
const char *worker_cancel_all(struct worker *w);
/* Whether such a job waits or runs. `slot` -1 for any. */
bool worker_has(struct worker *w, const void *owner, int slot);
/* No job waits, runs or has a result to deliver. */
bool worker_idle(struct worker *w);
/* Waits until there is a result to deliver, or no job is left. */
void worker_wait(struct worker *w);

#endif
