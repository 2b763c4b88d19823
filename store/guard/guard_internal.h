/* Shared by the files of the guard; other rooms include guard.h. */
#ifndef STEMMA_GUARD_INTERNAL_H
#define STEMMA_GUARD_INTERNAL_H

#include <stdatomic.h>
#include "store/guard/guard.h"

struct digest;

#define GUARD_KEY 16
struct guard_rules {
    atomic_size_t holders;
    unsigned char key[GUARD_KEY]; /* random, for this set of rules only */
    struct permissions permissions;
    struct pii *pii;
};

/* Derives a key for one use from the store's secret. A read-only store of an old version has no
 * secret; then the key is valid as long as the rules. Returns -1 if there are no rules either. */
int guard_secret_for(struct db *db, const struct guard_rules *rules, const char *use,
                     struct digest *key);
/* Reads kind, status and agent of a memory, into the arena. Returns 1, 0 if there is no such row, -1 on
 * error. */
int guard_owner(struct reader *r, struct arena *arena, int64_t node, int *kind, enum status *status,
                const char **agent, struct error *e);
/* What the caller may see of the memory with that ref. *out is `absent` if there is none: a caller
 * must not be able to tell a missing entry from a hidden one. */
int guard_visibility_of_ref(struct reader *r, struct ref ref, enum visibility absent,
                            enum visibility *out, struct error *e);

#endif
