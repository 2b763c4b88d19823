/* Activity by day: the changes of each day, of the store, an agent or a session, as a calendar and a list. */
#include "tui/view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "tui/explorer/app.h"
#include "tui/render/activity.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/view/events/event_views.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

struct day {
    int64_t at; /* midnight UTC */
    int64_t changes;
};

struct days_view {
    struct rows_view rows; /* struct day: those with changes, the latest first */
    char actor[ACTOR_MAX]; /* "" for anybody */
    int64_t session;       /* 0 for any */
    int64_t most;          /* changes of a day */
    int64_t first;         /* the first day in the calendar … */
    int weeks;             /* … and its columns; 0 if it has no room */
};

struct days_context {
    char actor[ACTOR_MAX];
    int64_t session;
    int64_t next; /* events from this one on are counted; 0: none yet */
};

static struct days_view *days_of(struct view *v)
{
    return (struct days_view *)v;
}

/* ---- reading ---- */

#define SLICE   20000 /* events that are looked at before other jobs have their turn */
#define LOOKUPS 20    /* of events, to find where a day begins */

static void ask(struct rows_view *v, struct rows *rows)
{
    struct days_context *q = rows->context;
    memcpy(q->actor, days_of(&v->view)->actor, sizeof(q->actor));
    q->session = days_of(&v->view)->session;
    rows->parts = true;
}

/* The changes of a day; -1 on error. Without an actor and a session the place of its first event is enough. */
static int64_t count_day(const struct days_context *q, struct reader *r, int64_t first,
                         struct error *e)
{
    struct event_filter filter = EVENT_FILTER_ALL;
    filter.actor = *q->actor ? q->actor : NULL;
    filter.session = q->session;
    filter.last = q->next - 1;
    return filter.actor || filter.session ? journal_count(r, &filter, first - 1, e)
                                          : q->next - first;
}

/* The day of the event before those that were counted, so that days without any cost nothing. */
static int64_t day_before(const struct days_context *q, struct reader *r, struct error *e)
{
    int64_t at = journal_time(r, q->next - 1, e);
    return at < 0 ? -1 : at - at % CLOCK_DAY;
}

/* Goes back to the first event, one day after the other. */
static int read_days(struct rows *rows, struct reader *r, struct error *e)
{
    struct days_context *q = rows->context;
    int64_t last = journal_last(r, e), looked = 0;
    q->next = q->next ? q->next : last + 1;
    while (last >= 0 && q->next > 1 && looked < SLICE) {
        int64_t at = day_before(q, r, e), first = at < 0 ? -1 : journal_first_at(r, at, e);
        first = first < q->next ? first : q->next - 1; /* the times of an altered journal go back */
        int64_t changes = first < 0 ? -1 : count_day(q, r, first, e);
        if (changes < 0)
            return -1;
        if (changes > 0)
            *(struct day *)rows_add(rows) = (struct day){at, changes};
        looked += q->next - first + LOOKUPS;
        q->next = first;
    }
    return last < 0 ? -1 : q->next > 1;
}

/* A list to which the job then adds a part at a time. */
static int read_nothing(struct rows *rows, struct reader *r, struct error *e)
{
    (void)rows, (void)r, (void)e;
    return 0;
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = ((const struct day *)row)->at / CLOCK_DAY + 1};
}

/* ---- the calendar ---- */

#define WEEK         7
#define LEVELS       5
#define LEFT         5 /* columns before the first week */
#define CALENDAR     (1 + WEEK + 1)
#define WEEKS_MOST   53
#define MIN_HEIGHT   18 /* of the list, from which on there is room for a calendar */
#define MONDAY_FIRST 3  /* 1970-01-01 was a Thursday */

static const char *const weekdays[WEEK] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static int weekday_of(int64_t day)
{
    return (int)(((day / CLOCK_DAY + MONDAY_FIRST) % WEEK + WEEK) % WEEK);
}

static const char *level_sign(int level, bool ascii)
{
    static const char *const signs[LEVELS][2] = {
        {"·", "."}, {"░", "-"}, {"▒", "+"}, {"▓", "*"}, {"█", "#"}};
    return signs[level][ascii];
}

