#include "store/lineage/kept_reach.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

#define BYTES_MAX (256 << 10)

static size_t size_of(const struct reach_set *s)
{
    return s->blocks * sizeof(*s->block) + s->back_count * sizeof(*s->back);
}

static void empty(struct kept_reach *k, struct reach_set *s)
{
    k->bytes -= size_of(s);
    free(s->block);
    free(s->back);
    *s = (struct reach_set){0};
}

void kept_reach_release(struct kept_reach *k)
{
    for (size_t i = 0; i < KEPT_REACH_SLOTS; i++)
        empty(k, &k->set[i]);
}

static bool holds(const struct reach_set *s, const struct links_walk *w)
{
    return s->epoch == w->epoch && (s->direction == ANCESTORS || s->seq == w->seq);
}

const struct reach_set *kept_reach_set(const struct links_walk *w, const struct reach *reach,
                                       int64_t row)
{
    const struct reach_set *s = &w->reach->set[(uint64_t)row % KEPT_REACH_SLOTS];
    return s->row == row && s->direction == reach->direction && s->top == reach->top && holds(s, w)
               ? s
               : NULL;
}

/* The blocks where anything was reached; -1 where there is no memory for them. */
static int copy_blocks(struct reach_set *s, const struct reach *reach)
{
    for (size_t i = 0; i < reach->blocks; i++)
        s->blocks += reach->block[i] != NULL;
    s->back_count = reach->back_count;
    if (size_of(s) > BYTES_MAX / 4)
        return -1;
    s->block = xmalloc((s->blocks + 1) * sizeof(*s->block));
    s->back = xmalloc((s->back_count + 1) * sizeof(*s->back));
    if (!s->block || !s->back)
        return -1;
    for (size_t i = 0, to = 0; i < reach->blocks; i++) {
        if (!reach->block[i])
            continue;
        s->block[to].number = i;
        memcpy(s->block[to++].bits, reach->block[i], sizeof(s->block->bits));
    }
    if (s->back_count)
        memcpy(s->back, reach->back, s->back_count * sizeof(*s->back));
    return 0;
}

void kept_reach_keep(const struct links_walk *w, const struct reach *reach, int64_t row)
{
    struct kept_reach *k = w->reach;
    struct reach_set new = {.row = row,
                            .direction = reach->direction,
                            .epoch = w->epoch,
                            .seq = w->seq,
                            .top = reach->top,
                            .last = reach->last};
    if (copy_blocks(&new, reach)) {
        free(new.block);
        free(new.back);
        return;
    }
    struct reach_set *place = &k->set[(uint64_t)row % KEPT_REACH_SLOTS];
    empty(k, place);
    while (k->bytes + size_of(&new) > BYTES_MAX)
        empty(k, &k->set[k->hand++ % KEPT_REACH_SLOTS]);
    *place = new;
    k->bytes += size_of(&new);
}
