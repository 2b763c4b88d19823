/* stemma sessions and metrics: the sessions of agents over MCP, and counters of their calls. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/thread.h"
#include "store/mcp/metrics/metrics.h"
#include "store/mcp/server/server.h"
#include "store/session/session.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/render/listing.h"
#include "tui/render/permission_table.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

/* stemma sessions: the sessions of agents, in all processes, and a person's decisions about them. */

static const struct option_spec options[] = {
    OPT_FLAG("all", "also sessions that ended"),
    OPT_LIMIT("show at most N, the newest"),
    OPT_INT("cursor", "C", 1, 9007199254740991,
            "continue with older sessions, where a list with --limit ended"),
    OPT_LIST("end", "ID", "end this session: its number, or the beginning of its uuid"),
    OPT_LIST("make-read-only", "ID", "refuse the writes of this session from now on"),
    OPT_LIST("make-read-write", "ID", "allow it again"),
    OPTION_END,
};

/* ---- sessions, for people ---- */

/* Names are cut first, to keep the id, the state and the number of calls. */
static const struct table_column session_columns[] = {
    {"id", 0, 12, TEXT_RIGHT, 17},     {"client", 8, 24, TEXT_EXACT, 15},
    {"agent", 8, 16, TEXT_EXACT, 11},  {"state", 9, 24, TEXT_EXACT, 16},
    {"via", 0, 8, TEXT_EXACT, 3},      {"era", 0, 12, TEXT_EXACT, 2},
    {"peer", 0, 20, TEXT_EXACT, 1},    {"started", 0, 8, TEXT_RIGHT, 4},
    {"seen", 0, 8, TEXT_RIGHT, 10},    {"calls", 0, 10, TEXT_RIGHT, 14},
    {"errors", 0, 10, TEXT_RIGHT, 13}, {"sent", 0, 10, TEXT_RIGHT, 6},
    {"tokens", 0, 8, TEXT_RIGHT, 12},  {"in full", 0, 8, TEXT_RIGHT, 9},
    {"mean", 0, 8, TEXT_RIGHT, 6},     {"p50", 0, 8, TEXT_RIGHT, 7},
    {"p90", 0, 8, TEXT_RIGHT, 5},      {"p99", 0, 8, TEXT_RIGHT, 8},
};
#define LEAST_TASK 10

static void put_state(struct table *t, const struct session_row *s)
{
    if (s->lives)
        table_put(t, s->read_only ? STYLE_WEAKENED : STYLE_SUPPORTED,
                  s->read_only ? "read-only" : "live");
    else if (s->away)
        table_put(t, STYLE_DIM, "away, read-only");
    else if (session_is_lost(s))
        table_put(t, STYLE_DIM, "lost");
    else
        table_format(t, STYLE_DIM, "ended by %s", s->ended_by ? s->ended_by : "");
}

static void put_age(struct table *t, enum style style, int64_t at)
{
    char age[32];
    clock_format_age(age, sizeof(age), at, t->out->now);
    table_put(t, style, age);
}

static void put_session(struct table *t, const struct session_row *s)
{
    static const double percents[] = {50, 90, 99};
    enum style style = s->lives ? STYLE_TEXT : STYLE_DIM;
    char text[SESSION_PEER_SIZE];
    AUTO_STRBUF words = STRBUF_INIT;
    session_name(s, &words);
    table_format(t, style, "%lld", (long long)s->id);
    table_put(t, style, words.buf);
    table_put(t, style, s->label ? s->label : "-");
    put_state(t, s);
    table_put(t, style, s->transport ? s->transport : "-");
    table_put(t, style, s->era ? s->era : "-");
    session_peer(text, sizeof(text), s);
    table_put(t, style, text);
    put_age(t, style, s->started_at);
    put_age(t, style, s->seen_at);
    table_format(t, style, "%lld%s", (long long)s->calls, session_is_lost(s) ? "+" : "");
    table_format(t, s->errors ? STYLE_WEAKENED : style, "%lld", (long long)s->errors);
    if (s->bytes >= 0)
        format_bytes(text, sizeof(text), s->bytes);
    table_put(t, style, s->bytes >= 0 ? text : "-");
    tokens_text(text, sizeof(text), s->bytes);
    table_put(t, style, text);
    tokens_text(text, sizeof(text), s->full_bytes);
    table_put(t, style, text);
    table_format(t, style, "%.1f/s", session_rate(s, t->out->now));
    for (int i = 0; i < 3; i++) {
        latency_text(text, sizeof(text), &s->latency, percents[i]);
        table_put(t, style, text);
    }
    strbuf_clear(&words);
    text_add(&words, s->task, TEXT_EXACT);
    table_end(t, NULL, STYLE_DIM, words.buf);
}

