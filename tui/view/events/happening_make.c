#include "tui/view/events/happening_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/reasoning/cite.h"
#include "store/guard/guard_mask.h"
#include "tui/explorer/app.h"

#define TEXT_KEPT 160 /* bytes of a memory's text */
#define NAME_KEPT 64

static size_t room_of(const char *text, size_t most)
{
    return (text ? strnlen(text, most) : 0) + 1;
}

/* A string and its end, of at most `most` bytes, in the happening's own. */
static const char *pack(char **at, const char *text, size_t most)
{
    size_t len = room_of(text, most) - 1;
    char *begin = *at;
    if (text && len > 0)
        memcpy(begin, text, len);
    begin[len] = '\0';
    *at += len + 1;
    return begin;
}

/* Where memory runs out nothing is said. */
static void mask_words(struct reader *r, struct arena *arena, struct happening_words *words)
{
    const struct guard_rules *rules = reader_masked(r);
    words->who = guard_mask_text(rules, arena, words->who);
    words->client = guard_mask_text(rules, arena, words->client);
    words->text = guard_mask_text(rules, arena, words->text);
    words->change = guard_mask_text(rules, arena, words->change);
    words->why = guard_mask_text(rules, arena, words->why);
    words->namespace_ = guard_mask_text(rules, arena, words->namespace_);
}

struct happening *happening_make(struct reader *r, const struct happening *like,
                                 const struct happening_words *words)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    char ref[REF_ID_MAX + 32] = "";
    bool known = like->subject > 0 && !memory_row_read(r, &arena, like->subject, &row, &e);
    if (known)
        snprintf(ref, sizeof(ref), "%s:%s", kind_name(row.ref.kind), row.ref.id);
    struct happening_words masked = *words;
    if (reader_masked(r))
        mask_words(r, &arena, &masked);
    words = &masked;
    const char *text = known ? row.text : words->text;
    size_t room = room_of(words->who, NAME_KEPT) + room_of(words->what, NAME_KEPT) +
                  room_of(words->client, NAME_KEPT) + room_of(ref, sizeof(ref)) +
                  room_of(text, TEXT_KEPT) + room_of(words->change, TEXT_KEPT) +
                  room_of(words->why, TEXT_KEPT) + room_of(words->namespace_, TEXT_KEPT);
    struct happening *h = xmalloc(sizeof(*h) + room);
    if (h) {
        char *at = h->bytes;
        *h = *like;
        h->who = pack(&at, words->who, NAME_KEPT);
        h->what = pack(&at, words->what, NAME_KEPT);
        h->client = pack(&at, words->client, NAME_KEPT);
        h->ref = pack(&at, ref, sizeof(ref));
        h->text = pack(&at, text, TEXT_KEPT);
        h->change = pack(&at, words->change, TEXT_KEPT);
        h->why = pack(&at, words->why, TEXT_KEPT);
        h->namespace_ = pack(&at, words->namespace_, TEXT_KEPT);
    }
    arena_release(&arena);
    return h;
}
