/*
 * stemma log: the journal in the order in which things happened, oldest first, since that is the order
 * in which more comes with --follow. --limit shows the newest so many.
 */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "store/journal/feed.h"
#include "tui/text/match.h"
#include "tui/render/listing.h"
#include "tui/render/log_print.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

#define FOLLOW_FIRST 10  /* lines that --follow begins with, as tail does */
#define FOLLOW_TAKE  500 /* events that are taken from the feed at once */
#define LATE                                                                                       \
    2000 /* ms after which what was done at a time stands in the store: calls within a second */

static const struct option_spec options[] = {
    OPT_TEXT("actor", "A", "only what this person or agent did"),
    OPT_TEXT("operation", "O",
             "only this operation: add, import, source_added, …; of a call its tool"),
    OPT_CHOICE("kind", "K", choice_kind, "only on memories of that kind:"),
    OPT_TEXT("since", "T", "only from then on: a date, ISO 8601, \"2 days ago\", yesterday"),
    OPT_TEXT("until", "T", "only up to then"),
    OPT_TEXT("ref", "REF", "only on this memory"),
    OPT_TEXT("session", "S",
             "only what was done in this session, and what a person decided about it: its number, "
             "or the beginning of its uuid"),
    OPT_TEXT("correlation", "C", "only what was done together under this name"),
    OPT_FLAG("calls", "what sessions read and what was refused as well"),
    OPT_FLAG("follow", "the last ten lines, then each as it happens, until Ctrl-C"),
    OPT_LIMIT("no more than the newest so many; with --follow before it begins"),
    OPT_TEXT("cursor", "C",
             "go on with what is older, where a log with --limit and the same options began"),
    OPT_AS_OF,
    OPTION_END,
};

struct log {
    struct invocation *i;
    struct opened o;
    struct event_filter filter;
    struct log_lines lines;
    struct log_place end;    /* of what is shown, by --cursor */
    struct log_place before; /* the line that was left out last, by --limit */
    bool more;               /* there is one */
    struct arena arena;      /* of a line */
    size_t printed;
};

/* ---- what is asked for ---- */

static int read_time(const struct invocation *i, const char *name, int64_t *ms, struct error *e)
{
    const char *text = option_text(i, name);
    if (!text || clock_parse_when(text, i->out.now, ms) == 0)
        return 0;
    return error_set(e, ERROR_USAGE, "Give a date, ISO 8601, or how long ago: \"2 days ago\".",
                     "'%.80s' is not a time", text);
}

/* "EVENT" or, of a log with calls, "EVENT.CALL.AT.OUTCOME": a place. */
static int read_cursor(struct log *g, struct error *e)
{
    const char *text = option_text(g->i, "cursor"), *at = text;
    int64_t part[4] = {0};
    size_t count = option_given(g->i, "calls") ? 4 : 1;
    bool good = text != NULL;
    g->end = (struct log_place)LOG_END;
    if (!text)
        return 0;
    for (size_t i = 0; i < count && good; i++) {
        char *end;
        errno = 0;
        part[i] = strtoll(at, &end, 10);
        good = *at >= '0' && *at <= '9' && !errno && *end == (i + 1 < count ? '.' : '\0');
        at = end + 1;
    }
    if (!good || part[3] > INT_MAX)
        return error_set(e, ERROR_USAGE, "Take the one that such a log ended with.",
                         "'%.80s' is no cursor of this log", text);
    g->end = (struct log_place){part[0], part[1], part[2], (int)part[3]};
    g->filter.last = g->end.event;
    return 0;
}

static int read_filter(struct log *g, struct error *e)
{
    const struct invocation *i = g->i;
    struct event_filter *f = &g->filter;
    *f = (struct event_filter)EVENT_FILTER_ALL;
    f->actor = option_text(i, "actor");
    f->operation = option_text(i, "operation");
    f->correlation = option_text(i, "correlation");
    f->kind = option_choice(i, "kind", -1);
    if (option_given(i, "cursor") && option_given(i, "follow"))
        return error_set(e, ERROR_USAGE, "Leave one of them out.",
                         "--cursor shows what is older, and --follow what comes");
    if (option_given(i, "as-of") && option_given(i, "follow"))
        return error_set(e, ERROR_USAGE, "Leave one of them out.",
                         "--as-of shows what was, and --follow what comes");
    if (read_time(i, "since", &f->since, e) || read_time(i, "until", &f->until, e))
        return -1;
    return read_cursor(g, e);
}

