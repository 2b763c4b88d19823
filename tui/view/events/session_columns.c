#include "tui/view/events/event_views.h"

#include <math.h>
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/render/session_print.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/text/text.h"
#include "tui/widget/sheet_view.h"

#define CLIENT_WIDTH 18
#define AGENT_WIDTH  12
#define NAME_MOST    32 /* of either, where columns are left */
#define TASK_LEAST   8
#define TASK_READ    20 /* before what tells least comes beside it */
#define TASK_WIDE    32 /* before longer names come before it */

/* ---- words ---- */

void session_text(const struct session_row *s, struct strbuf *out)
{
    session_title(s, out);
    strbuf_addch(out, ' ');
    session_state(s, out);
    strbuf_addf(out, " %s %s %s %s", session_agent(s) ? session_agent(s) : "", s->era ? s->era : "",
                s->transport ? s->transport : "", s->task ? s->task : "");
}

/* "640us", "4.1ms", "12s"; "-" where there was no call. */
static void format_took(char *out, size_t size, int64_t us)
{
    if (us <= 0)
        snprintf(out, size, "-");
    else if (us < 1000)
        snprintf(out, size, "%dus", (int)us);
    else if (us < 10000)
        snprintf(out, size, "%.1fms", (double)us / 1e3);
    else if (us < 1000000)
        snprintf(out, size, "%dms", (int)(us / 1000));
    else if (us < 10000000)
        snprintf(out, size, "%.1fs", (double)us / 1e6);
    else
        snprintf(out, size, "%llds", (long long)(us / 1000000));
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

static void format_peer(char *out, size_t size, const struct session_row *s)
{
    char uid[24] = "?", pid[24] = "?";
    if (session_is_loopback(s)) {
        snprintf(out, size, "loopback");
        return;
    }
    if (s->peer_uid >= 0)
        snprintf(uid, sizeof(uid), "%lld", (long long)s->peer_uid);
    if (s->peer_pid >= 0)
        snprintf(pid, sizeof(pid), "%lld", (long long)s->peer_pid);
    snprintf(out, size, "%s:%s", uid, pid);
}

/* ---- columns ---- */

/* Columns of the widest number. */
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

/* Of the widest name, no more than NAME_MOST. */
static int width_of_clients(const struct session_row *rows, size_t count)
{
    struct strbuf name = STRBUF_INIT;
    size_t most = 0;
    for (size_t i = 0; i < count && most < NAME_MOST; i++) {
        strbuf_clear(&name);
        session_name(&rows[i], &name);
        size_t width = text_width(name.buf, name.len, NAME_MOST, TEXT_EXACT);
        most = width > most ? width : most;
    }
    strbuf_release(&name);
    return most < NAME_MOST ? (int)most : NAME_MOST;
}

static int width_of_agents(const struct session_row *rows, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count && most < NAME_MOST; i++) {
        const char *name = session_agent(&rows[i]);
        size_t width = name ? text_width(name, strlen(name), NAME_MOST, TEXT_EXACT) : 0;
        most = width > most ? width : most;
    }
    return most < NAME_MOST ? (int)most : NAME_MOST;
}

/* What of the columns that are left a name has, which wants so many; the rest is left. */
static int widen(int width, int wanted, int *left)
{
    int more = wanted - width < *left ? wanted - width : *left;
    if (more <= 0)
        return width;
    *left -= more;
    return width + more;
}

