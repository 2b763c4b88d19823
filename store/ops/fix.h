/*
 * What would fix a problem of the lineage: the operations that a person may choose from, with requests
 * that are made for them. Nothing is changed here.
 */
#ifndef STEMMA_FIX_H
#define STEMMA_FIX_H

#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "store/ops/plan.h"

/* What a person must still say, before the request of a fix is whole. */
enum fix_lack {
    FIX_LACKS_NOTHING = 0,
    FIX_LACKS_EVIDENCE, /* request.evidence: what bears it out */
    FIX_LACKS_TIME,     /* request.created_at */
    FIX_LACKS_VALUE,    /* request.fields: the member that the problem's field names */
};

struct fix {
    enum operation operation;
    const char *about; /* what comes of it, one line: a constant */
    struct request
        request; /* of that memory alone, by `nodes`; what it points to is in the arena */
    enum fix_lack lack;
};

/*
 * What could fix it, the best first; at most FIX_MOST, none where no operation can. Only what would do: an addition
 * that was taken back can be brought back, a time in seconds can be given in milliseconds.
 */
#define FIX_MOST 3
int fix_find(struct reader *r, struct arena *arena, const struct orphan *orphan,
             struct fix fixes[FIX_MOST], size_t *count, struct error *e);

/*
 * The same operation for several memories at once: where it can be one request (it says the same of all of
 * them, and the operation takes many), `out` is `one` with these rows as its nodes, which stay the
 * caller's. False where each needs a request of its own.
 */
bool fix_together(const struct fix *one, const int64_t *nodes, size_t count, struct request *out);

/* What a person can do about such a problem where no operation does: a sentence. A constant, never NULL. */
const char *fix_advice(enum problem problem);

/* ---- expired values of entries go for good, in the memory and in the journal; only store/ calls these ---- */

/* Of the events of sweeps, which have no session: nobody asked for them. */
#define SWEEPER_ORIGIN "expiry"
extern const struct actor sweeper_actor;

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
