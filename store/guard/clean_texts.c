#include "store/guard/clean_texts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/*
 * NH of each block under the same key, and of its results, three parts each, a polynomial modulo 2^61 - 1 at two random
 * points: the construction of VHASH (Krovetz and Dai, "VHASH Security", 2007), with the smaller prime twice.
 * Two texts of a megabyte have the same mark with a chance below 2^-63, whatever who chose them knows, for no mark
 * ever leaves.
 */
#define BLOCK   128 /* words of 64 bits */
#define PRIME   ((UINT64_C(1) << 61) - 1)
#define SLOTS   (1 << 16)
#define AT_ONCE 256 /* bytes that getentropy gives */

struct slot {
    _Atomic uint64_t a,
        b; /* of two that are written at once neither may be found, and no third is */
};

struct clean_texts {
    uint64_t key[BLOCK];
    uint64_t point[2];
    struct slot slot[SLOTS];
};

static bool fill(void *at, size_t size)
{
    for (size_t done = 0; done < size;) {
        size_t n = size - done < AT_ONCE ? size - done : AT_ONCE;
        if (getentropy((char *)at + done, n))
            return false;
        done += n;
    }
    return true;
}

struct clean_texts *clean_texts_new(void)
{
    struct clean_texts *c = xcalloc(1, sizeof(*c));
    if (fill(c->key, sizeof(c->key)) && fill(c->point, sizeof(c->point))) {
        c->point[0] %= PRIME;
        c->point[1] %= PRIME;
        return c;
    }
    free(c);
    return NULL;
}

/* A word of the text as it stands in memory: no mark leaves the process. */
static uint64_t word(const char *at)
{
    uint64_t w;
    memcpy(&w, at, sizeof(w));
    return w;
}

static wide block(const uint64_t *key, const char *text, size_t words)
{
    wide sum = 0, other = 0;
    size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        sum += (wide)(word(text + i * 8) + key[i]) * (word(text + i * 8 + 8) + key[i + 1]);
        other +=
            (wide)(word(text + i * 8 + 16) + key[i + 2]) * (word(text + i * 8 + 24) + key[i + 3]);
    }
    for (; i < words; i += 2)
        sum += (wide)(word(text + i * 8) + key[i]) * (word(text + i * 8 + 8) + key[i + 1]);
    return sum + other;
}

static uint64_t reduced(wide x)
{
    uint64_t low = (uint64_t)(x & PRIME) + (uint64_t)(x >> 61);
    low = (low & PRIME) + (low >> 61);
    return low >= PRIME ? low - PRIME : low;
}

static void take(const struct clean_texts *c, struct clean_mark *m, uint64_t part)
{
    m->a = reduced((wide)m->a * c->point[0] + part);
    m->b = reduced((wide)m->b * c->point[1] + part);
}

/* In parts that are below the prime. */
static void take_wide(const struct clean_texts *c, struct clean_mark *m, wide x)
{
    const uint64_t part = (UINT64_C(1) << 43) - 1;
    take(c, m, (uint64_t)x & part);
    take(c, m, (uint64_t)(x >> 43) & part);
    take(c, m, (uint64_t)(x >> 86));
}

struct clean_mark clean_mark_of(const struct clean_texts *c, enum reading_of as, const char *text,
                                size_t len)
{
    struct clean_mark m = {(uint64_t)as, (uint64_t)as};
    char last[BLOCK * 8];
    size_t left = len;
    for (; left >= sizeof(last); left -= sizeof(last), text += sizeof(last))
        take_wide(c, &m, block(c->key, text, BLOCK));
    if (left > 0) {
        size_t padded = (left + 15) / 16 * 16;
        memcpy(last, text, left);
        memset(last + left, 0, padded - left);
        take_wide(c, &m, block(c->key, last, padded / 8));
    }
    take(c, &m, (uint64_t)len & PRIME);
    m.a |= UINT64_C(1) << 63; /* none is all zero, as an empty slot is */
    return m;
}

bool clean_texts_has(const struct clean_texts *c, struct clean_mark mark)
{
    const struct slot *slot = &c->slot[mark.b % SLOTS];
    return atomic_load_explicit(&slot->a, memory_order_relaxed) == mark.a &&
           atomic_load_explicit(&slot->b, memory_order_relaxed) == mark.b;
}

void clean_texts_add(struct clean_texts *c, struct clean_mark mark)
{
    struct slot *slot = &c->slot[mark.b % SLOTS];
    atomic_store_explicit(&slot->a, mark.a, memory_order_relaxed);
    atomic_store_explicit(&slot->b, mark.b, memory_order_relaxed);
}

void clean_texts_free(struct clean_texts *c)
{
    free(c);
}

#else /* nothing is remembered */

struct clean_texts {
    char none;
};

struct clean_texts *clean_texts_new(void)
{
    return xcalloc(1, sizeof(struct clean_texts));
}

void clean_texts_free(struct clean_texts *c)
{
    free(c);
}

struct clean_mark clean_mark_of(const struct clean_texts *c, enum reading_of as, const char *text,
                                size_t len)
{
    (void)c, (void)as, (void)text, (void)len;
    return (struct clean_mark){0, 0};
}

bool clean_texts_has(const struct clean_texts *c, struct clean_mark mark)
{
    (void)c, (void)mark;
    return false;
}

void clean_texts_add(struct clean_texts *c, struct clean_mark mark)
{
    (void)c, (void)mark;
}

#endif
