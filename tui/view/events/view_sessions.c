/* The view of sessions; the line and page of a session. */
#include <math.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/render/session_print.h"
#include "tui/render/page.h"
#include "tui/text/match.h"
#include "tui/text/text.h"
#include "tui/text/times.h"
#include "tui/view/events/event_views.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define CLIENT_WIDTH   18
#define AGENT_WIDTH    12
#define NAME_WIDTH_MAX 32 /* limit of client and agent names if there is room */
#define TASK_MIN       8
#define TASK_WIDE      32 /* width of the task before names get more room */
#define SIGNS_WIDTH    5  /* columns before the first cell: cursor and signs */
#define GAP            2  /* columns after a cell */

/* "2026-02-01 10:00:00" has so many columns more than "3mo". */
#define EXACT_TIME_MORE 15

/* ---- texts ---- */

bool session_read_shown(struct reader *r, struct arena *arena, int64_t id, struct session_row *out)
{
    struct error e;
    if (id <= 0 || session_read(r, arena, id, out, &e)) {
        out->id = 0;
        return false;
    }
    session_mask(r, arena, out, 1);
    return true;
}

/* The text for searches and filters: everything that its line may show. */
static void session_text(const struct session_row *s, struct strbuf *out)
{
    session_title(s, out);
    strbuf_addch(out, ' ');
    session_state(s, out);
    strbuf_addf(out, " %s %s %s %s", s->label ? s->label : "", s->era ? s->era : "",
                s->transport ? s->transport : "", s->task ? s->task : "");
}

/* "1234567" in at most six columns: "1.2M". */
static void format_count(char *out, size_t size, int64_t n)
{
    if (n < 1000000)
        snprintf(out, size, "%lld", (long long)n);
    else if (n < 1000000000)
        snprintf(out, size, "%.1fM", (double)n / 1e6);
    else
        snprintf(out, size, "%.1fG", (double)n / 1e9);
}

static void format_rate(char *out, size_t size, double rate)
{
    if (rate < 0.05)
        out[0] = '\0';
    else
        snprintf(out, size, rate < 9.95 ? "%.1f" : "%.0f", rate);
}

/* A short form of the peer: "1000:4711", or "on laptop" of another machine of the team. */
static void format_peer(char *out, size_t size, const struct session_row *s)
{
    char uid[24] = "?", pid[24] = "?";
    if (s->peer_uid >= 0)
        snprintf(uid, sizeof(uid), "%lld", (long long)s->peer_uid);
    if (s->peer_pid >= 0)
        snprintf(pid, sizeof(pid), "%lld", (long long)s->peer_pid);
    if (s->machine)
        snprintf(out, size, "on %s", s->machine);
    else if (session_is_loopback(s))
        snprintf(out, size, "loopback");
    else
        snprintf(out, size, "%s:%s", uid, pid);
}

/* ---- columns ---- */

/* The width of the longest number. */
static int width_of_ids(const struct session_row *rows, size_t count)
{
    int64_t most = 0;
    int width = 2;
    for (size_t i = 0; i < count; i++)
        most = rows[i].id > most ? rows[i].id : most;
    for (most /= 100; most > 0; most /= 10)
        width++;
    return width;
}

static bool have_tasks(const struct session_row *rows, size_t count)
{
    size_t i = 0;
    while (i < count && !rows[i].task)
        i++;
    return i < count;
}

/* The width of the longest client or agent name, at most NAME_WIDTH_MAX. */
static int width_of_names(const struct session_row *rows, size_t count, bool agents)
{
    AUTO_STRBUF name = STRBUF_INIT;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&name);
        if (agents)
            strbuf_addstr(&name, rows[i].label);
        else
            session_name(&rows[i], &name);
        size_t width = text_width(name.buf, name.len, NAME_WIDTH_MAX, TEXT_EXACT);
        most = width > most ? width : most;
    }
    return most < NAME_WIDTH_MAX ? (int)most : NAME_WIDTH_MAX;
}

