/* The first order inside the layers, by sweeps of barycentres, and the order of a drawing that
 * was made before. */
#include <stdlib.h>
#include "model/base/array.h"
#include "model/layout/layered.h"
#include "model/layout/ordering_component.h"

/* The number of sweeps from each start, alternating down and up. */
#define SWEEPS 12
/* Layers up to this width use insertion sort. */
#define WIDTH_SMALL 64

struct keyed {
    uint64_t key;
    uint32_t tie, point;
};

struct starts {
    struct keyed *keyed; /* [widest layer] */
    uint32_t *tree;      /* [widest layer + 1] */
    uint32_t *queue;     /* [points] */
    uint32_t *filled;    /* [layers] */
    bool *seen;          /* [points] */
    uint32_t *best;      /* [points] the best order so far */
    uint64_t crossings;  /* of `best` */
};

static void starts_init(struct starts *s, struct component *o)
{
    struct arena *a = &o->arena;
    size_t widest = component_widest(o);
    s->keyed = arena_array(a, widest, sizeof(*s->keyed));
    s->tree = arena_array(a, widest + 1, sizeof(*s->tree));
    s->queue = arena_array(a, o->points, sizeof(*s->queue));
    s->filled = arena_array(a, o->layers, sizeof(*s->filled));
    s->seen = arena_array(a, o->points, sizeof(*s->seen));
    s->best = arena_array(a, o->points, sizeof(*s->best));
    s->crossings = UINT64_MAX;
}

/* ---- starts ---- */

static uint32_t enqueue(struct starts *s, uint32_t queued, uint32_t p)
{
    if (s->seen[p])
        return queued;
    s->seen[p] = true;
    s->queue[queued] = p;
    return queued + 1;
}

/* Orders points as a breadth first search meets them, from the first point or from the last. */
static void start_by_breadth(struct component *o, struct starts *s, bool from_last)
{
    uint32_t queued = 0;
    memset(s->seen, 0, o->points * sizeof(*s->seen));
    memset(s->filled, 0, o->layers * sizeof(*s->filled));
    for (uint32_t root = 0, done = 0; root < o->points; root++) {
        queued = enqueue(s, queued, from_last ? o->points - 1 - root : root);
        for (; done < queued; done++) {
            uint32_t p = s->queue[done], l = o->point[p].layer;
            o->order[o->first[l] + s->filled[l]++] = p;
            for (uint32_t i = o->point[p].near[ABOVE]; i < o->point[p].near[SIDES]; i++)
                queued = enqueue(s, queued, o->near[i]);
        }
    }
}

/* ---- sweeps ---- */

