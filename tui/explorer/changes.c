#include "tui/explorer/changes.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "store/platform/platform.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "store/record/waiting.h"
#include "store/session/session.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

#define SAID_MS 3000 /* least time that the answer to a key stays in the status line */

bool changes_is_own(const struct explorer_options *options, const char *person)
{
    return person && options->person && !strcmp(person, options->person);
}

/* Appends a name, cut to a few columns. */
static void add_name(struct ui *ui, const char *name, struct strbuf *out)
{
    unsigned flags = ui->screen.utf8 ? 0 : TEXT_ASCII;
    text_fit(out, name, strlen(name), 24, TEXT_EXACT | flags);
}

/* Appends "you", "claire (person)", "ash (agent, via claude-code)" with the client of its session, or "stemma
 * itself". An agent may use any name, also a person's, so the kind is always shown. */
static void add_who(struct app *x, const struct event *event, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row session = {0};
    struct error e;
    bool person = event->class_name && !strcmp(event->class_name, "person");
    if (person && changes_is_own(x->options, event->actor)) {
        strbuf_addstr(out, "you");
        return;
    }
    add_name(&x->ui, event->author, out);
    if (event_is_automatic(event)) {
        strbuf_addstr(out, " itself");
        return;
    }
    strbuf_addf(out, " (%s", person ? "person" : "agent");
    if (!person && event->session > 0 &&
        !session_read(x->data.reader, &arena, event->session, &session, &e) &&
        strcmp(session_client(&session), event->author) != 0) {
        strbuf_addstr(out, ", via ");
        add_name(&x->ui, session_client(&session), out);
    }
    strbuf_addch(out, ')');
}

void changes_count_agents(struct app *x)
{
    struct error e;
    bool several;
    if (list_several_agents(x->data.reader, &several, &e) == 0)
        x->prefs.agents = several ? 2 : 1;
    list_has_transcripts(x->data.reader, &x->prefs.has_transcripts, &e);
}

void changes_count_waiting(struct app *x)
{
    struct error e;
    int64_t count = waiting_count(x->asof.present, WAITING_MAX, &e);
    x->waiting = count > 0 ? count : 0;
}

static char change_sign(const struct app *x, const struct memory_row *row)
{
    struct error e;
    if (row->node == x->remote.touched)
        return '!';
    if (row->event <= x->unread.seq)
        return ' ';
    return journal_has_before(x->data.reader, row->node, x->unread.seq, &e) == 0 ? '+' : '~';
}

void changes_draw_sign(const struct app *x, const struct pane *row, int column,
                       const struct memory_row *m)
{
    char mark = change_sign(x, m);
    if (mark != ' ')
        paint_format(row, 0, column, 1, STYLE_CHIP, "%c", mark);
}

/* ---- the status line ---- */

/* 'claire added belief:7d10e6a2 "Canary first…"'. Quotes separate stored text from the program's words. */
static void describe(struct app *x, const struct event *event, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
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
}

void changes_add_last(struct app *x, int64_t node, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    struct event *event;
    struct error e;
    size_t count;
    if (!memory_row_read(x->data.reader, &arena, node, &row, &e) &&
        !journal_read(x->data.reader, &arena, row.event - 1, 1, &event, &count, &e) && count)
        describe(x, event, out);
}

/* Whether the answer to the last key has been shown long enough. */
static bool may_speak(const struct ui *ui)
{
    return !ui->status.fresh || monotonic_ms() - ui->status.shown_since > SAID_MS;
}

/* Reports changes, but not while the person types in the status line. The lines and the header show the changes,
 * too. */
static void report_changes(struct app *x, const struct event *last, size_t total,
                           const struct event *touching)
{
    AUTO_STRBUF text = STRBUF_INIT;
    x->remote.reported += total;
    bool expired = !touching && event_is_automatic(last); /* nobody did it */
    if (x->ui.prompt.ops || expired || ui_shows_error(&x->ui) || (!touching && !may_speak(&x->ui)))
        return;
    if (touching)
        strbuf_addstr(&text, "changed under the cursor: ");
    if (touching || x->remote.reported == 1) {
        describe(x, touching ? touching : last, &text);
    } else {
        strbuf_addf(&text, "%zu changes in this store, the last by ", x->remote.reported);
        add_who(x, last, &text);
    }
    ui_message(&x->ui, "%s", text.buf);
    x->ui.status.fresh = false;
}

