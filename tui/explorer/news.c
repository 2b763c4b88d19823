#include "tui/explorer/news.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/entries/sweeper.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "store/platform/platform.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "store/session/session.h"
#include "tui/cli/opening.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

#define SAID_MS 3000 /* what a key was answered stands at least so long */

bool news_is_own(const struct app *x, const char *person)
{
    return person && x->options->person && !strcmp(person, x->options->person);
}

/* The name, which may be anything, in few columns. */
static void add_name(struct app *x, const char *name, struct strbuf *out)
{
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    text_fit(out, name, strlen(name), 24, TEXT_EXACT | flags);
}

/* An agent may go by any name, a person's as well: what it was is said with it. Appends "you", "claire (person)",
 * "ash (agent, via claude-code)", the client of its session, or "stemma itself". */
static void add_who(struct app *x, const struct event *event, struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    struct session_row session = {0};
    struct error e;
    bool person = event->class_name && !strcmp(event->class_name, "person");
    if (person && news_is_own(x, event->actor)) {
        strbuf_addstr(out, "you");
        return;
    }
    add_name(x, person && event->actor ? event->actor : event_author(event), out);
    if (event_is_automatic(event)) {
        strbuf_addstr(out, " itself");
        return;
    }
    strbuf_addf(out, " (%s", person ? "person" : "agent");
    if (!person && event->session > 0 &&
        !session_read(x->data.reader, &arena, event->session, &session, &e) &&
        strcmp(session_client(&session), event_author(event)) != 0) {
        strbuf_addstr(out, ", via ");
        add_name(x, session_client(&session), out);
    }
    strbuf_addch(out, ')');
    arena_release(&arena);
}

void news_count_agents(struct app *x)
{
    struct error e;
    bool several;
    if (list_several_agents(x->data.reader, &several, &e) == 0)
        x->prefs.agents = several ? 2 : 1;
}

static char news_mark(const struct app *x, const struct memory_row *row)
{
    struct error e;
    if (row->node == x->remote.touched)
        return '!';
    if (row->event <= x->unread.seq)
        return ' ';
    return journal_has_before(x->data.reader, row->node, x->unread.seq, &e) == 0 ? '+' : '~';
}

void news_draw(const struct app *x, const struct pane *row, int column, const struct memory_row *m)
{
    char mark = news_mark(x, m);
    if (mark != ' ')
        paint_format(row, 0, column, 1, STYLE_CHIP, "%c", mark);
}

/* ---- the status line ---- */

/* 'claire added belief:7d10e6a2 "Canary first…"': names cannot be taken for words of ours. */
static void describe(struct app *x, const struct event *event, struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    add_who(x, event, out);
    strbuf_addf(out, " %s", event_verb(event->operation));
    if (event->subject > 0 && !memory_row_read(x->data.reader, &arena, event->subject, &row, &e)) {
        strbuf_addch(out, ' ');
        details_ref(x, &row, out);
        if (row.text)
            strbuf_addf(out, " \"%s\"", row.text);
    }
    if (event_is_response(event))
        event_add_sources(cite_counted(x->data.reader, event, &e), out);
    else if (event->about > 0)
        strbuf_addf(out, " session %lld", (long long)event->about);
    arena_release(&arena);
}

void news_add_last(struct app *x, int64_t node, struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct event *event;
    struct error e;
    size_t count;
    if (!memory_row_read(x->data.reader, &arena, node, &row, &e) &&
        !journal_read(x->data.reader, &arena, row.event - 1, 1, &event, &count, &e) && count)
        describe(x, event, out);
    arena_release(&arena);
}

/* Where a key has just said something, that stands for a while. */
static bool may_speak(const struct app *x)
{
    return !x->ui.status.fresh || monotonic_ms() - x->ui.status.said_at > SAID_MS;
}

/* Who types has the row for that: the lines and the header tell of what lands meanwhile. */
static void say(struct app *x, const struct event *last, size_t total, const struct event *touching)
{
    struct strbuf text = STRBUF_INIT;
    x->remote.told += total;
    if (x->ui.prompt.ops || (!touching && !may_speak(x)))
        return;
    if (touching)
        strbuf_addstr(&text, "changed under the cursor: ");
    if (touching || x->remote.told == 1) {
        describe(x, touching ? touching : last, &text);
    } else {
        strbuf_addf(&text, "%zu changes, the last by ", x->remote.told);
        add_who(x, last, &text);
    }
    app_message(x, "%s", text.buf);
    x->ui.status.fresh = false;
    strbuf_release(&text);
}

/* ---- telling ---- */

/* The view on top hears of it; what is not seen is read again when it is. There is an event at least. */
static void tell_views(struct app *x, const struct event *events, size_t count, bool whole)
{
    bool added = whole;
    for (size_t i = 0; i < count; i++)
        added = added || !events[i].before;
    app_changed(x);
    if (added && x->prefs.agents <= 1)
        news_count_agents(x);
    view_news(x->nav.top, events, count, whole);
    x->nav.top->heard = events[count - 1].seq;
}

