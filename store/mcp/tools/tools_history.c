/* The tool memory_history: the changes of a memory, newest first. */
#include "model/base/clock.h"
#include "store/json/answer.h"
#include "store/json/compact.h"
#include "store/history/history.h"
#include "store/mcp/tools/tools.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define CHANGE_MAX    (ANSWER_BYTES / 2) /* bytes of a complete change */
#define BEGINNING     1000               /* code points of a text in a change that is cut */
#define LINES_MOST    500                /* bytes of the lines of a change, on average */
#define LINE_TEXT     120                /* bytes of each side of a difference in a line */
#define VERSIONS_MOST 4000               /* bytes of the refs of versions */
#define EVENTS_MOST   (ANSWER_BYTES - VERSIONS_MOST - 1000)
#define TEXT_MOST     (EVENTS_MOST / 2) /* each byte of it may be a quote that is escaped */

static const struct field history_arguments[] = {
    REF_FIELD,
    OPTIONAL("limit", INTEGER, NULL, .min = 1, .max = 200, .fallback = "50"),
    OPTIONAL("before", INTEGER, "`older` of the answer: only changes before it.", .min = 1,
             .max = WHOLE_MAX),
    FORMAT_FIELD,
    FIELD_END,
};

static const struct field change_fields[] = {
    NEEDED("field", STRING, NULL),
    OR_NULL("before", STRING, "null: it was not there."),
    OR_NULL("after", STRING, "null: it was taken away."),
    FIELD_END,
};

static const struct field event_fields[] = {
    NEEDED("seq", INTEGER, "Which change of the memory it is: the first is 1."),
    NEEDED("at", INTEGER, "Milliseconds since the epoch."),
    OR_NULL("actor", STRING, "Who did it."),
    OR_NULL("class", STRING, "person, agent, or stemma itself."),
    OR_NULL("agent", STRING, NULL),
    OPTIONAL("claimed", STRING, "Another name that it gave itself."),
    OR_NULL("origin", STRING, "Through which channel: mcp, command, explorer, import."),
    OR_NULL("session", INTEGER, NULL),
    OR_NULL("operation", STRING, "add, edit, reinforce, …"),
    OR_NULL("ref", STRING, NULL),
    OR_NULL("before", STRING, "A commitment to the memory before it."),
    OR_NULL("after", STRING, "And after it."),
    OR_NULL("reason", STRING, "Why."),
    OR_NULL("correlation", STRING, "What was done together shares one."),
    OPTIONAL("undoes", INTEGER, "The change that it takes back, by its seq."),
    OPTIONAL("provisional", INTEGER,
             "Its place among the changes that the team does not have yet: seq may change."),
    OPTIONAL("version", INTEGER, "That the memory had after it."),
    OPTIONAL("undone_by", INTEGER, "The change that took it back, by its seq."),
    OPTIONAL("purged_by", INTEGER, "The purge since then, which erased what it was."),
    OPTIONAL("damaged_by", INTEGER, "The damaged change that hides what it was."),
    OBJECTS("changes", FIELD_REQUIRED, change_fields, "What differed, field by field."),
    OPTIONAL("too_large", INTEGER, "So many bytes: it is only begun. A person sees all of it."),
    FIELD_END,
};

static const struct field history_answer[] = {
    OBJECTS("events", FIELD_REQUIRED, event_fields, "The newest first."),
    OPTIONAL("older", INTEGER, "There are more: give it as `before`."),
    TEXTS("versions", FIELD_REQUIRED,
          "Refs of the beliefs that superseded one another, the oldest first."),
    FIELD_END,
};

struct history_answer {
    struct mcp_call *call;
    struct reader *reader;
    bool is_json;
    struct strbuf *out;
    struct json_object events; /* of JSON */
    struct arena arena;
    struct arena states; /* for the current change */
    int64_t row;
    int64_t number;       /* number of the current change within its memory */
    int64_t before, last; /* numbers of changes: the argument `before`, and the last one answered */
    int64_t asked, left;  /* changes */
    bool more;
    struct error *e;
};

/* Replaces the sequence number of an event by the number of the memory's change: how many events it had by then. 0
 * stays 0. */
static int count_until(struct history_answer *t, int64_t *seq)
{
    if (*seq != 0)
        *seq = history_count(t->reader, t->row, *seq, t->e);
    return *seq < 0 ? -1 : 0;
}

/* Numbers changes within their memory. The journal's own numbers would reveal how much was written to memories that
 * the caller cannot see. */
