/* What the store's log of calls says of those that were counted. */
#ifndef STEMMA_MCP_METRICS_LOG_H
#define STEMMA_MCP_METRICS_LOG_H

#include "store/mcp/metrics/metrics.h"

/* Of all sessions that there ever were, whatever process served them. */
struct metrics_totals {
    int64_t sessions, living;
    int64_t calls, failures;
    struct latency latency;
};

/*
 * What the log of calls says: reads, refusals, and all calls of entries; what other tools wrote is in the journal
 * and in the totals alone. How long each tool took is not in it. NULL with `e`. O(calls).
 */
struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e);

#endif
