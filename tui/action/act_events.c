/* Actions on events and sessions: filter by like ones, undo, copy, decide about a session. */
#include "tui/action/action.h"

#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"
#include "tui/render/activity.h"
#include "tui/view/events/event_views.h"
#include "tui/view/views.h"

static const struct activity *here(struct app *x)
{
    return view_subject(x->nav.top).activity;
}

void act_audit(struct app *x, const char *argument)
{
    if (!view_is(x->nav.top, "audit"))
        app_push(x, audit_view_new(&x->ui, argument));
    else if (*argument)
        view_filter(x->nav.top, argument);
    else
        ui_message(&x->ui, "this is the audit; \\ filters it");
}

const char *blocked_no_event(struct app *x)
{
    return here(x) ? NULL : "there is no event here";
}

/* Reads an event of the journal into the arena; NULL if there is none. */
static const struct event *read_seq(struct data *data, struct arena *arena, int64_t seq)
{
    struct event *event;
    struct error e;
    size_t count;
    if (seq <= 0 || journal_read(data->reader, arena, seq - 1, 1, &event, &count, &e) ||
        count == 0 || event->seq != seq)
        return NULL;
    return event;
}

static const struct event *read_event(struct data *data, struct arena *arena,
                                      const struct activity *a)
{
    return a && a->type == ACTIVITY_WRITE ? read_seq(data, arena, a->id) : NULL;
}

/* ---- filtering by a value ---- */

static void filter_by(struct app *x, const char *name, const char *value)
{
    AUTO_STRBUF line = STRBUF_INIT;
    bool audit = view_is(x->nav.top, "audit");
    query_put(&line, audit ? x->nav.top->filter : "", name, value);
    if (audit)
        view_filter(x->nav.top, line.buf);
    else
        app_push(x, audit_view_new(&x->ui, line.buf));
}

/* The item's help is the name of the column, its text is the value. */
static void like_chosen(struct app *x, const struct popup_item *item)
{
    filter_by(x, item->help, item->text);
}

static void offer_like(struct ui *ui, uint32_t key, const char *value, const char *name)
{
    if (value && *value)
        popup_add(&ui->popup, key, value, name);
}

void act_same(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    const struct activity *a = here(x);
    const struct event *event = read_event(&x->data, &arena, a);
    char session[24] = "";
    if (!a)
        return;
    if (activity_session(a) > 0)
        snprintf(session, sizeof(session), "%lld", (long long)activity_session(a));
    popup_open(&x->ui.popup, "show only events with the same", like_chosen);
    offer_like(&x->ui, 'a', event ? event->actor : a->who, "actor");
    offer_like(&x->ui, 'o', a->what, "operation");
    offer_like(&x->ui, 'm', a->ref, "memory");
    offer_like(&x->ui, 'c', event ? event->correlation : NULL, "correlation");
    offer_like(&x->ui, 's', session, "session");
}

#define ONLY_ERRORS "only:errors"

const char *blocked_errors(struct app *x)
{
    return view_is(x->nav.top, "history") ? "a history has no calls; @ lists them" : NULL;
}

void act_errors(struct view *top)
{
    view_filter(top, strcmp(top->filter, ONLY_ERRORS) ? ONLY_ERRORS : "");
}

/* ---- undo ---- */

const char *blocked_undo_event(struct app *x)
{
    struct error e;
    const struct activity *a = here(x);
    int64_t seq = view_subject(x->nav.top).event;
    if (!a && !seq)
        return "there is no event here";
    if (!seq)
        return "it changed nothing that can be undone";
    if (a && a->subject <= 0 && !*a->text)
        return "a decision about a session cannot be undone here; K decides again";
    return history_undone_by(x->data.reader, seq, &e) > 0 ? "it is already undone" : NULL;
}

/* "event 12, by ash", "3 changes made together, event 12 among them, by ash" */
static void name_batch(struct pending *p, const struct event *event)
{
    AUTO_STRBUF about = STRBUF_INIT;
    struct error e;
    int64_t together = event->correlation
                           ? journal_count_correlation(p->app->data.reader, event->correlation, &e)
                           : 1;
    if (together > 1)
        strbuf_addf(&about, "%lld changes made together, including event %lld", (long long)together,
                    (long long)event->seq);
    else
        strbuf_addf(&about, "event %lld", (long long)event->seq);
    if (event->actor)
        strbuf_addf(&about, ", by %s", event->actor);
    p->about = arena_strdup(&p->arena, about.buf);
}

