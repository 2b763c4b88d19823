/* What reinforcing is made of: reinforce, revise and consolidate do it. For store/ alone. */
#ifndef STEMMA_OP_REINFORCE_H
#define STEMMA_OP_REINFORCE_H

#include "store/ops/operation.h"

/* confidence + max(0, 0.05 / (1 + 0.1 n) · (0.99 − confidence)) */
double reinforced(double confidence, int64_t n);

/*
 * The evidence that `text` names: a living memory, one that is not written yet (kept in p->unresolved), or an
 * annotation, whose kind is KIND_COUNT. *whole: as the history keeps it, in the arena.
 */
int evidence_find(struct plan *p, const char *text, struct ref *ref, const char **whole,
                  struct error *e);
/* One more justification by it, where it does not support `m` already; an annotation is none. */
int evidence_add(struct plan *p, struct memory *m, struct ref by, const char *reason,
                 struct error *e);

/* The change of confidence with its entry in the history, and the count in the detail. */
struct memory *reinforce_one(struct plan *p, int64_t node, const char *operation,
                             const char *reason, const char *evidence_source, struct error *e);

#endif
