/*
 * Lists: by kind, agent, status and source type, in five orders, paged by key. One statement, which merges an index
 * scan for each kind, so that any page costs the same at any depth.
 *
 * Ties are decided by the row, in the direction of the order, so that every order is total: rows that
 * are put in between two pages are neither repeated nor make others be skipped. The order by text is
 * by its first 48 code points.
 */
#ifndef STEMMA_LIST_H
#define STEMMA_LIST_H

#include "model/graph/graph.h"
#include "store/db/store.h"
#include "store/record/get.h"

enum list_order {
    ORDER_RECORDED = 0, /* by the row */
    ORDER_CREATED,
    ORDER_UPDATED,
    ORDER_CONFIDENCE,
    ORDER_TEXT,
    ORDER_COUNT
};
const char *order_name(enum list_order order);

struct list_query {
    unsigned kinds;          /* KIND_BIT()s; 0: all */
    unsigned statuses;       /* STATUS_BIT()s; 0: STATUSES_LISTED */
    const char *agent;       /* exact; NULL: any */
    const char *source_type; /* exact name; NULL: any */
    enum list_order order;   /* text: least first; the others: greatest first */
    bool reverse;
    /* Only rows whose byte, by row - 1, is `byte`; NULL: all. The bytes must live as long as the list, and are no
     * part of a cursor. In the order `recorded` other rows cost nothing. */
    const uint8_t *bytes;
    size_t byte_count;
    uint8_t byte;
};

/* A list holds the reader's transaction until it is closed; several may be open at once. */
struct list;
/* `cursor`: from list_cursor, or NULL. ERROR_INVALID for one that is not ours or of another query. */
struct list *list_open(struct reader *r, const struct list_query *query, const char *cursor,
                       struct error *e);
/* The next row's id: 1 and *node, 0 at the end, -1 on error. */
int list_next(struct list *l, int64_t *node, struct error *e);
/* Where the next page begins, after what list_next gave last: opaque, URL-safe text. Nothing is
 * appended where nothing was given yet. */
void list_cursor(struct list *l, struct strbuf *out);
void list_close(struct list *l);

/* All ids in their order: `each` gets slices of up to 4,096 as they come and may stop it with
 * non-zero. For the explorer's worker (measured cost: 0.1–0.2 s for a million). */
int list_ids(struct reader *r, const struct list_query *query,
             int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
             struct error *e);

/* Is there any row at all? Costs no more than a page. */
int list_any(struct reader *r, const struct list_query *query, bool *any, struct error *e);
/* Are the listed memories those of several agents? Stops at the second agent that it meets. */
int list_several_agents(struct reader *r, bool *several, struct error *e);

/* The agents with how many memories a list shows of them (statuses listed), most first. */
struct agent_count {
    const char *name;
    int64_t count;
};
int list_agents(struct reader *r, struct arena *arena, struct agent_count **out, size_t *count,
                struct error *e);
/* The row of that agent; 0: no memory that the caller sees was ever its; -1. */
int64_t list_find_agent(struct reader *r, const char *name, struct error *e);
/* Was any memory ever that agent's? */
int list_has_agent(struct reader *r, const char *name, bool *has, struct error *e);
/* The names of all source types that the store knows, used or not; in the arena. */
int list_source_types(struct reader *r, struct arena *arena, const char ***names, size_t *count,
                      struct error *e);

/* A memory and the last event on it. */
struct latest_change {
    int64_t node, seq;
};
/* The memories that are listed to the caller, of that agent's alone (NULL: anybody's), on which there is an event with
 * seq > `after`: those whose last one is the newest come first, at most `limit`. O(agents x kinds + limit) where
 * nothing is hidden, or what is another's; entries that are not listed are passed over one by one. */
int list_latest_changes(struct reader *r, int64_t after, const char *agent, size_t limit,
                        struct latest_change *out, size_t *count, struct error *e);

/* What names a memory in a relation: the other end of supersedes, contradicts and the like. */

struct related {
    int64_t node; /* the memory that says so */
    enum role type;
};
/* At most `limit` of them, by row; *more: there are others. In the arena. */
int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e);

/* Does the memory name the other one in a link, of support or of a relation? 1, 0; -1 on error. */
int related_names(struct reader *r, int64_t memory, int64_t other, struct error *e);

/* ---- the memories that bear a mark: somebody's word on them ---- */

struct marked {
    int64_t node, at; /* when it was said last */
};
/*
 * The listed ones that are marked so, the newest mark first; of one agent (NULL: of any). Malloc'd; the caller
 * frees *out. O(marks of that name).
 */
int marked_list(struct reader *r, const char *mark, const char *agent, struct marked **out,
                size_t *count, struct error *e);

/* The newest such mark of one memory, in the arena. ERROR_NOT_FOUND: it has none. */
int marked_read(struct reader *r, struct arena *arena, int64_t node, const char *mark,
                struct mark *out, struct error *e);

/* What a list shows of the memory of that row. */
int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e);

#endif
