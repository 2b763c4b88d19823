/* The tools that change a memory itself: edit it, mark it; and seed, which adds a first belief. */
#include <math.h>
#include "store/mcp/tools/tools.h"

/* ---- memory_update ---- */

static const struct field update_arguments[] = {
    REF_FIELD,
    {.name = "text",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What it says, in place of what it said."},
    {.name = "confidence",
     .type = FIELD_NUMBER,
     .min = 0,
     .max = 1,
     .about = "How sure you are, 0 to 1."},
    {.name = "tags",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     TAG_BOUNDS,
     .about = "Its tags, in place of those it has; [] takes them away."},
    REASON_FIELD,
    {.name = "expected_version",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = 9007199254740991,
     .about = "The version you read. Where it is another by now: CONFLICT with both."},
    FIELD_END,
};

static int write_update(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct json_object o;
    struct deed d = deed_begin(call, t);
    d.q.text = take_text(&d.taking, "text", &d.q.text_len);
    d.q.confidence = arg_number(call->arguments, "confidence", NAN);
    d.q.tags_given = take_value(&d.taking, "tags").ptr != NULL;
    d.q.tags = take_list(&d.taking, "tags", &d.q.tag_count);
    d.q.expected_version = arg_integer(call->arguments, "expected_version", 0);
    if (deed_do(&d, OPERATION_EDIT, e) || deed_answer(&d, d.row, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_update = {
    .name = "memory_update",
    .title = "Correct a memory",
    .description =
        "Changes what a memory says, how sure you are of it, or its tags; what you leave out "
        "stays, "
        "and what it was is kept in the history with your reason. Use it for a slip, a better "
        "word, a "
        "tag. When you learned something that changes what you believe, memory_supersede keeps "
        "both "
        "statements apart, and memory_reinforce raises a confidence by evidence.\n"
        "Give expected_version, the version that memory_get told you: if somebody changed it "
        "since, "
        "nothing is lost; you get CONFLICT, whose details hold `expected` (as it was, or null) and "
        "`present`, and can decide anew. What a person protected, verified, retracted or "
        "quarantined "
        "is PERMISSION_DENIED.\n"
        "Example: {\"ref\": \"note:1c2f1a30\", \"tags\": [\"deploys\"], \"expected_version\": 2, "
        "\"reason\": \"to find it by\"} → {\"ref\": \"note:…\", \"version\": 3}.",
    .arguments = update_arguments,
    .answer = changed_fields,
    .hints = HINT_DESTRUCTIVE | HINT_IDEMPOTENT,
    .work = WORK_WRITE,
    .write = write_update,
};

/* ---- memory_mark ---- */

static const struct field mark_arguments[] = {
    REF_FIELD,
    {.name = "mark",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
     .longest = 60,
     .about = "One word: reviewed, for_review, poisoned, quarantined, rating, faithful, or your "
              "own."},
    {.name = "value",
     .type = FIELD_STRING,
     .longest = SHORT_MAX,
     .about = "Of a rating: how good, as you write it; of one source of a step: document:ID "
              "relevant, or irrelevant. Of faithful: yes or no."},
    REASON_FIELD,
    FIELD_END,
};

static int write_mark(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct json_object o;
    struct deed d = deed_begin(call, t);
    d.q.mark = take_text(&d.taking, "mark", NULL);
    d.q.value = take_text(&d.taking, "value", NULL);
    if (deed_do(&d, OPERATION_MARK, e) || deed_answer(&d, d.row, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_mark = {
    .name = "memory_mark",
    .title = "Say a word on a memory",
    .description =
        "Puts a mark on a memory: your word on it, with the time and your reason, for the person "
        "who "
        "reviews and for other agents. It changes nothing that the memory says, nor its status. "
        "for_review asks a person to look; poisoned says that a source seems to be planted or "
        "false; "
        "rating with a value says how good a source was, of a step of reasoning for each of its "
        "sources (\"document:ID relevant\", or irrelevant); faithful yes or no, whether a step "
        "keeps "
        "to its sources.\n"
        "The same mark by you with another value takes your former one back; the same again "
        "changes "
        "nothing and says so in `left`.\n"
        "Example: {\"ref\": \"attribution:9b2d\", \"mark\": \"for_review\", \"reason\": \"the page "
        "contradicts itself\"}.",
    .arguments = mark_arguments,
    .answer = changed_fields,
    .hints = HINT_IDEMPOTENT,
    .work = WORK_WRITE,
    .write = write_mark,
};

/* ---- memory_seed ---- */

static const struct field seed_arguments[] = {
    {.name = "statement",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "The belief."},
    {.name = "confidence",
     .type = FIELD_NUMBER,
     .min = 0,
     .max = 1,
     .about = "0 to 1. Without it, 0.8."},
    TAGS_FIELD,
    FIELD_END,
};

static int write_seed(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct json_object o;
    struct deed d = deed_begin(call, t);
    struct seed seed = {.confidence = arg_number(call->arguments, "confidence", NAN)};
    seed.text = take_text(&d.taking, "statement", &seed.len);
    seed.tags = take_list(&d.taking, "tags", &seed.tag_count);
    d.q.seeds = &seed;
    d.q.seed_count = 1;
    if (deed_do(&d, OPERATION_SEED, e))
        return -1;
    const struct memory *m = deed_added(&d);
    call->subject = m ? m->node : 0;
    if (!m || deed_answer(&d, m->node, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_seed = {
    .name = "memory_seed",
    .title = "Add a seed belief",
    .description =
        "Adds a belief that you were given at the start rather than formed: a principle, a rule of "
        "the house, who you are. It is recorded as such (source type seed, source "
        "seed-initialization, type foundational, annotation kernle:seed-beliefs), so that nobody "
        "takes it for experience. Use it once, when an agent's memory is set up. For what you "
        "learn "
        "later use memory_belief and say what it rests on.\n"
        "Example: {\"statement\": \"Care before speed\", \"confidence\": 0.85, \"tags\": "
        "[\"values\"]} → {\"ref\": \"belief:…\", \"version\": 1}. Calling it again adds another.",
    .arguments = seed_arguments,
    .answer = changed_fields,
    .work = WORK_WRITE,
    .write = write_seed,
};
