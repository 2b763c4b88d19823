/* What the files of the guard share; others have what guard.h gives. */
#ifndef STEMMA_GUARD_INTERNAL_H
#define STEMMA_GUARD_INTERNAL_H

#include <stdatomic.h>
#include "store/guard/guard.h"

#define GUARD_KEY 16
struct guard_rules {
    atomic_size_t holders;
    unsigned char key[GUARD_KEY]; /* random bytes of these rules alone */
    struct permissions permissions;
    struct pii *pii;
};

/*
 * A key for one use of the store's secret. A store of an older version, which nobody can write to, has none: there a key
 * holds as long as the rules. -1: nor are there rules.
 */
struct digest;
int guard_secret_for(struct db *db, const struct guard_rules *rules, const char *use,
                     struct digest *key);
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