static int print_sessions(struct output *out, const struct session_row *rows, size_t count,
                          struct session_details details, struct error *e)
{
    struct table t =
        table_open(out, session_columns, sizeof(session_columns) / sizeof(session_columns[0]),
                   "task", LEAST_TASK);
    int result = 0;
    for (size_t i = 0; i < count && !out->closed && !result; i++)
        if (out->json) {
            session_json(out, &rows[i], details);
            result = output_row(out, e);
        } else {
            put_session(&t, &rows[i]);
        }
    if (!result)
        result = table_print(&t, e);
    table_close(&t);
    return result;
}

static int read_details(struct invocation *i, struct reader *r, const struct session_row *rows,
                        size_t count, struct session_details *details, struct error *e)
{
    struct session_namespace *names;
    struct usage *usage;
    int64_t first = rows[0].id, last = first;
    for (size_t n = 1; n < count; n++) {
        first = rows[n].id < first ? rows[n].id : first;
        last = rows[n].id > last ? rows[n].id : last;
    }
    if (session_namespaces(r, &i->arena, first, last, &names, &details->names, e) ||
        session_usage(r, &i->arena, first, last, &usage, &details->usages, e))
        return -1;
    details->name = names;
    details->usage = usage;
    return 0;
}

/* The sum of what these sessions were sent, unless there is only one. */
static void note_total(const struct session_row *rows, size_t count)
{
    struct usage sum = session_total(rows, count);
    AUTO_STRBUF text = STRBUF_INIT;
    add_usage(&text, &sum);
    if (count > 1 && sum.bytes > 0)
        output_note("sent to these sessions: %s%s", text.buf,
                    sum.full_bytes != sum.bytes ? " (with every field, as detail=full gives them)"
                                                : "");
}

/* Reads one more than the limit, to know whether there are more. */
static int list(struct invocation *i, struct reader *r, struct error *e)
{
    bool all = option_given(i, "all");
    size_t limit = (size_t)option_number(i, "limit", 0), count;
    double cursor = option_number(i, "cursor", 0);
    struct session_row *rows;
    if (session_list(r, &i->arena, all ? SESSIONS_ALL : SESSIONS_LIVING, (int64_t)cursor,
                     limit ? limit + 1 : 0, &rows, &count, e))
        return -1;
    bool more = limit && count > limit;
    struct session_details details = {0};
    if (i->out.json && count - more && read_details(i, r, rows, count - more, &details, e))
        return -1;
    if (print_sessions(&i->out, rows, count - more, details, e))
        return -1;
    if (!i->out.json)
        note_total(rows, count - more);
    if (more) {
        char next[24];
        snprintf(next, sizeof(next), "%lld", (long long)rows[limit - 1].id);
        listing_more(&i->out, "more", next);
    }
    if (count || cursor > 0)
        return 0;
    bool ended = false;
    if (!all) {
        if (session_list(r, &i->arena, SESSIONS_ALL, 0, 1, &rows, &count, e))
            return -1;
        ended = count > 0;
    }
    output_note("%s", ended ? "nobody is connected; --all shows the sessions that ended"
                            : "no session is recorded here; `stemma log` lists what was changed");
    return 1;
}

/* Finds the named session, whether it has ended or not. */
static int find(struct invocation *i, struct reader *r, const char *name, struct session_row *s,
                struct error *e)
{
    if (session_find(r, &i->arena, name, s, e) == 0)
        return 0;
    e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code;
    return -1;
}

