/*
 * stemma sessions: who talks to the store over MCP, whatever process serves them, and a person's
 * decisions about them.
 */
#include "cmd.h"

#include <stdio.h>
#include <string.h>
#include "../model/clock.h"
#include "../model/json.h"
#include "../store/session.h"
#include "opening.h"
#include "text.h"

static const struct option_spec options[] = {
    {.name = "all", .about = "those that ended as well"},
    {.name = "limit",
     .type = OPTION_INT,
     .argument = "N",
     .min = 0,
     .max = 1e9,
     .about = "no more than the newest so many"},
    {.name = "end",
     .type = OPTION_LIST,
     .argument = "ID",
     .about = "end this one: its number, or the beginning of its uuid"},
    {.name = "make-read-only",
     .type = OPTION_LIST,
     .argument = "ID",
     .about = "refuse what this one writes from now on"},
    {.name = "make-read-write", .type = OPTION_LIST, .argument = "ID", .about = "allow it again"},
    OPTION_END,
};

/* ---- JSON ---- */

/* `none` is written as null. */
static void add_number(struct json_object *o, const char *key, int64_t number, int64_t none)
{
    if (number == none)
        json_pair(o, key, NULL);
    else
        json_pair_int(o, key, number);
}

/* Calls a second, from its beginning to its end or to now. */
static double rate_of(const struct session_row *s, int64_t now)
{
    int64_t end = s->lives ? now : s->ended_at;
    int64_t ms = end - s->started_at;
    return (double)s->calls * 1000 / (double)(ms < 1000 ? 1000 : ms);
}

static void add_latency(struct json_object *o, const struct latency *latency)
{
    json_key(o, "latency_us");
    struct json_object p = json_begin(o->out, '{');
    json_pair_int(&p, "p50", latency_percentile(latency, 50));
    json_pair_int(&p, "p90", latency_percentile(latency, 90));
    json_pair_int(&p, "p99", latency_percentile(latency, 99));
    json_end(&p);
}

