/* What the files of the guard share; others have what guard.h gives. */
#ifndef STEMMA_GUARD_INTERNAL_H
#define STEMMA_GUARD_INTERNAL_H

#include <stdatomic.h>
#include "store/guard/guard.h"

struct guard_rules {
    atomic_size_t holders;
    unsigned char key[GUARD_KEY];
    struct permissions permissions;
    struct pii *pii;
};

/* The kind of the memory in that row, and whose it is, in the arena. 1; 0: there is none; -1 on error. */
int guard_owner(struct reader *r, struct arena *arena, int64_t node, int *kind, const char **agent,
                struct error *e);
/*
 * What the caller sees of what is called so. What is not there is `absent`: to who asks for the name of an entry it is as
 * one that is hidden.
 */
int guard_sight_of_ref(struct reader *r, struct ref ref, enum sight absent, enum sight *out,
                       struct error *e);

#endif
