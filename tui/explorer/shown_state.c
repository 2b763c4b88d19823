#include "tui/explorer/shown_state.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/text/times.h"
#include "model/base/strbuf.h"
#include "store/lineage/loaded.h"
#include "store/lineage/orphans.h"

/* ---- as of a time ---- */

#define SLOT_ASOF 0
#define TELL_MS   100

struct asof_job {
    struct job job;
    struct app *app;
    struct store *store;
    struct point_in_time point;
    struct reader *mine, *workers; /* readers of the past */
    size_t made;                   /* number of readers that are ready */
};

int asof_open(struct app *x, struct error *e)
{
    x->asof.present = x->data.reader = reader_open(x->data.store, e);
    return x->data.reader ? 0 : -1;
}

void asof_close(struct app *x)
{
    if (x->data.reader && x->data.reader != x->asof.present)
        reader_close(x->data.reader);
    if (x->asof.present)
        reader_close(x->asof.present);
    x->data.reader = x->asof.present = NULL;
}

/* ---- changing the reader ---- */

/* The top view is read again now, the others when they become the top. */
void asof_read_again(struct app *x)
{
    details_forget(&x->details);
    panel_forget(&x->preview);
    changes_count_agents(x);
    x->data.epoch++;
    view_reload_if_outdated(x->nav.top);
    live_store_changed(x);
    disbelieve_changed(x);
}

static void turn(struct app *x, struct reader *mine, struct reader *workers,
                 const struct point_in_time *m)
{
    struct reader *before = x->data.reader;
    worker_set_reader(&x->data.worker, workers);
    x->data.reader = mine;
    x->asof.point = *m;
    reader_mask(x->data.reader, x->data.mask);
    reader_disbelieve(x->data.reader, x->data.disbelief);
    if (before != x->asof.present)
        reader_close(before);
    x->remote.touched = 0;
    asof_read_again(x);
}

/* ---- building the readers ---- */

static int on_progress(void *arg, int64_t done, int64_t total)
{
    struct asof_job *j = arg;
    int part = total > 0 ? (int)(done * 50 / total) : 0;
    atomic_store(&j->app->asof.percent, (int)j->made * 50 + part);
    return atomic_load(&j->job.cancelled);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct asof_job *j = (struct asof_job *)job;
    (void)r;
    atomic_store(&j->app->asof.percent, 0);
    j->workers = reader_open_past(j->store, j->point.seq, on_progress, j, e);
    j->made = 1;
    j->mine = j->workers ? reader_open_past(j->store, j->point.seq, on_progress, j, e) : NULL;
    return j->mine ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct asof_job *j = (struct asof_job *)job;
    AUTO_STRBUF state = STRBUF_INIT;
    if (e->code == ERROR_INTERRUPTED) {
        ui_message(&j->app->ui, "cancelled");
        return;
    }
    if (e->code != ERROR_NONE) {
        ui_error(&j->app->ui, e);
        return;
    }
    turn(j->app, j->mine, j->workers, &j->point);
    j->mine = j->workers = NULL;
    point_in_time_add(&state, &j->point);
    ui_message(&j->app->ui, "as of %s %s read-only %s :asof now returns", state.buf,
               glyph_text(&j->app->ui.screen, GLYPH_DOT),
               glyph_text(&j->app->ui.screen, GLYPH_DOT));
}

static void release(struct job *job)
{
    struct asof_job *j = (struct asof_job *)job;
    reader_close(j->mine);
    reader_close(j->workers);
    j->app->asof.going = false;
    free(j);
}

static const struct job_ops job_ops = {
    .name = "going back", .run = run, .done = done, .release = release};

void asof_go(struct app *x, const struct point_in_time *m)
{
    struct asof_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->store = x->data.store;
    j->point = *m;
    x->asof.going = true;
    worker_submit(&x->data.worker, &j->job, &job_ops, &x->asof, SLOT_ASOF);
}

void asof_return(struct app *x)
{
    struct error e;
    bool going = worker_has(&x->data.worker, &x->asof, SLOT_ASOF);
    worker_cancel(&x->data.worker, &x->asof, SLOT_ASOF);
    if (!asof_is_past(&x->asof)) {
        ui_message(&x->ui, going ? "cancelled" : "this is the present");
        return;
    }
    struct reader *workers = reader_open(x->data.store, &e);
    if (!workers) {
        ui_error(&x->ui, &e);
        return;
    }
    turn(x, x->asof.present, workers, &(struct point_in_time){0});
    ui_message(&x->ui, "back in the present");
    app_notify_changes(x);
}

/* ---- messages ---- */

static void add_time(int64_t ms, struct strbuf *out)
{
    char when[32];
    times_format(when, sizeof(when), ms);
    strbuf_addf(out, "%.16s", when);
}

void asof_add_crumb(const struct asof *asof, struct strbuf *out)
{
    if (!asof_is_past(asof))
        return;
    strbuf_addstr(out, "as of ");
    add_time(asof->point.until, out);
}

void asof_add_status(struct app *x, struct strbuf *out)
{
    if (worker_has(&x->data.worker, &x->asof, SLOT_ASOF)) {
        strbuf_addf(out, "going back: %d %% (C-c stops)", atomic_load(&x->asof.percent));
        if (!x->ui.screen.speaks)
            ui_wake(&x->ui, TELL_MS);
    } else if (asof_is_past(&x->asof)) {
        const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
        strbuf_addstr(out, "as of ");
        point_in_time_add(out, &x->asof.point);
        strbuf_addf(out, " %s read-only %s :asof now returns", dot, dot);
    }
}

