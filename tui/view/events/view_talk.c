/*
 * The conversation of a session as it happens: its calls and what they wrote, in order. The cursor follows the end
 * while new ones come, as `tail -f` does. During a pause they are counted, not shown.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/text/times.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/render/facts.h"
#include "tui/render/session_print.h"
#include "tui/view/events/event_views.h"
#include "tui/widget/page_view.h"

#define LINES_MOST 500 /* of a session: the last ones */
#define SLICE_MS   50
#define TEXT_MOST  12 /* lines of what was written or told */

struct talk_line {
    struct activity *activity;
    const char *ref, *text;        /* of the memory; NULL without one */
    const char *arguments, *error; /* of a failed call, as they were kept */
};

struct talk {
    struct arena arena;
    struct session_row session; /* id 0 if it is not known */
    struct talk_line *line;     /* [count], the oldest first */
    size_t count;
    bool more; /* there are older ones */
};

struct talk_view {
    struct page_view page; /* struct talk */
    char *name;
    size_t shown;  /* lines that a pause began with; SIZE_MAX without a pause */
    int64_t last;  /* the last line that is shown: activity_id */
    bool was_held; /* the layout is of a pause */
};

static struct talk_view *talk_of(const struct view *v)
{
    return (struct talk_view *)v;
}

static const struct talk *facts_of(const struct view *v)
{
    return talk_of(v)->page.shown.facts;
}

/* ---- reading ---- */

static int add_texts(struct talk *t, struct talk_line *line, struct reader *r, struct error *e)
{
    struct memory_row row;
    struct call_row *calls;
    size_t count;
    const struct activity *a = line->activity;
    if (a->subject > 0 && !memory_row_read(r, &t->arena, a->subject, &row, e)) {
        AUTO_STRBUF ref = STRBUF_INIT;
        facts_ref(&row, ref_short_length(r, row.ref), &ref);
        line->ref = arena_strdup(&t->arena, ref.buf);
        line->text = row.text;
    }
    if (is_failed_call(a) && call_list(r, &t->arena, a->id - 1, 1, &calls, &count, e))
        return -1;
    if (is_failed_call(a) && count && calls->id == a->id) {
        line->arguments = calls->arguments;
        line->error = calls->error;
    }
    const char **const words[] = {&line->text, &line->arguments, &line->error};
    guard_mask_texts(r, &t->arena, words, sizeof(words) / sizeof(words[0]));
    return 0;
}

/* The walk goes back from the newest. Nothing of a session is older than its beginning, so it ends there. */
static int read_lines(struct talk *t, struct reader *r, struct error *e)
{
    struct activity_walk w = {.filter.session = t->session.id, .wanted = LINES_MOST + 1};
    int64_t since = t->session.started_at, seq = journal_first_at(r, since, e);
    int64_t call = seq < 0 ? -1 : call_before(r, since, e);
    int more = call < 0 ? -1 : 1;
    w.filter.after_seq = seq - 1;
    w.filter.after_call = call;
    while (more > 0)
        more = activity_walk_next(&w, r, SLICE_MS, e) < 0 ? -1 : !w.ended && w.count < w.wanted;
    t->more = w.count > LINES_MOST;
    t->count = t->more ? LINES_MOST : w.count;
    t->line = arena_array(&t->arena, t->count + 1, sizeof(*t->line));
    for (size_t i = 0; i < t->count; i++) {
        t->line[t->count - 1 - i] = (struct talk_line){.activity = w.found[i]};
        w.found[i] = NULL;
    }
    activity_walk_release(&w);
    for (size_t i = 0; i < t->count && more >= 0; i++)
        more = add_texts(t, &t->line[i], r, e) ? -1 : more;
    return more < 0 ? -1 : 0;
}

static void free_talk(void *facts)
{
    struct talk *t = facts;
    for (size_t i = 0; i < t->count; i++)
        free(t->line[i].activity);
    arena_release(&t->arena);
    free(t);
}

static void *read_talk(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct talk *t = xcalloc(1, sizeof(*t));
    int failed = reader_begin(r, e);
    if (!failed) {
        failed =
            !session_read_shown(r, &t->arena, key->id, &t->session)
                ? error_set(e, ERROR_NOT_FOUND, "", "there is no session %lld", (long long)key->id)
                : read_lines(t, r, e);
        reader_end(r);
    }
    if (!failed)
        return t;
    free_talk(t);
    return NULL;
}

