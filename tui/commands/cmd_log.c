/* stemma log: events and calls, oldest first, because --follow appends new ones. --limit shows the newest. */
#include "tui/commands/commands.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/journal/feed.h"
#include "tui/text/match.h"
#include "tui/render/listing.h"
#include "tui/render/activity.h"
#include "tui/cli/opening.h"
#include "tui/cli/words.h"
#include "tui/cli/stop.h"

#define FOLLOW_FIRST 10  /* lines that --follow shows first, as tail does */
#define FOLLOW_TAKE  500 /* events read from the feed at once */
/* ms after which an activity is in the store: calls are written within a second. */
#define LATE 2000

static const struct option_spec options[] = {
    {.name = "actor",
     .also = "agent",
     .type = OPTION_TEXT,
     .argument = "A",
     .about = "only events by this person or agent"},
    OPT_TEXT("operation", "O",
             "only this operation: add, import, source_added, …; or the tool of a call"),
    OPT_CHOICE("kind", "K", choice_kind, "only events on memories of this kind:"),
    OPT_TEXT("since", "T",
             "only since then: a date, ISO 8601, \"2 days ago\", \"last week\", yesterday"),
    OPT_TEXT("until", "T", "only until then"),
    OPT_TEXT("ref", "REF", "only events on this memory"),
    OPT_TEXT("session", "S",
             "only events of this session, and a person's decisions about it: its number, or the "
             "beginning of its uuid"),
    OPT_TEXT("correlation", "C", "only changes made together under this name"),
    OPT_FLAG("calls", "also what sessions read, and what was refused"),
    OPT_FLAG("follow", "the last ten lines, then each as it happens, until Ctrl-C"),
    OPT_LIMIT("show at most N, the newest; with --follow: before it starts"),
    OPT_TEXT("cursor", "C",
             "continue with older events, where a log with --limit and the same options started"),
    OPT_AS_OF,
    OPTION_END,
};

struct line {
    const char *text;  /* in the arena */
    int64_t seq, call; /* position of the walk */
    size_t shown;      /* lines of its row of calls up to this one */
};

/* The lines of a walk backwards. */
struct page {
    struct line *line;
    size_t count, alloc;
    struct arena arena;
};

struct log {
    struct invocation *i;
    struct opened o;
    struct query_terms terms;
    struct activity_walk walk;
    int64_t row;  /* last row of the call log */
    size_t shown; /* lines of that row printed so far */
    size_t skip;  /* lines of the first row that were on the page before */
    struct page page;
    size_t printed;
};

/* ---- options ---- */

/* A cursor is "EVENT" or, with --calls, "EVENT.CALL.SHOWN": the last line of the page, and how many lines of that row
 * of calls were shown. */
static int read_cursor(struct log *g, struct error *e)
{
    const char *text = option_text(g->i, "cursor"), *at = text;
    int64_t part[3] = {0};
    size_t count = option_given(g->i, "calls") ? 3 : 1;
    bool good = text != NULL;
    if (!text)
        return 0;
    for (size_t i = 0; i < count && good; i++) {
        char *end;
        errno = 0;
        part[i] = strtoll(at, &end, 10);
        good = *at >= '0' && *at <= '9' && !errno && *end == (i + 1 < count ? '.' : '\0');
        at = end + 1;
    }
    if (!good)
        return error_set(e, ERROR_USAGE,
                         "Use the cursor that a `stemma log` with the same options printed last.",
                         "'%.80s' is not a cursor of this log", text);
    g->walk.begun = true;
    g->walk.seq = part[0];
    g->walk.call = part[1];
    g->skip = (size_t)part[2];
    return 0;
}

/* The options as terms of the query. */
static void add_terms(const struct invocation *i, struct strbuf *query)
{
    static const char *const terms[][2] = {{"actor", "agent"},     {"operation", "operation"},
                                           {"kind", "kind"},       {"since", "after"},
                                           {"until", "before"},    {"ref", "memory"},
                                           {"session", "session"}, {"correlation", "correlation"}};
    for (size_t n = 0; n < sizeof(terms) / sizeof(terms[0]); n++) {
        AUTO_STRBUF with = STRBUF_INIT;
        if (!option_given(i, terms[n][0]))
            continue;
        int kind = n == 2 ? option_choice(i, "kind", 0) : 0;
        query_put(&with, query->buf, terms[n][1],
                  n == 2 ? choice_kind(kind) : option_text(i, terms[n][0]));
        strbuf_clear(query);
        strbuf_addstr(query, with.buf);
    }
}

static int read_filter(struct log *g, struct error *e)
{
    const struct invocation *i = g->i;
    AUTO_STRBUF query = STRBUF_INIT;
    if (option_given(i, "cursor") && option_given(i, "follow"))
        return error_set(e, ERROR_USAGE, "Omit one of them.",
                         "--cursor shows older events, --follow new ones");
    if (option_given(i, "as-of") && option_given(i, "follow"))
        return error_set(e, ERROR_USAGE, "Omit one of them.",
                         "--as-of shows the past, --follow new events");
    strbuf_addstr(&query, joined_words(g->i, 0));
    add_terms(i, &query);
    return query_words_read(g->i, query.buf, QUERY_EVENTS, &g->terms, e) ? -1 : read_cursor(g, e);
}