/*
 * The last event about the memory that is looked at, if it came after `before`: its row says so, however
 * many events came between. NULL: there is none.
 */
static const struct event *find_touching(struct app *x, struct arena *arena, int64_t before)
{
    struct memory_row row;
    struct event *events = NULL;
    struct error e;
    size_t count;
    int64_t node = view_node(x->nav.top);
    if (node <= 0)
        node = view_about(x->nav.top);
    if (node <= 0 || memory_row_read(x->data.reader, arena, node, &row, &e) || row.event <= before)
        return NULL;
    bool found =
        !journal_read(x->data.reader, arena, row.event - 1, 1, &events, &count, &e) && count;
    bool changed = found && events->before; /* else it was made */
    return changed && !pending_is_own(x, events) ? events : NULL;
}

/* The last one that changes what the line under the cursor says, about whatever it is: a put into its namespace. */
static const struct event *find_told(struct app *x, const struct event *events, size_t count)
{
    struct view *v = x->nav.top;
    if (!v->ops->touched || v->selected == LINE_NONE)
        return NULL;
    for (size_t i = count; i-- > 0;)
        if (!pending_is_own(x, &events[i]) && v->ops->touched(v, &events[i]))
            return &events[i];
    return NULL;
}

/* That nothing is heard of the store is said at once, and by app_rest and in the header for as long as it is so.
 * `failed` with `e`. */
static void report_lost(struct app *x, bool failed, const struct error *e)
{
    bool known = x->remote.lost.code != ERROR_NONE;
    x->remote.lost.code = ERROR_NONE;
    if (failed)
        x->remote.lost = *e;
    if (failed && !known)
        app_fail(x, e);
    else if (known && !failed)
        app_message(x, "the store is there again");
}

/* While paused, or in the past: only how many there are. A reader of the past hears of them as they come, so
 * that no frame has to wait for many. */
static void count_news(struct app *x)
{
    struct error e;
    if (asof_is_past(x) && reader_begin(x->data.reader, &e) == 0)
        reader_end(x->data.reader);
    int news = feed_check(x->data.feed, &e);
    report_lost(x, news < 0, &e);
    int64_t last = news > 0 ? journal_last(x->asof.present, &e) : -1;
    if (last >= 0)
        x->remote.held_back = (size_t)(last - feed_seq(x->data.feed));
}

size_t news_held_from(const struct app *x, const struct view *v)
{
    if (v->ops->of_now)
        return 0;
    int64_t told = x->data.feed ? feed_seq(x->data.feed) : 0;
    size_t has = v->read_to > told ? (size_t)(v->read_to - told) : 0;
    return x->remote.held_back > has ? x->remote.held_back - has : 0;
}

/* The last event that another made, and how many of them there are; what was done here is said
 * otherwise. */
static const struct event *last_foreign(struct app *x, const struct event *events, size_t count,
                                        size_t *foreign)
{
    const struct event *last = NULL;
    *foreign = 0;
    for (size_t i = 0; i < count; i++) {
        if (pending_is_own(x, &events[i]))
            continue;
        last = &events[i];
        ++*foreign;
    }
    return last;
}

/* Passes over what is left but for the last of it. False where nothing is left. */
static bool pass_over(struct app *x, struct arena *arena, struct event **events, size_t *count)
{
    struct error e;
    struct event *rest;
    size_t rest_count;
    int64_t last = journal_last(x->data.reader, &e);
    if (last <= feed_seq(x->data.feed))
        return false;
    feed_skip(x->data.feed, last - 1);
    if (feed_next(x->data.feed, arena, 1, &rest, &rest_count, &e) || rest_count == 0)
        return false;
    *events = rest;
    *count = rest_count;
    return true;
}

/* Sessions and their calls are no events. Where what is shown is held, only what is so now hears of them, and the other
 * views once it is not. */
static void stir(struct app *x, bool held)
{
    const struct view_ops *ops = x->nav.top->ops;
    bool changed = feed_changes(x->data.feed) != x->remote.changes_told;
    if (changed)
        live_stir(x);
    x->remote.changes_told = feed_changes(x->data.feed);
    bool tells = held ? changed && ops->of_now : changed || x->remote.stir_held;
    x->remote.stir_held = held && (changed || x->remote.stir_held);
    if (tells && ops->stirred)
        ops->stirred(x->nav.top);
}

