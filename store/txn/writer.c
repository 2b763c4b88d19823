/* The writer thread: its queue, batches, savepoints, and its chores when it is idle. */
#include "store/txn/writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include "model/base/alloc.h"
#include "model/base/error.h"
#include "store/db/head.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "store/txn/checkpoint.h"
#include "store/txn/txn.h"

#define BATCH_MS 100  /* a batch starts no further job after this time */
#define HEAD_MS  1000 /* between two writes of the head file */
#define IDLE_MS  50   /* idle time before the log is emptied */
#define CACHE_MS 1000 /* and before its memory is given back */

struct writer {
    struct store *store;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    struct store_job *first, **end;
    bool started, closing;
    pthread_t thread;
    /* only used by the thread */
    struct txn *txn;
    struct head head; /* what is still to be written; all counts 0 if nothing */
    int64_t head_due; /* ms, monotonic */
    /* The store notes where the head was written: with the next commit, or when it closes. */
    enum {
        HEAD_UNWRITTEN,
        HEAD_WRITTEN,
        HEAD_NOTED
    } head_place;
    int64_t idle_due;  /* when the log may be emptied */
    int64_t cache_due; /* when the pages of its cache are given back; 0 if they are */
    struct checkpoint log;
    bool caught_up; /* with the team, once: then a follower does it (store/team/team.h) */
};

struct writer *writer_new(struct store *s)
{
    struct writer *w = xcalloc(1, sizeof(*w));
    w->store = s;
    w->end = &w->first;
    platform_cond_init(&w->wake);
    pthread_mutex_init(&w->lock, NULL);
    return w;
}

/* ---- the thread: batches ---- */

/* True if none of these jobs wants to wait any longer. */
static bool give_up(void *arg)
{
    const struct store_job *job = arg;
    int64_t now = monotonic_ms();
    while (job && job->until && now >= atomic_load(job->until))
        job = job->next;
    return !job;
}

/* Begins a transaction. The connection is opened for the first batch, and again after a failure. */
static int begin(struct writer *w, struct store_job *jobs, struct error *e)
{
    if (!w->txn) {
        struct txn *t = txn_open(w->store, e);
        if (!t || checkpoint_watch(&w->log, t, e)) {
            txn_close(t);
            return -1;
        }
        w->txn = t;
    }
    checkpoint_between(&w->log, w->txn);
    txn_set_give_up(w->txn, give_up, jobs);
    int result = txn_begin(w->txn, e);
    txn_set_give_up(w->txn, NULL, NULL); /* `jobs` is not valid after this batch */
    if (result == 0 && w->txn->team.member && !w->caught_up) {
        w->caught_up = true;
        result = w->store->team->catch_up(w->txn, false, e);
        if (result)
            txn_rollback(w->txn);
    }
    return result;
}

/*
 * Runs a job. Returns 0, or -1 with the job's error. A job that overlooked a failed write fails
 * too.
 */
static int call_job(struct txn *t, struct store_job *job)
{
    job->error->code = ERROR_NONE;
    job->first = t->last_seq + 1;
    int result = job->run(t, job->arg, job->error);
    job->end = t->last_seq + 1;
    if ((result == 0 && (t->failed || txn_is_lost(t))) ||
        (result && job->error->code == ERROR_NONE))
        result = error_set(job->error, ERROR_STORE, "Try again.", "a write failed half-way");
    if (result == 0)
        job->error->code = ERROR_NONE; /* it may have recovered from an error */
    return result;
}

enum outcome {
    JOB_ENDED,   /* the job succeeded, or failed and was rolled back */
    TXN_LOST,    /* the whole transaction was rolled back, for the reason in `e` */
    NEEDS_RETRY, /* it failed half-way without a savepoint: roll back all and run them again */
};

/* Runs one job in a savepoint of its own. */
static enum outcome run_job(struct writer *w, struct store_job *job, struct error *e)
{
    struct txn *t = w->txn;
    if (txn_save(t, e))
        return TXN_LOST;
    int result = call_job(t, job);
    if (result == 0 && t->team.member)
        result = t->store->team->check(t, job, job->error);
    if (txn_is_lost(t)) {
        *e = *job->error;
        return TXN_LOST;
    }
    return (result == 0 ? txn_release(t, e) : txn_undo(t, e)) ? TXN_LOST : JOB_ENDED;
}

