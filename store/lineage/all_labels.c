#include "store/lineage/all_labels.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/lineage/kept_links.h"
#include "store/db/monotonic.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/lineage/subgraph.h"
#include "store/db/thread.h"

#define REST 10 /* times as long as it took */

struct all_labels {
    struct store *store;
    pthread_mutex_t lock;
    /* under `lock` */
    pthread_t thread;
    bool started; /* the thread, which nobody has joined yet */
    bool running; /* it has not come to its end */
    bool closing;
    int64_t next;          /* when it may begin again: us, monotonic */
    struct reader *reader; /* its own, for who interrupts it */
};

struct all_labels *all_labels_new(struct store *s)
{
    struct all_labels *a = xcalloc(1, sizeof(*a));
    a->store = s;
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

void all_labels_free(struct all_labels *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->closing = true;
    if (a->reader)
        reader_interrupt(a->reader);
    bool started = a->started;
    pthread_mutex_unlock(&a->lock);
    if (started)
        pthread_join(a->thread, NULL);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* ---- one pass ---- */

/* 1; 0 where what is kept is of a later moment already. */
static int find_epoch(struct reader *r, uint32_t *epoch, struct error *e)
{
    struct links_walk w;
    int result = links_begin(&w, r, e);
    if (result == 0) {
        *epoch = w.epoch;
        result = w.current;
    }
    links_end(&w);
    return result;
}

static int compute(struct reader *r, uint32_t epoch, struct error *e)
{
    struct graph g;
    struct labels l = {.label = NULL};
    if (graph_load(r, &g, e))
        return -1;
    size_t count = g.nodes;
    int result = labels_compute(&l, &g) ? error_set(e, ERROR_MEMORY, "", "memory ran out") : 0;
    uint8_t *label = l.label;
    l.label = NULL;
    labels_release(&l);
    graph_release(&g);
    return result ? -1 : kept_links_take_labels(reader_store(r)->links, epoch, label, count);
}

int all_labels_find(struct reader *r, struct error *e)
{
    uint32_t epoch = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find_epoch(r, &epoch, e);
    if (result > 0)
        result = compute(r, epoch, e);
    reader_end(r);
    return result;
}

/* ---- the thread ---- */

/* Whoever closes the store finds the reader, or was seen to close it. */
static bool lend(struct all_labels *a, struct reader *r)
{
    pthread_mutex_lock(&a->lock);
    bool goes_on = !a->closing;
    a->reader = r;
    pthread_mutex_unlock(&a->lock);
    return goes_on;
}

/* An interrupt from before reader_begin is forgotten, so the reader is lent after it. What does not come about is tried
 * again when it is wanted then. */
static void find(struct all_labels *a)
{
    struct error ignored;
    struct reader *r = reader_open(a->store, &ignored);
    if (!r)
        return;
    reader_stay_behind(r);
    if (reader_begin(r, &ignored) == 0) {
        if (lend(a, r))
            all_labels_find(r, &ignored);
        lend(a, NULL);
        reader_end(r);
    }
    reader_rest(r);
    reader_close(r);
}

static void *all_labels_main(void *arg)
{
    struct all_labels *a = arg;
    int64_t began = monotonic_us();
    find(a);
    pthread_mutex_lock(&a->lock);
    int64_t now = monotonic_us();
    a->next = now + REST * (now - began);
    a->running = false;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* The one before has come to its end, or all but. Called with the lock held. */
static void start(struct all_labels *a)
{
    if (a->started)
        pthread_join(a->thread, NULL);
    a->started = a->running = thread_start(&a->thread, "labels", all_labels_main, a) == 0;
}

void all_labels_want(struct all_labels *a)
{
    pthread_mutex_lock(&a->lock);
    if (!a->running && !a->closing && monotonic_us() >= a->next)
        start(a);
    pthread_mutex_unlock(&a->lock);
}
