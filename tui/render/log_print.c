#include "tui/render/log_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/session/session.h"
#include "store/json/answer.h"
#include "store/query/list.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "tui/render/brief.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"

#define BATCH LOG_BLOCK

void log_lines_open(struct log_lines *l, struct reader *r, const struct event_filter *filter,
                    bool calls_wanted, const struct log_place *end)
{
    *l = (struct log_lines){.reader = r, .filter = filter, .end = *end};
    l->calls_wanted = calls_wanted && end->call && !filter->correlation; /* which no call has */
}

void log_lines_begin(struct log_lines *l, const struct log_place *from)
{
    l->events.count = l->events.next = l->calls.count = l->calls.next = 0;
    l->events.last = from->event;
    l->calls.last = from->call;
}

void log_lines_close(struct log_lines *l)
{
    arena_release(&l->events.arena);
    arena_release(&l->calls.arena);
    for (size_t i = 0; i < LOG_SESSIONS; i++)
        arena_release(&l->session[i].arena);
}

static void begin_batch(struct log_batch *b, size_t most)
{
    b->count = b->next = 0;
    b->lines = arena_array(&b->arena, most ? most : 1, sizeof(*b->lines));
}

/* ---- events ---- */

static int read_events(struct log_lines *l, struct error *e)
{
    struct log_batch *b = &l->events;
    struct event *events;
    size_t count;
    arena_clear(&b->arena);
    if (journal_select(l->reader, &b->arena, l->filter, b->last, BATCH, &events, &count, e))
        return -1;
    begin_batch(b, count);
    for (size_t i = 0; i < count; i++)
        b->lines[b->count++] =
            (struct log_line){.at = events[i].at, .until = events[i].at, .event = &events[i]};
    if (count)
        b->last = events[count - 1].seq;
    return 0;
}

/* ---- calls ---- */

/* Who asked, or wrote: the session; of one that is gone nothing is set. Valid until that of another is asked for. */
static int log_lines_session(struct log_lines *l, int64_t session, const struct session_row **out,
                             struct error *e)
{
    struct log_session *kept = &l->session[(uint64_t)session % LOG_SESSIONS];
    *out = &kept->row;
    if (kept->row.id == session && session)
        return 0;
    arena_clear(&kept->arena);
    if (session_read(l->reader, &kept->arena, session, &kept->row, e) == 0)
        return 0;
    kept->row = (struct session_row){.id = 0}; /* gone: fsck says so */
    return e->code == ERROR_NOT_FOUND ? 0 : -1;
}

static bool same(const char *wanted, const char *is)
{
    return !wanted || (is && strcmp(wanted, is) == 0);
}

/* Is a row of calls wanted, its times left aside? */
static int is_wanted(struct log_lines *l, const struct call_row *row, bool *wanted, struct error *e)
{
    const struct event_filter *f = l->filter;
    const struct session_row *session;
    *wanted = same(f->operation, row->tool) && (!f->session || f->session == row->session) &&
              (!f->subject || f->subject == row->subject) &&
              (f->kind < 0 || (row->ref.id && (int)row->ref.kind == f->kind));
    if (!*wanted || !f->actor)
        return 0;
    if (log_lines_session(l, row->session, &session, e))
        return -1;
    *wanted =
        same(f->actor, session->actor) || (row->guard.agent && same(f->actor, row->guard.agent));
    return 0;
}

/* A line for each outcome that a row has, of the calls in the time that is asked for. Where a tool is asked for
 * there is no line of the event, which is called otherwise. */
static void add_row(struct log_lines *l, const struct call_row *row)
{
    struct call_outcome of[ERROR_CODES];
    size_t count = call_outcomes(row, l->filter->since, l->filter->until, of);
    for (size_t i = 0; i < count; i++)
        if (l->filter->operation || !call_outcome_is_event(row->tool, of[i].code))
            l->calls.lines[l->calls.count++] =
                (struct log_line){of[i].first, of[i].last, NULL, row, of[i].code, of[i].count};
}

