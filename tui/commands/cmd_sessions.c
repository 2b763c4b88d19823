/*
 * stemma sessions and stemma metrics: who talks to the store over MCP, and what was counted of it.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/db/thread.h"
#include "store/mcp/metrics/metrics.h"
#include "store/mcp/server/endpoint.h"
#include "store/session/session.h"
#include "tui/cli/cmd.h"
#include "tui/cli/opening.h"
#include "tui/render/listing.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

/*
 * stemma sessions: who talks to the store over MCP, whatever process serves them, and a person's
 * decisions about them.
 */

static const struct option_spec options[] = {
    OPT_FLAG("all", "those that ended as well"),
    OPT_LIMIT("no more than so many, those that began last"),
    OPT_INT("cursor", "C", 1, 9007199254740991,
            "go on with older ones, where a list with --limit ended"),
    OPT_LIST("end", "ID", "end this one: its number, or the beginning of its uuid"),
    OPT_LIST("make-read-only", "ID", "refuse what this one writes from now on"),
    OPT_LIST("make-read-write", "ID", "allow it again"),
    OPTION_END,
};

/* ---- sessions, for people ---- */

/* Names may be cut before what a person looks here for is left out: which one, who, its state, how many calls. */
static const struct table_column session_columns[] = {
    {"ID", 0, 8, TEXT_RIGHT, 17},      {"CLIENT", 8, 24, TEXT_EXACT, 15},
    {"AGENT", 8, 16, TEXT_EXACT, 11},  {"STATE", 9, 24, TEXT_EXACT, 16},
    {"VIA", 0, 8, TEXT_EXACT, 3},      {"ERA", 0, 12, TEXT_EXACT, 2},
    {"PEER", 0, 20, TEXT_EXACT, 1},    {"STARTED", 0, 8, TEXT_RIGHT, 4},
    {"SEEN", 0, 8, TEXT_RIGHT, 10},    {"CALLS", 0, 10, TEXT_RIGHT, 14},
    {"ERRORS", 0, 10, TEXT_RIGHT, 13}, {"MEAN", 0, 8, TEXT_RIGHT, 6},
    {"P50", 0, 8, TEXT_RIGHT, 7},      {"P90", 0, 8, TEXT_RIGHT, 5},
    {"P99", 0, 8, TEXT_RIGHT, 8},
};
#define LEAST_TASK 10

static void put_state(struct table *t, const struct session_row *s)
{
    if (s->lives)
        table_put(t, s->read_only ? STYLE_WEAKENED : STYLE_GROUNDED,
                  s->read_only ? "read-only" : "live");
    else if (s->away || session_is_lost(s))
        table_put(t, STYLE_DIM, s->away ? "away, read-only" : "lost");
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
    struct strbuf words = STRBUF_INIT;
    session_name(s, &words);
    table_format(t, style, "%lld", (long long)s->id);
    table_put(t, style, words.buf);
    table_put(t, style, session_agent(s) ? session_agent(s) : "-");
    put_state(t, s);
    table_put(t, style, s->transport ? s->transport : "-");
    table_put(t, style, s->era ? s->era : "-");
    session_peer(text, sizeof(text), s);
    table_put(t, style, text);
    put_age(t, style, s->started_at);
    put_age(t, style, s->seen_at);
    table_format(t, style, "%lld%s", (long long)s->calls, session_is_lost(s) ? "+" : "");
    table_format(t, s->errors ? STYLE_WEAKENED : style, "%lld", (long long)s->errors);
    table_format(t, style, "%.1f/s", session_rate(s, t->out->now));
    for (int i = 0; i < 3; i++) {
        took_text(text, sizeof(text), &s->latency, percents[i]);
        table_put(t, style, text);
    }
    strbuf_clear(&words);
    text_add(&words, s->task, TEXT_EXACT);
    table_end(t, NULL, STYLE_DIM, words.buf);
    strbuf_release(&words);
}

static int print_sessions(struct output *out, const struct session_row *rows, size_t count,
                          struct session_use_names names, struct error *e)
{
    struct table t =
        table_open(out, session_columns, sizeof(session_columns) / sizeof(session_columns[0]),
                   "TASK", LEAST_TASK);
    int result = 0;
    for (size_t i = 0; i < count && !out->closed && !result; i++)
        if (out->json) {
            session_json(out, &rows[i], names);
            result = output_row(out, e);
        } else {
            put_session(&t, &rows[i]);
        }
    if (!result)
        result = table_print(&t, e);
    table_close(&t);
    return result;
}

