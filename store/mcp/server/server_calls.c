/* Carries calls out: reads in the loop or on a thread, writes in the writer's next transaction; their order and
 * answers. */
#include <pthread.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/server/server_state.h"
#include "store/txn/txn.h"

#define LONGS       2         /* reads at once that have a thread of their own */
#define ANSWER_ROOM (8 << 10) /* bytes that an answer has from the start: most need no more */
#define PROGRESS_MS 100       /* before a call's first word of how far it is, and between two */

/* ---- one read ---- */

/* As it was before it was run: for one that is begun again elsewhere. */
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
    call->is_masked = call->in_pieces = call->met_entry = call->has_marks = false;
}

static int cancelled(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
}

/*
 * Only of what takes long, now and then, and never that it is done, which the answer says: clients take
 * what comes together with an answer for something of a request that they no longer know.
 */
static void tell(void *arg, int64_t done, int64_t total)
{
    struct mcp_call *call = arg;
    int64_t now = monotonic_us();
    int64_t last = call->told_us ? call->told_us : call->began_us;
    if (now - last < PROGRESS_MS * 1000 || (total > 0 && done >= total))
        return;
    call->told_us = now;
    mcp_call_progress(call, (double)done, (double)total);
}

/* Reads the answer, and masks it. */
static void answer(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_grow(&call->result, ANSWER_ROOM);
    int result = call->read(call, r, e);
    call_note_guard(call, r);
    if (result == 0)
        e->code = ERROR_NONE; /* of something that it got over */
    else if (e->code == ERROR_NONE)
        error_set(e, ERROR_STORE, "Try again.", "it failed and did not say why");
    call_mask(call, r);
}

/*
 * reader_begin forgets an interrupt that came before it; `cancelled` was set before that, so it is looked
 * at after. What the read itself begins is inside of this one and forgets nothing.
 */
static void call_run_read(struct mcp_call *call, struct reader *r)
{
    struct error *e = &call->error;
    e->code = ERROR_NONE;
    if (reader_begin(r, e))
        return;
    reader_on_progress(r, tell, call);
    reader_guard(r, &call->guard);
    if (atomic_load(&call->cancelled))
        cancelled(e);
    else
        answer(call, r, e);
    reader_guard(r, NULL);
    reader_on_progress(r, NULL, NULL);
    reader_end(r);
}

/*
 * Carrying calls out. A read runs in the loop for as long as a limit of its reader allows, and is begun
 * again on a thread of its own where that was not enough. The writes of a turn share a commit: they reach
 * the writer in one piece.
 * A read has a ticket, the number of writes its connection sent before it, and waits until as many are
 * committed; the writer answers in order.
 */

/* About a millisecond where the pages are in memory. */
#define LOOP_STEPS 40000

/* The first, taken out; NULL: there is none. */
static struct errand *list_take(struct errand_list *list)
{
    struct errand *w = STAILQ_FIRST(list);
    if (w)
        STAILQ_REMOVE_HEAD(list, next);
    return w;
}

/* ---- from and to the connection ---- */

