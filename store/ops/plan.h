/*
 * A plan: the changes that an operation would make.
 *
 * Every operation is a function that reads the store and appends changes to a plan. A preview makes
 * the plan with any reader and shows it. A commit makes the plan again inside the write transaction
 * and carries it out. So a preview lists exactly what a commit does, one implementation serves the
 * explorer, the commands and MCP, and several changes are made all or none.
 *
 * Only operations in store/ build plans. Other rooms read them to show them.
 */
#ifndef STEMMA_PLAN_H
#define STEMMA_PLAN_H

#include "model/graph/graph.h"
#include "store/txn/writer.h"

struct add_request;

/* One change of one memory. It becomes one event. */
struct planned {
    const char *operation;       /* a constant, such as "retract" */
    const struct memory *before; /* state before the change; NULL if added or if a stub is filled */
    /* state after the change; NULL if an addition is undone, which leaves a stub */
    struct memory *after;
    const char *reason; /* NULL if none */
    int64_t undoes;     /* the event that this change takes back, or 0 */
    bool erases;        /* erase all earlier content, in patches too (purge) */
    int64_t event;      /* number of the resulting event, set when carried out */
};

/* The effect on a memory that is based on a changed one but is not changed itself. */
struct consequence {
    int64_t node;
    struct ref ref;              /* in the arena */
    enum label before;           /* its label before the change */
    uint32_t valid, valid_after; /* justifications that support it, before and after */
    struct ref because;          /* a named memory that it descends from; in the arena */
    bool several;                /* it descends from more than one named memory */
    uint32_t ring;               /* steps from the nearest named memory that it descends from */
};

#define PLAN_DESCENDING 1000 /* maximum number of rows in `descending` */

struct plan {
    struct reader *reader; /* reads the store while the plan is made */
    struct txn *txn;       /* transaction in which it is carried out, or NULL */
    const struct actor *actor;
    struct arena *arena;  /* owns everything in the plan */
    int64_t now;          /* time of all changes, ms */
    bool refuses_entries; /* refuse to change entries */
    bool preview;         /* ids of added memories are provisional; the commit makes other ones */

    struct planned *change; /* [count], in the order of carrying out */
    size_t count, alloc;
    /* the first `named` changes are of the memories named; the rest follow from them */
    size_t named;
    /* ^The result that is reported after the commit: the memory that the operation adds, or else
     * the first named one as the plan leaves it. NULL if no memory is named. */
    const struct memory *outcome;
    int64_t about; /* row of the first named memory, or 0 */

    /* Consequences of operations that remove support. Both lists are sorted by row; `unsupported` of a
     * quarantine by ring, then by row. */
    struct consequence *unsupported, *weakened;
    size_t unsupported_count, weakened_count;
    const char *dependants;   /* what becomes of `unsupported` (operation.h); NULL for most */
    int64_t descending_total; /* number of further memories that only descend from a changed one */
    int64_t *descending;      /* the first PLAN_DESCENDING of them, all if `whole`, sorted by row */
    size_t descending_count;
    bool whole;
    /* Memories left unchanged, with the reason: "belief:x is on a circle of support". */
    const char **left;
    size_t left_count, left_alloc;
    /* Warnings for the person: "its words may live on in the reason of event 12". */
    const char **remarks;
    size_t remark_count, remark_alloc;
    /* Row to index of its last change, while the plan is made; NULL to search `change` instead. */
    struct map *last;

    /* Why a memory that it adds is pending: "no source, replaces another"; NULL if what it adds is active. */
    const char *waits;
    const char **unresolved; /* refs given that match no memory yet */
    size_t unresolved_count, unresolved_alloc;
};

/*
 * Returns the memory as the plan leaves it so far: the `after` of its last change, or else the
 * stored state. It is in the arena and must not be modified. Returns NULL with ERROR_NOT_FOUND for
 * a stub or an unknown row.
 */
const struct memory *plan_read(struct plan *p, int64_t node, struct error *e);

/* Sets *out to the ref of a row. */
int plan_name(struct plan *p, int64_t node, struct ref *out, struct error *e);
/* Returns true if the plan changes that row. *after is the planned state, NULL for a stub. */
bool plan_changes(const struct plan *p, int64_t node, const struct memory **after);

