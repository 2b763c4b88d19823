#include "tui/render/activity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/memory/memory.h"
#include "store/db/thread.h"
#include "store/guard/guard.h"
#include "store/ops/operation.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/session/session.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "tui/render/difference_page.h"
#include "tui/render/session_print.h"
#include "tui/text/match.h"
#include "tui/text/times.h"

/* "refused" is for policy: a call with a wrong argument failed. */
static const char *failure(enum error_code code)
{
    return code == ERROR_REFUSED || code == ERROR_PII || code == ERROR_QUOTA || code == ERROR_RATE
               ? "refused"
               : "failed";
}

const char *activity_action(const struct activity *a)
{
    static const char *const calls[] = {
        [ACTIVITY_WRITE] = NULL, [ACTIVITY_READ] = "read", [ACTIVITY_CANCEL] = "cancelled"};
    if (a->type == ACTIVITY_REFUSAL)
        return failure((enum error_code)a->outcome);
    if (!a->person && strcmp(a->what, "verify") == 0)
        return "verified"; /* only a person approves */
    return calls[a->type] ? calls[a->type] : event_verb(a->what);
}

int64_t activity_session(const struct activity *a)
{
    return a->session ? a->session : a->about;
}

const char *activity_error(const struct activity *a)
{
    return a->type == ACTIVITY_REFUSAL ? call_outcome_name((enum error_code)a->outcome) : "";
}

int64_t activity_id(const struct activity *a)
{
    return a->id << 9 | a->outcome << 1 | (a->type == ACTIVITY_WRITE);
}

void activity_text(const struct activity *a, struct strbuf *out)
{
    strbuf_addf(out, "%s%s %s %s %s %s %s %s %s %s %s", a->who, a->person ? " person" : "",
                activity_action(a), a->what, a->client, a->namespace_, a->ref, activity_error(a),
                a->change, a->why, a->text);
}

/* ---- one activity ----  */

#define TEXT_KEPT 160 /* bytes of a memory's text that are copied */
#define NAME_KEPT 64

enum word {
    WORD_WHO = 0,
    WORD_WHAT,
    WORD_CLIENT,
    WORD_REF,
    WORD_TEXT,
    WORD_CHANGE,
    WORD_WHY,
    WORD_NAMESPACE,
    WORDS
};

/* Makes an activity like `like`, with these words (NULL for "") and the ref and text of its memory, masked if the
 * reader is. The caller frees it with free(). */
static struct activity *activity_make(struct reader *r, const struct activity *like,
                                      const char *words[WORDS])
{
    static const size_t most[WORDS] = {NAME_KEPT, NAME_KEPT, NAME_KEPT, REF_ID_MAX + 32,
                                       TEXT_KEPT, TEXT_KEPT, TEXT_KEPT, TEXT_KEPT};
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    char ref[REF_ID_MAX + 32];
    size_t room = 0;
    for (int i = 0; i < WORDS && reader_masked(r); i++)
        if (i != WORD_WHAT)
            words[i] = guard_mask_text(reader_masked(r), &arena, words[i]);
    if (like->subject > 0 && !memory_row_read(r, &arena, like->subject, &row, &e)) {
        snprintf(ref, sizeof(ref), "%s:%s", kind_name(row.ref.kind), row.ref.id);
        words[WORD_REF] = ref;
        words[WORD_TEXT] = row.text;
    }
    for (int i = 0; i < WORDS; i++)
        room += (words[i] ? strnlen(words[i], most[i]) : 0) + 1;
    struct activity *a = xcalloc(1, sizeof(*a) + room);
    char *at = a->bytes;
    *a = *like;
    const char **const fields[WORDS] = {&a->who,  &a->what,   &a->client, &a->ref,
                                        &a->text, &a->change, &a->why,    &a->namespace_};
    for (int i = 0; i < WORDS; i++) {
        size_t len = words[i] ? strnlen(words[i], most[i]) : 0;
        *fields[i] = at;
        if (len > 0)
            memcpy(at, words[i], len);
        at += len + 1;
    }
    return a;
}

