#include "ordering.h"

#include <stdlib.h>

int ordering_find(struct layered *g)
{
    layered_place(g);
    return 0;
}

struct keyed {
    int64_t key;
    uint32_t point;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

/* A point without a seed gets the mean of those beside it that have a key. */
static int64_t mean_key(const struct layered *g, const int64_t *key, uint32_t p)
{
    int64_t sum = 0, count = 0;
    for (uint32_t i = g->up_first[p]; i < g->up_first[p + 1]; i++) {
        int64_t of = key[g->segment[g->up_of[i]].upper];
        sum += of == INT64_MAX ? 0 : of;
        count += of != INT64_MAX;
    }
    for (uint32_t i = g->down_first[p]; i < g->down_first[p + 1]; i++) {
        int64_t of = key[g->segment[g->down_of[i]].lower];
        sum += of == INT64_MAX ? 0 : of;
        count += of != INT64_MAX;
    }
    return count ? sum / count : INT64_MAX;
}

int ordering_seeded(struct layered *g, const int32_t *seed)
{
    int64_t *key = malloc(((size_t)g->points + 1) * sizeof(*key));
    struct keyed *sorted = malloc(((size_t)g->points + 1) * sizeof(*sorted));
    int result = key && sorted ? 0 : -1;
    for (uint32_t p = 0; result == 0 && p < g->points; p++) {
        bool node = g->point_net[p] == PICTURE_NONE;
        key[p] = node && seed[p] != SEED_NONE ? (int64_t)seed[p] * 256 : INT64_MAX;
    }
    for (int round = 0; result == 0 && round < 16; round++)
        for (uint32_t p = 0; p < g->points; p++)
            if (g->point_net[p] != PICTURE_NONE || seed[p] == SEED_NONE)
                key[p] = mean_key(g, key, p);
    for (uint32_t l = 0; result == 0 && l < g->layers; l++) {
        uint32_t from = g->first[l], count = g->first[l + 1] - from;
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = (struct keyed){key[g->order[from + i]], g->order[from + i]};
        qsort(sorted, count, sizeof(*sorted), by_key);
        for (uint32_t i = 0; i < count; i++)
            g->order[from + i] = sorted[i].point;
    }
    if (result == 0)
        layered_place(g);
    free(key);
    free(sorted);
    return result;
}
