/* The tools that record a chain of thought: cot_begin, cot_step, cot_finish, cot_record. */
#include "model/format/memory_json.h"
#include "store/reasoning/chain.h"
#include "store/guard/guard.h"
#include "store/txn/txn.h"
#include "store/mcp/tools/tools.h"
#include "store/query/list.h"
#include "store/reasoning/reasoning.h"
#include "store/record/get.h"

#define MODEL_FIELD NULLABLE("model", STRING, NULL, .longest = SHORT_MAX)
#define CHAIN_FIELD REF_ARGUMENT("chain", "chain:ID")
/* Arguments of a step, for cot_step and for the steps of cot_record. */
#define STEP_FIELDS(required_)                                                                     \
    FIELD("step_number", INTEGER, required_, "From 1", .min = 1, .max = WHOLE_MAX),                \
        FIELD("question", STRING, required_ | FIELD_NOT_EMPTY | FIELD_TEXT, NULL),                 \
        FIELD("intermediate_answer", STRING, FIELD_NULLABLE | FIELD_TEXT, NULL),                   \
        FIELD("reasoning_trace", STRING, FIELD_NULLABLE | FIELD_TEXT, NULL),                       \
        NULLABLE("confidence_score", NUMBER, "0 to 1", UNIT),                                      \
        NULLABLE("execution_time", NUMBER, "seconds", SECONDS),                                    \
        NULLABLE("token_usage", NUMBERS, NULL), MODEL_FIELD,                                       \
        TEXTS("context_used", FIELD_NULLABLE | FIELD_CHECKED_BY_TOOL,                              \
              "Texts; \"id:NAME \" in front names the document.", .max = SOURCES_MAX),             \
        OBJECTS("source_attributions", FIELD_NULLABLE | FIELD_CHECKED_BY_TOOL | FIELD_OPEN,        \
                recorded_source_fields, NULL, .max = SOURCES_MAX)

/* Answer for a chain that was just written. */
#define WRITTEN_CHAIN_FIELDS                                                                       \
    NEEDED("ref", STRING, "chain:ID."), NEEDED("version", INTEGER, NULL),                          \
        NEEDED("steps", INTEGER, "How many the answer is based on."),                              \
        OR_NULL("total_confidence", NUMBER, "null where no step said how sure it was."),           \
        NEEDED("source_summary", OBJECT, "Which documents the chain used.",                        \
               .fields = summary_fields)

/* A chain as its transaction wrote it, because `encode` reads nothing after the commit. */
struct written_chain {
    struct memory_row row;
    struct chain chain;
    struct chain_recorded recorded; /* for cot_record, else empty */
};

static void add_chain(struct mcp_call *call, const struct chain *c, struct json_object *o)
{
    struct source_summary summary;
    struct summary_cut cut;
    source_summarise(&summary, &call->arena, chain_step_sources(c, &call->arena), c->step_count);
    json_pair_int(o, "steps", (int64_t)c->step_count);
    json_pair_double(o, "total_confidence", c->confidence);
    json_key(o, "source_summary");
    add_summary(o->out, &summary, false, true, &cut);
    add_summary_cut(o, &cut);
}

static int keep_chain(struct mcp_call *call, struct txn *t, int64_t row, struct written_chain *w,
                      struct error *e)
{
    struct reader *r = txn_reader(t, e);
    if (!r || memory_row_read(r, &call->arena, row, &w->row, e) ||
        chain_read(r, &call->arena, row, &w->chain, e))
        return -1;
    call->subject = row;
    call->done = w;
    return 0;
}

/* ---- chains as answers ---- */

static int write_within(struct reader *r, int64_t node, const struct chain_part *part,
                        struct strbuf *out, struct error *e)
{
    struct chain_cut cut;
    if (chain_write_part(r, node, part, &cut, out, e))
        return -1;
    strbuf_cut(out, out->len - 1);
    struct json_object o = {out, '}', true};
    add_summary_cut(&o, &(struct summary_cut){cut.excerpts, cut.sources});
    json_pair_true_if(&o, "texts_cut", cut.texts);
    if (cut.steps) {
        json_pair_int(&o, "steps_left_out", (int64_t)cut.steps);
        json_pair_int(&o, "next", (int64_t)(part->offset + cut.given));
    }
    json_end(&o);
    return 0;
}

int add_reasoning(struct reader *r, int64_t node, bool excerpts, size_t offset, struct strbuf *out,
                  struct error *e)
{
    struct chain_part part = {.excerpts = excerpts, .offset = offset, .most = ANSWER_MAX - 200};
    return write_within(r, node, &part, out, e);
}

