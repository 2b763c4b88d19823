/*
 * How long calls took: a histogram with buckets of a power of two cut in eight, so that any percentile
 * is within 12.5 % of the truth in 256 counters, and two add up (as HdrHistogram does).
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
/* The latency in µs that `percent` (0–100) of the calls did not exceed: a bucket's upper bound; 0
 * where there was no call. */
int64_t latency_percentile(const struct latency *l, double percent);
/* "12:3,40:1": bucket and count of those that have any. */
void latency_write(struct strbuf *out, const struct latency *l);
/* -1: not ours. */
int latency_read(struct latency *l, const char *text);

#endif
