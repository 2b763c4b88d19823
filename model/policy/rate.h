/*
 * How often: a sliding window (sustained) and a token bucket (burst) for each tool and namespace.
 * A call is let through where both let it through, and only then counts in both. A window counts the
 * calls of [now - window, now], both ends with it.
 *
 * One thread. What was idle for so long that it says nothing any more is forgotten, so that memory is
 * bounded by the calls of a window and not by the namespaces ever named.
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
 * How often a tool may be called is the configuration's (permission_rate), and may be another at each call: what
 * was counted under the one before goes on to count.
 *
 * A call at `now_us` (monotonic, never less than before). 0: it is let through, and counted; else in how many
 * milliseconds (at least 1) it would be, if none came between. `name` may be NULL: of a tool without
 * namespaces. O(log names), and the calls that left the window since.
 */
int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us);

#endif
