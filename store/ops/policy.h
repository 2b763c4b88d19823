/* Who may change what: one rule, looked at wherever a memory is about to be changed. */
#ifndef STEMMA_POLICY_H
#define STEMMA_POLICY_H

#include "store/db/store.h"

/*
 * What is protected an agent does not change, nor what a person verified, retracted or quarantined, for as long
 * as that stands: until a person takes it back (undo, restore, unprotect, unmark). A person may change
 * everything. 0, or ERROR_REFUSED that says which of these it is. Reads the events of persons on that
 * memory alone.
 */
int policy_may_change(struct reader *r, const struct actor *actor, const struct memory *m,
                      struct error *e);

/* The same of any agent's: the words that follow its name ("is protected"), a constant; *why NULL: nothing stands
 * against it. -1 on error. For who may not tell its ref, and says what to do himself. */
#define POLICY_TODO "Ask the person; they change it, or take that back, in the explorer."
int policy_stands_against(struct reader *r, const struct actor *actor, const struct memory *m,
                          const char **why, struct error *e);

/* Is it a memory that an agent leaves alone, whatever it would add to it: another agent's, or an entry? As the guard
 * says for whom the transaction reads (guard.h). */
struct txn;
bool policy_is_anothers(const struct txn *t, const struct memory *m);

/*
 * Does it stay as it is where a change would merely follow from a word on something else: a title that came with a use,
 * a link to a retrieval? What is dead or protected, whoever acts, and what the actor may not change: nobody is
 * refused for that. 1, 0; -1 on error. Reads the events of persons on that memory alone.
 */
int policy_leaves_alone(struct txn *t, const struct actor *actor, const struct memory *m,
                        struct error *e);

/*
 * Does a person's word stand on it: a retraction until a person restores it, a verification until a person
 * unprotects it, either until it is undone? 1, 0; -1 on error.
 */
int policy_person_retracted(struct reader *r, int64_t node, struct error *e);
int policy_person_verified(struct reader *r, int64_t node, struct error *e);

#endif
