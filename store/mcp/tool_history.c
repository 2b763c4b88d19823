/* memory_history: what became of a memory. memory_propagate_confidence: what would become of what rests on it. */
#include "../../model/exchange_parts.h"
#include "../answer.h"
#include "../db.h"
#include "../guard_then.h"
#include "tools.h"

/* ---- memory_history ---- */

#define CHANGE_MAX                                                                                 \
    (ANSWER_MAX / 2)   /* bytes of one that is told whole: a page and it fit into an answer */
#define BEGINNING 2000 /* code points of a text of one that is not */

static const struct field history_arguments[] = {
    REF_FIELD,
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = 200,
     .fallback = "50",
     .about = "So many changes, the newest."},
    {.name = "before",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = 9007199254740991,
     .about = "Only those before that event: `older` of the answer before."},
    FIELD_END,
};

static const struct field change_fields[] = {
    {.name = "field", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "before",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "null: it was not there."},
    {.name = "after",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "null: it was taken away."},
    FIELD_END,
};

#define TEXT_OR_NULL(name_, about_)                                                                \
    {                                                                                              \
        .name = name_, .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE,             \
        .about = about_                                                                            \
    }

static const struct field event_fields[] = {
    {.name = "seq",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Which change of the memory it is: the first is 1."},
    {.name = "at",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Milliseconds since the epoch."},
    TEXT_OR_NULL("actor", "Who did it."),
    TEXT_OR_NULL("class", "person or agent."),
    TEXT_OR_NULL("agent", NULL),
    TEXT_OR_NULL("origin", "Through which channel: mcp, command, explorer, import."),
    {.name = "session", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    TEXT_OR_NULL("operation", "add, edit, reinforce, …"),
    TEXT_OR_NULL("ref", NULL),
    TEXT_OR_NULL("before", "A commitment to the memory before it."),
    TEXT_OR_NULL("after", "And after it."),
    TEXT_OR_NULL("reason", "Why."),
    TEXT_OR_NULL("correlation", "What was done together shares one."),
    {.name = "undoes",
     .type = FIELD_INTEGER,
     .about = "The change that it takes back, by its seq."},
    {.name = "version", .type = FIELD_INTEGER, .about = "That the memory had after it."},
    {.name = "undone_by",
     .type = FIELD_INTEGER,
     .about = "The change that took it back, by its seq."},
    {.name = "purged_by",
     .type = FIELD_INTEGER,
     .about = "The purge since then, which erased what it was: there are no changes to tell."},
    {.name = "changes",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = change_fields,
     .about = "What differed, field by field."},
    {.name = "too_large",
     .type = FIELD_INTEGER,
     .about = "The whole would take so many bytes: of each text only the beginning is given, and "
              "not every change where there are many."},
    FIELD_END,
};

static const struct field history_answer[] = {
    {.name = "events",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = event_fields,
     .about = "The newest first."},
    {.name = "older", .type = FIELD_INTEGER, .about = "There are more: give it as `before`."},
    {.name = "versions",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Refs of the beliefs that superseded one another, the oldest first; it is one of "
              "them. None: it has no other version."},
    FIELD_END,
};

struct telling {
    struct mcp_call *call;
    struct reader *reader;
    struct json_object events;
    struct arena arena;
    struct arena states; /* of the change that is looked at */
    int64_t row;
    int64_t number;       /* of the change that was looked at last */
    int64_t before, last; /* numbers; of the last that was told */
    int64_t left;
    bool more;
    struct error *e;
};

/* How many changes of the memory there were when that event had been made: its number; 0 stays 0. */
static int count_until(struct telling *t, int64_t *seq)
{
    if (*seq == 0)
        return 0;
    return db_int(reader_db(t->reader), seq, 0, t->e,
                  "SELECT count(*) FROM event WHERE subject = ? AND seq <= ?", "ii", t->row, *seq);
}

/* Changes are numbered within their memory: the journal's own numbers tell how much was written between two of them to
 * what is not seen. */
static int renumber(struct telling *t, struct revision *v)
{
    v->event.seq = t->number;
    return count_until(t, &v->event.undoes) || count_until(t, &v->undone_by) ||
                   count_until(t, &v->purged_by)
               ? -1
               : 0;
}

/* One that is too large is told by the beginnings of its texts, and says so. */
static int add_event(struct telling *t, const struct revision *v)
{
    static const struct answer_bounds bounds = {BEGINNING, PAGE_MAX / 2};
    struct strbuf *out = &t->call->result;
    json_item(&t->events);
    size_t began = out->len;
    if (answer_revision_to(t->reader, out, v, NULL, &t->arena, t->e))
        return -1;
    size_t bytes = out->len - began;
    if (bytes <= CHANGE_MAX)
        return 0;
    strbuf_cut(out, began);
    if (answer_revision_to(t->reader, out, v, &bounds, &t->arena, t->e))
        return -1;
    strbuf_cut(out, out->len - 1); /* one more member */
    strbuf_addf(out, ",\"too_large\":%zu}", bytes);
    return 0;
}

static int each(void *arg, const struct revision *v)
{
    struct telling *t = arg;
    struct strbuf *out = &t->call->result;
    struct revision told = *v;
    bool is_told;
    t->number--;
    arena_clear(&t->states);
    if (guard_revision(t->reader, &t->states, &told, &is_told, t->e) || !is_told)
        return 1;
    if (t->number >= t->before)
        return 0;
    if (t->left == 0 || out->len > PAGE_MAX) {
        t->more = true;
        return 1;
    }
    t->left--;
    t->last = t->number;
    return renumber(t, &told) || add_event(t, &told) ? 1 : 0;
}

static int add_events(struct telling *t, struct json_object *o, struct error *e)
{
    t->number = INT64_MAX;
    if (count_until(t, &t->number))
        return -1;
    t->number++;
    json_key(o, "events");
    t->events = json_begin(o->out, '[');
    e->code = ERROR_NONE;
    if (history_walk(t->reader, t->row, each, t, e) || e->code != ERROR_NONE)
        return -1;
    json_end(&t->events);
    if (t->more)
        json_pair_int(o, "older", t->last);
    return 0;
}

static int add_versions(struct telling *t, struct json_object *o, struct reader *r, int64_t row,
                        struct error *e)
{
    int64_t *rows;
    size_t count;
    struct memory_row m;
    if (history_versions(r, &t->call->arena, row, &rows, &count, e))
        return -1;
    json_key(o, "versions");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; count > 1 && i < count; i++) {
        enum sight sight;
        arena_clear(&t->arena);
        if (memory_row_read(r, &t->arena, rows[i], &m, e) ||
            guard_sight_of(r, rows[i], m.ref.kind, m.agent_id, &sight, e))
            return -1;
        if (sight != SIGHT_WHOLE)
            continue;
        json_item(&list);
        exchange_add_ref(o->out, m.ref);
    }
    json_end(&list);
    return 0;
}

static int tell_history(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct telling t = {
        .call = call, .reader = r, .arena = ARENA_INIT, .states = ARENA_INIT, .e = e};
    int64_t row = resolve_whole(call, r, "ref", e);
    t.row = row;
    t.before = arg_integer(call->arguments, "before", INT64_MAX);
    t.left = arg_integer(call->arguments, "limit", 50);
    if (row < 0)
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    int result = add_events(&t, &o, e) || add_versions(&t, &o, r, row, e) ? -1 : 0;
    json_end(&o);
    arena_release(&t.arena);
    arena_release(&t.states);
    return result || answer_fits(call, "Ask for fewer changes, by limit.", e) ? -1 : 0;
}

static int read_history(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = tell_history(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_history = {
    .name = "memory_history",
    .title = "What became of a memory",
    .description =
        "Tells each change of a memory, the newest first: who made it, when, why, and what "
        "differed "
        "field by field; and the beliefs that superseded one another. Use it to answer \"since "
        "when "
        "do I believe this, and why did it change?\", and before you correct what somebody else "
        "changed.\n"
        "It begins where you may see the memory: what it was while it was another's, or in a "
        "namespace that you may not read, is not told.\n"
        "before and after of an event are commitments of the journal, not content; `changes` says "
        "what it was. One with `undoes` took another one back.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"limit\": 5}. Where `older` is given there are "
        "more: "
        "ask again with it as `before`.",
    .arguments = history_arguments,
    .answer = history_answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_history,
};
