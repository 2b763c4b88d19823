/*
 * The merge rules of a team: what becomes of a change when others were faster.
 *
 * The journal of a team is one order. A change was made on what its author saw (`was`); at its place
 * in the order the memory is `theirs`. The rules, the first that applies:
 *
 *   1. Nobody changed the memory: the change holds.
 *   2. Additions never conflict; only the same ref twice does.
 *   3. A purge always holds. Nothing changes a purged memory.
 *   4. Retracting (any end of a memory's life) wins over editing and reinforcing, on either side; but an agent
 *      does not retract what a person changed meanwhile.
 *   5. An agent does not change what a person locked meanwhile.
 *   6. An approval is of what the memory said: it does not hold for another text.
 *   7. Changes of different fields, and of different elements of a list, both hold.
 *   8. Of two changes of one field the first holds; a person's wins over an agent's.
 *
 * A change that does not hold is refused whole. The functions are pure.
 */
#ifndef STEMMA_MERGE_H
#define STEMMA_MERGE_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"

/* A change, and what others made of its memory. A memory that does not exist is NULL. */
struct merge {
    const struct memory *was, *mine, *theirs;
    bool by_person;        /* the change is a person's */
    bool theirs_by_person; /* of what others did, something is */
};

/*
 * Returns 1 with *out, the memory after the change at its place (NULL if it is then removed; in
 * the arena, or one of the three), or 0 if the change is refused: then `why` says what happened
 * meanwhile, without the memory's name. Returns -1 with `e` if the memories cannot be merged.
 */
int merge_change(const struct memory **out, const struct merge *m, struct arena *arena,
                 struct error *why, struct error *e);

/* Whether the memories have the same JSON; NULL is like NULL alone. */
bool merge_is_same(const struct memory *a, const struct memory *b);

#endif
