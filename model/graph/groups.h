/* Which justifications of a member share a root: the groups of interval.h. */
#ifndef STEMMA_GROUPS_H
#define STEMMA_GROUPS_H

#include "model/graph/ancestry.h"

/* The ancestry in the other direction, and its circles. */
struct uses {
    uint32_t *component; /* [members] */
    uint32_t *member;    /* [justs] whose it is */
    bool *through;       /* [justs] it has an antecedent in the circle of its member */
    uint32_t *first;     /* [members + 1] ranges of `just` */
    uint32_t *just;      /* [links] the justifications with this antecedent */
};
void uses_make(struct uses *u, const struct ancestry *a);
void uses_release(struct uses *u);

/*
 * group[j] is the first justification of the group of j, among those of its member that are not through its circle.
 * Members of a circle have the same roots. Returns false if the budget of work was spent: then some that share no
 * root may be in one group.
 *
 * Two justifications of a member share a root if they share any ancestor. What has only one use is shared by none. For
 * what is above its dominator (the nearest member that all ways from the target to it go through) the dominator stands
 * for it. So an ancestor with several uses is followed up to its dominator, 64 at once; not where all justifications
 * are
 * one group already. Mostly O(members and links).
 */
bool groups_find(uint32_t *group, const struct ancestry *a, const struct uses *u);

#endif
