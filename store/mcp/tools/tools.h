/*
 * What the tools share: the table of all of them (EACH_TOOL), reading arguments, the arguments of provenance,
 * memories and chains as answers; resources and prompts. Only this room includes
 * it.
 */
#ifndef STEMMA_MCP_TOOLS_H
#define STEMMA_MCP_TOOLS_H

#include "model/graph/graph.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/mcp/protocol/service.h"
#include "store/entries/entry.h"
#include "model/reasoning/reasoning.h"

/* The tools in the order in which they are listed: each is tool_NAME, in the file of its noun. */
#define EACH_TOOL(X)                                                                               \
    X(memory_raw), X(memory_episode), X(memory_note), X(memory_belief), X(memory_get),             \
        X(memory_list), X(memory_search), X(memory_lineage), X(memory_whatif), X(memory_orphans),  \
        X(memory_history), X(memory_process_raw), X(memory_reinforce), X(memory_supersede),        \
        X(memory_revise_from_episode), X(memory_update), X(memory_add), X(memory_mark),            \
        X(memory_consolidate), X(memory_seed), X(memory_propagate_confidence), X(memory_verify),   \
        X(memory_retract), X(memory_restore), X(memory_forget), X(memory_protect),                 \
        X(log_source_attribution), X(get_source_attributions), X(log_search_attribution),          \
        X(cot_begin), X(cot_step), X(cot_finish), X(cot_record), X(cot_get), X(cot_sources),       \
        X(extract_sources), X(cite_sources), X(get_citations), X(list_memory), X(get_context),     \
        X(put_memory), X(get_memory), X(delete_memory)
#define TOOL_NAMED(name_) tool_##name_
extern const struct mcp_tool EACH_TOOL(TOOL_NAMED);

/* Fields by what is most often said of one. What follows `about` is as in FIELD. */
#define OPTIONAL(name_, type_, ...) FIELD(name_, type_, 0, __VA_ARGS__)
#define NEEDED(name_, type_, ...)   FIELD(name_, type_, FIELD_REQUIRED, __VA_ARGS__)
#define NULLABLE(name_, type_, ...) FIELD(name_, type_, FIELD_NULLABLE, __VA_ARGS__)
#define OR_NULL(name_, type_, ...)  FIELD(name_, type_, FIELD_REQUIRED | FIELD_NULLABLE, __VA_ARGS__)
#define PROSE(name_, about_)                                                                       \
    FIELD(name_, STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_TEXT, about_)
#define TEXTS(name_, flags_, ...) FIELD(name_, ARRAY, flags_, __VA_ARGS__, .of = FIELD_STRING)
#define OBJECTS(name_, flags_, fields_, ...)                                                       \
    FIELD(name_, ARRAY, flags_, __VA_ARGS__, .of = FIELD_OBJECT, .fields = fields_)
/* The ref of the memory that a call is about. */
#define REF_ARGUMENT(name_, about_)                                                                \
    FIELD(name_, STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT, about_,                 \
          .longest = URI_MAX)
#define AGENT_ID(flags_, about_)                                                                   \
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY | FIELD_SEEN | (flags_), about_,                     \
          .longest = AGENT_NAME_MAX)
#define LIMIT(most_, fallback_)                                                                    \
    OPTIONAL("limit", INTEGER, "At most so many.", .min = 1, .max = most_, .fallback = fallback_)
#define UNIT      .min = 0, .max = 1
#define COUNT     .min = 0, .max = WHOLE_MAX
#define SECONDS   .min = 0, .max = INFINITY
#define WHOLE_MAX 9007199254740991.0 /* beyond it clients would read another number */

/* Members of an entry: what a tool takes and answers, and the function that carries it out. */
#define SCHEMA(arguments_, answer_) .arguments = arguments_, .answer = answer_
#define READS(read_)                .hints = HINT_READ_ONLY | HINT_IDEMPOTENT, .work = WORK_READ, .read = read_
#define WRITES(hints_, write_, encode_)                                                            \
    .hints = hints_, .work = WORK_WRITE, .write = write_, .encode = encode_

/* ---- arguments ---- */

/* Names of the model, for `choice`. */
const char *one_kind(int i);
const char *one_status(int i); /* those of stored memories; after the last, "all" */
const char *one_label(int i);
const char *one_order(int i);
const char *one_source_type(int i);
const char *one_reading(int i);
const char *one_direction(int i);
const char *one_problem(int i);

/* ---- writing ---- */

/* Bounds of what is given: of names and other short fields, in characters, and of lists. Texts have none. */
#define SHORT_MAX  1000
#define URI_MAX    8192 /* also of a ref, which may be a remark */
#define REFS_MAX   1000
#define TAGS_MAX   200
#define TAG_BOUNDS .longest = SHORT_MAX, .max = TAGS_MAX
#define REFS_FIELD(name_, about_)                                                                  \
    TEXTS(name_, FIELD_NONE_EMPTY, about_, .longest = URI_MAX, .max = REFS_MAX)