/* ---- reading both logs ---- */

#define BATCH 256  /* rows read from a log at a time */
#define SPAN  8192 /* events searched at a time for matching ones */

const struct session_row *session_cached(struct session_cache *c, struct reader *r, int64_t id)
{
    struct session_row *row = &c->slot[(uint64_t)id % 16].row;
    struct arena *arena = &c->slot[(uint64_t)id % 16].arena;
    struct error e;
    if (row->id == id && id)
        return row;
    arena_clear(arena);
    if (id <= 0 || session_read(r, arena, id, row, &e))
        *row = (struct session_row){.id = 0}; /* the session does not exist; fsck reports it */
    return row;
}

void session_cache_release(struct session_cache *c)
{
    for (size_t i = 0; i < sizeof(c->slot) / sizeof(c->slot[0]); i++)
        arena_release(&c->slot[i].arena);
}

/* "" without a session. */
static const char *client_name(const struct session_row *s)
{
    return s->id ? session_client(s) : "";
}

static const char *agent_name(const struct session_row *s)
{
    return s->label ? s->label : "";
}

/* "failed" and "refused" mean what a call came to, not a word of a text. */
static bool matches(const struct activity *a, const char *pattern)
{
    if (!strcmp(pattern, "failed") || !strcmp(pattern, "refused"))
        return !strcmp(activity_action(a), pattern);
    AUTO_STRBUF text = STRBUF_INIT;
    activity_text(a, &text);
    return match_text(text.buf, pattern);
}

/* Whether a negated term, or a word that tells what a call came to, is true of an activity. */
static bool is_true(const struct query_term *t, const struct activity *a)
{
    const char *colon = strchr(a->ref, ':');
    int kind = colon ? kind_from_name(a->ref, (size_t)(colon - a->ref)) : -1;
    switch (t->field) {
    case QUERY_AGENT:
        return !strcmp(a->who, t->text);
    case QUERY_KIND:
        return kind >= 0 && t->bits >> kind & 1;
    case QUERY_OPERATION:
        return !strcmp(a->what, t->text);
    case QUERY_ONLY:
        return t->bits >> a->type & 1;
    case QUERY_CREATED:
        return term_has(t, (double)a->at);
    case QUERY_MEMORY:
        return !strncmp(a->ref, t->text, strlen(t->text)) ||
               (colon && !strncmp(colon + 1, t->text, strlen(t->text)));
    default:
        return matches(a, t->text);
    }
}

/* Whether an activity has what is left of the filter: 1 or 0; -1 on error. */
static int has_rest(const struct activity_walk *w, const struct activity *a, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT, folded = STRBUF_INIT;
    for (size_t i = 0; i < w->rest.count; i++) {
        const struct query_term *t = &w->rest.term[i];
        bool word =
            t->field == QUERY_TEXT && strcmp(t->text, "failed") && strcmp(t->text, "refused");
        if (!word && t->field != QUERY_REGEX && is_true(t, a) == t->negated)
            return 0;
    }
    activity_text(a, &text);
    fold_text(&folded, text.buf, text.len);
    struct query_text in = {text.buf, folded.buf, text.len};
    return query_matches_text(&w->rest, &in, e);
}

/* Takes over an activity that the filter selects. */
static int keep(struct activity_walk *w, const struct activity_source *source, struct activity *a,
                struct error *e)
{
    int wanted = w->rest.count ? has_rest(w, a, e) : 1;
    if (wanted == 1 && !w->take) {
        *ARRAY_ADD(w->found, w->count, w->alloc) = a;
        w->met = w->met || (*w->until && matches(a, w->until));
        return 0;
    }
    free(a);
    if (wanted == 1) {
        w->taken++;
        return w->take(w->arg, source, e);
    }
    return wanted;
}

/* Without anything left to check, lines that are printed need no activity. */
static bool takes_all(struct activity_walk *w)
{
    w->taken += w->take && !w->rest.count;
    return w->take && !w->rest.count;
}

