#include "model/layout/rank/ordering.h"

#include <stdlib.h>
#include "model/layout/rank/ordering_piece.h"

/* Points without a seed take the mean of their neighbours so often. */
#define ROUNDS   16
#define KEY_NONE INT64_MAX
/* Parts of a seed's unit, so that means differ which are close. */
#define PARTS 256

struct keyed {
    int64_t key;
    uint32_t layer, point;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static bool has_seed(const struct layered *g, const int32_t *seed, uint32_t p)
{
    return g->point_net[p] == PICTURE_NONE && seed[p] != SEED_NONE;
}

/* ---- keys ---- */

struct keys {
    int64_t *key;    /* [points] */
    uint32_t *queue; /* [points] those that have a key */
    uint32_t queued;
};

struct mean {
    int64_t sum, count;
};

static void add_key(struct mean *m, const struct keys *k, uint32_t p)
{
    if (k->key[p] == KEY_NONE)
        return;
    m->sum += k->key[p];
    m->count++;
}

static int64_t mean_key(const struct layered *g, const struct keys *k, uint32_t p)
{
    struct mean m = {0, 0};
    for (uint32_t i = g->up_first[p]; i < g->up_first[p + 1]; i++)
        add_key(&m, k, g->segment[g->up_of[i]].upper);
    for (uint32_t i = g->down_first[p]; i < g->down_first[p + 1]; i++)
        add_key(&m, k, g->segment[g->down_of[i]].lower);
    return m.count ? m.sum / m.count : KEY_NONE;
}

static void reach(const struct layered *g, struct keys *k, uint32_t p)
{
    if (k->key[p] != KEY_NONE)
        return;
    k->key[p] = mean_key(g, k, p);
    k->queue[k->queued++] = p;
}

/* From the seeds outwards, and then to the mean again and again. What no seed reaches has no key and stands last. */
static void spread_keys(const struct layered *g, const int32_t *seed, struct keys *k)
{
    for (uint32_t p = 0; p < g->points; p++) {
        k->key[p] = has_seed(g, seed, p) ? (int64_t)seed[p] * PARTS : KEY_NONE;
        if (k->key[p] != KEY_NONE)
            k->queue[k->queued++] = p;
    }
    uint32_t seeded = k->queued;
    for (uint32_t done = 0; done < k->queued; done++) {
        uint32_t p = k->queue[done];
        for (uint32_t i = g->up_first[p]; i < g->up_first[p + 1]; i++)
            reach(g, k, g->segment[g->up_of[i]].upper);
        for (uint32_t i = g->down_first[p]; i < g->down_first[p + 1]; i++)
            reach(g, k, g->segment[g->down_of[i]].lower);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = seeded; i < k->queued; i++)
            k->key[k->queue[i]] = mean_key(g, k, k->queue[i]);
}

/* order[] by layer, key and number. */
static int sort_by_keys(struct layered *g, const int32_t *seed, struct arena *a)
{
    struct keys k = {.key = arena_array(a, g->points, sizeof(*k.key)),
                     .queue = arena_array(a, g->points, sizeof(*k.queue))};
    struct keyed *keyed = arena_array(a, g->points, sizeof(*keyed));
    if (!k.key || !k.queue || !keyed)
        return -1;
    spread_keys(g, seed, &k);
    for (uint32_t p = 0; p < g->points; p++)
        keyed[p] = (struct keyed){k.key[p], g->layer[p], p};
    qsort(keyed, g->points, sizeof(*keyed), by_key);
    for (uint32_t i = 0; i < g->points; i++)
        g->order[i] = keyed[i].point;
    layered_place(g);
    return 0;
}

/* ---- the search for what is free ---- */

static int order_free(struct layered *g, const int32_t *seed, struct arena *a)
{
    struct piece o;
    uint32_t *member = arena_memdup(a, g->order, g->points * sizeof(*member));
    uint32_t *number = arena_array(a, g->points, sizeof(*number));
    if (!member || !number)
        return -1;
    int result = piece_make(&o, g, member, g->points, number);
    if (result == 0) {
        for (uint32_t p = 0; p < o.points; p++)
            o.fixed[p] = has_seed(g, seed, o.named[p]);
        o.crossings = ordering_crossings(g);
        result = search_order(&o);
    }
    if (result == 0)
        result = tidy_order(&o);
    for (uint32_t i = 0; result == 0 && i < o.points; i++)
        g->order[i] = o.named[o.order[i]];
    if (result == 0)
        layered_place(g);
    piece_release(&o);
    return result;
}

int ordering_seeded(struct layered *g, const int32_t *seed)
{
    struct arena a = ARENA_INIT;
    if (g->points == 0)
        return 0;
    int result = sort_by_keys(g, seed, &a);
    if (result == 0)
        result = order_free(g, seed, &a);
    arena_release(&a);
    return result;
}