/* Takes up to `wanted` of the free columns for a name. */
static int widen(int width, int wanted, int *left)
{
    int more = wanted - width < *left ? wanted - width : *left;
    if (more <= 0)
        return width;
    *left -= more;
    return width + more;
}

/* Width of each column, the screen width from which it is shown, and the extra width needed if sessions have tasks,
 * which are more important. */
static const struct {
    uint8_t width, from, with_tasks;
} widths[SESSION_COLUMNS] = {
    [SESSION_ID] = {2, 37, 0},
    [SESSION_CLIENT] = {CLIENT_WIDTH, 0, 0},
    [SESSION_AGENT] = {AGENT_WIDTH, 57, 0},
    [SESSION_MODE] = {2, 69, 0},
    [SESSION_CALLS] = {6, 33, 0},
    [SESSION_ERRORS] = {6, 65, 0},
    [SESSION_TOKENS] = {7, 78, 0},
    [SESSION_FULL] = {7, 94, 8},
    [SESSION_RATE] = {5, 85, 8},
    [SESSION_P50] = {5, 108, 8},
    [SESSION_P99] = {5, 101, 8},
    [SESSION_SEEN] = {4, 43, 0},
    [SESSION_ERA] = {10, 131, 20},
    [SESSION_TRANSPORT] = {9, 119, 8},
    [SESSION_PEER] = {14, 147, 20},
};

struct session_columns session_columns_fit(const struct prefs *prefs, int width,
                                           const struct session_row *rows, size_t count)
{
    struct session_columns c = {{0}, false};
    bool tasks = have_tasks(rows, count);
    int more[SESSION_COLUMNS] = {[SESSION_ID] =
                                     width_of_ids(rows, count) - widths[SESSION_ID].width,
                                 [SESSION_SEEN] = prefs->exact_times ? EXACT_TIME_MORE : 0};
    int room = width - more[SESSION_ID] - more[SESSION_SEEN], taken = SIGNS_WIDTH;
    for (int i = 0; i < SESSION_COLUMNS; i++) {
        if (room < widths[i].from + (tasks ? widths[i].with_tasks : 0))
            continue;
        c.width[i] = widths[i].width + more[i];
        taken += c.width[i] + GAP;
    }
    c.task = tasks && width - taken >= TASK_MIN;
    int left = width - taken - 1 - (tasks ? TASK_WIDE : 0);
    if (c.width[SESSION_AGENT] && left > 0)
        c.width[SESSION_AGENT] = widen(AGENT_WIDTH, width_of_names(rows, count, true), &left);
    if (left > 0)
        c.width[SESSION_CLIENT] = widen(CLIENT_WIDTH, width_of_names(rows, count, false), &left);
    return c;
}

/* Whether it began since the last visit. */
static bool session_is_new(const struct unread *unread, const struct session_row *s)
{
    return s->started_at > unread->left_at;
}

static void draw_numbers(struct list_line *l, const int *width, const struct session_row *s)
{
    struct app *x = l->view->app;
    char text[40];
    format_count(text, sizeof(text) - 1, s->calls);
    if (session_is_lost(s))
        memcpy(text + strlen(text), "+", 2);
    line_right(l, width[SESSION_CALLS], "calls", STYLE_NUMBER, text);
    format_count(text, sizeof(text), s->errors);
    line_right(l, width[SESSION_ERRORS], "errors", s->errors ? STYLE_UNSUPPORTED : STYLE_NUMBER,
               text);
    tokens_text(text, sizeof(text), s->bytes);
    line_right(l, width[SESSION_TOKENS], "tokens", STYLE_NUMBER, text);
    tokens_text(text, sizeof(text), s->full_bytes);
    line_right(l, width[SESSION_FULL], "in full", STYLE_NUMBER, text);
    format_rate(text, sizeof(text), live_rate(x, s->id));
    line_right(l, width[SESSION_RATE], "/s", STYLE_NUMBER, text);
    latency_text(text, sizeof(text), &s->latency, 50);
    line_right(l, width[SESSION_P50], "p50", STYLE_NUMBER, text);
    latency_text(text, sizeof(text), &s->latency, 99);
    line_right(l, width[SESSION_P99], "p99", STYLE_NUMBER, text);
    if (width[SESSION_SEEN])
        line_when(l, "idle", "last call", s->seen_at);
}

