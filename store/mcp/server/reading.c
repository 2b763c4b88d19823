#include "store/mcp/server/reading.h"

#include <pthread.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/server/server_state.h"

#define THREADS     2
#define ANSWER_ROOM (8 << 10) /* bytes that an answer has from the start: most need no more */
#define PROGRESS_MS 100       /* before a call's first word of how far it is, and between two */

struct hand {
    struct reading_threads *owner;
    pthread_t thread;
    struct reader *reader;  /* its own; set under the lock, for who interrupts it */
    struct mcp_call *doing; /* under the lock */
};

struct reading_threads {
    struct store *store;
    void (*done)(void *arg, struct mcp_call *call);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    struct mcp_call *first, **end;
    size_t waiting; /* calls in the list */
    size_t idle;    /* threads that wait */
    bool closing;
    struct hand hands[THREADS];
    size_t started;
};

struct reading_threads *reading_new(struct store *s, void (*done)(void *arg, struct mcp_call *call),
                                    void *arg)
{
    struct reading_threads *g = xcalloc(1, sizeof(*g));
    g->store = s;
    g->done = done;
    g->arg = arg;
    g->end = &g->first;
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->wake, NULL);
    return g;
}

/* ---- one read ---- */

void call_clear(struct mcp_call *call)
{
    arena_clear(&call->arena);
    strbuf_clear(&call->result);
    call->subject = 0;
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
    mcp_call_progress(call, (double)done, (double)total, NULL);
}

/* Reads the answer, and masks it. */
static void answer(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_grow(&call->result, ANSWER_ROOM);
    int result = call->read(call, r, e);
    call_note_guard(call, r);
    if (result == 0 && call->result.failed)
        result = error_set(e, ERROR_MEMORY, "Ask for less.", "the answer finds no memory");
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
void call_run_read(struct mcp_call *call, struct reader *r)
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

/* ---- the threads ---- */

/* The next call, which is `doing` from then on; NULL: it is closing and there is none. */
static struct mcp_call *take(struct hand *h)
{
    struct reading_threads *g = h->owner;
    pthread_mutex_lock(&g->lock);
    if (!g->first && h->reader) {
        pthread_mutex_unlock(&g->lock);
        reader_rest(h->reader);
        pthread_mutex_lock(&g->lock);
    }
    g->idle++;
    while (!g->first && !g->closing)
        pthread_cond_wait(&g->wake, &g->lock);
    g->idle--;
    struct mcp_call *call = g->first;
    if (call) {
        g->first = call->next;
        if (!g->first)
            g->end = &g->first;
        g->waiting--;
        call->next = NULL;
    }
    h->doing = call;
    pthread_mutex_unlock(&g->lock);
    return call;
}

static void give_back(struct hand *h, struct mcp_call *call)
{
    pthread_mutex_lock(&h->owner->lock);
    h->doing = NULL;
    pthread_mutex_unlock(&h->owner->lock);
    h->owner->done(h->owner->arg, call);
}

/* Its reader, opened with the first read, and again where that failed. */
static struct reader *own_reader(struct hand *h, struct error *e)
{
    if (h->reader)
        return h->reader;
    struct reader *r = reader_open(h->owner->store, e);
    pthread_mutex_lock(&h->owner->lock);
    h->reader = r;
    pthread_mutex_unlock(&h->owner->lock);
    return r;
}

static void *hand_main(void *arg)
{
    struct hand *h = arg;
    struct mcp_call *call;
    while ((call = take(h))) {
        if (atomic_load(&call->cancelled))
            cancelled(&call->error);
        else if (own_reader(h, &call->error))
            call_run_read(call, h->reader);
        give_back(h, call);
    }
    reader_close(h->reader);
    return NULL;
}

/* One more thread. Called with the lock held. */
static int start(struct reading_threads *g)
{
    struct hand *h = &g->hands[g->started];
    h->owner = g;
    if (thread_start(&h->thread, "reading", hand_main, h))
        return -1;
    g->started++;
    return 0;
}

void reading_add(struct reading_threads *g, struct mcp_call *call)
{
    pthread_mutex_lock(&g->lock);
    if (g->waiting >= g->idle && g->started < THREADS)
        start(g);
    bool served = g->started > 0;
    if (served) {
        call->next = NULL;
        *g->end = call;
        g->end = &call->next;
        g->waiting++;
        pthread_cond_signal(&g->wake);
    }
    pthread_mutex_unlock(&g->lock);
    if (served)
        return;
    error_set(&call->error, ERROR_MEMORY, "Try again.", "no thread can be started to read");
    g->done(g->arg, call);
}

void reading_cancel(struct reading_threads *g, struct mcp_call *call)
{
    pthread_mutex_lock(&g->lock);
    for (size_t i = 0; i < g->started; i++)
        if (g->hands[i].doing == call && g->hands[i].reader)
            reader_interrupt(g->hands[i].reader);
    pthread_mutex_unlock(&g->lock);
}

void reading_free(struct reading_threads *g)
{
    if (!g)
        return;
    pthread_mutex_lock(&g->lock);
    g->closing = true;
    for (struct mcp_call *call = g->first; call; call = call->next)
        atomic_store(&call->cancelled, true);
    for (size_t i = 0; i < g->started; i++)
        if (g->hands[i].doing) {
            atomic_store(&g->hands[i].doing->cancelled, true);
            if (g->hands[i].reader)
                reader_interrupt(g->hands[i].reader);
        }
    pthread_cond_broadcast(&g->wake);
    pthread_mutex_unlock(&g->lock);
    for (size_t i = 0; i < g->started; i++)
        pthread_join(g->hands[i].thread, NULL);
    pthread_cond_destroy(&g->wake);
    pthread_mutex_destroy(&g->lock);
    free(g);
}
