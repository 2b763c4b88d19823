#include "model/base/map.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

/* ---- slots ---- */

/* Makes room for one more than `count` keys. Returns true if the table grew: it is empty then,
 * and the caller must insert all keys again. */
static bool slots_grow(struct slots *s, size_t count)
{
    if (2 * count < s->slots)
        return false;
    if (count >= UINT32_MAX / 2)
        alloc_fail();
    s->slots = s->slots ? s->slots * 2 : 64;
    s->shift = 64 - (unsigned)__builtin_ctzll(s->slots);
    free(s->slot);
    s->slot = xcalloc(s->slots, sizeof(*s->slot));
    return true;
}

static void slots_clear(struct slots *s)
{
    if (s->slots)
        memset(s->slot, 0, s->slots * sizeof(*s->slot));
}

/* ---- rows ---- */

/* Fibonacci hashing (Knuth 1973): the high bits of the product depend on all of the row's. */
static size_t row_slot(const struct row_index *x, int64_t row)
{
    const struct slots *s = &x->by_row;
    size_t at = (size_t)((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> s->shift);
    while (s->slot[at] && x->row[s->slot[at] - 1] != row)
        at = (at + 1) & (s->slots - 1);
    return at;
}

int row_compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return COMPARE(x, y);
}

size_t row_index_add(struct row_index *x, int64_t row)
{
    if (slots_grow(&x->by_row, x->count))
        for (size_t i = 0; i < x->count; i++)
            x->by_row.slot[row_slot(x, x->row[i])] = (uint32_t)i + 1;
    uint32_t *slot = &x->by_row.slot[row_slot(x, row)];
    if (*slot)
        return *slot - 1;
    *ARRAY_ADD(x->row, x->count, x->alloc) = row;
    *slot = (uint32_t)x->count;
    return x->count - 1;
}

size_t row_index_find(const struct row_index *x, int64_t row)
{
    uint32_t number = x->count ? x->by_row.slot[row_slot(x, row)] : 0;
    return number ? number - 1 : ROW_NONE;
}

void row_index_clear(struct row_index *x)
{
    x->count = 0;
    slots_clear(&x->by_row);
}

void row_index_release(struct row_index *x)
{
    free(x->row);
    free(x->by_row.slot);
    *x = (struct row_index)ROW_INDEX_INIT;
}

int64_t *map_at(struct map *m, int64_t key)
{
    size_t count = m->keys.count, number = row_index_add(&m->keys, key);
    ARRAY_ROOM(m->value, m->keys.count, m->alloc, 0);
    if (number == count)
        m->value[number] = 0;
    return &m->value[number];
}

int64_t *map_find(const struct map *m, int64_t key)
{
    size_t number = row_index_find(&m->keys, key);
    return number == ROW_NONE ? NULL : &m->value[number];
}

void map_clear(struct map *m)
{
    row_index_clear(&m->keys);
}

void map_release(struct map *m)
{
    row_index_release(&m->keys);
    free(m->value);
    *m = (struct map)MAP_INIT;
}

void row_set_add(struct row_set *set, int64_t row)
{
    size_t at = (size_t)row / 8;
    if (at >= set->size) {
        size_t size = at + at / 2 + 1024;
        uint8_t *bits = xrealloc(set->bits, size);
        memset(bits + set->size, 0, size - set->size);
        set->bits = bits;
        set->size = size;
    }
    set->bits[at] |= (uint8_t)(1u << (row % 8));
}

bool row_set_has(const struct row_set *set, int64_t row)
{
    size_t at = (size_t)row / 8;
    return at < set->size && (set->bits[at] >> (row % 8) & 1);
}

int64_t row_set_next(const struct row_set *set, const struct row_set *without, int64_t after)
{
    for (int64_t row = after + 1; (size_t)row / 8 < set->size; row++) {
        if (row % 8 == 0 && !set->bits[row / 8])
            row += 7; /* none in this byte */
        else if (row_set_has(set, row) && !row_set_has(without, row))
            return row;
    }
    return 0;
}

void row_set_release(struct row_set *set)
{
    free(set->bits);
    *set = (struct row_set){NULL, 0};
}