void app_news(struct app *x)
{
    struct arena arena = ARENA_INIT;
    struct event *events = NULL;
    struct error e;
    size_t count = 0;
    if (!x->data.feed)
        return;
    if (x->remote.paused || asof_is_past(x)) {
        count_news(x);
        stir(x, true);
        return;
    }
    int64_t before = feed_seq(x->data.feed);
    report_lost(x, feed_next(x->data.feed, &arena, NEWS_MOST, &events, &count, &e) != 0, &e);
    if (events && count > 0) {
        bool whole = count == NEWS_MOST && pass_over(x, &arena, &events, &count);
        /* Before the views hear of it, for a cursor that follows goes elsewhere. */
        const struct event *touching = find_touching(x, &arena, before);
        const struct event *told = touching ? NULL : find_told(x, events, count);
        if (touching)
            x->remote.touched = touching->subject;
        if (told)
            x->remote.touched = view_line_id(x->nav.top, x->nav.top->selected);
        size_t foreign, all = (size_t)(feed_seq(x->data.feed) - before);
        const struct event *last = last_foreign(x, events, count, &foreign);
        if (last)
            say(x, last, whole ? all : foreign, touching ? touching : told);
        tell_views(x, events, count, whole);
    }
    stir(x, false);
    x->remote.held_back = 0;
    arena_release(&arena);
}

#define FILE_LONGEST 64

char *visit_path(const char *store)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char whole[PATH_MAX], hex[2 * DIGEST_SIZE + 1];
    struct strbuf path = STRBUF_INIT;
    struct digest digest;
    bool own = state && *state == '/';
    if ((!own && (!home || *home != '/')) || !realpath(store, whole))
        return NULL;
    digest_bytes(&digest, whole, strlen(whole));
    digest_hex(hex, &digest);
    strbuf_addf(&path, "%s%s/stemma/visits/%.16s", own ? state : home, own ? "" : "/.local/state",
                hex);
    return strbuf_detach(&path, NULL);
}

/* The time of that event; -1: there is none. */
static int64_t time_of(struct reader *r, int64_t seq)
{
    struct arena arena = ARENA_INIT;
    struct event *events;
    struct error e;
    size_t count;
    int64_t at = -1;
    if (seq > 0 && !journal_read(r, &arena, seq - 1, 1, &events, &count, &e) && count == 1 &&
        events->seq == seq)
        at = events->at;
    arena_release(&arena);
    return at;
}

/* "SEQ AT CALL", and nothing else. */
static bool parse(const char *text, struct visit *out)
{
    long long seq = -1, at = 0, call = -1;
    int end = 0;
    bool read = sscanf(text, "%lld %lld %lld%n", &seq, &at, &call, &end) == 3;
    *out = (struct visit){.seq = seq, .at = at, .call = call};
    return read && !strcmp(text + end, "\n") && seq >= 0 && call >= 0;
}

bool visit_read(struct reader *r, const char *path, struct visit *out)
{
    char text[FILE_LONGEST] = "";
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    if (fd < 0)
        return false;
    struct stat st;
    ssize_t len = fstat(fd, &st) ? -1 : read(fd, text, sizeof(text) - 1);
    close(fd);
    if (len <= 0 || !parse(text, out) || time_of(r, out->seq) != out->at)
        return false;
    out->left_at = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    return true;
}

static bool write_file(const char *path, const char *text)
{
    struct error e;
    if (store_make_folders(path, &e))
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool whole = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && whole;
}

void visit_write(struct reader *r, const char *path, int64_t seq, int64_t call)
{
    struct strbuf temporary = STRBUF_INIT;
    struct visit was;
    char text[FILE_LONGEST];
    if (path && visit_read(r, path, &was)) {
        seq = was.seq > seq ? was.seq : seq;
        call = was.call > call ? was.call : call;
    }
    int64_t at = time_of(r, seq);
    if (!path || call == VISIT_CALL_UNKNOWN || (seq > 0 && at < 0))
        return;
    snprintf(text, sizeof(text), "%lld %lld %lld\n", (long long)seq, (long long)at,
             (long long)call);
    strbuf_addf(&temporary, "%s.%ld", path, (long)getpid());
    if (!write_file(temporary.buf, text) || rename(temporary.buf, path))
        unlink(temporary.buf);
    strbuf_release(&temporary);
}

struct since since_of(const struct view *v)
{
    return (struct since){.only = v->only_new, .after = v->app->unread.seq};
}

struct finding {
    struct since *since;
    const atomic_bool *cancelled;
};

static int take(void *arg, int64_t node)
{
    struct finding *finding = arg;
    marks_set(&finding->since->written, node, true);
    return atomic_load(finding->cancelled);
}

int since_read(struct since *s, struct reader *r, const atomic_bool *cancelled, struct error *e)
{
    struct finding finding = {s, cancelled};
    return s->only ? journal_changed(r, s->after, take, &finding, e) : 0;
}

bool since_wants(const struct since *s, int64_t node)
{
    return !s->only || marks_has(&s->written, node);
}

void since_release(struct since *s)
{
    marks_release(&s->written);
}
