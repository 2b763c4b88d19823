/* The live view (sessions above their activity), and views of activity with the page of an event below. */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/render/permission_table.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"
#include "tui/text/times.h"
#include "tui/view/events/activity_list.h"
#include "tui/view/events/event_views.h"

/* Shows how far back it has searched if a filter matches rarely. */
static void counts(struct view *v, struct strbuf *out)
{
    const struct activity_list *l = (const struct activity_list *)v;
    activity_list_counts(v, out);
    if (*v->filter && l->begun && !l->complete && l->newest_seq > 0 &&
        l->oldest_seq < l->newest_seq)
        strbuf_addf(out, " %s %d%% looked through", glyph_text(&v->ui->screen, GLYPH_DOT),
                    (int)(100 * (l->newest_seq - l->oldest_seq) / l->newest_seq));
}

static const struct view_ops audit_ops = {
    .name = "audit",
    ACTIVITY_LIST_OPS,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_EVENTS | HAS_JOURNAL | HAS_UNDO |
           HAS_EVERYONE | HAS_FOLLOWING,
    .bar = "show,filter,same,undo=undo it,errors,follow,yank",
    .counts = counts,
    .read_filter = activity_list_read_filter,
    .query = QUERY_EVENTS,
};

struct view *audit_view_new(struct ui *ui, const char *filter)
{
    struct activity_list *l = xcalloc(1, sizeof(*l));
    activity_list_init(l, &audit_ops, ui, ACTIVITY_AUDIT);
    struct query_place bad;
    struct error e;
    if (view_read_filter(&l->view, filter, &bad, &e))
        ui_error(ui, &e);
    else
        snprintf(l->view.filter, sizeof(l->view.filter), "%s", filter);
    activity_list_begin(l);
    return &l->view;
}

struct live_view {
    struct activity_list list;
    char *name; /* name of the only session shown; NULL for all */
    struct session_columns session_columns;
    int chart;    /* header rows for the charts of calls; 0 without that part */
    int sessions; /* header rows for sessions; 0 without that part */
    int quotas;   /* header rows for quotas; 0 without that part */
};

static struct live_view *live_of(struct view *v)
{
    return (struct live_view *)v;
}

/* ---- the view ---- */

static void view_live_title(struct view *v, struct strbuf *out)
{
    /* For one session, its name comes after the view that it was opened from. */
    strbuf_addstr(out, live_of(v)->name ? live_of(v)->name : "live");
}

#define LATELY_MS 2000 /* ms over which the rate is measured */

/* Uses the times of the events, so that events shown late after a pause do not count. */
static size_t count_lately(struct view *v)
{
    size_t lately = 0;
    for (; lately < v->count; lately++) {
        int64_t ago = v->ui->now - activity_list_at(&live_of(v)->list, lately)->at;
        if (ago >= LATELY_MS || ago <= -LATELY_MS)
            break;
    }
    return lately;
}

static void view_live_counts(struct view *v, struct strbuf *out)
{
    size_t rate = v->app->remote.paused ? 0 : count_lately(v) * 1000 / LATELY_MS;
    activity_list_counts(v, out);
    if (rate > 0)
        strbuf_addf(out, " %s %zu/s", glyph_text(&v->ui->screen, GLYPH_DOT), rate);
    if (rate > 0 && !v->ui->script && !v->ui->screen.speaks)
        ui_wake(v->ui, 1000); /* the rate falls */
}

static void layout(struct view *v, int height, int width)
{
    struct live_view *l = live_of(v);
    live_count_minutes(v->app, l->list.session);
    l->session_columns =
        session_columns_fit(v->ui->prefs, width, v->app->live.session, v->app->live.count);
    activity_list_layout(v, height, width);
}

/* ---- drawing ---- */

#define HEADER_RULES 4 /* other header rows: two rules, each with column headers */

