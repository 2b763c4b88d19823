/*
 * Shared by the tools: the list of all tools (EACH_TOOL), fields of arguments, memories and chains as answers,
 * resources and prompts. Only this room includes it.
 */
#ifndef STEMMA_MCP_TOOLS_H
#define STEMMA_MCP_TOOLS_H

#include "model/graph/graph.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/mcp/protocol/service.h"
#include "store/mcp/tools/service.h"
#include "store/entries/entry.h"
#include "model/reasoning/reasoning.h"

/* The tools in the order in which clients see them: by set. Each is defined as tool_NAME in the file of its noun. */
#define EACH_TOOL(X)                                                                               \
    X(memory_search), X(memory_get), X(memory_list), X(memory_lineage), X(memory_add),             \
        X(memory_reinforce), X(memory_supersede), X(memory_update), X(memory_mark),                \
        X(memory_retract), X(memory_raw), X(memory_episode), X(memory_note), X(memory_belief),     \
        X(memory_process_raw), X(memory_revise_from_episode), X(memory_consolidate),               \
        X(memory_seed), X(memory_propagate_confidence), X(memory_verify), X(memory_restore),       \
        X(memory_forget), X(memory_protect), X(log_source_attribution),                            \
        X(get_source_attributions), X(log_search_attribution), X(cot_begin), X(cot_step),          \
        X(cot_finish), X(cot_record), X(cot_get), X(cot_sources), X(extract_sources),              \
        X(cite_sources), X(get_citations), X(list_memory), X(get_context), X(put_memory),          \
        X(get_memory), X(delete_memory), X(memory_whatif), X(memory_orphans), X(memory_history),   \
        X(memory_why), X(memory_blame), X(memory_roots), X(memory_confidence),                     \
        X(memory_keystones), X(memory_taint), X(memory_suspects), X(memory_forensics),             \
        X(memory_why_not), X(memory_duplicates), X(memory_conflicts), X(memory_stale),             \
        X(memory_resolve), X(memory_replaced), X(memory_effects)
#define TOOL_NAMED(name_) tool_##name_
extern const struct mcp_tool EACH_TOOL(TOOL_NAMED);

/* Short forms of FIELD for common flags. Arguments after `about` are as in FIELD. */
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
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY | FIELD_VISIBLE | (flags_), about_,                  \
          .longest = AGENT_NAME_MAX)
#define LIMIT(most_, fallback_)                                                                    \
    OPTIONAL("limit", INTEGER, NULL, .min = 1, .max = most_, .fallback = fallback_)
#define UNIT      .min = 0, .max = 1
#define COUNT     .min = 0, .max = WHOLE_MAX
#define SECONDS   .min = 0, .max = INFINITY
#define WHOLE_MAX 9007199254740991.0 /* largest integer that JSON clients read exactly */

/* Members of a tool's entry: its schemas, and the function that carries it out. */
#define SCHEMA(arguments_, answer_) .arguments = arguments_, .answer = answer_
#define READS(read_)                .hints = HINT_READ_ONLY | HINT_IDEMPOTENT, .work = WORK_READ, .read = read_
#define WRITES(hints_, write_, encode_)                                                            \
    .hints = hints_, .work = WORK_WRITE, .write = write_, .encode = encode_

/* ---- arguments ---- */

/* Functions for `choice`: names of enumerations of the model. */
const char *one_kind(int i);
const char *one_status(int i); /* statuses of stored memories, then "all" */
const char *one_label(int i);
const char *one_order(int i);
const char *one_source_type(int i);
const char *one_reading(int i);
const char *one_problem(int i);

/* For `rate`: counts the call; ERROR_RATE if there were too many. */
int tool_take_rate(struct mcp_call *call, struct error *e);

/* ---- writing ---- */

/* Limits of arguments: characters of names and other short fields, and elements of lists. Texts have no limit here. */
#define SHORT_MAX  1000
#define URI_MAX    8192 /* also for a ref, which may be a remark */
#define REFS_MAX   1000
#define TAGS_MAX   200
#define TAG_BOUNDS .longest = SHORT_MAX, .max = TAGS_MAX
#define REFS_FIELD(name_, about_)                                                                  \
    TEXTS(name_, FIELD_NONE_EMPTY, about_, .longest = URI_MAX, .max = REFS_MAX)

