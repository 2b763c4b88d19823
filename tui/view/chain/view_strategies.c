#include "tui/view/chain/view_strategies.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/widget/sheet_view.h"
#include "tui/view/chain/strategies_sheet.h"

#define SLOT_LOAD 0

struct strategies_view {
    struct sheet_view of_sheet;
    int64_t nodes[STRATEGIES_MOST];
    size_t count;
    size_t focus;           /* the chain that is looked at */
    struct strategies *all; /* NULL: not read yet */
    bool opened;            /* the cursor was put where it begins */
};

struct strategies_job {
    struct job job;
    struct strategies_view *view;
    int64_t nodes[STRATEGIES_MOST];
    size_t count;
    struct strategies *all;
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
    if (e->code != ERROR_NONE) {
        app_fail(s->of_sheet.view.app, e);
        return;
    }
    strategies_free(s->all);
    s->all = j->all;
    j->all = NULL;
    s->of_sheet.laid_out = 0;
    calm_rest(&s->of_sheet.view.calm, job->begun);
}

static void release_job(struct job *job)
{
    strategies_free(((struct strategies_job *)job)->all);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "comparing chains", .run = run, .done = done, .release = release_job};

static void load(struct view *v)
{
    struct strategies_view *s = strategies_of(v);
    struct strategies_job *j = xcalloc(1, sizeof(*j));
    j->view = s;
    j->count = s->count;
    memcpy(j->nodes, s->nodes, sizeof(j->nodes));
    worker_submit(&s->of_sheet.view.app->data.worker, &j->job, &job_ops, s, SLOT_LOAD);
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    struct strategies_view *s = strategies_of(v);
    struct app *x = v->app;
    (void)height;
    if (!s->all || sheet_view_is_laid_out(v, width))
        return;
    struct facts_look look = ages_look(x);
    look.width = width;
    struct sheet_place place = sheet_view_place(v);
    strategies_sheet(&s->of_sheet.sheet, s->all, s->focus, &look);
    sheet_view_return(v, &place);
    if (!s->opened)
        view_select(v, 0);
    s->opened = true;
}

static void title(struct view *v, struct strbuf *out)
{
    const struct strategies_view *s = strategies_of(v);
    bool told = s->all && s->all->by_strategy;
    strbuf_addf(out, "%zu %s", s->count, told ? "strategies" : "chains");
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct strategies *all = strategies_of(v)->all;
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    size_t running = 0;
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        running += all->chain[i].chain.state == CHAIN_RUNNING;
    strbuf_addstr(out, all->one_question ? "one question" : "several questions");
    if (running > 0)
        strbuf_addf(out, " %s %zu running", dot, running);
}

/* The chain that is looked at. */
static int64_t about(const struct view *v)
{
    const struct strategies_view *s = (const struct strategies_view *)v;
    return s->all && s->focus < s->all->count ? s->all->chain[s->focus].chain.node : 0;
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
    if (!s->all)
        return;
    if (direction < 0 ? s->focus == 0 : s->focus + 1 >= s->all->count) {
        app_say(v->app, direction < 0 ? "this is the first chain" : "this is the last chain");
        return;
    }
    s->focus += direction < 0 ? (size_t)-1 : 1;
    size_t line = v->selected, top = v->top;
    v->selected = LINE_NONE;
    s->of_sheet.laid_out = 0;
    layout(v, v->height, v->width);
    v->top = top;
    if (line != LINE_NONE)
        view_select(v, line);
}

/* Where they stand below each other the cursor says which one is looked at. */
static void selected(struct view *v)
{
    struct strategies_view *s = strategies_of(v);
    const struct sheet_line *line = sheet_view_line(v);
    if (s->all && line && line->value > 0 && strategies_beside(s->all->count, v->width) == 1)
        s->focus = (size_t)line->value - 1;
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
    default:
        return sheet_view_request(v, request);
    }
}

/* A session that came or went says of a chain whether it still runs. */
static void stirred(struct view *v)
{
    const struct strategies *all = strategies_of(v)->all;
    bool running = false;
    for (size_t i = 0; all && i < all->count; i++)
        running = running || all->chain[i].chain.state == CHAIN_RUNNING;
    if (running)
        view_news(v, NULL, 0, true);
}

static void release(struct view *v)
{
    strategies_free(strategies_of(v)->all);
    sheet_release(&strategies_of(v)->of_sheet.sheet);
}

static const struct view_ops strategies_ops = {
    .name = "strategies",
    .place = IN_STRATEGIES,
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
    .position = sheet_view_position,
    .selected = selected,
    .load = load,
    .stirred = stirred,
    .release = release,
};

struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct strategies_view *s = xcalloc(1, sizeof(*s));
    view_init(&s->of_sheet.view, &strategies_ops, x);
    s->count = count < STRATEGIES_MOST ? count : STRATEGIES_MOST;
    memcpy(s->nodes, nodes, s->count * sizeof(*nodes));
    sheet_init(&s->of_sheet.sheet);
    view_load(&s->of_sheet.view);
    return &s->of_sheet.view;
}
