/* The view of tools and methods: their calls, how long those took, and what they sent in bytes and estimated tokens. */
#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/permission_table.h"
#include "tui/render/session_print.h"
#include "tui/view/events/event_views.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

struct usage_view {
    struct rows_view rows; /* struct usage: the largest first */
    int64_t session;       /* 0 for all */
    int64_t own;           /* the session that it was opened for; 0 for none */
    char *name;            /* of `own` */
};

static struct usage_view *usage_of(struct view *v)
{
    return (struct usage_view *)v;
}

/* ---- reading ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    *(int64_t *)rows->context = usage_of(&v->view)->session;
}

static int read_rows(struct rows *rows, struct reader *r, struct error *e)
{
    int64_t session = *(int64_t *)rows->context;
    struct usage *list;
    size_t count;
    if (session ? session_usage(r, &rows->arena, session, session, &list, &count, e)
                : session_usage_of_all(r, &rows->arena, &list, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        *(struct usage *)rows_add(rows) = list[i];
    return 0;
}

/* Names are few and do not change, so a hash of them keeps the cursor on its row. */
static struct line_subject row_subject(const void *row)
{
    int64_t id = 1;
    for (const char *c = ((const struct usage *)row)->tool; c && *c; c++)
        id = (id * 31 + *c) & INT32_MAX;
    return (struct line_subject){.id = id | 1};
}

/* ---- drawing ---- */

static void title(struct view *v, struct strbuf *out)
{
    if (usage_of(v)->session)
        strbuf_addf(out, "tools of %s", usage_of(v)->name);
    else
        strbuf_addstr(out, "tools of all sessions");
}

static void counts(struct view *v, struct strbuf *out)
{
    struct usage sum = {.tool = NULL};
    if (!rows_view_known(v))
        return;
    for (size_t i = 0; i < v->count; i++)
        usage_add(&sum, rows_view_at(v, i));
    add_usage(out, &sum);
}

#define FULL_WIDTH 90 /* from which on there is a column for answers in full */

/* Draws "tool calls errors p50 p99 bytes tokens in-full"; with `one` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct usage none;
    const struct usage *u = one ? one : &none;
    struct list_line l = line_begin(v, row, !one, 3, NULL);
    int wide = row->width >= FULL_WIDTH ? 28 : row->width >= 76 ? 22 : 16;
    char text[24];
    line_cell(&l, wide, "tool", STYLE_TEXT, u->tool);
    line_number(&l, row->width >= 40 ? 7 : 0, "calls", STYLE_NUMBER, u->answers);
    line_number(&l, row->width >= 60 ? 6 : 0, "errors",
                u->failures ? STYLE_UNSUPPORTED : STYLE_NUMBER, u->failures);
    latency_text(text, sizeof(text), &u->latency, 50);
    line_right(&l, row->width >= 76 ? 5 : 0, "p50", STYLE_NUMBER, text);
    latency_text(text, sizeof(text), &u->latency, 99);
    line_right(&l, row->width >= 68 ? 5 : 0, "p99", STYLE_NUMBER, text);
    format_bytes(text, sizeof(text), u->bytes);
    line_right(&l, row->width >= 52 ? 8 : 0, "bytes", STYLE_NUMBER, text);
    tokens_text(text, sizeof(text), u->bytes);
    line_right(&l, 7, "tokens", STYLE_NUMBER, text);
    tokens_text(text, sizeof(text), u->full_bytes);
    line_right(&l, row->width >= FULL_WIDTH ? 7 : 0, "in full", STYLE_NUMBER, text);
}

/* The calls of the tool under the cursor, in the audit. */
static bool request(struct view *v, enum view_request request)
{
    const struct usage *u = rows_view_at(v, v->cursor);
    AUTO_STRBUF filter = STRBUF_INIT, session = STRBUF_INIT;
    if (request != REQUEST_OPEN || !u || !u->tool)
        return rows_view_request(v, request);
    if (usage_of(v)->session)
        strbuf_addf(&session, "session:%lld", (long long)usage_of(v)->session);
    query_put(&filter, session.len ? session.buf : "", "operation", u->tool);
    app_push(v->app, audit_view_new(v->ui, filter.buf));
    return true;
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct pane names = pane_row(p, 1);
    paint_text(p, 0, 3, p->width - 4, STYLE_DIM,
               p->width >= FULL_WIDTH
                   ? "tokens are estimated; in full: the same answers with every "
                     "field, as detail=full gives them"
                   : "tokens are estimated from the bytes");
    draw(v, &names, NULL);
}

static double p50(struct view *v, const void *row)
{
    (void)v;
    const struct latency *l = &((const struct usage *)row)->latency;
    return l->count ? (double)latency_percentile(l, 50) : NAN;
}

static double p99(struct view *v, const void *row)
{
    (void)v;
    const struct latency *l = &((const struct usage *)row)->latency;
    return l->count ? (double)latency_percentile(l, 99) : NAN;
}

#define COLUMN(name, type, member) ROWS_COLUMN(name, type, usage, member)
static const struct rows_column usage_columns[] = {
    COLUMN("tool", BY_TEXT, tool),
    COLUMN("calls", BY_INT64, answers),
    COLUMN("errors", BY_INT64, failures),
    ROWS_NUMBER("p50", p50),
    ROWS_NUMBER("p99", p99),
    COLUMN("bytes", BY_INT64, bytes),
    COLUMN("tokens", BY_INT64, bytes),
    COLUMN("in full", BY_INT64, full_bytes),
    {.name = NULL},
};

static const struct rows_ops usage_rows = {
    .job = "reading the usage",
    .quiet = true,
    .size = sizeof(struct usage),
    .context = sizeof(int64_t),
    .ask = ask,
    .read = read_rows,
    .subject = row_subject,
    .draw = draw,
    .columns = usage_columns,
    .nothing = "No agent has called since this store was upgraded."};

static void release(struct view *v)
{
    free(usage_of(v)->name);
    rows_view_release(v);
}

static void store_changed(struct view *v)
{
    view_notify(v, NULL, 0, true);
}

static const struct view_ops usage_ops = {
    .name = "tools",
    ROWS_VIEW_OPS,
    .preview = false,
    .header_rows = 2,
    .draw_header = draw_header,
    .has = HAS_ORDER | HAS_EVERYONE,
    .bar = "show=calls,tools=all sessions,!undo,!next-section",
    .request = request,
    .of_now = true,
    .title = title,
    .counts = counts,
    .shown = store_changed,
    .store_changed = store_changed,
    .release = release,
};

struct view *usage_view_new(struct ui *ui, int64_t session, const char *name)
{
    struct usage_view *u = rows_view_new(sizeof(*u), &usage_ops, &usage_rows, ui);
    u->session = u->own = session;
    u->name = name ? xstrdup(name) : NULL;
    view_load(&u->rows.view);
    return &u->rows.view;
}

bool usage_view_switch(struct view *v)
{
    struct usage_view *u = usage_of(v);
    if (!u->own)
        return false;
    u->session = u->session ? 0 : u->own;
    view_load(v);
    return true;
}
