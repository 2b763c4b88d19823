/* Names that begin with what somebody has typed so far: ids and agents, for completion. */
#ifndef STEMMA_KNOWN_NAMES_H
#define STEMMA_KNOWN_NAMES_H

#include "store/query/list.h"

#define KNOWN_NAMES_MAX 100

/* So many that begin alike are looked at, stubs and what is gone as well; where there are more, they are not
 * counted. Ids that are masked for the caller are left out of that: how many there are would tell how they begin. */
#define KNOWN_NAMES_LOOKED 5000

/*
 * The refs of listed memories of these kinds (KIND_BIT()s) whose id begins with `prefix`, newest first,
 * at most KNOWN_NAMES_MAX; *total counts all, or is -1 where that takes too long: without a prefix there are more
 * than are given, with one there are more than KNOWN_NAMES_LOOKED, of which only so many were looked at. Strings in
 * the arena.
 */
int known_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
              struct ref *out, size_t *count, int64_t *total, struct error *e);
/* The same of the names of agents, in their order, all of which are counted. */
int known_agents(struct reader *r, const char *prefix, struct arena *arena, const char **out,
                 size_t *count, int64_t *total, struct error *e);

/* ---- memories by the beginning of their ids, as somebody types it ---- */

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
