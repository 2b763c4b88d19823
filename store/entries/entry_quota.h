/* Quotas of namespaces. For store/ alone. */
#ifndef STEMMA_ENTRY_QUOTA_H
#define STEMMA_ENTRY_QUOTA_H

#include "store/entries/entry.h"

/*
 * Makes room for a value of that many bytes as the policy says, in the row `memory` (0: a new one), which is over at
 * `expires` (ms since the epoch; 0: never): *evicted gave way to it. ERROR_QUOTA: there is none, and nothing gave way.
 */
int entry_make_room(struct txn *t, const struct actor *actor, const struct entry_put *put,
                    int64_t bytes, int64_t expires, int64_t memory, int64_t *evicted,
                    struct error *e);

#endif
