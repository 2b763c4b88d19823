/* Who may change what: one rule, looked at wherever a memory is about to be changed. */
#ifndef STEMMA_POLICY_H
#define STEMMA_POLICY_H

#include "store.h"

/*
 * What is protected an agent does not change, nor what a person verified, retracted or quarantined, for as long
 * as that stands: until a person takes it back (undo, restore, unprotect, unmark). A person may change
 * everything. 0, or ERROR_REFUSED that says which of these it is. Reads the events of persons on that
 * memory alone.
 */
int policy_may_change(struct reader *r, const struct actor *actor, const struct memory *m,
                      struct error *e);

#endif
