/*
 * Counters for each tool and namespace: a ring with the times of the calls within the window, and
 * the tokens used from the bucket. Expired counters are swept out when there are twice as many
 * counters as the last sweep left.
 */
#include "model/policy/permission.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"

#define US_A_SECOND 1e6
#define US_AT_MOST  (INT64_MAX / 4) /* the longest wait; the sum of two does not overflow */

struct counter {
    int64_t *at; /* a ring of times, the oldest at `first` */
    size_t first, count, alloc;
    double spent; /* the tokens used from the bucket, at `spent_at` */
    int64_t spent_at;
    int64_t expires_at; /* from then on it has no effect */
};

struct rates {
    struct key_index names;  /* the number of the tool and the namespace */
    struct counter *counter; /* [names.count] */
    size_t count, alloc;
    size_t sweep_at;
};

#define SWEEP_LEAST 16

struct rates *rates_new(void)
{
    struct rates *r = xcalloc(1, sizeof(*r));
    r->sweep_at = SWEEP_LEAST;
    return r;
}

void rates_free(struct rates *r)
{
    for (size_t i = 0; r && i < r->count; i++)
        free(r->counter[i].at);
    if (r) {
        free(r->counter);
        key_index_release(&r->names);
    }
    free(r);
}

size_t rates_count(const struct rates *r)
{
    return r->count;
}

/* ---- counters ---- */

static void sweep(struct rates *r, int64_t now)
{
    struct rates kept = {.names = KEY_INDEX_INIT};
    for (size_t i = 0; i < r->count; i++) {
        if (r->counter[i].expires_at <= now) {
            free(r->counter[i].at);
            continue;
        }
        key_index_add(&kept.names, r->names.key[i].text, r->names.key[i].len);
        *ARRAY_ADD(kept.counter, kept.count, kept.alloc) = r->counter[i];
    }
    key_index_release(&r->names);
    free(r->counter);
    *r = kept;
    r->sweep_at = 2 * kept.count + SWEEP_LEAST;
}

/* Finds the counter, or adds one. */
static struct counter *find(struct rates *r, enum memory_tool tool, const char *name)
{
    char key[NAMESPACE_MAX + 2];
    int len = snprintf(key, sizeof(key), "%c%s", '0' + (int)tool, name);
    size_t at =
        key_index_add(&r->names, key, (size_t)len < sizeof(key) ? (size_t)len : sizeof(key) - 1);
    if (at == r->count)
        *ARRAY_ADD(r->counter, r->count, r->alloc) = (struct counter){0};
    return &r->counter[at];
}

/* ---- the window ---- */

static int64_t to_us(double seconds)
{
    double us = seconds * US_A_SECOND;
    return us < (double)US_AT_MOST ? llround(us) : US_AT_MOST;
}

static void drop_old(struct counter *p, int64_t oldest)
{
    while (p->count && p->at[p->first] < oldest) {
        p->first = (p->first + 1) % p->alloc;
        p->count--;
    }
}

/* The µs until the window permits a call; 0 if it does now. */
static int64_t wait_for_window(struct counter *p, const struct rate_limit *limit, int64_t now)
{
    int64_t window = to_us(limit->window_seconds);
    if (limit->window_calls <= 0)
        return 0;
    drop_old(p, now - window);
    size_t most = (size_t)limit->window_calls;
    if (p->count < most)
        return 0;
    return p->at[(p->first + p->count - most) % p->alloc] + window + 1 - now;
}

/* Makes room for one more. When the ring grows, it is copied to start at 0. */
static void make_room(struct counter *p)
{
    if (p->count < p->alloc)
        return;
    size_t wanted = p->alloc ? p->alloc * 2 : 4;
    int64_t *grown = xmalloc(wanted * sizeof(*grown));
    for (size_t i = 0; i < p->count; i++)
        grown[i] = p->at[(p->first + i) % p->alloc];
    free(p->at);
    p->at = grown;
    p->first = 0;
    p->alloc = wanted;
}

/* ---- the bucket ---- */

static double spent_by(const struct counter *p, const struct rate_limit *limit, int64_t now)
{
    double most = (double)limit->burst;
    double spent = p->spent < most ? p->spent : most;
    spent -= (double)(now - p->spent_at) / US_A_SECOND * limit->per_second;
    return spent > 0 ? spent : 0;
}

/* Tolerates rounding of 1e-9 of a call: ten times a tenth of a second must be a second. */
static bool bucket_has_one(const struct counter *p, const struct rate_limit *limit, int64_t now)
{
    return spent_by(p, limit, now) + 1 <= (double)limit->burst + 1e-9;
}

/* The µs until the bucket permits a call, rounded to whole ms, the unit of the caller. */
static int64_t wait_for_bucket(const struct counter *p, const struct rate_limit *limit, int64_t now)
{
    if (limit->burst <= 0 || bucket_has_one(p, limit, now))
        return 0;
    double lacks = spent_by(p, limit, now) + 1 - (double)limit->burst;
    int64_t wait = to_us(lacks / limit->per_second) / 1000 * 1000;
    return wait && bucket_has_one(p, limit, now + wait) ? wait : wait + 1000;
}

/* ---- calls ---- */

static void count_call(struct counter *p, const struct rate_limit *limit, int64_t now)
{
    p->expires_at = now;
    if (limit->window_calls > 0) {
        make_room(p);
        p->at[(p->first + p->count++) % p->alloc] = now;
        p->expires_at = now + to_us(limit->window_seconds) + 1;
    }
    if (limit->burst > 0) {
        p->spent = spent_by(p, limit, now) + 1;
        p->spent_at = now;
        int64_t full = now + to_us(p->spent / limit->per_second) + 1;
        p->expires_at = full > p->expires_at ? full : p->expires_at;
    }
}

int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us)
{
    if (r->count >= r->sweep_at)
        sweep(r, now_us);
    if (!limit || (limit->window_calls <= 0 && limit->burst <= 0))
        return 0;
    struct counter *p = find(r, tool, name ? name : "");
    int64_t window = wait_for_window(p, limit, now_us);
    int64_t bucket = wait_for_bucket(p, limit, now_us);
    int64_t wait = window > bucket ? window : bucket;
    if (wait > 0)
        return (wait + 999) / 1000;
    count_call(p, limit, now_us);
    return 0;
}
