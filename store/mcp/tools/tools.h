/*
 * What the tools share: the table of all of them, reading arguments, the arguments by which provenance is
 * given, and a memory as an answer. For the files tool_*.c and service.c.
 */
#ifndef STEMMA_MCP_TOOLS_H
#define STEMMA_MCP_TOOLS_H

#include "model/graph/graph.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/mcp/protocol/service.h"

extern const struct mcp_tool tool_memory_raw, tool_memory_episode, tool_memory_note,
    tool_memory_belief, tool_memory_get, tool_memory_list, tool_memory_search, tool_memory_lineage,
    tool_memory_whatif, tool_memory_orphans, tool_log_source_attribution,
    tool_get_source_attributions, tool_log_search_attribution, tool_cot_begin, tool_cot_step,
    tool_cot_finish, tool_cot_record, tool_cot_get, tool_cot_sources, tool_extract_sources,
    tool_cite_sources, tool_get_citations, tool_memory_history, tool_memory_process_raw,
    tool_memory_reinforce, tool_memory_supersede, tool_memory_revise_from_episode,
    tool_memory_update, tool_memory_add, tool_memory_mark, tool_memory_consolidate,
    tool_memory_seed, tool_memory_propagate_confidence, tool_memory_verify, tool_memory_retract,
    tool_memory_restore, tool_memory_forget, tool_memory_protect, tool_list_memory,
    tool_get_context, tool_put_memory, tool_get_memory, tool_delete_memory;

/* ---- arguments ---- */

/*
 * Takes the arguments of a call. One that is there and finds no memory is noticed, not left out. Where
 * each stands is found once, for a tool asks for many that are mostly absent.
 */
#define TAKING_MEMBERS 24
struct taking {
    struct arena *arena;
    struct json_slice arguments;
    bool failed;
    size_t count; /* of the members; beyond TAKING_MEMBERS they are looked for in `arguments` */
    struct {
        struct json_slice key, value;
    } member[TAKING_MEMBERS];
};
struct taking take_from(struct mcp_call *call);
struct taking take_within(struct arena *arena, struct json_slice object);
const char *take_text(struct taking *t, const char *name, size_t *len);
const char **take_list(struct taking *t, const char *name, size_t *count);
/* As it was given; ptr NULL: absent or null. */
struct json_slice take_value(const struct taking *t, const char *name);
/* -1 with ERROR_MEMORY where one failed. */
int take_end(const struct taking *t, struct error *e);
/* Which of the choices is given; `otherwise` where none is. */
int take_choice(struct taking *t, const char *name, const char *(*choice)(int i), int otherwise);

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

/* Who acts: the actor of the call, or the agent that its `agent_id` names. */
struct actor actor_of(struct mcp_call *call, const char *agent_id);

/* Bounds of what is given: of names and other short fields, in characters, and of lists. Texts have none. */
#define SHORT_MAX  1000
#define URI_MAX    8192 /* also of a ref, which may be a remark */
#define REFS_MAX   1000
#define TAGS_MAX   200
#define REF_BOUNDS .flags = FIELD_NONE_EMPTY, .longest = URI_MAX, .max = REFS_MAX
#define TAG_BOUNDS .longest = SHORT_MAX, .max = TAGS_MAX

/* P of every tool that adds: read by add_provenance, which also takes `tags`. */
#define PROVENANCE_FIELDS                                                                          \
    {.name = "derived_from",                                                                       \
     .type = FIELD_ARRAY,                                                                          \
     .of = FIELD_STRING,                                                                           \
     REF_BOUNDS,                                                                                   \
     .about =                                                                                      \
         "Refs (kind:id) of what this was made from: the raw capture, the episode, the "           \
         "belief, the step of reasoning or the logged attribution. Give it whenever you know "     \
         "it. context:words is kept as a remark."},                                                \
        {.name = "relates_to",                                                                     \
         .type = FIELD_ARRAY,                                                                      \
         .of = FIELD_STRING,                                                                       \
         REF_BOUNDS,                                                                               \
         .about = "Refs of what else backs it up, each by itself. A bare id is an episode."},      \
        {.name = "derivation",                                                                     \
         .type = FIELD_STRING,                                                                     \
         .choice = one_reading,                                                                    \
         .fallback = "\"any\"",                                                                    \
         .about = "Does it stand while any of derived_from stands, or only while all do?"},        \
        {.name = "source",                                                                         \
         .type = FIELD_STRING,                                                                     \
         .about = "Where it came from, in words: \"told by Claire\", \"read in CI log 8841\"."},   \
        {.name = "source_type",                                                                    \
         .type = FIELD_STRING,                                                                     \
         .choice = one_source_type,                                                                \
         .about = "How it came about. Without it, inferred from `source`."},                       \
        {.name = "source_entity",                                                                  \
         .longest = SHORT_MAX,                                                                     \
         .type = FIELD_STRING,                                                                     \
         .about = "Who told it: human:NAME for a person, else the name of an agent."},             \
        {.name = "context",                                                                        \
         .type = FIELD_STRING,                                                                     \
         .about = "What it belongs to: a project, a conversation."},                               \
        {.name = "context_tags",                                                                   \
         .type = FIELD_ARRAY,                                                                      \
         .of = FIELD_STRING,                                                                       \
         TAG_BOUNDS,                                                                               \
         .about = "Tags of that context; they join the memory's tags."},                           \
    {                                                                                              \
        .name = "agent_id", .type = FIELD_STRING, .flags = FIELD_NOT_EMPTY | FIELD_SEEN,           \
        .longest = AGENT_NAME_MAX, .about = "Whose memory it is. Without it, yours."               \
    }