/* ---- notifying ---- */

/* Notifies the top view. Other views are read again when they become the top. There is at least one event. */
static void notify_views(struct app *x, const struct event *events, size_t count, bool whole)
{
    bool added = whole;
    for (size_t i = 0; i < count; i++)
        added = added || !events[i].before;
    app_changed(x);
    if (added && x->prefs.agents <= 1)
        changes_count_agents(x);
    view_notify(x->nav.top, events, count, whole);
    x->nav.top->notified_to = events[count - 1].seq;
}

/*
 * The last event about the memory under the cursor after `before`, however many events came since; NULL if there is
 * none.
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
    bool changed = found && events->before; /* else the event added it */
    return changed && !pending_is_own(x->options, events) ? events : NULL;
}

/* The last event that changes the line under the cursor without being about its memory, such as a put into its
 * namespace. */
static const struct event *find_line_change(struct app *x, const struct event *events, size_t count)
{
    struct view *v = x->nav.top;
    if (!v->ops->touched || v->cursor == LINE_NONE)
        return NULL;
    for (size_t i = count; i-- > 0;)
        if (!pending_is_own(x->options, &events[i]) && v->ops->touched(v, &events[i]))
            return &events[i];
    return NULL;
}

/* Reports at once that the store cannot be followed. The status line and the header repeat it while it lasts. If
 * `failed`, *e has the reason. */
static void report_lost(struct app *x, bool failed, const struct error *e)
{
    bool known = x->remote.lost.code != ERROR_NONE;
    x->remote.lost.code = ERROR_NONE;
    if (failed)
        x->remote.lost = *e;
    if (failed && !known)
        ui_error(&x->ui, e);
    else if (known && !failed)
        ui_message(&x->ui, "the store is available again");
}

/* While paused or in the past, only counts changes. Advances with every change, so that no frame has to read many at
 * once. */
static void count_changes(struct app *x)
{
    struct error e;
    if (asof_is_past(&x->asof) && reader_begin(x->data.reader, &e) == 0)
        reader_end(x->data.reader);
    int changes = feed_check(x->data.feed, &e);
    report_lost(x, changes < 0, &e);
    int64_t last = changes > 0 ? journal_last(x->asof.present, &e) : -1;
    if (last >= 0)
        x->remote.held_back = (size_t)(last - feed_seq(x->data.feed));
}

size_t changes_held_from(const struct app *x, const struct view *v)
{
    if (v->ops->of_now)
        return 0;
    if (v->ops->held)
        return v->ops->held(v);
    int64_t notified = x->data.feed ? feed_seq(x->data.feed) : 0;
    size_t has = v->read_to > notified ? (size_t)(v->read_to - notified) : 0;
    return x->remote.held_back > has ? x->remote.held_back - has : 0;
}

/* The last event of others, and the number of them. Own changes are reported elsewhere. */
static const struct event *last_foreign(const struct explorer_options *options,
                                        const struct event *events, size_t count, size_t *foreign)
{
    const struct event *last = NULL;
    *foreign = 0;
    for (size_t i = 0; i < count; i++) {
        if (pending_is_own(options, &events[i]))
            continue;
        last = &events[i];
        ++*foreign;
    }
    return last;
}

/* Skips to the last event and reads it. Returns false if there is none. */
static bool skip_to_last(struct data *data, struct arena *arena, struct event **events,
                         size_t *count)
{
    struct error e;
    struct event *rest;
    size_t rest_count;
    int64_t last = journal_last(data->reader, &e);
    if (last <= feed_seq(data->feed))
        return false;
    feed_skip(data->feed, last - 1);
    if (feed_next(data->feed, arena, 1, &rest, &rest_count, &e) || rest_count == 0)
        return false;
    *events = rest;
    *count = rest_count;
    return true;
}

