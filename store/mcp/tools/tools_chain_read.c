/* The tools cot_get and cot_sources, and sources as arguments and answers of other tools. */
#include <stdio.h>
#include "store/mcp/tools/tools.h"
#include "store/reasoning/chain.h"

#define EXCERPTS_FIELD NULLABLE("include_excerpts", BOOLEAN, NULL, .fallback = "true")
/* A source in the form of source_write. */
#define SOURCE_FIELDS                                                                              \
    NEEDED("document_id", STRING, "As it was given, or made up: doc_0, context_doc_0."),           \
        OR_NULL("document_title", STRING, NULL), OR_NULL("relevance_score", NUMBER, "0 to 1."),    \
        OR_NULL("excerpt", STRING, "The first 200 characters of the passage."),                    \
        OR_NULL("chunk_index", INTEGER, NULL), OR_NULL("retrieval_rank", INTEGER, "From 1."),      \
        OR_NULL("score_origin", STRING,                                                            \
                "measured, heuristic (by its place), default (none was given), asserted.")

const char *one_score(int i)
{
    return i < SCORE_ASSERTED ? score_name((enum score)(i + 1)) : NULL;
}

/* ---- arguments ---- */

/* stemma's own members, to distinguish versions of a document and to find its retrieval. */
#define SOURCE_EXTRAS                                                                              \
    NULLABLE("uri", STRING, NULL), NULLABLE("version_hash", STRING, NULL),                         \
        NULLABLE("attribution", STRING, "attribution:ID")

/* Retrieval services give ids and titles as numbers, chunks as text, and invalid scores. All are accepted, so the
 * schema requires no type. */
const struct field search_result_fields[] = {
    NULLABLE("document_id", ANY, NULL),
    NULLABLE("title", ANY, NULL),
    FIELD("document_title", ANY, FIELD_NULLABLE | FIELD_UNLISTED, NULL),
    NULLABLE("score", ANY, "0 to 1; default 0.5"),
    FIELD("relevance_score", ANY, FIELD_NULLABLE | FIELD_UNLISTED, NULL),
    NULLABLE("content", STRING, NULL),
    FIELD("text", STRING, FIELD_NULLABLE | FIELD_UNLISTED, NULL),
    NULLABLE("chunk_index", ANY, NULL),
    SOURCE_EXTRAS,
    FIELD_END,
};

const struct field recorded_source_fields[] = {
    NULLABLE("document_id", ANY, NULL),
    NULLABLE("document_title", ANY, NULL),
    NULLABLE("relevance_score", ANY, "0 to 1; default 0.5"),
    NULLABLE("excerpt", STRING, NULL),
    NULLABLE("chunk_index", ANY, NULL),
    NULLABLE("retrieval_rank", ANY, NULL),
    NULLABLE("score_origin", STRING, NULL, .choice = one_score),
    SOURCE_EXTRAS,
    FIELD_END,
};

struct contexts take_contexts(struct mcp_call *call, const char *name)
{
    struct json_slice list = given_value(&call->given, name);
    struct contexts c = {.count = json_count(list)};
    c.text = arena_array(&call->arena, c.count + 1, sizeof(*c.text));
    c.refused = arena_array(&call->arena, c.count + 1, sizeof(*c.refused));
    size_t index = 0;
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); index++) {
        char reason[100];
        int len = snprintf(reason, sizeof(reason), "%s[%zu] is no text", name, index);
        c.text[index] = "";
        const char *text = source_context(&call->arena, it.value);
        if (text)
            c.text[index] = text;
        else
            c.refused[c.refused_count++] =
                (struct source_refusal){index, arena_strndup(&call->arena, reason, (size_t)len)};
    }
    return c;
}

/* ---- answers ---- */

const struct field source_fields[] = {SOURCE_FIELDS, FIELD_END};

#define REASON                                                                                     \
    NEEDED("index", INTEGER, "Its place in the list, from 0."),                                    \
        NEEDED("reason", STRING, "What is wrong with it.")

const struct field refused_fields[] = {REASON, FIELD_END};
const struct field refused_in_step_fields[] = {
    NEEDED("step_number", INTEGER, "Of the step it was given with."),
    REASON,
    FIELD_END,
};

const struct field summary_fields[] = {
    OBJECTS("all_sources", FIELD_REQUIRED, source_fields, "Each once, the most relevant first."),
    OBJECTS("primary_sources", FIELD_REQUIRED, source_fields,
            "Those above 0.7, three at most; else the first three."),
    NEEDED("source_usage_by_step", OBJECT, "The ids that each step used, by its number."),
    FIELD_END,
};

void add_sources(struct json_object *o, const char *name, const struct source *source, size_t count,
                 size_t *left)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < count; i++) {
        size_t before = o->out->len;
        bool any = list.any;
        json_item(&list);
        source_write(o->out, &source[i]);
        if (o->out->len <= LIST_MAX)
            continue;
        strbuf_cut(o->out, before);
        list.any = any;
        ++*left;
    }
    json_end(&list);
}

