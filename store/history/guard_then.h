/*
 * What a memory was, as the guard's caller may see it: by the namespace or the agent that it had then, whatever it has
 * now. For who tells former states.
 */
#ifndef STEMMA_GUARD_THEN_H
#define STEMMA_GUARD_THEN_H

#include "store/guard/guard.h"
#include "store/history/history.h"

/* That state, which may be NULL, thinned: itself, or in the arena. *seen NULL: it is not seen whole. */
int guard_state(struct reader *r, struct arena *arena, const struct memory *m,
                const struct memory **seen, struct error *e);
/*
 * One that history_walk hands over, as it is told: its states thinned, in the arena, and of a hidden one before it
 * nothing, nor why it was left. *told: it is told at all. A history begins where the memory was last made visible:
 * what is not told, and all before it, is none of the caller's, so the walk ends there.
 */
int guard_revision(struct reader *r, struct arena *arena, struct revision *v, bool *told,
                   struct error *e);

#endif