static int read_names(struct invocation *i, struct reader *r, const struct session_row *rows,
                      size_t count, struct session_use_names *names, struct error *e)
{
    struct session_name *list;
    int64_t first = rows[0].id, last = first;
    for (size_t n = 1; n < count; n++) {
        first = rows[n].id < first ? rows[n].id : first;
        last = rows[n].id > last ? rows[n].id : last;
    }
    if (session_names(r, &i->arena, first, last, &list, &names->count, e))
        return -1;
    names->list = list;
    return 0;
}

/* One more than is wanted is read: only then is it known whether there is another. */
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
    struct session_use_names names = {.count = 0};
    if (i->out.json && count - more && read_names(i, r, rows, count - more, &names, e))
        return -1;
    if (print_sessions(&i->out, rows, count - more, names, e))
        return -1;
    if (more) {
        char next[24];
        snprintf(next, sizeof(next), "%lld", (long long)rows[limit - 1].id);
        listing_more(&i->out, "more", next);
    }
    if (count || cursor > 0)
        return 0;
    output_note("%s", all ? "there was no session yet"
                          : "nobody is connected; --all shows the sessions that ended");
    return 1;
}

/* The one that is named, whether it lives or not. */
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
    struct session_use_names names;
    if (find(i, r, i->words[0], &s, e) || read_names(i, r, &s, 1, &names, e))
        return -1;
    if (i->out.json) {
        session_json(&i->out, &s, names);
        return 0;
    }
    struct sheet sheet;
    sheet_for_output(&sheet, &i->out);
    session_sheet(&sheet, &s, names, "");
    output_sheet(&i->out, &sheet, 0);
    sheet_release(&sheet);
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
    static const char *const said[] = {"was ended", "may only read now", "may write now"};
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
        struct session_use_names names;
        if (read_names(i, r, &s, 1, &names, e))
            return -1;
        session_json(&i->out, &s, names);
        return 0;
    }
    strbuf_addf(&i->out.text, "session %lld (", (long long)s.id);
    text_add(&i->out.text, s.actor, TEXT_EXACT | i->out.flags);
    strbuf_addf(&i->out.text, ") %s\n", said[what]);
    return 0;
}

/* 1: something was decided, so no list is wanted. */
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

/* A session that is shown is no word for a list or a decision. */
static int check(const struct invocation *i, struct error *e)
{
    static const char *const others[] = {"all", "limit",          "cursor",
                                         "end", "make-read-only", "make-read-write"};
    for (size_t n = 0; i->word_count && n < sizeof(others) / sizeof(others[0]); n++)
        if (option_given(i, others[n]))
            return error_set(e, ERROR_USAGE, "Leave one of them out.",
                             "--%s does not go with one session that is shown", others[n]);
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
    .about = "who is connected over MCP; end one, or make it read-only",
    .details =
        "A line each, those that began last first: client, agent (of --agent; over HTTP what a "
        "client of 2026-07-28 names; else the client's name) and how it is connected, when it was "
        "seen last, how many calls it made (`+`: at least, for its process was killed and the last "
        "second was not counted) and how many of them failed (what was no call of anything counts "
        "as one that did, what its client gave up as one that did not), how many a second in the "
        "mean since it began, how long half, 90 % and 99 % of them took at most, and its task. "
        "With an ID, its number or the beginning of its uuid, all that is known of that "
        "session.\n\n"
        "What is decided here holds whatever process serves the session, and is an event of the "
        "journal. A connection is a session, whatever agents its requests name; over HTTP a client "
        "of 2026-07-28 has one for each agent that it names, and one for its requests that name "
        "none. Whose session is ended may connect anew and begin another one; a client of HTTP "
        "that has nothing to begin anew (of 2026-07-28) is refused for ten minutes. One of these "
        "that may only read goes on so, however long it was away and whatever process serves it "
        "then, until a person lets it write again: also while it is away.\n\n"
        "On a terminal lines are cut to its width; into a pipe nothing is cut. The exit status is "
        "1 where there is none.",
    .options = options,
    .max_words = 1,
    .check = check,
    .read = read_sessions,
};

