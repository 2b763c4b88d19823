/*
 * A map from a ref or a name to its row, for what a writer meets again and again. Open addressing,
 * keys copied. It is a cache: beyond INTERN_MAX entries it forgets everything and begins anew.
 */
#ifndef STEMMA_INTERN_H
#define STEMMA_INTERN_H

#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

#define INTERN_MAX  (1u << 18)
#define INTERN_NONE (-1)

struct intern_slot {
    const char *key; /* NULL: free; in `keys` */
    uint32_t hash;
    uint32_t tag;
    int64_t row;
};
struct intern {
    struct intern_slot *slot;
    size_t size; /* a power of two, or 0 */
    size_t count;
    struct arena keys;
};
#define INTERN_INIT                                                                                \
    {                                                                                              \
        NULL, 0, 0, ARENA_INIT                                                                     \
    }

/* The row of that key under that tag (a kind, or 0), or INTERN_NONE. */
int64_t intern_find(const struct intern *t, unsigned tag, const char *key);
/* Adds a key that is not there. 1 where something was forgotten to make room, or this one had none;
 * else 0, and all that was added since the last clear is still there. */
int intern_add(struct intern *t, unsigned tag, const char *key, int64_t row);
void intern_clear(struct intern *t);
void intern_release(struct intern *t);

#endif