#define TAGS_FIELD                                                                                 \
    {                                                                                              \
        .name = "tags", .type = FIELD_ARRAY, .of = FIELD_STRING, TAG_BOUNDS,                       \
        .about = "Words to find it by."                                                            \
    }

/* What every tool that adds answers: {ref, version, unresolved?, annotations?, left_out?}. */
extern const struct field added_fields[];

/* Adds what `request` says with the provenance in the arguments, and answers. */
int tool_add(struct mcp_call *call, struct txn *t, struct add_request *request, size_t text_len,
             struct error *e);

/* Reads the arguments of provenance, and `tags`, into a request. */
void take_provenance(struct taking *t, struct add_request *r);

/* ---- operations ---- */

/*
 * The arguments that operations share: which memory, and why. What they answer: {ref, version, unresolved?,
 * left?}.
 */
#define REF_FIELD                                                                                  \
    {                                                                                              \
        .name = "ref", .type = FIELD_STRING,                                                       \
        .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT, .longest = URI_MAX,             \
        .about = "kind:id, or the beginning of an id where it is unique."                          \
    }
#define REASON_FIELD                                                                               \
    {                                                                                              \
        .name = "reason", .type = FIELD_STRING,                                                    \
        .about = "Why, in words: it is kept in the history and a person reads it."                 \
    }
#define CHANGED_FIELDS                                                                             \
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED},                                \
        {.name = "version",                                                                        \
         .type = FIELD_INTEGER,                                                                    \
         .flags = FIELD_REQUIRED,                                                                  \
         .about = "That it is at now; it grows with each change."},                                \
        {.name = "unresolved",                                                                     \
         .type = FIELD_ARRAY,                                                                      \
         .of = FIELD_STRING,                                                                       \
         .about = "Refs you gave that name nothing yet: check them for slips."},                   \
    {                                                                                              \
        .name = "left", .type = FIELD_ARRAY, .of = FIELD_STRING,                                   \
        .about = "What was left as it was, and why: it is so already."                             \
    }
extern const struct field changed_fields[];

/* An operation on behalf of the agent of a call; `q` is to be filled, and `p` is what was done. */
struct deed {
    struct mcp_call *call;
    struct txn *txn;
    struct taking taking;
    struct request q;
    struct plan p;
    const char *ref; /* the argument `ref`, which is q.refs[0]; NULL: it has none */
    int64_t row;     /* of that memory */
};
/* Takes `ref` and `reason`, where the tool has them. */
struct deed deed_begin(struct mcp_call *call, struct txn *t);
/*
 * Carries it out. What the arguments found no memory for is an error by then. A change that was refused
 * because the memory is at another version tells both.
 */
int deed_do(struct deed *d, enum operation op, struct error *e);
/* Begins the answer with the ref and the version of the memory in that row, and what was left or not found;
 * the caller may add members, and ends it. */
int deed_answer(struct deed *d, int64_t row, struct json_object *o, struct error *e);
/* All of it, where the tool does no more than that. */
int deed_whole(struct mcp_call *call, struct txn *t, enum operation op, struct error *e);
/* The first memory that it added; NULL: none. */
const struct memory *deed_added(const struct deed *d);

/* ---- reading ---- */

/* A memory in the exchange form with its label, as an object of an answer. */
extern const struct field memory_fields[];
/* The same, or a piece of one (memory_get). */
extern const struct field memory_or_piece_fields[];

/*
 * Appends the memory. One that is too large for a client is given by the beginning of its text and says how large
 * it is. ERROR_NOT_FOUND: a stub.
 */
int add_form(struct mcp_call *call, struct reader *r, int64_t node, enum label label,
             struct strbuf *out, struct error *e);
/* Appends what a search for the words shows of it, a string of JSON. */
int add_snippet(struct mcp_call *call, struct reader *r, int64_t node, const char *words,
                struct strbuf *out, struct error *e);

/* Bytes of an answer beyond which the usual clients would close the connection: it is said twice in a
 * message, once within a string, and they stop at 10 MiB. */
#define ANSWER_MAX (3u << 20)
/* A page of several ends when it has so many, whatever its limit. */
#define PAGE_MAX (1u << 20)
/*
 * The answer is made of pieces of memories, each masked as it was put in, among words, times and refs of stemma's own, at
 * which no pattern of the configuration looks; the built-in rules look at all of it. `masked`: guard_masks before the first
 * piece. Where that came only with an entry that was met on the way, all of the answer is looked at by all of them.
 */
void answer_in_pieces(struct mcp_call *call, const struct reader *r, bool masked);
/* ERROR_INVALID where the answer is larger than ANSWER_MAX. */
int answer_fits(const struct mcp_call *call, const char *todo, struct error *e);

/* The rows of memories that the call is about. `name`: of the argument. */
int64_t resolve_argument(struct mcp_call *call, struct reader *r, const char *name,
                         struct error *e);
/* The same of one of which more is to be told than whose it is. ERROR_REFUSED: it is another agent's. */
int64_t resolve_whole(struct mcp_call *call, struct reader *r, const char *name, struct error *e);
/* ERROR_REFUSED where the caller does not see the memory of that row whole. */
int check_whole(struct reader *r, int64_t row, struct error *e);

#endif