/* The number of sessions that fit above, without the rows of the listener; 0 if there is no room for this part. */
static int sessions_shown(const struct live_view *l, int height, int listener)
{
    size_t count = l->list.view.app->live.count;
    if (height < 12 || l->name)
        return 0;
    height -= listener;
    int most = height / 5 < 2 ? 2 : height / 5;
    /* Unused activity lines go to the sessions. */
    size_t lines = l->list.view.count > 0 ? l->list.view.count : 1;
    if (lines < (size_t)height && height - HEADER_RULES - (int)lines > most)
        most = height - HEADER_RULES - (int)lines;
    return count == 0 ? 1 : count < (size_t)most ? (int)count : most;
}

/* The number of quotas that fit; 0 if there is none, or no room for this part. */
static int quotas_shown(const struct live_view *l, int height)
{
    size_t count = l->list.view.app->live.quotas;
    int most = height / 5;
    return height < 16 || l->name ? 0 : count < (size_t)most ? (int)count : most;
}

#define LISTENER_ROWS 3 /* most rows of the listener's state */

/* "sessions · sent 12 KB, ~3.1k tokens, in full form ~9.8k" */
static void add_sessions_title(const struct app *x, struct strbuf *out)
{
    struct usage sum = session_total(x->live.session, x->live.count);
    strbuf_addstr(out, asof_is_past(&x->asof) ? "sessions as of now" : "sessions");
    if (sum.bytes == 0)
        return;
    strbuf_addf(out, " %s sent ", glyph_text(&x->ui.screen, GLYPH_DOT));
    add_usage(out, &sum);
}

/* The listener's state is in the title line above the sessions if it fits, else in rows below. Returns the number of
 * those rows; draws them if `draws`. */
static int listener_rows(struct app *x, const struct pane *p, bool draws)
{
    AUTO_STRBUF listener = STRBUF_INIT, title = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    size_t rows = 0, room = p->width > 7 ? (size_t)p->width - 6 : 1;
    live_add_listener(x, &listener);
    add_sessions_title(x, &title);
    if (!paint_rule_fits(p, title.buf, listener.buf))
        rows = text_wrap(&arena, listener.buf, listener.len, room, LISTENER_ROWS,
                         x->ui.screen.utf8 ? 0 : TEXT_ASCII, &lines);
    if (draws)
        paint_rule(p, 0, title.buf, rows ? "" : listener.buf);
    for (size_t i = 0; draws && i < rows; i++)
        paint_text(p, (int)i + 1, 3, p->width - 3, STYLE_RULE_TITLE, lines[i].text);
    return (int)rows;
}

#define EVENTS_LEAST 6 /* that stay in view below a chart of several rows */

/* The rows that everything but the charts wants. */
static int wanted_rows(const struct live_view *l, int listener)
{
    const struct live *live = &l->list.view.app->live;
    int sessions = live->count ? (int)live->count : 1, quotas = (int)live->quotas;
    return EVENTS_LEAST +
           (l->name ? 1 : listener + HEADER_RULES + sessions + (quotas ? quotas + 2 : 0));
}

/* The header: charts of calls, a rule, the listener, column headers, sessions, a rule, column headers of activity. The
 * view of one session has the charts alone. */
static int header(struct view *v)
{
    struct live_view *l = live_of(v);
    const struct pane *p = &v->ui->list_pane;
    int listener = listener_rows(v->app, p, false);
    l->chart = call_chart_rows(v->app, p->height, p->width, wanted_rows(l, listener));
    l->quotas = quotas_shown(l, p->height - l->chart);
    int left = p->height - l->chart - (l->quotas ? l->quotas + 2 : 0);
    l->sessions = sessions_shown(l, left, listener);
    return l->sessions ? l->sessions + listener + HEADER_RULES + p->height - left : l->chart + 1;
}

