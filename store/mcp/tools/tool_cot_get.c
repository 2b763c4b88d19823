/* Reading reasoning: a chain with its steps, and its sources in the form for display. */
#include "store/reasoning/chain.h"
#include "store/db/reader.h"
#include "store/mcp/tools/reasoning_forms.h"

/* ---- cot_get ---- */

#define READ_FIELD                                                                                 \
    {                                                                                              \
        .name = "chain", .type = FIELD_STRING,                                                     \
        .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT, .longest = URI_MAX,             \
                                                                                                   \
        .about = "chain:ID, or the beginning of the id; step:ID gives the chain it is part of."    \
    }

static const struct field get_arguments[] = {
    READ_FIELD,
    EXCERPTS_FIELD,
    {.name = "offset",
     .type = FIELD_INTEGER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = 9007199254740991.0,
     .fallback = "0",
     .about = "So many steps are left out before the others: `next` of the answer before."},
    FIELD_END,
};

static const struct field used_fields[] = {
    SOURCE_FIELDS,
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "document:ID, the memory that it is."},
    {.name = "version_hash",
     .type = FIELD_STRING,
     .about = "SHA-256 of the passage that was used."},
    {.name = "changed_since",
     .type = FIELD_BOOLEAN,
     .about = "The same passage came with other content since."},
    {.name = "status", .type = FIELD_STRING, .about = "Where it is not active: retracted, …"},
    {.name = "rating",
     .type = FIELD_STRING,
     .about = "A reviewer's word on its relevance here: relevant, irrelevant."},
    FIELD_END,
};

static const struct field step_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "step:ID."},
    {.name = "step_number",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "null: an import did not say."},
    {.name = "question", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "intermediate_answer", .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "confidence_score", .type = FIELD_NUMBER, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "reasoning_trace", .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "execution_time",
     .type = FIELD_NUMBER,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "Seconds."},
    {.name = "status", .type = FIELD_STRING, .about = "Where it is not active: retracted, …"},
    {.name = "faithful",
     .type = FIELD_STRING,
     .about = "A reviewer's word: is it supported by its sources? yes or no."},
    {.name = "earlier_steps",
     .type = FIELD_ARRAY,
     .of = FIELD_INTEGER,
     .about = "The numbers of the steps whose answers it was given."},
    {.name = "context_used", .type = FIELD_ANY, .about = "The contexts it was given."},
    {.name = "token_usage", .type = FIELD_ANY},
    {.name = "source_attributions",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = used_fields},
    FIELD_END,
};

static const struct field search_fields[] = {
    {.name = "answer", .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = source_fields,
     .about = "The primary ones."},
    {.name = "reasoning_trace",
     .type = FIELD_ARRAY,
     .flags = FIELD_REQUIRED,
     .of = FIELD_ANY,
     .about = "The steps."},
    {.name = "source_breakdown",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .about = "The ids of the documents that each step used, by its number."},
    FIELD_END,
};

static const char *one_state(int i)
{
    return i <= CHAIN_ABANDONED ? chain_state_name((enum chain_state)i) : NULL;
}

static const struct field chain_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "chain:ID."},
    {.name = "state",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .choice = one_state,
     .about = "abandoned: not finished, and nobody goes on with it."},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Whose chain it is."},
    {.name = "original_question", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "final_answer",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "null: not finished."},
    {.name = "reasoning_steps",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = step_fields,
     .about = "By number."},
    {.name = "source_summary",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = summary_fields},
    {.name = "total_confidence", .type = FIELD_NUMBER, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "total_execution_time",
     .type = FIELD_NUMBER,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "Seconds."},
    {.name = "reasoning_strategy", .type = FIELD_STRING, .flags = FIELD_REQUIRED | FIELD_NULLABLE},
    {.name = "status", .type = FIELD_STRING, .about = "Where it is not active: retracted, …"},
    {.name = "token_usage", .type = FIELD_ANY},
    {.name = "created_at", .type = FIELD_INTEGER, .about = "Milliseconds since the epoch."},
    {.name = "search",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = search_fields,
     .about = "The same as a search with reasoning answers it."},
    SOURCES_LEFT_OUT_FIELDS,
    {.name = "texts_cut",
     .type = FIELD_BOOLEAN,
     .about = "Of a long question, answer, strategy or title only the beginning is given, and "
              "long token_usage is left out. They are kept: memory_get of the chain, its part "
              "text or detail."},
    {.name = "steps_left_out",
     .type = FIELD_INTEGER,
     .about = "So many steps more were too much for an answer."},
    {.name = "next",
     .type = FIELD_INTEGER,
     .about = "Where steps were left out: the offset to go on with."},
    FIELD_END,
};