/* P of every tool that adds: read by take_provenance, which also takes `tags`. */
#define PROVENANCE_FIELDS                                                                          \
    REFS_FIELD("derived_from", "Refs (kind:id) of what this was made from: a capture, episode, "   \
                               "belief, step or attribution. context:words is kept as a remark."), \
        REFS_FIELD("relates_to",                                                                   \
                   "Refs of what else backs it up, each by itself. A bare id is an episode."),     \
        OPTIONAL("derivation", STRING, "Does any of derived_from suffice, or are all needed?",     \
                 .choice = one_reading, .fallback = "\"any\""),                                    \
        OPTIONAL("source", STRING,                                                                 \
                 "Where it came from, in words: \"told by Claire\", \"read in CI log 8841\"."),    \
        OPTIONAL("source_type", STRING, "How it came about; else inferred from `source`.",         \
                 .choice = one_source_type),                                                       \
        OPTIONAL("source_entity", STRING,                                                          \
                 "Who told it: human:NAME for a person, else the name of an agent.",               \
                 .longest = SHORT_MAX),                                                            \
        OPTIONAL("context", STRING, "What it belongs to: a project, a conversation."),             \
        TEXTS("context_tags", 0, "Tags of that context; they join the memory's tags.",             \
              TAG_BOUNDS),                                                                         \
        AGENT_ID(0, "Whose memory it is. Without it, yours.")
#define TAGS_FIELD TEXTS("tags", 0, "Words to find it by.", TAG_BOUNDS)

/* Reads the arguments of provenance, and `tags`, into a request. */
void take_provenance(struct mcp_call *call, struct add_request *r);
/* What came of a call that added one memory. */
int keep_added(struct mcp_call *call, const struct added *added);
void encode_added(struct mcp_call *call); /* answers with it */
/* Begins the answer of a tool that wrote: {ref, version, …. */
struct json_object begin_written(struct mcp_call *call, struct ref ref, int64_t version);
/* Writes the item at that place of `items` as the next of the list. */
typedef void (*list_item)(struct json_object *list, const void *items, size_t place);
/* The member of those items until the answer has `most` bytes, where there are any; adds to *left how many it has no
 * room for. */
void add_items(struct json_object *o, const char *name, const void *items, size_t count,
               list_item item, size_t most, size_t *left);
/* The same of texts. */
void add_texts(struct json_object *o, const char *name, const char *const *texts, size_t count,
               size_t most, size_t *left);

/* ---- operations ---- */

/* The memory that an operation is about. */
#define REF_FIELD REF_ARGUMENT("ref", "kind:id, or the beginning of an id where it is unique.")

/* ---- reading ---- */

/*
 * Appends the memory. One that is too large for a client is given by the beginning of its text and says how large
 * it is. ERROR_NOT_FOUND: a stub.
 */
int add_form(struct mcp_call *call, struct reader *r, int64_t node, enum label label,
             struct strbuf *out, struct error *e);

struct row_label;
/* Rows of memories with their labels; `words`: each comes with what a search for them shows of it. */
struct memory_page {
    const int64_t *row;
    const struct row_label *label;
    size_t count;
    const char *words; /* NULL: none */
};
/* The member "memories" in an answer to the call: the first of them until it has PAGE_MAX bytes; *told: how many. */
int add_memories(struct mcp_call *call, struct reader *r, const struct memory_page *page,
                 struct json_object *o, size_t *told, struct error *e);

/* Bytes of an answer beyond which the usual clients would close the connection: it is said twice in a
 * message, once within a string, and they stop at 10 MiB. */
#define ANSWER_MAX (3u << 20)
/* A page of several ends when it has so many, whatever its limit. */
#define PAGE_MAX (1u << 20)
/*
 * The answer is made of pieces of memories, each masked as it was put in, among words, times and refs of stemma's
 * own, at which no pattern of the configuration looks; the built-in rules look at all of it. `masked`: guard_masks
 * before the first piece. Where that came only with an entry that was met on the way, all of the answer is looked at
 * by all of them.
 */
void answer_in_pieces(struct mcp_call *call, const struct reader *r, bool masked);
/* ERROR_INVALID where the answer is larger than ANSWER_MAX. */
int answer_fits(const struct mcp_call *call, const char *todo, struct error *e);

struct list_query;
/* Rows of a list. */
struct list_rows {
    size_t most; /* how many are wanted */
    int64_t *row;
    size_t count;
    const char *next; /* the cursor behind the last; NULL: there is none */
    bool more;        /* there are others */
};
/* Reads those behind the cursor (NULL or "": from the beginning) into the call's arena. */
int list_rows_read(struct mcp_call *call, struct reader *r, const struct list_query *query,
                   const char *cursor, struct list_rows *rows, struct error *e);