/* ---- layout ---- */

#define WHEN 3
#define WHAT 14
#define WHOM 26

static void put_more(struct page *s, enum style style, const char *text)
{
    if (!text || !*text)
        return;
    size_t shown = page_wrap(s, WHAT, page_prose(s, WHAT), style, text, TEXT_MOST, false);
    if (shown < strlen(text))
        page_note(s, WHAT, "%s", glyph_of(GLYPH_ELLIPSIS, s->options.ascii));
}

static void put_call(struct page *s, const struct talk_line *line)
{
    const struct activity *a = line->activity;
    struct strbuf *text = page_buffer(s);
    strbuf_addstr(text, a->what);
    if (a->count > 1)
        strbuf_addf(text, " %s%u", glyph_of(GLYPH_TIMES, s->options.ascii), a->count);
    if (*a->namespace_)
        strbuf_addf(text, " in %s", a->namespace_);
    if (a->masked)
        strbuf_addf(text, ", %u masked", a->masked);
    if (*activity_error(a))
        strbuf_addf(text, "  %s", activity_error(a));
    if (line->ref)
        strbuf_addf(text, "  %s", line->ref);
    page_put(s, WHOM, 0, is_failed_call(a) ? STYLE_UNSUPPORTED : STYLE_DIM,
             page_name(s, page_printf(s, "%s", text->buf)));
    if (is_failed_call(a) && line->arguments)
        put_more(s, STYLE_DIM, page_printf(s, "given %s", line->arguments));
    if (is_failed_call(a) && line->error)
        put_more(s, STYLE_UNSUPPORTED, page_printf(s, "told %s", line->error));
    if (a->type == ACTIVITY_READ)
        put_more(s, STYLE_DIM, *a->text ? a->text : NULL);
}

static void put_write(struct page *s, const struct talk_line *line)
{
    const struct activity *a = line->activity;
    struct strbuf *text = page_buffer(s);
    page_put(s, WHOM, 0, STYLE_REF, page_name(s, line->ref ? line->ref : a->text));
    put_more(s, STYLE_TEXT, line->text);
    text = page_buffer(s);
    strbuf_addstr(text, a->change);
    if (*a->why)
        strbuf_addf(text, "%s(%s)", text->len ? " " : "", a->why);
    put_more(s, STYLE_SOURCE, page_printf(s, "%s", text->buf));
}

/* "22:13:29   failed      memory_supersede ×2  CONFLICT", and what it wrote or was told below. */
static void put_line(struct page *s, const struct talk_line *line, size_t number)
{
    const struct activity *a = line->activity;
    char when[40];
    times_format(when, sizeof(when), a->at);
    struct page_line *first = page_opens(s, is_failed_call(a) ? 0 : a->subject);
    first->opens = true;
    first->value = (int64_t)number + 1;
    page_put(s, WHEN, 8, STYLE_AGE, when + 11);
    if (is_failed_call(a))
        page_put(s, WHAT - 2, 1, STYLE_UNSUPPORTED, glyph_of(GLYPH_REFUSED, s->options.ascii));
    page_put(s, WHAT, WHOM - WHAT - 1, a->type == ACTIVITY_WRITE ? STYLE_STRONG : STYLE_DIM,
             activity_action(a));
    if (a->type == ACTIVITY_WRITE)
        put_write(s, line);
    else
        put_call(s, line);
}

/* A rule where a day begins. */
static void put_day(struct page *s, const struct talk *t, size_t number)
{
    char day[40], before[40] = "";
    times_format(day, sizeof(day), t->line[number].activity->at);
    if (number > 0)
        times_format(before, sizeof(before), t->line[number - 1].activity->at);
    if (strncmp(day, before, 10) == 0)
        return;
    day[10] = '\0';
    page_rule(s, day, "");
}

static void put_end(struct page *s, const struct talk *t)
{
    AUTO_STRBUF state = STRBUF_INIT;
    session_state(&t->session, &state);
    page_line(s);
    page_note(s, WHEN, t->session.lives ? "%s; waits for the next call" : "%s", state.buf);
}

