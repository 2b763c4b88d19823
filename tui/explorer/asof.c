#include "tui/explorer/asof.h"

#include "model/base/alloc.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/disbelieve.h"
#include "tui/text/times.h"

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
