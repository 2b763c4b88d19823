#include "tui/render/activity.h"

#include <stdio.h>
#include <string.h>
#include <wctype.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/policy/permission.h"
#include "store/session/session.h"
#include "store/json/answer.h"
#include "store/query/list.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "tui/render/oneline.h"
#include "tui/render/difference_page.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

/*
 *   #181      2026-11-20 16:20:31Z  sean                 add                 note:1c2f1a30  Deploys are slow…
 *             2026-11-20 16:20:32Z  ash (agent)          memory_get          note:1c2f1a30  19 times in 1.2 s
 *   #182      2026-11-20 16:20:33Z  sean (agent)         add                 via cursor  note:5d20aa01  I said so
 */

#define NUMBER_WIDTH    8
#define TIME_WIDTH      20
#define DAY_WIDTH       15 /* without the year */
#define CLOCK_WIDTH     9  /* without the date */
#define ACTOR_WIDTH     19
#define OPERATION_WIDTH 18
#define VIA_WIDTH       24 /* on a terminal */

/* ---- JSON ---- */

/* Adds what the guard did. Calls logged before that was recorded have nothing. */
static void add_guard(struct json_object *o, const struct call_guard *g)
{
    json_pair(o, "namespace", g->namespace_);
    json_pair(o, "task", g->task);
    json_pair(o, "traceparent", g->traceparent);
    json_pair_int(o, "redactions", g->redactions);
    struct json_object spans = json_open(o, "spans", '{');
    json_pair_int(&spans, "permission_us", g->spans.permission_us);
    json_pair_int(&spans, "pii_us", g->spans.pii_us);
    json_pair_int(&spans, "store_us", g->spans.store_us);
    json_end(&spans);
}

/* The session's name if the event was signed with another name, else NULL. */
static const char *other_name(const struct session_row *session, const char *signs)
{
    return same_text(session->label, signs) ? NULL : session->label;
}

static void write_event(struct strbuf *out, const struct event *event,
                        const struct session_row *session)
{
    answer_event(out, event);
    strbuf_cut(out, out->len - 1); /* another member follows */
    struct json_object o = {out, '}', true};
    json_pair(&o, "via", event->session ? other_name(session, event->author) : NULL);
    json_end(&o);
}

/* The label of the agent, which may be a new string in the arena. */
static const char *who_called(struct arena *arena, const struct call_row *row,
                              const struct session_row *session)
{
    const char *claimed = row->guard.agent;
    return claimed ? agent_label(arena, session->actor, claimed) : session->label;
}

static void write_calls(struct strbuf *out, const struct activity_source *a,
                        const struct session_row *session)
{
    const struct call_row *row = a->row;
    AUTO_ARENA arena = ARENA_INIT;
    const char *who = who_called(&arena, row, session);
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "call", row->id);
    json_pair_int(&o, "at", a->of.first);
    json_pair(&o, "actor", session->actor);
    json_pair(&o, "class", "agent");
    json_pair(&o, "claimed", row->guard.agent ? row->guard.agent : session_claimed(session));
    json_pair_int(&o, "session", row->session);
    json_pair(&o, "operation", row->tool);
    if (row->ref.id)
        memory_json_pair_ref(&o, "ref", row->ref);
    else
        json_pair(&o, "ref", NULL);
    json_pair(&o, "outcome", call_outcome_name(a->of.code));
    json_pair_int(&o, "count", (int64_t)a->of.count);
    struct json_object times = json_open(&o, "times", '['); /* when each call was made */
    for (size_t i = 0; i < row->count; i++) {
        int64_t at = row->at[i];
        if (row->outcome[i] != a->of.code || at < a->of.first || at > a->of.last)
            continue;
        json_item(&times);
        json_add_int(out, at);
    }
    json_end(&times);
    add_guard(&o, &row->guard);
    if (row->arguments || row->error) {
        json_pair(&o, "arguments", row->arguments);
        json_pair(&o, "error", row->error);
    }
    json_pair(&o, "via", other_name(session, who));
    json_end(&o);
}

