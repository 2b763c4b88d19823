#include "store/db/intern.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

/* The longest search for a key. Refs are chosen by others, perhaps to collide; a cache may then say
 * that it has not got one. */
#define PROBES 64

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_key(unsigned tag, const char *key)
{
    uint32_t hash = 2166136261u ^ tag;
    for (const unsigned char *p = (const unsigned char *)key; *p; p++)
        hash = (hash ^ *p) * 16777619u;
    return hash;
}

/* Where that key is or could be; NULL: neither within PROBES. */
static struct intern_slot *find_slot(const struct intern *t, uint32_t hash, unsigned tag,
                                     const char *key)
{
    for (size_t i = 0; i < PROBES; i++) {
        struct intern_slot *slot = &t->slot[(hash + i) & (t->size - 1)];
        if (!slot->key || (slot->hash == hash && slot->tag == tag && strcmp(slot->key, key) == 0))
            return slot;
    }
    return NULL;
}

int64_t intern_find(const struct intern *t, unsigned tag, const char *key)
{
    if (t->count == 0)
        return INTERN_NONE;
    const struct intern_slot *slot = find_slot(t, hash_key(tag, key), tag, key);
    return slot && slot->key ? slot->row : INTERN_NONE;
}

static int resize(struct intern *t, size_t size)
{
    struct intern_slot *slots = xcalloc(size, sizeof(*slots));
    if (!slots)
        return -1;
    int lost = 0;
    struct intern grown = {slots, size, t->count, t->keys};
    for (size_t i = 0; i < t->size; i++) {
        const struct intern_slot *old = &t->slot[i];
        struct intern_slot *place =
            old->key ? find_slot(&grown, old->hash, old->tag, old->key) : NULL;
        if (place)
            *place = *old;
        else if (old->key)
            lost = -1;
    }
    free(t->slot);
    *t = grown;
    return lost;
}

int intern_add(struct intern *t, unsigned tag, const char *key, int64_t row)
{
    int forgot = t->count >= INTERN_MAX;
    if (forgot)
        intern_clear(t);
    /* Half full at most: a miss is as frequent as a hit and must be short. */
    if (t->count * 2 >= t->size && resize(t, t->size ? t->size * 2 : 1024)) {
        intern_clear(t);
        return 1;
    }
    uint32_t hash = hash_key(tag, key);
    struct intern_slot *slot = find_slot(t, hash, tag, key);
    const char *copy = slot ? arena_strdup(&t->keys, key) : NULL;
    if (!copy)
        return 1;
    t->count += !slot->key;
    *slot = (struct intern_slot){copy, hash, tag, row};
    return forgot;
}

void intern_clear(struct intern *t)
{
    if (t->slot)
        memset(t->slot, 0, t->size * sizeof(*t->slot));
    t->count = 0;
    arena_clear(&t->keys);
}

void intern_release(struct intern *t)
{
    free(t->slot);
    arena_release(&t->keys);
    *t = (struct intern)INTERN_INIT;
}