/* The rows of memories that the call is about. `name`: of the argument. */
int64_t resolve_argument(struct mcp_call *call, struct reader *r, const char *name,
                         struct error *e);
/* The same of one of which more is to be told than whose it is. ERROR_REFUSED: it is another agent's. */
int64_t resolve_whole(struct mcp_call *call, struct reader *r, const char *name, struct error *e);
/* ERROR_REFUSED where the caller does not see the memory of that row whole. */
int check_whole(struct reader *r, int64_t row, struct error *e);

/*
 * What the tools of reasoning and of citations share: sources as they are given and answered, and answers
 * that are kept within their bound, with a count of what was left out.
 */

#define SOURCES_MAX 10000 /* items of one list that is given */
/* A list ends where an answer has so many bytes: others and what stands around them still fit. */
#define LIST_MAX (ANSWER_MAX / 4 * 3)

/* ---- given ---- */

/* Items of retrieved_documents and search_results, and of source_attributions. */
extern const struct field search_result_fields[], recorded_source_fields[];

/* As source_context reads each; what is no text is refused by itself. */
struct contexts {
    const char **text; /* "" in the place of one that was refused */
    size_t count;
    struct source_refusal *refused;
    size_t refused_count;
};
/* Those of that argument. */
struct contexts take_contexts(struct mcp_call *call, const char *name);

/* ---- answered ---- */

/* Where a score comes from: measured, heuristic, default, asserted. */
const char *one_score(int i);

extern const struct field source_fields[];
/* {index, reason}, and {step_number, index, reason}. */
extern const struct field refused_fields[], refused_in_step_fields[];
/* all_sources, primary_sources, source_usage_by_step. */
extern const struct field summary_fields[];

#define REFUSED_FIELD                                                                              \
    OBJECTS("refused", 0, refused_fields, "Sources that could not be taken; the others stand.")
#define SOURCES_LEFT_OUT_FIELDS                                                                    \
    OPTIONAL("excerpts_left_out", BOOLEAN, "The passages are kept: memory_get of a step."),        \
        OPTIONAL("left_out", INTEGER, "So many sources more are kept.")

/* The member `name`: those that an answer has room for. *left: counts the others, here and below. */
void add_sources(struct json_object *o, const char *name, const struct source *source, size_t count,
                 size_t *left);
/* The member "refused" where any are; `also`: others of the same call, before them. */
void add_refused(struct json_object *o, const struct source_refusal *also, size_t also_count,
                 const struct source_refusal *refused, size_t count, size_t *left);
/* A host that shows its log shows that sources were refused; the answer says which and why. */
void warn_refused(struct mcp_call *call, size_t count);
/* The member "left_out" where something was. */
void add_left_out(struct json_object *o, size_t left);

/* How a summary was cut down to its room. */
struct summary_cut {
    bool excerpts;  /* left out although they were asked for */
    size_t sources; /* left out */
};
/*
 * Appends the summary, or its form for display, within LIST_MAX: without excerpts where they are too much, then with as many of the most
 * relevant sources as have room. What has none is taken out of `s`.
 */
void add_summary(struct strbuf *out, struct source_summary *s, bool displayed, bool excerpts,
                 struct summary_cut *cut);
/* The members "excerpts_left_out" and "left_out" where something was. */
void add_summary_cut(struct json_object *o, const struct summary_cut *cut);

/*
 * A chain within ANSWER_MAX, as the object of an answer: chain_write_part, and what was left out of it as the
 * members "excerpts_left_out", "texts_cut", "steps_left_out" with "next", and "left_out".
 */
int add_reasoning(struct reader *r, int64_t node, bool excerpts, size_t offset, struct strbuf *out,
                  struct error *e);
/* Its sources in the form for display, the same. */
int add_displayed(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                  struct error *e);

/* ---- memories as resources, the completion of their names ---- */

/*
 * stemma://KIND/ID is a memory, with /lineage what it rests on as text and with /lineage.json as data; of a
 * chain with /reasoning the chain with its steps, with /sources its sources in the form for display;
 * stemma://agent/AGENT is what an agent wrote last. Each part is percent-encoded.
 */
enum {
    TEMPLATE_MEMORY,
    TEMPLATE_LINEAGE,
    TEMPLATE_LINEAGE_JSON,
    TEMPLATE_REASONING,
    TEMPLATE_SOURCES,
    TEMPLATE_AGENT,
    RESOURCE_TEMPLATES
};
extern const struct mcp_template resource_templates[];

/* The row of an agent that somebody's memories are of, or -1. */
int64_t find_agent(struct reader *r, const char *agent, struct error *e);
int list_resources(struct mcp_call *call, struct reader *r, struct error *e);
int read_resource(struct mcp_call *call, struct reader *r, struct error *e);

int complete_argument(struct mcp_call *call, struct reader *r, struct error *e);

#define MEMORY_PROMPTS 5
extern const struct mcp_prompt memory_prompts[];

#endif
