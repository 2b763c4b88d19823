/*
 * A sliding window (sustained) and a token bucket (burst) for each tool and namespace. A call counts in both where both
 * let it through. A window counts the calls of [now - window, now]. One thread. What says nothing any more is forgotten.
 */
#ifndef STEMMA_RATE_H
#define STEMMA_RATE_H

#include "model/policy/permission.h"

struct rates;
struct rates *rates_new(void);    /* the caller's */
void rates_free(struct rates *r); /* NULL is allowed */
/* Of how many it remembers anything, for tests. */
size_t rates_count(const struct rates *r);

/*
 * A call at `now_us` (monotonic, never less than before). 0: it is let through, and counted; else in how many
 * milliseconds (at least 1) it would be. `name` may be NULL: of a tool without namespaces. The limit may be another at
 * each call: what was counted goes on to count.
 */
int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us);

#endif
