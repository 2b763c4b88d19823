#include "tui/view/views.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/view/events/event_facts.h"
#include "tui/view/events/activity_list.h"
#include "tui/explorer/visit.h"
#include "tui/view/memory/memory_views.h"

#define SLOT_VERSIONS 8

struct history_view {
    struct happening_list list;
    struct memory_name name; /* of the breadcrumb */
    size_t version,
        versions; /* its place in its chain, from 1, and how many there are; 0: not known */
};

static struct history_view *history_of(struct view *v)
{
    return (struct history_view *)v;
}

static int64_t subject_of(struct view *v)
{
    return history_of(v)->list.filter.subject;
}

/* ---- how many versions there are ---- */

struct versions_job {
    struct job job;
    struct history_view *view;
    int64_t node;
    size_t version, versions;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct versions_job *j = (struct versions_job *)job;
    struct arena arena = ARENA_INIT;
    int64_t *rows;
    int failed = history_versions(r, &arena, j->node, &rows, &j->versions, e);
    for (size_t i = 0; !failed && i < j->versions; i++)
        if (rows[i] == j->node)
            j->version = i + 1;
    arena_release(&arena);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct versions_job *j = (struct versions_job *)job;
    if (e->code && e->code != ERROR_INTERRUPTED)
        app_fail(j->view->list.view.app, e);
    if (e->code)
        return;
    j->view->version = j->version;
    j->view->versions = j->versions;
}

static void release_job(struct job *job)
{
    free(job);
}

static const struct job_ops job_ops = {.name = "looking for versions",
                                       .run = run,
                                       .done = done,
                                       .release = release_job,
                                       .quiet = true};

static void count_versions(struct history_view *h)
{
    struct versions_job *j = xcalloc(1, sizeof(*j));
    j->view = h;
    j->node = h->list.filter.subject;
    worker_submit(&h->list.view.app->data.worker, &j->job, &job_ops, h, SLOT_VERSIONS);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%s %s history", details_name(v->app, &history_of(v)->name),
                glyph_text(&v->app->ui.screen, GLYPH_CRUMB));
}

static void counts(struct view *v, struct strbuf *out)
{
    struct history_view *h = history_of(v);
    happening_list_counts(v, out);
    if (h->versions > 1)
        strbuf_addf(out, " %s version %zu of %zu", glyph_text(&v->app->ui.screen, GLYPH_DOT),
                    h->version, h->versions);
}

/* The memory as it is, above its columns. */
static void draw_header(struct view *v, const struct pane *p)
{
    struct app *x = v->app;
    const struct memory_row *m = details_row(x, subject_of(v));
    const struct detail *d = details_of(x, subject_of(v));
    int at = 3;
    if (m && !STATUS_LIVES(m->status))
        paint_label(p, 0, at, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(p, 0, at, d->label.label);
    if (m && m->status != STATUS_ACTIVE)
        at += paint_format(p, 0, at + 2, 20, STYLE_DIM, "%s %s", status_name(m->status),
                           glyph_text(&x->ui.screen, GLYPH_DOT)) +
              1;
    if (m && m->text)
        paint_text(p, 0, at + 2, p->width - at - 3, STYLE_TEXT, m->text);
    happening_list_draw_header(v, p);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    happening_list_news(v, events, count, whole);
    count_versions(history_of(v));
}

static bool open_line(struct view *v)
{
    const struct happening *h = happening_list_cursor(&history_of(v)->list);
    if (h)
        app_push(v->app, state_view_new(v->app, h->id));
    return true;
}

static bool request(struct view *v, enum view_request request)
{
    struct history_view *h = history_of(v);
    if (request == REQUEST_OPEN)
        return open_line(v);
    if (request == REQUEST_REFRESH)
        count_versions(h);
    if (request != REQUEST_NEXT_SECTION || v->ui->preview_focus || h->versions < 2)
        return happening_list_request(v, request);
    app_push(v->app, versions_view_new(v->app, subject_of(v)));
    return true;
}

static const struct view_ops history_ops = {
    .name = "history",
    HAPPENING_LIST_OPS,
    .place = IN_HISTORY,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = happening_list_layout,
    .header_rows = 2,
    .draw_header = draw_header,
    .draw_preview = happening_list_draw_preview,
    .scroll_preview = happening_list_scroll_preview,
    .request = request,
    .news = news,
    .release = happening_list_release,
};

struct view *history_view_new(struct app *x, int64_t node)
{
    struct history_view *h = xcalloc(1, sizeof(*h));
    happening_list_init(&h->list, &history_ops, x, LOOK_HISTORY);
    details_name_open(x, &h->name, node);
    h->list.filter.subject = node;
    h->list.filter.sorts = 1u << HAPPENED_WRITE;
    happening_list_begin(&h->list);
    count_versions(h);
    return &h->list.view;
}