static int keep_event(struct activity_walk *w, struct reader *r, const struct event *event,
                      struct error *e)
{
    const struct activity_source source = {.event = event};
    if (takes_all(w))
        return w->take(w->arg, &source, e);
    AUTO_STRBUF change = STRBUF_INIT, text = STRBUF_INIT;
    struct activity like = {.at = event->at,
                            .id = event->seq,
                            .subject = event->subject,
                            .session = event->session,
                            .about = event->about,
                            .undoes = event->undoes,
                            .count = 1,
                            .type = ACTIVITY_WRITE,
                            .person =
                                event->class_name && strcmp(event->class_name, "person") == 0};
    const struct session_row *client = session_cached(&w->sessions, r, activity_session(&like));
    change_words(event, &change);
    struct error uncounted;
    if (event_is_response(event))
        event_add_sources(cite_counted(r, event, &uncounted), &text);
    const char *who = event->author;
    const char *words[WORDS] = {[WORD_WHO] = who,
                                [WORD_WHAT] = display_name(event->operation),
                                [WORD_CLIENT] = client_name(client),
                                [WORD_CHANGE] = change.buf,
                                [WORD_WHY] = event->reason,
                                [WORD_TEXT] = text.buf};
    like.foreign = !like.person && event->session > 0 && strcmp(who, agent_name(client)) != 0;
    return keep(w, &source, activity_make(r, &like, words), e);
}

/* Equal calls of a row form one activity. */
static int keep_calls(struct activity_walk *w, struct reader *r, const struct call_row *call,
                      const struct call_outcome *o, struct error *e)
{
    const struct activity_filter *f = &w->filter;
    const struct call_guard *g = &call->guard;
    struct activity like = {.at = o->last,
                            .id = call->id,
                            .subject = call->subject,
                            .session = call->session,
                            .count = (uint32_t)o->count,
                            .masked = g->redactions > 0 ? (uint32_t)g->redactions : 0,
                            .type = o->code == ERROR_NONE          ? ACTIVITY_READ
                                    : o->code == ERROR_INTERRUPTED ? ACTIVITY_CANCEL
                                                                   : ACTIVITY_REFUSAL,
                            .outcome = o->code};
    /* A filter for a tool drops calls that the journal has as events, since an event's operation is not the tool's
     * name. */
    if ((!*f->operation && call_outcome_is_event(call->tool, o->code)) ||
        (f->types && !(f->types & 1u << like.type)))
        return 0;
    const struct activity_source source = {.row = call, .of = *o};
    if (takes_all(w))
        return w->take(w->arg, &source, e);
    const struct session_row *client = session_cached(&w->sessions, r, call->session);
    AUTO_ARENA arena = ARENA_INIT;
    const char *who = g->agent ? agent_label(&arena, client->actor, g->agent) : agent_name(client);
    like.foreign = strcmp(who ? who : "", agent_name(client)) != 0;
    const char *words[WORDS] = {[WORD_WHO] = who,
                                [WORD_WHAT] = call->tool,
                                [WORD_CLIENT] = client_name(client),
                                [WORD_NAMESPACE] = g->namespace_};
    return keep(w, &source, activity_make(r, &like, words), e);
}

/* Whether the filter wants this session. */
static bool acts(struct activity_walk *w, struct reader *r, int64_t session)
{
    const struct session_row *s = session_cached(&w->sessions, r, session);
    return (s->actor && !strcmp(s->actor, w->filter.actor)) ||
           !strcmp(agent_name(s), w->filter.actor);
}

/* Is it how the unnamed agent is shown that claims that name? */
static bool is_label(const char *label, const char *claimed)
{
    return claimed && label[0] == '?' && !strcmp(label + 1, claimed);
}

static bool wants_call(struct activity_walk *w, struct reader *r, const struct call_row *call)
{
    const struct activity_filter *f = &w->filter;
    return (!f->session || call->session == f->session) &&
           (!f->subject || call->subject == f->subject) &&
           (!f->kinds || (call->ref.id && KIND_BIT(call->ref.kind) & f->kinds)) &&
           (!*f->operation || (call->tool && !strcmp(f->operation, call->tool))) &&
           (!*f->actor || acts(w, r, call->session) || is_label(f->actor, call->guard.agent));
}

