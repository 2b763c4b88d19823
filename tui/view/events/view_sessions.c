#include "tui/view/events/view_sessions.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/same.h"
#include "tui/explorer/app.h"
#include "tui/view/events/audit_filter.h"
#include "tui/view/events/filter_field.h"
#include "tui/text/match.h"
#include "tui/view/events/session_columns.h"
#include "tui/render/session_words.h"
#include "tui/explorer/since.h"
#include "tui/view/events/view_live.h"

#define SLOT_SESSIONS 0
#define READ_MS       500 /* between two readings, however much is written */

struct sessions_view {
    struct view view;
    struct arena arena;
    struct session_row *session; /* [count]: those that live, then the others, newest first */
    size_t count;
    size_t *line; /* [view.count] those that the filter leaves */
    bool known, stale;
    int64_t read_at;        /* monotonic ms */
    int64_t cursor;         /* the session under it; 0: none */
    char typed[PROMPT_MAX]; /* the filter as it was typed */
    struct happening_filter filter;
    struct session_columns columns;
};

struct sessions_job {
    struct job job;
    struct sessions_view *view;
    struct arena arena;
    struct session_row *session;
    size_t count;
};

static struct sessions_view *sessions_of(struct view *v)
{
    return (struct sessions_view *)v;
}

static const struct session_row *at_line(struct view *v, size_t line)
{
    struct sessions_view *s = sessions_of(v);
    return line < v->count ? &s->session[s->line[line]] : NULL;
}

/* ---- reading ---- */

/* Those that live come first; both keep their order. */
static void living_first(struct arena *arena, struct session_row *rows, size_t count)
{
    struct session_row *ended = arena_array(arena, count ? count : 1, sizeof(*ended));
    size_t living = 0, others = 0;
    for (size_t i = 0; ended && i < count; i++) {
        if (rows[i].lives)
            rows[living++] = rows[i];
        else
            ended[others++] = rows[i];
    }
    if (ended && others > 0)
        memcpy(rows + living, ended, others * sizeof(*ended));
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct sessions_job *j = (struct sessions_job *)job;
    if (session_list(r, &j->arena, false, 0, &j->session, &j->count, e))
        return JOB_FAILED;
    session_mask(r, &j->arena, j->session, j->count);
    living_first(&j->arena, j->session, j->count);
    return JOB_DONE;
}

static bool has_text(const struct session_row *row, const char *pattern)
{
    struct strbuf text = STRBUF_INIT;
    session_text(row, &text);
    bool matches = match_text(text.buf, pattern);
    strbuf_release(&text);
    return matches;
}

static bool is_of(const struct session_row *row, const char *actor)
{
    return same_text(session_agent(row), actor) || same_text(row->actor, actor);
}

static bool passes(const struct sessions_view *s, const struct session_row *row)
{
    const struct happening_filter *f = &s->filter;
    return (!s->view.only_new || session_is_new(s->view.app, row)) &&
           (!f->session || row->id == f->session) && (!*f->actor || is_of(row, f->actor)) &&
           (!f->since || row->lives || row->ended_at >= f->since) &&
           (!f->until || row->started_at <= f->until) &&
           (!*f->pattern || has_text(row, f->pattern));
}

/* The cursor stays on its session, and that on its row of the screen. */
static void lay_lines(struct sessions_view *s)
{
    struct view *v = &s->view;
    size_t count = 0, place = LINE_NONE;
    size_t row = v->selected != LINE_NONE && v->selected >= v->top ? v->selected - v->top : 0;
    free(s->line);
    s->line = xmalloc((s->count ? s->count : 1) * sizeof(*s->line));
    for (size_t i = 0; s->line && i < s->count; i++) {
        if (!passes(s, &s->session[i]))
            continue;
        if (s->session[i].id == s->cursor)
            place = count;
        s->line[count++] = i;
    }
    int64_t cursor = s->cursor;
    view_set_count(v, count);
    if (place != LINE_NONE) {
        v->selected = place;
        v->top = place > row ? place - row : 0;
        view_reveal(v);
        s->cursor = cursor;
    } else {
        const struct session_row *at = at_line(v, v->selected);
        s->cursor = at ? at->id : 0;
    }
    view_search_again(v);
}

static void done(struct job *job, const struct error *e)
{
    struct sessions_job *j = (struct sessions_job *)job;
    struct sessions_view *s = j->view;
    s->read_at = monotonic_ms();
    if (e->code) {
        if (e->code != ERROR_INTERRUPTED)
            app_fail(s->view.app, e);
        return;
    }
    struct arena before = s->arena;
    s->arena = j->arena;
    j->arena = before;
    s->session = j->session;
    s->count = j->count;
    s->known = true;
    lay_lines(s);
}

static void release_job(struct job *job)
{
    arena_release(&((struct sessions_job *)job)->arena);
    free(job);
}

static const struct job_ops job_ops = {.name = "reading the sessions",
                                       .run = run,
                                       .done = done,
                                       .release = release_job,
                                       .quiet = true};

static void load(struct sessions_view *s)
{
    struct sessions_job *j = xcalloc(1, sizeof(*j));
    j->view = s;
    j->arena = (struct arena)ARENA_INIT;
    s->stale = false;
    worker_submit(&s->view.app->data.worker, &j->job, &job_ops, s, SLOT_SESSIONS);
}