/*
 * ---- stemma metrics ----
 *
 * Counters of calls over MCP: of the process that listens, since it began (one request of HTTP over the store's own
 * socket), and of the store's log of calls, since there is one.
 */

#define ANSWER_MAX (8u << 20)
#define WAIT_MS    5000 /* for all of it */

static const char metrics_request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                                      "Accept: application/json\r\nConnection: close\r\n\r\n";

static int cannot_ask(const char *why, struct error *e)
{
    return error_set(e, ERROR_STORE, "Try again, or end that process.",
                     "the process that listens does not say what it counted: %s", why);
}

/* Until it closes. */
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
            return cannot_ask("it says too much", e);
    }
}

/* What follows the head of an answer that went well. */
static struct metrics *read_metrics(const struct strbuf *answer, struct error *e)
{
    static const char good[] = "HTTP/1.1 200 ";
    const char *body = strstr(answer->buf, "\r\n\r\n");
    if (strncmp(answer->buf, good, strlen(good)) != 0 || !body) {
        cannot_ask("it is another version", e);
        return NULL;
    }
    body += 4;
    return metrics_read_json(body, answer->len - (size_t)(body - answer->buf), e);
}

static struct metrics *ask(int fd, struct error *e)
{
    struct strbuf answer = STRBUF_INIT;
    struct metrics *m = NULL;
    size_t len = sizeof(metrics_request) - 1;
    if (send(fd, metrics_request, len, MSG_NOSIGNAL) != (ssize_t)len)
        cannot_ask(strerror(errno), e);
    else if (read_answer(fd, &answer, e) == 0)
        m = read_metrics(&answer, e);
    strbuf_release(&answer);
    return m;
}

/* NULL: ERROR_NOT_FOUND where none does. */
static struct metrics *metrics_ask(struct store *s, struct error *e)
{
    struct endpoint where;
    if (endpoint_find(&where, s, false, e)) {
        e->code = ERROR_NOT_FOUND; /* there is no place where one could listen */
        return NULL;
    }
    int fd = endpoint_connect(&where, e);
    if (fd < 0)
        return NULL;
    struct metrics *m = ask(fd, e);
    close(fd);
    return m;
}

static const struct option_spec metrics_options[] = {
    {.name = "prometheus",
     .about =
         "as the process that listens tells it at /metrics; where none does, what the log says"},
    OPTION_END,
};

struct measured {
    struct metrics *listening; /* NULL: nobody listens */
    struct metrics *log;
    struct metrics_totals totals;
};

/* ---- metrics, for people ---- */

static uint64_t denials(const struct call_counts *c)
{
    uint64_t count = 0;
    for (int i = 0; i < DENIAL_COUNT; i++)
        count += c->denied[i];
    return count;
}

static const struct table_column call_columns[] = {
    {"TOOL", 12, 0, TEXT_EXACT, 0},  {"CALLS", 0, 0, TEXT_RIGHT, 0},
    {"FAILED", 0, 0, TEXT_RIGHT, 0}, {"DENIED", 0, 0, TEXT_RIGHT, 4},
    {"MASKED", 0, 0, TEXT_RIGHT, 3}, {"P50", 0, 0, TEXT_RIGHT, 5},
    {"P90", 0, 0, TEXT_RIGHT, 1},    {"P99", 0, 0, TEXT_RIGHT, 2},
};
#define TIMES 3 /* of the columns are only what a process counted */

static void put_number(struct table *t, enum style style, uint64_t number)
{
    table_format(t, number ? style : STYLE_TEXT, "%llu", (unsigned long long)number);
}

static int print_calls(struct output *out, const struct metrics *m, struct error *e)
{
    static const double percents[] = {50, 90, 99};
    size_t count = sizeof(call_columns) / sizeof(call_columns[0]);
    struct table t = table_open(out, call_columns, m->process ? count : count - TIMES, "", 0);
    for (size_t i = 0; i < m->call_count; i++) {
        const struct call_counts *c = m->calls[i];
        char took[24];
        table_put(&t, STYLE_TEXT, c->name);
        put_number(&t, STYLE_TEXT, metrics_calls(c));
        put_number(&t, STYLE_WEAKENED, metrics_failures(c));
        put_number(&t, STYLE_WEAKENED, denials(c));
        put_number(&t, STYLE_TEXT, c->redactions);
        for (int n = 0; m->process && n < TIMES; n++) {
            took_text(took, sizeof(took), &c->took, percents[n]);
            table_put(&t, STYLE_TEXT, took);
        }
        table_end(&t, NULL, STYLE_TEXT, "");
    }
    int result = table_print(&t, e);
    table_close(&t);
    return result;
}

