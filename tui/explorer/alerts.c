
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "tui/explorer/app.h"
#include "tui/explorer/saved_views.h"
#include "tui/text/times.h"

/* ---- looking, in the worker ---- */

struct look {
    struct job job;
    struct app *app;
    struct arena arena; /* holds what follows, besides the sets' bits */
    size_t count;
    const char **query;
    struct row_set *found;
    int64_t seq;                /* the journal's last event at the last look; then at this one */
    struct row_set own, others; /* what the person changed since then, and what others did */
    bool all_own;               /* nobody else changed anything since then */
    int64_t now;
    unsigned epoch;
};

static int find(struct look *l, size_t i, struct reader *r, struct error *e)
{
    struct query_terms terms;
    struct list_query query = {.terms = &terms};
    int64_t node;
    int got = 0;
    if (query_parse(l->query[i], QUERY_MEMORIES, times_clock(l->now), &l->arena, &terms, e))
        return -1;
    struct list *list = list_open(r, &query, NULL, e);
    while (list && !atomic_load(&l->job.cancelled) && (got = list_next(list, &node, e)) > 0)
        row_set_add(&l->found[i], node);
    if (list)
        list_close(list);
    return list ? got : -1;
}

#define EVENTS_MOST 10000 /* after more changes than that all of them count as those of others */

