/* The page of one memory of any kind, and the page of a memory's state after an event. */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/difference.h"
#include "store/history/history.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_page.h"
#include "tui/render/facts.h"
#include "tui/text/times.h"
#include "tui/view/memory/memory_views.h"
#include "tui/widget/page_view.h"

struct memory_view {
    struct page_view page;   /* struct facts */
    struct memory_name name; /* of the breadcrumb */
};

static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    return facts_read(r, key->id, 0, true, NULL, e);
}

static void free_facts(void *facts)
{
    facts_free(facts);
}

static void lay(struct panel *p, const struct page_options *options)
{
    facts_page(&p->page, p->facts, options);
}

static const struct panel_ops memory_panel = {
    .job = "reading the memory", .read = read_facts, .free = free_facts, .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, details_name(v->app, &((struct memory_view *)v)->name));
}

/* Appends "3 of 41", its position in the list below it. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct view *below = v->below;
    if (below && below->ops->has & HAS_MEMORY_LIST && below->cursor != LINE_NONE &&
        view_node_at(v->below, below->cursor) == view_about(v))
        strbuf_addf(out, "%zu of %zu", below->cursor + 1, below->count);
}

static const struct view_ops memory_ops = {
    .name = "memory",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_PAGE,
    .at_large = true,
    .title = title,
    .counts = counts,
};

struct view *memory_view_new(struct app *x, int64_t node)
{
    struct memory_view *m = page_view_new(sizeof(*m), &memory_ops, &x->ui, &memory_panel, node);
    details_name_open(x, &m->name, node);
    view_load(&m->page.view);
    return &m->page.view;
}

/* A former state, field by field, and how many fields differ by now. */
struct state {
    struct arena arena;
    int64_t seq, node, at;
    bool none, purged; /* the event undid the addition; the state was erased since */
    struct difference *list;
    size_t count;
    size_t since; /* number of fields that differ from the current state */
};

static const struct state *state_of(const struct view *v)
{
    return ((const struct page_view *)v)->shown.facts;
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

static void *read_state(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct revision revision;
    const struct memory *now;
    struct state *s = xcalloc(1, sizeof(*s));
    s->seq = key->id;
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

/* ---- layout ---- */

static void put_now(struct page *s, const struct state *state)
{
    struct page_line *line = page_line(s);
    line->opens = true;
    page_format(s, 3, 0, STYLE_CHIP,
                state->since == 0   ? "it has not changed since; Enter opens it as it is now"
                : state->since == 1 ? "1 field has changed since; Enter opens it as it is now"
                                    : "%zu fields have changed since; Enter opens it as it is now",
                state->since);
}

static void view_state_lay(struct panel *p, const struct page_options *options)
{
    const struct state *state = p->facts;
    struct page *s = &p->page;
    (void)options;
    page_line(s);
    put_now(s, state);
    page_line(s);
    if (state->none || state->purged) {
        page_line(s);
        page_put(s, 3, 0, STYLE_DIM,
                 state->none ? "it did not exist then: its addition was undone"
                             : "its text of that time was erased");
    }
    state_page(s, state->list, state->count);
}

static const struct panel_ops state_panel = {.job = "reading its earlier state",
                                             .read = read_state,
                                             .free = free_state,
                                             .lay = view_state_lay};

static void view_state_title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "after event %lld", (long long)((struct page_view *)v)->shown.key.id);
}

static void view_state_counts(struct view *v, struct strbuf *out)
{
    const struct state *s = state_of(v);
    char when[40];
    if (!s)
        return;
    times_format(when, sizeof(when), s->at);
    strbuf_addf(out, "as it was %s", when);
}

static void position(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "an earlier state");
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
    PAGE_VIEW_OPS,
    .has = HAS_FORMER,
    .title = view_state_title,
    .counts = view_state_counts,
    .request = request,
    .position = position,
};

struct view *state_view_new(struct ui *ui, int64_t seq)
{
    struct page_view *s = page_view_new(sizeof(*s), &state_ops, ui, &state_panel, seq);
    view_load(&s->view);
    return &s->view;
}