void activity_json(struct strbuf *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a)
{
    const struct session_row *session =
        session_cached(sessions, r, a->event ? a->event->session : a->row->session);
    if (a->event)
        write_event(out, a->event, session);
    else
        write_calls(out, a, session);
    strbuf_addch(out, '\n');
}

/* ---- for people ---- */

/* Widths of the columns; 0 omits a column, or the rest begins with it. */
struct layout {
    size_t number, time, actor, operation;
    /* columns of the operation's name if the rest begins with it; its first letters are enough */
    size_t verb;
    bool even;   /* pad that name to a column */
    bool letter; /* a letter for person or agent before the name */
    bool via;    /* `via` comes before the text, else after it */
};

/* From 60 columns on, the rest has 27 columns: a ref and some words, or the reason of a failure. The number of an
 * event, which undo and --as-of take, has room from 70 columns on, and in a pipe. */
static const struct layout *layout_for(size_t columns)
{
    static const struct {
        size_t least;
        struct layout layout;
    } layouts[] = {
        {120,
         {.number = NUMBER_WIDTH,
          .time = TIME_WIDTH,
          .actor = ACTOR_WIDTH,
          .operation = OPERATION_WIDTH,
          .via = true}},
        {100,
         {.number = NUMBER_WIDTH,
          .time = TIME_WIDTH,
          .actor = ACTOR_WIDTH,
          .operation = OPERATION_WIDTH}},
        {80,
         {.number = 8, .time = DAY_WIDTH, .actor = 10, .verb = 12, .even = true, .letter = true}},
        {70,
         {.number = 8, .time = CLOCK_WIDTH, .actor = 8, .verb = 10, .even = true, .letter = true}},
        {60, {.time = CLOCK_WIDTH, .actor = 8, .verb = 10, .even = true, .letter = true}},
        {44, {.time = CLOCK_WIDTH, .actor = 10, .verb = 14, .letter = true}},
        {26, {.actor = 10, .verb = 14, .letter = true}},
        {0, {.verb = 14, .letter = true}},
    };
    size_t i = 0;
    while (columns < layouts[i].least)
        i++;
    return &layouts[i].layout;
}

/*
 * Appends a name that somebody chose, in at most `most` columns. Runs of blanks become one, so that a name cannot
 * imitate a column.
 */
static void add_name(struct strbuf *to, const struct output *out, const char *name, size_t most)
{
    AUTO_STRBUF one = STRBUF_INIT;
    struct text_scan scan;
    struct text_cell cell;
    bool blank = false;
    text_scan_init(&scan, name, strlen(name), TEXT_EXACT | out->flags);
    while (text_next(&scan, &cell)) {
        bool is_blank = cell.kind == CELL_SPACE || cell.code == 0xa0 || iswspace(cell.code);
        if (cell.kind == CELL_STAND_IN || !is_blank)
            strbuf_add(&one, cell.bytes, cell.len);
        else if (!blank)
            strbuf_addch(&one, ' ');
        blank = cell.kind != CELL_STAND_IN && is_blank;
    }
    text_fit(to, one.buf, one.len, most, TEXT_EXACT | out->flags);
}

struct who {
    const char *actor, *class_name;
    bool nobody; /* stemma did it without a request */
};

/*
 * "root" is a person. "root (agent)" is an agent, whatever its name is; the suffix is never cut off. Narrow lines use
 * a letter instead: "P root", "A root".
 */
static void add_actor(struct strbuf *to, const struct output *out, const struct layout *layout,
                      struct who who)
{
    bool person = who.class_name && strcmp(who.class_name, "person") == 0;
    static const char *const marks[][2] = {
        {" itself", "- "}, {"", "P "}, {" (agent)", "A "}, {" (unknown)", "? "}};
    const char *mark = marks[who.nobody ? 0 : person ? 1 : who.class_name ? 2 : 3][layout->letter];
    size_t most = SIZE_MAX - 1, taken = strlen(mark);
    if (out->columns != SIZE_MAX)
        most = layout->actor > taken + 2 ? layout->actor - taken : 3;
    if (layout->letter)
        strbuf_addstr(to, mark);
    add_name(to, out, who.actor ? who.actor : "", most);
    if (!layout->letter)
        strbuf_addstr(to, mark);
}

