#include "tui/view/memory/memory_views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts_sheet.h"
#include "tui/widget/sheet_view.h"

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
    struct sheet_view page; /* struct state */
    int64_t seq;
};

static const struct state *state_of(const struct view *v)
{
    return ((const struct sheet_view *)v)->facts;
}

static void free_state(void *facts)
{
    arena_release(&((struct state *)facts)->arena);
    free(facts);
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

static void ask(const struct sheet_view *v, void *question)
{
    *(int64_t *)question = ((const struct state_view *)v)->seq;
}

static void *read_state(void *question, struct reader *r, struct error *e)
{
    struct revision revision;
    const struct memory *now;
    struct state *s = xcalloc(1, sizeof(*s));
    s->seq = *(int64_t *)question;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = history_at(r, &s->arena, s->seq, &revision, &now, e);
        if (!failed)
            take(s, &revision, now);
        reader_end(r);
    }
    if (!failed)
        return s;
    free_state(s);
    return NULL;
}

/* ---- laying out ---- */

static void put_now(struct sheet *s, const struct state *state)
{
    struct sheet_line *line = sheet_line(s);
    line->opens = true;
    line->node = state->node;
    sheet_format(s, 3, 0, STYLE_CHIP,
                 state->since == 0 ? "it is still so; Enter opens it as it is now"
                 : state->since == 1
                     ? "1 thing is otherwise by now; Enter opens it as it is now"
                     : "%zu things are otherwise by now; Enter opens it as it is now",
                 state->since);
}

static void lay(struct sheet_view *v, const struct facts_look *look)
{
    const struct state *state = v->facts;
    struct sheet *s = &v->sheet;
    (void)look;
    sheet_line(s);
    put_now(s, state);
    sheet_line(s);
    if (state->none || state->purged) {
        sheet_line(s);
        sheet_put(s, 3, 0, STYLE_DIM,
                  state->none ? "there was nothing then: its addition was taken back"
                              : "what it said then was erased");
    }
    state_sheet(s, state->list, state->count);
}

static const struct page_ops state_page = {.job = PAGE_JOB("reading what it was"),
                                           .question = sizeof(int64_t),
                                           .ask = ask,
                                           .read = read_state,
                                           .free = free_state,
                                           .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "after event %lld", (long long)((struct state_view *)v)->seq);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct state *s = state_of(v);
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

static bool request(struct view *v, enum view_request request)
{
    bool opens = request == REQUEST_OPEN && state_of(v);
    if (opens)
        app_open_memory(v->app, state_of(v)->node);
    return opens;
}

static const struct view_ops state_ops = {
    .name = "state",
    .place = IN_STATE,
    .title = title,
    .counts = counts,
    .layout = sheet_view_layout,
    .draw_line = sheet_view_draw_line,
    .selectable = sheet_view_selectable,
    .text = sheet_view_text,
    .empty = sheet_view_empty,
    .request = request,
    .load = sheet_view_load,
    .position = position,
    .release = sheet_view_release,
};

struct view *state_view_new(struct app *x, int64_t seq)
{
    struct state_view *w = xcalloc(1, sizeof(*w));
    sheet_view_init(&w->page, &state_ops, &x->ui, &state_page);
    w->seq = seq;
    view_load(&w->page.view);
    return &w->page.view;
}