static void draw_sessions(struct live_view *l, const struct pane *p, int rows)
{
    struct app *x = l->list.view.app;
    struct live *live = &x->live;
    if (live->count == 0) {
        paint_text(
            p, 0, 3, p->width - 3, STYLE_DIM,
            live->known
                ? "no agent is connected; `stemma mcp --help` shows how, :sessions what ended"
                : "looking…");
        return;
    }
    for (int i = 0; i < rows && (size_t)i < live->count; i++) {
        struct pane row = pane_row(p, i);
        if (i == rows - 1 && live->count > (size_t)rows)
            paint_format(&row, 0, 3, row.width - 3, STYLE_DIM, "%zu more: Tab shows all",
                         live->count - (size_t)i);
        else
            session_columns_draw(&l->list.view, &l->session_columns, &row, &live->session[i], NULL);
    }
}

#define QUOTA_BAR(width) ((width) >= 100 ? 14 : 6)
#define ITEMS_WIDTH      11
#define BYTES_WIDTH      15

/* Draws "12/100 ▆▆░"; nothing without a limit. Returns the next column. */
static int draw_use(const struct pane *row, int at, int64_t used, int64_t most, bool bytes)
{
    const int bar = QUOTA_BAR(row->width), number = bytes ? BYTES_WIDTH : ITEMS_WIDTH;
    char one[24], all[24];
    if (bytes) {
        format_bytes(one, sizeof(one), used);
        format_bytes(all, sizeof(all), most);
    } else {
        snprintf(one, sizeof(one), "%lld", (long long)used);
        snprintf(all, sizeof(all), "%lld", (long long)most);
    }
    if (most > 0) {
        paint_format(row, 0, at, number, gauge_style(used, most), "%s/%s", one, all);
        gauge_draw(row, at + number + 1, bar, used, most);
    }
    return at + number + bar + 3;
}

/* "session.build   3/10 ▆▆░   120 B/1.0 KB ▆░░": the state of every quota, as far as there is room, below column
 * headers. */
static void draw_quotas(struct live_view *l, const struct pane *p, int rows)
{
    const struct live *live = &l->list.view.app->live;
    int name = p->width / 3 < 32 ? p->width / 3 : 32;
    int bytes = name + 4 + ITEMS_WIDTH + QUOTA_BAR(p->width) + 3;
    paint_text(p, 0, 3, name, STYLE_HEADER, "namespace");
    paint_text(p, 0, name + 4, bytes - name - 4, STYLE_HEADER, "entries");
    paint_text(p, 0, bytes, p->width - bytes, STYLE_HEADER, "bytes of values");
    for (int i = 0; i < rows; i++) {
        const struct quota_use *q = &live->quota[i];
        struct pane row = pane_row(p, 1 + i);
        AUTO_STRBUF text = STRBUF_INIT;
        if (i == rows - 1 && live->quotas > (size_t)rows) {
            paint_format(&row, 0, 3, row.width - 3, STYLE_DIM, "%zu more; :namespaces shows all",
                         live->quotas - (size_t)i);
            return;
        }
        ui_mask_name(l->list.view.ui, q->name, &text);
        paint_text(&row, 0, 3, name, STYLE_TEXT, text.buf);
        int at = draw_use(&row, name + 4, q->items, q->max_items, false);
        draw_use(&row, at, q->bytes, q->max_bytes, true);
    }
}

/* "2 namespaces nearly full: :namespaces", while the quotas have no room of their own. */
static void add_nearly_full(struct app *x, struct strbuf *out)
{
    const struct live *live = &x->live;
    size_t count = 0;
    for (size_t i = 0; i < live->quotas; i++)
        count += gauge_style(live->quota[i].items, live->quota[i].max_items) != STYLE_NUMBER ||
                 gauge_style(live->quota[i].bytes, live->quota[i].max_bytes) != STYLE_NUMBER;
    if (count == 0)
        return;
    strbuf_addf(out, "%zu namespace%s nearly full: ", count, count == 1 ? "" : "s");
    x->above->add_key(x, "namespaces", out);
}