/* Runs one job without a savepoint. */
static enum outcome run_job_unsaved(struct writer *w, struct store_job *job, struct error *e)
{
    struct txn *t = w->txn;
    txn_note_state(t);
    int result = call_job(t, job);
    if (result == 0 && t->team.member)
        result = t->store->team->check(t, job, job->error);
    if (txn_is_lost(t)) {
        *e = *job->error;
        return TXN_LOST;
    }
    if (result == 0)
        return txn_end_job(t, e) ? TXN_LOST : JOB_ENDED;
    if (!txn_is_unchanged(t))
        return NEEDS_RETRY;
    text_index_cut(&t->index, t->saved.texts);
    return JOB_ENDED;
}

static void fail_all(struct store_job *job, const struct store_job *until, const struct error *e)
{
    for (; job != until; job = job->next)
        if (job->error->code == ERROR_NONE)
            *job->error = *e;
}

static void note_head(struct writer *w)
{
    const struct txn *t = w->txn;
    /* What the team does not have yet may get another place in the journal. */
    w->head.events = t->team.member ? (struct chain_end){t->team.confirmed, t->team.hash}
                                    : (struct chain_end){t->last_seq, t->last_hash};
    if (t->calls_generation == t->generation)
        w->head.calls = t->calls;
}

static bool has_head(const struct writer *w)
{
    return w->head.events.count || w->head.calls.count;
}

static bool all_can_repeat(const struct store_job *job)
{
    while (job && job->again)
        job = job->next;
    return !job;
}

/*
 * Runs jobs from *job on, for up to BATCH_MS. *job becomes the first that did not run, or the one
 * that failed with TXN_LOST. On a team's replica all are repeatable, or none is: if others are
 * faster, the former run again, and what they were asked is checked again.
 */
static enum outcome run_jobs(struct writer *w, struct store_job **job, bool unsaved,
                             struct error *e)
{
    int64_t until = monotonic_ms() + BATCH_MS;
    bool again = (*job)->again;
    do {
        enum outcome outcome = unsaved ? run_job_unsaved(w, *job, e) : run_job(w, *job, e);
        if (outcome != JOB_ENDED)
            return outcome;
        *job = (*job)->next;
    } while (*job && monotonic_ms() < until && (!w->txn->team.member || (*job)->again == again));
    return JOB_ENDED;
}

/*
 * If the rollback failed, too, the connection still has a transaction and its lock. Closing it
 * releases both; the next batch opens another.
 */
static void drop_connection(struct writer *w)
{
    if (!w->txn || txn_is_lost(w->txn))
        return;
    txn_close(w->txn);
    w->txn = NULL;
    w->log = (struct checkpoint){.page = w->log.page, .erased = w->log.erased};
}

static int note_head_place(struct writer *w)
{
    struct error ignored;
    return head_note(w->txn->db, w->store->head, &ignored);
}

static bool give_up_at_once(void *arg)
{
    (void)arg;
    return true;
}

/* In a transaction of its own, unless others write just now. */
static void note_head_at_last(struct writer *w)
{
    struct error ignored;
    if (w->head_place != HEAD_WRITTEN || !w->txn ||
        head_is_noted(w->txn->db, w->store->head, &ignored) != 0)
        return;
    txn_set_give_up(w->txn, give_up_at_once, NULL);
    if (txn_begin(w->txn, &ignored))
        return;
    if (note_head_place(w))
        txn_rollback(w->txn);
    else
        txn_commit(w->txn, &ignored);
}

/*
 * Sends the events of the transaction to the team. NEEDS_RETRY if others were faster: it was rolled
 * back, theirs are applied, and the jobs are to run again. Jobs that run only once are merged.
 */
#define FAIR_TRIES 2 /* then nobody else appends meanwhile */
static enum outcome send_to_team(struct writer *w, struct store_job *jobs, struct store_job *end,
                                 int tries, struct error *e)
{
    struct txn *t = w->txn;
    enum team_outcome sent = TEAM_SENT;
    const struct team_ops *team = t->store->team;
    if (!t->team.member || t->last_seq == t->team.confirmed)
        return JOB_ENDED;
    if (team->send(t, !jobs->again, &sent, e))
        return TXN_LOST;
    if (sent != TEAM_BEHIND)
        return JOB_ENDED;
    int result = team->note(t, jobs, end, e);
    txn_rollback(t);
    if (result || txn_begin(t, e))
        return TXN_LOST;
    if (team->catch_up(t, tries >= FAIR_TRIES, e) || txn_commit(t, e))
        return TXN_LOST;
    return NEEDS_RETRY;
}

/*
 * Runs one transaction from the front of `jobs`. Returns the first job that it did not run; all
 * before it have their `error`.
 */
