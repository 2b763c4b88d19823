/* Planning an undo. Only for store/apply. */
#ifndef STEMMA_APPLY_INTERNAL_H
#define STEMMA_APPLY_INTERNAL_H

#include "store/apply/apply.h"

/* Finds the last event that wrote to the source and was not undone: a->undoes. ERROR_NOT_FOUND: there is none. */
int apply_find_last(struct apply *a, struct db *db, struct error *e);
/* Plans to write back what was there before that event. */
int apply_plan_undo(struct apply *a, struct error *e);

#endif
