/* Completes names: ids and agents that begin with a prefix. */
#ifndef STEMMA_KNOWN_NAMES_H
#define STEMMA_KNOWN_NAMES_H

#include "store/query/list.h"

#define KNOWN_NAMES_MAX 100

/*
 * The most ids with the same prefix that are read, also stubs and unlisted ones; if there are more,
 * they are not counted. Ids that are masked for the caller are not included: their number would
 * reveal how they begin.
 */
#define KNOWN_NAMES_READ_MAX 5000

/*
 * The refs of listed memories of `kinds` (KIND_BIT()s) whose id begins with `prefix`, newest first,
 * at most KNOWN_NAMES_MAX. *total is the number of all, or -1 if counting takes too long: without a
 * prefix if there are more than returned, with one if there are more than KNOWN_NAMES_READ_MAX, of
 * which only so many were read. Strings are in the arena.
 */
int known_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
              struct ref *out, size_t *count, int64_t *total, struct error *e);
/* The same for agent names, in alphabetical order; all are counted. */
int known_agents(struct reader *r, const char *prefix, struct arena *arena, const char **out,
                 size_t *count, int64_t *total, struct error *e);

/* ---- memories by a prefix of their ids ---- */

struct prefix_match {
    int64_t node, created_at;
    enum kind kind;
    bool is_listed; /* by its status */
    bool is_stub;
    const char *id; /* valid until the next call */
};
/*
 * Calls `each` for the memories of `kinds` (KIND_BIT()s) that are listed to the caller and whose id
 * begins with `prefix` (not empty), ordered by kind and id, stubs included. Ids that are masked for
 * the caller are skipped. Non-zero stops it. O(those): memories of other agents that the caller
 * must not see cost nothing; entries in namespaces that it may not list are skipped one by one.
 */
int prefix_walk(struct reader *r, unsigned kinds, const char *prefix,
                int (*each)(void *arg, const struct prefix_match *one), void *arg, struct error *e);

#endif