struct session_columns session_columns_fit(const struct app *x, int width,
                                           const struct session_row *rows, size_t count)
{
    struct session_columns c = {.state = 3,
                                .width = width,
                                .id_width = width_of_ids(rows, count),
                                .client_width = CLIENT_WIDTH,
                                .agent_width = AGENT_WIDTH,
                                .seen_width = x->prefs.exact_times ? 19 : 4};
    struct {
        int *start, width;
    } wanted[] = {
        {&c.id, c.id_width},
        {&c.client, CLIENT_WIDTH},
        {&c.agent, AGENT_WIDTH},
        {&c.mode, 2},
        {&c.calls, 6},
        {&c.errors, 6},
        {&c.rate, 5},
        {&c.half, 5},
        {&c.most, 5},
        {&c.seen, c.seen_width},
        {&c.era, 10},
        {&c.transport, 9},
        {&c.peer, 14},
    };
    /* In the order in which they give way: indexes of the above. The first ones do so for a task as well, which else has
     * what is left. */
    static const int drop[] = {12, 10, 11, 7, 8, 6, 3, 5, 2, 9, 0, 4};
    enum {
        COLUMNS = sizeof(wanted) / sizeof(wanted[0]),
        CLIENT = 1,
        AGENT = 2,
        TO_READ = 2,
        FOR_TASKS = 6
    };
    bool on[COLUMNS], tasks = have_tasks(rows, count);
    int taken = 5;
    for (int i = 0; i < COLUMNS; i++) {
        on[i] = true;
        taken += wanted[i].width + 2;
    }
    for (size_t i = 0; i < sizeof(drop) / sizeof(drop[0]); i++) {
        int task = i < TO_READ ? TASK_READ : i < FOR_TASKS ? TASK_LEAST : 0;
        if (taken + (tasks ? task : 0) <= width)
            break;
        on[drop[i]] = false;
        taken -= wanted[drop[i]].width + 2;
    }
    int left = width - taken - 1 - (tasks ? TASK_WIDE : 0);
    if (on[AGENT] && left > 0)
        wanted[AGENT].width = c.agent_width =
            widen(AGENT_WIDTH, width_of_agents(rows, count), &left);
    if (on[CLIENT] && left > 0)
        wanted[CLIENT].width = c.client_width =
            widen(CLIENT_WIDTH, width_of_clients(rows, count), &left);
    int at = 5;
    for (int i = 0; i < COLUMNS; i++) {
        if (!on[i])
            continue;
        *wanted[i].start = at;
        at += wanted[i].width + 2;
    }
    c.task = tasks && width - at >= TASK_LEAST ? at : 0;
    return c;
}

void session_columns_header(const struct app *x, const struct session_columns *c,
                            const struct pane *row)
{
    const struct {
        int at, width;
        const char *name;
        bool right;
    } names[] = {
        {c->id, c->id_width, "id", true},
        {c->client, c->client_width, "client", false},
        {c->agent, c->agent_width, "agent", false},
        {c->calls, 6, "calls", true},
        {c->errors, 6, "errors", true},
        {c->rate, 5, "/s", true},
        {c->half, 5, "p50", true},
        {c->most, 5, "p99", true},
        {c->seen, c->seen_width, x->prefs.exact_times ? "last call" : "idle", true},
        {c->era, 10, "protocol", false},
        {c->transport, 9, "transport", false},
        {c->peer, 14, "peer uid:pid", false},
        {c->task, c->width - c->task, "task", false},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].at && names[i].right)
            paint_right(row, 0, names[i].at, names[i].width, STYLE_HEADER, names[i].name);
        else if (names[i].at)
            paint_text(row, 0, names[i].at, names[i].width + 1, STYLE_HEADER, names[i].name);
    }
}

