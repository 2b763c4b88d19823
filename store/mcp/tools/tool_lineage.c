/* memory_lineage: what a memory rests on, or carries. */
#include "store/json/answer.h"
#include "store/mcp/tools/tools.h"

static const struct field arguments[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .about = "kind:id, or the beginning of an id where it is unique."},
    {.name = "direction",
     .type = FIELD_STRING,
     .choice = one_direction,
     .about =
         "ancestors: what it rests on; descendants: what rests on it. Without it ancestors, and of "
         "a raw capture descendants."},
    {.name = "depth",
     .type = FIELD_INTEGER,
     .min = 0,
     .max = 1000000,
     .fallback = "20",
     .about = "So many steps; what lies deeper is counted in `cut`."},
    FIELD_END,
};

static const struct field node_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "depth",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "The shortest distance; 0 is the memory asked about."},
    {.name = "text", .type = FIELD_STRING},
    {.name = "text_cut",
     .type = FIELD_BOOLEAN,
     .about = "It is only the beginning; memory_get gives the whole."},
    {.name = "label", .type = FIELD_STRING},
    {.name = "status", .type = FIELD_STRING},
    {.name = "agent_id", .type = FIELD_STRING, .about = "Of one that is withheld: whose it is."},
    {.name = "withheld",
     .type = FIELD_BOOLEAN,
     .about = "It is another agent's: no more is told of it, nor what it rests on."},
    {.name = "missing", .type = FIELD_BOOLEAN, .about = "It is named, and was never written."},
    FIELD_END,
};

static const struct field link_fields[] = {
    {.name = "from",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "It rests on `to`, whatever the direction asked for."},
    {.name = "to", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "role", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "reading", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "justification",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Links of `from` with the same number were given together."},
    {.name = "recorded", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "nodes",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = node_fields,
     .about = "Each once, the nearest first."},
    {.name = "links",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = link_fields},
    {.name = "cut",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "How many more there are than nodes has, deeper than depth or for want of room; 0: "
              "this is all."},
    {.name = "nodes_more",
     .type = FIELD_INTEGER,
     .about = "How many of those in cut lie no deeper than depth: one answer has no room for more, "
              "whatever the depth. Without it none do."},
    {.name = "cycles",
     .type = FIELD_ARRAY,
     .of = FIELD_ARRAY,
     .flags = FIELD_REQUIRED,
     .about = "Circles, each the refs on it."},
    {.name = "cycles_more",
     .type = FIELD_INTEGER,
     .about = "How many more circles there are than cycles has; without it there are none."},
    FIELD_END,
};

/* A capture that rests on nothing: its lineage is what was made from it. */
static int is_source(struct mcp_call *call, struct reader *r, int64_t row, bool *source,
                     struct error *e)
{
    struct memory m;
    enum sight sight;
    *source = false;
    if (guard_sight(r, row, &sight, e))
        return -1;
    if (sight != SIGHT_WHOLE)
        return 0;
    if (memory_read(r, &call->arena, row, &m, e) || guard_memory(r, &call->arena, &m, e))
        return -1;
    *source = m.ref.kind == KIND_RAW && m.justification_count == 0;
    return 0;
}

static int lineage(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    int direction = take_choice(&t, "direction", one_direction, -1);
    int64_t depth = arg_integer(call->arguments, "depth", 20);
    int64_t row = resolve_argument(call, r, "ref", e);
    bool source = false;
    if (row < 0 || take_end(&t, e) || (direction < 0 && is_source(call, r, row, &source, e)))
        return -1;
    if (direction < 0)
        direction = source ? DESCENDANTS : ANCESTORS;
    return answer_lineage(r, row, (enum direction)direction, (uint32_t)depth, ANSWER_MAX,
                          &call->result, e);
}

static int read_lineage(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = lineage(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_lineage = {
    .name = "memory_lineage",
    .title = "Trace a memory",
    .description =
        "Shows what a memory rests on, down to the captures and retrievals at its roots, or what "
        "rests "
        "on it. Use ancestors to answer \"why do I believe this?\" and to check that a belief has "
        "sources you trust; use descendants before you change or doubt something, to see what it "
        "carries.\n"
        "nodes: the memories met, each once. links: `from` rests on `to`. A link whose `recorded` "
        "is not "
        "\"recorded\" was guessed. cut: how many lie deeper than depth. cycles: circles of "
        "support, which hold nothing up. Where there is very much, the nearest are told, and cut "
        "counts the others too.\n"
        "Example: {\"ref\": \"belief:54c5507f\", \"direction\": \"ancestors\"}. A raw capture "
        "rests on "
        "nothing: without a direction you get what was made from it.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_lineage,
};