/* "2026-11-20 16:20:31Z", or only the end of it. */
static size_t print_time(struct output *out, int64_t at, size_t width)
{
    char exact[40], time[41];
    times_format(exact, sizeof(exact), at);
    int len = snprintf(time, sizeof(time), "%s%s", exact, times_zone());
    size_t from = width < TIME_WIDTH && (size_t)len > width ? (size_t)len - width : 0;
    return output_column(out, STYLE_DIM, time + from, width, 0);
}

struct printing {
    struct output *out;
    struct session_cache *sessions;
    struct reader *reader;
    struct arena *arena;     /* scratch for the line */
    struct strbuf via, text; /* the parts after the operation */
};

static void add_part(struct strbuf *to, const struct strbuf *part)
{
    if (to->len && part->len)
        strbuf_addstr(to, "  ");
    strbuf_add(to, part->buf, part->len);
}

/* The operation, if it has no column, and the rest. On a narrow line the text gets the remaining width, and `via`
 * comes last. */
static void add_last(struct strbuf *to, const struct printing *p, const struct layout *layout,
                     const char *operation)
{
    AUTO_STRBUF verb = STRBUF_INIT;
    if (!p->via.len && !p->text.len)
        strbuf_addstr(&verb, operation);
    else if (!layout->operation)
        text_fit(&verb, operation, strlen(operation), layout->verb,
                 TEXT_EXACT | p->out->flags | (layout->even ? TEXT_PAD : 0));
    add_part(to, &verb);
    add_part(to, layout->via ? &p->via : &p->text);
    add_part(to, layout->via ? &p->text : &p->via);
}

/* Prints the number of the event (NULL for none), time, actor, operation and the rest. */
static void print_parts(const struct printing *p, const struct event *event, int64_t at,
                        struct who who, const char *operation, enum style style)
{
    struct output *out = p->out;
    const struct layout *layout = layout_for(out->columns);
    AUTO_STRBUF actor = STRBUF_INIT, last = STRBUF_INIT;
    AUTO_STRBUF number = STRBUF_INIT;
    if (event)
        event_add_number(&number, event, "#");
    size_t used = output_column(out, STYLE_DIM, number.len ? number.buf : "", layout->number, 0);
    used += print_time(out, at, layout->time);
    add_actor(&actor, out, layout, who);
    used += output_column(out, STYLE_TEXT, actor.buf, layout->actor, TEXT_EXACT);
    if (!layout->actor)
        add_part(&last, &actor);
    if (p->via.len || p->text.len)
        used += output_column(out, style, operation, layout->operation, TEXT_EXACT);
    add_last(&last, p, layout, operation);
    output_rest(out, style, last.buf, used);
}

static void add_via(struct printing *p, const char *name)
{
    strbuf_addstr(&p->via, "via ");
    add_name(&p->via, p->out, name, p->out->columns == SIZE_MAX ? SIZE_MAX - 1 : VIA_WIDTH);
}

/* "via NAME", if the session has another name than the signature. */
static void describe_signer(struct printing *p, const struct event *event)
{
    const struct session_row *session = session_cached(p->sessions, p->reader, event->session);
    const char *name = event->session ? other_name(session, event->author) : NULL;
    if (name)
        add_via(p, name);
    else if (event->session && !session->actor)
        strbuf_addf(&p->via, "via session %lld", (long long)event->session);
}

