/*
 * A plan that a person was shown and confirmed: it is carried out as it was shown, or not at all. What was
 * stored may have changed while the person read.
 */
#ifndef STEMMA_SHOWN_H
#define STEMMA_SHOWN_H

#include "store/ops/operation.h"

/*
 * Do both plans change the same memories in the same way, with the same consequences? Their own times
 * and the ids of what they add may differ. O(what they change), in the exchange form. -1: ERROR_MEMORY.
 */
void plan_same(const struct plan *a, const struct plan *b, bool *same);

/*
 * As operation_run_now, of what was shown. ERROR_CONFLICT: by now it would be another plan; then nothing
 * was changed, and `p` is that plan (p->reader is NULL otherwise).
 */
int operation_run_shown(struct store *s, const struct actor *actor, enum operation op,
                        const struct request *q, struct arena *arena, const struct plan *shown,
                        struct plan *p, struct error *e);

#endif