static int64_t block_of(int64_t call)
{
    return (call - 1) / LOG_BLOCK;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Of two lines of a block. */
static int by_time(const void *a, const void *b)
{
    const struct log_line *x = a, *y = b;
    int order = compare(x->at, y->at);
    order = order ? order : compare(x->row->id, y->row->id);
    return order ? order : compare(x->outcome, y->outcome);
}

/* Does the line come behind the end, of whose block it is? */
static bool is_behind(const struct log_line *line, const struct log_place *end)
{
    int order = compare(line->at, end->at);
    order = order ? order : compare(line->row->id, end->call);
    return (order ? order : compare((int)line->outcome, end->outcome)) > 0;
}

/* The lines of a block, or of what is there of it by now, in their order. */
static int add_block(struct log_lines *l, const struct call_row *rows, size_t count,
                     struct error *e)
{
    struct log_batch *b = &l->calls;
    int64_t block = block_of(rows[0].id);
    for (size_t i = 0; i < count && block_of(rows[i].id) == block; i++) {
        bool wanted;
        if (is_wanted(l, &rows[i], &wanted, e))
            return -1;
        if (wanted)
            add_row(l, &rows[i]);
        b->last = rows[i].id;
    }
    qsort(b->lines, b->count, sizeof(*b->lines), by_time);
    while (block == block_of(l->end.call) && b->count &&
           is_behind(&b->lines[b->count - 1], &l->end))
        b->count--;
    return 0;
}

/* Rows are written flush by flush, by several processes: within a block they are put in order. */
static int read_calls(struct log_lines *l, struct error *e)
{
    struct log_batch *b = &l->calls;
    struct call_row *rows;
    size_t count;
    do {
        arena_clear(&b->arena);
        if (call_list(l->reader, &b->arena, b->last, BATCH, &rows, &count, e))
            return -1;
        begin_batch(b, count * ERROR_CODES);
        if (count && block_of(rows[0].id) > block_of(l->end.call))
            return 0;
        if (count && add_block(l, rows, count, e))
            return -1;
    } while (count && !b->count);
    return 0;
}

void log_place_pass(struct log_place *p, const struct log_line *line)
{
    if (line->event) {
        p->event = line->event->seq;
        return;
    }
    p->call = line->row->id;
    p->at = line->at;
    p->outcome = (int)line->outcome;
}

/* ---- both ---- */

int log_lines_next(struct log_lines *l, struct log_line *out, struct error *e)
{
    struct log_batch *events = &l->events, *calls = &l->calls;
    if (events->next == events->count && read_events(l, e))
        return -1;
    if (l->calls_wanted && calls->next == calls->count && read_calls(l, e))
        return -1;
    const struct log_line *event = events->next < events->count ? &events->lines[events->next] : 0;
    const struct log_line *call = calls->next < calls->count ? &calls->lines[calls->next] : 0;
    if (!event && !call)
        return 0;
    if (!call || (event && event->at <= call->at)) {
        *out = *event;
        events->next++;
    } else {
        *out = *call;
        calls->next++;
    }
    return 1;
}

/*
 *   2026-11-20 16:20:31Z  sean                 add                 note:1c2f1a30  Deploys are slow…
 *   2026-11-20 16:20:32Z  ash (agent)          memory_get          note:1c2f1a30  19 times in 1.2 s
 *   2026-11-20 16:20:33Z  sean (agent)         add                 via cursor  note:5d20aa01  I said so
 */

#define TIME_WIDTH      20
#define DAY_WIDTH       15 /* of that without its year */
#define CLOCK_WIDTH     9  /* and without its date */
#define ACTOR_WIDTH     19
#define OPERATION_WIDTH 18
#define VIA_WIDTH       24 /* on a terminal */

/* ---- JSON ---- */

/* When each of them was. */
static void add_times(struct json_object *o, const struct log_line *line)
{
    struct json_object times = json_open(o, "times", '[');
    for (size_t i = 0; i < line->row->count; i++) {
        int64_t at = line->row->at[i];
        if (line->row->outcome[i] != line->outcome || at < line->at || at > line->until)
            continue;
        json_item(&times);
        json_add_int(o->out, at);
    }
    json_end(&times);
}

/* What is known beside it; of rows of before that was kept, nothing. */
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

/* The session's name where somebody signs with another; NULL: he does not. */
static const char *other_name(const struct session_row *session, const char *signs)
{
    bool same = session->actor && signs && strcmp(session->actor, signs) == 0;
    return same ? NULL : session->actor;
}

/* The session in which it was done; NULL: in none. */
static int find_session(struct log_lines *l, const struct event *event,
                        const struct session_row **out, struct error *e)
{
    *out = NULL;
    return event->session ? log_lines_session(l, event->session, out, e) : 0;
}

static int write_event(struct strbuf *out, struct log_lines *l, const struct event *event,
                       struct error *e)
{
    const struct session_row *session;
    if (find_session(l, event, &session, e))
        return -1;
    answer_event(out, event);
    strbuf_cut(out, out->len - 1); /* one more member follows */
    struct json_object o = {out, '}', true};
    json_pair(&o, "via", session ? other_name(session, event->actor) : NULL);
    json_end(&o);
    return 0;
}

static const char *who_called(const struct call_row *row, const struct session_row *session)
{
    return row->guard.agent ? row->guard.agent : session->actor;
}

static void write_calls(struct strbuf *out, const struct log_line *line,
                        const struct session_row *session)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "call", line->row->id);
    json_pair_int(&o, "at", line->at);
    const char *who = who_called(line->row, session);
    json_pair(&o, "actor", who);
    json_pair(&o, "class", "agent");
    json_pair(&o, "agent", line->row->guard.agent ? who : session->agent);
    json_pair_int(&o, "session", line->row->session);
    json_pair(&o, "operation", line->row->tool);
    if (line->row->ref.id)
        exchange_pair_ref(&o, "ref", line->row->ref);
    else
        json_pair(&o, "ref", NULL);
    json_pair(&o, "outcome", call_outcome_name(line->outcome));
    json_pair_int(&o, "count", (int64_t)line->count);
    add_times(&o, line);
    add_guard(&o, &line->row->guard);
    json_pair(&o, "via", other_name(session, who));
    json_end(&o);
}