/* The memory and its text, or the reason. */
static int describe_subject(struct printing *p, const struct event *event, struct error *e)
{
    struct strbuf *rest = &p->text;
    struct memory_row row;
    if (memory_row_read(p->reader, p->arena, event->subject, &row, e))
        return e->code == ERROR_NOT_FOUND ? 0 : -1; /* a modified journal; fsck reports it */
    strbuf_addstr(rest, short_ref(p->reader, p->arena, row.ref));
    if (event->undoes)
        strbuf_addf(rest, "  undoes event %lld", (long long)event->undoes);
    if (event->reason)
        strbuf_addf(rest, "  (%s)", event->reason);
    if (row.text)
        strbuf_addf(rest, "  %s", row.text);
    return 0;
}

static void describe_session(struct printing *p, int64_t id)
{
    struct strbuf *rest = &p->text;
    const struct session_row *session = session_cached(p->sessions, p->reader, id);
    const char *name = session->label;
    strbuf_addf(rest, "about session %lld%s", (long long)id, name ? "  " : "");
    add_name(rest, p->out, name ? name : "", SIZE_MAX - 1);
    if (session->client && !same_text(session->client, session->actor) &&
        !same_text(session->client, session_claimed(session))) {
        strbuf_addstr(rest, ", ");
        add_name(rest, p->out, session->client, SIZE_MAX - 1);
    }
}

static int print_event(struct printing *p, const struct event *event, struct error *e)
{
    int64_t sources = 0;
    describe_signer(p, event);
    if (event->subject) {
        if (describe_subject(p, event, e))
            return -1;
    } else if (event_is_response(event)) {
        sources = cite_counted(p->reader, event, e);
        event_add_sources(sources, &p->text);
    } else if (event->about) {
        describe_session(p, event->about);
    } else if (event->undoes) {
        strbuf_addf(&p->text, "undoes event %lld", (long long)event->undoes);
    } else if (event->reason) {
        strbuf_addstr(&p->text, event->reason);
    }
    if (sources < 0)
        return -1;
    print_parts(p, event, event->at,
                (struct who){event->author, event->class_name, event_is_automatic(event)},
                event->operation ? display_name(event->operation) : "", STYLE_TEXT);
    return 0;
}

static const char *gap(const struct strbuf *text)
{
    return text->len ? "  " : "";
}

/* The reason of a failure comes first, so that it is never cut. Then the subject. */
static void describe_calls(struct printing *p, const struct activity_source *a)
{
    struct strbuf *text = &p->text;
    const struct call_row *row = a->row;
    const struct call_guard *g = &row->guard;
    if (a->of.code != ERROR_NONE)
        strbuf_addstr(text, call_outcome_name(a->of.code));
    if (row->ref.id)
        strbuf_addf(text, "%s%s", gap(text), short_ref(p->reader, p->arena, row->ref));
    if (g->namespace_) {
        strbuf_addf(text, "%sin ", gap(text));
        add_name(text, p->out, g->namespace_, SIZE_MAX - 1);
    }
    if (g->redactions)
        strbuf_addf(text, "%s%lld masked", gap(text), (long long)g->redactions);
    if (a->of.count > 1)
        strbuf_addf(text, "%s%zu times in %.1f s", gap(text), a->of.count,
                    (double)(a->of.last - a->of.first) / 1000);
}

static void print_calls(struct printing *p, const struct activity_source *a)
{
    const struct session_row *session = session_cached(p->sessions, p->reader, a->row->session);
    const char *who = who_called(p->arena, a->row, session), *name = other_name(session, who);
    if (name)
        add_via(p, name);
    describe_calls(p, a);
    print_parts(p, NULL, a->of.first, (struct who){who, "agent", false},
                a->row->tool ? a->row->tool : "",
                a->of.code != ERROR_NONE ? STYLE_WEAKENED : STYLE_DIM);
}

int activity_print(struct output *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct printing p = {out, sessions, r, &arena, STRBUF_INIT, STRBUF_INIT};
    int result = 0;
    if (out->json)
        activity_json(&out->text, sessions, r, a);
    else if (a->event)
        result = print_event(&p, a->event, e);
    else
        print_calls(&p, a);
    strbuf_release(&p.via);
    strbuf_release(&p.text);
    return result;
}