static int keep_call(struct activity_walk *w, struct reader *r, const struct call_row *call,
                     struct error *e)
{
    if (!wants_call(w, r, call))
        return 0;
    const struct activity_filter *f = &w->filter;
    struct call_outcome of[ERROR_CODES];
    size_t count = call_outcomes(call, f->since, f->until ? f->until : INT64_MAX, of);
    for (size_t i = 0; i < count; i++)
        if (keep_calls(w, r, call, &of[w->on ? i : count - 1 - i], e))
            return -1;
    return 0;
}

/* ---- a query as a filter ---- */

static int bad_term(struct query_terms *terms, const struct query_term *t)
{
    terms->bad_from = t->from;
    terms->bad_to = t->to;
    return -1;
}

static int find_memory(struct reader *r, struct query_terms *terms, const struct query_term *t,
                       int64_t *out, struct error *e)
{
    *out = ref_resolve(r, t->text, e);
    if (*out > 0)
        return 0;
    return bad_term(terms, t);
}

static int find_session(struct reader *r, struct query_terms *terms, const struct query_term *t,
                        int64_t *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row row;
    if (session_find(r, &arena, t->text, &row, e))
        return bad_term(terms, t);
    *out = row.id;
    return 0;
}

static int take_name(struct query_terms *terms, const struct query_term *t, char *out, size_t size,
                     struct error *e)
{
    if (strlen(t->text) >= size) {
        error_set(e, ERROR_INVALID, "", "this name is too long: '%.80s'", t->text);
        return bad_term(terms, t);
    }
    snprintf(out, size, "%s", t->text);
    return 0;
}

static void take_range(const struct query_term *t, struct activity_filter *out)
{
    int64_t low = t->low > INT64_MIN ? (int64_t)t->low + t->low_open : 0;
    int64_t high = t->high < (double)INT64_MAX ? (int64_t)t->high - t->high_open : 0;
    if (low && (!out->since || low > out->since))
        out->since = low;
    if (high && (!out->until || high < out->until))
        out->until = high;
}

#define NO_BITS (UINT32_C(1) << 31)

static unsigned narrow_bits(unsigned bits, unsigned to)
{
    bits = bits ? bits & to : to;
    return bits ? bits : NO_BITS;
}

/* Returns 1 if the term is left for each activity. */
static int take_term(struct reader *r, struct query_terms *terms, const struct query_term *t,
                     struct activity_filter *out, struct error *e)
{
    if (t->negated && (t->field == QUERY_SESSION || t->field == QUERY_CORRELATION)) {
        error_set(e, ERROR_INVALID, "Omit the minus.", "'%s' cannot be negated", t->spec->name);
        return bad_term(terms, t);
    }
    if (t->negated)
        return 1;
    switch (t->field) {
    case QUERY_AGENT:
        return take_name(terms, t, out->actor, sizeof(out->actor), e);
    case QUERY_OPERATION:
        return take_name(terms, t, out->operation, sizeof(out->operation), e);
    case QUERY_CORRELATION:
        return take_name(terms, t, out->correlation, sizeof(out->correlation), e);
    case QUERY_MEMORY:
        return find_memory(r, terms, t, &out->subject, e);
    case QUERY_SESSION:
        return find_session(r, terms, t, &out->session, e);
    case QUERY_KIND:
        out->kinds = narrow_bits(out->kinds, t->bits);
        return 0;
    case QUERY_ONLY:
        out->types = narrow_bits(out->types, t->bits);
        return 0;
    case QUERY_CREATED:
        take_range(t, out);
        return 0;
    default:
        return 1;
    }
}