/* From how many changes on a day has a level: each as much more than the one before, since one import may be a
 * thousand times the changes of other days. */
static int64_t level_from(int64_t most, int level)
{
    int64_t from = level > 1 ? (int64_t)ceil(pow((double)most, (level - 1) / 4.0) - 1e-9) : level;
    return from > level ? from : level;
}

static int level_of(int64_t changes, int64_t most)
{
    int level = LEVELS - 1;
    while (level > 0 && changes < level_from(most, level))
        level--;
    return level;
}

static int64_t day_at_cursor(struct view *v)
{
    const struct day *d = rows_view_at(v, v->cursor);
    return d ? d->at : -1;
}

/* The names of months, each above the week that has its first day. */
static void draw_months(const struct days_view *d, const struct pane *p)
{
    int free_from = 0;
    char text[40];
    for (int i = 0; i < d->weeks * WEEK; i++) {
        clock_format_iso(text, sizeof(text), d->first + i * CLOCK_DAY);
        int column = LEFT + i / WEEK * 2;
        if (strncmp(text + 8, "01", 2) != 0 || column < free_from || column + 7 > p->width)
            continue;
        text[7] = '\0';
        free_from = column + 8;
        paint_text(p, 0, column, 7, STYLE_HEADER, text);
    }
}

static void draw_legend(const struct days_view *d, const struct pane *p)
{
    AUTO_STRBUF text = STRBUF_INIT;
    bool ascii = !d->rows.view.ui->screen.utf8;
    strbuf_addstr(&text, "changes a day, UTC:");
    for (int i = 0; i < LEVELS; i++)
        if (i == 0 || level_from(d->most, i) <= d->most) {
            strbuf_addf(&text, "  %s %lld", level_sign(i, ascii),
                        (long long)(i ? level_from(d->most, i) : 0));
            strbuf_addstr(&text, i ? "+" : "");
        }
    paint_text(p, CALENDAR - 1, LEFT, p->width - LEFT, STYLE_DIM, text.buf);
}

static void draw_day(struct view *v, const struct pane *p, int64_t at, int64_t changes)
{
    struct days_view *d = days_of(v);
    int64_t number = (at - d->first) / CLOCK_DAY;
    struct pane cell =
        pane_part(p, 1 + (int)(number % WEEK), LEFT + (int)(number / WEEK) * 2, 1, 2);
    if (at == day_at_cursor(v))
        cell.over = STYLE_SELECTION;
    if (cell.over != STYLE_NONE)
        paint_clear(&cell);
    paint_text(&cell, 0, 0, 1, changes ? STYLE_NUMBER : STYLE_RULE,
               level_sign(level_of(changes, d->most), !v->ui->screen.utf8));
}

static void draw_calendar(struct view *v, const struct pane *p)
{
    struct days_view *d = days_of(v);
    int64_t today = v->ui->now - v->ui->now % CLOCK_DAY;
    draw_months(d, p);
    for (int i = 0; i < WEEK; i += 2)
        paint_text(p, 1 + i, 1, 3, STYLE_DIM, weekdays[i]);
    for (int64_t at = d->first; at <= today; at += CLOCK_DAY)
        draw_day(v, p, at, 0);
    for (size_t i = 0; i < v->count; i++) {
        const struct day *day = rows_view_at(v, i);
        if (day->at >= d->first && day->at <= today)
            draw_day(v, p, day->at, day->changes);
    }
    draw_legend(d, p);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct days_view *d = days_of(v);
    strbuf_addstr(out, "activity");
    if (d->session)
        strbuf_addf(out, " of session %lld", (long long)d->session);
    else if (*d->actor) {
        AUTO_STRBUF name = STRBUF_INIT;
        ui_mask_name(v->ui, d->actor, &name);
        strbuf_addf(out, " of %s", name.buf);
    }
}

static void counts(struct view *v, struct strbuf *out)
{
    int64_t sum = 0;
    for (size_t i = 0; i < v->count; i++)
        sum += ((const struct day *)rows_view_at(v, i))->changes;
    strbuf_addf(out, "%lld change%s on %zu day%s", (long long)sum, sum == 1 ? "" : "s", v->count,
                v->count == 1 ? "" : "s");
}