/* Sessions and calls are not events. While changes are held back, only views of the present are notified, the others
 * afterwards. */
static void notify_store_changed(struct app *x, bool held)
{
    const struct view_ops *ops = x->nav.top->ops;
    bool changed = feed_changes(x->data.feed) != x->remote.changes_notified;
    if (changed)
        live_store_changed(x);
    x->remote.changes_notified = feed_changes(x->data.feed);
    bool counts = x->remote.paused && ops->held;
    bool tells = held ? changed && (ops->of_now || counts) : changed || x->remote.stir_held;
    x->remote.stir_held = held && (changed || x->remote.stir_held);
    if (tells && ops->store_changed)
        ops->store_changed(x->nav.top);
}

void app_notify_changes(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events = NULL;
    struct error e;
    size_t count = 0;
    if (!x->data.feed)
        return;
    if (x->remote.paused || asof_is_past(&x->asof)) {
        count_changes(x);
        notify_store_changed(x, true);
        return;
    }
    int64_t before = feed_seq(x->data.feed);
    report_lost(x, feed_next(x->data.feed, &arena, CHANGES_MAX, &events, &count, &e) != 0, &e);
    if (events && count > 0) {
        bool whole = count == CHANGES_MAX && skip_to_last(&x->data, &arena, &events, &count);
        /* Do this before notifying the views: a cursor that follows may move. */
        const struct event *touching = find_touching(x, &arena, before);
        const struct event *line_change = touching ? NULL : find_line_change(x, events, count);
        if (touching)
            x->remote.touched = touching->subject;
        if (line_change)
            x->remote.touched = view_line_id(x->nav.top, x->nav.top->cursor);
        size_t foreign, all = (size_t)(feed_seq(x->data.feed) - before);
        const struct event *last = last_foreign(x->options, events, count, &foreign);
        if (last)
            report_changes(x, last, whole ? all : foreign, touching ? touching : line_change);
        notify_views(x, events, count, whole);
        alerts_changed(x);
    }
    notify_store_changed(x, false);
    x->remote.held_back = 0;
}

#define FILE_LONGEST 64

char *visit_path(const char *folder, const char *store)
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
    strbuf_addf(&path, "%s%s/stemma/%s/%.16s", own ? state : home, own ? "" : "/.local/state",
                folder, hex);
    return strbuf_detach(&path, NULL);
}

/* The time of an event; -1 if it does not exist. */
static int64_t time_of(struct reader *r, int64_t seq)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    struct error e;
    size_t count;
    int64_t at = -1;
    if (seq > 0 && !journal_read(r, &arena, seq - 1, 1, &events, &count, &e) && count == 1 &&
        events->seq == seq)
        at = events->at;
    return at;
}

/* Parses exactly "SEQ AT CALL". */
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

bool file_replace(const char *path, const char *text)
{
    AUTO_STRBUF temporary = STRBUF_INIT;
    strbuf_addf(&temporary, "%s.%ld", path, (long)getpid());
    bool whole = write_file(temporary.buf, text) && !rename(temporary.buf, path);
    if (!whole)
        unlink(temporary.buf);
    return whole;
}

void visit_write(struct reader *r, const char *path, int64_t seq, int64_t call)
{
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
    file_replace(path, text);
}

struct new_filter new_filter_of(const struct view *v)
{
    return (struct new_filter){.only = v->only_new, .after = v->app->unread.seq};
}

struct finding {
    struct new_filter *filter;
    const atomic_bool *cancelled;
};

static int take(void *arg, int64_t node)
{
    struct finding *finding = arg;
    row_set_add(&finding->filter->written, node);
    return atomic_load(finding->cancelled);
}

int new_filter_read(struct new_filter *s, struct reader *r, const atomic_bool *cancelled,
                    struct error *e)
{
    struct finding finding = {s, cancelled};
    return s->only ? journal_changed(r, s->after, take, &finding, e) : 0;
}

bool new_filter_wants(const struct new_filter *s, int64_t node)
{
    return !s->only || row_set_has(&s->written, node);
}

void new_filter_release(struct new_filter *s)
{
    row_set_release(&s->written);
}