int activity_filter_read(struct reader *r, struct query_terms *terms, int64_t now,
                         struct activity_filter *out, struct error *e)
{
    AUTO_STRBUF rest = STRBUF_INIT;
    *out = (struct activity_filter){.now = now};
    for (size_t i = 0; i < terms->count; i++) {
        const struct query_term *t = &terms->term[i];
        int left = take_term(r, terms, t, out, e);
        if (left < 0)
            return -1;
        if (left)
            strbuf_addf(&rest, "%.*s ", (int)(t->to - t->from), terms->query + t->from);
    }
    if (rest.len >= sizeof(out->query))
        return error_set(e, ERROR_INVALID, "Make it shorter.", "the query is too long");
    snprintf(out->query, sizeof(out->query), "%s", rest.buf);
    return 0;
}

/* ---- walking the two logs ---- */

static const char *given(const char *text)
{
    return *text ? text : NULL;
}

static void event_filter_of(const struct activity_filter *f, struct event_filter *out)
{
    *out = (struct event_filter)EVENT_FILTER_ALL;
    out->actor = given(f->actor);
    int op = operation_from_name(f->operation);
    out->operation = op < 0 ? given(f->operation) : op_spec((enum operation)op)->name;
    out->correlation = given(f->correlation);
    out->kinds = f->kinds;
    out->subject = f->subject;
    out->session = f->session;
    out->since = f->since ? f->since : INT64_MIN;
    out->until = f->until ? f->until : INT64_MAX;
}