/* Resolves refs and sessions, once the store is open. */
static int resolve(struct log *g, struct error *e)
{
    struct activity_filter *f = &g->walk.filter;
    if (activity_filter_read(g->o.reader, &g->terms, g->i->out.now, f, e)) {
        if (g->terms.bad_to && g->i->word_count)
            output_point(g->terms.query, g->terms.bad_from, g->terms.bad_to);
        e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code;
        return -1;
    }
    if (!f->types && !option_given(g->i, "calls"))
        f->types = 1u << ACTIVITY_WRITE;
    /* Calls have no sequence number, so --as-of selects them by time. */
    if (g->o.as_of.seq >= 0 && (!f->until || g->o.as_of.until < f->until))
        f->until = g->o.as_of.until;
    return 0;
}

/* ---- lines ---- */

#define SLICE_MS 100 /* between two checks for a signal */

/* Adds a line of a walk forwards. Output is flushed after the transaction, because it may block. */
static int print_one(void *arg, const struct activity_source *a, struct error *e)
{
    struct log *g = arg;
    g->printed++;
    return activity_print(&g->i->out, &g->walk.sessions, g->o.reader, a, e);
}

/* Stores a line of a walk backwards, to print them in reverse. Of the row where the last page ended, the `skip` lines
 * already shown are passed over. */
static int store_line(void *arg, const struct activity_source *a, struct error *e)
{
    struct log *g = arg;
    struct page *p = &g->page;
    struct strbuf *out = &g->i->out.text;
    size_t start = out->len;
    if (a->row && a->row->id != g->row) {
        g->skip = g->row ? 0 : g->skip;
        g->row = a->row->id;
        g->shown = 0;
    }
    if (a->row && ++g->shown <= g->skip)
        return 0;
    if (activity_print(&g->i->out, &g->walk.sessions, g->o.reader, a, e))
        return -1;
    *ARRAY_ADD(p->line, p->count, p->alloc) =
        (struct line){arena_strndup(&p->arena, out->buf + start, out->len - start), g->walk.seq,
                      g->walk.call, a->row ? g->shown : 0};
    strbuf_cut(out, start);
    return 0;
}

static int walk(struct log *g,
                int (*take)(void *arg, const struct activity_source *a, struct error *e),
                struct error *e)
{
    int more;
    g->walk.take = take;
    g->walk.arg = g;
    do {
        more = activity_walk_next(&g->walk, g->o.reader, SLICE_MS, e);
        if (more < 0 || stop_check("log", e) || output_row(&g->i->out, e))
            return -1;
    } while (more && !g->i->out.closed);
    return 0;
}

/* Prints the cursor of the next page: after that line, in the same row of calls. */
static void print_more(struct log *g, const struct line *last)
{
    char cursor[80];
    if (option_given(g->i, "calls"))
        snprintf(cursor, sizeof(cursor), "%lld.%lld.%zu", (long long)last->seq,
                 (long long)last->call + (last->shown > 0), last->shown);
    else
        snprintf(cursor, sizeof(cursor), "%lld", (long long)last->seq);
    listing_more(&g->i->out, "older events", cursor);
}

/* Prints the newest lines. Reads one more, to know whether there are more. */
static int print_newest(struct log *g, size_t limit, bool follow, struct error *e)
{
    struct page *p = &g->page;
    g->walk.wanted = limit == SIZE_MAX ? 0 : limit + 1 + g->skip;
    if (walk(g, store_line, e))
        return -1;
    size_t count = p->count < limit ? p->count : limit;
    for (size_t n = count; n-- > 0 && !g->i->out.closed;) {
        strbuf_addstr(&g->i->out.text, p->line[n].text);
        if (output_row(&g->i->out, e))
            return -1;
    }
    g->printed = count;
    if (count < p->count && !follow)
        print_more(g, &p->line[count - 1]);
    return 0;
}

static int print_existing(struct log *g, struct error *e)
{
    bool follow = option_given(g->i, "follow");
    double limit = option_number(g->i, "limit", follow ? FOLLOW_FIRST : -1);
    int result;
    if (limit >= 0 || g->walk.begun) {
        result = print_newest(g, limit < 0 ? SIZE_MAX : (size_t)limit, follow, e);
    } else {
        g->walk.on = g->walk.begun = true;
        result = walk(g, print_one, e);
    }
    return result || output_flush(&g->i->out, e) ? -1 : 0;
}

/* Continues forwards after the newest line. */
static void continue_forwards(struct log *g)
{
    struct activity_walk on = {.filter = g->walk.filter,
                               .on = true,
                               .begun = true,
                               .seq = g->walk.first_seq - 1,
                               .call = g->walk.first_call - 1};
    activity_walk_release(&g->walk);
    g->walk = on;
}