static struct store_job *run_batch(struct writer *w, struct store_job *jobs)
{
    struct error e;
    struct store_job *job = jobs, *rest = NULL;
    enum outcome outcome = NEEDS_RETRY;
    bool unsaved = all_can_repeat(jobs);
    for (struct store_job *j = jobs; j; j = j->next)
        j->error->code = ERROR_NONE;
    for (int tries = 1; outcome == NEEDS_RETRY; unsaved = false) {
        job = jobs;
        if (begin(w, jobs, &e)) {
            drop_connection(w);
            fail_all(jobs, NULL, &e);
            return NULL;
        }
        outcome = run_jobs(w, &job, unsaved, &e);
        rest = outcome == TXN_LOST ? job->next : job;
        if (outcome == JOB_ENDED)
            outcome = send_to_team(w, jobs, job, tries++, &e);
        if (outcome != JOB_ENDED) {
            txn_rollback(w->txn);
            drop_connection(w);
        }
    }
    if (w->txn && w->txn->team.member)
        w->store->team->done(w->store->team_link);
    if (outcome == TXN_LOST) {
        fail_all(jobs, rest, &e);
        return rest;
    }
    bool notes = w->head_place == HEAD_WRITTEN && note_head_place(w) == 0;
    if (txn_commit(w->txn, &e)) {
        drop_connection(w);
        fail_all(jobs, job, &e);
    } else {
        w->head_place = notes ? HEAD_NOTED : w->head_place;
        note_head(w);
        checkpoint_note(&w->log, w->txn);
    }
    return job;
}

static void answer(struct store_job *job, const struct store_job *until)
{
    while (job != until) {
        struct store_job *next = job->next;
        job->last = next == until || next->group != job->group;
        /* The job may be freed by `done`. */
        job->done(job->done_arg ? job->done_arg : job->arg, job->error);
        job = next;
    }
}

static void write_head(struct writer *w)
{
    struct error ignored; /* the head may be behind; the next commit writes it again */
    const char *path = w->store->head;
    if (has_head(w) && path && w->txn && head_write(&w->head, w->txn->db, path, &ignored) == 0 &&
        w->head_place == HEAD_UNWRITTEN)
        w->head_place = HEAD_WRITTEN;
    w->head = (struct head){.events = {.count = 0}};
    w->head_due = monotonic_ms() + HEAD_MS;
}

/* ---- the thread: the queue ---- */

/*
 * Takes the jobs that may share a transaction, or one that needs its own. Call with the lock held.
 */
static struct store_job *take_jobs(struct writer *w)
{
    struct store_job *jobs = w->first, **last = &w->first;
    do
        last = &(*last)->next;
    while (!jobs->alone && *last && !(*last)->alone);
    w->first = *last;
    if (!w->first)
        w->end = &w->first;
    *last = NULL;
    return jobs;
}

static bool is_log_due(struct writer *w)
{
    return w->txn && checkpoint_is_due(&w->log);
}

/* When the next chore is due, or NEVER. */
#define NEVER INT64_MAX
static int64_t chores_due(struct writer *w)
{
    int64_t head = has_head(w) ? w->head_due : NEVER;
    int64_t idle = is_log_due(w) ? w->idle_due : NEVER;
    int64_t cache = w->cache_due ? w->cache_due : NEVER;
    int64_t first = head < idle ? head : idle;
    return first < cache ? first : cache;
}

static void do_chores(struct writer *w)
{
    /* A write after a pause needs few of the pages that were written before. */
    if (w->cache_due && monotonic_ms() >= w->cache_due) {
        if (w->txn)
            sqlite3_db_release_memory(db_handle(w->txn->db));
        w->cache_due = 0;
    }
    if (has_head(w) && monotonic_ms() >= w->head_due)
        write_head(w);
    if (is_log_due(w) && monotonic_ms() >= w->idle_due) {
        checkpoint_empty(&w->log, w->txn);
        w->idle_due = monotonic_ms() + HEAD_MS; /* in case another process was writing */
    }
}

/* Waits for jobs and does chores when they are due. NULL when the writer is closing. */
static struct store_job *next_jobs(struct writer *w)
{
    struct store_job *jobs = NULL;
    pthread_mutex_lock(&w->lock);
    while (!w->first && !w->closing) {
        int64_t ms = chores_due(w);
        if (ms == NEVER) {
            pthread_cond_wait(&w->wake, &w->lock);
            continue;
        }
        if (platform_cond_wait(&w->wake, &w->lock, ms) && !w->first) {
            pthread_mutex_unlock(&w->lock);
            do_chores(w);
            pthread_mutex_lock(&w->lock);
        }
    }
    if (w->first)
        jobs = take_jobs(w);
    pthread_mutex_unlock(&w->lock);
    return jobs;
}

