#include "tui/view/events/activity_list.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/difference.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/session/session.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/rules.h"
#include "tui/render/difference_page.h"
#include "tui/render/facts.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"
#include "tui/text/times.h"
#include "tui/view/events/event_views.h"
#include "tui/widget/page_view.h"

/*
 * The data of an activity's page: the event or calls, the session, the memory, what changed, the rest of its batch,
 * and what happened to it later. The worker reads it; the view that requested it owns it.
 */

#define EVENT_OTHERS 3 /* events of a batch that are listed */

struct event_facts {
    struct arena arena;
    int64_t id;
    bool call;                    /* from the call log, else from the journal */
    const struct event *event;    /* NULL for calls */
    const struct call_row *calls; /* NULL for an event */
    struct call_retries retries;  /* of failed calls */
    struct memory_row row;        /* node 0 for none */
    size_t short_length;
    struct session_row session; /* the session that did it; id 0 for none */
    struct session_row about;   /* the session that a person decided about; id 0 for none */
    int64_t together;           /* events of its batch; 0 if it is alone */
    struct event *others;       /* [other_count] newest other events of the batch */
    size_t other_count;
    struct event *undone_by; /* NULL if it was not undone */
    int64_t purged_by;       /* the purge that erased its data, possibly this event; 0 for none */
    int64_t damaged_by; /* the damaged event that hides its data, possibly this one; 0 for none */
    struct difference *difference;
    size_t difference_count;
};

/* Takes the requested revision. Its states are valid only during this call. */
static int take_revision(void *arg, const struct revision *revision)
{
    struct event_facts *f = arg;
    if (revision->event.seq > f->id)
        return 0;
    if (revision->event.seq < f->id)
        return 1;
    f->purged_by = revision->purged_by;
    f->damaged_by = revision->damaged_by;
    if (f->purged_by || f->damaged_by)
        return 1;
    memory_difference(revision->before, revision->after, &f->arena, &f->difference,
                      &f->difference_count);
    return 1;
}

static int read_batch(struct event_facts *f, struct reader *r, struct error *e)
{
    struct event_filter filter = EVENT_FILTER_ALL;
    struct event *events;
    size_t count;
    if (!f->event->correlation)
        return 0;
    filter.correlation = f->event->correlation;
    filter.newest_first = true;
    f->together = journal_count_correlation(r, f->event->correlation, e);
    if (f->together < 0 ||
        journal_select(r, &f->arena, &filter, 0, EVENT_OTHERS + 1, &events, &count, e))
        return -1;
    f->others = events;
    for (size_t i = 0; i < count; i++)
        if (events[i].seq != f->id && f->other_count < EVENT_OTHERS)
            f->others[f->other_count++] = events[i];
    return 0;
}

static int read_undone(struct event_facts *f, struct reader *r, struct error *e)
{
    size_t count;
    int64_t by = history_undone_by(r, f->id, e);
    if (by <= 0)
        return by < 0 ? -1 : 0;
    if (journal_read(r, &f->arena, by - 1, 1, &f->undone_by, &count, e))
        return -1;
    f->undone_by = count ? f->undone_by : NULL;
    return 0;
}

static int not_found(const struct event_facts *f, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "", "there is no %s %lld",
                     f->call ? "row of calls" : "event", (long long)f->id);
}

static int read_event(struct event_facts *f, struct reader *r, struct error *e)
{
    struct event *event;
    size_t count;
    if (journal_read(r, &f->arena, f->id - 1, 1, &event, &count, e))
        return -1;
    if (count == 0 || event->seq != f->id)
        return not_found(f, e);
    f->event = event;
    if (event->subject > 0 && history_walk(r, event->subject, take_revision, f, e))
        return -1;
    return read_batch(f, r, e) || read_undone(f, r, e) ? -1 : 0;
}

static int read_calls(struct event_facts *f, struct reader *r, struct error *e)
{
    struct call_row *calls;
    size_t count;
    if (call_list(r, &f->arena, f->id - 1, 1, &calls, &count, e))
        return -1;
    if (count == 0 || calls->id != f->id)
        return not_found(f, e);
    const char **const words[] = {&calls->guard.namespace_, &calls->guard.agent, &calls->guard.task,
                                  &calls->arguments, &calls->error};
    guard_mask_texts(r, &f->arena, words, sizeof(words) / sizeof(words[0]));
    f->calls = calls;
    return call_retries_read(r, f->id, &f->retries, e);
}