static void layout(struct view *v, int height, int width)
{
    struct days_view *d = days_of(v);
    (void)height, (void)width;
    d->most = 0;
    for (size_t i = 0; i < v->count; i++) {
        const struct day *day = rows_view_at(v, i);
        d->most = day->changes > d->most ? day->changes : d->most;
    }
}

static int header(struct view *v)
{
    struct days_view *d = days_of(v);
    const struct pane *p = &v->ui->list_pane;
    int64_t today = v->ui->now - v->ui->now % CLOCK_DAY;
    int room = (p->width - LEFT) / 2;
    d->weeks = p->height < MIN_HEIGHT ? 0 : room < WEEKS_MOST ? room : WEEKS_MOST;
    d->first = today - (weekday_of(today) + (int64_t)(d->weeks - 1) * WEEK) * CLOCK_DAY;
    return d->weeks ? CALENDAR + 1 : 1;
}

#define BAR_WIDTH 40

/* Draws "changes bar day"; with `one` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct day none;
    const struct day *d = one ? one : &none;
    int64_t most = days_of(v)->most;
    struct list_line l = line_begin(v, row, !one, 3, NULL);
    AUTO_STRBUF bar = STRBUF_INIT;
    char when[40];
    double part = most ? (double)d->changes / (double)most : 0;
    score_bar(&bar, v->ui->screen.utf8, part * BAR_WIDTH < 0.5 ? 0.5 / BAR_WIDTH : part,
              SCORE_MEASURED, BAR_WIDTH);
    clock_format_iso(when, sizeof(when), d->at);
    when[10] = '\0';
    line_cell(&l, 10, "day", STYLE_AGE, when);
    line_cell(&l, 3, "", STYLE_DIM, weekdays[weekday_of(d->at)]);
    line_number(&l, 9, "changes", STYLE_NUMBER, d->changes);
    line_cell(&l, row->width >= 70 ? BAR_WIDTH : 0, "", STYLE_SUPPORTED, bar.buf);
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct pane names = pane_row(p, p->height - 1);
    if (days_of(v)->weeks)
        draw_calendar(v, p);
    draw(v, &names, NULL);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    char when[40];
    clock_format_iso(when, sizeof(when), ((const struct day *)rows_view_at(v, line))->at);
    strbuf_addf(out, "%.10s", when);
}

/* Enter: that day in the audit. */
static bool request(struct view *v, enum view_request request)
{
    const struct days_view *d = days_of(v);
    const struct day *day = rows_view_at(v, v->cursor);
    AUTO_STRBUF query = STRBUF_INIT, whole = STRBUF_INIT;
    char from[40], to[40];
    if (request != REQUEST_OPEN || !day)
        return false;
    clock_format_iso(from, sizeof(from), day->at);
    clock_format_iso(to, sizeof(to), day->at + CLOCK_DAY - 1);
    strbuf_addf(&query, "only:changes after:%s before:%s", from, to);
    if (d->session)
        strbuf_addf(&query, " session:%lld", (long long)d->session);
    if (*d->actor)
        query_put(&whole, query.buf, "agent", d->actor);
    app_push(v->app, audit_view_new(v->ui, *d->actor ? whole.buf : query.buf));
    return true;
}

static const struct rows_ops days_rows = {.job = "counting the changes of each day",
                                          .size = sizeof(struct day),
                                          .context = sizeof(struct days_context),
                                          .ask = ask,
                                          .read = read_days,
                                          .subject = row_subject,
                                          .draw = draw,
                                          .while_reading = "counting…",
                                          .nothing = "nothing was changed here yet"};

static const struct view_ops days_ops = {
    .name = "activity",
    ROWS_VIEW_OPS,
    .preview = false,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .has = HAS_EVERYONE,
    .bar = "show=audit,search,!undo",
    .text = text,
    .request = request,
};

struct view *days_view_new(struct ui *ui, const char *actor, int64_t session)
{
    struct days_view *d = rows_view_new(sizeof(*d), &days_ops, &days_rows, ui);
    snprintf(d->actor, sizeof(d->actor), "%s", actor ? actor : "");
    d->session = session;
    rows_view_first(&d->rows, read_nothing);
    view_load(&d->rows.view);
    return &d->rows.view;
}