static int show(struct invocation *i, struct reader *r, struct error *e)
{
    struct session_row s;
    struct session_details details;
    if (find(i, r, i->words[0], &s, e) || read_details(i, r, &s, 1, &details, e))
        return -1;
    if (i->out.json) {
        session_json(&i->out, &s, details);
        return 0;
    }
    struct page page;
    page_for_output(&page, &i->out);
    session_page(&page, &s, details, "");
    output_page(&i->out, &page, 0);
    return 0;
}

/* ---- decisions ---- */

enum decision {
    END,
    READ_ONLY,
    READ_WRITE
};

static int decide(struct invocation *i, struct reader *r, const char *name, enum decision what,
                  struct error *e)
{
    static const char *const message[] = {"was ended", "is read-only now", "may write now"};
    struct session_row s;
    struct actor person = opening_person(i);
    if (find(i, r, name, &s, e))
        return -1;
    if (what == END ? store_session_end(reader_store(r), &person, s.id, e)
                    : store_session_read_only(reader_store(r), &person, s.id, what == READ_ONLY, e))
        return -1;
    if (session_read(r, &i->arena, s.id, &s, e))
        return -1;
    if (i->out.json) {
        struct session_details details;
        if (read_details(i, r, &s, 1, &details, e))
            return -1;
        session_json(&i->out, &s, details);
        return 0;
    }
    strbuf_addf(&i->out.text, "session %lld (", (long long)s.id);
    text_add(&i->out.text, s.label, TEXT_EXACT | i->out.flags);
    strbuf_addf(&i->out.text, ") %s\n", message[what]);
    return 0;
}

/* Applies all decisions given. Returns 1 if there were any; then no list is printed. */
static int decide_all(struct invocation *i, struct reader *r, struct error *e)
{
    static const char *const names[] = {"end", "make-read-only", "make-read-write"};
    bool any = false;
    for (int what = END; what <= READ_WRITE; what++) {
        size_t count;
        const char **ids = option_list(i, names[what], &count);
        for (size_t n = 0; n < count; n++)
            if (decide(i, r, ids[n], (enum decision)what, e))
                return -1;
        any |= count > 0;
    }
    return any;
}

/* Checks that options of lists and decisions are not combined with a session to show. */
static int check(const struct invocation *i, struct error *e)
{
    static const char *const others[] = {"all", "limit",          "cursor",
                                         "end", "make-read-only", "make-read-write"};
    for (size_t n = 0; i->word_count && n < sizeof(others) / sizeof(others[0]); n++)
        if (option_given(i, others[n]))
            return error_set(e, ERROR_USAGE, "Omit one of them.",
                             "--%s cannot be combined with the ID of a session", others[n]);
    return 0;
}

static int read_sessions(struct invocation *i, struct reader *r, struct error *e)
{
    if (i->word_count)
        return show(i, r, e);
    int decided = decide_all(i, r, e);
    return decided > 0 ? 0 : decided < 0 ? -1 : list(i, r, e);
}

const struct command cmd_sessions = {
    .name = "sessions",
    .words = "[ID]",
    .about = "list connected agents; end a session or make it read-only",
    .examples = "stemma sessions\n"
                "stemma sessions --make-read-only 3",
    .details =
        "One line per session, the newest first. It has the client, the agent, the transport, when "
        "it was last seen, the calls and how many failed, what it was sent, the average calls per "
        "second, the latency as p50, p90 and p99, and the task. `?claire` is an agent without a "
        "granted name that claims to be claire. `+` means at least so many calls: its process was "
        "killed before it counted those of the last second. An invalid message counts as failed, a "
        "cancelled call does not. What it was sent is in bytes, in tokens (`~`: estimated as one "
        "for 4 bytes), and in tokens of the same answers in full form. With an ID, which is a "
        "number or the beginning of a uuid, it shows everything about that session, and what each "
        "tool sent.\n\nEnding a session or making it read-only works for every process that serves "
        "it, and is an event in the journal. A connection is one session, whatever agents its "
        "requests name. Over HTTP, a client of protocol 2026-07-28 has one session for each agent "
        "that it names, and one for requests that name none. A client whose session was ended can "
        "connect again and start a new session; an HTTP client of protocol 2026-07-28, which does "
        "not connect, is refused for ten minutes. A read-only session stays so, even if it was "
        "away or another process serves it, until a person allows writing again.\n\nOn a terminal, "
        "lines are cut to its width; in a pipe nothing is cut. The exit status is 1 if there is no "
        "session.",
    .options = options,
    .check = check,
    .read = read_sessions,
};