/* Reads related data; what does not exist is left out. */
static void read_around(struct event_facts *f, struct reader *r)
{
    struct error e;
    int64_t node = f->event ? f->event->subject : f->calls->subject;
    if (node > 0 && memory_row_read(r, &f->arena, node, &f->row, &e))
        f->row.node = 0;
    if (f->row.node > 0)
        f->short_length = ref_short_length(r, f->row.ref);
    session_read_shown(r, &f->arena, f->event ? f->event->session : f->calls->session, &f->session);
    session_read_shown(r, &f->arena, f->event ? f->event->about : 0, &f->about);
}

/* Masks actor, subject and reason of an event. */
static void mask_words(struct event_facts *f, struct reader *r, struct event *event)
{
    const char **const words[] = {&event->author,  &event->actor,  &event->agent,
                                  &event->claimed, &event->reason, &event->correlation};
    guard_mask_texts(r, &f->arena, words, sizeof(words) / sizeof(words[0]));
    event->ref = guard_mask_ref(r, &f->arena, event->ref);
}

static void mask_event(struct event_facts *f, struct reader *r)
{
    const struct guard_rules *rules = reader_masked(r);
    struct event *event = f->event ? arena_memdup(&f->arena, f->event, sizeof(*event)) : NULL;
    for (size_t i = 0; i < f->difference_count; i++) {
        struct difference *d = &f->difference[i];
        bool value = !strcmp(d->field, "detail.value"); /* its keys may make it secret */
        d->before = value && d->before ? "(masked)" : guard_mask_text(rules, &f->arena, d->before);
        d->after = value && d->after ? "(masked)" : guard_mask_text(rules, &f->arena, d->after);
    }
    for (size_t i = 0; i < f->other_count; i++)
        mask_words(f, r, &f->others[i]);
    if (event) {
        mask_words(f, r, event);
        event->patch = NULL;
    }
    f->event = event;
}

static void free_facts(void *facts)
{
    arena_release(&((struct event_facts *)facts)->arena);
    free(facts);
}

/* O(later events of its memory). */
static void *read_facts(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct event_facts *f = xcalloc(1, sizeof(*f));
    f->id = key->id;
    f->call = key->other > 0;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = f->call ? read_calls(f, r, e) : read_event(f, r, e);
        if (!failed)
            read_around(f, r);
        if (!failed && reader_masked(r))
            mask_event(f, r);
        reader_end(r);
    }
    if (!failed)
        return f;
    free_facts(f);
    return NULL;
}

/* Layout of an activity's page. */

#define FIELD 11 /* column of values, after their names */
#define WHY   40 /* most lines of a reason */

struct laying {
    struct app *app;
    struct page *page;
    const struct event_facts *facts;
};

static void put(struct laying *l, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    page_line(l->page);
    page_put(l->page, 1, FIELD - 2, STYLE_FIELD, name);
    page_wrap(l->page, FIELD, l->page->width - FIELD - 1, STYLE_TEXT, value, WHY, true);
}

/* Adds a name exactly: a line break in it is visible. */
static void add_name(struct strbuf *out, const char *name)
{
    text_add(out, name, TEXT_EXACT);
}

/* "12: claude-code 2.1.4, uid 1000 pid 4711" */
static void add_session(const struct session_row *s, struct strbuf *out)
{
    AUTO_STRBUF name = STRBUF_INIT;
    char peer[SESSION_PEER_SIZE];
    session_name(s, &name);
    strbuf_addf(out, "%lld: ", (long long)s->id);
    add_name(out, name.buf);
    session_peer(peer, sizeof(peer), s);
    strbuf_addf(out, "%s%s", *peer ? ", " : "", peer);
}

static void put_who(struct laying *l)
{
    const struct event *e = l->facts->event;
    AUTO_STRBUF who = STRBUF_INIT;
    const struct session_row *session = &l->facts->session;
    const struct call_row *calls = l->facts->calls;
    const char *of_call = calls ? calls->guard.agent : NULL;
    const char *actor = e ? e->actor : session->actor, *agent = e ? e->agent : NULL;
    const char *claimed = e ? e->claimed : of_call ? of_call : session_claimed(session);
    add_name(&who, actor ? actor : "someone");
    bool person = e && e->class_name && !strcmp(e->class_name, "person");
    bool nobody = e && event_is_automatic(e);
    strbuf_addstr(&who, nobody ? " itself" : person ? ", a person" : ", an agent");
    if (agent && (!actor || strcmp(agent, actor) != 0)) {
        strbuf_addstr(&who, " for ");
        add_name(&who, agent);
    }
    if (claimed) {
        strbuf_addstr(&who, " that claims to be ");
        add_name(&who, claimed);
    }
    if (e && e->origin && !nobody) {
        strbuf_addstr(&who, ", through ");
        add_name(&who, e->origin);
    }
    if (session->id > 0) {
        strbuf_addstr(&who, ", session ");
        add_session(session, &who);
    }
    put(l, "actor", who.buf);
}