/* ---- texts ---- */

static uint64_t hash_key[2];

void key_index_seed(const unsigned char key[16])
{
    memcpy(hash_key, key, sizeof(hash_key));
}

static uint64_t rotated(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1], v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

static uint32_t text_hash(const uint64_t secret[2], const char *text, size_t len)
{
    uint64_t v[4] = {
        secret[0] ^ UINT64_C(0x736f6d6570736575), secret[1] ^ UINT64_C(0x646f72616e646f6d),
        secret[0] ^ UINT64_C(0x6c7967656e657261), secret[1] ^ UINT64_C(0x7465646279746573)};
    for (size_t at = 0; at <= len; at += 8) {
        uint64_t word = 0;
        memcpy(&word, text + at, len - at < 8 ? len - at : 8);
        if (len - at < 8)
            word |= (uint64_t)len << 56; /* after the last bytes, at most seven */
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return (uint32_t)((v[0] ^ v[1] ^ v[2] ^ v[3]) >> 32);
}

/* The slot of the text, or the free slot where it belongs. `hash` is from text_hash. */
static size_t text_slot(const struct key_index *x, const char *text, size_t len, uint32_t hash)
{
    const struct slots *s = &x->by_text;
    size_t at = (size_t)((uint64_t)hash << 32 >> s->shift);
    for (; s->slot[at]; at = (at + 1) & (s->slots - 1)) {
        const struct text_key *key = &x->key[s->slot[at] - 1];
        if (key->hash == hash && key->len == len && memcmp(key->text, text, len) == 0)
            break;
    }
    return at;
}

/* All texts are different, so the first free slot is right without comparing them. */
static void place_texts(struct key_index *x)
{
    const struct slots *s = &x->by_text;
    for (size_t i = 0; i < x->count; i++) {
        size_t at = (size_t)((uint64_t)x->key[i].hash << 32 >> s->shift);
        while (s->slot[at])
            at = (at + 1) & (s->slots - 1);
        s->slot[at] = (uint32_t)i + 1;
    }
}

size_t key_index_add(struct key_index *x, const char *text, size_t len)
{
    if (len > UINT32_MAX)
        alloc_fail();
    if (x->count == 0)
        memcpy(x->secret, hash_key, sizeof(hash_key));
    if (slots_grow(&x->by_text, x->count))
        place_texts(x);
    uint32_t hash = text_hash(x->secret, text, len);
    uint32_t *slot = &x->by_text.slot[text_slot(x, text, len, hash)];
    if (*slot)
        return *slot - 1;
    struct text_key key = {arena_strndup(&x->arena, text, len), (uint32_t)len, hash};
    *ARRAY_ADD(x->key, x->count, x->alloc) = key;
    *slot = (uint32_t)x->count;
    return x->count - 1;
}

size_t key_index_find(const struct key_index *x, const char *text, size_t len)
{
    if (x->count == 0)
        return ROW_NONE;
    uint32_t hash = text_hash(x->secret, text, len);
    uint32_t number = x->by_text.slot[text_slot(x, text, len, hash)];
    return number ? number - 1 : ROW_NONE;
}

void key_index_clear(struct key_index *x)
{
    x->count = 0;
    slots_clear(&x->by_text);
    arena_clear(&x->arena);
}

void key_index_release(struct key_index *x)
{
    free(x->key);
    free(x->by_text.slot);
    arena_release(&x->arena);
    *x = (struct key_index)KEY_INDEX_INIT;
}

static int same(const struct unique_key *a, const struct unique_key *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return strcmp(a->text, b->text);
}

static int by_place(const void *a, const void *b)
{
    const struct unique_key *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_text(const void *a, const void *b)
{
    int order = same(a, b);
    return order ? order : by_place(a, b);
}

void unique_find(struct unique_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keys[i].again = false;
        keys[i].place = i;
    }
    if (count < 2)
        return;
    SORT(keys, count, by_text);
    for (size_t i = 1; i < count; i++)
        keys[i].again = same(&keys[i - 1], &keys[i]) == 0;
    SORT(keys, count, by_place);
}
