#include "view_memory.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "facts_sheet.h"
#include "sheet_view.h"

#define SLOT_FACTS 0

struct memory_view {
    struct view view;
    int64_t node;
    struct facts *facts; /* NULL: not read yet */
    struct sheet sheet;
    int laid_out; /* for this width; 0: it must be laid out */
    bool exact_times, load_again;
    char name[64]; /* of the breadcrumb */
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
    j->facts = facts_read(r, j->node, 0, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void load(struct memory_view *m);

static void done(struct job *job, const struct error *e)
{
    struct facts_job *j = (struct facts_job *)job;
    struct memory_view *m = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(m->view.app, e);
        return;
    }
    facts_free(m->facts);
    m->facts = j->facts;
    j->facts = NULL;
    m->laid_out = 0;
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
    worker_submit(&m->view.app->worker, &j->job, &job_ops, m, SLOT_FACTS);
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    struct memory_view *m = memory_of(v);
    struct app *x = v->app;
    (void)height;
    if (!m->facts || (m->laid_out == width && m->exact_times == x->exact_times))
        return;
    struct facts_look look = {
        .screen = &x->screen, .width = width, .now = x->now, .exact_times = x->exact_times};
    facts_sheet_full(&m->sheet, m->facts, &look);
    m->laid_out = width;
    m->exact_times = x->exact_times;
    view_set_count(v, m->sheet.count);
    view_search_again(v);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    sheet_view_draw_line(v, &memory_of(v)->sheet, row, line);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, memory_of(v)->name);
}

/* "3 of 41": its place in the list below it. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct view *below = v->below;
    if (below && below->ops->place == IN_LIST && below->selected != LINE_NONE &&
        view_node_at(v->below, below->selected) == memory_of(v)->node)
        strbuf_addf(out, "%zu of %zu", below->selected + 1, below->count);
}

/* What keys are about, where it is not the memory itself. */
static void position(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, view_node(v));
    if (row) {
        strbuf_addstr(out, "on ");
        details_ref(v->app, row, out);
    }
}

static bool selectable(struct view *v, size_t line)
{
    struct memory_view *m = memory_of(v);
    return line < m->sheet.count && m->sheet.line[line].opens;
}

/* Under the cursor; where there is none, the memory itself. */
static int64_t node_at(struct view *v, size_t line)
{
    struct memory_view *m = memory_of(v);
    return line < m->sheet.count ? m->sheet.line[line].node : 0;
}

static int64_t about(const struct view *v)
{
    return ((const struct memory_view *)v)->node;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    sheet_text(&memory_of(v)->sheet, line, out);
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
    case REQUEST_NEXT_SECTION:
        sheet_view_step(v, &memory_of(v)->sheet, 1);
        return true;
    case REQUEST_PREVIOUS_SECTION:
        sheet_view_step(v, &memory_of(v)->sheet, -1);
        return true;
    case REQUEST_REFRESH:
        load(memory_of(v));
        return true;
    default:
        return false;
    }
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    (void)events;
    (void)count;
    (void)whole;
    memory_of(v)->load_again = worker_has(&v->app->worker, v, SLOT_FACTS);
    if (!memory_of(v)->load_again)
        load(memory_of(v));
}

static void release(struct view *v)
{
    facts_free(memory_of(v)->facts);
    sheet_release(&memory_of(v)->sheet);
}

static const struct view_ops memory_ops = {
    .name = "memory",
    .place = IN_MEMORY,
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_line = draw_line,
    .selectable = selectable,
    .node = node_at,
    .about = about,
    .text = text,
    .empty = empty,
    .request = request,
    .position = position,
    .news = news,
    .release = release,
};

struct view *memory_view_new(struct app *x, int64_t node)
{
    struct memory_view *m = xcalloc(1, sizeof(*m));
    const struct memory_row *row = details_row(x, node);
    struct strbuf name = STRBUF_INIT;
    view_init(&m->view, &memory_ops, x);
    m->node = node;
    sheet_init(&m->sheet);
    if (row)
        details_ref(x, row, &name);
    snprintf(m->name, sizeof(m->name), "%s", name.buf);
    strbuf_release(&name);
    load(m);
    return &m->view;
}