static void put_about(struct laying *l)
{
    const struct session_row *about = &l->facts->about;
    AUTO_STRBUF text = STRBUF_INIT;
    if (about->id > 0) {
        add_session(about, &text);
        put(l, "session", text.buf);
    }
}

static void put_memory(struct laying *l)
{
    const struct memory_row *row = &l->facts->row;
    AUTO_STRBUF ref = STRBUF_INIT;
    const char *text = row->text ? row->text : "";
    if (row->node <= 0)
        return;
    page_opens(l->page, row->node);
    facts_ref(row, l->facts->short_length, &ref);
    AUTO_STRBUF clean = STRBUF_INIT;
    add_name(&clean, ref.buf);
    int width = (int)text_width(clean.buf, clean.len, 40, 0);
    page_put(l->page, 1, FIELD - 2, STYLE_FIELD, "memory");
    page_put(l->page, FIELD, 40, STYLE_REF, clean.buf);
    if (row->status != STATUS_ACTIVE)
        page_format(l->page, FIELD + width + 2, 0, STYLE_DIM, *text ? "%s %s %s" : "%s",
                    status_word(row->status), glyph_text(&l->app->ui.screen, GLYPH_DOT), text);
    else
        page_put(l->page, FIELD + width + 2, 0, STYLE_TEXT, row->text);
}

static void put_batch(struct laying *l)
{
    const struct event_facts *f = l->facts;
    AUTO_STRBUF text = STRBUF_INIT;
    if (f->together <= 1)
        return;
    strbuf_addf(&text, "one of %lld changes made together: ", (long long)f->together);
    add_name(&text, f->event->correlation);
    for (size_t i = 0; i < f->other_count; i++) {
        const struct event *e = &f->others[i];
        strbuf_addf(&text, "\nevent %lld %s ", (long long)e->seq, event_verb(e->operation));
        if (e->ref.id) {
            strbuf_addf(&text, "%s:", kind_name(e->ref.kind));
            add_name(&text, e->ref.id);
        }
    }
    if (f->together - 1 > (int64_t)f->other_count)
        strbuf_addf(&text, "\nand %lld more",
                    (long long)(f->together - 1) - (long long)f->other_count);
    put(l, "together", text.buf);
}

static void put_undone(struct laying *l)
{
    const struct event_facts *f = l->facts;
    AUTO_STRBUF text = STRBUF_INIT;
    char when[40];
    if (f->undone_by) {
        times_format(when, sizeof(when), f->undone_by->at);
        strbuf_addf(&text, "by event %lld, %s, ", (long long)f->undone_by->seq, when);
        add_name(&text, f->undone_by->author);
        put(l, "undone", text.buf);
    }
    strbuf_clear(&text);
    if (f->event->undoes > 0) {
        strbuf_addf(&text, "event %lld", (long long)f->event->undoes);
        put(l, "undoes", text.buf);
    }
}

static void put_changes(struct laying *l)
{
    const struct event_facts *f = l->facts;
    if (f->event->subject <= 0)
        return;
    page_line(l->page);
    if (f->purged_by)
        put(l, "changed",
            f->purged_by == f->id ? "its earlier state is not kept"
                                  : "purged since: its earlier state is not kept");
    else if (f->damaged_by)
        put(l, "changed",
            f->damaged_by == f->id ? "damaged: it does not say what was before it. Run stemma fsck"
                                   : "not known: a later event is damaged. Run stemma fsck");
    else if (f->difference_count == 0)
        put(l, "changed", "nothing was kept");
    difference_page(l->page, f->difference, f->difference_count, !l->app->ui.screen.utf8);
}

static void add_took(struct strbuf *out, const char *what, int64_t us, size_t count)
{
    if (us > 0)
        strbuf_addf(out, "%s%s %.3f ms", out->len ? ", " : "", what,
                    (double)us / 1000 / (double)(count ? count : 1));
}

