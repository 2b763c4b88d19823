/* The gate: what an agent writes may wait for a person's approval (config.yaml, `gate`). */
#ifndef STEMMA_GATE_H
#define STEMMA_GATE_H

#include "store/ops/plan.h"

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
