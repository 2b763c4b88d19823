#include <stdlib.h>
#include <string.h>
#include "model/subgraph/scene_build.h"

static int by_tie(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int likeness_find(struct scene_build *b, uint32_t v, const uint32_t *but, struct likeness *out,
                  struct error *e)
{
    const struct seen *s = &b->seen[v];
    size_t most = s->side[0].shown + s->side[1].shown;
    *out = (struct likeness){v, arena_array(&b->scratch, most, sizeof(*out->tie)), 0};
    if (!out->tie)
        return scene_no_memory(e);
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side])
            if (t != but[side])
                out->tie[out->ties++] = (uint64_t)tie_other(&b->tie[t], (enum direction)side) << 8 |
                                        (unsigned)side << 7 | b->tie[t].strokes;
    if (out->ties)
        qsort(out->tie, out->ties, sizeof(*out->tie), by_tie);
    return 0;
}

static int order(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

int likeness_compare(const struct scene_build *b, const struct likeness *x,
                     const struct likeness *y)
{
    const struct scene_memory *a = &b->seen[x->v].memory, *c = &b->seen[y->v].memory;
    int result = order(a->kind, c->kind);
    result = result ? result : order(a->status, c->status);
    result = result ? result : order((int64_t)x->ties, (int64_t)y->ties);
    return result || !x->ties ? result : memcmp(x->tie, y->tie, x->ties * sizeof(*x->tie));
}