void act_undo_event(struct app *x)
{
    struct pending *p = pending_new(x, OPERATION_UNDO, PENDING_SHOWN);
    const struct event *event = read_seq(&x->data, &p->arena, view_subject(x->nav.top).event);
    if (!event) {
        ui_message(&x->ui, "that event is not in the journal");
        pending_free(p);
        return;
    }
    p->q.seqs = &event->seq;
    p->q.seq_count = 1;
    name_batch(p, event);
    pending_do(p);
}

/* ---- copying ---- */

const char *blocked_no_yank(struct app *x)
{
    return x->nav.top->ops->has & HAS_COMMANDS             ? NULL
           : x->nav.top->ops->has & HAS_JOURNAL && here(x) ? NULL
           : view_memory(x->nav.top) > 0                   ? NULL
                                                           : "there is no memory here";
}

bool yanks_events(const struct app *x)
{
    return x->nav.top->ops->has & HAS_JOURNAL && x->ui.selection.count == 0;
}

/* Finds the calls of that row with the same outcome. */
static int find_calls(struct data *data, struct arena *arena, const struct activity *a,
                      struct activity_source *source, struct error *e)
{
    struct call_outcome of[ERROR_CODES];
    struct call_row *row;
    size_t count;
    if (call_list(data->reader, arena, a->id - 1, 1, &row, &count, e))
        return -1;
    size_t outcomes = count && row->id == a->id ? call_outcomes(row, INT64_MIN, INT64_MAX, of) : 0;
    for (size_t i = 0; i < outcomes; i++)
        if (of[i].code == (enum error_code)a->outcome)
            *source = (struct activity_source){NULL, row, of[i]};
    return 0;
}

/* One line of JSON, as `stemma log --json` prints it. */
static int add_line(struct data *data, const struct activity *a, struct strbuf *out,
                    struct error *e)
{
    struct session_cache sessions = {0};
    AUTO_ARENA arena = ARENA_INIT;
    struct activity_source source = {.event = read_event(data, &arena, a)};
    int failed = a->type == ACTIVITY_WRITE ? 0 : find_calls(data, &arena, a, &source, e);
    if (!failed && (source.event || source.row))
        activity_json(out, &sessions, data->reader, &source);
    session_cache_release(&sessions);
    return failed;
}

/* Masks what was added from `from` on, as on the screen: names and reasons may have personal data. */
static void mask_line(const struct data *data, struct strbuf *out, size_t from)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_add(&line, out->buf + from, out->len - from);
    strbuf_cut(out, from);
    pii_mask_json(guard_pii(data->mask), line.buf, line.len, out, NULL);
}

void yank_events(struct app *x, bool all)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct view *v = x->nav.top;
    struct error e;
    char what[64] = "the event";
    int failed = 0;
    size_t from = all ? 0 : v->cursor, to = all ? v->count : v->cursor + 1;
    for (size_t i = from; i < to && i < v->count && !failed; i++) {
        size_t begins = out.len;
        failed = add_line(&x->data, v->ops->subject(v, i).activity, &out, &e);
        if (rules_mask_is_on(&x->data))
            mask_line(&x->data, &out, begins);
    }
    if (all)
        snprintf(what, sizeof(what), "%zu lines of JSON", v->count);
    if (failed)
        ui_error(&x->ui, &e);
    else
        yank_copy(x, what, out.buf, out.len);
}

/* In the live view of all sessions the cursor is on an event, so it shows all of them. */
void act_activity(struct app *x, const char *argument)
{
    struct view *top = x->nav.top;
    bool of_session = view_is(top, "sessions") || (view_is(top, "live") && live_view_session(top));
    int64_t session = of_session && !*argument ? view_subject(top).session : 0;
    const char *actor = *argument ? argument : session ? NULL : x->prefs.agent;
    app_push(x, days_view_new(&x->ui, actor, session));
}