/* The sessions and the quotas, below the charts. */
static void draw_sessions_part(struct view *v, const struct pane *p)
{
    struct live_view *l = live_of(v);
    int rows = l->sessions, at = 1 + listener_rows(v->app, p, true);
    struct pane names = pane_row(p, at), lines = pane_part(p, at + 1, 0, rows, p->width);
    session_columns_draw(v, &l->session_columns, &names, NULL, NULL);
    draw_sessions(l, &lines, rows);
    at += 1 + rows;
    AUTO_STRBUF full = STRBUF_INIT;
    if (l->quotas) {
        struct pane quotas = pane_part(p, at + 1, 0, 1 + l->quotas, p->width);
        paint_rule(p, at, "quotas", "");
        draw_quotas(l, &quotas, l->quotas);
        at += 2 + l->quotas;
    } else {
        add_nearly_full(v->app, &full);
    }
    paint_rule(p, at, "events", full.buf);
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct live_view *l = live_of(v);
    struct pane below = pane_part(p, l->chart, 0, p->height - l->chart, p->width);
    if (l->chart > 0)
        call_chart_draw(v->app, p, l->chart);
    if (l->sessions > 0)
        draw_sessions_part(v, &below);
    activity_list_draw_header(v, p);
}

/* "read 2026-11-22 10:59:57", since the line has only the age and may have no room for the count. */
static void add_when(const struct activity *a, struct strbuf *out)
{
    char when[40];
    times_format(when, sizeof(when), a->at);
    if (a->count > 1)
        strbuf_addf(out, "%s %u times, last %s", activity_action(a), (unsigned)a->count, when);
    else
        strbuf_addf(out, "%s %s", activity_action(a), when);
}

/* The preview of a call that failed is the call, of another one without a memory its session. */
static void draw_preview(struct view *v, const struct pane *p)
{
    const struct activity *a = activity_list_cursor(&live_of(v)->list);
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF when = STRBUF_INIT;
    struct session_row row;
    if (is_failed_call(a)) {
        activity_list_draw_preview(v, p);
        return;
    }
    bool known = session_read_shown(v->ui->data->reader, &arena, view_subject(v).session, &row);
    if (a)
        add_when(a, &when);
    session_preview(v->app, p, known ? &row : NULL, when.buf);
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_NEXT_SECTION || v->ui->preview_focus)
        return activity_list_request(v, request);
    app_push(v->app, sessions_view_new(v->ui));
    return true;
}

static void release(struct view *v)
{
    activity_list_release(v);
    free(live_of(v)->name);
}

static const struct view_ops live_ops = {
    .name = "live",
    ACTIVITY_LIST_OPS,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_EVENTS | HAS_UNDO | HAS_SESSIONS |
           HAS_EVERYONE | HAS_FOLLOWING,
    .own_preview = false,
    .order = NULL, /* the header has the agents instead */
    .bar = "filter,errors,pause,conversation=conversation,next-section=sessions,tools=tools,follow,"
           "show,undo,end-session=end,undo-event",
    .title = view_live_title,
    .counts = view_live_counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_preview = draw_preview,
    .request = request,
    .read_filter = activity_list_read_filter,
    .query = QUERY_EVENTS,
    .release = release,
};

struct view *live_view_of(struct app *x, int64_t session, const char *name)
{
    struct live_view *l = xcalloc(1, sizeof(*l));
    activity_list_init(&l->list, &live_ops, &x->ui, ACTIVITY_LIVE);
    l->list.session = l->list.filter.session = session;
    l->name = name ? xstrdup(name) : NULL;
    activity_list_begin(&l->list);
    if (x->data.feed)
        x->remote.follows = &l->list.view;
    return &l->list.view;
}

int64_t live_view_session(const struct view *v)
{
    return ((const struct live_view *)v)->list.session;
}

bool live_view_open_session(struct app *x, int64_t session)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF name = STRBUF_INIT;
    struct session_row row;
    bool known = session_read_shown(x->data.reader, &arena, session, &row);
    if (known) {
        session_title(&row, &name);
        app_push(x, live_view_of(x, session, name.buf));
    }
    return known;
}

struct view *live_view_new(struct app *x)
{
    return live_view_of(x, 0, NULL);
}