static void draw_numbers(struct app *x, const struct session_columns *c, const struct pane *row,
                         const struct session_row *s)
{
    char text[40];
    format_count(text, sizeof(text) - 1, s->calls);
    if (session_is_lost(s))
        memcpy(text + strlen(text), "+", 2);
    if (c->calls)
        paint_right(row, 0, c->calls, 6, STYLE_NUMBER, text);
    format_count(text, sizeof(text), s->errors);
    if (c->errors)
        paint_right(row, 0, c->errors, 6, s->errors ? STYLE_UNGROUNDED : STYLE_NUMBER, text);
    format_rate(text, sizeof(text), live_rate(x, s->id));
    if (c->rate)
        paint_right(row, 0, c->rate, 5, STYLE_NUMBER, text);
    format_took(text, sizeof(text), latency_percentile(&s->latency, 50));
    if (c->half)
        paint_right(row, 0, c->half, 5, STYLE_NUMBER, text);
    format_took(text, sizeof(text), latency_percentile(&s->latency, 99));
    if (c->most)
        paint_right(row, 0, c->most, 5, STYLE_NUMBER, text);
    struct facts_look look = ages_look(&x->ui);
    if (c->seen) {
        facts_when(text, sizeof(text), s->seen_at, &look);
        paint_right(row, 0, c->seen, c->seen_width, STYLE_AGE, text);
    }
}

bool session_is_new(const struct app *x, const struct session_row *s)
{
    return s->started_at > x->unread.left_at;
}

void session_columns_row(struct app *x, const struct session_columns *c, const struct pane *row,
                         const struct session_row *s, const char *pattern)
{
    struct strbuf name = STRBUF_INIT;
    char peer[56];
    enum style style = s->lives ? STYLE_TEXT : STYLE_DIM;
    if (session_is_new(x, s))
        paint_text(row, 0, c->state - 1, 1, STYLE_CHIP, "+");
    paint_text(row, 0, c->state, 1, s->lives ? STYLE_GROUNDED : STYLE_GONE,
               glyph_text(&x->ui.screen, s->lives ? GLYPH_LIVES : GLYPH_ENDED));
    if (c->id)
        paint_format(row, 0, c->id, c->id_width, style, "%*lld", c->id_width, (long long)s->id);
    session_name(s, &name);
    if (c->client)
        paint_name(row, 0, c->client, c->client_width, style, name.buf, pattern);
    strbuf_release(&name);
    const char *agent = session_agent(s);
    if (c->agent && agent)
        paint_name(row, 0, c->agent, c->agent_width, STYLE_SOURCE, agent, pattern);
    if (c->mode && s->read_only)
        paint_text(row, 0, c->mode, 2, STYLE_CHIP, "ro");
    draw_numbers(x, c, row, s);
    if (c->era && s->era)
        paint_name(row, 0, c->era, 10, STYLE_SOURCE, s->era, pattern);
    if (c->transport && s->transport)
        paint_name(row, 0, c->transport, 9, STYLE_SOURCE, s->transport, pattern);
    format_peer(peer, sizeof(peer), s);
    if (c->peer)
        paint_text(row, 0, c->peer, 14, STYLE_SOURCE, peer);
    if (c->task && s->task)
        paint_name(row, 0, c->task, c->width - c->task - 1, style, s->task, pattern);
}

/* ---- all of it ---- */

static void fact(struct sheet *sheet, const char *field, const char *text, bool second)
{
    int at = second ? sheet->width / 2 + 1 : 1;
    if (!second)
        sheet_line(sheet);
    sheet_put(sheet, at, 11, STYLE_FIELD, field);
    sheet_put(sheet, at + 11, 0, STYLE_TEXT, text ? text : "not told");
}

/* Two facts in a line, where there is room for it. */
static void pair(struct sheet *sheet, const char *field, const char *text, const char *field2,
                 const char *text2)
{
    bool both = sheet->width >= 70;
    fact(sheet, field, text, false);
    if (both) /* the first one ends where the second begins */
        sheet->line[sheet->count - 1].span[1].width = sheet->width / 2 - 12;
    fact(sheet, field2, text2, both);
}

