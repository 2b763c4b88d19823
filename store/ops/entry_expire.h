/* Values of entries that are over: they go for good, in the memory and in the journal. For store/ alone. */
#ifndef STEMMA_ENTRY_EXPIRE_H
#define STEMMA_ENTRY_EXPIRE_H

#include "store/ops/plan.h"

/* Of the events of sweeps, which have no session: nobody asked for them. */
#define SWEEPER_ORIGIN "expiry"
extern const struct actor sweeper_actor;

/* Appends to a plan that it expires: its value goes, here and in the journal. `operation` is a constant. */
int entry_expire(struct plan *p, int64_t node, const char *operation, struct error *e);
/* The same of any memory that is an entry which has expired and was not swept; else nothing. */
int entry_sweep_first(struct plan *p, int64_t node, struct error *e);
/* The same as a change of its own, in a transaction of others. */
int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e);

/* The same in a transaction of others, before `after` is put: what has that name and has expired is swept first, so
 * that it hides nothing. After an error but ERROR_CONFLICT the job must fail. */
int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e);

#endif
