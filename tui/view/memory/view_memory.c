#include "tui/view/memory/view_memory.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/sheet_view.h"

#define SLOT_FACTS 0

struct memory_view {
    struct sheet_view of_sheet;
    int64_t node;
    struct facts *facts; /* NULL: not read yet */
    bool load_again;
    struct memory_name name; /* of the breadcrumb */
};

struct facts_job {
    struct job job;
    struct memory_view *view;
    int64_t node;
    struct facts *facts;
};

static struct memory_view *memory_of(struct view *v)
{
    return (struct memory_view *)v;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct facts_job *j = (struct facts_job *)job;
    j->facts = facts_read(r, j->node, 0, true, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void load(struct memory_view *m);

static void done(struct job *job, const struct error *e)
{
    struct facts_job *j = (struct facts_job *)job;
    struct memory_view *m = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(m->of_sheet.view.app, e);
        return;
    }
    facts_free(m->facts);
    m->facts = j->facts;
    j->facts = NULL;
    m->of_sheet.laid_out = 0;
    if (m->load_again)
        load(m);
    m->load_again = false;
}

static void release_job(struct job *job)
{
    facts_free(((struct facts_job *)job)->facts);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading the memory", .run = run, .done = done, .release = release_job};

static void load(struct memory_view *m)
{
    struct facts_job *j = xcalloc(1, sizeof(*j));
    j->view = m;
    j->node = m->node;
    worker_submit(&m->of_sheet.view.app->data.worker, &j->job, &job_ops, m, SLOT_FACTS);
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    struct memory_view *m = memory_of(v);
    struct app *x = v->app;
    (void)height;
    if (!m->facts || sheet_view_is_laid_out(v, width))
        return;
    struct facts_look look = ages_look(&x->ui);
    look.width = width;
    struct sheet_place place = sheet_view_place(v);
    facts_sheet_full(&m->of_sheet.sheet, m->facts, &look);
    sheet_view_return(v, &place);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, details_name(v->app, &memory_of(v)->name));
}

/* "3 of 41": its place in the list below it. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct view *below = v->below;
    if (below && below->ops->place == IN_LIST && below->selected != LINE_NONE &&
        view_node_at(v->below, below->selected) == memory_of(v)->node)
        strbuf_addf(out, "%zu of %zu", below->selected + 1, below->count);
}

static int64_t about(const struct view *v)
{
    return ((const struct memory_view *)v)->node;
}

static const char *empty(struct view *v)
{
    (void)v;
    return "reading…";
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_REFRESH:
        load(memory_of(v));
        return true;
    default:
        return sheet_view_request(v, request);
    }
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    memory_of(v)->load_again = worker_has(&v->app->data.worker, v, SLOT_FACTS);
    if (!memory_of(v)->load_again)
        load(memory_of(v));
}

static void release(struct view *v)
{
    facts_free(memory_of(v)->facts);
    sheet_release(&memory_of(v)->of_sheet.sheet);
}

static const struct view_ops memory_ops = {
    .name = "memory",
    .place = IN_MEMORY,
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_line = sheet_view_draw_line,
    .selectable = sheet_view_selectable,
    .node = sheet_view_node,
    .about = about,
    .text = sheet_view_text,
    .empty = empty,
    .request = request,
    .position = details_position,
    .news = news,
    .release = release,
};

struct view *memory_view_new(struct app *x, int64_t node)
{
    struct memory_view *m = xcalloc(1, sizeof(*m));
    view_init(&m->of_sheet.view, &memory_ops, &x->ui);
    m->node = node;
    sheet_init(&m->of_sheet.sheet);
    details_name_open(x, &m->name, node);
    load(m);
    return &m->of_sheet.view;
}