/* Arguments of provenance for every tool that adds a memory; memory_add explains them. take_provenance reads them, and
 * `tags`, which context_tags mean, too. */
#define PROVENANCE(derived_, relates_, source_, entity_, tags_)                                    \
    REFS_FIELD("derived_from", derived_), REFS_FIELD("relates_to", relates_),                      \
        OPTIONAL("derivation", STRING, NULL, .choice = one_reading),                               \
        OPTIONAL("source", STRING, source_),                                                       \
        FIELD("source_type", STRING, FIELD_UNTOLD, NULL, .choice = one_source_type),               \
        OPTIONAL("source_entity", STRING, entity_, .longest = SHORT_MAX),                          \
        OPTIONAL("context", STRING, NULL), TEXTS("context_tags", tags_, NULL, TAG_BOUNDS),         \
        AGENT_ID(0, NULL)
#define PROVENANCE_FIELDS PROVENANCE(NULL, NULL, NULL, NULL, 0)
#define TAGS_FIELD        TEXTS("tags", 0, NULL, TAG_BOUNDS)
/* Of tools whose specification knows only context_tags. */
#define TAGS_TOO TEXTS("tags", FIELD_UNLISTED, NULL, TAG_BOUNDS)

/* Reads the arguments of provenance and `tags` into a request. */
void take_provenance(struct mcp_call *call, struct add_request *r);
/* Adds to the answer that the memory waits (plan.h), and asks the person through the client if that is configured. */
void add_pending(struct mcp_call *call, struct json_object *o, int64_t row, const char *text,
                 const char *waits);
/* Carries out what the person answered (struct mcp_service). */
int decide_pending(struct mcp_call *call, struct txn *t, struct error *e);
/* Stores the result of a call that added one memory in call->done. Returns 0. */
int keep_added(struct mcp_call *call, const struct added *added);
void encode_added(struct mcp_call *call); /* the `encode` function for keep_added */
/* Begins the answer of a write with {"ref", "version". The caller ends the object. */
struct json_object begin_written(struct mcp_call *call, struct ref ref, int64_t version);
/* The same of the memory tools: with the ref that ref_short made. */
struct json_object begin_changed(struct mcp_call *call, const char *ref, int64_t version);
/* Adds a list of texts that the agent gave, each begun, as far as the answer has room; *left as in add_items. */
void add_echo(struct json_object *o, const char *name, const char *const *texts, size_t count,
              size_t *left);
/* Writes items[place] as the next element of the list. */
typedef void (*list_item)(struct json_object *list, const void *items, size_t place);
/* Adds a list of the items as a member, if there are any, until the answer has `most` bytes. Adds the number of
 * omitted items to *left. */
void add_items(struct json_object *o, const char *name, const void *items, size_t count,
               list_item item, size_t most, size_t *left);
/* The same for texts. */
void add_texts(struct json_object *o, const char *name, const char *const *texts, size_t count,
               size_t most, size_t *left);

/* ---- operations ---- */

/* The argument that names a memory; memory_get explains it, for all. */
#define REF_FIELD REF_ARGUMENT("ref", NULL)

/* ---- reading ---- */

/* Whether an answer has the full form (one_detail). */
#define DETAIL_FIELD OPTIONAL("detail", STRING, "full: as exported", .choice = one_detail)
const char *one_detail(int i);
bool wants_full(const struct mcp_call *call);
/* The members of a memory in that form, which no tool's `answer` has, and those of a compact one or of a row. */
extern const struct field memory_fields[];
/* A ref and a time of stemma's own words: a pattern of the configuration does not mask them, because what is masked in
 * them already is. */
#define ROW_FIELDS                                                                                 \
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),                                        \
        OPTIONAL("effective", NUMBER, "What is left of its confidence."),                          \
        OPTIONAL("confidence", NUMBER, "Stored, if it differs."),                                  \
        OPTIONAL("label", STRING, NULL, .choice = one_label),                                      \
        FIELD("age", STRING, FIELD_OWN, NULL),                                                     \
        OPTIONAL("agent_id", STRING, "If it is another agent's."),                                 \
        OPTIONAL("class", STRING, "web: from a page; information, no instruction."),               \
        TEXTS("flags", 0, "Of a row only those that warn."), OPTIONAL("why", STRING, NULL),        \
        OPTIONAL("withheld", BOOLEAN, "Another agent's: no more is told.")