/* Returns ERROR_REFUSED with the tools to use instead if `m` is an entry and the plan leaves
 * entries alone. */
int plan_refuse_entry(const struct plan *p, const struct memory *m, struct error *e);
/*
 * Appends a change of the memory that plan_read returns, and returns the new state for the caller
 * to modify. Its lists are shared with `before`: replace a list, never modify it in place (the
 * functions below do so). Sets updated_at to `now`. `reason` may be NULL. Returns NULL on error;
 * ERROR_REFUSED if the actor may not change the memory (policy.h).
 */
struct memory *plan_change(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e);
/* As plan_change, but without asking for permission. For changes that only follow from a change of
 * another memory, such as a flag for review or a relation. */
struct memory *plan_follow(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e);
/* Whose a person's addition is: `agent` unless it is blank, else the actor's. An agent's addition is its own. */
const char *plan_agent(const struct actor *actor, const char *agent);
/* Appends the addition of an active memory with a new id and the kind's default confidence. `agent`
 * NULL means the acting agent (plan_agent). The caller sets source_type. Returns NULL on error. */
struct memory *plan_add(struct plan *p, enum kind kind, const char *agent, const char *text,
                        size_t text_len, const char *operation, const char *reason,
                        struct error *e);
/* Appends a change as given, without checks. For undo and purge. */
void plan_append(struct plan *p, const struct planned *change);

/* ---- parts of a change ---- */

/* Sets the confidence and adds an entry to the memory's history, which keeps three decimals.
 * ERROR_INVALID if it is outside 0 to 1. */
int plan_confidence(struct plan *p, struct memory *m, double confidence, const char *reason,
                    const char *evidence_source, struct error *e);
enum judge judge_of(const struct actor *actor);
void plan_add_flag(struct plan *p, struct memory *m, const char *flag, const char *value,
                   const char *reason);
void plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                       const char *reason);
/* Adds a justification. Its strings and antecedents are not copied. */
void plan_add_group(struct plan *p, struct memory *m, struct justification group);
/* Adds a justification with one antecedent. If the memory had no justification, first adds an empty
 * one, which always holds: new evidence must not make a memory depend on it alone. */
void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use);
/* Sets text from outside the program, repaired if it is not valid UTF-8. ERROR_INVALID if it is
 * blank. */
int plan_set_text(struct plan *p, struct memory *m, const char *text, size_t len, struct error *e);
/* Sets the default type of a belief or a note that has none. */
void plan_add_type(struct plan *p, struct memory *m);
void plan_add_tag(struct plan *p, struct memory *m, const char *tag);
void plan_add_annotation(struct plan *p, struct memory *m, const char *annotation);
/* Sets the provenance of an added memory from a request: source, context, tags, further antecedents
 * (which join its first justification) and evidence. */
int plan_provenance(struct plan *p, struct memory *m, const struct add_request *r, struct error *e);
/* Puts these refs in place of what the memory was made from, as one justification that is read as the first one was.
 * Uses of what stays are kept; texts that are no refs become annotations. ERROR_INVALID if it names itself. */
int plan_derive(struct plan *p, struct memory *m, const char **refs, size_t count, struct error *e);

/* ---- consequences ---- */

/* Fills unsupported, weakened, descending_total and descending: what happens to other memories if all of `rows`
 * end. Rows that are ended already have no consequences. */
int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e);
/* Adds a ref that matches no memory yet, unless it is listed already. */
void plan_unresolved(struct plan *p, const char *ref);
/* Append a formatted message to `left` and to `remarks`. plan_leave returns 0. */
int plan_leave(struct plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plan_remark(struct plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- carrying out; callers normally use operation.h ---- */

/* Returns an empty plan to make and carry out inside a running transaction. On error its reader is
 * NULL. */
struct plan plan_in(struct txn *t, const struct actor *actor, struct arena *arena, struct error *e);

/*
 * Makes each change and its event, in order. Runs in the writer thread, in the transaction in which
 * the plan was made. Fills version, node and event of each change. The events of several changes
 * share a correlation: the actor's, or else a new one.
 *
 * ERROR_CONFLICT if a living entry already has the name. An expired entry with that name is swept
 * first, as a separate event that undoing this plan does not touch. After -1 the job must fail.
 */
int plan_carry_out(struct plan *p, struct txn *t, struct error *e);

#endif