static void add_refusals(struct json_object *list, const struct source_refusal *refused,
                         size_t count, size_t *left)
{
    for (size_t i = 0; i < count; i++) {
        if (list->out->len > LIST_MAX) {
            *left += count - i;
            return;
        }
        struct json_object o = json_item_open(list, '{');
        json_pair_int(&o, "index", (int64_t)refused[i].index);
        json_pair(&o, "reason", refused[i].reason);
        json_end(&o);
    }
}

void add_refused(struct json_object *o, const struct source_refusal *also, size_t also_count,
                 const struct source_refusal *refused, size_t count, size_t *left)
{
    if (also_count + count == 0)
        return;
    struct json_object list = json_open(o, "refused", '[');
    add_refusals(&list, also, also_count, left);
    add_refusals(&list, refused, count, left);
    json_end(&list);
}

void warn_refused(struct mcp_call *call, size_t count)
{
    char text[80];
    if (count == 0)
        return;
    int len = snprintf(text, sizeof(text), "%zu %s refused, and the others stand", count,
                       count == 1 ? "source was" : "sources were");
    call->warning = arena_strndup(&call->arena, text, (size_t)len);
}

void add_left_out(struct json_object *o, size_t left)
{
    if (left > 0)
        json_pair_int(o, "left_out", (int64_t)left);
}

/* ---- summaries ---- */

static void drop_excerpts(struct source *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s[i].excerpt = NULL;
}

/* Keeps the first `most` sources, and as many of each step. */
static void keep_first(struct source_summary *s, size_t most)
{
    /* made for this answer, so it may be changed */
    struct step_sources *step = (struct step_sources *)s->step;
    s->count = most;
    s->primary_count = s->primary_count < most ? s->primary_count : most;
    for (size_t i = 0; i < s->step_count; i++)
        step[i].count = step[i].count < most ? step[i].count : most;
}

void add_summary(struct strbuf *out, struct source_summary *s, bool displayed, bool excerpts,
                 struct summary_cut *cut)
{
    size_t before = out->len, sources = s->count;
    bool wanted = excerpts;
    for (;; excerpts = false) {
        if (!excerpts) {
            drop_excerpts(s->all, s->count);
            drop_excerpts(s->primary, s->primary_count);
        }
        if (displayed)
            source_summary_display(out, s, true);
        else
            source_summary_write(out, s);
        if (out->len - before <= LIST_MAX || s->count == 0)
            break;
        strbuf_cut(out, before);
        if (!excerpts)
            keep_first(s, s->count / 2);
    }
    *cut = (struct summary_cut){wanted && !excerpts, sources - s->count};
}

void add_summary_cut(struct json_object *o, const struct summary_cut *cut)
{
    json_pair_true_if(o, "excerpts_left_out", cut->excerpts);
    json_pair_int_if(o, "left_out", (int64_t)cut->sources);
}

/* ---- cot_get and cot_sources ---- */

#define READ_FIELD REF_ARGUMENT("chain", "chain:ID, or a step:ID of it")

static const struct field get_arguments[] = {
    READ_FIELD,
    EXCERPTS_FIELD,
    NULLABLE("offset", INTEGER, "`next` of the answer before", COUNT, .fallback = "0"),
    FIELD_END,
};

static const struct field used_fields[] = {
    SOURCE_FIELDS,
    NEEDED("ref", STRING, "document:ID, the memory that it is."),
    OPTIONAL("version_hash", STRING, "SHA-256 of the passage that was used."),
    OPTIONAL("changed_since", BOOLEAN, "The same passage came with other content since."),
    OPTIONAL("status", STRING, "Where it is not active: retracted, …"),
    OPTIONAL("retrieval", STRING, "What became of its retrieval: retracted."),
    OPTIONAL("rating", STRING, "A person's word on its relevance here: relevant, irrelevant."),
    OPTIONAL("agent_rating", STRING, "An agent's."),
    OPTIONAL("imported_rating", STRING, "That of an import."),
    FIELD_END,
};

static const struct field step_fields[] = {
    NEEDED("ref", STRING, "step:ID."),
    OR_NULL("step_number", INTEGER, "null: an import did not say."),
    NEEDED("question", STRING, NULL),
    OR_NULL("intermediate_answer", STRING, NULL),
    OR_NULL("confidence_score", NUMBER, NULL),
    OR_NULL("reasoning_trace", STRING, NULL),
    OR_NULL("execution_time", NUMBER, "Seconds."),
    OPTIONAL("status", STRING, "Where it is not active: retracted, …"),
    OPTIONAL("faithful", STRING, "A person's word: is it supported by its sources? yes or no."),
    OPTIONAL("agent_faithful", STRING, "An agent's."),
    OPTIONAL("imported_faithful", STRING, "That of an import."),
    OPTIONAL("earlier_steps", ARRAY, "Whose answers it was given.", .of = FIELD_INTEGER),
    OPTIONAL("context_used", ANY, "The contexts it was given."),
    OPTIONAL("token_usage", ANY, NULL),
    OPTIONAL("model", STRING, NULL),
    OBJECTS("source_attributions", FIELD_REQUIRED, used_fields, NULL),
    FIELD_END,
};

