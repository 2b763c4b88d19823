#include "store/import/import_seen.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

static uint64_t first_bits(const struct digest *d)
{
    uint64_t bits;
    memcpy(&bits, d->bytes, sizeof(bits));
    return bits ? bits : 1;
}

uint64_t seen_bits(struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    struct digest d;
    ref_add(&text, ref);
    digest_bytes(&d, text.buf, text.len);
    strbuf_release(&text);
    return first_bits(&d);
}

static struct seen_slot *find(const struct seen *s, uint64_t ref)
{
    size_t at = (size_t)ref & (s->size - 1);
    while (s->slot[at].ref && s->slot[at].ref != ref)
        at = (at + 1) & (s->size - 1);
    return &s->slot[at];
}

static void grow(struct seen *s)
{
    struct seen larger = {.size = s->size ? 2 * s->size : 1024, .count = s->count};
    larger.slot = xcalloc(larger.size, sizeof(*larger.slot));
    for (size_t i = 0; i < s->size; i++)
        if (s->slot[i].ref)
            *find(&larger, s->slot[i].ref) = s->slot[i];
    free(s->slot);
    *s = larger;
}

enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content)
{
    if (s->count >= s->size / 2)
        grow(s);
    uint64_t bits = seen_bits(ref), said = first_bits(content);
    struct seen_slot *slot = find(s, bits);
    if (slot->ref)
        return slot->content == said ? SEEN_SAME : SEEN_OTHER;
    *slot = (struct seen_slot){bits, said};
    s->count++;
    return SEEN_NEVER;
}

bool seen_has(const struct seen *s, struct ref ref)
{
    return s->count > 0 && find(s, seen_bits(ref))->ref;
}

void seen_release(struct seen *s)
{
    free(s->slot);
    *s = (struct seen){NULL, 0, 0};
}

int row_set_add(struct row_set *set, int64_t row)
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
    return 0;
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
