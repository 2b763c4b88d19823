/* Suggests operations that fix a problem found in the lineage, with requests ready to run. Nothing
 * is changed here. Also holds the expiry of entries, which other operations need. */
#ifndef STEMMA_FIX_H
#define STEMMA_FIX_H

#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "store/ops/plan.h"

/* What a person must still enter before the request of a fix is complete. */
enum fix_need {
    FIX_NEEDS_NOTHING = 0,
    FIX_NEEDS_EVIDENCE, /* request.evidence: a memory that supports it */
    FIX_NEEDS_TIME,     /* request.created_at */
    FIX_NEEDS_VALUE,    /* request.fields: the detail member that the problem's `field` names */
};

struct fix {
    enum operation operation;
    const char *about; /* the effect in one line; a constant */
    /* about the memory with the problem, by `nodes`; its data is in the arena */
    struct request request;
    enum fix_need need;
};

/* Lists up to FIX_MAX fixes, the best first; none if no operation can help. Only fixes that apply
 * are listed: a missing source is restored only if its removal can be undone. Lost support is restored
 * at its cause: the ended sources of the memory, else the nearest ended one down the path that heals it. */
#define FIX_MAX 3
int fix_find(struct reader *r, struct arena *arena, const struct orphan *orphan,
             struct fix fixes[FIX_MAX], size_t *count, struct error *e);

/* Builds one request that applies the fix to several memories. Returns false if the operation needs
 * a separate request for each memory. `nodes` remains the caller's. */
bool fix_together(const struct fix *one, const int64_t *nodes, size_t count, struct request *out);

/* Returns advice for a person if no operation fixes the problem; in the arena or a constant, never
 * NULL. */
const char *fix_advice(struct reader *r, struct arena *arena, const struct orphan *orphan);

/* ---- expiry of entries: removes values for good, from the memory and from the journal. Only for
 * store/ ---- */

extern const struct actor sweeper_actor;

/* Appends the expiry of `node` to the plan if it is an entry whose time has passed and whose value
 * is still stored; otherwise does nothing. */
int entry_sweep_first(struct plan *p, int64_t node, struct error *e);
/* Expires an entry inside a running transaction, as a change of its own. */
int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e);

/*
 * Call before `after` is stored. If an expired entry holds the name that `after` takes, expires
 * that one first. ERROR_CONFLICT if a living entry holds the name; after any other error the job
 * must fail.
 */
int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e);

#endif