static const struct field search_fields[] = {
    OR_NULL("answer", STRING, NULL),
    OBJECTS("sources", FIELD_REQUIRED, source_fields, "The primary ones."),
    NEEDED("reasoning_trace", ARRAY, "The steps.", .of = FIELD_ANY),
    NEEDED("source_breakdown", OBJECT, "The ids that each step used, by its number."),
    FIELD_END,
};

static const char *one_state(int i)
{
    return i <= CHAIN_ABANDONED ? chain_state_name((enum chain_state)i) : NULL;
}

static const struct field chain_fields[] = {
    NEEDED("ref", STRING, "chain:ID."),
    NEEDED("state", STRING, "abandoned: nobody goes on with it.", .choice = one_state),
    NEEDED("agent_id", STRING, "Whose chain it is."),
    NEEDED("original_question", STRING, NULL),
    OR_NULL("final_answer", STRING, "null: not finished."),
    OBJECTS("reasoning_steps", FIELD_REQUIRED, step_fields, "By number."),
    NEEDED("source_summary", OBJECT, NULL, .fields = summary_fields),
    OR_NULL("total_confidence", NUMBER, NULL),
    OR_NULL("total_execution_time", NUMBER, "Seconds."),
    OR_NULL("reasoning_strategy", STRING, NULL),
    OPTIONAL("status", STRING, "Where it is not active: retracted, …"),
    OPTIONAL("token_usage", ANY, NULL),
    OPTIONAL("model", STRING, NULL),
    OPTIONAL("given_summary", OBJECT, "The source_summary that it was recorded with."),
    TEXTS("differences", 0, "Where that differs from the steps."),
    OPTIONAL("created_at", INTEGER, "Milliseconds since the epoch."),
    NEEDED("search", OBJECT, "The same as a search answers it.", .fields = search_fields),
    SOURCES_LEFT_OUT_FIELDS,
    OPTIONAL("texts_cut", BOOLEAN, "Long texts are begun: memory_get of the chain gives all."),
    OPTIONAL("steps_left_out", INTEGER, "So many steps more."),
    OPTIONAL("next", INTEGER, "The offset to go on with."),
    FIELD_END,
};

static int read_chain(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t node = resolve_whole(call, r, "chain", e);
    return node < 0
               ? -1
               : add_reasoning(r, node, given_bool(&call->given, "include_excerpts", true),
                               (size_t)given_integer(&call->given, "offset", 0), &call->result, e);
}

const struct mcp_tool tool_cot_get = {
    .name = "cot_get",
    .title = "Read a chain of thought",
    .description =
        "Reads a chain of thought: question, answer, each step with its confidence and sources, "
        "and a summary of all sources. score_origin says who gave a score. A long chain comes in "
        "parts: go on with `next` as the offset.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(get_arguments, chain_fields),
    READS(read_chain),
};

#define DISPLAYED_FIELDS                                                                           \
    NEEDED("document_id", STRING, NULL), NEEDED("title", STRING, "Else the id."),                  \
        NEEDED("relevance", NUMBER, "0 to 1, to two places."),                                     \
        OPTIONAL("excerpt", STRING, "Where one was asked for and is known."),                      \
        OPTIONAL("retrieval", STRING, "What became of its retrieval: retracted.")

static const struct field displayed_fields[] = {DISPLAYED_FIELDS, FIELD_END};
static const struct field primary_fields[] = {
    DISPLAYED_FIELDS,
    OPTIONAL("rank", INTEGER, "In the retrieval, where it is known."),
    FIELD_END,
};

static const struct field sources_fields[] = {
    NEEDED("total_sources", INTEGER, "Documents, each once."),
    OBJECTS("primary_sources", FIELD_REQUIRED, primary_fields,
            "Those above 0.7, three at most; else the first three."),
    OBJECTS("all_sources", FIELD_REQUIRED, displayed_fields, "The most relevant first."),
    NEEDED("step_breakdown", OBJECT, "step_N: {step_number, sources_used, document_ids}."),
    SOURCES_LEFT_OUT_FIELDS,
    FIELD_END,
};

static const struct field sources_arguments[] = {READ_FIELD, EXCERPTS_FIELD, FIELD_END};

static int read_sources(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t node = resolve_whole(call, r, "chain", e);
    return node < 0 ? -1
                    : add_displayed(r, node, given_bool(&call->given, "include_excerpts", true),
                                    &call->result, e);
}

const struct mcp_tool tool_cot_sources = {
    .name = "cot_sources",
    .title = "Show the sources of a chain",
    .description =
        "Shows the sources of a chain for display: the primary ones with passages, all of them, "
        "and which step used which.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(sources_arguments, sources_fields),
    READS(read_sources),
};