/* What is named by a ref or a number, once there is a store to look it up in. */
static int resolve(struct log *g, struct error *e)
{
    struct session_row session;
    const char *ref = option_text(g->i, "ref"), *name = option_text(g->i, "session");
    /* Calls have no number in the journal: those up to that time. */
    if (g->o.as_of.seq >= 0 && g->o.as_of.until < g->filter.until)
        g->filter.until = g->o.as_of.until;
    if (ref && (g->filter.subject = opening_resolve(g->o.reader, ref, e)) < 0)
        return -1;
    if (!name)
        return 0;
    if (session_find(g->o.reader, &g->i->arena, name, &session, e)) {
        if (e->code == ERROR_INVALID)
            e->code = ERROR_USAGE;
        return -1;
    }
    g->filter.session = session.id;
    return 0;
}

/* ---- lines ---- */

/* Prints what there is, the first `skip` left out. */
static int print_lines(struct log *g, size_t skip, struct error *e)
{
    struct log_line line;
    int more;
    while ((more = log_lines_next(&g->lines, &line, e)) > 0 && !g->i->out.closed) {
        if (stop_check("log", e))
            return -1;
        if (skip) {
            skip--;
            log_place_pass(&g->before, &line);
            continue;
        }
        g->printed++;
        if (log_print(&g->i->out, &g->lines, &line, &g->arena, e) || output_row(&g->i->out, e))
            return -1;
    }
    return more < 0 ? -1 : 0;
}

/* The end of a block of calls that at least `limit` lines come behind, of calls or of the events by which calls are
 * told; 0: the beginning. */
static int64_t find_call(struct log *g, size_t limit, struct error *e)
{
    const struct event_filter *f = &g->filter;
    bool all = !f->actor && !f->operation && !f->subject && !f->session && f->kind < 0 &&
               f->since == INT64_MIN && f->until == INT64_MAX;
    if (!all || !g->lines.calls_wanted)
        return 0;
    /* The end is somewhere in its block. */
    bool open = g->end.call > INT64_MAX - LOG_BLOCK;
    int64_t last = open ? INT64_MAX : g->end.call + LOG_BLOCK - 1 - (g->end.call - 1) % LOG_BLOCK;
    int64_t call = call_before_newest(g->o.reader, last, limit + (open ? 0 : LOG_BLOCK), e);
    return call < 0 ? -1 : call - call % LOG_BLOCK;
}

/* Where the newest so many begin: exactly among events; calls are counted, since one row of them may be
 * no line or several. */
static int find_newest(struct log *g, size_t limit, size_t *skip, struct error *e)
{
    int64_t event = journal_before_newest(g->o.reader, &g->filter, limit, e);
    int64_t call = event >= 0 ? find_call(g, limit, e) : -1;
    struct log_line line;
    size_t count = 0;
    int more;
    *skip = 0;
    if (event < 0 || call < 0)
        return -1;
    g->before = (struct log_place){event, call, INT64_MAX, INT_MAX};
    log_lines_begin(&g->lines, &g->before);
    while (g->lines.calls_wanted && (more = log_lines_next(&g->lines, &line, e)) != 0) {
        if (more < 0)
            return -1;
        count++;
    }
    *skip = count > limit ? count - limit : 0;
    g->more = *skip || event > 0 || call > 0;
    log_lines_begin(&g->lines, &g->before);
    return 0;
}

static void print_more(struct log *g)
{
    const struct log_place *p = &g->before;
    char cursor[120];
    if (option_given(g->i, "calls"))
        snprintf(cursor, sizeof(cursor), "%lld.%lld.%lld.%d", (long long)p->event,
                 (long long)p->call, (long long)p->at, p->outcome);
    else
        snprintf(cursor, sizeof(cursor), "%lld", (long long)p->event);
    listing_more(&g->i->out, "older ones", cursor);
}

static int print_there_is(struct log *g, struct error *e)
{
    bool follow = option_given(g->i, "follow");
    double limit = option_number(g->i, "limit", follow ? FOLLOW_FIRST : -1);
    size_t skip = 0;
    log_lines_open(&g->lines, g->o.reader, &g->filter, option_given(g->i, "calls"), &g->end);
    if (limit >= 0 && find_newest(g, (size_t)limit, &skip, e))
        return -1;
    if (print_lines(g, skip, e))
        return -1;
    if (g->more && !follow)
        print_more(g);
    return output_flush(&g->i->out, e) ? -1 : 0;
}