/* ---- for people ---- */

/* What stands before the rest, and how wide; 0: it is left out, or the rest begins with it. */
struct layout {
    size_t time, actor, operation;
    size_t said; /* of an operation with which the rest begins: its first letters are enough */
    bool even;   /* and they have a column all the same */
    bool letter; /* for the class, before the name */
    bool via;    /* comes before the text, else behind it */
};

/* From 60 columns on the rest has 27 behind what was done: a ref and words of its text, or why it was refused. */
static const struct layout *layout_for(size_t columns)
{
    static const struct {
        size_t least;
        struct layout layout;
    } layouts[] = {
        {120,
         {.time = TIME_WIDTH, .actor = ACTOR_WIDTH, .operation = OPERATION_WIDTH, .via = true}},
        {100, {.time = TIME_WIDTH, .actor = ACTOR_WIDTH, .operation = OPERATION_WIDTH}},
        {80, {.time = DAY_WIDTH, .actor = 17, .said = 14, .even = true}},
        {70, {.time = CLOCK_WIDTH, .actor = 14, .said = 14, .even = true}},
        {60, {.time = CLOCK_WIDTH, .actor = 8, .said = 10, .even = true, .letter = true}},
        {44, {.time = CLOCK_WIDTH, .actor = 10, .said = 14, .letter = true}},
        {26, {.actor = 10, .said = 14, .letter = true}},
        {0, {.said = 14, .letter = true}},
    };
    size_t i = 0;
    while (columns < layouts[i].least)
        i++;
    return &layouts[i].layout;
}

/*
 * A name that somebody gave himself, in at most `most` columns: blanks in a row are one, so that none
 * passes for a column of its own.
 */
static void add_name(struct strbuf *to, const struct output *out, const char *name, size_t most)
{
    struct strbuf one = STRBUF_INIT;
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
    strbuf_release(&one);
}

struct who {
    const char *actor, *class_name;
    bool nobody; /* stemma did it by itself */
};

