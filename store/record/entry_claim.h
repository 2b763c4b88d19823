/*
 * The name that a living entry has in its namespace. Of one key one entry lives, by whatever door it comes: a
 * second one would hide the first from everybody. For store/ alone.
 */
#ifndef STEMMA_ENTRY_CLAIM_H
#define STEMMA_ENTRY_CLAIM_H

#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/txn/txn.h"

struct entry_claim {
    const char *namespace_, *key;
};

/* The name that a detail gives, in the arena; where it names no key that is the text. Is it one that can be
 * found? */
bool entry_name_of(const struct memory *m, struct json_slice detail, struct arena *arena,
                   struct entry_claim *out);

/* Is it an entry that lives at `now`, unexpired, under a name that can be found? In the arena. */
bool entry_claim_of(const struct memory *m, int64_t now, struct arena *arena,
                    struct entry_claim *out);
bool entry_claim_equal(const struct entry_claim *a, const struct entry_claim *b);

/* The entry other than `ref` that is found under that name; memory 0: none is. */
struct entry_holder {
    int64_t memory;
    bool over; /* it has expired, and is to be swept */
};
int entry_claim_holder(struct db *db, const struct entry_claim *claim, struct ref ref, int64_t now,
                       struct entry_holder *out, struct error *e);
/* ERROR_CONFLICT: `id` has that name already, and what to do. Returns -1. */
int entry_claim_taken(const struct entry_claim *claim, const char *id, struct error *e);

/*
 * Does `after` live under a name that `before` (NULL: nothing) did not live under, and that another one has?
 * ERROR_CONFLICT then. O(log n), and nothing for other kinds.
 */
int entry_claim_check(struct db *db, const struct memory *before, const struct memory *after,
                      int64_t now, struct error *e);

/* The same in a transaction of others, before `after` is put: what has that name and has expired is swept first, so
 * that it hides nothing. After an error but ERROR_CONFLICT the job must fail. */
int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e);

#endif
