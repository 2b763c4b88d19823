/*
 * Attributions grouped: what was retrieved, how often and when; and the check of what one says its
 * content hashes to.
 */
#ifndef STEMMA_RETRIEVALS_H
#define STEMMA_RETRIEVALS_H

#include "store/db/store.h"

enum retrieval_group {
    RETRIEVALS_BY_TYPE,
    RETRIEVALS_BY_URI,
    RETRIEVALS_BY_AGENT,
    RETRIEVALS_GROUPS
};
const char *retrieval_group_name(enum retrieval_group by); /* type, URI, agent */

struct retrievals {
    const char *name;  /* of the group, by which it is meant; NULL: those without one */
    const char *shown; /* the same as the reader is shown it */
    int64_t count;
    int64_t first,
        last;        /* retrieval times, ms; of those that are not suspect, where there are some */
    int64_t suspect; /* how many have a time that someone got wrong (clock_retrieval_is_suspect) */
};
/* All groups, the most recently used first; `agent` NULL: of all agents. A scan of the log's table:
 * O(attributions), a job of the worker. */
int retrievals_grouped(struct reader *r, struct arena *arena, enum retrieval_group by,
                       const char *agent, struct retrievals **out, size_t *count, struct error *e);
/* The newest retrievals of one group, at most `limit`. */
struct retrieval {
    int64_t node, at;
};
int retrievals_of(struct reader *r, struct arena *arena, enum retrieval_group by, const char *name,
                  const char *agent, size_t limit, struct retrieval **out, size_t *count,
                  struct error *e);
/* Is the attribution one of that group? 1, 0; -1 on error. */
int retrieval_is_of(struct reader *r, enum retrieval_group by, const char *name, const char *agent,
                    int64_t attribution, struct error *e);
/* How many fall into each of `buckets` equal parts of first..last: a timeline. */
int retrievals_timeline(struct reader *r, enum retrieval_group by, const char *name,
                        const char *agent, int64_t first, int64_t last, size_t buckets,
                        int64_t *counts, struct error *e);

enum hash_check {
    HASH_EQUAL,
    HASH_DIFFERS,
    HASH_ABSENT,  /* the attribution has no full_content_hash */
    HASH_NOTHING, /* no content is stored to compare with */
};
struct retrieval_checked {
    enum hash_check result;
    struct ref ref;
    char recorded[65]; /* as the attribution says it, in small digits; "": it says none */
    char found[65];    /* of what was compared; "": there is nothing */
};
/*
 * Whether the attribution's full_content_hash is `found` (NULL: the SHA-256 of the stored content: a JSON
 * string's text, else its JSON as it is kept). The ref is in the arena. ERROR_NOT_FOUND; ERROR_INVALID: it
 * is no attribution.
 */
struct digest;
int retrieval_compare(struct reader *r, struct arena *arena, int64_t attribution,
                      const struct digest *found, struct retrieval_checked *out, struct error *e);
/* "equal", "differs", "no-hash", "no-content". */
const char *hash_check_name(enum hash_check result);

#endif