void act_tools(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF name = STRBUF_INIT;
    struct session_row row;
    if (view_is(x->nav.top, "tools")) {
        if (!usage_view_switch(x->nav.top))
            ui_message(&x->ui, "these are the tools of all sessions");
        return;
    }
    if (session_read_shown(x->data.reader, &arena, view_subject(x->nav.top).session, &row))
        session_title(&row, &name);
    app_push(x, usage_view_new(&x->ui, row.id, name.buf));
}

/* ---- deciding about a session ---- */

static int64_t current_session(struct view *top)
{
    return view_subject(top).session;
}

static const struct session_row *find(const struct session_row *rows, size_t count, int64_t id)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

/* The session as it was last read; NULL if it is not connected. */
static const struct session_row *connected_session(struct live *live, int64_t id)
{
    return find(live->session, live->count, id);
}

/* As connected_session, for a disconnected session that may return. */
static const struct session_row *disconnected_session(struct live *live, int64_t id)
{
    return find(live->away, live->away_count, id);
}

static const char *blocked(struct app *x)
{
    if (x->data.read_only)
        return "the store is open read-only";
    if (asof_is_past(&x->asof))
        return asof_blocked(&x->asof);
    if (current_session(x->nav.top))
        return NULL;
    return x->nav.top->count == 0 ? "there is no session here" : "this was not done in a session";
}

const char *blocked_no_session(struct app *x)
{
    const char *why = blocked(x);
    int64_t here = current_session(x->nav.top);
    return why || connected_session(&x->live, here) || disconnected_session(&x->live, here)
               ? why
               : "that session has ended";
}

static void decide(struct app *x, int64_t session, enum session_verdict verdict)
{
    static const struct {
        const char *name, *message;
    } words[] = {[SESSION_ENDS] = {"end", "was ended"},
                 [SESSION_READS_ONLY] = {"read-only", "is read-only now"},
                 [SESSION_WRITES] = {"writing", "can write again"}};
    AUTO_STRBUF text = STRBUF_INIT;
    const struct session_row *s = connected_session(&x->live, session);
    if (!s && verdict == SESSION_WRITES)
        s = disconnected_session(&x->live, session);
    if (!s) {
        ui_message(&x->ui, "that session has ended");
        return;
    }
    struct pending *p = pending_new(x, OPERATION_COUNT, 0);
    session_title(s, &text);
    p->session = s->id;
    p->verdict = verdict;
    p->name = words[verdict].name;
    p->about = arena_strdup(&p->arena, text.buf);
    strbuf_addf(&text, " %s", words[verdict].message);
    p->message = arena_strdup(&p->arena, text.buf);
    pending_commit(p);
}

#define VERDICTS                                                                                   \
    16 /* shift of the session id above enum session_verdict, in the value of a popup item */

static void answered(struct app *x, const struct popup_item *item)
{
    if (item->value)
        decide(x, item->value / VERDICTS, (enum session_verdict)(item->value % VERDICTS));
    else
        ui_message(&x->ui, "cancelled");
}

static void offer(struct ui *ui, uint32_t key, const char *text, const char *help,
                  const struct session_row *s, enum session_verdict verdict)
{
    popup_add(&ui->popup, key, text, help)->value = s->id * VERDICTS + verdict;
}

void act_session(struct app *x)
{
    int64_t here = current_session(x->nav.top);
    const struct session_row *s = connected_session(&x->live, here),
                             *known = s ? s : disconnected_session(&x->live, here);
    AUTO_STRBUF name = STRBUF_INIT;
    if (!known)
        return;
    session_title(known, &name);
    if (known->label)
        strbuf_addf(&name, ", %s", known->label);
    popup_open(&x->ui.popup, "decide about this session", answered);
    popup_add(&x->ui.popup, 'n', "cancel",
              name.buf); /* first, so that Enter alone decides nothing */
    if (s)
        offer(&x->ui, 'e', "end", "it gets no more answers", s, SESSION_ENDS);
    if (s && !s->read_only)
        offer(&x->ui, 'r', "read-only", "its writes are refused from now on", s,
              SESSION_READS_ONLY);
    else
        offer(&x->ui, 'w', "let write", s ? "it may write again" : "it may write when it is back",
              known, SESSION_WRITES);
}