static void calls_start(struct mcp_host *h, struct mcp_call *call)
{
    struct peer *p = (struct peer *)h;
    struct mcp_server *v = p->server;
    struct errand *w = xcalloc(1, sizeof(*w));
    w->call = call;
    w->peer = p;
    call->errand = w;
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

static void come_back(struct errand *w)
{
    struct mcp_server *v = w->peer->server;
    pthread_mutex_lock(&v->back.lock);
    STAILQ_INSERT_TAIL(&v->back.done, w, next);
    pthread_mutex_unlock(&v->back.lock);
}

static void set_reader(struct errand *w, struct reader *r)
{
    pthread_mutex_lock(&w->peer->server->back.lock);
    w->reader = r;
    pthread_mutex_unlock(&w->peer->server->back.lock);
}

/* In a thread of its own, with a reader of its own. */
static void *long_main(void *arg)
{
    struct errand *w = arg;
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
    come_back(w);
    server_wake(v);
    return NULL;
}

/* Those that came first, as long as there is a thread for them. */
static void start_longs(struct mcp_server *v)
{
    struct errand *w;
    while (v->long_count < LONGS && (w = list_take(&v->longs))) {
        w->threaded = true; /* before the thread looks at it */
        if (thread_start(&w->thread, "reading", long_main, w) == 0) {
            v->long_count++;
            continue;
        }
        w->threaded = false;
        error_set(&w->call->error, ERROR_STORE, "Try again.", "no thread can be started to read");
        come_back(w);
        server_wake(v);
    }
}

/* Whose `cancelled` is set: what it is doing ends soon. It is given back as any other. */
static void interrupt(struct errand *w)
{
    pthread_mutex_lock(&w->peer->server->back.lock);
    if (w->reader)
        reader_interrupt(w->reader);
    pthread_mutex_unlock(&w->peer->server->back.lock);
}

/* ---- from and to the connection ---- */

/* What waits in a list is dropped when its turn comes, a write when the writer comes to it. */
static void cancel(struct mcp_host *h, struct mcp_call *call)
{
    struct errand *w = call->errand;
    (void)h;
    if (w)
        interrupt(w);
}

/* A read in the loop's own thread is over before its progress could be told. */
static void progress(struct mcp_host *h, struct mcp_call *call)
{
    struct mcp_server *v = ((struct peer *)h)->server;
    struct errand *w = call->errand;
    if (!w || !w->threaded)
        return;
    if (!atomic_exchange(&w->told, true) && !atomic_exchange(&v->back.told, true))
        server_wake(v);
}

/* Asked for once in a turn of the loop, for all that has come by then. */
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

/* Answers it. */
static void finish(struct errand *w)
{
    struct peer *p = w->peer;
    p->calls--;
    p->writes_done += w->call->work == WORK_WRITE;
    if (p->pooled == w)
        p->pooled = NULL;
    if (w->threaded) {
        pthread_join(w->thread, NULL);
        p->server->long_count--;
        start_longs(p->server);
    }
    mcp_connection_answer(w->call);
    free(w);
    peer_touch(p);
}

/* ---- what comes back from other threads ---- */

/* What is done told its progress before: that is taken after it, and told first. */
void calls_take_done(struct mcp_server *v)
{
    struct errand *w;
    struct errand_list done = STAILQ_HEAD_INITIALIZER(done);
    pthread_mutex_lock(&v->back.lock);
    STAILQ_CONCAT(&done, &v->back.done);
    pthread_mutex_unlock(&v->back.lock);
    bool told = atomic_exchange(&v->back.told, false);
    for (struct peer *p = told ? LIST_FIRST(&v->clients.all) : NULL; p; p = LIST_NEXT(p, link))
        if (p->pooled && atomic_exchange(&p->pooled->told, false)) {
            mcp_connection_tell_progress(p->pooled->call);
            peer_touch(p);
        }
    while ((w = list_take(&done)))
        finish(w);
}

/* ---- writes ---- */

/* What it reads for its answer, and to find what it is to change, it reads for its caller. */
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
    struct mcp_call *call = ((struct errand *)arg)->call;
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

/* In the writer's thread; the loop is woken once for all of a commit. */
static void write_done(void *arg, const struct error *e)
{
    struct errand *w = arg;
    struct mcp_server *v = w->peer->server;
    bool last = w->job.last;
    (void)e;
    come_back(w);
    if (last)
        server_wake(v);
}

void calls_submit(struct mcp_server *v)
{
    struct error e;
    struct errand *w, *first = STAILQ_FIRST(&v->queue.list);
    struct errand_list list = STAILQ_HEAD_INITIALIZER(list);
    STAILQ_CONCAT(&list, &v->queue.list);
    for (w = first; w; w = STAILQ_NEXT(w, next))
        w->job = (struct store_job){
            .run = run_write,
            .done = write_done,
            .arg = w,
            .error = &w->call->error,
            .group = v,
            .again = true,
            .until = &v->queue.until,
            .next = STAILQ_NEXT(w, next) ? &STAILQ_NEXT(w, next)->job : NULL,
        };
    if (!first || store_submit_list(v->store, &first->job, &e) == 0)
        return;
    while ((w = list_take(&list))) {
        w->call->error = e;
        finish(w);
    }
}

/* ---- reads ---- */

bool calls_can_read(const struct peer *p)
{
    const struct errand *w = STAILQ_FIRST(&p->reads);
    return w && w->ticket <= p->writes_done && !peer_is_full(p);
}

static void read_here(struct errand *w)
{
    struct peer *p = w->peer;
    struct reader *r = p->server->reader;
    reader_limit(r, LOOP_STEPS);
    call_run_read(w->call, r);
    bool spent = reader_is_spent(r);
    reader_limit(r, 0);
    if (!spent || atomic_load(&w->call->cancelled)) {
        finish(w);
        return;
    }
    call_clear(w->call);
    STAILQ_INSERT_TAIL(&p->longs, w, next);
}

/* One at a time of each connection. */
static void read_elsewhere(struct peer *p)
{
    if (p->pooled || peer_is_full(p))
        return;
    struct errand *w = list_take(&p->longs);
    if (!w)
        return;
    p->pooled = w;
    STAILQ_INSERT_TAIL(&p->server->longs, w, next);
    start_longs(p->server);
}

void calls_read(struct peer *p)
{
    int64_t until = monotonic_us() + SHARE_US;
    while (calls_can_read(p)) {
        struct errand *w = list_take(&p->reads);
        if (w->call->work == WORK_LONG)
            STAILQ_INSERT_TAIL(&p->longs, w, next);
        else
            read_here(w);
        if (monotonic_us() >= until)
            break;
    }
    read_elsewhere(p);
    if (calls_can_read(p))
        peer_touch(p);
}

void calls_give_up_reads(struct peer *p)
{
    for (struct errand *w = STAILQ_FIRST(&p->reads); w; w = STAILQ_NEXT(w, next))
        atomic_store(&w->call->cancelled, true);
    for (struct errand *w = STAILQ_FIRST(&p->longs); w; w = STAILQ_NEXT(w, next))
        atomic_store(&w->call->cancelled, true);
    if (p->pooled) {
        atomic_store(&p->pooled->call->cancelled, true);
        interrupt(p->pooled);
    }
}
