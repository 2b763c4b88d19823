/*
 * Of each tool and namespace the times of its calls within the window, in a ring, and what the bucket has
 * given out. They are found in a balanced tree, since names are chosen by whoever calls, and stand in a
 * circle, of which each call looks at two: who says nothing any more is forgotten there.
 */
#include "model/policy/rate.h"

#include <math.h>
#include <search.h>
#include "model/base/alloc.h"

#define US_A_SECOND 1e6
#define US_AT_MOST  (INT64_MAX / 4) /* a wait that no sum of two overflows with */

struct pace {
    struct pace *next, *previous; /* in the circle */
    int64_t *at;                  /* the ring of times, the oldest at `first` */
    size_t first, count, alloc;
    double spent; /* of the bucket, at `spent_at` */
    int64_t spent_at;
    int64_t silent_at; /* from then on it says nothing */
    enum memory_tool tool;
    const char *name; /* behind it */
};

struct rates {
    void *tree;
    struct pace *hand; /* in the circle: who is looked at next; NULL: there is none */
    size_t count;
};

struct rates *rates_new(void)
{
    return xcalloc(1, sizeof(struct rates));
}

size_t rates_count(const struct rates *r)
{
    return r->count;
}

/* ---- who is remembered ---- */

static int compare(const void *a, const void *b)
{
    const struct pace *x = a, *y = b;
    if (x->tool != y->tool)
        return x->tool < y->tool ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void forget(struct rates *r, struct pace *p)
{
    tdelete(p, &r->tree, compare);
    p->previous->next = p->next;
    p->next->previous = p->previous;
    r->count--;
    if (r->hand == p)
        r->hand = r->count ? p->next : NULL;
    free(p->at);
    free(p);
}

void rates_free(struct rates *r)
{
    while (r && r->hand)
        forget(r, r->hand);
    free(r);
}

/* Looks at two: more than one call can add, so that the hand comes round however many are added. */
static void forget_silent(struct rates *r, int64_t now)
{
    for (int n = 0; n < 2 && r->hand; n++) {
        struct pace *p = r->hand;
        r->hand = p->next;
        if (p->silent_at <= now)
            forget(r, p);
    }
}

/* Behind the hand, which comes to it last. */
static void join(struct rates *r, struct pace *p)
{
    struct pace *before = r->hand ? r->hand->previous : p;
    struct pace *after = r->hand ? r->hand : p;
    p->previous = before;
    p->next = after;
    before->next = after->previous = p;
    if (!r->hand)
        r->hand = p;
    r->count++;
}

/* The one that is called so, or a new one. */
static struct pace *find(struct rates *r, enum memory_tool tool, const char *name)
{
    const struct pace key = {.tool = tool, .name = name};
    struct pace **known = tfind(&key, &r->tree, compare);
    if (known)
        return *known;
    size_t len = strlen(name);
    struct pace *p = xmalloc(sizeof(*p) + len + 1);
    *p = (struct pace){.tool = tool, .name = memcpy(p + 1, name, len + 1)};
    if (!tsearch(p, &r->tree, compare))
        alloc_fail();
    join(r, p);
    return p;
}

/* ---- the window ---- */

static int64_t to_us(double seconds)
{
    double us = seconds * US_A_SECOND;
    return us < (double)US_AT_MOST ? llround(us) : US_AT_MOST;
}

static void drop_old(struct pace *p, int64_t oldest)
{
    while (p->count && p->at[p->first] < oldest) {
        p->first = (p->first + 1) % p->alloc;
        p->count--;
    }
}

/* In how many us the window has room; 0: now. */
static int64_t wait_for_window(struct pace *p, const struct rate_limit *limit, int64_t now)
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

/* Room for one more; the ring is laid straight where it grows. */
static void make_room(struct pace *p)
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

static double spent_by(const struct pace *p, const struct rate_limit *limit, int64_t now)
{
    double most = (double)limit->burst;
    double spent = p->spent < most ? p->spent : most;
    spent -= (double)(now - p->spent_at) / US_A_SECOND * limit->per_second;
    return spent > 0 ? spent : 0;
}

/* A billionth of a call is forgiven: a tenth of a second ten times is a second. */
static bool bucket_has_one(const struct pace *p, const struct rate_limit *limit, int64_t now)
{
    return spent_by(p, limit, now) + 1 <= (double)limit->burst + 1e-9;
}

/* The same in whole milliseconds, of which a caller is told. */
static int64_t wait_for_bucket(const struct pace *p, const struct rate_limit *limit, int64_t now)
{
    if (limit->burst <= 0 || bucket_has_one(p, limit, now))
        return 0;
    double lacks = spent_by(p, limit, now) + 1 - (double)limit->burst;
    int64_t wait = to_us(lacks / limit->per_second) / 1000 * 1000;
    return wait && bucket_has_one(p, limit, now + wait) ? wait : wait + 1000;
}

/* ---- */

static void count_call(struct pace *p, const struct rate_limit *limit, int64_t now)
{
    p->silent_at = now;
    if (limit->window_calls > 0) {
        make_room(p);
        p->at[(p->first + p->count++) % p->alloc] = now;
        p->silent_at = now + to_us(limit->window_seconds) + 1;
    }
    if (limit->burst > 0) {
        p->spent = spent_by(p, limit, now) + 1;
        p->spent_at = now;
        int64_t full = now + to_us(p->spent / limit->per_second) + 1;
        p->silent_at = full > p->silent_at ? full : p->silent_at;
    }
}

int64_t rates_take(struct rates *r, enum memory_tool tool, const char *name,
                   const struct rate_limit *limit, int64_t now_us)
{
    forget_silent(r, now_us);
    if (!limit || (limit->window_calls <= 0 && limit->burst <= 0))
        return 0;
    struct pace *p = find(r, tool, name ? name : "");
    int64_t window = wait_for_window(p, limit, now_us);
    int64_t bucket = wait_for_bucket(p, limit, now_us);
    int64_t wait = window > bucket ? window : bucket;
    if (wait > 0)
        return (wait + 999) / 1000;
    count_call(p, limit, now_us);
    return 0;
}
