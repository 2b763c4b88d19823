#include "tui/view/events/event_views.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "tui/explorer/app.h"
#include "tui/view/events/audit_filter.h"
#include "tui/text/match.h"
#include "tui/render/session_print.h"
#include "tui/explorer/visit.h"
#include "tui/widget/rows_view.h"

struct sessions_view {
    struct rows_view rows;  /* struct session_row: those that live, then the others, newest first */
    char typed[PROMPT_MAX]; /* the filter as it was typed */
    struct happening_filter filter;
    struct session_columns columns;
};

static struct sessions_view *sessions_of(struct view *v)
{
    return (struct sessions_view *)v;
}

/* ---- reading ---- */

static int read_sessions(struct rows *rows, struct reader *r, struct error *e)
{
    struct session_row *all;
    size_t count;
    if (session_list(r, &rows->arena, SESSIONS_ALL, 0, 0, &all, &count, e))
        return -1;
    session_mask(r, &rows->arena, all, count);
    for (int lives = 1; lives >= 0; lives--)
        for (size_t i = 0; i < count; i++)
            if (all[i].lives == (lives == 1))
                *(struct session_row *)rows_add(rows) = all[i];
    return 0;
}

static int64_t row_id(const void *row)
{
    return ((const struct session_row *)row)->id;
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

static bool passes(struct rows_view *v, const void *at)
{
    const struct sessions_view *s = sessions_of(&v->view);
    const struct session_row *row = at;
    const struct happening_filter *f = &s->filter;
    return (!v->view.only_new || session_is_new(v->view.app, row)) &&
           (!f->session || row->id == f->session) && (!*f->actor || is_of(row, f->actor)) &&
           (!f->since || row->lives || row->ended_at >= f->since) &&
           (!f->until || row->started_at <= f->until) &&
           (!*f->pattern || has_text(row, f->pattern));
}

static const struct rows_ops session_rows = {.job = ROWS_JOB("reading the sessions", .quiet = true),
                                             .size = sizeof(struct session_row),
                                             .read = read_sessions,
                                             .id = row_id,
                                             .passes = passes};

/* Something came, went or was called. */
static void stirred(struct view *v)
{
    view_news(v, NULL, 0, true);
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
    if (!rows_view_known(v))
        return;
    if (*s->typed || v->only_new)
        strbuf_addf(out, "%zu of ", v->count);
    strbuf_addf(out, "%zu session%s", s->rows.rows->count, s->rows.rows->count == 1 ? "" : "s");
}

static void layout(struct view *v, int height, int width)
{
    struct sessions_view *s = sessions_of(v);
    (void)height;
    const struct rows *rows = s->rows.rows;
    s->columns =
        session_columns_fit(v->app, width, rows ? rows->row : NULL, rows ? rows->count : 0);
}

static void draw_header(struct view *v, const struct pane *p)
{
    session_columns_draw(v, &sessions_of(v)->columns, p, NULL, NULL);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct sessions_view *s = sessions_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : s->filter.pattern;
    session_columns_draw(v, &s->columns, row, rows_view_at(v, line), pattern);
}

/* Where it listens stands here: these sessions have no rule above them. */
static void draw_preview(struct view *v, const struct pane *p)
{
    struct strbuf listener = STRBUF_INIT;
    live_add_listener(v->app, &listener);
    session_preview(v->app, p, rows_view_at(v, v->selected), listener.buf ? listener.buf : "");
    strbuf_release(&listener);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    session_text(rows_view_at(v, line), out);
}

static const char *empty(struct view *v)
{
    struct sessions_view *s = sessions_of(v);
    if (!rows_view_known(v))
        return "reading…";
    return *s->typed     ? "nothing matches the filter; Esc clears it"
           : v->only_new ? v->ui->nothing_new
                         : "no agent was ever connected; `stemma mcp --help` tells how one is";
}

static int64_t session_at_cursor(struct view *v)
{
    const struct session_row *row = rows_view_at(v, v->selected);
    return row ? row->id : 0;
}

static void open_session(struct view *v)
{
    const struct session_row *row = rows_view_at(v, v->selected);
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
    rows_view_lay(v);
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
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .text = text,
    .empty = empty,
    .request = request,
    .shown = stirred,
    .stirred = stirred,
    .only_new = rows_view_lay,
    .load = rows_view_load,
    .filter = filter_of,
    .set_filter = set_filter,
    .ask_filter = filter_field_ask,
    .session = session_at_cursor,
    .release = rows_view_release,
};

struct view *sessions_view_new(struct app *x)
{
    struct sessions_view *s = xcalloc(1, sizeof(*s));
    view_init(&s->rows.view, &sessions_ops, &x->ui);
    s->rows.rows_ops = &session_rows;
    view_load(&s->rows.view);
    return &s->rows.view;
}