const char *asof_blocked(const struct asof *asof)
{
    return asof_is_past(asof) ? "the past cannot be changed; :asof now returns to the present"
                              : NULL;
}

/* ---- as if memories were wrong ---- */

#define SLOT_DISBELIEVED 0

/* ---- what loses all support ---- */

struct lost_job {
    struct job job;
    struct app *app;
    struct disbelief *disbelief; /* held */
    int64_t *row;                /* [count] */
    size_t count;
    struct selection lost;
};

/* As if they were retracted from what the reader believes otherwise. */
static enum job_result run_lost(struct job *job, struct reader *r, struct error *e)
{
    struct lost_job *j = (struct lost_job *)job;
    struct retraction q = {.count = 0};
    reader_disbelieve(r, NULL);
    int result =
        reader_begin(r, e) ? -1 : reader_done(r, retraction_load(&q, r, j->row, j->count, e));
    for (size_t i = 0; result == 0 && i < q.outcome.unsupported_count; i++)
        selection_set(&j->lost, graph_row(&q.graph, q.outcome.unsupported[i]), true);
    retraction_release(&q);
    reader_disbelieve(r, j->disbelief);
    return result ? JOB_FAILED : JOB_DONE;
}

static void lost_done(struct job *job, const struct error *e)
{
    struct lost_job *j = (struct lost_job *)job;
    if (e->code && e->code != ERROR_INTERRUPTED)
        ui_error(&j->app->ui, e);
    if (e->code)
        return;
    selection_release(&j->app->ui.unsupported);
    j->app->ui.unsupported = j->lost;
    j->lost = (struct selection){0};
}

static void release_lost(struct job *job)
{
    struct lost_job *j = (struct lost_job *)job;
    disbelief_release(j->disbelief);
    selection_release(&j->lost);
    free(j->row);
    free(j);
}

static const struct job_ops lost_ops = {
    .name = "what loses its support", .run = run_lost, .done = lost_done, .release = release_lost};

/* The disbelieved memories; the caller frees them. */
static int64_t *rows_of(const struct app *x)
{
    const struct selection *all = &x->ui.disbelieved;
    int64_t *row = xmalloc((all->count + 1) * sizeof(*row));
    size_t count = 0;
    for (int64_t n = selection_next(all, 0); n > 0; n = selection_next(all, n))
        row[count++] = n;
    return row;
}

void disbelieve_changed(struct app *x)
{
    if (!x->data.disbelief)
        return;
    struct lost_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->disbelief = disbelief_hold(x->data.disbelief);
    j->row = rows_of(x);
    j->count = x->ui.disbelieved.count;
    worker_submit(&x->data.worker, &j->job, &lost_ops, &lost_ops, SLOT_DISBELIEVED);
}

/* ---- disbelieving ---- */

static void apply(struct app *x)
{
    AUTO_FREE int64_t *row = rows_of(x);
    struct disbelief *before = x->data.disbelief;
    size_t count = x->ui.disbelieved.count;
    x->data.disbelief = count ? disbelief_new(row, count) : NULL;
    reader_disbelieve(x->asof.present, x->data.disbelief);
    reader_disbelieve(x->data.reader, x->data.disbelief);
    worker_set_disbelief(&x->data.worker, x->data.disbelief);
    disbelief_release(before);
    if (count == 0) {
        worker_cancel_owner(&x->data.worker, &lost_ops);
        selection_clear(&x->ui.unsupported);
    }
    asof_read_again(x);
}

void disbelieve_toggle(struct app *x, const int64_t *nodes, size_t count)
{
    size_t already = 0;
    for (size_t i = 0; i < count; i++)
        already += selection_has(&x->ui.disbelieved, nodes[i]);
    for (size_t i = 0; i < count; i++)
        selection_set(&x->ui.disbelieved, nodes[i], already < count);
    apply(x);
    if (x->ui.disbelieved.count == 0)
        ui_message(&x->ui, "everything is believed again");
}

void disbelieve_end(struct app *x)
{
    selection_clear(&x->ui.disbelieved);
    apply(x);
    ui_message(&x->ui, "everything is believed again");
}

void disbelieve_release(struct app *x)
{
    disbelief_release(x->data.disbelief);
    x->data.disbelief = NULL;
    selection_release(&x->ui.disbelieved);
    selection_release(&x->ui.unsupported);
}

/* ---- messages ---- */

void disbelieve_add_status(struct app *x, struct strbuf *out)
{
    size_t lost = x->ui.unsupported.count;
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    if (x->ui.disbelieved.count == 0)
        return;
    strbuf_addf(out, "%zu disbelieved", x->ui.disbelieved.count);
    if (!worker_has(&x->data.worker, &lost_ops, SLOT_DISBELIEVED))
        strbuf_addf(out, ", %zu other%s lose%s all support", lost, lost == 1 ? "" : "s",
                    lost == 1 ? "s" : "");
    strbuf_addf(out, " %s nothing is written %s Esc ends it", dot, dot);
}

const char *disbelieve_blocked(const struct app *x)
{
    return x->ui.disbelieved.count
               ? "memories are disbelieved for the moment, and nothing is written; Esc ends that"
               : NULL;
}