void session_columns_draw(struct view *v, const struct session_columns *c, const struct pane *row,
                          const struct session_row *s, const char *pattern)
{
    static const struct session_row none;
    struct app *x = v->app;
    struct list_line l = line_begin(v, row, !s, SIGNS_WIDTH, NULL);
    AUTO_STRBUF name = STRBUF_INIT;
    char peer[56] = "";
    const int *width = c->width;
    l.pattern = pattern;
    if (s && session_is_new(&x->unread, s))
        paint_text(row, 0, 2, 1, STYLE_CHIP, "+");
    if (s)
        paint_text(row, 0, 3, 1, s->lives ? STYLE_SUPPORTED : STYLE_ENDED,
                   glyph_text(&x->ui.screen, s->lives ? GLYPH_LIVES : GLYPH_ENDED));
    line_sign(&l);
    s = s ? s : &none;
    enum style style = s->lives ? STYLE_TEXT : STYLE_DIM;
    line_number(&l, width[SESSION_ID], "id", style, s->id);
    if (!l.names) {
        session_name(s, &name);
        format_peer(peer, sizeof(peer), s);
    }
    line_cell(&l, width[SESSION_CLIENT], "client", style, name.buf);
    line_cell(&l, width[SESSION_AGENT], "agent", STYLE_SOURCE, s->label);
    line_cell(&l, width[SESSION_MODE], "ro", STYLE_CHIP, s->read_only ? "ro" : NULL);
    draw_numbers(&l, width, s);
    line_cell(&l, width[SESSION_ERA], "protocol", STYLE_SOURCE, s->era);
    line_cell(&l, width[SESSION_TRANSPORT], "transport", STYLE_SOURCE, s->transport);
    line_cell(&l, width[SESSION_PEER], "peer uid:pid", STYLE_SOURCE, peer);
    line_cell(&l, c->task ? l.end - l.at - 1 : 0, "task", style, s->task);
}

/* ---- preview ---- */

static void lay_session(struct panel *p, const struct page_options *options)
{
    const struct session_row *s = p->facts;
    struct app *x = p->ui->app;
    AUTO_ARENA arena = ARENA_INIT;
    struct session_details details = {0};
    char rate[40], recent[80] = "";
    struct usage *usage;
    struct error e;
    page_begin(&p->page, options);
    format_rate(rate, sizeof(rate), live_rate(x, s->id));
    if (*rate)
        snprintf(recent, sizeof(recent), ", %s/s in the last %d s", rate, CALL_RATE_SECONDS);
    if (session_usage(x->data.reader, &arena, s->id, s->id, &usage, &details.usages, &e))
        details.usages = 0;
    details.usage = usage;
    session_page(&p->page, s, details, recent);
}

void session_preview_init(struct app *x)
{
    static const struct panel_ops ops = {.lay = lay_session};
    panel_init(&x->session_preview, &ops, &x->ui);
}

/* It is laid out for each frame, since its rate changes. */
void session_preview(struct app *x, const struct pane *p, struct session_row *s, const char *right)
{
    struct panel *panel = &x->session_preview;
    char title[40];
    if (!s) {
        paint_rule(p, 0, "", right);
        return;
    }
    snprintf(title, sizeof(title), "session %lld", (long long)s->id);
    panel->top = panel->key.id == s->id ? panel->top : 0;
    panel->key.id = s->id;
    panel->facts = s;
    panel->width = 0;
    panel_draw(panel, p, 0, title, right);
    panel->facts = NULL;
}

