/*
 * A histogram of call durations. Each power of two is divided into eight buckets, so 256 counters
 * give any percentile within 12.5 %, and two histograms can be added (as in HdrHistogram).
 */
#ifndef STEMMA_LATENCY_H
#define STEMMA_LATENCY_H

#include <stdint.h>
#include "model/base/strbuf.h"

#define LATENCY_BUCKETS 256 /* from 1 µs to beyond an hour */

struct latency {
    uint32_t bucket[LATENCY_BUCKETS];
    uint64_t count;
};

void latency_add(struct latency *l, int64_t us);
void latency_merge(struct latency *into, const struct latency *from);
/* The latency in µs that `percent` (0–100) of the calls did not exceed: the upper bound of a
 * bucket. 0 if there were no calls. */
int64_t latency_percentile(const struct latency *l, double percent);
/* Writes "12:3,40:1": bucket and count of each bucket that is not empty. */
void latency_write(struct strbuf *out, const struct latency *l);
/* Reads what latency_write wrote. Returns -1, and leaves *l alone, for other text. */
int latency_read(struct latency *l, const char *text);

#endif
