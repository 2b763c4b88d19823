/*
 * A plan: what an operation would change, before anything is changed.
 *
 * Every operation is a function that reads and appends to a plan: the memories it changes, as they are
 * and as they would be. A preview makes the plan with any reader and shows it; a commit makes it again
 * inside the write transaction, from what is stored then, and carries it out. So what a preview lists
 * is what a commit does, one implementation serves the explorer, the commands and MCP, and several
 * changes are all made or none.
 *
 * For store/ (operations), and to be shown by whoever asked for it.
 */
#ifndef STEMMA_PLAN_H
#define STEMMA_PLAN_H

#include "model/graph/graph.h"
#include "store/txn/writer.h"

/* One change of one memory: it becomes one event. */
struct planned {
    const char *operation;       /* a constant: "retract" */
    const struct memory *before; /* as it is by then; NULL: it is added, or a stub is filled */
    struct memory *after; /* as it is left; NULL: an addition is taken back, a stub remains */
    const char *reason;   /* NULL: none */
    int64_t undoes;       /* the event that this takes back; 0: none */
    bool erases;          /* nothing of what it was may be kept, in any patch (purge) */
    int64_t event;        /* its own, once it is carried out */
};

/* What becomes of a memory that rests on what is changed, and is not changed itself. */
struct consequence {
    int64_t node;
    struct ref ref;         /* in the arena */
    enum label before;      /* its label as it stands */
    uint32_t holds, remain; /* justifications that hold: before, and then */
    struct ref because;     /* one of those that are named, which it descends from; in the arena */
    bool several;           /* it descends from others of them as well */
};

#define PLAN_DESCENDING 1000 /* of those that only descend a plan names so many */

struct plan {
    struct reader *reader; /* reads what is stored, while the plan is made */
    struct txn *txn;       /* that it is carried out in; NULL: none yet */
    const struct actor *actor;
    struct arena *arena; /* of everything in it */
    int64_t now;         /* the time of its changes, ms */
    bool spares_entries; /* they are not changed, whoever acts */
    bool preview;        /* ids of what is added are made up, and not those of the commit */

    struct planned *change; /* [count], in the order in which they are carried out */
    size_t count, alloc;
    size_t named; /* the first so many stand for what was named; the others follow from it */
    /* What it is about: the first memory that was named, as the plan leaves it; what the operation adds, where it adds
     * one. NULL: nothing is named. The answer to a call is made of it, after the commit. */
    const struct memory *outcome;
    int64_t about; /* the row of the first that was named; 0: none */

    /* Of operations that take support away. Each list is in the order of rows. */
    struct consequence *falls, *weakened;
    size_t fall_count, weakened_count;
    int64_t descends;    /* how many more only descend from it */
    int64_t *descending; /* the first PLAN_DESCENDING of them, in the order of rows */
    size_t descending_count;
    /* What was left as it is, though it was met, and why: "belief:x rests on itself". */
    const char **left;
    size_t left_count, left_alloc;
    /* What a person should know of it: "its words may live on in the reason of event 12". */
    const char **remarks;
    size_t remark_count, remark_alloc;
    /* Where the last change of each memory stands, while it is made; NULL: there are few. */
    struct map *last;

    const char **unresolved; /* refs that were given and name nothing yet */
    size_t unresolved_count, unresolved_alloc;
};

/*
 * The memory of that row as the plan leaves it so far: the `after` of its last change, else what is stored. In the
 * arena; not to be changed. ERROR_NOT_FOUND: a stub, or an unknown row.
 */
const struct memory *plan_read(struct plan *p, int64_t node, struct error *e);

/* The ref of a row. */
int plan_name(struct plan *p, int64_t node, struct ref *out, struct error *e);
/* Does the plan change that row? *after: what it leaves; NULL: a stub. */
bool plan_changes(const struct plan *p, int64_t node, const struct memory **after);

/* ERROR_REFUSED, naming the tools that do, where it is an entry and the plan spares those; else 0. */
int plan_refuse_entry(const struct plan *p, const struct memory *m, struct error *e);
/*
 * Appends a change of the memory that plan_read gives, and returns it as it will be, to be changed: a
 * copy whose lists are shared with `before`, so that whoever changes a list makes another one (the
 * functions below do). updated_at is `now`. `reason` may be NULL. Refuses what the actor may not change
 * (policy.h): ERROR_REFUSED. NULL on error.
 */
struct memory *plan_change(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e);
/* The same for what merely follows from a change of another: a mark for a review, a relation. Nobody is
 * refused. */
struct memory *plan_follow(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e);
/* The agent that is named, else the one that is acted for, else who acts. */
const char *plan_agent(const struct actor *actor, const char *agent);
/*
 * Appends the addition of a memory of that kind, active, with a new id, the kind's confidence, agent
 * (NULL: whoever acts) and text; source_type is to be filled by the caller. NULL on error.
 */
struct memory *plan_add(struct plan *p, enum kind kind, const char *agent, const char *text,
                        size_t text_len, const char *operation, const char *reason,
                        struct error *e);
/* Appends a change as it is given; for undo and purge. */
void plan_append(struct plan *p, const struct planned *change);

/* ---- what changes consist of ---- */

/* A change of confidence, with its entry in the history: `old` and `new` to three decimals. */
int plan_confidence(struct plan *p, struct memory *m, double confidence, const char *reason,
                    const char *evidence_source, struct error *e);
void plan_add_mark(struct plan *p, struct memory *m, const char *mark, const char *value,
                   const char *reason);
void plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                       const char *reason);
/* One more justification, as it is: nothing in it is copied. */
void plan_add_group(struct plan *p, struct memory *m, struct justification group);
/*
 * One more justification of one antecedent. Where there was none before, an empty one, which always
 * holds, is added with it: new evidence never makes a memory easier to fall.
 */
void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use, const char *reason);
/* Text as it came from outside, repaired where it must be. ERROR_INVALID: there is none. */
int plan_set_text(struct plan *p, struct memory *m, const char *text, size_t len, struct error *e);
/* Says what a belief or a note is, where nobody has. */
void plan_add_type(struct plan *p, struct memory *m);
void plan_add_tag(struct plan *p, struct memory *m, const char *tag);
void plan_add_annotation(struct plan *p, struct memory *m, const char *annotation);
/* Where a memory that is added comes from, as a request says: its source, context, tags, what else it was made
 * from (which joins its first group) and what backs it up. */
struct add_request;
int plan_provenance(struct plan *p, struct memory *m, const struct add_request *r, struct error *e);

/* ---- what follows from it ---- */

/*
 * Fills falls, weakened, descends and descending: what becomes of the others if all of `rows` are dead. Those that
 * are dead already have no consequences.
 */
int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e);
/* A ref that names nothing yet, once. */
void plan_unresolved(struct plan *p, const char *ref);
/* Append printf to `left`, which gives 0, and to `remarks`. */
int plan_leave(struct plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plan_remark(struct plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- carrying it out: see operation.h for what to call ---- */

/* A plan that is made and carried out in a transaction of others, by what is no operation of a person's. */
struct plan plan_in(struct txn *t, const struct actor *actor, struct arena *arena, struct error *e);

/*
 * Makes each change and its event, in order. In the writer's thread; the plan must have been made in this
 * transaction. ERROR_CONFLICT: another entry has the name of one that would live; one that has expired is swept first, as
 * an event of its own, which no undo of the plan stops at. The events of several changes share a correlation: the actor's, else a new one. Fills
 * version, node and event of each `after`. After -1 the job must fail.
 */
int plan_carry_out(struct plan *p, struct txn *t, struct error *e);

#endif
