/*
 * stemma sessions: who talks to the store over MCP, whatever process serves them, and a person's
 * decisions about them.
 */
#include "tui/cli/cmd.h"

#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/session/session.h"
#include "tui/cli/opening.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

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
    size_t most;  /* columns of it on a terminal */
    size_t least; /* it may be cut to; 0: it is not cut */
    unsigned flags;
    int keeps;
} columns[CELLS] = {
    {ID, "ID", 8, 0, TEXT_RIGHT, 15},          {CLIENT, "CLIENT", 24, 8, TEXT_EXACT, 14},
    {AGENT, "AGENT", 16, 8, TEXT_EXACT, 10},   {STATE, "STATE", 24, 9, TEXT_EXACT, 13},
    {VIA, "VIA", 8, 0, TEXT_EXACT, 3},         {ERA, "ERA", 12, 0, TEXT_EXACT, 2},
    {PEER, "PEER", 20, 0, TEXT_EXACT, 1},      {STARTED, "STARTED", 8, 0, TEXT_RIGHT, 4},
    {SEEN, "SEEN", 8, 0, TEXT_RIGHT, 9},       {CALLS, "CALLS", 10, 0, TEXT_RIGHT, 12},
    {ERRORS, "ERRORS", 10, 0, TEXT_RIGHT, 11}, {RATE, "MEAN", 8, 0, TEXT_RIGHT, 6},
    {P50, "P50", 8, 0, TEXT_RIGHT, 7},         {P90, "P90", 8, 0, TEXT_RIGHT, 5},
    {P99, "P99", 8, 0, TEXT_RIGHT, 8},
};
#define CUTS_FROM 9 /* what keeps less goes before any is cut, the others only after */

#define CELL_SIZE  2048 /* a name and a version have at most 200 characters of four bytes */
#define LEAST_TASK 10

struct cells {
    char text[CELLS][CELL_SIZE];
};

static void format_state(char *out, const struct session_row *s)
{
    if (s->lives)
        snprintf(out, CELL_SIZE, "%s", s->read_only ? "read-only" : "live");
    else if (s->away)
        snprintf(out, CELL_SIZE, "away, read-only");
    else if (s->ended_by && strcmp(s->ended_by, "lost") == 0)
        snprintf(out, CELL_SIZE, "lost");
    else
        snprintf(out, CELL_SIZE, "ended by %s", s->ended_by ? s->ended_by : "");
}

/* What is appended as text, as a cell. */
static void format_name(char *out, const struct session_row *s)
{
    struct strbuf name = STRBUF_INIT;
    session_name(s, &name);
    snprintf(out, CELL_SIZE, "%s", name.buf);
    strbuf_release(&name);
}

