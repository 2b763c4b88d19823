/* Carries calls out. A read runs in the loop for as long as a limit of its reader allows, and is repeated on a thread
 * of its own if that was not enough. The writes of a turn go to the writer together, so that they share a commit. A
 * read has a ticket, the number of writes that its connection sent before it, and waits until as many are committed;
 * the writer answers in order. */
#include <pthread.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/server/server_state.h"
#include "store/txn/txn.h"

#define LONG_READS  2         /* maximum number of reads on threads */
#define ANSWER_SIZE (8 << 10) /* initial size of an answer in bytes; most need no more */
#define PROGRESS_MS 100       /* before the first progress of a call, and between two */

/* ---- one read ---- */

/* Resets a call to its state before it ran, to run it again. */
static void call_clear(struct mcp_call *call)
{
    arena_clear(&call->arena);
    strbuf_clear(&call->result);
    call->subject = 0;
    call->done = NULL;
    call->warning = call->details = NULL;
    call->events = NULL;
    call->event_count = 0;
    call->error.code = ERROR_NONE;
    call->redactions = 0;
    call->is_masked = call->masked_in_parts = call->met_entry = call->has_masks = false;
}

static int cancelled(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
}

/*
 * Reports progress of long calls, but never completion, which the answer implies: clients treat progress that arrives
 * with the answer as progress of an unknown request.
 */
static void report_progress(void *arg, int64_t done, int64_t total)
{
    struct mcp_call *call = arg;
    int64_t now = monotonic_us();
    int64_t last = call->progress_us ? call->progress_us : call->began_us;
    if (now - last < PROGRESS_MS * 1000 || (total > 0 && done >= total))
        return;
    call->progress_us = now;
    mcp_call_progress(call, (double)done, (double)total);
}

/* Makes the answer and masks it. */
static void answer(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_grow(&call->result, ANSWER_SIZE);
    int result = call->read(call, r, e);
    call_note_guard(call, r);
    if (result == 0)
        e->code = ERROR_NONE; /* an error from which the read recovered */
    else if (e->code == ERROR_NONE)
        error_set(e, ERROR_STORE, "Try again.", "the read failed without an error message");
    call_mask(call, r);
}

/*
 * reader_begin clears an earlier interrupt. `cancelled` is set before the interrupt, so it is checked after
 * reader_begin. Nested begins within the read do not clear it.
 */
static void call_run_read(struct mcp_call *call, struct reader *r)
{
    struct error *e = &call->error;
    e->code = ERROR_NONE;
    if (reader_begin(r, e))
        return;
    reader_on_progress(r, report_progress, call);
    reader_guard(r, &call->guard);
    if (atomic_load(&call->cancelled))
        cancelled(e);
    else
        answer(call, r, e);
    reader_guard(r, NULL);
    reader_on_progress(r, NULL, NULL);
    reader_end(r);
}

/* SQLite steps of a read in the loop: about a millisecond if the pages are in memory. */
#define LOOP_STEPS 40000

/* Removes and returns the first; NULL if empty. */
static struct call_job *list_take(struct call_job_list *list)
{
    struct call_job *w = STAILQ_FIRST(list);
    if (w)
        STAILQ_REMOVE_HEAD(list, next);
    return w;
}

/* ---- from and to the connection ---- */

static void calls_start(struct mcp_host *h, struct mcp_call *call)
{
    struct peer *p = (struct peer *)h;
    struct mcp_server *v = p->server;
    struct call_job *w = xcalloc(1, sizeof(*w));
    w->call = call;
    w->peer = p;
    call->job = w;
    p->calls++;
    if (call->work == WORK_WRITE) {
        p->writes_begun++;
        STAILQ_INSERT_TAIL(&v->queue.list, w, next);
    } else {
        w->ticket = p->writes_begun;
        STAILQ_INSERT_TAIL(&p->reads, w, next);
    }
    peer_touch(p);
}

/* ---- long reads ---- */

static void return_job(struct call_job *w)
{
    struct mcp_server *v = w->peer->server;
    pthread_mutex_lock(&v->back.lock);
    STAILQ_INSERT_TAIL(&v->back.done, w, next);
    pthread_mutex_unlock(&v->back.lock);
}

static void set_reader(struct call_job *w, struct reader *r)
{
    pthread_mutex_lock(&w->peer->server->back.lock);
    w->reader = r;
    pthread_mutex_unlock(&w->peer->server->back.lock);
}