/* Whether the filter can match anything in that log. */
static bool is_wanted(const struct activity_filter *f, bool calls)
{
    if (calls)
        return f->types != 1u << ACTIVITY_WRITE && !*f->correlation; /* calls have no correlation */
    return !f->types || f->types & 1u << ACTIVITY_WRITE;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Reads the matching events of one span of the journal. There may be none. */
static int fill_events(struct activity_walk *w, struct reader *r, struct error *e)
{
    struct activity_buffer *b = &w->written;
    struct event_filter f;
    int64_t from = b->rest > 0 && b->rest < w->seq ? b->rest : w->seq - 1;
    int64_t after = later(from - SPAN, w->filter.after_seq);
    event_filter_of(&w->filter, &f);
    f.last = from;
    f.newest_first = true;
    b->end = from <= w->filter.after_seq;
    if (b->end)
        return 0;
    if (journal_select(r, &b->arena, &f, after, BATCH, &b->events, &b->count, e))
        return -1;
    /* The rest of the span is read after these events. */
    b->rest = b->count == BATCH ? b->events[BATCH - 1].seq - 1 : after;
    if (b->count == 0)
        w->seq = after + 1;
    return 0;
}

/* Ids of the call log have gaps, so it is read in windows of ids, which may be empty. */
static int fill_calls(struct activity_walk *w, struct reader *r, struct error *e)
{
    struct activity_buffer *b = &w->called;
    int64_t last = w->call - 1, after = later(last - BATCH, w->filter.after_call);
    b->end = last <= w->filter.after_call;
    if (b->end)
        return 0;
    if (call_list(r, &b->arena, after, (size_t)(last - after), &b->calls, &b->count, e))
        return -1;
    /* The read may go beyond the window. Drop those rows; the next window has them. */
    while (b->count > 0 && b->calls[b->count - 1].id >= w->call)
        b->count--;
    if (b->count == 0)
        w->call = after + 1;
    return 0;
}

static int fill_on(struct activity_walk *w, struct reader *r, bool calls, struct error *e)
{
    struct activity_buffer *b = calls ? &w->called : &w->written;
    struct event_filter f;
    int64_t last = journal_last(r, e);
    event_filter_of(&w->filter, &f);
    if (last < 0 ||
        (calls ? call_list(r, &b->arena, w->call, BATCH, &b->calls, &b->count, e)
               : journal_select(r, &b->arena, &f, w->seq, BATCH, &b->events, &b->count, e)))
        return -1;
    b->end = b->count == 0;
    if (b->end && !calls)
        w->seq = later(w->seq, last); /* the events between do not match */
    return 0;
}

/* Reads the next rows of a log in the direction of the walk. They may be empty although the log goes on. */
static int fill(struct activity_walk *w, struct reader *r, bool calls, struct error *e)
{
    struct activity_buffer *b = calls ? &w->called : &w->written;
    b->count = b->at = 0;
    arena_clear(&b->arena);
    if (!is_wanted(&w->filter, calls)) {
        b->end = true;
        return 0;
    }
    if (w->on)
        return fill_on(w, r, calls, e);
    return calls ? fill_calls(w, r, e) : fill_events(w, r, e);
}

static const struct event *head_event(const struct activity_walk *w)
{
    const struct activity_buffer *b = &w->written;
    return b->at < b->count ? &b->events[b->at] : NULL;
}

static const struct call_row *head_call(const struct activity_walk *w)
{
    const struct activity_buffer *b = &w->called;
    return b->at < b->count ? &b->calls[w->on ? b->at : b->count - 1 - b->at] : NULL;
}

static int64_t last_at(const struct call_row *call)
{
    int64_t at = 0;
    for (size_t i = 0; i < call->count; i++)
        at = call->at[i] > at ? call->at[i] : at;
    return at;
}

/* Refills empty buffers. Sets *looked if a log was read without result and has to be read on. */
static int fill_both(struct activity_walk *w, struct reader *r, bool *looked, struct error *e)
{
    struct activity_buffer *both[] = {&w->written, &w->called};
    *looked = false;
    for (int i = 0; i < 2; i++) {
        struct activity_buffer *b = both[i];
        if (b->at < b->count)
            continue;
        if (fill(w, r, i == 1, e))
            return -1;
        *looked |= b->count == 0 && !b->end;
    }
    return 0;
}

/* Takes the next item of both logs by time. Returns 1, or 0 at the end of both. Sets *looked if it read for a while
 * and has no item yet. */
static int take_next(struct activity_walk *w, struct reader *r, bool *looked, struct error *e)
{
    if (fill_both(w, r, looked, e))
        return -1;
    if (*looked)
        return 1;
    const struct event *event = head_event(w);
    const struct call_row *call = head_call(w);
    if (!event && !call)
        return 0;
    if (event && (!call || (w->on ? event->at <= last_at(call) : event->at >= last_at(call)))) {
        w->seq = event->seq;
        w->written.at++;
        return keep_event(w, r, event, e) ? -1 : 1;
    }
    w->call = call->id;
    w->called.at++;
    return keep_call(w, r, call, e) ? -1 : 1;
}

/* The query was parsed before, so it has no mistake. */
static int parse_rest(struct activity_walk *w, struct error *e)
{
    return *w->filter.query && !w->rest.query
               ? query_parse(w->filter.query, QUERY_EVENTS, times_clock(w->filter.now), &w->arena,
                             &w->rest, e)
               : 0;
}

/* Starts a forward walk after the newest rows. */
static int begin(struct activity_walk *w, struct reader *r, struct error *e)
{
    int64_t seq = journal_last(r, e), call = seq < 0 ? -1 : call_last(r, e);
    if (call < 0)
        return -1;
    w->seq = w->first_seq = seq + 1;
    w->call = w->first_call = call + 1;
    w->begun = true;
    return 0;
}

static bool wants_more(const struct activity_walk *w)
{
    return !w->met && (w->wanted == 0 || w->taken + w->count < w->wanted);
}

int activity_walk_next(struct activity_walk *w, struct reader *r, int ms, struct error *e)
{
    int64_t until = monotonic_ms() + ms;
    int more = 1;
    if (reader_begin(r, e))
        return -1;
    if (parse_rest(w, e) || (!w->begun && begin(w, r, e)))
        more = -1;
    for (size_t taken = 1; more > 0 && wants_more(w); taken++) {
        bool looked;
        more = take_next(w, r, &looked, e);
        if ((looked || taken % 16 == 0) && monotonic_ms() >= until)
            break;
    }
    reader_end(r);
    w->ended = more == 0;
    return more <= 0 ? more : wants_more(w);
}

void activity_walk_release(struct activity_walk *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->found[i]);
    free(w->found);
    arena_release(&w->written.arena);
    arena_release(&w->called.arena);
    session_cache_release(&w->sessions);
    arena_release(&w->arena);
    *w = (struct activity_walk){0};
}