/*
 * ---- stemma metrics ----
 *
 * Counters of calls over MCP: of the process that listens, since it started (one HTTP request over the store's
 * socket), and of the store's call log, since the log began.
 */

#define ANSWER_MAX (8u << 20)
#define COUNT_MAX                                                                                  \
    (INT64_C(1) << 53) /* limit of a counter or sum: any program may answer at the socket */
#define WAIT_MS 5000   /* ms for the whole request */

static int cannot_ask(const char *why, struct error *e)
{
    return error_set(e, ERROR_STORE, "Try again, or end that process.",
                     "cannot read the counters of the listening process: %s", why);
}

/* Reads until the connection is closed. */
static int read_answer(int fd, struct strbuf *out, struct error *e)
{
    char bytes[16384];
    int64_t until = monotonic_ms() + WAIT_MS;
    for (;;) {
        struct pollfd in = {fd, POLLIN, 0};
        int64_t left = until - monotonic_ms();
        int ready = left > 0 ? poll(&in, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? recv(fd, bytes, sizeof(bytes), 0) : 0;
        if (ready <= 0)
            return cannot_ask("it does not answer", e);
        if (n < 0)
            return cannot_ask(strerror(errno), e);
        if (n == 0)
            return 0;
        strbuf_add(out, bytes, (size_t)n);
        if (out->len > ANSWER_MAX)
            return cannot_ask("its answer is too long", e);
    }
}

/* True if the text is UTF-8 without control characters other than line feeds. */
static bool is_plain(const struct strbuf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if ((text->buf[i] >= 0 && text->buf[i] < ' ' && text->buf[i] != '\n') ||
            text->buf[i] == 0x7f)
            return false;
    return utf8_valid(text->buf, text->len);
}

/* Removes the head of a successful response, and checks the body: JSON must be an object. */
static int keep_body(struct strbuf *answer, bool json, struct error *e)
{
    static const char good[] = "HTTP/1.1 200 ";
    const char *head = strstr(answer->buf, "\r\n\r\n");
    if (strncmp(answer->buf, good, strlen(good)) != 0 || !head)
        return cannot_ask("it is another version", e);
    size_t skip = (size_t)(head + 4 - answer->buf), len = answer->len - skip;
    memmove(answer->buf, answer->buf + skip, len);
    strbuf_cut(answer, len);
    bool fits = json ? json_check(answer->buf, len, JSON_DEPTH_MAX, e) == 0 &&
                           json_member(answer->buf, len, "calls").ptr
                     : strncmp(answer->buf, "# HELP ", 7) == 0 && is_plain(answer);
    return fits ? 0 : cannot_ask("its answer has no metrics", e);
}

/* Appends the counters of the process that listens, as JSON or Prometheus text. Sets ERROR_NOT_FOUND if no process
 * listens. */
static int ask(struct store *s, bool json, struct strbuf *out, struct error *e)
{
    struct endpoint where;
    AUTO_STRBUF request = STRBUF_INIT;
    if (endpoint_find(&where, s, false, e)) {
        e->code = ERROR_NOT_FOUND; /* no socket can exist */
        return -1;
    }
    int fd = endpoint_connect(&where, e);
    if (fd < 0)
        return -1;
    strbuf_addf(&request,
                "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nConnection: close\r\n"
                "\r\n",
                json ? "application/json" : "text/plain");
    int result = 0;
    if (send(fd, request.buf, request.len, MSG_NOSIGNAL) != (ssize_t)request.len)
        result = cannot_ask(strerror(errno), e);
    else
        result = read_answer(fd, out, e) || keep_body(out, json, e) ? -1 : 0;
    close(fd);
    return result;
}

static const struct option_spec metrics_options[] = {
    {.name = "prometheus",
     .about = "as the listening process reports at /metrics; without one, from the call log"},
    OPTION_END,
};

/* Counters in the form of metrics_write_json. */
struct measured {
    struct strbuf listening; /* "" if no process listens */
    struct strbuf log;
    struct metrics_totals totals;
};

/* A number from 0 to COUNT_MAX; other values count as 0. */
static int64_t number(struct json_slice object, const char *key)
{
    int64_t value;
    struct json_slice s = json_get(object, key);
    return s.ptr && json_integer(s, &value) == 0 && value >= 0 && value <= COUNT_MAX ? value : 0;
}

/* Appends "3 success, 1 PERMISSION_DENIED" and returns the sum. `of` names the kind of count. Unknown names are
 * skipped. */
static int64_t add_counts(struct strbuf *text, struct json_slice counts, const char *of)
{
    int64_t sum = 0, one;
    for (struct json_each it = json_each(counts); json_next(&it);) {
        size_t letters = 0;
        while (letters < it.key.len &&
               (isalnum((unsigned char)it.key.ptr[letters]) || it.key.ptr[letters] == '_'))
            letters++;
        if (letters < it.key.len || json_integer(it.value, &one) || one < 0 ||
            one > COUNT_MAX - sum)
            continue;
        strbuf_addf(text, "%s%lld%s %.*s", sum ? ", " : "", (long long)one, of, (int)letters,
                    it.key.ptr);
        sum += one;
    }
    return sum;
}

/* ---- metrics, for people ---- */

static const struct table_column call_columns[] = {
    {"tool", 12, 0, TEXT_EXACT, 0},  {"calls", 0, 0, TEXT_RIGHT, 0},
    {"failed", 0, 0, TEXT_RIGHT, 0}, {"denied", 0, 0, TEXT_RIGHT, 4},
    {"masked", 0, 0, TEXT_RIGHT, 3}, {"p50", 0, 0, TEXT_RIGHT, 5},
    {"p90", 0, 0, TEXT_RIGHT, 1},    {"p99", 0, 0, TEXT_RIGHT, 2},
};
#define TIMES 3 /* columns that only a process's counters have */

static void put_number(struct table *t, enum style style, int64_t number)
{
    table_format(t, number ? style : STYLE_TEXT, "%lld", (long long)number);
}

static void put_call(struct table *t, struct arena *arena, struct json_slice call, bool timed)
{
    static const char *const percents[TIMES] = {"p50_us", "p90_us", "p99_us"};
    AUTO_STRBUF denied = STRBUF_INIT;
    struct json_slice ended = json_get(call, "ended"), took = json_get(call, "latency");
    struct json_slice tool = json_get(call, "tool_name");
    const char *name = json_text(arena, tool.ptr ? tool : json_get(call, "method"), NULL);
    int64_t calls = number(call, "calls");
    table_put(t, STYLE_TEXT, name ? name : "");
    put_number(t, STYLE_TEXT, calls);
    put_number(t, STYLE_WEAKENED, calls - number(ended, "success") - number(ended, "cancelled"));
    put_number(t, STYLE_WEAKENED, add_counts(&denied, json_get(call, "denied"), ""));
    put_number(t, STYLE_TEXT, number(call, "redactions"));
    for (int n = 0; timed && n < TIMES; n++) {
        char text[24];
        microseconds_text(text, sizeof(text), took.ptr ? number(took, percents[n]) : -1);
        table_put(t, STYLE_TEXT, text);
    }
    table_end(t, NULL, STYLE_TEXT, "");
}

static int print_calls(struct output *out, struct json_slice calls, bool timed, struct error *e)
{
    size_t count = sizeof(call_columns) / sizeof(call_columns[0]);
    AUTO_ARENA arena = ARENA_INIT;
    struct table t = table_open(out, call_columns, timed ? count : count - TIMES, "", 0);
    for (struct json_each it = json_each(calls); json_next(&it);)
        put_call(&t, &arena, it.value, timed);
    int result = table_print(&t, e);
    table_close(&t);
    return result;
}

static void put_name(struct table *t, struct arena *arena, struct json_slice one)
{
    AUTO_STRBUF ended = STRBUF_INIT;
    const char *name = json_text(arena, json_get(one, "namespace"), NULL);
    const char *tool = json_text(arena, json_get(one, "tool_name"), NULL);
    int64_t count = add_counts(&ended, json_get(one, "ended"), "");
    table_put(t, STYLE_TEXT, name && *name ? name : "-");
    table_put(t, STYLE_TEXT, tool ? tool : "");
    put_number(t, STYLE_TEXT, count);
    table_end(t, NULL, STYLE_TEXT, ended.buf);
}

static int print_names(struct output *out, struct json_slice names, struct error *e)
{
    static const struct table_column columns[] = {
        {"namespace", 12, 0, TEXT_EXACT, 0}, {"tool", 0, 0, 0, 0}, {"calls", 0, 0, TEXT_RIGHT, 0}};
    struct json_each it = json_each(names);
    AUTO_ARENA arena = ARENA_INIT;
    if (!json_next(&it))
        return 0;
    strbuf_addch(&out->text, '\n');
    struct table t = table_open(out, columns, 3, "ended", strlen("ended"));
    do
        put_name(&t, &arena, it.value);
    while (json_next(&it));
    int result = table_print(&t, e);
    table_close(&t);
    return result;
}

/* Prints the HTTP responses, if there were any. */
static void print_http(struct output *out, struct json_slice codes)
{
    AUTO_STRBUF text = STRBUF_INIT;
    add_counts(&text, codes, " answers");
    if (text.len) {
        strbuf_addstr(&out->text, "\nHTTP: ");
        output_flow(out, text.buf, 6);
    }
}

static int print_counts(struct output *out, struct json_slice m, struct error *e)
{
    struct json_slice calls = json_get(m, "calls");
    struct json_each it = json_each(calls);
    if (!json_next(&it))
        return 0;
    strbuf_addch(&out->text, '\n');
    return print_calls(out, calls, json_get(m, "process").ptr, e) ||
                   print_names(out, json_get(m, "namespaces"), e)
               ? -1
               : 0;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Prints a paragraph with a highlighted first word. */
static void print_about(struct output *out, const char *lead, struct strbuf *rest)
{
    output_flow_after(out, STYLE_STRONG, lead, rest->buf, 0);
    strbuf_release(rest);
}

static int print_listening(struct output *out, struct json_slice m, struct error *e)
{
    struct strbuf rest = STRBUF_INIT;
    char age[32], lead[80];
    int64_t sessions = number(m, "sessions"), connections = number(m, "connections");
    clock_format_age(age, sizeof(age), number(m, "started_at"), out->now);
    snprintf(lead, sizeof(lead), "Process %lld, which listens, since it began",
             (long long)number(m, "process"));
    strbuf_addf(&rest, " (%s): %lld session%s, %lld connection%s", age, (long long)sessions,
                plural(sessions), (long long)connections, plural(connections));
    print_about(out, lead, &rest);
    if (print_counts(out, m, e))
        return -1;
    print_http(out, json_get(m, "http"));
    strbuf_addch(&out->text, '\n');
    return 0;
}

static int print_log(struct output *out, const struct measured *d, struct error *e)
{
    const struct metrics_totals *t = &d->totals;
    struct strbuf rest = STRBUF_INIT;
    char half[24], most[24];
    latency_text(half, sizeof(half), &t->latency, 50);
    latency_text(most, sizeof(most), &t->latency, 99);
    strbuf_addf(&rest, ": %lld session%s (%lld now), %lld call%s, %lld failed; p50 %s, p99 %s",
                (long long)t->sessions, plural(t->sessions), (long long)t->living,
                (long long)t->calls, plural(t->calls), (long long)t->failures, half, most);
    print_about(out, "All processes that have served the store", &rest);
    return print_counts(out, (struct json_slice){d->log.buf, d->log.len}, e);
}

/* ---- JSON ---- */

static void write_totals(struct json_object *o, const struct metrics_totals *t)
{
    json_pair_int(o, "sessions", t->sessions);
    json_pair_int(o, "living", t->living);
    json_pair_int(o, "calls", t->calls);
    json_pair_int(o, "failures", t->failures);
    struct json_object l = json_open(o, "latency", '{');
    json_pair_int(&l, "count", (int64_t)t->latency.count);
    json_pair_int(&l, "p50_us", latency_percentile(&t->latency, 50));
    json_pair_int(&l, "p90_us", latency_percentile(&t->latency, 90));
    json_pair_int(&l, "p99_us", latency_percentile(&t->latency, 99));
    json_end(&l);
}

static void print_json(struct output *out, const struct measured *d)
{
    struct json_object o = json_begin(&out->text, '{');
    if (d->listening.len)
        json_pair_raw(&o, "listening", d->listening.buf);
    json_pair_raw(&o, "log", d->log.buf);
    struct json_object totals = json_open(&o, "totals", '{');
    write_totals(&totals, &d->totals);
    json_end(&totals);
    json_end_line(&o);
}

/* ---- the command ---- */

static int print(struct output *out, const struct measured *d, struct error *e)
{
    if (out->json) {
        print_json(out, d);
        return 0;
    }
    struct json_slice listening = {d->listening.buf, d->listening.len};
    if (listening.len && print_listening(out, listening, e))
        return -1;
    return print_log(out, d, e);
}

/* Asks the process that listens. It is no error if there is none. If it does not answer, that is reported and only
 * the log is shown. */
static bool read_listener(struct reader *r, bool json, struct strbuf *out)
{
    struct error failure;
    if (ask(reader_store(r), json, out, &failure) == 0)
        return true;
    strbuf_clear(out);
    if (failure.code != ERROR_NOT_FOUND)
        output_note("%s", failure.what);
    return false;
}

static int read_metrics_command(struct invocation *i, struct reader *r, struct error *e)
{
    struct measured d = {.listening = STRBUF_INIT, .log = STRBUF_INIT};
    bool prometheus = option_given(i, "prometheus");
    bool heard = read_listener(r, !prometheus, prometheus ? &i->out.text : &d.listening);
    struct metrics *log = metrics_of_log(r, &d.totals, e);
    int result = log ? 0 : -1;
    if (log && prometheus && !heard)
        metrics_write(log, NULL, &i->out.text);
    if (log && !prometheus) {
        metrics_write_json(log, NULL, &d.log);
        result = print(&i->out, &d, e);
    }
    metrics_free(log);
    strbuf_release(&d.listening);
    strbuf_release(&d.log);
    return result;
}

const struct command cmd_metrics = {
    .name = "metrics",
    .words = "",
    .about = "show the number, failures and latency of agents' calls",
    .examples = "stemma metrics",
    .details =
        "First the counters of the process that listens at the store's socket (an explorer or "
        "`stemma serve`), since it started: a line for each tool or method, with the number of "
        "calls, how many failed, how many of those were denied, how often personal data was masked "
        "in answers, and the latency as p50, p90 and p99; then the tools of entries by namespace. "
        "At most 100 namespaces are listed by name, the rest is `other`. A call that its client "
        "cancelled is counted but did not fail: `cancelled`, in --json and for the tools of "
        "entries.\n\nThen the totals of the store's call log, for all processes that have served "
        "it: reads, refusals and the calls of entries by tool. Writes by other tools are in the "
        "journal (`stemma log`) and only in the totals here, and the latency of each tool is not "
        "stored.\n\n`stemma serve --http PORT` offers the same to Prometheus at /metrics, with the "
        "token.",
    .options = metrics_options,
    .read = read_metrics_command,
};
