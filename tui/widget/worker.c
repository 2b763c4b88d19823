#include "tui/widget/worker.h"

#include <unistd.h>
#include <poll.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

static void append(struct job ***end, struct job *job)
{
    job->next = NULL;
    **end = job;
    *end = &job->next;
}

static struct job *take_first(struct job **first, struct job ***end)
{
    struct job *job = *first;
    if (!job)
        return NULL;
    *first = job->next;
    if (!*first)
        *end = first;
    job->next = NULL;
    return job;
}

void worker_wake(struct worker *w)
{
    ssize_t n = write(w->wake[1], "", 1);
    (void)n;
}

static void run_one(struct worker *w, struct job *job)
{
    struct error e = {.code = ERROR_NONE};
    enum job_result result = JOB_DONE;
    if (!atomic_load(&job->cancelled))
        result = job->ops->run(job, w->reader, &e);
    pthread_mutex_lock(&w->lock);
    w->running = NULL;
    job->result = result;
    job->error = e;
    if (result != JOB_FAILED)
        job->error.code = ERROR_NONE;
    append(&w->answered_end, job);
    worker_wake(w);
    pthread_mutex_unlock(&w->lock);
}

/* Under the lock: the reader that is no longer wanted, or NULL. */
static struct reader *take_next(struct worker *w)
{
    struct reader *before = w->next ? w->reader : NULL;
    if (w->next)
        w->reader = w->next;
    w->next = NULL;
    return before;
}

void worker_turn(struct worker *w, struct reader *r)
{
    pthread_mutex_lock(&w->lock);
    struct reader *before = w->next; /* one that was never used */
    w->next = r;
    if (!w->running && !before)
        before = take_next(w);
    pthread_mutex_unlock(&w->lock);
    reader_close(before);
}

/* A job begins with the rules of then, and holds them. */
static struct guard_rules *take_mask(struct worker *w)
{
    struct guard_rules *mask = guard_rules_hold(w->mask);
    reader_mask(w->reader, mask);
    return mask;
}

void worker_mask(struct worker *w, struct guard_rules *rules)
{
    pthread_mutex_lock(&w->lock);
    struct guard_rules *before = w->mask;
    w->mask = guard_rules_hold(rules);
    pthread_mutex_unlock(&w->lock);
    guard_rules_release(before);
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
        struct job *job = take_first(&w->queue, &w->queue_end);
        if (!job) {
            pthread_cond_wait(&w->work, &w->lock);
            continue;
        }
        w->running = job;
        struct guard_rules *mask = take_mask(w);
        pthread_mutex_unlock(&w->lock);
        run_one(w, job);
        guard_rules_release(mask);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

int worker_open(struct worker *w, struct store *s, struct error *e)
{
    *w = (struct worker){.store = s, .wake = {-1, -1}};
    w->queue_end = &w->queue;
    w->answered_end = &w->answered;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    w->reader = reader_open(s, e);
    if (!w->reader)
        return -1;
    if (platform_pipe(w->wake, true) || thread_start(&w->thread, "worker", thread_main, w))
        return error_set(e, ERROR_STORE, "", "no thread could be started for the explorer");
    w->started = true;
    return 0;
}

static void release_all(struct job **first, struct job ***end)
{
    struct job *job;
    while ((job = take_first(first, end)))
        job->ops->release(job);
}

/* Under the lock. */
static void cancel_job(struct worker *w, struct job *job)
{
    atomic_store(&job->cancelled, true);
    if (w->running == job)
        reader_interrupt(w->reader);
}

void worker_close(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    if (w->running)
        cancel_job(w, w->running);
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
    if (w->started)
        pthread_join(w->thread, NULL);
    release_all(&w->queue, &w->queue_end);
    release_all(&w->answered, &w->answered_end);
    guard_rules_release(w->mask);
    reader_close(w->reader);
    reader_close(w->next);
    for (int i = 0; i < 2; i++)
        if (w->wake[i] >= 0)
            close(w->wake[i]);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->work);
    *w = (struct worker){.wake = {-1, -1}};
}

int worker_fd(const struct worker *w)
{
    return w->wake[0];
}

static bool same(const struct job *job, const void *owner, int slot)
{
    return job->owner == owner && (slot < 0 || job->slot == slot);
}

/* Under the lock. Cancels the jobs of that owner and slot (all slots: -1). */
static void cancel_matching(struct worker *w, const void *owner, int slot)
{
    for (struct job *job = w->queue; job; job = job->next)
        if (same(job, owner, slot))
            cancel_job(w, job);
    for (struct job *job = w->answered; job; job = job->next)
        if (same(job, owner, slot))
            cancel_job(w, job);
    if (w->running && same(w->running, owner, slot))
        cancel_job(w, w->running);
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
    append(&w->queue_end, job);
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

/* Under the lock: a job that a person cancelled still answers, that it was. */
static const char *cancel_loud(struct worker *w, struct job *job)
{
    if (!job || job->ops->quiet || atomic_load(&job->cancelled))
        return NULL;
    job->slot = -2; /* tells worker_deliver */
    cancel_job(w, job);
    return job->ops->name;
}

const char *worker_cancel_all(struct worker *w)
{
    const char *name = NULL, *one;
    pthread_mutex_lock(&w->lock);
    for (struct job *job = w->queue; job; job = job->next)
        if ((one = cancel_loud(w, job)))
            name = one;
    for (struct job *job = w->answered; job; job = job->next)
        if (job->result == JOB_AGAIN && (one = cancel_loud(w, job)))
            name = one;
    if ((one = cancel_loud(w, w->running)))
        name = one;
    pthread_mutex_unlock(&w->lock);
    return name;
}

/* True where there may be something to draw. */
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
        append(&w->queue_end, job);
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
    char drain[64];
    size_t drawn = 0;
    while (read(w->wake[0], drain, sizeof(drain)) > 0)
        ;
    for (int taken = 0; taken < 64; taken++) {
        pthread_mutex_lock(&w->lock);
        struct job *job = take_first(&w->answered, &w->answered_end);
        pthread_mutex_unlock(&w->lock);
        if (!job)
            return drawn;
        drawn += deliver_one(w, job);
    }
    worker_wake(w); /* a frame is due; the rest waits for the next round */
    return drawn;
}

bool worker_has(struct worker *w, const void *owner, int slot)
{
    bool found = false;
    pthread_mutex_lock(&w->lock);
    for (struct job *job = w->queue; job && !found; job = job->next)
        found = same(job, owner, slot) && !atomic_load(&job->cancelled);
    for (struct job *job = w->answered; job && !found; job = job->next)
        found = same(job, owner, slot) && !atomic_load(&job->cancelled);
    if (w->running && same(w->running, owner, slot) && !atomic_load(&w->running->cancelled))
        found = true;
    pthread_mutex_unlock(&w->lock);
    return found;
}

bool worker_idle(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    bool idle = !w->queue && !w->running && !w->answered;
    pthread_mutex_unlock(&w->lock);
    return idle;
}

void worker_wait(struct worker *w)
{
    while (!worker_idle(w)) {
        struct pollfd ready = {.fd = w->wake[0], .events = POLLIN};
        if (poll(&ready, 1, 20) > 0)
            return;
    }
}