static void write_session(struct output *out, const struct session_row *s)
{
    struct json_object o = json_begin(&out->text, '{');
    add_number(&o, "id", s->id, 0);
    json_pair(&o, "uuid", s->uuid);
    json_pair(&o, "client", s->client);
    json_pair(&o, "client_version", s->client_version);
    json_pair(&o, "era", s->era);
    json_pair(&o, "transport", s->transport);
    json_pair(&o, "actor", s->actor);
    json_pair(&o, "agent", s->agent);
    json_pair(&o, "task", s->task);
    add_number(&o, "peer_uid", s->peer_uid, -1);
    add_number(&o, "peer_pid", s->peer_pid, -1);
    add_number(&o, "process", s->process, -1);
    add_number(&o, "started_at", s->started_at, 0);
    add_number(&o, "seen_at", s->seen_at, 0);
    add_number(&o, "ended_at", s->ended_at, 0);
    json_pair(&o, "ended_by", s->ended_by);
    json_pair_bool(&o, "lives", s->lives);
    json_pair_bool(&o, "read_only", s->read_only);
    json_pair_int(&o, "calls", s->calls);
    json_pair_int(&o, "errors", s->errors);
    json_key(&o, "rate");
    json_add_double(&out->text, (double)(int64_t)(rate_of(s, out->now) * 1000) / 1000);
    add_latency(&o, &s->latency);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

/* ---- for people ---- */

/* A session as the cells of a row. */
enum cell {
    ID,
    CLIENT,
    AGENT,
    STATE,
    SEEN,
    CALLS,
    ERRORS,
    P50,
    P99,
    RATE,
    P90,
    VIA,
    STARTED,
    ERA,
    PEER,
    CELLS
};

/* In the order of the line; `keeps`: the least of them give way first where it is narrow. */
static const struct column {
    enum cell cell;
    const char *name;
    size_t most; /* columns of it on a terminal */
    unsigned flags;
    int keeps;
} columns[CELLS] = {
    {ID, "ID", 8, TEXT_RIGHT, 15},          {CLIENT, "CLIENT", 24, TEXT_EXACT, 14},
    {AGENT, "AGENT", 16, TEXT_EXACT, 12},   {STATE, "STATE", 24, TEXT_EXACT, 13},
    {VIA, "VIA", 8, TEXT_EXACT, 3},         {ERA, "ERA", 12, TEXT_EXACT, 2},
    {PEER, "PEER", 20, TEXT_EXACT, 1},      {STARTED, "STARTED", 8, TEXT_RIGHT, 4},
    {SEEN, "SEEN", 8, TEXT_RIGHT, 9},       {CALLS, "CALLS", 10, TEXT_RIGHT, 11},
    {ERRORS, "ERRORS", 10, TEXT_RIGHT, 10}, {RATE, "RATE", 8, TEXT_RIGHT, 6},
    {P50, "P50", 8, TEXT_RIGHT, 7},         {P90, "P90", 8, TEXT_RIGHT, 5},
    {P99, "P99", 8, TEXT_RIGHT, 8},
};

#define CELL_SIZE  2048 /* a name and a version have at most 200 characters of four bytes */
#define LEAST_TASK 10

struct cells {
    char text[CELLS][CELL_SIZE];
};

static void format_latency(char *out, const struct session_row *s, double percent)
{
    int64_t us = latency_percentile(&s->latency, percent);
    if (!s->latency.count)
        snprintf(out, CELL_SIZE, "-");
    else if (us < 1000)
        snprintf(out, CELL_SIZE, "%dus", (int)us);
    else if (us < 1000000)
        snprintf(out, CELL_SIZE, "%.1fms", (double)us / 1e3);
    else
        snprintf(out, CELL_SIZE, "%.1fs", (double)us / 1e6);
}

static void format_state(char *out, const struct session_row *s)
{
    if (s->lives)
        snprintf(out, CELL_SIZE, "%s", s->read_only ? "read-only" : "live");
    else if (s->ended_by && strcmp(s->ended_by, "lost") == 0)
        snprintf(out, CELL_SIZE, "lost");
    else
        snprintf(out, CELL_SIZE, "ended by %s", s->ended_by ? s->ended_by : "");
}

static void format_peer(char *out, const struct session_row *s)
{
    int len = 0;
    *out = '\0';
    if (s->peer_uid >= 0)
        len = snprintf(out, CELL_SIZE, "uid %lld ", (long long)s->peer_uid);
    if (s->peer_pid >= 0)
        snprintf(out + len, CELL_SIZE - (size_t)len, "pid %lld", (long long)s->peer_pid);
}

static void format_cells(struct cells *c, const struct session_row *s, int64_t now)
{
    snprintf(c->text[ID], CELL_SIZE, "%lld", (long long)s->id);
    snprintf(c->text[CLIENT], CELL_SIZE, "%s%s%s", s->client ? s->client : "-",
             s->client_version ? " " : "", s->client_version ? s->client_version : "");
    snprintf(c->text[AGENT], CELL_SIZE, "%s", s->agent ? s->agent : "-");
    snprintf(c->text[VIA], CELL_SIZE, "%s", s->transport ? s->transport : "-");
    snprintf(c->text[ERA], CELL_SIZE, "%s", s->era ? s->era : "-");
    snprintf(c->text[CALLS], CELL_SIZE, "%lld", (long long)s->calls);
    snprintf(c->text[ERRORS], CELL_SIZE, "%lld", (long long)s->errors);
    snprintf(c->text[RATE], CELL_SIZE, "%.1f/s", rate_of(s, now));
    clock_format_age(c->text[STARTED], CELL_SIZE, s->started_at, now);
    clock_format_age(c->text[SEEN], CELL_SIZE, s->seen_at, now);
    format_latency(c->text[P50], s, 50);
    format_latency(c->text[P90], s, 90);
    format_latency(c->text[P99], s, 99);
    format_state(c->text[STATE], s);
    format_peer(c->text[PEER], s);
}

/* Widths by what stands in the columns; those that keep least give way until it all fits. */
static void measure(const struct output *out, const struct session_row *rows, size_t count,
                    size_t width[CELLS])
{
    struct cells c = {.text = {""}};
    size_t taken = LEAST_TASK;
    for (size_t n = 0; n < CELLS; n++)
        width[n] = strlen(columns[n].name);
    for (size_t i = 0; i < count; i++) {
        format_cells(&c, &rows[i], out->now);
        for (size_t n = 0; n < CELLS; n++) {
            const char *text = c.text[columns[n].cell];
            size_t own = text_width(text, strlen(text), columns[n].most, columns[n].flags);
            own = own < columns[n].most ? own : columns[n].most;
            width[n] = own > width[n] ? own : width[n];
        }
    }
    for (size_t n = 0; n < CELLS; n++)
        taken += width[n] + 2;
    for (int keeps = 1; keeps <= CELLS && taken > out->columns; keeps++)
        for (size_t n = 0; n < CELLS; n++)
            if (columns[n].keeps == keeps) {
                taken -= width[n] + 2;
                width[n] = 0;
            }
}

static void print_row(struct output *out, const struct session_row *s, const size_t width[CELLS])
{
    struct cells c = {.text = {""}};
    size_t used = 0;
    format_cells(&c, s, out->now);
    for (size_t n = 0; n < CELLS; n++) {
        enum cell cell = columns[n].cell;
        enum tone tone = cell == STATE && s->lives     ? s->read_only ? TONE_WARN : TONE_GOOD
                         : cell == ERRORS && s->errors ? TONE_WARN
                         : s->lives                    ? TONE_PLAIN
                                                       : TONE_DIM;
        used += output_column(out, tone, c.text[cell], width[n], columns[n].flags);
    }
    output_rest(out, TONE_DIM, s->task ? s->task : "", used);
}

static void print_header(struct output *out, const size_t width[CELLS],
                         const struct session_row *rows, size_t count)
{
    bool tasks = false;
    for (size_t i = 0; i < count; i++)
        tasks |= rows[i].task != NULL;
    size_t used = 0;
    for (size_t n = 0; n < CELLS; n++)
        used += output_column(out, TONE_STRONG, columns[n].name, width[n], columns[n].flags);
    output_rest(out, TONE_STRONG, tasks ? "TASK" : "", used);
}

static int print_sessions(struct output *out, const struct session_row *rows, size_t count,
                          struct error *e)
{
    size_t width[CELLS] = {0};
    if (!out->json) {
        measure(out, rows, count, width);
        print_header(out, width, rows, count);
    }
    for (size_t i = 0; i < count && !out->closed; i++) {
        if (out->json)
            write_session(out, &rows[i]);
        else
            print_row(out, &rows[i], width);
        if (output_row(out, e))
            return -1;
    }
    return 0;
}

static int list(struct invocation *i, struct reader *r, struct error *e)
{
    bool all = option_given(i, "all");
    double limit = option_number(i, "limit", 0);
    struct session_row *rows;
    size_t count;
    if (session_list(r, &i->arena, !all, (size_t)limit, &rows, &count, e))
        return -1;
    if (count)
        return print_sessions(&i->out, rows, count, e);
    output_note("%s", all ? "there was no session yet"
                          : "nobody is connected; --all shows the sessions that ended");
    return 1;
}

/* ---- decisions ---- */

enum decision {
    END,
    READ_ONLY,
    READ_WRITE
};

static int decide(struct invocation *i, struct opened *o, const char *name, enum decision what,
                  struct error *e)
{
    static const char *const said[] = {"was ended", "may only read now", "may write now"};
    struct session_row s;
    struct actor person = opening_person(i);
    if (session_find(o->reader, &i->arena, name, &s, e)) {
        e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code;
        return -1;
    }
    if (what == END ? store_session_end(o->store, &person, s.id, e)
                    : store_session_read_only(o->store, &person, s.id, what == READ_ONLY, e))
        return -1;
    if (session_read(o->reader, &i->arena, s.id, &s, e))
        return -1;
    if (i->out.json) {
        write_session(&i->out, &s);
        return 0;
    }
    strbuf_addf(&i->out.text, "session %lld (", (long long)s.id);
    output_text(&i->out, TONE_PLAIN, s.actor ? s.actor : "");
    strbuf_addf(&i->out.text, ") %s\n", said[what]);
    return 0;
}

/* 1: something was decided, so no list is wanted. */
static int decide_all(struct invocation *i, struct opened *o, struct error *e)
{
    static const char *const names[] = {"end", "make-read-only", "make-read-write"};
    bool any = false;
    for (int what = END; what <= READ_WRITE; what++) {
        size_t count;
        const char **ids = option_list(i, names[what], &count);
        for (size_t n = 0; n < count; n++)
            if (decide(i, o, ids[n], (enum decision)what, e))
                return -1;
        any |= count > 0;
    }
    return any;
}

static int run_sessions(struct invocation *i, struct error *e)
{
    struct opened o;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = decide_all(i, &o, e);
    result = result > 0 ? 0 : result < 0 ? -1 : list(i, o.reader, e);
    opening_close(&o);
    return result;
}

const struct command cmd_sessions = {
    .name = "sessions",
    .words = "",
    .about = "who is connected over MCP; end one, or make it read-only",
    .details =
        "A line each, newest first: client, agent and how it is connected, when it was seen last, "
        "how many calls it made and how many of them failed, how many a second, and how long half, "
        "90 % and 99 % of them took at most. What is decided here holds whatever process serves "
        "the session, and is an event of the journal. The exit status is 1 where there is none.",
    .options = options,
    .run = run_sessions,
};