static void *writer_main(void *arg)
{
    struct writer *w = arg;
    struct store_job *jobs;
    struct error ignored;
    while ((jobs = next_jobs(w))) {
        while (jobs) {
            struct store_job *rest = run_batch(w, jobs);
            answer(jobs, rest);
            jobs = rest;
        }
        w->idle_due = monotonic_ms() + IDLE_MS;
        w->cache_due = monotonic_ms() + CACHE_MS;
        if (has_head(w) && monotonic_ms() >= w->head_due)
            write_head(w);
    }
    write_head(w);
    note_head_at_last(w);
    if (w->txn && store_check_file(w->store, &ignored))
        checkpoint_empty(&w->log, w->txn);
    if (w->store->team)
        w->store->team->close(w->store->team_link);
    txn_close(w->txn); /* the last connection checkpoints and removes the log */
    return NULL;
}

/* Call with the lock held. */
static int start(struct writer *w, struct error *e)
{
    int failed = thread_start(&w->thread, "writer", writer_main, w);
    if (failed)
        return error_set(e, ERROR_STORE, "", "cannot start the writer: %s", strerror(failed));
    w->started = true;
    return 0;
}

void writer_free(struct writer *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    bool started = w->started;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    if (started)
        pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* ---- submitting ---- */

int store_submit_list(struct store *s, struct store_job *jobs, struct error *e)
{
    struct writer *w = s->writer;
    if (!w)
        return store_cannot_write(s, HINT_WRITABLE, e);
    struct store_job **end = &jobs;
    while (*end)
        end = &(*end)->next;
    pthread_mutex_lock(&w->lock);
    int result = w->started ? 0 : start(w, e);
    if (result == 0 && jobs) {
        *w->end = jobs;
        w->end = end;
        pthread_cond_signal(&w->wake);
    }
    pthread_mutex_unlock(&w->lock);
    return result;
}

/* A job in memory of its own. */
struct own_job {
    struct store_job job;
    struct error error;
    job_done done;
};

static void finish_own_job(void *arg, const struct error *e)
{
    struct own_job *p = arg;
    if (p->done)
        p->done(p->job.arg, e);
    free(p);
}

static int submit(struct store *s, job_run run, job_done done, void *arg, bool alone,
                  struct error *e)
{
    struct own_job *p = xmalloc(sizeof(*p));
    p->done = done;
    p->job = (struct store_job){.run = run,
                                .arg = arg,
                                .done = finish_own_job,
                                .done_arg = p,
                                .error = &p->error,
                                .alone = alone};
    int result = store_submit_list(s, &p->job, e);
    if (result)
        free(p);
    return result;
}

int store_submit(struct store *s, job_run run, job_done done, void *arg, struct error *e)
{
    return submit(s, run, done, arg, false, e);
}

int store_submit_alone(struct store *s, job_run run, job_done done, void *arg, struct error *e)
{
    return submit(s, run, done, arg, true, e);
}

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;
};

static void wake_waiter(void *arg, const struct error *e)
{
    struct waiter *w = arg;
    (void)e; /* the waiter has its own pointer to it */
    pthread_mutex_lock(&w->lock);
    w->answered = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

static int run_and_wait(struct store *s, job_run run, void *arg, bool alone, bool again,
                        struct error *e)
{
    struct waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    struct store_job job = {.run = run,
                            .arg = arg,
                            .done = wake_waiter,
                            .done_arg = &w,
                            .error = e,
                            .alone = alone,
                            .again = again};
    if (store_submit_list(s, &job, e))
        return -1;
    pthread_mutex_lock(&w.lock);
    while (!w.answered)
        pthread_cond_wait(&w.wake, &w.lock);
    pthread_mutex_unlock(&w.lock);
    pthread_cond_destroy(&w.wake);
    pthread_mutex_destroy(&w.lock);
    return e->code == ERROR_NONE ? 0 : -1;
}

int store_run(struct store *s, job_run run, void *arg, struct error *e)
{
    return run_and_wait(s, run, arg, false, false, e);
}

int store_run_again(struct store *s, job_run run, void *arg, struct error *e)
{
    return run_and_wait(s, run, arg, false, true, e);
}

int store_run_alone(struct store *s, job_run run, void *arg, struct error *e)
{
    return run_and_wait(s, run, arg, true, false, e);
}
