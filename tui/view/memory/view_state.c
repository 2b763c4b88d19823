#include "tui/view/memory/view_state.h"

#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/sheet_view.h"

#define SLOT_STATE 0

/* What there was, field by field; and of how much of it there is by now another one. */
struct state {
    struct arena arena;
    int64_t seq, node, at;
    bool none, purged; /* it took the addition back; what it was was erased since */
    struct difference *list;
    size_t count;
    size_t since; /* fields that differ from what is stored now */
};

struct state_view {
    struct view view;
    struct state *state; /* NULL: not read yet */
    int64_t seq;
    struct sheet sheet;
    int laid_out;
};

struct state_job {
    struct job job;
    struct state_view *view;
    int64_t seq;
    struct state *state;
};

static struct state_view *state_of(struct view *v)
{
    return (struct state_view *)v;
}

static void state_free(struct state *s)
{
    if (s)
        arena_release(&s->arena);
    free(s);
}

static void take(struct state *s, const struct revision *revision, const struct memory *now)
{
    struct difference *ignored;
    s->at = revision->event.at;
    s->node = revision->event.subject;
    s->none = !revision->after;
    s->purged = revision->after && revision->after->status == STATUS_PURGED;
    memory_difference(NULL, revision->after, &s->arena, &s->list, &s->count);
    memory_difference(revision->after, now, &s->arena, &ignored, &s->since);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct state_job *j = (struct state_job *)job;
    struct revision revision;
    const struct memory *now;
    struct state *s = j->state = xcalloc(1, sizeof(*s));
    s->seq = j->seq;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = history_at(r, &s->arena, j->seq, &revision, &now, e);
    if (!failed)
        take(s, &revision, now);
    reader_end(r);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct state_job *j = (struct state_job *)job;
    struct state_view *w = j->view;
    if (e->code) {
        app_fail(w->view.app, e);
        return;
    }
    state_free(w->state);
    w->state = j->state;
    j->state = NULL;
    w->laid_out = 0;
}

static void release_job(struct job *job)
{
    state_free(((struct state_job *)job)->state);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading what it was", .run = run, .done = done, .release = release_job};

static void load(struct state_view *w)
{
    struct state_job *j = xcalloc(1, sizeof(*j));
    j->view = w;
    j->seq = w->seq;
    worker_submit(&w->view.app->data.worker, &j->job, &job_ops, w, SLOT_STATE);
}

/* ---- laying out ---- */

static void put_now(struct sheet *s, const struct state *state)
{
    struct sheet_line *line = sheet_line(s);
    if (!line)
        return;
    line->opens = true;
    line->node = state->node;
    sheet_format(s, 3, 0, STYLE_CHIP,
                 state->since == 0 ? "it is still so; Enter opens it as it is now"
                 : state->since == 1
                     ? "1 thing is otherwise by now; Enter opens it as it is now"
                     : "%zu things are otherwise by now; Enter opens it as it is now",
                 state->since);
}

static void layout(struct view *v, int height, int width)
{
    struct state_view *w = state_of(v);
    struct sheet *s = &w->sheet;
    (void)height;
    if (!w->state || w->laid_out == width)
        return;
    sheet_clear(s, width);
    sheet_line(s);
    put_now(s, w->state);
    sheet_line(s);
    if ((w->state->none || w->state->purged) && sheet_line(s))
        sheet_put(s, 3, 0, STYLE_DIM,
                  w->state->none ? "there was nothing then: its addition was taken back"
                                 : "what it said then was erased");
    state_sheet(s, w->state->list, w->state->count);
    w->laid_out = width;
    view_set_count(v, s->count);
    view_search_again(v);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    sheet_draw_line(&state_of(v)->sheet, row, line, v->search.pattern);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "after event %lld", (long long)state_of(v)->seq);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct state *s = state_of(v)->state;
    struct facts_look look = {.exact_times = true};
    char when[40];
    if (!s)
        return;
    facts_when(when, sizeof(when), s->at, &look);
    strbuf_addf(out, "as it was %s", when);
}

static void position(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "not the present");
}

static bool selectable(struct view *v, size_t line)
{
    struct state_view *w = state_of(v);
    return line < w->sheet.count && w->sheet.line[line].opens;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    sheet_text(&state_of(v)->sheet, line, out);
}

static const char *empty(struct view *v)
{
    (void)v;
    return "reading…";
}

static bool request(struct view *v, enum view_request request)
{
    struct state_view *w = state_of(v);
    if (request == REQUEST_REFRESH)
        load(w);
    else if (request == REQUEST_OPEN && w->state)
        app_open_memory(v->app, w->state->node);
    else
        return false;
    return true;
}

static void release(struct view *v)
{
    state_free(state_of(v)->state);
    sheet_release(&state_of(v)->sheet);
}

static const struct view_ops state_ops = {
    .name = "state",
    .place = IN_STATE,
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_line = draw_line,
    .selectable = selectable,
    .text = text,
    .empty = empty,
    .request = request,
    .position = position,
    .release = release,
};

struct view *state_view_new(struct app *x, int64_t seq)
{
    struct state_view *w = xcalloc(1, sizeof(*w));
    view_init(&w->view, &state_ops, &x->ui);
    sheet_init(&w->sheet);
    w->seq = seq;
    load(w);
    return &w->view;
}