/*
 * "root" is a person; "root (agent)" is one whatever it calls itself, and that is never cut off. Where it
 * is narrow a letter says it: "P root", "A root".
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

/* "2026-11-20 16:20:31Z", or its end. */
static size_t print_time(struct output *out, int64_t at, size_t width)
{
    char iso[32], time[40];
    clock_format_iso(iso, sizeof(iso), at);
    /* The T is a space, and the ms are left out. */
    size_t date = strcspn(iso, "T"), seconds = strcspn(iso, ".");
    int len = snprintf(time, sizeof(time), "%.*s %.*sZ", (int)date, iso, (int)(seconds - date - 1),
                       iso + date + 1);
    size_t from = width < TIME_WIDTH && (size_t)len > width ? (size_t)len - width : 0;
    return output_column(out, STYLE_DIM, time + from, width, 0);
}

/* What is told of a line behind its operation. */
struct rest {
    struct strbuf via, text;
};
#define REST_INIT                                                                                  \
    {                                                                                              \
        .via = STRBUF_INIT, .text = STRBUF_INIT                                                    \
    }

static void rest_release(struct rest *rest)
{
    strbuf_release(&rest->via);
    strbuf_release(&rest->text);
}

static void add_part(struct strbuf *to, const struct strbuf *part)
{
    if (to->len && part->len)
        strbuf_addstr(to, "  ");
    strbuf_add(to, part->buf, part->len);
}

/* The operation, where it has no column, and the rest. The text has what is left of a narrow line, and through whom
 * comes last. */
static void add_last(struct strbuf *to, const struct output *out, const struct layout *layout,
                     const char *operation, const struct rest *rest)
{
    bool more = rest->via.len || rest->text.len;
    struct strbuf said = STRBUF_INIT;
    if (!more)
        strbuf_addstr(&said, operation);
    else if (!layout->operation)
        text_fit(&said, operation, strlen(operation), layout->said,
                 TEXT_EXACT | out->flags | (layout->even ? TEXT_PAD : 0));
    add_part(to, &said);
    add_part(to, layout->via ? &rest->via : &rest->text);
    add_part(to, layout->via ? &rest->text : &rest->via);
    strbuf_release(&said);
}

/* When, and who, and what, and the rest, if there is any. */
static void print_parts(struct output *out, int64_t at, struct who who, const char *operation,
                        const struct rest *rest, enum style style)
{
    const struct layout *layout = layout_for(out->columns);
    struct strbuf actor = STRBUF_INIT, last = STRBUF_INIT;
    size_t used = print_time(out, at, layout->time);
    add_actor(&actor, out, layout, who);
    used += output_column(out, STYLE_TEXT, actor.buf, layout->actor, TEXT_EXACT);
    if (!layout->actor)
        add_part(&last, &actor);
    if (rest->via.len || rest->text.len)
        used += output_column(out, style, operation, layout->operation, TEXT_EXACT);
    add_last(&last, out, layout, operation, rest);
    output_rest(out, style, last.buf, used);
    strbuf_release(&actor);
    strbuf_release(&last);
}

/* The same as people read it. */
static const char *known_else(const struct session_row *session, const char *signs)
{
    const char *name = session_known_as(session);
    return name && signs && strcmp(name, signs) == 0 ? NULL : name;
}

static void add_via(struct output *out, const char *name, struct strbuf *via)
{
    strbuf_addstr(via, "via ");
    add_name(via, out, name, out->columns == SIZE_MAX ? SIZE_MAX - 1 : VIA_WIDTH);
}

/* Who it is that signs so, where the session is known by another name: "via NAME". */
static int describe_signer(struct output *out, struct log_lines *l, const struct event *event,
                           struct strbuf *via, struct error *e)
{
    const struct session_row *session;
    if (find_session(l, event, &session, e))
        return -1;
    const char *name = session ? known_else(session, event->actor) : NULL;
    if (name)
        add_via(out, name, via);
    else if (session && !session->actor)
        strbuf_addf(via, "via session %lld", (long long)event->session);
    return 0;
}

/* Which memory and what it says, or why it was done. */
static int describe_subject(struct log_lines *l, const struct event *event, struct arena *arena,
                            struct strbuf *rest, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(l->reader, arena, event->subject, &row, e))
        return e->code == ERROR_NOT_FOUND ? 0 : -1; /* an altered journal: fsck says so */
    strbuf_addstr(rest, short_ref(l->reader, arena, row.ref));
    if (event->undoes)
        strbuf_addf(rest, "  takes back event %lld", (long long)event->undoes);
    if (event->reason)
        strbuf_addf(rest, "  (%s)", event->reason);
    if (row.text)
        strbuf_addf(rest, "  %s", row.text);
    return 0;
}

