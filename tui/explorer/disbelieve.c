#include "tui/explorer/disbelieve.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/lineage/loaded.h"
#include "store/lineage/orphans.h"
#include "tui/explorer/app.h"

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
static enum job_result run(struct job *job, struct reader *r, struct error *e)
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

static void done(struct job *job, const struct error *e)
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

static void release(struct job *job)
{
    struct lost_job *j = (struct lost_job *)job;
    disbelief_release(j->disbelief);
    selection_release(&j->lost);
    free(j->row);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "what loses its support", .run = run, .done = done, .release = release};

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
    worker_submit(&x->data.worker, &j->job, &job_ops, &job_ops, SLOT_DISBELIEVED);
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
        worker_cancel_owner(&x->data.worker, &job_ops);
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
    if (!worker_has(&x->data.worker, &job_ops, SLOT_DISBELIEVED))
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
