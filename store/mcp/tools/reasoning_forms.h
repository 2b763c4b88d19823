/*
 * What the tools of reasoning and of citations share: sources as they are given and answered, and answers
 * that are kept within their bound, with a count of what was left out.
 */
#ifndef STEMMA_MCP_REASONING_FORMS_H
#define STEMMA_MCP_REASONING_FORMS_H

#include "model/reasoning/reasoning.h"
#include "store/mcp/tools/tools.h"

#define SOURCES_MAX 10000 /* items of one list that is given */
/* A list ends where an answer has so many bytes: others and what stands around them still fit. */
#define LIST_MAX (ANSWER_MAX / 4 * 3)

/* ---- given ---- */

/* Items of retrieved_documents and search_results, and of source_attributions. */
extern const struct field search_result_fields[], recorded_source_fields[];

#define CHAIN_FIELD                                                                                \
    {                                                                                              \
        .name = "chain", .type = FIELD_STRING,                                                     \
        .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT, .longest = URI_MAX,             \
        .about = "chain:ID, as cot_begin and cot_record answer it."                                \
    }
#define EXCERPTS_FIELD                                                                             \
    {                                                                                              \
        .name = "include_excerpts", .type = FIELD_BOOLEAN, .flags = FIELD_NULLABLE,                \
        .fallback = "true", .about = "With the passages? Without them an answer is far shorter."   \
    }
/* The parts of a step, for cot_step and for the steps of cot_record. */
#define STEP_FIELDS(required_)                                                                     \
    {.name = "step_number",                                                                        \
     .type = FIELD_INTEGER,                                                                        \
     .flags = required_,                                                                           \
     .min = 1,                                                                                     \
     .max = 9007199254740991.0,                                                                    \
     .about = "From 1; each once in a chain."},                                                    \
        {.name = "question",                                                                       \
         .type = FIELD_STRING,                                                                     \
         .flags = required_ | FIELD_NOT_EMPTY | FIELD_TEXT,                                        \
         .about = "What this step asks."},                                                         \
        {.name = "intermediate_answer",                                                            \
         .type = FIELD_STRING,                                                                     \
         .flags = FIELD_NULLABLE | FIELD_TEXT,                                                     \
         .about = "What it came to."},                                                             \
        {.name = "reasoning_trace",                                                                \
         .type = FIELD_STRING,                                                                     \
         .flags = FIELD_NULLABLE | FIELD_TEXT,                                                     \
         .about = "How: the way from the sources to the answer."},                                 \
        {.name = "confidence_score",                                                               \
         .type = FIELD_NUMBER,                                                                     \
         .flags = FIELD_NULLABLE,                                                                  \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .about = "How sure you are of the answer, 0 to 1."},                                      \
        {.name = "execution_time",                                                                 \
         .type = FIELD_NUMBER,                                                                     \
         .flags = FIELD_NULLABLE,                                                                  \
         .min = 0,                                                                                 \
         .max = INFINITY,                                                                          \
         .about = "Seconds it took."},                                                             \
        {.name = "token_usage",                                                                    \
         .type = FIELD_ANY,                                                                        \
         .flags = FIELD_NULLABLE,                                                                  \
         .about = "Tokens it took: a number, or an object of them."},                              \
        {.name = "context_used",                                                                   \
         .type = FIELD_ARRAY,                                                                      \
         .of = FIELD_STRING,                                                                       \
         .flags = FIELD_NULLABLE | FIELD_TAUGHT,                                                   \
         .max = SOURCES_MAX,                                                                       \
         .about = "The contexts it was given, as texts. One that begins \"id:NAME \" is the "      \
                  "document NAME. They are its sources where no results are given."},              \
    {                                                                                              \
        .name = "source_attributions", .type = FIELD_ARRAY, .of = FIELD_OBJECT,                    \
        .flags = FIELD_NULLABLE | FIELD_TAUGHT | FIELD_OPEN, .max = SOURCES_MAX,                   \
        .fields = recorded_source_fields,                                                          \
        .about = "Sources as you judge them yourself: their scores count as asserted, where "      \
                 "score_origin says no other."                                                     \
    }

/* As sources_read_contexts reads them, but what is no text is refused by itself. */
struct contexts {
    const char **text; /* "" in the place of one that was refused */
    size_t count;
    struct source_refusal *refused;
    size_t refused_count;
};
/* Those of that argument; what finds no memory is noticed by take_end. */
struct contexts take_contexts(struct taking *t, const char *name);

/* ---- answered ---- */

/* Where a score comes from: measured, heuristic, default, asserted. */
const char *one_score(int i);

#define SOURCE_PART(name_, type_, about_)                                                          \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_REQUIRED | FIELD_NULLABLE, .about = about_    \
    }