int add_displayed(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                  struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct chain c;
    struct source_summary summary;
    struct summary_cut cut;
    int result = chain_read(r, &arena, node, &c, e);
    if (result == 0) {
        source_summarise(&summary, &arena, chain_step_sources(&c, &arena), c.step_count);
        add_summary(out, &summary, true, excerpts, &cut);
        strbuf_cut(out, out->len - 1); /* reopen the object for more members */
        struct json_object o = {out, '}', true};
        add_summary_cut(&o, &cut);
        json_end(&o);
    }
    return result;
}

/* ---- cot_begin, cot_step, cot_finish: recording while reasoning ---- */

#define AGENT_FIELD AGENT_ID(FIELD_NULLABLE, NULL)

/* The row of the chain in the arguments, or -1 and sets `e`. */
static int64_t find_chain(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct reader *r = txn_reader(t, e);
    return r ? resolve_whole(call, r, "chain", e) : -1;
}

static const struct field begin_arguments[] = {
    PROSE("question", NULL),
    AGENT_FIELD,
    NULLABLE("strategy", STRING, "decomposition, iterative, hierarchical, …", .longest = SHORT_MAX),
    MODEL_FIELD,
    FIELD_END,
};

static const struct field begun_fields[] = {
    NEEDED("ref", STRING, "chain:ID, for cot_step and cot_finish."),
    NEEDED("version", INTEGER, NULL),
    FIELD_END,
};

static int write_begin(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct chain_start start = {.agent_id = given_text(&call->given, "agent_id", NULL),
                                .strategy = given_text(&call->given, "strategy", NULL),
                                .model = given_text(&call->given, "model", NULL)};
    struct added *added = arena_alloc(&call->arena, sizeof(*added));
    start.question = given_text(&call->given, "question", &start.question_len);
    if (chain_begin(t, &call->actor, &start, &call->arena, added, e))
        return -1;
    return keep_added(call, added);
}

const struct mcp_tool tool_cot_begin = {
    .name = "cot_begin",
    .title = "Begin to reason",
    .description =
        "Begins a chain of thought: a question that you answer in steps, each with the documents "
        "that it used. Then cot_step after each step, cot_finish at the end. For a finished "
        "chain use cot_record.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(begin_arguments, begun_fields),
    WRITES(0, write_begin, encode_added),
};

static const struct field step_arguments[] = {
    CHAIN_FIELD,
    STEP_FIELDS(FIELD_REQUIRED),
    OBJECTS("retrieved_documents", FIELD_NULLABLE | FIELD_CHECKED_BY_TOOL | FIELD_OPEN,
            search_result_fields, "Best first.", .max = SOURCES_MAX),
    NULLABLE("replace", BOOLEAN, "Replaces the sources of a step that is there."),
    AGENT_FIELD,
    FIELD_END,
};

static const struct field ended_fields[] = {
    NEEDED("ref", STRING, NULL),
    NEEDED("status", STRING, NULL),
    FIELD_END,
};

static const struct field cot_step_fields[] = {
    NEEDED("ref", STRING, "step:ID, to be given as derived_from of what you conclude from it."),
    NEEDED("version", INTEGER, NULL),
    OBJECTS("sources", FIELD_REQUIRED, source_fields, "As they were taken, in their order."),
    REFUSED_FIELD,
    TEXTS("unresolved", 0, "`attribution`s that name nothing yet: check them for slips."),
    OBJECTS("gone", 0, ended_fields,
            "What it is based on that was retracted, forgotten or deleted."),
    OPTIONAL("left_out", INTEGER, "So many more of these lists are kept."),
    FIELD_END,
};

static struct step_given take_step(const struct given *t, const struct contexts *contexts)
{
    struct step_given step = {
        .number = given_integer(t, "step_number", 0),
        .confidence = given_number(t, "confidence_score"),
        .execution_time = given_number(t, "execution_time"),
        .token_usage = given_value(t, "token_usage"),
        .model = given_text(t, "model", NULL),
        .results = given_value(t, "retrieved_documents"),
        .attributions = given_value(t, "source_attributions"),
        .contexts = contexts->text,
        .context_count = contexts->count,
    };
    step.question = given_text(t, "question", &step.question_len);
    step.answer = given_text(t, "intermediate_answer", &step.answer_len);
    step.trace = given_text(t, "reasoning_trace", &step.trace_len);
    return step;
}

static bool is_listed(const struct antecedent *const *list, size_t count, int64_t node)
{
    while (count-- > 0)
        if (list[count]->node == node)
            return true;
    return false;
}

