/* Memories by the beginning of their ids, as somebody types it. */
#ifndef STEMMA_BEGINNING_H
#define STEMMA_BEGINNING_H

#include "store/db/store.h"

/* The least text that does not begin with the prefix and comes after those that do, in the arena; NULL: there is none (the
 * prefix is empty), or memory ran out. */
char *beginning_end(struct arena *arena, const char *prefix);

struct begun {
    int64_t node, created_at;
    enum kind kind;
    bool is_listed; /* by its status: what is gone, or was never written, is not */
    bool is_stub;
    const char *id; /* until the next one */
};
/*
 * Calls `each` for the memories of these kinds (KIND_BIT()s) that are listed to the caller and whose id begins with
 * `prefix`, which is not empty: kind by kind, in the order of their ids, stubs as well. An id that is masked for the
 * caller is not found by its beginning. It may be stopped with non-zero. O(those); other agents' memories from which
 * the caller is kept cost nothing, entries of namespaces that it may not list are passed over one by one.
 */
int beginning_walk(struct reader *r, unsigned kinds, const char *prefix,
                   int (*each)(void *arg, const struct begun *one), void *arg, struct error *e);

#endif
