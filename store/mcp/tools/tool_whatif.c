/* memory_whatif: a retraction that is only thought. */
#include "store/json/answer.h"
#include "store/mcp/tools/tools.h"

static const struct field arguments[] = {
    {.name = "refs",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_NONE_EMPTY | FIELD_SUBJECT,
     .longest = URI_MAX,
     .min = 1,
     .max = REFS_MAX,
     .about = "What to think of as retracted: kind:id, or beginnings of ids."},
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .about = "The same, of one."},
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = 1000000,
     .about =
         "At most so many in falls, and in weakened. Without it as many as one answer can hold."},
    FIELD_END,
};

static const struct field weakened_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "before",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Justifications that hold now."},
    {.name = "after",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Those that would still hold."},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "falls",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Refs of what stands now, and would not."},
    {.name = "falls_more",
     .type = FIELD_INTEGER,
     .about = "How many more fall than falls has; without it there are none."},
    {.name = "weakened",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = weakened_fields,
     .about = "What would still stand, on fewer justifications."},
    {.name = "weakened_more",
     .type = FIELD_INTEGER,
     .about = "How many more are weakened than weakened has; without it there are none."},
    {.name = "descends",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "How many more come from them and would lose nothing."},
    FIELD_END,
};

/* Named twice, it is retracted once. */
static int add_row(struct reader *r, const char *ref, int64_t *rows, size_t *count, struct error *e)
{
    int64_t row = ref_resolve(r, ref, e);
    if (row < 0 || check_whole(r, row, e))
        return -1;
    for (size_t i = 0; i < *count; i++)
        if (rows[i] == row)
            return 0;
    rows[(*count)++] = row;
    return 0;
}

static int whatif(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    size_t given, count = 0;
    const char **refs = take_list(&t, "refs", &given);
    const char *one = take_text(&t, "ref", NULL);
    int64_t *rows = arena_array(&call->arena, given + 1, sizeof(*rows));
    t.failed |= !rows;
    if (take_end(&t, e) || !rows)
        return -1;
    if (given == 0 && !one)
        return error_set(e, ERROR_INVALID, "Give refs, a list of what to retract in thought.",
                         "refs is missing");
    for (size_t i = 0; i < given; i++)
        if (add_row(r, refs[i], rows, &count, e))
            return -1;
    if (one && add_row(r, one, rows, &count, e))
        return -1;
    call->subject = rows[0];
    struct answer_room room = {.count = (size_t)arg_integer(call->arguments, "limit", 0),
                               .bytes = ANSWER_MAX};
    return answer_whatif(r, rows, count, &room, &call->result, e);
}

static int read_whatif(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = whatif(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_whatif = {
    .name = "memory_whatif",
    .title = "What if this were wrong?",
    .description =
        "Says what would happen if some memories were retracted: which others would fall, which "
        "would "
        "be weakened, how many merely descend from them. Nothing is written. Use it when a source "
        "turns "
        "out to be doubtful, before you tell a person, and to see how much hangs on one capture.\n"
        "Falls: it stands now, and would not. Weakened: it would still stand, on fewer "
        "justifications; "
        "before and after count those that hold. A circle does not hold itself up.\n"
        "Where very much rests on it, what the lists have no room for is counted: as many fall as "
        "falls "
        "has and falls_more says; so of weakened. With limit 1 you learn little more than how "
        "many.\n"
        "Example: {\"refs\": [\"raw:79d086c7\"]}. Several are retracted together.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_whatif,
};