/* The sources of the step that were retracted, forgotten or deleted, each once. */
static int find_ended_sources(struct reader *r, const struct memory *step, struct arena *arena,
                              const struct antecedent ***found, size_t *count, struct error *e)
{
    size_t most = 0;
    enum visibility visibility;
    *count = 0;
    for (size_t i = 0; i < step->justification_count; i++)
        most += step->justifications[i].count;
    const struct antecedent **ended = *found = arena_array(arena, most + 1, sizeof(*ended));
    for (size_t i = 0; i < step->justification_count; i++)
        for (size_t k = 0; k < step->justifications[i].count; k++) {
            const struct antecedent *a = &step->justifications[i].antecedents[k];
            if (a->status == STATUS_MISSING || STATUS_LIVES(a->status) ||
                is_listed(ended, *count, a->node))
                continue;
            if (guard_visibility(r, a->node, &visibility, e))
                return -1;
            if (visibility == VISIBLE_WHOLE)
                ended[(*count)++] = a;
        }
    return 0;
}

static void ended_item(struct json_object *list, const void *ended, size_t i)
{
    const struct antecedent *a = ((const struct antecedent *const *)ended)[i];
    struct json_object item = json_item_open(list, '{');
    memory_json_pair_ref(&item, "ref", a->ref);
    json_pair(&item, "status", status_name(a->status));
    json_end(&item);
}

/* The outcome of cot_step. */
struct written_step {
    struct step_added added;
    struct contexts contexts;
    const struct antecedent **ended;
    size_t ended_count;
};

static void encode_step(struct mcp_call *call)
{
    const struct written_step *w = call->done;
    const struct source_list *sources = &w->added.sources;
    size_t left = 0;
    struct json_object o = begin_written(call, w->added.step.ref, w->added.step.version);
    add_sources(&o, "sources", sources->source, sources->count, &left);
    add_refused(&o, w->contexts.refused, w->contexts.refused_count, sources->refused,
                sources->refused_count, &left);
    add_texts(&o, "unresolved", w->added.unresolved, w->added.unresolved_count, LIST_MAX, &left);
    add_items(&o, "gone", w->ended, w->ended_count, ended_item, LIST_MAX, &left);
    add_left_out(&o, left);
    json_end(&o);
    warn_refused(call, w->contexts.refused_count + sources->refused_count);
}

static int write_step(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct written_step *w = arena_alloc(&call->arena, sizeof(*w));
    w->contexts = take_contexts(call, "context_used");
    struct step_given step = take_step(&call->given, &w->contexts);
    struct memory added;
    struct reader *r = txn_reader(t, e);
    int64_t chain = r ? find_chain(call, t, e) : -1;
    bool other = given_bool(&call->given, "replace", false);
    if (chain < 0 ||
        (other ? chain_replace_sources : chain_add_step)(t, &call->actor, chain, &step,
                                                         &call->arena, &w->added, e) ||
        memory_read(r, &call->arena, w->added.step.node, &added, e) ||
        find_ended_sources(r, &added, &call->arena, &w->ended, &w->ended_count, e))
        return -1;
    call->subject = w->added.step.node;
    call->done = w;
    return 0;
}

const struct mcp_tool tool_cot_step = {
    .name = "cot_step",
    .title = "Record a step of reasoning",
    .description =
        "Adds a step with its sources: retrieved_documents as the search returned them (scores "
        "count as measured), context_used for bare texts (guessed), or source_attributions as "
        "you judge them (asserted). A source that cannot be taken is in `refused`; the others "
        "stand. For a belief from this step give derived_from [\"step:ID\"].",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(step_arguments, cot_step_fields),
    WRITES(0, write_step, encode_step),
};

static const struct field finish_arguments[] = {
    CHAIN_FIELD,
    PROSE("final_answer", NULL),
    NULLABLE("total_confidence", NUMBER, "Default: the mean of the steps.", UNIT),
    NULLABLE("total_execution_time", NUMBER, "Seconds; default: the sum of the steps.", SECONDS),
    AGENT_FIELD,
    FIELD_END,
};

static const struct field finished_fields[] = {
    WRITTEN_CHAIN_FIELDS,
    SOURCES_LEFT_OUT_FIELDS,
    FIELD_END,
};

#define LISTED_MAX (ANSWER_MAX / 8 * 7) /* for both lists together */

static void refused_item(struct json_object *list, const void *refusals, size_t i)
{
    const struct recorded_refusal *refused = (const struct recorded_refusal *)refusals + i;
    struct json_object item = json_item_open(list, '{');
    json_pair_int(&item, "step_number", refused->step_number);
    json_pair_int(&item, "index", (int64_t)refused->refusal.index);
    json_pair(&item, "reason", refused->refusal.reason);
    json_end(&item);
}

