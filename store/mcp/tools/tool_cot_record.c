/* cot_record: a chain of thought that is done already, all of it at once. */
#include "store/reasoning/reasoning.h"
#include "store/mcp/tools/reasoning_forms.h"

#define STEPS_MAX 10000

static const struct field step_fields[] = {STEP_FIELDS(FIELD_REQUIRED), FIELD_END};

static const struct field arguments[] = {
    {.name = "original_question",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What was to be answered."},
    {.name = "final_answer",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What the chain came to."},
    {.name = "reasoning_steps",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED | FIELD_TAUGHT | FIELD_OPEN,
     .max = STEPS_MAX,
     .fields = step_fields,
     .about = "The steps, each with its sources: source_attributions where there are any, else "
              "context_used."},
    {.name = "source_summary",
     .type = FIELD_OBJECT,
     .flags = FIELD_NULLABLE,
     .about = "As your own system made it: compared with what the steps say, never kept."},
    {.name = "total_confidence",
     .type = FIELD_NUMBER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = 1,
     .about = "How sure you are of the answer. Without it, the mean of the steps'."},
    {.name = "token_usage",
     .type = FIELD_ANY,
     .flags = FIELD_NULLABLE,
     .about = "Tokens it took: a number, or an object of them."},
    {.name = "total_execution_time",
     .type = FIELD_NUMBER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = INFINITY,
     .about = "Seconds it took. Without it, the sum of the steps'."},
    {.name = "reasoning_strategy",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE,
     .longest = SHORT_MAX,
     .about = "decomposition, iterative, hierarchical, …"},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY | FIELD_NULLABLE | FIELD_SEEN,
     .longest = AGENT_NAME_MAX,
     .about = "Who reasoned. Without it, you."},
    FIELD_END,
};

static const struct field answer_fields[] = {
    WRITTEN_CHAIN_FIELDS,
    {.name = "refused",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .fields = refused_in_step_fields,
     .about = "Sources that could not be taken, by step and place; the others stand."},
    {.name = "differences",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .about = "Where the source_summary that you gave says otherwise than the steps do."},
    SOURCES_LEFT_OUT_FIELDS,
    {.name = "refused_left_out",
     .type = FIELD_INTEGER,
     .about = "So many more were refused, or differ, than an answer has room for."},
    FIELD_END,
};

/* Of the two lists together. */
#define LISTED_MAX (ANSWER_MAX / 8 * 7)

static size_t add_refused_sources(struct json_object *o, const struct chain_recorded *recorded)
{
    size_t i = 0;
    if (recorded->refused_count == 0)
        return 0;
    json_key(o, "refused");
    struct json_object list = json_begin(o->out, '[');
    for (; i < recorded->refused_count && o->out->len < LISTED_MAX; i++) {
        const struct recorded_refusal *refused = &recorded->refused[i];
        json_item(&list);
        struct json_object item = json_begin(o->out, '{');
        json_pair_int(&item, "step_number", refused->step_number);
        json_pair_int(&item, "index", (int64_t)refused->refusal.index);
        json_pair(&item, "reason", refused->refusal.reason);
        json_end(&item);
    }
    json_end(&list);
    return recorded->refused_count - i;
}

static size_t add_differences(struct json_object *o, const struct chain_recorded *recorded)
{
    size_t i = 0;
    if (recorded->difference_count == 0)
        return 0;
    json_key(o, "differences");
    struct json_object list = json_begin(o->out, '[');
    for (; i < recorded->difference_count && o->out->len < LISTED_MAX; i++) {
        json_item(&list);
        json_add_string(o->out, recorded->differences[i]);
    }
    json_end(&list);
    return recorded->difference_count - i;
}

static int answer_recorded(struct mcp_call *call, struct txn *t,
                           const struct chain_recorded *recorded, struct error *e)
{
    struct json_object o = json_begin(&call->result, '{');
    if (add_written_chain(call, t, recorded->chain.node, &o, e))
        return -1;
    size_t left = add_refused_sources(&o, recorded);
    left += add_differences(&o, recorded);
    if (left)
        json_pair_int(&o, "refused_left_out", (int64_t)left);
    json_end(&o);
    return 0;
}

/* The output itself: whose it is stands beside it, and is no part of what is kept of it. */
static struct json_slice without_agent(struct taking *t)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    for (struct json_each it = json_each(t->arguments); json_next(&it);) {
        if (json_key_is(it.key, "agent_id"))
            continue;
        json_item(&o);
        strbuf_addch(&out, '"');
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        strbuf_add(&out, it.value.ptr, it.value.len);
    }
    json_end(&o);
    struct json_slice whole = {arena_strndup(t->arena, out.buf, out.len), out.len};
    t->failed |= out.failed || !whole.ptr;
    strbuf_release(&out);
    return whole;
}

static int write_record(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    const char *agent = take_text(&taking, "agent_id", NULL);
    struct actor actor = actor_of(call, agent);
    struct chain_recorded recorded;
    bool named = json_member(call->arguments.ptr, call->arguments.len, "agent_id").ptr;
    struct json_slice whole = named ? without_agent(&taking) : call->arguments;
    if (take_end(&taking, e) ||
        chain_record(t, &actor, "add", whole, agent, &call->arena, &recorded, e))
        return -1;
    warn_refused(call, recorded.refused_count);
    return answer_recorded(call, t, &recorded, e);
}

const struct mcp_tool tool_cot_record = {
    .name = "cot_record",
    .title = "Record a whole chain of thought",
    .description =
        "Records a chain of thought that is done: its question, its answer, and every step with "
        "the "
        "documents it used, in one piece. The arguments are what chain-of-thought services put out "
        "(ChainOfThoughtOutput): give such an output as it is. To be seen while you reason, use "
        "cot_begin, cot_step and cot_finish instead.\n"
        "The scores in source_attributions count as asserted by you, unless score_origin says "
        "\"measured\" of one that a retrieval gave. A step without source_attributions has its "
        "sources from context_used. Optional ones may be left out or null; further members of "
        "steps "
        "and sources are passed over.\n"
        "What is wrong with the chain or with a step (a step_number twice, a confidence above 1) "
        "refuses all of it, naming the step; a source that is wrong is refused by itself, and is "
        "in "
        "`refused` with its step. A source_summary is compared with what the steps say: "
        "`differences`.\n"
        "Example: {\"original_question\": \"Why was build 512 slow?\", \"final_answer\": \"The "
        "cache "
        "was lost.\", \"reasoning_steps\": [{\"step_number\": 1, \"question\": \"Which stage?\", "
        "\"intermediate_answer\": \"Linking\", \"confidence_score\": 0.8, \"source_attributions\": "
        "[{\"document_id\": \"ci-8841\", \"document_title\": \"CI log 8841\", \"relevance_score\": "
        "0.92, \"excerpt\": \"link: 71 s\", \"chunk_index\": 0, \"retrieval_rank\": 1}]}], "
        "\"reasoning_strategy\": \"decomposition\"}",
    .arguments = arguments,
    .answer = answer_fields,
    .work = WORK_WRITE,
    .write = write_record,
};