static int describe_session(struct output *out, struct log_lines *l, int64_t id,
                            struct strbuf *rest, struct error *e)
{
    const struct session_row *session;
    if (log_lines_session(l, id, &session, e))
        return -1;
    strbuf_addf(rest, "about session %lld", (long long)id);
    const char *name = session_known_as(session);
    strbuf_addstr(rest, name ? "  " : "");
    add_name(rest, out, name ? name : "", SIZE_MAX - 1);
    if (session->client && strcmp(session->client, session->actor ? session->actor : "") != 0) {
        strbuf_addstr(rest, ", ");
        add_name(rest, out, session->client, SIZE_MAX - 1);
    }
    return 0;
}

static int describe_answer(struct log_lines *l, const struct event *event, struct strbuf *rest,
                           struct error *e)
{
    int64_t sources = cite_counted(l->reader, event, e);
    news_add_answer(sources, rest);
    return sources < 0 ? -1 : 0;
}

static int print_event(struct output *out, struct log_lines *l, const struct event *event,
                       struct arena *arena, struct error *e)
{
    struct rest rest = REST_INIT;
    int result = describe_signer(out, l, event, &rest.via, e);
    if (result == 0 && event->subject)
        result = describe_subject(l, event, arena, &rest.text, e);
    else if (result == 0 && news_is_answer(event))
        result = describe_answer(l, event, &rest.text, e);
    else if (result == 0 && event->about)
        result = describe_session(out, l, event->about, &rest.text, e);
    if (result == 0)
        print_parts(out, event->at,
                    (struct who){event->actor, event->class_name, news_is_nobodys(event)},
                    event->operation ? event->operation : "", &rest, STYLE_TEXT);
    rest_release(&rest);
    return result;
}

static const char *gap(const struct strbuf *text)
{
    return text->len ? "  " : "";
}

/* Why not, which must be seen, then about what. */
static void describe_calls(struct output *out, struct log_lines *l, const struct log_line *line,
                           struct arena *arena, struct strbuf *text)
{
    const struct call_row *row = line->row;
    const struct call_guard *g = &row->guard;
    if (line->outcome != ERROR_NONE)
        strbuf_addstr(text, call_outcome_name(line->outcome));
    if (row->ref.id)
        strbuf_addf(text, "%s%s", gap(text), short_ref(l->reader, arena, row->ref));
    if (g->namespace_) {
        strbuf_addf(text, "%sin ", gap(text));
        add_name(text, out, g->namespace_, SIZE_MAX - 1);
    }
    if (g->redactions)
        strbuf_addf(text, "%s%lld masked", gap(text), (long long)g->redactions);
    if (line->count > 1)
        strbuf_addf(text, "%s%zu times in %.1f s", gap(text), line->count,
                    (double)(line->until - line->at) / 1000);
}

static int print_calls(struct output *out, struct log_lines *l, const struct log_line *line,
                       const struct session_row *session, struct arena *arena)
{
    struct rest rest = REST_INIT;
    const char *who = who_called(line->row, session), *name = known_else(session, who);
    if (name)
        add_via(out, name, &rest.via);
    describe_calls(out, l, line, arena, &rest.text);
    print_parts(out, line->at, (struct who){who, "agent", false},
                line->row->tool ? line->row->tool : "", &rest,
                line->outcome != ERROR_NONE ? STYLE_WEAKENED : STYLE_DIM);
    rest_release(&rest);
    return 0;
}

int log_print(struct output *out, struct log_lines *l, const struct log_line *line,
              struct arena *arena, struct error *e)
{
    const struct session_row *session;
    arena_clear(arena);
    if (line->event && !out->json)
        return print_event(out, l, line->event, arena, e);
    if (line->event) {
        if (write_event(&out->text, l, line->event, e))
            return -1;
    } else {
        if (log_lines_session(l, line->row->session, &session, e))
            return -1;
        if (!out->json)
            return print_calls(out, l, line, session, arena);
        write_calls(&out->text, line, session);
    }
    strbuf_addch(&out->text, '\n');
    return 0;
}