/* ---- following ---- */

/* ms until no more activity before --until can arrive; -1 for no limit. */
static int time_left(const struct log *g)
{
    int64_t until = g->walk.filter.until, now = store_now(g->o.store);
    if (!until || until > INT64_MAX - LATE)
        return -1;
    if (until + LATE <= now)
        return 0;
    return until + LATE - now > INT_MAX ? INT_MAX : (int)(until + LATE - now);
}

/* Waits until the store may have changed. Returns false to end: a signal came or the output was closed. */
static bool wait_for_change(const struct feed *feed, int left)
{
    struct pollfd fds[] = {{.fd = feed_fd(feed), .events = POLLIN}, {.fd = STDOUT_FILENO}};
    int timeout = feed_timeout(feed);
    int ready = stop_poll(fds, 2, timeout < 0 || (left >= 0 && left < timeout) ? left : timeout);
    return !stop_wanted() && (ready >= 0 || errno == EINTR) &&
           !(fds[1].revents & (POLLERR | POLLHUP | POLLNVAL));
}

/* The feed only signals new events; lines are read by the walk. */
static int skip_events(struct feed *feed, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct event *ignored;
    size_t count;
    int result;
    do {
        arena_clear(&arena);
        result = feed_next(feed, &arena, FOLLOW_TAKE, &ignored, &count, e);
    } while (result == 0 && count == FOLLOW_TAKE);
    return result;
}

static int follow(struct log *g, struct feed *feed, struct error *e)
{
    int result = 0, left;
    continue_forwards(g);
    while (!result && !g->i->out.closed && (left = time_left(g)) != 0 &&
           wait_for_change(feed, left)) {
        output_measure(&g->i->out);
        result =
            skip_events(feed, e) || walk(g, print_one, e) || output_flush(&g->i->out, e) ? -1 : 0;
    }
    return result;
}

/* Opens the feed before the first line is read, so that no event is missed. */
static int print_and_follow(struct log *g, struct error *e)
{
    struct feed *feed = feed_open(g->o.reader, e);
    g->i->out.pager = NULL;
    int result = feed ? print_existing(g, e) : -1;
    if (result == 0)
        result = follow(g, feed, e);
    feed_close(feed);
    if (result && e->code == ERROR_INTERRUPTED && stop_wanted())
        return 0; /* Ctrl-C ends --follow normally */
    return result;
}

static int print_log(struct log *g, struct error *e)
{
    bool follows = option_given(g->i, "follow");
    if (resolve(g, e) || (follows ? print_and_follow(g, e) : print_existing(g, e)))
        return -1;
    bool over = !follows || time_left(g) == 0; /* nothing more can match */
    if (g->printed || option_given(g->i, "cursor") || !over)
        return 0;
    output_note("nothing matched");
    query_words_unmatched(joined_words(g->i, 0), QUERY_EVENTS);
    return 1;
}

static int run_log(struct invocation *i, struct error *e)
{
    struct log g = {.i = i, .page.arena = ARENA_INIT};
    if (read_filter(&g, e) || opening_open(i, NULL, false, &g.o, e))
        return -1;
    int result = print_log(&g, e);
    activity_walk_release(&g.walk);
    free(g.page.line);
    arena_release(&g.page.arena);
    opening_close(&g.o);
    return result;
}

const struct command cmd_log = {
    .name = "log",
    .words = "[QUERY]",
    .about = "list changes: who, when, why",
    .examples = "stemma log --limit 20\n"
                "stemma log 'agent:ash operation:edit after:yesterday'\n"
                "stemma log --follow",
    .details =
        "`stemma help query` explains queries. Oldest first, one per line: when (in UTC, or as "
        "`times` in config.yaml says), who, what, and the memory with its text. An agent is marked "
        "as one, whatever its name; `via` is the name of its session if it used another name. On a "
        "narrow terminal the year goes first, then the date, then the time, and a letter before "
        "the name says who it was: P a person, A an agent, - stemma itself, ? unknown.\n\nWith "
        "--calls the log also shows reads, refusals and failed calls, with the reason first; calls "
        "of an unknown tool are `unknown_tool`, requests of an unknown method `unknown_method`, "
        "and messages that name no method `invalid_message`. A write by putMemory or deleteMemory "
        "is shown once, as its event; with --operation and the tool's name, as the call. Calls are "
        "logged once a second, equal ones as one line with the time of the first: they may be up "
        "to a second out of order, and with --follow come after later changes.\n\nOn a terminal, "
        "lines are cut to its width; in a pipe nothing is cut. --follow ends with Ctrl-C, or with "
        "--until when that time has passed, and fails if the store is removed or replaced. The "
        "exit status is 1 if nothing matches.",
    .options = options,
    .pages = true,
    .run = run_log,
};
