#include "tui/widget/worker.h"

#include <poll.h>
#include "store/db/thread.h"

/* The following need the lock. Returns the first job in that state, or NULL. */
static struct job *first_in(const struct worker *w, enum job_state state)
{
    struct job *job = w->jobs;
    while (job && job->state != state)
        job = job->next;
    return job;
}

static void take_out(struct worker *w, struct job *job)
{
    struct job **at = &w->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

static void append(struct worker *w, struct job *job, enum job_state state)
{
    struct job **end = &w->jobs;
    while (*end)
        end = &(*end)->next;
    *end = job;
    job->next = NULL;
    job->state = state;
}

void worker_wake(struct worker *w)
{
    wakeup_send(&w->wake);
}

static void run_one(struct worker *w, struct job *job)
{
    struct error e = {.code = ERROR_NONE};
    enum job_result result = JOB_DONE;
    if (!atomic_load(&job->cancelled))
        result = job->ops->run(job, w->reader, &e);
    pthread_mutex_lock(&w->lock);
    job->result = result;
    job->error = e;
    if (result != JOB_FAILED)
        job->error.code = ERROR_NONE;
    take_out(w, job);
    append(w, job, JOB_ANSWERED);
    worker_wake(w);
    pthread_mutex_unlock(&w->lock);
}

/* Needs the lock. Returns the reader that is no longer used, or NULL. */
static struct reader *take_next(struct worker *w)
{
    struct reader *before = w->next ? w->reader : NULL;
    if (w->next)
        w->reader = w->next;
    w->next = NULL;
    return before;
}

void worker_set_reader(struct worker *w, struct reader *r)
{
    pthread_mutex_lock(&w->lock);
    struct reader *before = w->next; /* a reader that was never used */
    w->next = r;
    if (!first_in(w, JOB_RUNS) && !before)
        before = take_next(w);
    pthread_mutex_unlock(&w->lock);
    reader_close(before);
}

/* Takes a reference to the current masks for the next job. */
static struct guard_rules *take_mask(struct worker *w)
{
    struct guard_rules *mask = guard_rules_hold(w->mask);
    reader_mask(w->reader, mask);
    return mask;
}

void worker_set_mask(struct worker *w, struct guard_rules *rules)
{
    pthread_mutex_lock(&w->lock);
    struct guard_rules *before = w->mask;
    w->mask = guard_rules_hold(rules);
    pthread_mutex_unlock(&w->lock);
    guard_rules_release(before);
}

static struct disbelief *take_disbelief(struct worker *w)
{
    struct disbelief *d = disbelief_hold(w->disbelief);
    reader_disbelieve(w->reader, d);
    return d;
}

void worker_set_disbelief(struct worker *w, struct disbelief *d)
{
    pthread_mutex_lock(&w->lock);
    struct disbelief *before = w->disbelief;
    w->disbelief = disbelief_hold(d);
    pthread_mutex_unlock(&w->lock);
    disbelief_release(before);
}

static void *thread_main(void *arg)
{
    struct worker *w = arg;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        struct reader *before = take_next(w);
        if (before) {
            pthread_mutex_unlock(&w->lock);
            reader_close(before);
            pthread_mutex_lock(&w->lock);
            continue;
        }
        struct job *job = first_in(w, JOB_WAITS);
        if (!job) {
            pthread_cond_wait(&w->work, &w->lock);
            continue;
        }
        job->state = JOB_RUNS;
        struct guard_rules *mask = take_mask(w);
        struct disbelief *disbelief = take_disbelief(w);
        pthread_mutex_unlock(&w->lock);
        run_one(w, job);
        guard_rules_release(mask);
        disbelief_release(disbelief);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

int worker_open(struct worker *w, struct store *s, struct error *e)
{
    *w = (struct worker){.store = s, .wake = {-1, -1}};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    w->reader = reader_open(s, e);
    if (!w->reader)
        return -1;
    if (wakeup_open(&w->wake) || thread_start(&w->thread, "worker", thread_main, w))
        return error_set(e, ERROR_STORE, "", "cannot start a thread for the explorer");
    w->started = true;
    return 0;
}

/* Needs the lock. */
static void cancel_job(struct worker *w, struct job *job)
{
    atomic_store(&job->cancelled, true);
    if (job->state == JOB_RUNS)
        reader_interrupt(w->reader);
}

void worker_close(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    struct job *job = first_in(w, JOB_RUNS);
    if (job)
        cancel_job(w, job);
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
    if (w->started)
        pthread_join(w->thread, NULL);
    while ((job = w->jobs)) {
        w->jobs = job->next;
        job->ops->release(job);
    }
    guard_rules_release(w->mask);
    disbelief_release(w->disbelief);
    reader_close(w->reader);
    reader_close(w->next);
    wakeup_close(&w->wake);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->work);
    *w = (struct worker){.wake = {-1, -1}};
}

int worker_fd(const struct worker *w)
{
    return w->wake.fd;
}

static bool same(const struct job *job, const void *owner, int slot)
{
    return job->owner == owner && (slot < 0 || job->slot == slot);
}

/* Needs the lock. Cancels the jobs of that owner and slot (-1 for all slots). */
static void cancel_matching(struct worker *w, const void *owner, int slot)
{
    for (struct job *job = w->jobs; job; job = job->next)
        if (same(job, owner, slot))
            cancel_job(w, job);
}

void worker_submit(struct worker *w, struct job *job, const struct job_ops *ops, const void *owner,
                   int slot)
{
    job->ops = ops;
    job->owner = owner;
    job->slot = slot;
    job->begun = monotonic_ms();
    job->error.code = ERROR_NONE;
    atomic_store(&job->cancelled, false);
    pthread_mutex_lock(&w->lock);
    cancel_matching(w, owner, slot);
    append(w, job, JOB_WAITS);
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
}

void worker_cancel(struct worker *w, const void *owner, int slot)
{
    pthread_mutex_lock(&w->lock);
    cancel_matching(w, owner, slot);
    pthread_mutex_unlock(&w->lock);
}

void worker_cancel_owner(struct worker *w, const void *owner)
{
    worker_cancel(w, owner, -1);
}

/* A job that the person cancelled is still delivered, with ERROR_INTERRUPTED. */
const char *worker_cancel_all(struct worker *w)
{
    const char *name = NULL;
    pthread_mutex_lock(&w->lock);
    for (struct job *job = w->jobs; job; job = job->next) {
        bool over = job->state == JOB_ANSWERED && job->result != JOB_AGAIN;
        if (over || job->ops->quiet || atomic_load(&job->cancelled))
            continue;
        name = !name || job->state == JOB_RUNS ? job->ops->name : name;
        job->slot = -2; /* marks it for worker_deliver */
        cancel_job(w, job);
    }
    pthread_mutex_unlock(&w->lock);
    return name;
}

/* Returns true if there may be something to draw. */
static bool deliver_one(struct worker *w, struct job *job)
{
    static const struct error interrupted = {.code = ERROR_INTERRUPTED, .what = "cancelled"};
    bool cancelled = atomic_load(&job->cancelled), drawn = !cancelled || job->slot == -2;
    if (cancelled) {
        if (job->slot == -2)
            job->ops->done(job, &interrupted);
        job->ops->release(job);
    } else if (job->result == JOB_AGAIN) {
        drawn = job->ops->part && job->ops->part(job);
        pthread_mutex_lock(&w->lock);
        append(w, job, JOB_WAITS);
        pthread_cond_signal(&w->work);
        pthread_mutex_unlock(&w->lock);
    } else {
        job->ops->done(job, &job->error);
        job->ops->release(job);
    }
    return drawn;
}

size_t worker_deliver(struct worker *w)
{
    size_t drawn = 0;
    wakeup_take(&w->wake);
    for (int taken = 0; taken < 64; taken++) {
        pthread_mutex_lock(&w->lock);
        struct job *job = first_in(w, JOB_ANSWERED);
        if (job)
            take_out(w, job);
        pthread_mutex_unlock(&w->lock);
        if (!job)
            return drawn;
        drawn += deliver_one(w, job);
    }
    worker_wake(w); /* a frame is due; deliver the rest in the next round */
    return drawn;
}

bool worker_has(struct worker *w, const void *owner, int slot)
{
    bool found = false;
    pthread_mutex_lock(&w->lock);
    for (struct job *job = w->jobs; job && !found; job = job->next)
        found = same(job, owner, slot) && !atomic_load(&job->cancelled);
    pthread_mutex_unlock(&w->lock);
    return found;
}

bool worker_idle(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    bool idle = !w->jobs;
    pthread_mutex_unlock(&w->lock);
    return idle;
}

void worker_wait(struct worker *w)
{
    while (!worker_idle(w)) {
        struct pollfd ready = {.fd = w->wake.fd, .events = POLLIN};
        if (poll(&ready, 1, 20) > 0)
            return;
    }
}