static bool is_before(const struct keyed *a, const struct keyed *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

static int by_key(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static void sort_keyed(struct keyed *keyed, uint32_t count)
{
    if (count > WIDTH_SMALL) {
        SORT(keyed, count, by_key);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        struct keyed k = keyed[i];
        uint32_t j = i;
        for (; j > 0 && is_before(&k, &keyed[j - 1]); j--)
            keyed[j] = keyed[j - 1];
        keyed[j] = k;
    }
}

/* The mean place of the neighbours, in 1/1024 of a place so that close means differ. */
static uint64_t barycentre(const struct component *o, uint32_t p, enum component_side side)
{
    uint32_t from = o->point[p].near[side], to = o->point[p].near[side + 1];
    uint64_t sum = 0;
    for (uint32_t i = from; i < to; i++)
        sum += o->place[o->near[i]];
    return sum * 1024 / (to - from);
}

static bool has_near(const struct component *o, uint32_t p, enum component_side side)
{
    return o->point[p].near[side] < o->point[p].near[side + 1];
}

/* Sorts a layer by the barycentres of its points' neighbours on one side. Points without
 * neighbours keep their place. */
static void sort_layer(struct component *o, struct starts *s, uint32_t l, enum component_side side,
                       bool turned)
{
    uint32_t width = component_width(o, l), count = 0, next = 0;
    uint32_t *line = o->order + o->first[l];
    for (uint32_t i = 0; i < width; i++)
        if (has_near(o, line[i], side))
            s->keyed[count++] = (struct keyed){.key = barycentre(o, line[i], side),
                                               .tie = turned ? width - i : i,
                                               .point = line[i]};
    sort_keyed(s->keyed, count);
    for (uint32_t i = 0; i < width; i++) {
        if (has_near(o, line[i], side))
            line[i] = s->keyed[next++].point;
        o->place[line[i]] = i;
    }
}

static void keep_better(struct component *o, struct starts *s)
{
    component_count(o, s->tree);
    if (o->crossings >= s->crossings)
        return;
    s->crossings = o->crossings;
    memcpy(s->best, o->order, o->points * sizeof(*s->best));
}

/* Every other pair of sweeps reverses points with equal barycentres. */
static void sweep(struct component *o, struct starts *s)
{
    for (uint32_t n = 0; n < SWEEPS && s->crossings > 0; n++) {
        bool turned = n / 2 % 2;
        for (uint32_t l = 1; l < o->layers; l++)
            if (n % 2)
                sort_layer(o, s, o->layers - 1 - l, BELOW, turned);
            else
                sort_layer(o, s, l, ABOVE, turned);
        o->work += 4 * (uint64_t)o->points + 2 * (uint64_t)o->segments;
        keep_better(o, s);
    }
}

void starts_find(struct component *o)
{
    struct starts s;
    starts_init(&s, o);
    for (int from_last = 0; from_last < 2 && s.crossings > 0; from_last++) {
        start_by_breadth(o, &s, from_last);
        component_place(o);
        keep_better(o, &s);
        sweep(o, &s);
    }
    memcpy(o->order, s.best, o->points * sizeof(*s.best));
    component_place(o);
    o->crossings = s.crossings;
}

/* How often points without a seed take the mean of their neighbours. */
#define ROUNDS   16
#define KEY_NONE INT64_MAX
/* The resolution of keys, so that close means differ. */
#define PARTS 256

struct layer_key {
    int64_t key;
    uint32_t layer, point;
};

static int by_layer_and_key(const void *a, const void *b)
{
    const struct layer_key *x = a, *y = b;
    int order = COMPARE(x->layer, y->layer);
    order = order ? order : COMPARE(x->key, y->key);
    return order ? order : COMPARE(x->point, y->point);
}

static bool has_seed(const struct layered *g, const int32_t *seed, uint32_t p)
{
    return g->point_net[p] == PICTURE_NONE && seed[p] != SEED_NONE;
}

/* The mean of the neighbours with a key, or KEY_NONE if there are none. */
static int64_t mean_key(const struct layered *g, const int64_t *key, uint32_t p)
{
    int64_t sum = 0, count = 0;
    for (uint32_t i = g->up.first[p]; i < g->up.first[p + 1]; i++) {
        int64_t one = key[g->segment[g->up.item[i]].upper];
        sum += one == KEY_NONE ? 0 : one;
        count += one != KEY_NONE;
    }
    for (uint32_t i = g->down.first[p]; i < g->down.first[p + 1]; i++) {
        int64_t one = key[g->segment[g->down.item[i]].lower];
        sum += one == KEY_NONE ? 0 : one;
        count += one != KEY_NONE;
    }
    return count ? sum / count : KEY_NONE;
}

/* Spreads keys from the seeds through the layers, alternating down and up. Points that no seed
 * reaches get no key and come last. */
static void spread_keys(const struct layered *g, const int32_t *seed, int64_t *key)
{
    for (uint32_t p = 0; p < g->points; p++)
        key[p] = has_seed(g, seed, p) ? (int64_t)seed[p] * PARTS : KEY_NONE;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < g->points; i++) {
            uint32_t p = g->order[round % 2 ? g->points - 1 - i : i];
            if (!has_seed(g, seed, p))
                key[p] = mean_key(g, key, p);
        }
}

/* Sorts order[] by layer, key and number. */
static void sort_by_keys(struct layered *g, const int32_t *seed, struct arena *a)
{
    int64_t *key = arena_array(a, g->points, sizeof(*key));
    struct layer_key *sorted = arena_array(a, g->points, sizeof(*sorted));
    spread_keys(g, seed, key);
    for (uint32_t p = 0; p < g->points; p++)
        sorted[p] = (struct layer_key){key[p], g->layer[p], p};
    SORT(sorted, g->points, by_layer_and_key);
    for (uint32_t i = 0; i < g->points; i++)
        g->order[i] = sorted[i].point;
    layered_place(g);
}

/* ---- the search among new points ---- */

static void order_free(struct layered *g, const int32_t *seed, struct arena *a)
{
    struct component o;
    uint32_t *member = arena_memdup(a, g->order, g->points * sizeof(*member));
    uint32_t *number = arena_array(a, g->points, sizeof(*number));
    component_make(&o, g, member, g->points, number);
    for (uint32_t p = 0; p < o.points; p++)
        o.fixed[p] = has_seed(g, seed, o.named[p]);
    o.crossings = ordering_crossings(g);
    search_order(&o);
    tidy_order(&o);
    for (uint32_t i = 0; i < o.points; i++)
        g->order[i] = o.named[o.order[i]];
    layered_place(g);
    component_release(&o);
}

void ordering_seeded(struct layered *g, const int32_t *seed)
{
    AUTO_ARENA a = ARENA_INIT;
    if (g->points == 0)
        return;
    sort_by_keys(g, seed, &a);
    order_free(g, seed, &a);
}