/* Whether an answer is text for reading, or JSON. */
#define FORMAT_FIELD OPTIONAL("format", STRING, NULL, .choice = one_format)
const char *one_format(int i);
bool wants_json(const struct mcp_call *call);
/* Makes the text the answer, which has no structuredContent then. */
void answer_text_alone(struct mcp_call *call, struct strbuf *text);

struct row_label;
/*
 * Appends the memory as JSON in full form. If it is larger than `most` bytes, only its size and as much of its text as
 * these hold are written; in a list only the beginning, so that there is room for others. Returns -1 and sets
 * ERROR_NOT_FOUND if the memory was never written.
 */
int add_form(struct mcp_call *call, struct reader *r, int64_t node, const struct row_label *label,
             size_t most, struct strbuf *out, struct error *e);
int add_form_in_list(struct mcp_call *call, struct reader *r, int64_t node,
                     const struct row_label *label, size_t most, struct strbuf *out,
                     struct error *e);

/* Rows of memories with their labels. With `words` each memory gets the snippet that a search for them shows. */
struct memory_page {
    const int64_t *row;
    const struct row_label *label;
    size_t count;
    const char *words; /* NULL for no snippets */
    size_t most;       /* how many were asked for; 0 for no limit in full form */
    bool full;         /* in full form, in `bytes`; else compact, in answer_rows_max of them */
    size_t bytes;
    size_t around; /* bytes that the answer needs besides them */
};
/* Maximum bytes of a compact answer to a request for so many memories: 2,500 up to ten, 12,000 for fifty. */
size_t answer_rows_max(size_t count);
/*
 * Adds the member "memories" with the first of them, until the answer has its bytes: those that hold, then those
 * that do not (memory_holds). Sets *written to the number of rows that it took. What the configuration hides is left
 * out and counted as "left_out".
 */
int add_memories(struct mcp_call *call, struct reader *r, const struct memory_page *page,
                 struct json_object *o, size_t *written, struct error *e);

/* Maximum bytes of an answer of the memory tools, which an agent pays for; what is left out is counted, and the answer
 * says how to go on. */
#define ANSWER_BYTES ((size_t)40000)
/* The sets whose answers a specification fixes, whatever they cost. */
#define TOOLSETS_FIXED                                                                             \
    (TOOLSET_BIT(TOOLSET_ATTRIBUTIONS) | TOOLSET_BIT(TOOLSET_REASONING) |                          \
     TOOLSET_BIT(TOOLSET_NAMESPACES))
/* Maximum bytes of a resource, and of an answer whose form a specification fixes. It occurs twice in the message, once
 * escaped in a string, and the usual clients close the connection if a message passes 10 MiB. */
#define ANSWER_MAX (3u << 20)
/* A page of several memories ends at this size, whatever its limit. */
#define PAGE_MAX (1u << 20)
/*
 * Call this if each text was masked when it was added to the answer, among words, times and refs of stemma's own.
 * Then only the built-in rules are applied to the whole answer, not the patterns of the configuration. `masked` is
 * guard_masks before the first text was added. If masking began later, because an entry was met, all rules are
 * applied to the whole answer.
 */
void answer_masked_in_parts(struct mcp_call *call, const struct reader *r, bool masked);
/* Returns -1 and sets ERROR_INVALID if the answer is larger than its tool may answer; `hint` is the hint. */
int answer_fits(const struct mcp_call *call, const char *hint, struct error *e);

struct list_query;
/* A page of rows. */
struct list_rows {
    size_t most; /* maximum number of rows */
    int64_t *row;
    size_t count;
    const char *next; /* cursor after the last row; NULL if none */
    bool more;        /* there are more rows */
};
/* Reads the rows after the cursor (NULL or "" for the beginning) into the call's arena. */
int list_rows_read(struct mcp_call *call, struct reader *r, const struct list_query *query,
                   const char *cursor, struct list_rows *rows, struct error *e);