static void encode_chain(struct mcp_call *call)
{
    const struct written_chain *w = call->done;
    size_t left = 0;
    struct json_object o = begin_written(call, w->row.ref, w->row.version);
    add_chain(call, &w->chain, &o);
    add_items(&o, "refused", w->recorded.refused, w->recorded.refused_count, refused_item,
              LISTED_MAX, &left);
    add_texts(&o, "differences", w->recorded.differences, w->recorded.difference_count, LISTED_MAX,
              &left);
    json_pair_int_if(&o, "refused_left_out", (int64_t)left);
    json_end(&o);
    warn_refused(call, w->recorded.refused_count);
}

static int write_finish(struct mcp_call *call, struct txn *t, struct error *e)
{
    size_t len;
    const char *final_answer = given_text(&call->given, "final_answer", &len);
    double confidence = given_number(&call->given, "total_confidence");
    double time = given_number(&call->given, "total_execution_time");
    struct written_chain *w = arena_alloc(&call->arena, sizeof(*w));
    int64_t chain = find_chain(call, t, e);
    if (chain < 0 ||
        chain_finish(t, &call->actor, chain, final_answer, len, confidence, time, &call->arena, e))
        return -1;
    return keep_chain(call, t, chain, w, e);
}

const struct mcp_tool tool_cot_finish = {
    .name = "cot_finish",
    .title = "Finish a chain of thought",
    .description =
        "Finishes a chain with its answer, which is based on all its steps, and answers which "
        "sources it used: the primary ones (above 0.7, at most three) and which step used what. "
        "A finished chain no longer changes: CONFLICT.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(finish_arguments, finished_fields),
    WRITES(0, write_finish, encode_chain),
};

/* ---- cot_record: a finished chain of thought in one call ---- */

#define STEPS_MAX 10000

static const struct field record_step_fields[] = {STEP_FIELDS(FIELD_REQUIRED), FIELD_END};

static const struct field arguments[] = {
    PROSE("original_question", NULL),
    PROSE("final_answer", NULL),
    OBJECTS("reasoning_steps", FIELD_REQUIRED | FIELD_CHECKED_BY_TOOL | FIELD_OPEN,
            record_step_fields, "Sources: source_attributions, else context_used.",
            .max = STEPS_MAX),
    NULLABLE("source_summary", OBJECT, NULL),
    NULLABLE("total_confidence", NUMBER, "Default: the mean of the steps.", UNIT),
    NULLABLE("token_usage", NUMBERS, NULL),
    MODEL_FIELD,
    NULLABLE("total_execution_time", NUMBER, "Seconds; default: the sum of the steps.", SECONDS),
    NULLABLE("reasoning_strategy", STRING, "decomposition, iterative, hierarchical, …",
             .longest = SHORT_MAX),
    AGENT_FIELD,
    FIELD_END,
};

static const struct field answer_fields[] = {
    WRITTEN_CHAIN_FIELDS,
    OBJECTS("refused", 0, refused_in_step_fields,
            "Sources that could not be taken; the others stand."),
    TEXTS("differences", 0, "Where the source_summary that you gave differs from the steps."),
    SOURCES_LEFT_OUT_FIELDS,
    OPTIONAL("refused_left_out", INTEGER, "So many more were refused, or differ."),
    FIELD_END,
};

/* The arguments without agent_id, which is not part of the chain. */
static struct json_slice without_agent(struct mcp_call *call)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    for (struct json_each it = json_each(call->arguments); json_next(&it);) {
        if (json_key_is(it.key, "agent_id"))
            continue;
        json_item(&o);
        strbuf_addch(&out, '"');
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        strbuf_add(&out, it.value.ptr, it.value.len);
    }
    json_end(&o);
    return (struct json_slice){arena_strndup(&call->arena, out.buf, out.len), out.len};
}

static int write_record(struct mcp_call *call, struct txn *t, struct error *e)
{
    const char *agent = given_text(&call->given, "agent_id", NULL);
    struct written_chain *w = arena_alloc(&call->arena, sizeof(*w));
    bool named = json_member(call->arguments.ptr, call->arguments.len, "agent_id").ptr;
    struct json_slice whole = named ? without_agent(call) : call->arguments;
    if (chain_record(t, &call->actor, "add", whole, agent, &call->arena, &w->recorded, e))
        return -1;
    return keep_chain(call, t, w->recorded.chain.node, w, e);
}

const struct mcp_tool tool_cot_record = {
    .name = "cot_record",
    .title = "Record a whole chain of thought",
    .description =
        "Records a finished chain of thought, a ChainOfThoughtOutput as it is. A wrong chain or "
        "step refuses the whole call; a wrong source is in `refused`. A source_summary is "
        "compared with the steps: `differences`.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(arguments, answer_fields),
    WRITES(0, write_record, encode_chain),
};