/* "3 success, 1 PERMISSION_DENIED" */
static uint64_t add_ended(struct strbuf *text, const uint64_t ended[ERROR_CODES])
{
    uint64_t count = 0;
    for (int i = 0; i < ERROR_CODES; i++) {
        if (!ended[i])
            continue;
        strbuf_addf(text, "%s%llu %s", count ? ", " : "", (unsigned long long)ended[i],
                    metrics_status((enum error_code)i));
        count += ended[i];
    }
    return count;
}

static void put_name(struct table *t, const struct namespace_counts *n, int tool)
{
    struct strbuf ended = STRBUF_INIT;
    uint64_t count = add_ended(&ended, n->ended[tool]);
    if (count) {
        table_put(t, STYLE_TEXT, *n->name ? n->name : "-");
        table_put(t, STYLE_TEXT, memory_tool_name((enum memory_tool)tool));
        put_number(t, STYLE_TEXT, count);
        table_end(t, NULL, STYLE_TEXT, ended.buf);
    }
    strbuf_release(&ended);
}

static bool has_names(const struct metrics *m)
{
    for (size_t i = 0; i < m->call_count; i++)
        if (m->calls[i]->is_tool && memory_tool_from_name(m->calls[i]->name) >= 0)
            return true;
    return false;
}

static int print_names(struct output *out, const struct metrics *m, struct error *e)
{
    static const struct table_column columns[] = {
        {"NAMESPACE", 12, 0, TEXT_EXACT, 0}, {"TOOL", 0, 0, 0, 0}, {"CALLS", 0, 0, TEXT_RIGHT, 0}};
    struct table t = table_open(out, columns, 3, "ENDED", strlen("ENDED"));
    if (!has_names(m))
        return 0;
    strbuf_addch(&out->text, '\n');
    for (size_t i = 0; i < m->name_count; i++)
        for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
            put_name(&t, m->names[i], tool);
    int result = table_print(&t, e);
    table_close(&t);
    return result;
}

/* What HTTP answered, where anybody spoke it. */
static void print_http(struct output *out, const struct metrics *m)
{
    struct strbuf text = STRBUF_INIT;
    for (unsigned i = 0; i < HTTP_CODES; i++)
        if (m->http[i])
            strbuf_addf(&text, "%s%llu answers %u", text.len ? ", " : "",
                        (unsigned long long)m->http[i], 100 + i);
    if (text.len) {
        strbuf_addstr(&out->text, "\nHTTP: ");
        output_flow(out, text.buf, 6);
    }
    strbuf_release(&text);
}