/* Resolves the argument `name`, a ref, to the row of a memory and makes it the call's subject. Returns -1 and sets
 * `e` if it fails. */
int64_t resolve_argument(struct mcp_call *call, struct reader *r, const char *name,
                         struct error *e);
/* The same, but the caller must be allowed to see the whole memory: otherwise ERROR_REFUSED. */
int64_t resolve_whole(struct mcp_call *call, struct reader *r, const char *name, struct error *e);
/* Returns -1 and sets ERROR_REFUSED if the caller may not see the whole memory. */
int check_whole(struct reader *r, int64_t row, struct error *e);

/*
 * Shared by the tools of reasoning and of citations: sources as arguments and in answers, and answers that stay
 * within their size limit and count what was left out.
 */

#define SOURCES_MAX 10000 /* maximum items of a list argument */
/* A list ends when the answer has this many bytes: the rest of the answer still fits. */
#define LIST_MAX (ANSWER_MAX / 4 * 3)

/* ---- arguments ---- */

/* Items of retrieved_documents and search_results; items of source_attributions. */
extern const struct field search_result_fields[], recorded_source_fields[];

/* Context texts as read by source_context. Items that are not texts are refused one by one. */
struct contexts {
    const char **text; /* "" for an item that was refused */
    size_t count;
    struct source_refusal *refused;
    size_t refused_count;
};
/* Reads the context texts of an argument. */
struct contexts take_contexts(struct mcp_call *call, const char *name);

/* ---- answers ---- */

/* Origins of scores: measured, heuristic, default, asserted. */
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

/* Adds the member `name` with the sources that fit. Adds the number of omitted sources to *left, as the functions
 * below do. */
void add_sources(struct json_object *o, const char *name, const struct source *source, size_t count,
                 size_t *left);
/* Adds the member "refused" if any source was refused: first `also`, then `refused`. */
void add_refused(struct json_object *o, const struct source_refusal *also, size_t also_count,
                 const struct source_refusal *refused, size_t count, size_t *left);
/* Sets the call's log message about refused sources, for hosts that show their log. */
void warn_refused(struct mcp_call *call, size_t count);
/* Adds the member "left_out" if it is not 0. */
void add_left_out(struct json_object *o, size_t left);

/* What was left out of a summary to make it fit. */
struct summary_cut {
    bool excerpts;  /* excerpts were asked for and left out */
    size_t sources; /* number of sources left out */
};
/*
 * Appends the summary, or its form for display, in at most LIST_MAX bytes: without excerpts if it is too large, then
 * with only the most relevant sources that fit. Removes omitted sources from `s`.
 */
void add_summary(struct strbuf *out, struct source_summary *s, bool displayed, bool excerpts,
                 struct summary_cut *cut);
/* Adds the members "excerpts_left_out" and "left_out" if something was left out. */
void add_summary_cut(struct json_object *o, const struct summary_cut *cut);

/*
 * Appends a chain as a JSON object of at most ANSWER_MAX bytes. What was left out is stated by the members
 * "excerpts_left_out", "texts_cut", "steps_left_out" with "next", and "left_out".
 */
int add_reasoning(struct reader *r, int64_t node, bool excerpts, size_t offset, struct strbuf *out,
                  struct error *e);
/* Appends the sources of a chain in the form for display, with the same limit. */
int add_displayed(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                  struct error *e);

/* ---- resources and completion ---- */

/*
 * URIs of resources: stemma://KIND/ID is a memory; with /lineage what it is based on as text, with /lineage.json as
 * data. For a chain, /reasoning is the chain with its steps, and /sources its sources in the form for display.
 * stemma://agent/AGENT lists an agent's newest memories. Each part is percent-encoded.
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

/* Finds an agent that owns memories. Returns its row, or -1 and sets `e`. */
int64_t find_agent(struct reader *r, const char *agent, struct error *e);
int list_resources(struct mcp_call *call, struct reader *r, struct error *e);
int read_resource(struct mcp_call *call, struct reader *r, struct error *e);

int complete_argument(struct mcp_call *call, struct reader *r, struct error *e);

#define MEMORY_PROMPTS 5
extern const struct mcp_prompt memory_prompts[];

#endif
