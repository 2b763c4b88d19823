#include "model/base/latency.h"

#include <stdbool.h>

#define CUTS 8 /* buckets for each power of two; smaller values have a bucket each */

static size_t bucket_of(int64_t us)
{
    if (us < CUTS)
        return us < 0 ? 0 : (size_t)us;
    int power = 63 - __builtin_clzll((unsigned long long)us);
    size_t bucket = (size_t)(power - 2) * CUTS + (size_t)(us >> (power - 3)) - CUTS;
    return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

static int64_t upper_bound(size_t bucket)
{
    if (bucket < CUTS)
        return (int64_t)bucket;
    return ((int64_t)(CUTS + bucket % CUTS + 1) << (bucket / CUTS - 1)) - 1;
}

/* Counters saturate. */
static void count_in(struct latency *l, size_t bucket, uint32_t count)
{
    uint32_t room = UINT32_MAX - l->bucket[bucket];
    l->bucket[bucket] += count < room ? count : room;
    l->count += count;
}

void latency_add(struct latency *l, int64_t us)
{
    count_in(l, bucket_of(us), 1);
}

void latency_merge(struct latency *into, const struct latency *from)
{
    uint64_t count = into->count + from->count;
    for (size_t i = 0; i < LATENCY_BUCKETS; i++)
        count_in(into, i, from->bucket[i]);
    into->count = count;
}

int64_t latency_percentile(const struct latency *l, double percent)
{
    double rank = (percent > 0 ? percent < 100 ? percent : 100 : 0) * (double)l->count / 100;
    uint64_t passed = 0;
    size_t last = 0;
    for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
        if (!l->bucket[i])
            continue;
        passed += l->bucket[i];
        last = i;
        if ((double)passed >= rank)
            break;
    }
    return upper_bound(last);
}

void latency_write(struct strbuf *out, const struct latency *l)
{
    const char *comma = "";
    for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
        if (!l->bucket[i])
            continue;
        strbuf_addf(out, "%s%zu:%lu", comma, i, (unsigned long)l->bucket[i]);
        comma = ",";
    }
}

/* A number without sign or leading zero, at most `most`; moves *at past it. */
static bool parse_number(const char **at, uint64_t most, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;
    for (; *p >= '0' && *p <= '9' && value <= most; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (p == *at || value > most || (**at == '0' && p > *at + 1))
        return false;
    *at = p;
    *out = value;
    return true;
}

int latency_read(struct latency *l, const char *text)
{
    struct latency read = {.count = 0};
    uint64_t bucket, count, least = 0;
    while (text && *text) {
        if (!parse_number(&text, LATENCY_BUCKETS - 1, &bucket) || bucket < least ||
            *text++ != ':' || !parse_number(&text, UINT32_MAX, &count) || count == 0)
            return -1;
        count_in(&read, (size_t)bucket, (uint32_t)count);
        least = bucket + 1;
        if (*text == ',' && text[1])
            text++;
        else if (*text)
            return -1;
    }
    *l = read;
    return 0;
}
