/*
 * Lists of memories, filtered by kind, agent, status and source type, in eight orders, paged by key.
 * A list is one statement that merges an index scan for each kind, so all pages cost the same.
 * Only attributions in the order of their retrieval are sorted first.
 *
 * Ties are decided by the row, in the direction of the order, so every order is total: rows
 * inserted between two pages are not repeated, nor are others skipped. The order by text uses the
 * first 48 code points.
 *
 * Only what the reader's guard allows is listed (store/guard/README.md); callers add no check.
 */
#ifndef STEMMA_LIST_H
#define STEMMA_LIST_H

#include "model/graph/graph.h"
#include "store/db/store.h"
#include "store/record/get.h"

enum list_order {
    ORDER_RECORDED = 0, /* by row */
    ORDER_CREATED,
    ORDER_UPDATED,
    ORDER_CONFIDENCE,
    ORDER_TEXT,
    ORDER_TRUST,     /* has no index, like ORDER_CONFIDENCE */
    ORDER_RETRIEVED, /* attributions by their retrieval time, others by their creation */
    ORDER_KEYSTONES, /* by how many others would lose all support without it; no index */
    ORDER_COUNT
};
const char *order_name(enum list_order order);

/* Of times in ms, inclusive; without has_… there is no bound. */
struct list_range {
    bool has_from, has_to;
    int64_t from, to;
};

struct query_terms;
struct list_query {
    unsigned kinds;          /* KIND_BIT()s; 0: all */
    unsigned statuses;       /* STATUS_BIT()s; 0: STATUSES_LISTED */
    const char *agent;       /* exact; NULL: any */
    const char *source_type; /* exact name; NULL: any */
    const char *claimed;     /* the name that their unnamed author claimed; NULL: any */
    const char *told;        /* who told it (source_entity; "agent:" may be left out); NULL: any */
    struct list_range created, updated;
    const struct query_terms *
        terms; /* what else they must match (query.h); NULL: nothing. Must live as long as the list */
    enum list_order order; /* text: ascending; others: descending */
    bool reverse;
    /*
     * Only rows with bytes[row - 1] == byte; NULL: all. The array must live as long as the list and
     * is not part of a cursor. In the order ORDER_RECORDED other rows cost nothing.
     */
    const uint8_t *bytes;
    size_t byte_count;
    uint8_t byte;
};

/* A list holds the reader's transaction until list_close. Several may be open at once. */
struct list;
/* `cursor` is from list_cursor, or NULL. ERROR_INVALID if it is damaged or of another query. */
struct list *list_open(struct reader *r, const struct list_query *query, const char *cursor,
                       struct error *e);
/* Returns 1 and the next row in *node, 0 at the end, -1 on error. */
int list_next(struct list *l, int64_t *node, struct error *e);
/* Appends a cursor after the last row: opaque, URL-safe text. Nothing before the first row. */
void list_cursor(struct list *l, struct strbuf *out);
void list_close(struct list *l);

/*
 * Passes all rows to `each` in slices of up to 4096; non-zero stops it. For the explorer's worker
 * (measured: 0.1 to 0.2 s for a million). Counts, too: add up the slices; the guard applies.
 */
int list_ids(struct reader *r, const struct list_query *query,
             int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
             struct error *e);

/* Whether the list has a row. Costs no more than a page. */
int list_any(struct reader *r, const struct list_query *query, bool *any, struct error *e);
/* Whether the listed memories belong to several agents. Stops at the second agent. */
int list_several_agents(struct reader *r, bool *several, struct error *e);
/* Were transcripts imported? Then memory files have their cost in tokens and their last use. O(1). */
int list_has_transcripts(struct reader *r, bool *has, struct error *e);

/* Counts the listed memories of each agent; the largest count comes first. Ignores the guard: only for a person. */
struct agent_count {
    const char *name;
    int64_t count;
};
int list_agents(struct reader *r, struct arena *arena, struct agent_count **out, size_t *count,
                struct error *e);
/* The row of an agent; 0 if it has no memory that the caller may see; -1 on error. */
int64_t list_find_agent(struct reader *r, const char *name, struct error *e);
/* Whether the agent has a memory that the caller may see, in any status. */
int list_has_agent(struct reader *r, const char *name, bool *has, struct error *e);
/*
 * What an agent_id of a call selects in a list: the memories of that agent. If the caller sees none of them, it selects
 * the caller's own memories whose author claimed that name. A NULL member does not narrow the list; for a NULL `name`
 * both are NULL.
 */
struct named_agent {
    const char *agent, *claimed;
};
struct named_agent list_named_agent(struct reader *r, const char *name);
/* The names of all flags in the store, in the arena. */
int list_flags(struct reader *r, struct arena *arena, const char ***names, size_t *count,
               struct error *e);
/* The names of all source types in the store, in the arena. */
int list_source_types(struct reader *r, struct arena *arena, const char ***names, size_t *count,
                      struct error *e);

/* A memory and its last event. */
struct latest_change {
    int64_t node, seq;
};
/*
 * The memories that the caller may list with an event after `after`, of one agent (NULL: all),
 * latest last event first, at most `limit`. O(agents x kinds + limit) if nothing is hidden or only
 * memories of other agents are; entries that are not listed are skipped one by one.
 */
int list_latest_changes(struct reader *r, int64_t after, const char *agent, size_t limit,
                        struct latest_change *out, size_t *count, struct error *e);

/* Memories that name another one in a relation: supersedes, contradicts and the like. */
struct related {
    int64_t node; /* the memory that has the relation */
    enum role type;
    const char *reason; /* NULL if there is none */
};
/*
 * The memories that relate to `node`, at most `limit`, ordered by row, in the arena. *more tells
 * whether there are others.
 */
int related_to(struct reader *r, struct arena *arena, int64_t node, int type, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e);

/*
 * Returns 1 if the memory has a link to the other one, of support or a relation, 0 if not, -1 on
 * error.
 */
int link_exists(struct reader *r, int64_t memory, int64_t other, struct error *e);

/* ---- flagged memories ---- */

struct flagged {
    int64_t node, at; /* time of the last flag */
};
/*
 * The memories with a flag, the newest flag first, of one agent (NULL: all), with one of
 * these statuses (STATUS_BIT). The caller frees *out. O(flags of that name).
 */
int flagged_list(struct reader *r, const char *flag, const char *agent, unsigned statuses,
                 struct flagged **out, size_t *count, struct error *e);

/* The newest flag of that name on a memory, in the arena. ERROR_NOT_FOUND if it has none. */
int flag_read(struct reader *r, struct arena *arena, int64_t node, const char *flag,
              struct flag *out, struct error *e);

/* Reads what a list shows of a memory, as the caller may see it. */
int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e);

#endif
