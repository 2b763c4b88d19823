/* The tool memory_history: the changes of a memory, newest first. */
#include "model/format/memory_json.h"
#include "store/json/answer.h"
#include "store/history/history.h"
#include "store/db/reader.h"
#include "store/mcp/tools/tools.h"
#include "store/query/list.h"
#include "store/record/get.h"

/* Maximum bytes of a complete change: a page and one change fit into an answer. */
#define CHANGE_MAX (ANSWER_MAX / 2)
#define BEGINNING  2000 /* code points of a text in a change that is cut */

static const struct field history_arguments[] = {
    REF_FIELD,
    OPTIONAL("limit", INTEGER, NULL, .min = 1, .max = 200, .fallback = "50"),
    OPTIONAL("before", INTEGER, "`older` of the answer before.", .min = 1, .max = WHOLE_MAX),
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
    OR_NULL("class", STRING, "person or agent."),
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
    OPTIONAL("version", INTEGER, "That the memory had after it."),
    OPTIONAL("undone_by", INTEGER, "The change that took it back, by its seq."),
    OPTIONAL("purged_by", INTEGER, "The purge since then, which erased what it was."),
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
    struct json_object events;
    struct arena arena;
    struct arena states; /* for the current change */
    int64_t row;
    int64_t number;       /* number of the current change within its memory */
    int64_t before, last; /* numbers of changes: the argument `before`, and the last one answered */
    int64_t left;
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
    v->event.seq = t->number;
    return count_until(t, &v->event.undoes) || count_until(t, &v->undone_by) ||
                   count_until(t, &v->purged_by)
               ? -1
               : 0;
}

/* Appends a change. If it is too large, only the beginnings of its texts are written, and its size. */
static int add_event(struct history_answer *t, const struct revision *v)
{
    static const struct answer_bounds bounds = {BEGINNING, PAGE_MAX / 2};
    struct strbuf *out = &t->call->result;
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

static int add_change(void *arg, const struct revision *v)
{
    struct history_answer *t = arg;
    struct strbuf *out = &t->call->result;
    struct revision shown = *v;
    bool is_visible;
    t->number--;
    arena_clear(&t->states);
    if (guard_revision(t->reader, &t->states, &shown, &is_visible, t->e) || !is_visible)
        return 1;
    if (t->number >= t->before)
        return 0;
    if (t->left == 0 || out->len > PAGE_MAX) {
        t->more = true;
        return 1;
    }
    t->left--;
    t->last = t->number;
    return renumber(t, &shown) || add_event(t, &shown) ? 1 : 0;
}

static int add_events(struct history_answer *t, struct json_object *o, struct error *e)
{
    t->number = INT64_MAX;
    if (count_until(t, &t->number))
        return -1;
    t->number++;
    json_key(o, "events");
    t->events = json_begin(o->out, '[');
    e->code = ERROR_NONE;
    if (history_walk(t->reader, t->row, add_change, t, e) || e->code != ERROR_NONE)
        return -1;
    json_end(&t->events);
    if (t->more)
        json_pair_int(o, "older", t->last);
    return 0;
}

static int add_versions(struct history_answer *t, struct json_object *o, struct reader *r,
                        int64_t row, struct error *e)
{
    int64_t *rows;
    size_t count;
    struct memory_row m;
    if (history_versions(r, &t->call->arena, row, &rows, &count, e))
        return -1;
    struct json_object list = json_open(o, "versions", '[');
    for (size_t i = 0; count > 1 && i < count; i++) {
        arena_clear(&t->arena);
        if (memory_row_read(r, &t->arena, rows[i], &m, e))
            return -1;
        json_item(&list);
        memory_json_add_ref(o->out, m.ref);
    }
    json_end(&list);
    return 0;
}

static int add_history(struct mcp_call *call, struct reader *r, int64_t row, struct error *e)
{
    struct history_answer t = {.call = call,
                               .reader = r,
                               .row = row,
                               .before = given_integer(&call->given, "before", INT64_MAX),
                               .left = given_integer(&call->given, "limit", 50),
                               .e = e};
    struct json_object o = json_begin(&call->result, '{');
    int result = add_events(&t, &o, e) || add_versions(&t, &o, r, row, e) ? -1 : 0;
    json_end(&o);
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
    SCHEMA(history_arguments, history_answer),
    READS(read_history),
};
