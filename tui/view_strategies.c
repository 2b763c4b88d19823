#include "view_strategies.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "sheet_view.h"
#include "strategies_sheet.h"

#define SLOT_LOAD 0
#define CALM_MS   250

struct strategies_view {
    struct view view;
    int64_t nodes[STRATEGIES_MOST];
    size_t count;
    size_t focus;           /* the chain that is looked at */
    struct strategies *all; /* NULL: not read yet */
    struct sheet sheet;
    int laid_out;
    bool exact_times, stale;
    int64_t stale_until;
};

struct strategies_job {
    struct job job;
    struct strategies_view *view;
    int64_t nodes[STRATEGIES_MOST];
    size_t count;
    struct strategies *all;
    int64_t begun;
};

static struct strategies_view *strategies_of(struct view *v)
{
    return (struct strategies_view *)v;
}

/* ---- reading ---- */

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct strategies_job *j = (struct strategies_job *)job;
    j->all = strategies_read(r, j->nodes, j->count, e);
    return j->all ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct strategies_job *j = (struct strategies_job *)job;
    struct strategies_view *s = j->view;
    int64_t now = monotonic_ms();
    if (e->code != ERROR_NONE) {
        app_fail(s->view.app, e);
        return;
    }
    strategies_free(s->all);
    s->all = j->all;
    j->all = NULL;
    s->laid_out = 0;
    s->stale_until = now + 4 * (now - j->begun) + CALM_MS;
}

static void release_job(struct job *job)
{
    strategies_free(((struct strategies_job *)job)->all);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "comparing chains", .run = run, .done = done, .release = release_job};

static void load(struct strategies_view *s)
{
    struct strategies_job *j = xcalloc(1, sizeof(*j));
    s->stale = false;
    j->view = s;
    j->count = s->count;
    j->begun = monotonic_ms();
    memcpy(j->nodes, s->nodes, sizeof(j->nodes));
    worker_submit(&s->view.app->worker, &j->job, &job_ops, s, SLOT_LOAD);
}

static void read_stale(struct strategies_view *s)
{
    struct app *x = s->view.app;
    int64_t wait = x->options->script ? 0 : s->stale_until - monotonic_ms();
    if (!s->stale || worker_has(&x->worker, s, SLOT_LOAD))
        return;
    if (wait > 0)
        app_wake(x, wait);
    else
        load(s);
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    struct strategies_view *s = strategies_of(v);
    struct app *x = v->app;
    (void)height;
    read_stale(s);
    if (!s->all || (s->laid_out == width && s->exact_times == x->exact_times))
        return;
    struct facts_look look = {
        .screen = &x->screen, .width = width, .now = x->now, .exact_times = x->exact_times};
    struct sheet_place place = sheet_view_place(v, &s->sheet);
    strategies_sheet(&s->sheet, s->all, s->focus, &look);
    s->laid_out = width;
    s->exact_times = x->exact_times;
    sheet_view_return(v, &s->sheet, &place);
    view_search_again(v);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    sheet_view_draw_line(v, &strategies_of(v)->sheet, row, line);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%zu strategies", strategies_of(v)->count);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct strategies *all = strategies_of(v)->all;
    const char *dot = glyph_text(&v->app->screen, GLYPH_DOT);
    size_t running = 0;
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        running += all->chain[i].chain.state == CHAIN_RUNNING;
    strbuf_addstr(out, all->one_question ? "one question" : "several questions");
    if (running > 0)
        strbuf_addf(out, " %s %zu running", dot, running);
}

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
    const struct strategies_view *s = strategies_of(v);
    return line < s->sheet.count && s->sheet.line[line].opens;
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct strategies_view *s = strategies_of(v);
    return line < s->sheet.count ? s->sheet.line[line].node : 0;
}

/* The chain that is looked at. */
static int64_t about(const struct view *v)
{
    const struct strategies_view *s = (const struct strategies_view *)v;
    return s->all && s->focus < s->all->count ? s->all->chain[s->focus].chain.node : 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    sheet_text(&strategies_of(v)->sheet, line, out);
}

static const char *empty(struct view *v)
{
    return strategies_of(v)->all ? "none of these chains is there any more" : "comparing…";
}

/* ---- requests ---- */

/* The cursor stays on its line, which is about the other chain then. */
static void look_at(struct view *v, int direction)
{
    struct strategies_view *s = strategies_of(v);
    if (!s->all || (direction < 0 ? s->focus == 0 : s->focus + 1 >= s->all->count))
        return;
    s->focus += direction < 0 ? (size_t)-1 : 1;
    size_t line = v->selected, top = v->top;
    v->selected = LINE_NONE;
    s->laid_out = 0;
    layout(v, v->height, v->width);
    v->top = top;
    if (line != LINE_NONE)
        view_select(v, line);
}

/* Where they stand below each other the cursor says which one is looked at. */
static void selected(struct view *v)
{
    struct strategies_view *s = strategies_of(v);
    if (!s->all || v->selected >= s->sheet.count || s->sheet.line[v->selected].value <= 0)
        return;
    if (strategies_beside(s->all->count, v->width) == 1)
        s->focus = (size_t)s->sheet.line[v->selected].value - 1;
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        app_open_memory(v->app, view_node(v));
        return true;
    case REQUEST_FOLD:
        look_at(v, -1);
        return true;
    case REQUEST_UNFOLD:
        look_at(v, 1);
        return true;
    case REQUEST_NEXT_SECTION:
        sheet_view_step(v, &strategies_of(v)->sheet, 1);
        return true;
    case REQUEST_PREVIOUS_SECTION:
        sheet_view_step(v, &strategies_of(v)->sheet, -1);
        return true;
    case REQUEST_REFRESH:
        load(strategies_of(v));
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
    strategies_of(v)->stale = true;
    read_stale(strategies_of(v));
}

static void release(struct view *v)
{
    strategies_free(strategies_of(v)->all);
    sheet_release(&strategies_of(v)->sheet);
}

static const struct view_ops strategies_ops = {
    .name = "strategies",
    .place = IN_STRATEGIES,
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
    .selected = selected,
    .news = news,
    .release = release,
};

struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct strategies_view *s = xcalloc(1, sizeof(*s));
    view_init(&s->view, &strategies_ops, x);
    s->count = count < STRATEGIES_MOST ? count : STRATEGIES_MOST;
    memcpy(s->nodes, nodes, s->count * sizeof(*nodes));
    sheet_init(&s->sheet);
    load(s);
    return &s->view;
}