static void add_calls(struct app *x, struct sheet *sheet, const struct session_row *s)
{
    char half[24], nine[24], most[24], rate[40], pace[80] = "", took[120];
    format_rate(rate, sizeof(rate), live_rate(x, s->id));
    format_took(half, sizeof(half), latency_percentile(&s->latency, 50));
    format_took(nine, sizeof(nine), latency_percentile(&s->latency, 90));
    format_took(most, sizeof(most), latency_percentile(&s->latency, 99));
    if (*rate)
        snprintf(pace, sizeof(pace), ", %s a second in the last %d", rate, PACE_SECONDS);
    sheet_line(sheet);
    sheet_put(sheet, 1, 11, STYLE_FIELD, "calls");
    sheet_format(sheet, 12, 0, STYLE_TEXT, "%s%lld, %lld failed%s",
                 session_is_lost(s) ? "at least " : "", (long long)s->calls, (long long)s->errors,
                 pace);
    if (s->latency.count == 0)
        return;
    sheet_line(sheet);
    snprintf(took, sizeof(took), "%s or less (half), %s (9 of 10), %s (99 of 100)", half, nine,
             most);
    sheet_put(sheet, 1, 11, STYLE_FIELD, "they took");
    sheet_wrap(sheet, 12, sheet->width - 13, STYLE_TEXT, took, 3, true);
}

/* What the client and the agent are called: what a name hides shows. */
static void put_names(struct sheet *sheet, const struct session_row *s, const char *state)
{
    struct strbuf name = STRBUF_INIT, client = STRBUF_INIT, agent = STRBUF_INIT;
    session_name(s, &name);
    text_clean(&client, name.buf, name.len, TEXT_EXACT);
    text_add(&agent, session_agent(s), TEXT_EXACT);
    pair(sheet, "client", client.buf, "state", state);
    pair(sheet, "agent", session_agent(s) ? agent.buf : NULL, "protocol", s->era);
    strbuf_release(&name);
    strbuf_release(&client);
    strbuf_release(&agent);
}

static void put_task(struct sheet *sheet, const char *task)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, task, TEXT_EXACT);
    sheet_line(sheet);
    sheet_put(sheet, 1, 11, STYLE_FIELD, "task");
    sheet_wrap(sheet, 12, sheet->width - 13, STYLE_TEXT, clean.buf, 4, true);
    strbuf_release(&clean);
}

static void session_sheet(struct app *x, const struct session_row *s, struct sheet *sheet)
{
    struct facts_look look = {.now = x->ui.now, .exact_times = true};
    char started[40], seen[40], peer[SESSION_PEER_SIZE];
    struct strbuf state = STRBUF_INIT, served = STRBUF_INIT, id = STRBUF_INIT;
    facts_when(started, sizeof(started), s->started_at, &look);
    facts_when(seen, sizeof(seen), s->seen_at, &look);
    session_peer(peer, sizeof(peer), s);
    session_state(s, &state);
    strbuf_addstr(&served, s->transport ? s->transport : "unknown");
    if (s->process >= 0)
        strbuf_addf(&served, ", by process %lld", (long long)s->process);
    put_names(sheet, s, state.buf);
    pair(sheet, "began", started, "last call", seen);
    pair(sheet, "served", served.buf, "peer", *peer ? peer : NULL);
    strbuf_addf(&id, "%lld, %s", (long long)s->id, s->uuid ? s->uuid : "?");
    fact(sheet, "session", id.buf, false);
    add_calls(x, sheet, s);
    if (s->task)
        put_task(sheet, s->task);
    strbuf_release(&state);
    strbuf_release(&served);
    strbuf_release(&id);
}

void session_preview(struct app *x, const struct pane *p, const struct session_row *s,
                     const char *right)
{
    struct sheet sheet;
    char title[40] = "";
    if (s)
        snprintf(title, sizeof(title), "session %lld", (long long)s->id);
    paint_rule(p, 0, title, right);
    if (!s)
        return;
    sheet_init(&sheet);
    sheet_clear(&sheet, p->width);
    session_sheet(x, s, &sheet);
    for (int i = 1; i < p->height && (size_t)i <= sheet.count; i++) {
        struct pane line = pane_row(p, i);
        sheet_draw_line(&sheet, &line, (size_t)i - 1, NULL);
    }
    sheet_release(&sheet);
}
