/*
 * Hash tables. Each numbers its keys 0, 1, 2, … in the order of adding; the values are in an array
 * of the caller's, indexed by that number, or in one that `struct map` owns. Open addressing with
 * linear probing, at most half full. Keys cannot be removed one by one. Adding never fails (see
 * alloc.h).
 */
#ifndef STEMMA_MAP_H
#define STEMMA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

#define ROW_NONE SIZE_MAX

/* From key to number: a slot holds number + 1, or 0 if it is free. */
struct slots {
    uint32_t *slot;
    size_t slots; /* a power of two, or 0 */
    unsigned shift;
};

/* ---- rows of a store, and other numbers that no attacker can choose ---- */

struct row_index {
    int64_t *row; /* [count] */
    size_t count, alloc;
    struct slots by_row;
};
/* clang-format off */
#define ROW_INDEX_INIT {.row = NULL}
/* clang-format on */

/* Returns the row's number, which is the old `count` if the row is new. */
size_t row_index_add(struct row_index *x, int64_t row);
/* Returns ROW_NONE if the row is not in the index. */
size_t row_index_find(const struct row_index *x, int64_t row);
/* Empties the index and keeps its memory. */
void row_index_clear(struct row_index *x);
void row_index_release(struct row_index *x);

/* A value for each row. */
struct map {
    struct row_index keys;
    int64_t *value; /* [keys.count] */
    size_t alloc;
};
/* clang-format off */
#define MAP_INIT {.value = NULL}
/* clang-format on */

/* The value of `key`, which is added with value 0 if it is missing. The pointer is valid until
 * the next call. */
int64_t *map_at(struct map *m, int64_t key);
/* Returns NULL if the key is missing. The pointer is valid until the next map_at. */
int64_t *map_find(const struct map *m, int64_t key);
void map_clear(struct map *m);
void map_release(struct map *m);

/* Compares int64_t, for qsort. */
int row_compare(const void *a, const void *b);

/* A set of rows as a bitmap, for rows that are dense from 1. */
struct row_set {
    uint8_t *bits;
    size_t size;
};
void row_set_add(struct row_set *set, int64_t row);
bool row_set_has(const struct row_set *set, int64_t row);
/* The least row above `after` that is in `set` and not in `without`, or 0 if there is none. */
int64_t row_set_next(const struct row_set *set, const struct row_set *without, int64_t after);
void row_set_release(struct row_set *set);

/* ---- texts, which an attacker may choose ---- */

/* The hash is SipHash-1-3 with a secret key (Aumasson and Bernstein, 2012), so nobody can choose
 * texts that collide. The process gets its key when it first opens a store. An index keeps the
 * key that it started with. */
void key_index_seed(const unsigned char key[16]);
struct text_key {
    const char *text; /* a copy, followed by a NUL */
    uint32_t len, hash;
};

struct key_index {
    struct text_key *key; /* [count] */
    size_t count, alloc;
    uint64_t secret[2];
    struct slots by_text;
    struct arena arena;
};
/* clang-format off */
#define KEY_INDEX_INIT {.key = NULL}
/* clang-format on */

size_t key_index_add(struct key_index *x, const char *text, size_t len);
size_t key_index_find(const struct key_index *x, const char *text, size_t len);
void key_index_clear(struct key_index *x);
void key_index_release(struct key_index *x);

/* ---- hashes of keys that no attacker can choose ---- */

/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/), for tables and
 * fingerprints. It does not resist chosen collisions. The last bytes hardly affect the high bits,
 * so mix the hash before using a few of its bits.
 */
#define FNV_BASIS UINT64_C(14695981039346656037) /* the hash of no bytes */
#define FNV_PRIME UINT64_C(1099511628211)

/* Continues `hash` with these bytes. */
static inline uint64_t fnv_add(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
    return hash;
}

/* ---- duplicates ---- */

struct unique_key {
    int group;        /* texts of different groups are different */
    const char *text; /* not NULL */
    bool again;       /* equal to an earlier key; set by unique_find */
    size_t place;     /* used by unique_find */
};

/* Sets `again` of each key and keeps their order. Takes O(n log n) comparisons even for texts
 * that an attacker chose, since it sorts and does not hash. */
void unique_find(struct unique_key *keys, size_t count);

#endif