/* The thread of a long read, with its own reader. */
static void *long_main(void *arg)
{
    struct call_job *w = arg;
    struct mcp_server *v = w->peer->server;
    struct mcp_call *call = w->call;
    struct reader *r = NULL;
    if (atomic_load(&call->cancelled))
        cancelled(&call->error);
    else if ((r = reader_open(v->store, &call->error))) {
        set_reader(w, r);
        call_run_read(call, r);
        set_reader(w, NULL);
    }
    reader_close(r);
    return_job(w);
    server_wake(v);
    return NULL;
}

/* Starts long reads in order while a thread is free. */
static void start_long_reads(struct mcp_server *v)
{
    struct call_job *w;
    while (v->long_threads < LONG_READS && (w = list_take(&v->long_reads))) {
        w->threaded = true; /* must be set before the thread reads it */
        if (thread_start(&w->thread, "reading", long_main, w) == 0) {
            v->long_threads++;
            continue;
        }
        w->threaded = false;
        error_set(&w->call->error, ERROR_STORE, "Try again.", "no thread can be started to read");
        return_job(w);
        server_wake(v);
    }
}

/* Interrupts the thread of a call whose `cancelled` is set. The call comes back like any other. */
static void interrupt(struct call_job *w)
{
    pthread_mutex_lock(&w->peer->server->back.lock);
    if (w->reader)
        reader_interrupt(w->reader);
    pthread_mutex_unlock(&w->peer->server->back.lock);
}

/* ---- from and to the connection ---- */

/* A waiting call is dropped at its turn, a write when the writer reaches it. */
static void cancel(struct mcp_host *h, struct mcp_call *call)
{
    struct call_job *w = call->job;
    (void)h;
    if (w)
        interrupt(w);
}

/* Reads in the loop end before progress could be sent, so only threads report it. */
static void progress(struct mcp_host *h, struct mcp_call *call)
{
    struct mcp_server *v = ((struct peer *)h)->server;
    struct call_job *w = call->job;
    if (!w || !w->threaded)
        return;
    if (!atomic_exchange(&w->has_progress, true) && !atomic_exchange(&v->back.has_progress, true))
        server_wake(v);
}

/* Fetches the rules once a turn, for all requests in it. */
static struct guard_rules *rules(struct mcp_host *h)
{
    struct mcp_server *v = ((struct peer *)h)->server;
    if (!v->rules && v->options.rules)
        v->rules = v->options.rules(v->options.rules_arg);
    return guard_rules_hold(v->rules);
}

void calls_forget_rules(struct mcp_server *v)
{
    guard_rules_release(v->rules);
    v->rules = NULL;
}

void calls_host(struct peer *p)
{
    p->host.rules = rules;
    p->host.start = calls_start;
    p->host.cancel = cancel;
    p->host.progress = progress;
    p->host.rates = p->server->rates;
    p->host.log = p->server->log;
    p->host.reader = p->server->reader;
    p->host.count = metrics_count;
    p->host.metrics = p->server->metrics;
}

/* Answers the call and frees the job. */
static void finish(struct call_job *w)
{
    struct peer *p = w->peer;
    p->calls--;
    p->writes_done += w->call->work == WORK_WRITE;
    if (p->long_read == w)
        p->long_read = NULL;
    if (w->threaded) {
        pthread_join(w->thread, NULL);
        p->server->long_threads--;
        start_long_reads(p->server);
    }
    mcp_connection_answer(w->call);
    free(w);
    peer_touch(p);
}

/* ---- results of other threads ---- */

/* Takes the finished calls first, then sends progress, then answers: so progress of a finished call comes before its
 * answer. */
void calls_take_done(struct mcp_server *v)
{
    struct call_job *w;
    struct call_job_list done = STAILQ_HEAD_INITIALIZER(done);
    pthread_mutex_lock(&v->back.lock);
    STAILQ_CONCAT(&done, &v->back.done);
    pthread_mutex_unlock(&v->back.lock);
    bool reported = atomic_exchange(&v->back.has_progress, false);
    for (struct peer *p = reported ? LIST_FIRST(&v->clients.all) : NULL; p; p = LIST_NEXT(p, link))
        if (p->long_read && atomic_exchange(&p->long_read->has_progress, false)) {
            mcp_connection_send_progress(p->long_read->call);
            peer_touch(p);
        }
    while ((w = list_take(&done)))
        finish(w);
}