struct sessions_view {
    struct rows_view rows; /* struct session_row: connected ones first, then newest first */
    struct arena arena;    /* of the terms */
    struct query_terms terms;
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

static struct line_subject row_subject(const void *row)
{
    int64_t session = ((const struct session_row *)row)->id;
    return (struct line_subject){.id = session, .session = session};
}

static bool has_text(const struct session_row *row, const struct query_terms *terms)
{
    AUTO_STRBUF text = STRBUF_INIT, folded = STRBUF_INIT;
    struct error e;
    session_text(row, &text);
    fold_text(&folded, text.buf, text.len);
    return query_matches_text(terms, &(struct query_text){text.buf, folded.buf, text.len}, &e) > 0;
}

/* A session is open from when it started to when it ended. */
static bool has_time(const struct session_row *row, const struct query_term *t)
{
    int64_t ended = row->lives ? INT64_MAX : row->ended_at;
    return ((double)ended >= t->low) && ((double)row->started_at <= t->high);
}

static bool has_term(const struct session_row *row, const struct query_term *t)
{
    char id[24];
    switch (t->field) {
    case QUERY_AGENT:
        return same_text(row->label, t->text) || same_text(row->actor, t->text);
    case QUERY_CREATED:
        return has_time(row, t);
    case QUERY_SESSION:
        snprintf(id, sizeof(id), "%lld", (long long)row->id);
        return !strcmp(id, t->text) || (row->uuid && strlen(t->text) >= REF_PREFIX_MIN &&
                                        !strncmp(row->uuid, t->text, strlen(t->text)));
    default:
        return !t->negated; /* texts: has_text */
    }
}

static bool passes(struct rows_view *v, const void *at)
{
    const struct query_terms *terms = &sessions_of(&v->view)->terms;
    bool wanted = !v->view.only_new || session_is_new(&v->view.app->unread, at);
    for (size_t i = 0; i < terms->count && wanted; i++)
        wanted = has_term(at, &terms->term[i]) != terms->term[i].negated;
    return wanted && has_text(at, terms);
}

/* A session began, ended or made a call. */
static void store_changed(struct view *v)
{
    view_notify(v, NULL, 0, true);
}

/* ---- drawing ---- */

/* A pause or a past state does not affect sessions. */
static void notice(struct view *v, struct strbuf *out)
{
    if (asof_is_past(&v->app->asof))
        strbuf_addstr(out, "as of now");
    else if (v->app->remote.paused)
        strbuf_addstr(out, "events paused");
}

static void counts(struct view *v, struct strbuf *out)
{
    struct sessions_view *s = sessions_of(v);
    if (!rows_view_known(v))
        return;
    if (*v->filter || v->only_new)
        strbuf_addf(out, "%zu of ", v->count);
    strbuf_addf(out, "%zu session%s", s->rows.rows->count, s->rows.rows->count == 1 ? "" : "s");
}

static void layout(struct view *v, int height, int width)
{
    struct sessions_view *s = sessions_of(v);
    (void)height;
    const struct rows *rows = s->rows.rows;
    s->columns =
        session_columns_fit(v->ui->prefs, width, rows ? rows->row : NULL, rows ? rows->count : 0);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    struct sessions_view *s = sessions_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : v->filter_word;
    session_columns_draw(v, &s->columns, row, one, pattern);
}

/* The listener's state is here, since these sessions have no rule above. */
static void draw_preview(struct view *v, const struct pane *p)
{
    AUTO_STRBUF listener = STRBUF_INIT;
    live_add_listener(v->app, &listener);
    session_preview(v->app, p, rows_view_at(v, v->cursor), listener.buf);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    session_text(rows_view_at(v, line), out);
}

static void open_session(struct view *v)
{
    const struct session_row *row = rows_view_at(v, v->cursor);
    AUTO_STRBUF name = STRBUF_INIT;
    if (!row)
        return;
    session_title(row, &name);
    app_push(v->app, live_view_of(v->app, row->id, name.buf));
}

static void to_events(struct view *v)
{
    struct app *x = v->app;
    if (v->below && view_is(v->below, "live"))
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

static int read_filter(struct view *v, struct query_terms *terms, struct error *e)
{
    struct sessions_view *s = sessions_of(v);
    arena_clear(&s->arena);
    return query_parse(terms->query, QUERY_SESSIONS, times_clock(v->ui->now), &s->arena, &s->terms,
                       e);
}

static void release(struct view *v)
{
    arena_release(&sessions_of(v)->arena);
    rows_view_release(v);
}

static void add_client(struct view *v, const void *row, struct strbuf *out)
{
    (void)v;
    session_name(row, out);
}

static double lives(struct view *v, const void *row)
{
    (void)v;
    return ((const struct session_row *)row)->lives;
}

static double calls_now(struct view *v, const void *row)
{
    return live_rate(v->app, ((const struct session_row *)row)->id);
}

static double percentile(const void *row, int percent)
{
    const struct session_row *s = row;
    return s->latency.count ? (double)latency_percentile(&s->latency, percent) : NAN;
}

static double p50(struct view *v, const void *row)
{
    (void)v;
    return percentile(row, 50);
}

static double p99(struct view *v, const void *row)
{
    (void)v;
    return percentile(row, 99);
}

static void add_peer(struct view *v, const void *row, struct strbuf *out)
{
    char peer[56];
    (void)v;
    format_peer(peer, sizeof(peer), row);
    strbuf_addstr(out, peer);
}

#define COLUMN(name, type, member) ROWS_COLUMN(name, type, session_row, member)
static const struct rows_column session_sorts[] = {
    ROWS_NUMBER("sign", lives),
    COLUMN("id", BY_INT64, id),
    ROWS_TEXT("client", add_client),
    COLUMN("agent", BY_TEXT, label),
    COLUMN("ro", BY_FLAG, read_only),
    COLUMN("calls", BY_INT64, calls),
    COLUMN("errors", BY_INT64, errors),
    COLUMN("tokens", BY_INT64, bytes),
    COLUMN("in full", BY_INT64, full_bytes),
    ROWS_NUMBER("/s", calls_now),
    ROWS_NUMBER("p50", p50),
    ROWS_NUMBER("p99", p99),
    COLUMN("idle", BY_TIME, seen_at),
    COLUMN("protocol", BY_TEXT, era),
    COLUMN("transport", BY_TEXT, transport),
    ROWS_TEXT("peer uid:pid", add_peer),
    COLUMN("task", BY_TEXT, task),
    {.name = NULL},
};

static const struct rows_ops session_rows = {
    .job = "reading the sessions",
    .quiet = true,
    .size = sizeof(struct session_row),
    .read = read_sessions,
    .subject = row_subject,
    .draw = draw,
    .columns = session_sorts,
    .passes = passes,
    .nothing = "no session is recorded here; `stemma mcp --help` shows how to connect an agent"};

static const struct view_ops sessions_ops = {
    .name = "sessions",
    ROWS_VIEW_OPS,
    .has = HAS_FILTER | HAS_NEW | HAS_ORDER | HAS_SESSIONS | HAS_EVERYONE,
    .bar = "show,filter,end-session,tools=tools,next-section=events,conversation,!undo",
    .of_now = true,
    .notice = notice,
    .counts = counts,
    .layout = layout,
    .draw_preview = draw_preview,
    .text = text,
    .request = request,
    .shown = store_changed,
    .store_changed = store_changed,
    .query = QUERY_SESSIONS,
    .read_filter = read_filter,
    .release = release,
};

struct view *sessions_view_new(struct ui *ui)
{
    struct sessions_view *s = rows_view_new(sizeof(*s), &sessions_ops, &session_rows, ui);
    view_load(&s->rows.view);
    return &s->rows.view;
}
