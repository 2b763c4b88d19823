/*
 * Hash tables. Each gives its keys numbers 0, 1, 2, … in the order in which they were added, so that what belongs to
 * a key stands in an array of the caller's, or in `map` in one of its own. Open addressing with linear probing, at
 * most half full; nothing is ever taken out but all at once. Adding never fails (see alloc.h).
 */
#ifndef STEMMA_MAP_H
#define STEMMA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

#define ROW_NONE SIZE_MAX

/* Numbers by key: each slot holds number + 1; 0 is free. */
struct slots {
    uint32_t *slot;
    size_t slots; /* a power of two, or 0 */
    unsigned shift;
};

/* ---- rows of a store, and other numbers that nobody outside chooses ---- */

struct row_index {
    int64_t *row; /* [count] */
    size_t count, alloc;
    struct slots by_row;
};
#define ROW_INDEX_INIT                                                                             \
    {                                                                                              \
        .row = NULL                                                                                \
    }

/* The row's number; it is new if that is what `count` was before. */
size_t row_index_add(struct row_index *x, int64_t row);
/* ROW_NONE if it is not there. */
size_t row_index_find(const struct row_index *x, int64_t row);
/* Empty again, with its memory. */
void row_index_clear(struct row_index *x);
void row_index_release(struct row_index *x);

/* A value for each row. */
struct map {
    struct row_index keys;
    int64_t *value; /* [keys.count] */
    size_t alloc;
};
#define MAP_INIT                                                                                   \
    {                                                                                              \
        .value = NULL                                                                              \
    }

/* The value of a key, which is added with 0 if it is not there. The pointer is valid until the next call. */
int64_t *map_at(struct map *m, int64_t key);
/* NULL if it is not there. */
int64_t *map_find(const struct map *m, int64_t key);
void map_clear(struct map *m);
void map_release(struct map *m);

/* A set of rows, which are dense from 1. */
struct row_set {
    uint8_t *bits;
    size_t size;
};
void row_set_add(struct row_set *set, int64_t row);
bool row_set_has(const struct row_set *set, int64_t row);
/* The least row above `after` that is in `set` and not in `without`; 0: none. */
int64_t row_set_next(const struct row_set *set, const struct row_set *without, int64_t after);
void row_set_release(struct row_set *set);

/* ---- texts, which may be chosen by whoever writes them ---- */

/* The hash is SipHash-1-3 with a key of the process (Aumasson and Bernstein, 2012): nobody can choose texts that
 * collide. The key is given by the first store that is opened; an index keeps the one that it began with. */
void key_index_seed(const unsigned char key[16]);
struct key_index {
    struct text_key {
        const char *text; /* a copy, with a NUL behind it */
        uint32_t len, hash;
    } * key; /* [count] */
    size_t count, alloc;
    uint64_t secret[2];
    struct slots by_text;
    struct arena arena;
};
#define KEY_INDEX_INIT                                                                             \
    {                                                                                              \
        .key = NULL                                                                                \
    }

size_t key_index_add(struct key_index *x, const char *text, size_t len);
size_t key_index_find(const struct key_index *x, const char *text, size_t len);
void key_index_clear(struct key_index *x);
void key_index_release(struct key_index *x);

/* ---- hashes that are kept, or whose keys nobody outside chooses ---- */

/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/): a hash for tables and marks,
 * against nobody who looks for collisions. The last bytes reach its high bits hardly: who takes few bits mixes them
 * first.
 */
#define FNV_BASIS UINT64_C(14695981039346656037) /* of nothing yet */
#define FNV_PRIME UINT64_C(1099511628211)

/* The hash of what `hash` is of, and these bytes behind it. */
static inline uint64_t fnv_add(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
    return hash;
}

/* ---- which of many are there twice ---- */

struct unique_key {
    int group;        /* texts of different groups are different */
    const char *text; /* not NULL */
    bool again;       /* equal to one before it */
    size_t place;
};

/* Sets `again` of each, and leaves them in the order they are in. O(n log n) comparisons, whatever the
 * texts are: nobody can choose ones that collide. */
void unique_find(struct unique_key *keys, size_t count);

#endif