/* Adds what the guard recorded of a call; older calls have nothing. */
static void put_guard(struct laying *l, const struct call_row *c)
{
    const struct call_guard *g = &c->guard;
    AUTO_STRBUF text = STRBUF_INIT;
    char masked[64];
    put(l, "namespace", g->namespace_);
    put(l, "task", g->task);
    put(l, "trace", g->traceparent);
    snprintf(masked, sizeof(masked), "%lld of personal data", (long long)g->redactions);
    if (g->redactions > 0)
        put(l, "masked", masked);
    add_took(&text, "permission", g->spans.permission_us, c->count);
    add_took(&text, "personal data", g->spans.pii_us, c->count);
    add_took(&text, "store", g->spans.store_us, c->count);
    if (text.len && c->count > 1)
        strbuf_addstr(&text, ", on average");
    put(l, "took", text.buf);
}

#define FAILURE_LINES 500

static void put_long(struct laying *l, const char *name, const char *value)
{
    page_line(l->page);
    page_put(l->page, 1, FIELD - 2, STYLE_FIELD, name);
    page_wrap(l->page, FIELD, l->page->width - FIELD - 1, STYLE_TEXT, value, FAILURE_LINES, true);
}

/* JSON, a line for each member if it is whole. Of an error the member that tells it, without the code, which a line
 * above names. */
static void put_members(struct laying *l, const char *name, const char *json)
{
    AUTO_STRBUF lines = STRBUF_INIT;
    struct error e;
    struct json_slice all = {json, strlen(json)};
    if (json_check(all.ptr, all.len, JSON_DEPTH_MAX, &e))
        all.len = 0;
    struct json_slice error = all.len ? json_member(all.ptr, all.len, "error") : all;
    bool told = json_count(error) > 0 && error.ptr != json;
    for (struct json_each it = json_each(told ? error : all); json_next(&it);) {
        if (told && it.key.len == 4 && !memcmp(it.key.ptr, "code", 4))
            continue;
        strbuf_addf(&lines, "%s%.*s: ", lines.len ? "\n" : "", (int)it.key.len, it.key.ptr);
        strbuf_add(&lines, it.value.ptr, it.value.len);
    }
    put_long(l, name, lines.len ? lines.buf : json);
}

/* "3 more failed with these arguments, from 2026-02-01 10:00:00 to 2026-02-01 10:02:00" */
static void put_retries(struct laying *l)
{
    const struct call_retries *again = &l->facts->retries;
    char first[40], last[40], text[160];
    times_format(first, sizeof(first), again->first);
    times_format(last, sizeof(last), again->last);
    snprintf(text, sizeof(text), "%zu more failed with these arguments, %s%s%s%s", again->count,
             again->count > 1 ? "from " : "", first, again->count > 1 ? " to " : "",
             again->count > 1 ? last : "");
    put(l, "retries", again->count ? text : "none with these arguments");
}

/* What a failed call was given, and what the agent was told. */
static void put_failure(struct laying *l, const struct call_row *c, const struct activity *a)
{
    char why[120];
    snprintf(why, sizeof(why), "not kept: only those of the newest %d failed calls, until a purge",
             FAILURES_KEPT);
    if (c->error)
        put_members(l, "error", c->error);
    if (c->arguments) {
        put_members(l, "arguments", c->arguments);
        put_retries(l);
    } else if (a->outcome == ERROR_PII)
        put(l, "arguments", "not kept: they were refused for personal data");
    else
        put(l, "arguments", c->error ? "none" : why);
}

static void put_calls(struct laying *l, const struct activity *a)
{
    char first[40], last[40], text[128];
    int64_t from = a->at;
    const struct call_row *c = l->facts->calls;
    for (size_t i = 0; i < c->count; i++)
        if (c->outcome[i] == a->outcome && c->at[i] < from)
            from = c->at[i];
    put(l, "tool", c->tool);
    times_format(first, sizeof(first), from);
    times_format(last, sizeof(last), a->at);
    if (a->count > 1)
        snprintf(text, sizeof(text), "%u times, from %s to %s", a->count, first, last);
    else
        snprintf(text, sizeof(text), "once, %s", first);
    put(l, "called", text);
    put(l, activity_action(a), activity_error(a));
    put_guard(l, c);
    if (a->type == ACTIVITY_REFUSAL)
        put_failure(l, c, a);
}

/* Lays out the page on an empty page. For calls, only those that match `h` are shown. */
static void event_page(struct app *x, struct page *s, int width, const struct event_facts *f,
                       const struct activity *a)
{
    struct laying l = {x, s, f};
    page_clear(s, width);
    put_who(&l);
    put_memory(&l);
    put_about(&l);
    if (f->call) {
        put_calls(&l, a);
        return;
    }
    put(&l, "why", f->event->reason);
    put_undone(&l);
    put_batch(&l);
    put_changes(&l);
}

