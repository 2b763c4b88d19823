/* Reasoning as it happens: a chain of thought is begun, goes on step by step, and is finished. */
#include "model/format/exchange_parts.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/reasoning.h"
#include "store/txn/txn.h"
#include "store/mcp/tools/reasoning_forms.h"

#define AGENT_FIELD                                                                                \
    {                                                                                              \
        .name = "agent_id", .type = FIELD_STRING,                                                  \
        .flags = FIELD_NOT_EMPTY | FIELD_SEEN | FIELD_NULLABLE, .longest = AGENT_NAME_MAX,         \
        .about = "Who reasons. Without it, you."                                                   \
    }

/* The row of the chain that the arguments name. */
static int64_t find_chain(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct reader *r = txn_reader(t, e);
    return r ? resolve_whole(call, r, "chain", e) : -1;
}

static struct json_object begin_answer(struct mcp_call *call, struct ref ref, int64_t version)
{
    struct json_object o = json_begin(&call->result, '{');
    json_key(&o, "ref");
    exchange_add_ref(&call->result, ref);
    json_pair_int(&o, "version", version);
    return o;
}

/* ---- cot_begin ---- */

static const struct field begin_arguments[] = {
    {.name = "question",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What is to be answered."},
    AGENT_FIELD,
    {.name = "strategy",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE,
     .longest = SHORT_MAX,
     .about = "How you go about it: decomposition, iterative, hierarchical, … Chains on one "
              "question are compared by it."},
    FIELD_END,
};

static const struct field begun_fields[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "chain:ID, for cot_step and cot_finish."},
    {.name = "version", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static int write_begin(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    struct chain_start start = {.agent_id = take_text(&taking, "agent_id", NULL),
                                .strategy = take_text(&taking, "strategy", NULL)};
    struct added added;
    start.question = take_text(&taking, "question", &start.question_len);
    struct actor actor = actor_of(call, start.agent_id);
    if (take_end(&taking, e) || chain_begin(t, &actor, &start, &call->arena, &added, e))
        return -1;
    call->subject = added.node;
    struct json_object o = begin_answer(call, added.ref, added.version);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_cot_begin = {
    .name = "cot_begin",
    .title = "Begin to reason",
    .description =
        "Begins a chain of thought: a question that you answer in steps, each with the documents "
        "it "
        "used. Use it when an answer takes more than one look-up or inference, and somebody may "
        "ask "
        "later how you came to it. Then call cot_step after each step, as you go: a person sees "
        "the "
        "chain grow, and what a step used is known before it is forgotten. End with cot_finish. A "
        "chain whose session ends before that is shown as abandoned.\n"
        "For a chain that is done already, cot_record takes all of it at once.\n"
        "Example: {\"question\": \"Why did the nightly build slow down?\", \"strategy\": "
        "\"decomposition\"} → {\"ref\": \"chain:…\"}.",
    .arguments = begin_arguments,
    .answer = begun_fields,
    .work = WORK_WRITE,
    .write = write_begin,
};

/* ---- cot_step ---- */

static const struct field step_arguments[] = {
    CHAIN_FIELD,
    STEP_FIELDS(FIELD_REQUIRED),
    {.name = "retrieved_documents",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_NULLABLE | FIELD_TAUGHT | FIELD_OPEN,
     .max = SOURCES_MAX,
     .fields = search_result_fields,
     .about = "What a retrieval found and this step used, best first, as the search gave it. Where "
              "there are any, context_used gives no sources."},
    AGENT_FIELD,
    FIELD_END,
};

static const struct field gone_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "status", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static const struct field step_fields[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "step:ID, to be given as derived_from of what you conclude from it."},
    {.name = "version", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = source_fields,
     .about = "The sources of the step as they were taken, in their order."},
    REFUSED_FIELD,
    {.name = "unresolved",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .about =
         "`attribution`s of sources that name nothing yet; they are kept as given: check them."},
    {.name = "gone",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .fields = gone_fields,
     .about =
         "What the step rests on that was retracted, forgotten or deleted: use another source."},
    {.name = "left_out",
     .type = FIELD_INTEGER,
     .about = "So many more of these lists were too much for an answer; all are kept."},
    FIELD_END,
};

static struct step_given take_step(struct mcp_call *call, struct taking *t,
                                   const struct contexts *contexts)
{
    struct json_slice arguments = call->arguments;
    struct step_given step = {
        .number = arg_integer(arguments, "step_number", 0),
        .confidence = arg_number(arguments, "confidence_score", NAN),
        .execution_time = arg_number(arguments, "execution_time", NAN),
        .token_usage = take_value(t, "token_usage"),
        .results = take_value(t, "retrieved_documents"),
        .attributions = take_value(t, "source_attributions"),
        .contexts = contexts->text,
        .context_count = contexts->count,
    };
    step.question = take_text(t, "question", &step.question_len);
    step.answer = take_text(t, "intermediate_answer", &step.answer_len);
    step.trace = take_text(t, "reasoning_trace", &step.trace_len);
    return step;
}

static bool is_listed(const struct antecedent *const *list, size_t count, int64_t node)
{
    while (count-- > 0)
        if (list[count]->node == node)
            return true;
    return false;
}

/* What the step rests on that lives no more, each once; NULL where memory ran out. */
static const struct antecedent **find_gone(const struct memory *step, struct arena *arena,
                                           size_t *count)
{
    size_t most = 0;
    *count = 0;
    for (size_t i = 0; i < step->justification_count; i++)
        most += step->justifications[i].count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    const struct antecedent **gone = arena_array(arena, most + 1, sizeof(*gone));
    for (size_t i = 0; gone && i < step->justification_count; i++)
        for (size_t k = 0; k < step->justifications[i].count; k++) {
            const struct antecedent *a = &step->justifications[i].antecedents[k];
            if (a->status != STATUS_MISSING && !STATUS_LIVES(a->status) &&
                !is_listed(gone, *count, a->node))
                gone[(*count)++] = a;
        }
    return gone;
}

static void add_gone(struct json_object *o, const struct antecedent *const *gone, size_t count,
                     struct left_out *left)
{
    if (count == 0)
        return;
    json_key(o, "gone");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < count; i++) {
        if (o->out->len > LIST_MAX) {
            left->count += count - i;
            break;
        }
        json_item(&list);
        struct json_object item = json_begin(o->out, '{');
        json_key(&item, "ref");
        exchange_add_ref(o->out, gone[i]->ref);
        json_pair(&item, "status", status_name(gone[i]->status));
        json_end(&item);
    }
    json_end(&list);
}

static void add_unresolved(struct json_object *o, const struct step_added *added,
                           struct left_out *left)
{
    if (added->unresolved_count == 0)
        return;
    json_key(o, "unresolved");
    struct json_object list = json_begin(o->out, '[');
    size_t told = 0;
    for (; told < added->unresolved_count && o->out->len <= LIST_MAX; told++) {
        json_item(&list);
        json_add_string(o->out, added->unresolved[told]);
    }
    left->count += added->unresolved_count - told;
    json_end(&list);
}

static int answer_step(struct mcp_call *call, struct txn *t, const struct step_added *added,
                       const struct contexts *contexts, struct error *e)
{
    struct left_out left = {0};
    struct memory step;
    size_t gone_count;
    const struct source_list *sources = &added->sources;
    struct reader *r = txn_reader(t, e);
    if (!r || memory_read(r, &call->arena, added->step.node, &step, e))
        return -1;
    const struct antecedent **gone = find_gone(&step, &call->arena, &gone_count);
    if (!gone)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    struct json_object o = begin_answer(call, added->step.ref, added->step.version);
    add_sources(&o, "sources", sources->source, sources->count, &left);
    add_refused(&o, contexts->refused, contexts->refused_count, sources->refused,
                sources->refused_count, &left);
    add_unresolved(&o, added, &left);
    add_gone(&o, gone, gone_count, &left);
    add_left_out(&o, &left);
    json_end(&o);
    return 0;
}

/* It is kept as it is given, within the step's detail. */
static int check_tokens(struct json_slice usage, struct error *e)
{
    struct error why;
    if (!usage.ptr || json_check(usage.ptr, usage.len, JSON_DEPTH_MAX - 1, &why) == 0)
        return 0;
    return error_set(e, why.code, "Give a number, or an object of numbers.",
                     "token_usage cannot be kept: %s", why.what);
}

static int write_step(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    const char *agent = take_text(&taking, "agent_id", NULL);
    struct contexts contexts = take_contexts(&taking, "context_used");
    struct step_given step = take_step(call, &taking, &contexts);
    struct step_added added;
    struct actor actor = actor_of(call, agent);
    int64_t chain =
        take_end(&taking, e) || check_tokens(step.token_usage, e) ? -1 : find_chain(call, t, e);
    if (chain < 0 || chain_add_step(t, &actor, chain, &step, &call->arena, &added, e))
        return -1;
    call->subject = added.step.node;
    warn_refused(call, contexts.refused_count + added.sources.refused_count);
    return answer_step(call, t, &added, &contexts, e);
}

const struct mcp_tool tool_cot_step = {
    .name = "cot_step",
    .title = "Record a step of reasoning",
    .description =
        "Adds a step to a chain that cot_begin began: what it asked, what it came to, how, how "
        "sure "
        "you are, and the documents it used. Call it right after each step.\n"
        "Give retrieved_documents as your search returned them (document_id, title, score, "
        "content, "
        "chunk_index; other members are passed over); or, where you had bare texts, context_used. "
        "Their scores count as measured there and as a guess here; what you judge yourself goes "
        "into "
        "source_attributions. A source that cannot be taken is named in `refused`, the others "
        "stand. "
        "An earlier answer of the chain among context_used becomes a link to that step.\n"
        "A step_number that the chain has, and a step after cot_finish, are CONFLICT.\n"
        "When a step leads you to hold something true, say so with memory_belief and "
        "\"derived_from\": "
        "[\"step:ID\"], the ref answered here: then a person can go from the belief to the step, "
        "the "
        "document and the passage, and sees what falls when the document turns out to be wrong.\n"
        "Example: {\"chain\": \"chain:…\", \"step_number\": 1, \"question\": \"Which stage became "
        "slower?\", \"intermediate_answer\": \"Linking, by 40 s\", \"reasoning_trace\": \"Compared "
        "the "
        "timings of both weeks\", \"confidence_score\": 0.8, \"execution_time\": 2.4, "
        "\"retrieved_documents\": [{\"document_id\": \"ci-8841\", \"title\": \"CI log 8841\", "
        "\"score\": "
        "0.92, \"content\": \"link: 71 s …\", \"chunk_index\": 0}]}",
    .arguments = step_arguments,
    .answer = step_fields,
    .work = WORK_WRITE,
    .write = write_step,
};

/* ---- cot_finish ---- */

static const struct field finish_arguments[] = {
    CHAIN_FIELD,
    {.name = "final_answer",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT,
     .about = "What the chain came to."},
    {.name = "total_confidence",
     .type = FIELD_NUMBER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = 1,
     .about = "How sure you are of it. Without it, the mean of the steps'."},
    {.name = "total_execution_time",
     .type = FIELD_NUMBER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = INFINITY,
     .about = "Seconds it took. Without it, the sum of the steps'."},
    AGENT_FIELD,
    FIELD_END,
};

static const struct field finished_fields[] = {
    WRITTEN_CHAIN_FIELDS,
    SOURCES_LEFT_OUT_FIELDS,
    FIELD_END,
};

static int write_finish(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    size_t len;
    const char *agent = take_text(&taking, "agent_id", NULL);
    const char *final_answer = take_text(&taking, "final_answer", &len);
    double confidence = arg_number(call->arguments, "total_confidence", NAN);
    double time = arg_number(call->arguments, "total_execution_time", NAN);
    struct actor actor = actor_of(call, agent);
    int64_t chain = take_end(&taking, e) ? -1 : find_chain(call, t, e);
    if (chain < 0 ||
        chain_finish(t, &actor, chain, final_answer, len, confidence, time, &call->arena, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    if (add_written_chain(call, t, chain, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_cot_finish = {
    .name = "cot_finish",
    .title = "Finish a chain of thought",
    .description =
        "Finishes a chain with its answer, which rests on all of its steps from then on, and "
        "answers "
        "what sources it used: each document once with its best score, the primary ones (above "
        "0.7, "
        "three at most), and which step used what. Cite the primary ones to whoever asked "
        "(cite_sources).\n"
        "Without total_confidence the mean of the steps' is kept. A chain that is finished is not "
        "changed any more: CONFLICT. What you hold true because of it, say with memory_belief and "
        "\"derived_from\": [\"chain:ID\"], or better the step that concluded it.\n"
        "Example: {\"chain\": \"chain:…\", \"final_answer\": \"The linker lost its cache when the "
        "runner was replaced.\", \"total_confidence\": 0.8}",
    .arguments = finish_arguments,
    .answer = finished_fields,
    .work = WORK_WRITE,
    .write = write_finish,
};