static int add_chain(struct mcp_call *call, struct reader *r, int64_t node, struct error *e)
{
    return add_reasoning(r, node, arg_bool(call->arguments, "include_excerpts", true),
                         (size_t)arg_integer(call->arguments, "offset", 0), &call->result, e);
}

static int add_sources_of(struct mcp_call *call, struct reader *r, int64_t node, struct error *e)
{
    return add_displayed(r, node, arg_bool(call->arguments, "include_excerpts", true),
                         &call->result, e);
}

static int read_with(struct mcp_call *call, struct reader *r,
                     int (*add)(struct mcp_call *, struct reader *, int64_t, struct error *),
                     struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int64_t node = resolve_whole(call, r, "chain", e);
    int result = node < 0 ? -1 : add(call, r, node, e);
    reader_end(r);
    return result;
}

static int read_chain(struct mcp_call *call, struct reader *r, struct error *e)
{
    return read_with(call, r, add_chain, e);
}

const struct mcp_tool tool_cot_get = {
    .name = "cot_get",
    .title = "Read a chain of thought",
    .description =
        "Gives a chain of thought: its question, its answer, every step with its answer, trace, "
        "confidence and sources, and the summary of all sources. Use it before you rely on an "
        "earlier answer, or to go on from one: the steps' refs (step:ID) are what a belief of "
        "yours "
        "may be derived_from.\n"
        "state says whether it is running, finished or abandoned (its session ended first). Of "
        "each "
        "score, score_origin says who says so: measured by a retrieval, heuristic, default, or "
        "asserted by a model; do not take one for another. `search` is the same in the form of a "
        "search's answer: the primary sources, the steps, which step used what.\n"
        "A very long chain comes without its excerpts, then with the beginnings of its long texts "
        "(texts_cut), and in parts: steps_left_out says how many steps are left, next the offset "
        "to go on with.\n"
        "Example: {\"chain\": \"chain:54c5507f\", \"include_excerpts\": false}",
    .arguments = get_arguments,
    .answer = chain_fields,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_chain,
};

/* ---- cot_sources ---- */

#define DISPLAYED_FIELDS                                                                           \
    {.name = "document_id", .type = FIELD_STRING, .flags = FIELD_REQUIRED},                        \
        {.name = "title", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "Else the id."}, \
        {.name = "relevance",                                                                      \
         .type = FIELD_NUMBER,                                                                     \
         .flags = FIELD_REQUIRED,                                                                  \
         .about = "0 to 1, to two places."},                                                       \
    {                                                                                              \
        .name = "excerpt", .type = FIELD_STRING, .about = "Where one was asked for and is known."  \
    }

static const struct field displayed_fields[] = {DISPLAYED_FIELDS, FIELD_END};
static const struct field primary_fields[] = {
    DISPLAYED_FIELDS,
    {.name = "rank", .type = FIELD_INTEGER, .about = "In the retrieval, where it is known."},
    FIELD_END,
};

static const struct field sources_fields[] = {
    {.name = "total_sources",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "Documents, each once."},
    {.name = "primary_sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = primary_fields,
     .about = "Those above 0.7, three at most; where there is none, the first three."},
    {.name = "all_sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = displayed_fields,
     .about = "The most relevant first."},
    {.name = "step_breakdown",
     .type = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .about = "step_N: {step_number, sources_used, document_ids}."},
    SOURCES_LEFT_OUT_FIELDS,
    FIELD_END,
};

static const struct field sources_arguments[] = {READ_FIELD, EXCERPTS_FIELD, FIELD_END};

static int read_sources(struct mcp_call *call, struct reader *r, struct error *e)
{
    return read_with(call, r, add_sources_of, e);
}

const struct mcp_tool tool_cot_sources = {
    .name = "cot_sources",
    .title = "Show the sources of a chain",
    .description =
        "Gives the sources of a chain of thought in the form for display: the primary ones with "
        "title, relevance and passage, all of them, and which step used which. Use it to tell a "
        "person what an answer rests on; for the steps' own words, cot_get.\n"
        "With \"include_excerpts\": false the passages are left out.\n"
        "Example: {\"chain\": \"chain:54c5507f\"} → {\"total_sources\": 5, \"primary_sources\": "
        "[{\"document_id\": \"ml_guide_ch1\", \"title\": \"Machine Learning Guide - Chapter 1\", "
        "\"relevance\": 0.92, \"excerpt\": \"…\"}], \"step_breakdown\": {\"step_1\": "
        "{\"step_number\": 1, \"sources_used\": 3, \"document_ids\": […]}}}",
    .arguments = sources_arguments,
    .answer = sources_fields,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_sources,
};
