/* Groups of attributions: what was retrieved, how often and when. Also checks the content hash of
 * an attribution. */
#ifndef STEMMA_RETRIEVALS_H
#define STEMMA_RETRIEVALS_H

#include "store/db/store.h"

struct digest;

enum retrieval_group {
    RETRIEVALS_BY_TYPE,
    RETRIEVALS_BY_URI,
    RETRIEVALS_BY_AGENT,
    RETRIEVALS_GROUPS
};
const char *retrieval_group_name(enum retrieval_group by); /* type, URI, agent */

struct retrievals {
    const char *name;  /* name of the group; NULL for attributions without one */
    const char *shown; /* the name as the reader may see it */
    int64_t count;
    int64_t first, last; /* retrieval times, ms; without suspect ones, if there are others */
    /* number of attributions with an implausible time (clock_retrieval_is_suspect) */
    int64_t suspect;
    int64_t
        retracted; /* number of attributions that were retracted; forgotten ones are in no group */
};
/* Lists all groups, the most recently used first; `agent` NULL for all agents. Scans the
 * attribution table, O(attributions): run it in the worker. */
int retrievals_grouped(struct reader *r, struct arena *arena, enum retrieval_group by,
                       const char *agent, struct retrievals **out, size_t *count, struct error *e);
/* Lists the newest retrievals of a group, at most `limit`. */
struct retrieval {
    int64_t node, at;
};
int retrievals_of(struct reader *r, struct arena *arena, enum retrieval_group by, const char *name,
                  const char *agent, size_t limit, struct retrieval **out, size_t *count,
                  struct error *e);
/* Returns 1 if the attribution belongs to the group, 0 if not, -1 on error. */
int retrieval_is_of(struct reader *r, enum retrieval_group by, const char *name, const char *agent,
                    int64_t attribution, struct error *e);
/* Counts the retrievals in each of `buckets` equal parts of first..last. */
int retrievals_timeline(struct reader *r, enum retrieval_group by, const char *name,
                        const char *agent, int64_t first, int64_t last, size_t buckets,
                        int64_t *counts, struct error *e);

enum hash_check {
    HASH_EQUAL,
    HASH_DIFFERS,
    HASH_ABSENT,  /* the attribution has no full_content_hash */
    HASH_NOTHING, /* no stored content to compare with */
};
struct retrieval_checked {
    enum hash_check result;
    struct ref ref;
    char recorded[65]; /* hash in the attribution, lower case; "" if it has none */
    char found[65];    /* hash of the content compared; "" if there is none */
};
/*
 * Compares the attribution's full_content_hash with `found`, or if that is NULL with the SHA-256 of
 * the stored content: the text of a JSON string, or else the stored JSON. The ref is in the arena.
 * ERROR_NOT_FOUND; ERROR_INVALID if it is no attribution.
 */
int retrieval_compare(struct reader *r, struct arena *arena, int64_t attribution,
                      const struct digest *found, struct retrieval_checked *out, struct error *e);
/* Returns "equal", "differs", "no-hash" or "no-content". */
const char *hash_check_name(enum hash_check result);

#endif
