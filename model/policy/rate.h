/*
 * Rate limits: a sliding window for the sustained rate and a token bucket for bursts, for each tool
 * and namespace. A call is counted in both if both permit it. A window counts the calls in [now -
 * window, now]. Not for several threads. Counters that have expired are removed.
 */
#ifndef STEMMA_RATE_H
#define STEMMA_RATE_H

#include "model/policy/permission.h"

struct rates;
struct rates *rates_new(void);    /* free with rates_free */
void rates_free(struct rates *r); /* NULL is allowed */
/* The number of counters, for tests. */
size_t rates_count(const struct rates *r);

/*
 * Asks for a call at `now_us` (monotonic, never decreasing). Returns 0 if it is permitted, and
 * counts it; otherwise the milliseconds to wait, at least 1. `name` may be NULL for a tool without
 * namespaces. The limit may differ between calls; earlier calls still count.
 */
int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us);

#endif
