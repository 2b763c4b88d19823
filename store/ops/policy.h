/* Who may change a memory. Every change of a memory asks here. */
#ifndef STEMMA_POLICY_H
#define STEMMA_POLICY_H

#include "store/db/store.h"
#include "store/ops/plan.h"

struct txn;

/*
 * An agent may not change a locked or quarantined memory, nor one that a person approved or
 * retracted, until a person takes that back (undo, restore, release, unprotect). Nor may it change
 * a memory that the guard hides from it. A person may change everything. Returns 0 or ERROR_REFUSED
 * with the reason. Reads only the events of persons on that memory.
 */
int policy_may_change(struct reader *r, const struct actor *actor, const struct memory *m,
                      struct error *e);

/*
 * The same check without the guard, for callers who may not show the ref. *why is a constant that
 * follows the memory's name ("is protected"), or NULL if nothing is against the change. Returns -1
 * on error.
 */
#define POLICY_HINT "Ask the person; they change it, or take that back, in the explorer."
int policy_objection(struct reader *r, const struct actor *actor, const struct memory *m,
                     const char **why, struct error *e);

/* Sets `judge` of the memory's flags: whether an agent, a person or an import set it. A flag with by_agent is an
 * agent's. For any other the journal is asked for the event of that time and actor; without one it came with an import.
 * O(events of the memory) for each flag. */
int policy_find_judge(struct reader *r, int64_t node, struct flag *flag, struct error *e);
int policy_find_judges(struct reader *r, int64_t node, struct flag *flags, size_t count,
                       struct error *e);
/* For an answer or an export: sets by_agent of older flags that an agent set. */
int policy_set_by_agent(struct reader *r, struct memory *m, struct error *e);

/* Returns true if an agent may not add to the memory: the guard hides its agent from the reader of
 * the transaction, or it is an entry. */
bool policy_is_foreign(const struct txn *t, const struct memory *m);

/*
 * Returns true if a memory must stay unchanged when the change only follows from another one, such
 * as a title that came with a citation. That is so for memories that are not living or locked,
 * for every actor, and for those that the actor may not change. Returns 1, 0, or -1 on error.
 */
int policy_keeps_unchanged(struct txn *t, const struct actor *actor, const struct memory *m,
                           struct error *e);

/*
 * Return 1 if the decision of a person stands: a retraction until a person restores the memory, an
 * approval until a person unlocks it, and either until it is undone. Return 0 if not, -1 on error.
 */
int policy_person_retracted(struct reader *r, int64_t node, struct error *e);
int policy_person_verified(struct reader *r, int64_t node, struct error *e);

/* The gate: what an agent writes may wait for a person's approval (config.yaml, `gate`). */
struct guard;

/*
 * Judges the plan of an agent by the gate of its reader's guard. What it adds and must wait becomes pending, p->waits
 * says why, and changes of other memories that came with it are dropped: they follow with the approval (op_approve).
 * ERROR_REFUSED if it changes an active memory to what would have to wait. Persons and records (attributions,
 * documents, chains, steps, citations, entries) pass. Costs the labels of what the memories are based on.
 */
int gate_plan(struct plan *p, struct error *e);

/* Whether what the person answers through the agent's client is the person's decision. */
bool gate_asks(const struct guard *g);
/* Why a pending memory waits, as its first event says: "pending: no source". In the arena. */
const char *gate_reason(struct reader *r, struct arena *arena, int64_t node);

/* What the agent is told of a memory that waits, in the arena. */
const char *gate_message(struct arena *arena, const char *waits);

#endif