static void lay(struct panel *p, const struct page_options *options)
{
    const struct talk *t = p->facts;
    size_t most = talk_of(p->view)->shown;
    page_begin(&p->page, options);
    if (t->more)
        page_note(&p->page, WHEN, "%s the last %d; the audit has all: @, then \\session:%lld",
                  glyph_of(GLYPH_ELLIPSIS, options->ascii), LINES_MOST, (long long)t->session.id);
    for (size_t i = 0; i < t->count && i < most; i++) {
        put_day(&p->page, t, i);
        put_line(&p->page, &t->line[i], i);
    }
    if (!t->count)
        page_note(&p->page, WHEN, "no call of it is in the log");
    put_end(&p->page, t);
}

/* ---- the view ---- */

/* How many lines there are up to the last one that is shown. */
static size_t find_last(const struct view *v)
{
    const struct talk *t = facts_of(v);
    for (size_t i = t->count; i-- > 0;)
        if (activity_id(t->line[i].activity) == talk_of(v)->last)
            return i + 1;
    return 0;
}

static size_t held(const struct view *v)
{
    return facts_of(v) ? facts_of(v)->count - find_last(v) : 0;
}

static void layout(struct view *v, int height, int width)
{
    struct talk_view *k = talk_of(v);
    const struct talk *t = facts_of(v);
    bool paused = v->app->remote.paused;
    if (!t)
        return;
    if (paused != k->was_held)
        k->page.shown.width = 0; /* lay out what came, or stop */
    k->was_held = paused;
    k->shown = paused ? find_last(v) : SIZE_MAX;
    bool again = !panel_is_laid_out(&k->page.shown, width, 0);
    page_view_layout(v, height, width);
    if (!paused)
        k->last = t->count ? activity_id(t->line[t->count - 1].activity) : 0;
    v->height = height;
    if (again && !paused && v->app->remote.follows == v)
        page_view_end(v);
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "conversation of %s", talk_of(v)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct talk *t = facts_of(v);
    if (t)
        strbuf_addf(out, "%zu%s line%s", t->count, t->more ? "+" : "", t->count == 1 ? "" : "s");
}

static struct line_subject subject(struct view *v, size_t line)
{
    struct line_subject s = page_view_subject(v, line);
    s.session = talk_of(v)->page.shown.key.id;
    return s;
}

static bool request(struct view *v, enum view_request request)
{
    const struct page_line *line = page_view_line(v);
    if (request != REQUEST_OPEN || !line || line->value <= 0)
        return page_view_request(v, request);
    const struct activity *a = facts_of(v)->line[line->value - 1].activity;
    if (!is_failed_call(a))
        return false;
    app_push(v->app, failure_view_new(v->ui, a));
    return true;
}

/* A call, or the end of the session: no event of a memory. */
static void store_changed(struct view *v)
{
    view_notify(v, NULL, 0, true);
}

static void release(struct view *v)
{
    if (v->app->remote.follows == v)
        v->app->remote.follows = NULL;
    free(talk_of(v)->name);
    page_view_release(v);
}

static const struct view_ops talk_ops = {
    .name = "session conversation",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_SESSIONS | HAS_FOLLOWING | HAS_EVERYONE,
    .bar = "show,follow,pause,tools=tools,end-session=end,!undo,!conversation",
    .title = title,
    .counts = counts,
    .layout = layout,
    .subject = subject,
    .request = request,
    .shown = store_changed,
    .store_changed = store_changed,
    .held = held,
    .release = release,
};

static const struct panel_ops talk_panel = {
    .job = "reading the conversation", .read = read_talk, .free = free_talk, .lay = lay};

struct view *talk_view_new(struct app *x, int64_t session, const char *name)
{
    struct talk_view *k = page_view_new(sizeof(*k), &talk_ops, &x->ui, &talk_panel, session);
    k->name = xstrdup(name);
    k->shown = SIZE_MAX;
    view_load(&k->page.view);
    if (x->data.feed && live_knows(&x->live, session))
        x->remote.follows = &k->page.view;
    return &k->page.view;
}