static int renumber(struct history_answer *t, struct revision *v)
{
    int64_t confirmed = v->event.seq - v->event.provisional;
    if (v->event.provisional && count_until(t, &confirmed))
        return -1;
    v->event.provisional = v->event.provisional ? t->number - confirmed : 0;
    v->event.seq = t->number;
    return count_until(t, &v->event.undoes) || count_until(t, &v->undone_by) ||
                   count_until(t, &v->purged_by) || count_until(t, &v->damaged_by)
               ? -1
               : 0;
}

/* Appends a change as JSON. If it is too large, only the beginnings of its texts are written, and its size. */
static int add_event(struct history_answer *t, const struct revision *v)
{
    static const struct answer_bounds bounds = {BEGINNING, CHANGE_MAX / 4};
    struct strbuf *out = t->out;
    json_item(&t->events);
    size_t began = out->len;
    if (answer_revision(t->reader, out, v, NULL, &t->arena, t->e))
        return -1;
    size_t bytes = out->len - began;
    if (bytes <= CHANGE_MAX)
        return 0;
    strbuf_cut(out, began);
    if (answer_revision(t->reader, out, v, &bounds, &t->arena, t->e))
        return -1;
    strbuf_cut(out, out->len - 1); /* reopen the object for one more member */
    strbuf_addf(out, ",\"too_large\":%zu}", bytes);
    return 0;
}

/* ---- a change as lines ---- */

/* Adds a member of the object as a text of at most `most` bytes in JSON, after `before`; nothing if it is null. */
static void add_words(struct history_answer *t, struct json_slice object, const char *name,
                      const char *before, size_t most)
{
    const char *text = json_text(&t->arena, json_member(object.ptr, object.len, name), NULL);
    if (!text)
        return;
    strbuf_addstr(t->out, before);
    compact_add_text(t->out, refs_shorten(t->reader, &t->arena, text), SIZE_MAX, most);
}

/* Adds "  text: before -> after". */
static void add_difference(struct history_answer *t, struct json_slice change)
{
    add_words(t, change, "field", "  ", LINE_TEXT);
    add_words(t, change, "before", ": ", LINE_TEXT);
    strbuf_addstr(t->out, " ->");
    add_words(t, change, "after", " ", LINE_TEXT);
    strbuf_addch(t->out, '\n');
}

/* Adds "#3 2026-11-20 10:42:16Z edit by ash (mcp), undone by #4: reason" and a line for each difference that fits. */
static void add_lines(struct history_answer *t, const struct revision *v, struct json_slice event)
{
    char when[32];
    size_t began = t->out->len, left = 0;
    clock_format_iso(when, sizeof(when), v->event.at);
    strbuf_addf(t->out, "#%lld %s", (long long)v->event.seq, when);
    add_words(t, event, "operation", " ", LINE_TEXT);
    add_words(t, event, "actor", " by ", LINE_TEXT);
    add_words(t, event, "origin", ", ", LINE_TEXT);
    if (v->event.provisional)
        strbuf_addstr(t->out, ", not yet sent to the team");
    if (v->event.undoes)
        strbuf_addf(t->out, ", undoes #%lld", (long long)v->event.undoes);
    if (v->undone_by)
        strbuf_addf(t->out, ", undone by #%lld", (long long)v->undone_by);
    if (v->purged_by && v->purged_by != v->event.seq)
        strbuf_addf(t->out, ", purged by #%lld", (long long)v->purged_by);
    if (v->damaged_by)
        strbuf_addstr(t->out, v->damaged_by == v->event.seq ? ", damaged" : ", not known");
    add_words(t, event, "reason", ": ", LINE_TEXT);
    strbuf_addch(t->out, '\n');
    for (struct json_each it = json_each(json_member(event.ptr, event.len, "changes"));
         json_next(&it);) {
        if (t->out->len - began < LINES_MOST)
            add_difference(t, it.value);
        else
            left++;
    }
    if (left)
        strbuf_addf(t->out, "  and %zu more fields: format json\n", left);
}

/* Appends a change as lines: what the JSON of it says, masked as that is. */
static int add_event_lines(struct history_answer *t, const struct revision *v)
{
    /* One character more than a line has, so that a text that is cut ends in "…". */
    static const struct answer_bounds bounds = {LINE_TEXT + 1, CHANGE_MAX};
    AUTO_STRBUF json = STRBUF_INIT;
    int result = answer_revision(t->reader, &json, v, &bounds, &t->arena, t->e);
    if (!result)
        add_lines(t, v, (struct json_slice){json.buf, json.len});
    t->call->full_bytes += 2 * json.len;
    return result;
}