/* The title of the page: "event 1234 · edited", "calls · read". */
static void add_title(struct ui *ui, const struct activity *a, struct strbuf *out)
{
    const char *dot = glyph_text(&ui->screen, GLYPH_DOT);
    if (a->type == ACTIVITY_WRITE)
        strbuf_addf(out, "event %lld %s %s", (long long)a->id, dot, activity_action(a));
    else
        strbuf_addf(out, "call%s %s %s", a->count == 1 ? "" : "s", dot, activity_action(a));
}

static void lay(struct panel *p, const struct page_options *options)
{
    struct event_preview *of = (struct event_preview *)p;
    event_page(p->ui->app, &p->page, options->width, p->facts, of->activity);
}

void event_preview_init(struct event_preview *p, struct ui *ui)
{
    static const struct panel_ops ops = {.job = "reading an event",
                                         .shows_error = true,
                                         .read = read_facts,
                                         .free = free_facts,
                                         .lay = lay};
    panel_init(&p->panel, &ops, ui);
}

void event_preview_draw(struct event_preview *p, const struct pane *pane, const struct activity *a)
{
    AUTO_STRBUF title = STRBUF_INIT;
    char when[40];
    if (pane->height < 1 || pane->width < 1)
        return;
    if (!a) {
        paint_rule(pane, 0, "", "");
        return;
    }
    p->activity = a;
    /* Calls of one row with other outcomes have their own page. */
    panel_set_subject(&p->panel,
                      (struct panel_key){.id = a->id,
                                         .other = a->type == ACTIVITY_WRITE ? 0 : 1 + a->outcome,
                                         .how = rules_mask_is_on(p->panel.ui->data)});
    add_title(&p->panel.ui->app->ui, a, &title);
    times_format(when, sizeof(when), a->at);
    bool known = panel_is_known(&p->panel);
    if (known)
        panel_draw(&p->panel, pane, 0, title.buf, when);
    else
        paint_rule(pane, 0, title.buf, when);
    if (!known && p->panel.error.code)
        paint_text(pane, 1, 1, pane->width - 2, STYLE_ERROR, p->panel.error.what);
}

/* ---- the view of failed calls ---- */

struct failure_view {
    struct page_view page;
    struct activity *activity; /* without its strings */
};

static struct failure_view *failure_of(struct view *v)
{
    return (struct failure_view *)v;
}

static void lay_failure(struct panel *p, const struct page_options *options)
{
    event_page(p->ui->app, &p->page, options->width, p->facts, failure_of(p->view)->activity);
}

static void failure_title(struct view *v, struct strbuf *out)
{
    const struct event_facts *f = failure_of(v)->page.shown.facts;
    strbuf_addf(out, "%s %s", activity_error(failure_of(v)->activity), f ? f->calls->tool : "");
}

/* The page as a whole is about a call, not about a memory. */
static struct line_subject failure_subject(struct view *v, size_t line)
{
    return line == LINE_NONE ? (struct line_subject){.id = failure_of(v)->activity->id}
                             : page_view_subject(v, line);
}

static void release_failure(struct view *v)
{
    free(failure_of(v)->activity);
    page_view_release(v);
}

static const struct view_ops failure_ops = {
    .name = "failed call",
    PAGE_VIEW_OPS,
    .subject = failure_subject,
    .has = HAS_EVERYONE,
    .bar = "show,!undo",
    .of_now = true,
    .at_large = true,
    .title = failure_title,
    .release = release_failure,
};

bool is_failed_call(const struct activity *a)
{
    return a && a->type == ACTIVITY_REFUSAL;
}

struct view *failure_view_new(struct ui *ui, const struct activity *a)
{
    static const struct panel_ops ops = {
        .job = "reading a call", .read = read_facts, .free = free_facts, .lay = lay_failure};
    struct failure_view *f = page_view_new(sizeof(*f), &failure_ops, ui, &ops, a->id);
    f->activity = xcalloc(1, sizeof(*f->activity));
    f->activity->at = a->at;
    f->activity->id = a->id;
    f->activity->count = a->count;
    f->activity->type = a->type;
    f->activity->outcome = a->outcome;
    f->page.shown.key.other = 1 + a->outcome;
    view_load(&f->page.view);
    return &f->page.view;
}