static void format_cells(struct cells *c, const struct session_row *s, int64_t now)
{
    snprintf(c->text[ID], CELL_SIZE, "%lld", (long long)s->id);
    format_name(c->text[CLIENT], s);
    snprintf(c->text[AGENT], CELL_SIZE, "%s", session_agent(s) ? session_agent(s) : "-");
    snprintf(c->text[VIA], CELL_SIZE, "%s", s->transport ? s->transport : "-");
    snprintf(c->text[ERA], CELL_SIZE, "%s", s->era ? s->era : "-");
    snprintf(c->text[CALLS], CELL_SIZE, "%lld%s", (long long)s->calls,
             session_is_lost(s) ? "+" : "");
    snprintf(c->text[ERRORS], CELL_SIZE, "%lld", (long long)s->errors);
    snprintf(c->text[RATE], CELL_SIZE, "%.1f/s", session_rate(s, now));
    clock_format_age(c->text[STARTED], CELL_SIZE, s->started_at, now);
    clock_format_age(c->text[SEEN], CELL_SIZE, s->seen_at, now);
    session_took(c->text[P50], CELL_SIZE, s, 50);
    session_took(c->text[P90], CELL_SIZE, s, 90);
    session_took(c->text[P99], CELL_SIZE, s, 99);
    format_state(c->text[STATE], s);
    session_peer(c->text[PEER], CELL_SIZE, s);
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How wide each column is; 0: it is left out. */
struct widths {
    size_t of[CELLS];
    bool task; /* what is left of the line is for the task */
};

/* Widths by what stands in the columns. */
static void measure(const struct output *out, const struct session_row *rows, size_t count,
                    struct widths *w)
{
    struct cells c = {.text = {""}};
    for (size_t n = 0; n < CELLS; n++)
        w->of[n] = strlen(columns[n].name);
    for (size_t i = 0; i < count; i++) {
        format_cells(&c, &rows[i], out->now);
        for (size_t n = 0; n < CELLS; n++) {
            const char *text = c.text[columns[n].cell];
            size_t own = text_width(text, strlen(text), columns[n].most, columns[n].flags);
            own = least_of(own, columns[n].most);
            w->of[n] = own > w->of[n] ? own : w->of[n];
        }
        w->task |= rows[i].task != NULL;
    }
}

#define GAP 2

/* Columns of the line; behind the last cell there is no gap but before a task. */
static size_t line_width(const struct widths *w)
{
    size_t taken = w->task ? LEAST_TASK + GAP : 0;
    for (size_t n = 0; n < CELLS; n++)
        taken += w->of[n] ? w->of[n] + GAP : 0;
    return taken > GAP ? taken - GAP : 0;
}

static size_t room_left(const struct output *out, const struct widths *w)
{
    size_t taken = line_width(w);
    return out->columns > taken ? out->columns - taken : 0;
}

/* Columns that keep from `first` to `last` go until the line has room. */
static void leave_out(const struct output *out, struct widths *w, int first, int last)
{
    for (int keeps = first; keeps <= last && line_width(w) > out->columns; keeps++)
        for (size_t n = 0; n < CELLS; n++)
            if (columns[n].keeps == keeps)
                w->of[n] = 0;
}

/* Names are cut, and what is left then is theirs again: who it is and its state first. */
static void cut_names(const struct output *out, struct widths *w)
{
    static const enum cell order[] = {STATE, CLIENT, AGENT};
    struct widths whole = *w;
    for (size_t n = 0; n < CELLS; n++)
        if (columns[n].least)
            w->of[n] = least_of(w->of[n], columns[n].least);
    if (line_width(w) > out->columns)
        w->task = false;
    leave_out(out, w, CUTS_FROM, CELLS);
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        for (size_t n = 0; n < CELLS; n++)
            if (columns[n].cell == order[i] && w->of[n])
                w->of[n] += least_of(whole.of[n] - w->of[n], room_left(out, w));
}

/* What tells least goes first, then names are cut, and only then goes what a person looks here for. */
static void fit(const struct output *out, struct widths *w)
{
    leave_out(out, w, 1, CUTS_FROM - 1);
    if (line_width(w) > out->columns)
        cut_names(out, w);
}

static void print_row(struct output *out, const struct session_row *s, const struct widths *w)
{
    struct cells c = {.text = {""}};
    size_t used = 0;
    format_cells(&c, s, out->now);
    for (size_t n = 0; n < CELLS; n++) {
        enum cell cell = columns[n].cell;
        enum style style = cell == STATE && s->lives
                               ? s->read_only ? STYLE_WEAKENED : STYLE_GROUNDED
                           : cell == ERRORS && s->errors ? STYLE_WEAKENED
                           : s->lives                    ? STYLE_TEXT
                                                         : STYLE_DIM;
        used += output_column(out, style, c.text[cell], w->of[n], columns[n].flags);
    }
    struct strbuf task = STRBUF_INIT;
    text_add(&task, w->task ? s->task : NULL, TEXT_EXACT);
    output_rest(out, STYLE_DIM, task.buf, used);
    strbuf_release(&task);
}

static void print_header(struct output *out, const struct widths *w)
{
    size_t used = 0;
    for (size_t n = 0; n < CELLS; n++)
        used += output_column(out, STYLE_STRONG, columns[n].name, w->of[n], columns[n].flags);
    output_rest(out, STYLE_STRONG, w->task ? "TASK" : "", used);
}

static int print_sessions(struct output *out, const struct session_row *rows, size_t count,
                          struct session_use_names names, struct error *e)
{
    struct widths w = {0};
    if (!out->json && count) {
        measure(out, rows, count, &w);
        fit(out, &w);
        print_header(out, &w);
    }
    for (size_t i = 0; i < count && !out->closed; i++) {
        if (out->json)
            session_json(out, &rows[i], names);
        else
            print_row(out, &rows[i], &w);
        if (output_row(out, e))
            return -1;
    }
    return 0;
}

/* Says how to go on; JSON as its last line, a person apart from the list. */
static void print_more(struct output *out, const struct session_row *last)
{
    char cursor[24];
    snprintf(cursor, sizeof(cursor), "%lld", (long long)last->id);
    if (!out->json) {
        output_note("there are more: go on with --cursor %s", cursor);
        return;
    }
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "next", cursor);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
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
    if (more)
        print_more(&i->out, &rows[limit - 1]);
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
    if (i->out.json)
        session_json(&i->out, &s, names);
    else
        session_print(&i->out, &s, names);
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
        "client of "
        "2026-07-28 names; else the client's name) and how it is "
        "connected, when it was seen last, how many calls it made (`+`: at least, for its process "
        "was "
        "killed and the last second was not counted) and how many of them failed (what was no call "
        "of anything counts as one that did, what its client gave up as one that did not), how "
        "many a second in the mean since it began, how long half, 90 % and 99 % of them took at "
        "most, and its task. With an "
        "ID, "
        "its number or the beginning of its uuid, all that is known of that session.\n\n"
        "What is decided here holds whatever process serves the session, and is an event of the "
        "journal. A connection is a session, whatever agents its requests name; over HTTP a client "
        "of 2026-07-28 has one for each agent that it names, and one for its requests that name "
        "none. Whose session is ended may connect anew and begin another one; a client of HTTP "
        "that has nothing to begin anew (of 2026-07-28) is refused for ten minutes. One of these "
        "that may only read goes on so, however long it was away and whatever process serves it "
        "then, until a person lets it write again: also while it is away.\n\n"
        "On a terminal lines are cut to its width; into a pipe nothing is cut. The exit "
        "status is 1 where there is none.",
    .options = options,
    .max_words = 1,
    .check = check,
    .read = read_sessions,
};