/* A source as source_write writes it. */
#define SOURCE_FIELDS                                                                              \
    {.name = "document_id",                                                                        \
     .type = FIELD_STRING,                                                                         \
     .flags = FIELD_REQUIRED,                                                                      \
     .about = "As it was given, or made up: doc_0, context_doc_0."},                               \
        SOURCE_PART("document_title", FIELD_STRING, NULL),                                         \
        SOURCE_PART("relevance_score", FIELD_NUMBER, "0 to 1."),                                   \
        SOURCE_PART("excerpt", FIELD_STRING, "The first 200 characters of the passage."),          \
        SOURCE_PART("chunk_index", FIELD_INTEGER, NULL),                                           \
        SOURCE_PART("retrieval_rank", FIELD_INTEGER, "From 1."),                                   \
        SOURCE_PART("score_origin", FIELD_STRING,                                                  \
                    "measured (by a retrieval), heuristic (by its place among contexts), default " \
                    "(none was given), asserted (by whoever recorded it).")
extern const struct field source_fields[];
/* {index, reason}, and {step_number, index, reason}. */
extern const struct field refused_fields[], refused_in_step_fields[];
/* all_sources, primary_sources, source_usage_by_step. */
extern const struct field summary_fields[];

#define REFUSED_FIELD                                                                              \
    {                                                                                              \
        .name = "refused", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = refused_fields,      \
        .about = "Sources that could not be taken, by their place from 0 and why; the others "     \
                 "stand."                                                                          \
    }
#define SOURCES_LEFT_OUT_FIELDS                                                                    \
    {.name = "excerpts_left_out",                                                                  \
     .type = FIELD_BOOLEAN,                                                                        \
     .about = "The passages were too much for an answer. They are kept: memory_get of a step."},   \
    {                                                                                              \
        .name = "left_out", .type = FIELD_INTEGER,                                                 \
        .about = "So many sources more were too much for an answer; all are kept."                 \
    }

/* Members that lists have no room for, in the answer of one call. */
struct left_out {
    size_t count;
};
/* The member `name`: those that an answer has room for. */
void add_sources(struct json_object *o, const char *name, const struct source *source, size_t count,
                 struct left_out *left);
/* The member "refused" where any are; `also`: others of the same call, before them. */
void add_refused(struct json_object *o, const struct source_refusal *also, size_t also_count,
                 const struct source_refusal *refused, size_t count, struct left_out *left);
/* A host that shows its log shows that sources were refused; the answer says which and why. */
void warn_refused(struct mcp_call *call, size_t count);
/* The member "left_out" where something was. */
void add_left_out(struct json_object *o, const struct left_out *left);

/* Appends a summary: source_summary_write, or the form for display. */
typedef void (*summary_form)(struct strbuf *out, const struct source_summary *s);
/* How a summary was cut down to its room. */
struct summary_cut {
    bool excerpts;  /* left out although they were asked for */
    size_t sources; /* left out */
};
/*
 * Appends the form of the summary within `most` bytes: without excerpts where they are too much, then with
 * as many of the most relevant sources as have room. -1: ERROR_MEMORY.
 */
int add_summary(struct strbuf *out, const struct source_summary *s, summary_form form,
                bool excerpts, size_t most, struct arena *arena, struct summary_cut *cut,
                struct error *e);
/* The members "excerpts_left_out" and "left_out" where something was. */
void add_summary_cut(struct json_object *o, const struct summary_cut *cut);

/* What is answered of a chain that was just finished: add_written_chain. */
#define WRITTEN_CHAIN_FIELDS                                                                       \
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "chain:ID."},          \
        {.name = "version", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},                       \
        {.name = "steps",                                                                          \
         .type = FIELD_INTEGER,                                                                    \
         .flags = FIELD_REQUIRED,                                                                  \
         .about = "How many the answer rests on."},                                                \
        {.name = "total_confidence",                                                               \
         .type = FIELD_NUMBER,                                                                     \
         .flags = FIELD_REQUIRED | FIELD_NULLABLE,                                                 \
         .about = "As it is kept now; null where no step said how sure it was."},                  \
    {                                                                                              \
        .name = "source_summary", .type = FIELD_OBJECT, .flags = FIELD_REQUIRED,                   \
        .fields = summary_fields, .about = "Which documents the chain used, and which carried it." \
    }
/* Appends these members, and what add_summary_cut has to say. */
int add_written_chain(struct mcp_call *call, struct txn *t, int64_t chain, struct json_object *o,
                      struct error *e);

/*
 * A chain within ANSWER_MAX, as the object of an answer: chain_write_part, and what was left out of it as the
 * members "excerpts_left_out", "texts_cut", "steps_left_out" with "next", and "left_out".
 */
int add_reasoning(struct reader *r, int64_t node, bool excerpts, size_t offset, struct strbuf *out,
                  struct error *e);
/* Its sources in the form for display, the same. */
int add_displayed(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                  struct error *e);

#endif