/* ---- writes ---- */

/* A write reads with its caller's guard, both to find what it changes and for its answer. */
static int write_guarded(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct reader *r = txn_reader(t, e);
    if (!r)
        return -1;
    reader_guard(r, &call->guard);
    int result = call->write(call, t, e);
    call_note_guard(call, r);
    reader_guard(r, NULL);
    return result;
}

/* In the writer's thread. */
static int run_write(struct txn *t, void *arg, struct error *e)
{
    struct mcp_call *call = ((struct call_job *)arg)->call;
    call_clear(call);
    if (atomic_load(&call->cancelled))
        return error_set(e, ERROR_INTERRUPTED, "", "cancelled before it began");
    if (call->session && session_admit(t, call->session, &call->actor.session, e)) {
        call->denied = DENIAL_SESSION;
        return -1;
    }
    if (write_guarded(call, t, e))
        return -1;
    return 0;
}

/* In the writer's thread. Wakes the loop once for all writes of a commit. */
static void write_done(void *arg, const struct error *e)
{
    struct call_job *w = arg;
    struct mcp_server *v = w->peer->server;
    bool last = w->write_job.last;
    (void)e;
    return_job(w);
    if (last)
        server_wake(v);
}

void calls_submit(struct mcp_server *v)
{
    struct error e;
    struct call_job *w, *first = STAILQ_FIRST(&v->queue.list);
    struct call_job_list list = STAILQ_HEAD_INITIALIZER(list);
    STAILQ_CONCAT(&list, &v->queue.list);
    for (w = first; w; w = STAILQ_NEXT(w, next))
        w->write_job = (struct store_job){
            .run = run_write,
            .done = write_done,
            .arg = w,
            .error = &w->call->error,
            .group = v,
            .again = true,
            .until = &v->queue.until,
            .next = STAILQ_NEXT(w, next) ? &STAILQ_NEXT(w, next)->write_job : NULL,
        };
    if (!first || store_submit_list(v->store, &first->write_job, &e) == 0)
        return;
    while ((w = list_take(&list))) {
        w->call->error = e;
        finish(w);
    }
}

/* ---- reads ---- */

bool calls_can_read(const struct peer *p)
{
    const struct call_job *w = STAILQ_FIRST(&p->reads);
    return w && w->ticket <= p->writes_done && !peer_is_full(p);
}

static void read_here(struct call_job *w)
{
    struct peer *p = w->peer;
    struct reader *r = p->server->reader;
    reader_limit(r, LOOP_STEPS);
    call_run_read(w->call, r);
    bool spent = reader_limit_exceeded(r);
    reader_limit(r, 0);
    if (!spent || atomic_load(&w->call->cancelled)) {
        finish(w);
        return;
    }
    call_clear(w->call);
    STAILQ_INSERT_TAIL(&p->long_reads, w, next);
}

/* Starts the next long read of the peer; one at a time for each peer. */
static void read_elsewhere(struct peer *p)
{
    if (p->long_read || peer_is_full(p))
        return;
    struct call_job *w = list_take(&p->long_reads);
    if (!w)
        return;
    p->long_read = w;
    STAILQ_INSERT_TAIL(&p->server->long_reads, w, next);
    start_long_reads(p->server);
}

void calls_read(struct peer *p)
{
    int64_t until = monotonic_us() + SHARE_US;
    while (calls_can_read(p)) {
        struct call_job *w = list_take(&p->reads);
        if (w->call->work == WORK_LONG)
            STAILQ_INSERT_TAIL(&p->long_reads, w, next);
        else
            read_here(w);
        if (monotonic_us() >= until)
            break;
    }
    read_elsewhere(p);
    if (calls_can_read(p))
        peer_touch(p);
}

void calls_cancel_reads(struct peer *p)
{
    for (struct call_job *w = STAILQ_FIRST(&p->reads); w; w = STAILQ_NEXT(w, next))
        atomic_store(&w->call->cancelled, true);
    for (struct call_job *w = STAILQ_FIRST(&p->long_reads); w; w = STAILQ_NEXT(w, next))
        atomic_store(&w->call->cancelled, true);
    if (p->long_read) {
        atomic_store(&p->long_read->call->cancelled, true);
        interrupt(p->long_read);
    }
}