/* ---- what comes ---- */

/* How long something may still come that is not after --until: ms, -1 for ever. */
static int time_left(const struct log *g)
{
    int64_t until = g->filter.until, now = store_now(g->o.store);
    if (until > INT64_MAX - LATE)
        return -1;
    if (until + LATE <= now)
        return 0;
    return until + LATE - now > INT_MAX ? INT_MAX : (int)(until + LATE - now);
}

/* Waits until the store may have changed; false: it is over, by a signal or because nobody reads. */
static bool wait_for_news(const struct feed *feed, int left)
{
    struct pollfd fds[] = {{.fd = feed_fd(feed), .events = POLLIN}, {.fd = STDOUT_FILENO}};
    int timeout = feed_timeout(feed);
    int ready = stop_poll(fds, 2, timeout < 0 || (left >= 0 && left < timeout) ? left : timeout);
    return !stop_wanted() && (ready >= 0 || errno == EINTR) &&
           !(fds[1].revents & (POLLERR | POLLHUP | POLLNVAL));
}

/* The feed only says that something came; the lines go on where they ended. */
static int take_news(struct feed *feed, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct event *ignored;
    size_t count;
    int result;
    do {
        arena_clear(&arena);
        result = feed_next(feed, &arena, FOLLOW_TAKE, &ignored, &count, e);
    } while (result == 0 && count == FOLLOW_TAKE);
    arena_release(&arena);
    return result;
}

static int follow(struct log *g, struct feed *feed, struct error *e)
{
    int result = 0, left;
    while (!result && !g->i->out.closed && (left = time_left(g)) != 0 &&
           wait_for_news(feed, left)) {
        output_measure(&g->i->out);
        result = take_news(feed, e) || print_lines(g, 0, e) || output_flush(&g->i->out, e) ? -1 : 0;
    }
    return result;
}

/* The feed begins before the first line is read, so that nothing falls between them. */
static int print_and_follow(struct log *g, struct error *e)
{
    struct feed *feed = feed_open(g->o.reader, e);
    int result = feed ? print_there_is(g, e) : -1;
    if (result == 0)
        result = follow(g, feed, e);
    feed_close(feed);
    if (result && e->code == ERROR_INTERRUPTED && stop_wanted())
        return 0; /* Ctrl-C is how following ends */
    return result;
}

static int print_log(struct log *g, struct error *e)
{
    bool follows = option_given(g->i, "follow");
    if (resolve(g, e) || (follows ? print_and_follow(g, e) : print_there_is(g, e)))
        return -1;
    bool over = !follows || time_left(g) == 0; /* nothing more can match */
    if (g->printed || option_given(g->i, "cursor") || !over)
        return 0;
    output_note("nothing matched");
    return 1;
}

static int run_log(struct invocation *i, struct error *e)
{
    struct log g = {.i = i, .arena = ARENA_INIT};
    if (read_filter(&g, e) || opening_open(i, NULL, false, &g.o, e))
        return -1;
    int result = print_log(&g, e);
    log_lines_close(&g.lines);
    arena_release(&g.arena);
    opening_close(&g.o);
    return result;
}

const struct command cmd_log = {
    .name = "log",
    .words = "",
    .about = "what was done to the store: each change, by whom, and why",
    .details =
        "Oldest first, a line each: when (UTC), who, what, and which memory with its text. An "
        "agent is marked as one, whatever it calls itself; `via` is its session's name where it "
        "signed with another. On a narrow terminal the year goes first, then the date, then the "
        "time, and a letter before the name says who it was: P a person, A an agent, - stemma by "
        "itself, ? nobody knows.\n\n"
        "With --calls also what sessions read, what they were refused, and calls that failed, with "
        "why first; those of a tool that there is not are `unknown_tool`, requests of a method "
        "that there is not `unknown_method`, and messages that name none `invalid_message`. What "
        "putMemory and deleteMemory wrote stands there once, as its event; with --operation and "
        "the tool's name as the call. Calls are written once a second, equal ones as one line with "
        "the time of the first: they may stand up to a second out of order, and with --follow "
        "behind changes that came after them.\n\n"
        "On a terminal lines are cut to its width, with --follow each to what that is by then; "
        "into a pipe nothing is cut. --follow ends with Ctrl-C, or with --until when that has "
        "passed, and fails where the store is removed or replaced meanwhile. The exit status is 1 "
        "where nothing matches.",
    .options = options,
    .run = run_log,
};