static int print_counts(struct output *out, const struct metrics *m, struct error *e)
{
    if (m->call_count == 0)
        return 0;
    strbuf_addch(&out->text, '\n');
    return print_calls(out, m, e) || print_names(out, m, e) ? -1 : 0;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* A paragraph that begins with what it is about. */
static void print_about(struct output *out, const char *lead, struct strbuf *rest)
{
    output_led(out, STYLE_STRONG, lead, rest->buf, 0);
    strbuf_release(rest);
}

static int print_listening(struct output *out, const struct metrics *m, struct error *e)
{
    struct strbuf rest = STRBUF_INIT;
    char age[32], lead[80];
    clock_format_age(age, sizeof(age), m->started_at, out->now);
    snprintf(lead, sizeof(lead), "Process %lld, which listens, since it began",
             (long long)m->process);
    strbuf_addf(&rest, " (%s): %lld session%s, %lld connection%s", age, (long long)m->sessions,
                plural(m->sessions), (long long)m->connections, plural(m->connections));
    print_about(out, lead, &rest);
    if (print_counts(out, m, e))
        return -1;
    print_http(out, m);
    strbuf_addch(&out->text, '\n');
    return 0;
}

static int print_log(struct output *out, const struct measured *d, struct error *e)
{
    const struct metrics_totals *t = &d->totals;
    struct strbuf rest = STRBUF_INIT;
    char half[24], most[24];
    took_text(half, sizeof(half), &t->latency, 50);
    took_text(most, sizeof(most), &t->latency, 99);
    strbuf_addf(&rest,
                ": %lld session%s (%lld now), %lld call%s, %lld of them failed; half took %s or "
                "less, 99 of 100 %s",
                (long long)t->sessions, plural(t->sessions), (long long)t->living,
                (long long)t->calls, plural(t->calls), (long long)t->failures, half, most);
    print_about(out, "The store, by all that ever served it", &rest);
    return print_counts(out, d->log, e);
}

/* ---- JSON ---- */

static void write_totals(struct json_object *o, const struct metrics_totals *t)
{
    struct json_object l;
    json_pair_int(o, "sessions", t->sessions);
    json_pair_int(o, "living", t->living);
    json_pair_int(o, "calls", t->calls);
    json_pair_int(o, "failures", t->failures);
    json_key(o, "latency");
    l = json_begin(o->out, '{');
    json_pair_int(&l, "count", (int64_t)t->latency.count);
    json_pair_int(&l, "p50_us", latency_percentile(&t->latency, 50));
    json_pair_int(&l, "p90_us", latency_percentile(&t->latency, 90));
    json_pair_int(&l, "p99_us", latency_percentile(&t->latency, 99));
    json_end(&l);
}

static void print_json(struct output *out, const struct measured *d)
{
    struct json_object o = json_begin(&out->text, '{'), totals;
    if (d->listening) {
        json_key(&o, "listening");
        metrics_write_json(d->listening, NULL, &out->text);
    }
    json_key(&o, "log");
    metrics_write_json(d->log, NULL, &out->text);
    json_key(&o, "totals");
    totals = json_begin(&out->text, '{');
    write_totals(&totals, &d->totals);
    json_end(&totals);
    json_end_line(&o);
}

/* ---- the command ---- */

static int print(struct output *out, const struct measured *d, bool prometheus, struct error *e)
{
    if (prometheus) {
        metrics_write(d->listening ? d->listening : d->log, NULL, &out->text);
        return 0;
    }
    if (out->json) {
        print_json(out, d);
        return 0;
    }
    if (d->listening && print_listening(out, d->listening, e))
        return -1;
    return print_log(out, d, e);
}

/* That nobody listens is no failure; that somebody does who says nothing is told, and the log all the same. */
static int measure(struct measured *d, struct reader *r, struct error *e)
{
    struct error unheard;
    d->listening = metrics_ask(reader_store(r), &unheard);
    if (!d->listening && unheard.code != ERROR_NOT_FOUND)
        output_note("%s", unheard.what);
    d->log = metrics_of_log(r, &d->totals, e);
    return d->log ? 0 : -1;
}

static int read_metrics_command(struct invocation *i, struct reader *r, struct error *e)
{
    struct measured d = {.listening = NULL};
    int result = measure(&d, r, e) ? -1 : print(&i->out, &d, option_given(i, "prometheus"), e);
    metrics_free(d.listening);
    metrics_free(d.log);
    return result;
}

const struct command cmd_metrics = {
    .name = "metrics",
    .words = "",
    .about = "calls over MCP: how many, how they ended, how long they took",
    .details =
        "First what the process counted that listens at the store's socket (an explorer, `stemma "
        "serve`), since it began: a line for each tool or method, with how many of the calls "
        "failed, how many of those were denied, what personal data was masked in answers, and how "
        "long half, 90 % and 99 % of them took at most; then the tools of entries by namespace. At "
        "most 100 namespaces have a name there, the rest is `other`. A call that its client gave "
        "up counts, and did not fail: `cancelled`, in --json and of the tools of entries.\n\n"
        "Then what the store's own log of calls says of every process that served it: reads, "
        "refusals and the calls of entries by tool. What other tools wrote is in the journal "
        "(`stemma log`) and here in the totals alone, and how long each tool took is not kept.\n\n"
        "`stemma serve --http PORT` has the same for Prometheus at /metrics, with the token.",
    .options = metrics_options,
    .read = read_metrics_command,
};
