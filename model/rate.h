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

#include "permission.h"

struct rates;
struct rates *rates_new(void);
void rates_free(struct rates *r); /* NULL is allowed */

/*
 * A call at `now_us` (monotonic, never less than before). 0: it is let through, and counted; else in how many
 * milliseconds (at least 1) it would be. -1: no memory to count it in.
 */
int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us);

#endif
