/* What an operation would change, or changed, for people: the same lines for every command. */
#ifndef STEMMA_PLAN_PRINT_H
#define STEMMA_PLAN_PRINT_H

#include "store/lineage/orphans.h"
#include "store/ops/operation.h"
#include "tui/text/output.h"

enum plan_stage {
    PLAN_SHOWN, /* it would be so */
    PLAN_DONE,
};

/*
 * Each memory that changes with what differs, what changes with it, what falls, is weakened and merely
 * descends, what was left and why, and what a person should know of it. `r` reads the texts: as they
 * are now.
 */
int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e);

/* "stemma: raw:x names nothing here yet" on stderr for each ref that does not. */
void plan_tell_unresolved(const struct plan *p);

/* What a problem of the lineage means, in the words of the explorer and of `stemma orphans` alike. */

/* "names something that is not in this store": the memory is its subject. A constant. */
const char *problem_explained(enum problem problem);

#endif