/* Tells the person's own changes since the last look from those of others. */
static int split_changes(struct look *l, struct reader *r, struct error *e)
{
    struct event *events;
    size_t count;
    int64_t last = journal_last(r, e), since = l->seq;
    l->seq = last;
    if (last < 0 || last - since > EVENTS_MOST)
        return last < 0 ? -1 : 0;
    if (journal_read(r, &l->arena, since, EVENTS_MOST, &events, &count, e))
        return -1;
    l->all_own = true;
    for (size_t i = 0; i < count; i++) {
        bool own = pending_is_own(l->app->options, &events[i]);
        l->all_own = l->all_own && own;
        row_set_add(own ? &l->own : &l->others, events[i].subject);
    }
    return 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct look *l = (struct look *)job;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = split_changes(l, r, e);
    for (size_t i = 0; i < l->count && !failed; i++)
        failed = find(l, i, r, e) < 0;
    reader_end(r);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void release(struct job *job)
{
    struct look *l = (struct look *)job;
    for (size_t i = 0; i < l->count; i++)
        row_set_release(&l->found[i]);
    row_set_release(&l->own);
    row_set_release(&l->others);
    arena_release(&l->arena);
    free(l);
}

/* ---- telling ---- */

void alerts_tell(struct app *x)
{
    struct alerts *a = &x->alerts;
    if (!a->untold || ui_shows_error(&x->ui))
        return;
    ui_message(&x->ui, "alert: %s; :alerts lists them", a->untold);
    free(a->untold);
    a->untold = NULL;
}

static struct watch *watch_of(struct alerts *a, const char *query)
{
    for (size_t i = 0; i < a->count; i++)
        if (!strcmp(a->watch[i].query, query))
            return &a->watch[i];
    return NULL;
}

/* Whether the person did it: changed that memory alone, or alone changed anything. */
static bool is_own(const struct look *l, int64_t node)
{
    return l->all_own || (row_set_has(&l->own, node) && !row_set_has(&l->others, node));
}

/* Notes what matches now and did not before, unless the person did it. Returns how many. */
static size_t compare(struct alerts *a, const struct watch *w, const struct look *l,
                      const struct row_set *found)
{
    size_t count = 0;
    for (int64_t n = 0; w->looked && (n = row_set_next(found, &w->matches, n)) > 0;) {
        if (is_own(l, n))
            continue;
        count++;
        a->count_new += !row_set_has(&a->fresh, n);
        row_set_add(&a->fresh, n);
    }
    return count;
}

static void done(struct job *job, const struct error *e)
{
    struct look *l = (struct look *)job;
    struct app *x = l->app;
    struct alerts *a = &x->alerts;
    AUTO_STRBUF text = STRBUF_INIT;
    throttle_read_done(&a->throttle, job->begun);
    if (e->code) {
        ui_error(&x->ui, e);
        return;
    }
    for (size_t i = 0; i < l->count; i++) {
        struct watch *w = watch_of(a, l->query[i]);
        if (!w)
            continue;
        w->looked = w->looked && a->epoch == l->epoch;
        size_t count = compare(a, w, l, &l->found[i]);
        if (count)
            strbuf_addf(&text, "%s%zu new in %s", text.len ? "; " : "", count, w->query);
        row_set_release(&w->matches);
        w->matches = l->found[i];
        w->looked = true;
        l->found[i] = (struct row_set){0};
    }
    a->epoch = l->epoch;
    a->seq = l->seq;
    if (a->throttle.wanted)
        ui_wake(&x->ui, 1); /* more changed during the look */
    if (text.len) {
        screen_notify(&x->ui.screen, text.buf);
        free(a->untold);
        a->untold = xstrdup(text.buf);
        alerts_tell(x);
    }
}

static const struct job_ops look_ops = {
    .name = "look for alerts", .run = run, .done = done, .release = release, .quiet = true};

static void look(struct app *x)
{
    struct alerts *a = &x->alerts;
    struct look *l = xcalloc(1, sizeof(*l));
    a->throttle.wanted = false;
    l->app = x;
    l->count = a->count;
    l->now = store_now(x->data.store);
    l->epoch = x->data.epoch;
    l->seq = a->seq;
    l->query = arena_alloc(&l->arena, a->count * sizeof(*l->query));
    l->found = arena_alloc(&l->arena, a->count * sizeof(*l->found));
    for (size_t i = 0; i < a->count; i++) {
        l->query[i] = arena_strdup(&l->arena, a->watch[i].query);
        l->found[i] = (struct row_set){0};
    }
    worker_submit(&x->data.worker, &l->job, &look_ops, a, 0);
}

bool alerts_due(struct app *x)
{
    struct alerts *a = &x->alerts;
    int64_t wait = x->ui.script ? 0 : a->throttle.until - monotonic_ms();
    if (!a->throttle.wanted || worker_has(&x->data.worker, a, 0))
        return false;
    if (wait > 0)
        ui_wake(&x->ui, wait);
    else
        look(x);
    return false;
}

void alerts_changed(struct app *x)
{
    x->alerts.throttle.wanted = x->alerts.count > 0;
    alerts_due(x);
}

void alerts_seen(struct alerts *a)
{
    row_set_release(&a->fresh);
    a->fresh = (struct row_set){0};
    a->count_new = 0;
    free(a->untold);
    a->untold = NULL;
}

/* ---- the watches ---- */

static void add(struct alerts *a, const char *query)
{
    if (!watch_of(a, query))
        *ARRAY_ADD(a->watch, a->count, a->alloc) = (struct watch){.query = xstrdup(query)};
}

static void release_watch(struct watch *w)
{
    free(w->query);
    row_set_release(&w->matches);
}

void alerts_open(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char **query;
    struct error e;
    size_t count;
    if (watches_read(&arena, &query, &count, &e))
        ui_error(&x->ui, &e);
    else
        for (size_t i = 0; i < count; i++)
            add(&x->alerts, query[i]);
    alerts_changed(x);
}

void alerts_release(struct alerts *a)
{
    for (size_t i = 0; i < a->count; i++)
        release_watch(&a->watch[i]);
    free(a->watch);
    row_set_release(&a->fresh);
    free(a->untold);
}

void alerts_watch(struct app *x, const char *query)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct query_terms terms;
    struct error e;
    if (query_parse(query, QUERY_MEMORIES, times_clock(x->ui.now), &arena, &terms, &e) ||
        watches_put(query, true, &e)) {
        ui_error(&x->ui, &e);
        return;
    }
    add(&x->alerts, query);
    ui_message(&x->ui, "watching %s; what matches from now on is an alert", query);
    alerts_changed(x);
}

void alerts_unwatch(struct app *x, const char *query)
{
    struct alerts *a = &x->alerts;
    struct watch *w = watch_of(a, query);
    struct error e;
    if (watches_put(query, false, &e)) {
        ui_error(&x->ui, &e);
        return;
    }
    if (w) {
        release_watch(w);
        *w = a->watch[--a->count];
    }
    ui_message(&x->ui, "no longer watching %s", query);
}
