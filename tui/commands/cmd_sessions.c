/*
 * stemma sessions: who talks to the store over MCP, whatever process serves them, and a person's
 * decisions about them.
 */
#include "tui/cli/cmd.h"

#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/session/session.h"
#include "tui/cli/opening.h"
#include "tui/render/listing.h"
#include "tui/render/session_print.h"
#include "tui/render/table.h"
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

/* Names may be cut before what a person looks here for is left out: which one, who, its state, how many calls. */
static const struct table_column columns[] = {
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
        session_took(text, sizeof(text), s, percents[i]);
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
        table_open(out, columns, sizeof(columns) / sizeof(columns[0]), "TASK", LEAST_TASK);
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
