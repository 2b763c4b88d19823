/* memory_propagate_confidence: what rests on a memory is no surer than it can be. Doing it is a person's. */
#include "store/json/answer.h"
#include "store/mcp/tools/tools.h"

static const struct field arguments[] = {REF_FIELD, FIELD_END};

static const struct field weakened_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "before", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    {.name = "after", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static const struct field change_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "operation", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "version",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "That it would be at."},
    {.name = "reason", .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "before",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED | FIELD_OPEN,
     .about = "What differs, as it is: {\"confidence\": 0.9}."},
    {.name = "after",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED | FIELD_OPEN,
     .about = "As it would be: {\"confidence\": 0.7, \"history\": […]}."},
    FIELD_END,
};

/* As `stemma propagate --dry-run --json` says it. */
static const struct field answer[] = {
    {.name = "operation", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "done",
     .type = FIELD_BOOLEAN,
     .flags = FIELD_REQUIRED,
     .about = "Always false: nothing was changed."},
    {.name = "changes",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = change_fields,
     .about = "What would be lowered."},
    {.name = "falls", .type = FIELD_ARRAY, .of = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "weakened",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = weakened_fields},
    {.name = "descends", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    {.name = "left",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "What would be left as it is though it rests on it, and why."},
    {.name = "remarks", .type = FIELD_ARRAY, .of = FIELD_STRING, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static int preview(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct plan p;
    struct request q = REQUEST_INIT;
    /* What a person would do: nothing is written, so that nobody's leave is needed. */
    struct actor person = call->actor;
    int64_t row = resolve_whole(call, r, "ref", e);
    person.class = ACTOR_PERSON;
    q.nodes = &row;
    q.node_count = 1;
    if (row < 0 || operation_preview(r, &person, OPERATION_PROPAGATE, &q, &call->arena, &p, e))
        return -1;
    const struct answer to = {.out = &call->result, .reader = r};
    return answer_plan(&to, "propagate", &p, false, e) ||
                   answer_fits(call, "Ask about a memory that carries less.", e)
               ? -1
               : 0;
}

static int read_preview(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = preview(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_propagate_confidence = {
    .name = "memory_propagate_confidence",
    .title = "How sure can what rests on it be?",
    .description =
        "Shows what would change if confidence were propagated from a memory to all that rests on "
        "it: nothing can be surer than its strongest justification, and that is as strong as its "
        "weakest antecedent. Nothing rises and nothing is written; carrying it out is a person's "
        "(`stemma propagate`). Use it when a source lost confidence, to tell which of your beliefs "
        "are now surer than what they rest on.\n"
        "left: what rests on itself, or has no justification that holds, is left as it is.\n"
        "Example: {\"ref\": \"episode:65f767ba\"} → {\"done\": false, \"changes\": [{\"ref\": "
        "\"belief:…\", \"before\": {\"confidence\": 0.9}, \"after\": {\"confidence\": 0.7, …}}], "
        "…}.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_preview,
};