static int add_change(void *arg, const struct revision *v)
{
    struct history_answer *t = arg;
    struct revision shown = *v;
    bool is_visible;
    t->number--;
    arena_clear(&t->states);
    if (guard_revision(t->reader, &t->states, &shown, &is_visible, t->e) || !is_visible)
        return 1;
    if (t->number >= t->before)
        return 0;
    t->more = t->left == 0;
    if (t->more || renumber(t, &shown))
        return 1;
    size_t began = t->out->len;
    if ((t->is_json ? add_event : add_event_lines)(t, &shown))
        return 1;
    t->more = t->left < t->asked && t->out->len > (t->is_json ? EVENTS_MOST : TEXT_MOST);
    if (t->more) {
        strbuf_cut(t->out, began);
        return 1;
    }
    t->left--;
    t->last = t->number;
    return 0;
}

static int add_events(struct history_answer *t, struct error *e)
{
    t->number = INT64_MAX;
    if (count_until(t, &t->number))
        return -1;
    t->number++;
    e->code = ERROR_NONE;
    return history_walk(t->reader, t->row, add_change, t, e) || e->code != ERROR_NONE ? -1 : 0;
}

/* Adds the refs of the versions, as JSON or on a line. */
static int add_versions(struct history_answer *t, struct json_object *list, struct error *e)
{
    int64_t *rows;
    size_t count, i, began = t->out->len;
    struct memory_row m;
    if (history_versions(t->reader, &t->call->arena, t->row, &rows, &count, e))
        return -1;
    for (i = 0; count > 1 && i < count && t->out->len - began < VERSIONS_MOST; i++) {
        arena_clear(&t->arena);
        if (memory_row_read(t->reader, &t->arena, rows[i], &m, e))
            return -1;
        if (list) {
            json_item(list);
            json_add_string(t->out, ref_short(t->reader, &t->arena, m.ref));
        } else {
            strbuf_addstr(t->out, i ? ", " : "Versions, the oldest first: ");
            ref_add_visible(t->out, ref_short(t->reader, &t->arena, m.ref));
        }
    }
    if (!list && i < count && i > 0)
        strbuf_addf(t->out, " and %zu more", count - i);
    if (!list && i > 0)
        strbuf_addch(t->out, '\n');
    return 0;
}

static int add_json(struct history_answer *t, struct error *e)
{
    struct json_object o = json_begin(t->out, '{');
    json_key(&o, "events");
    t->events = json_begin(t->out, '[');
    if (add_events(t, e))
        return -1;
    json_end(&t->events);
    if (t->more)
        json_pair_int(&o, "older", t->last);
    struct json_object versions = json_open(&o, "versions", '[');
    if (add_versions(t, &versions, e))
        return -1;
    json_end(&versions);
    json_end(&o);
    return 0;
}

static int add_text(struct history_answer *t, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    bool masks = guard_masks(t->reader);
    t->out = &text;
    int result = add_events(t, e);
    if (!result && t->more)
        strbuf_addf(t->out, "There are older changes: give before: %lld.\n", (long long)t->last);
    if (!result)
        result = add_versions(t, NULL, e);
    answer_masked_in_parts(t->call, t->reader, masks);
    answer_text_alone(t->call, &text);
    return result;
}

static int add_history(struct mcp_call *call, struct reader *r, int64_t row, struct error *e)
{
    int64_t asked = given_integer(&call->given, "limit", 50);
    struct history_answer t = {.call = call,
                               .reader = r,
                               .is_json = wants_json(call),
                               .out = &call->result,
                               .row = row,
                               .before = given_integer(&call->given, "before", INT64_MAX),
                               .asked = asked,
                               .left = asked,
                               .e = e};
    int result = t.is_json ? add_json(&t, e) : add_text(&t, e);
    arena_release(&t.arena);
    arena_release(&t.states);
    return result;
}

/* A memory that was never written has no history: fails as memory_get does. A memory whose creation was undone has
 * one. */
static int check_written(struct mcp_call *call, struct reader *r, int64_t row, struct error *e)
{
    struct memory_row m;
    struct memory stub;
    if (memory_row_read(r, &call->arena, row, &m, e))
        return -1;
    return m.status == STATUS_MISSING && !m.event ? answer_read(r, &call->arena, row, &stub, e) : 0;
}

static int read_history(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t row = resolve_whole(call, r, "ref", e);
    if (row < 0 || check_written(call, r, row, e) || add_history(call, r, row, e))
        return -1;
    return answer_fits(call, "Ask for fewer changes, by limit.", e);
}

const struct mcp_tool tool_memory_history = {
    .name = "memory_history",
    .title = "What became of a memory",
    .description =
        "Lists the changes of a memory, newest first: who, when, why, what differed; and the "
        "beliefs that replaced one another.",
    .sets = TOOLSET_BIT(TOOLSET_REVIEW),
    SCHEMA(history_arguments, NULL),
    .full = history_answer,
    READS(read_history),
};
