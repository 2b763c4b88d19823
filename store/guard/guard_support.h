/*
 * Support as the guard's caller sees it, in a graph and in a memory alike: what a hidden entry is an antecedent of is as
 * the same operations would have made it, had that entry never been named. For the files of the guard alone.
 */
#ifndef STEMMA_GUARD_SUPPORT_H
#define STEMMA_GUARD_SUPPORT_H

#include "store/guard/guard.h"

/* Is the end of a link seen, whose row may not be known (0)? Its ref and whose it is suffice. */
int guard_sees_end(struct reader *r, struct ref ref, int64_t node, bool *seen, struct error *e);
/* Takes hidden antecedents from the justifications of a memory. In the arena. */
int guard_groups(struct reader *r, struct arena *arena, struct memory *m, struct error *e);

#endif