/* Not while it is read, and not all the time. */
static void load_soon(struct sessions_view *s)
{
    struct app *x = s->view.app;
    int64_t wait = x->options->script ? 0 : s->read_at + READ_MS - monotonic_ms();
    s->stale = true;
    if (worker_has(&x->data.worker, s, SLOT_SESSIONS))
        return;
    if (wait > 0)
        app_wake(x, wait);
    else
        load(s);
}

static void stirred(struct view *v)
{
    load_soon(sessions_of(v));
}

static void selected(struct view *v)
{
    const struct session_row *row = at_line(v, v->selected);
    sessions_of(v)->cursor = row ? row->id : 0;
}

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    struct sessions_view *s = sessions_of(v);
    strbuf_addstr(out, "sessions");
    /* What is not words alone has quotes of its own. */
    const char *quote = strcmp(s->typed, s->filter.pattern) ? "" : "\"";
    if (*s->typed)
        strbuf_addf(out, " %s %s%s%s", glyph_text(&v->app->ui.screen, GLYPH_CRUMB), quote, s->typed,
                    quote);
}

/* Neither a pause nor the past holds for them. */
static void notice(struct view *v, struct strbuf *out)
{
    if (asof_is_past(v->app))
        strbuf_addstr(out, "as they are now");
    else if (v->app->remote.paused)
        strbuf_addstr(out, "events paused");
}

static void counts(struct view *v, struct strbuf *out)
{
    struct sessions_view *s = sessions_of(v);
    if (!s->known)
        return;
    if (*s->typed || v->only_new)
        strbuf_addf(out, "%zu of ", v->count);
    strbuf_addf(out, "%zu session%s", s->count, s->count == 1 ? "" : "s");
}

static void layout(struct view *v, int height, int width)
{
    struct sessions_view *s = sessions_of(v);
    (void)height;
    s->columns = session_columns_fit(v->app, width, s->session, s->count);
    if (s->stale)
        load_soon(s);
}

static int header(struct view *v)
{
    (void)v;
    return 1;
}

static void draw_header(struct view *v, const struct pane *p)
{
    session_columns_header(v->app, &sessions_of(v)->columns, p);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct sessions_view *s = sessions_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : s->filter.pattern;
    session_columns_row(v->app, &s->columns, row, at_line(v, line), pattern);
}

/* Where it listens stands here: these sessions have no rule above them. */
static void draw_preview(struct view *v, const struct pane *p)
{
    struct strbuf listener = STRBUF_INIT;
    live_add_listener(v->app, &listener);
    session_preview(v->app, p, at_line(v, v->selected), listener.buf ? listener.buf : "");
    strbuf_release(&listener);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    session_text(at_line(v, line), out);
}

static const char *empty(struct view *v)
{
    struct sessions_view *s = sessions_of(v);
    if (!s->known)
        return "reading…";
    return *s->typed     ? "nothing matches the filter; Esc clears it"
           : v->only_new ? since_empty(v)
                         : "no agent was ever connected; `stemma mcp --help` tells how one is";
}

static int64_t session_at_cursor(struct view *v)
{
    const struct session_row *row = at_line(v, v->selected);
    return row ? row->id : 0;
}

static void open_session(struct view *v)
{
    const struct session_row *row = at_line(v, v->selected);
    struct strbuf name = STRBUF_INIT;
    if (!row)
        return;
    session_title(row, &name);
    app_push(v->app, live_view_of(v->app, row->id, name.buf));
    strbuf_release(&name);
}

static void to_events(struct view *v)
{
    struct app *x = v->app;
    if (v->below && v->below->ops->place == IN_LIVE)
        app_pop(x);
    else
        app_open_root(x, ROOT_LIVE);
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_OPEN:
        open_session(v);
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        to_events(v);
        return true;
    case REQUEST_REFRESH:
        load(sessions_of(v));
        return true;
    default:
        return false;
    }
}

static const char *filter_of(const struct view *v)
{
    return ((const struct sessions_view *)v)->typed;
}

static void set_filter(struct view *v, const char *text)
{
    struct sessions_view *s = sessions_of(v);
    struct happening_filter filter;
    char why[160];
    if (!audit_filter_read_sessions(v->app, text, &filter, why, sizeof(why))) {
        app_say(v->app, "%s", why);
        return;
    }
    snprintf(s->typed, sizeof(s->typed), "%s", text);
    s->filter = filter;
    lay_lines(s);
}

static void only_new(struct view *v)
{
    lay_lines(sessions_of(v));
}

static void release(struct view *v)
{
    struct sessions_view *s = sessions_of(v);
    arena_release(&s->arena);
    free(s->line);
}

static const struct view_ops sessions_ops = {
    .name = "sessions",
    .place = IN_SESSIONS,
    .preview = true,
    .of_now = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .text = text,
    .empty = empty,
    .request = request,
    .selected = selected,
    .shown = stirred,
    .stirred = stirred,
    .only_new = only_new,
    .filter = filter_of,
    .set_filter = set_filter,
    .ask_filter = filter_field_ask,
    .session = session_at_cursor,
    .release = release,
};

struct view *sessions_view_new(struct app *x)
{
    struct sessions_view *s = xcalloc(1, sizeof(*s));
    view_init(&s->view, &sessions_ops, &x->ui);
    s->arena = (struct arena)ARENA_INIT;
    load(s);
    return &s->view;
}
