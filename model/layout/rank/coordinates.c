#include "model/layout/rank/coordinates.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/layout/rank/alignment.h"
#include "model/layout/rank/settling.h"

/* Twice a point's middle is a whole number; all that is not a cell is doubled. */
struct compaction {
    const struct layered *g;
    const struct widths *w;
    bool forward; /* packed from the first of each layer on, else mirrored */
    uint32_t *root, *next;
    uint32_t *before; /* [points] how many points stand right before one of a block */
    uint32_t *queue;  /* [points] blocks in an order in which each comes after those before it */
    int64_t
        *middle; /* [points] of a block, in the number of its root; from the side it is packed to */
};

/* How far apart two middles must be. */
static int64_t apart(const struct compaction *c, uint32_t p, uint32_t q)
{
    return (int64_t)c->w->size[p] + c->w->size[q] + 2 * (int64_t)widths_between(c->g, c->w, p, q);
}

/* The point that follows in the layer; PICTURE_NONE. */
static uint32_t follower(const struct compaction *c, uint32_t point)
{
    const struct layered *g = c->g;
    uint32_t layer = g->layer[point], i = g->first[layer] + g->place[point];
    if (c->forward)
        return i + 1 < g->first[layer + 1] ? g->order[i + 1] : PICTURE_NONE;
    return i > g->first[layer] ? g->order[i - 1] : PICTURE_NONE;
}

static uint32_t count_before(struct compaction *c)
{
    uint32_t end = 0, points = c->g->points;
    for (uint32_t i = 0; i < points; i++) {
        c->before[i] = 0;
        c->middle[i] = 0;
    }
    for (uint32_t i = 0; i < points; i++) {
        uint32_t after = follower(c, i);
        if (after != PICTURE_NONE)
            c->before[c->root[after]]++;
        if (c->middle[c->root[i]] < c->w->size[i])
            c->middle[c->root[i]] = c->w->size[i];
    }
    for (uint32_t i = 0; i < points; i++)
        if (c->root[i] == i && !c->before[i])
            c->queue[end++] = i;
    return end;
}

/* Each block as near to the side as those before it let it: longest paths in the graph of
 * blocks. */
static uint32_t pack(struct compaction *c)
{
    uint32_t end = count_before(c);
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t p = c->queue[i]; p != PICTURE_NONE; p = c->next[p]) {
            uint32_t after = follower(c, p);
            if (after == PICTURE_NONE)
                continue;
            int64_t least = c->middle[c->queue[i]] + apart(c, p, after);
            uint32_t block = c->root[after];
            if (c->middle[block] < least)
                c->middle[block] = least;
            if (--c->before[block] == 0)
                c->queue[end++] = block;
        }
    return end;
}

/* Then from the other end each as near to those after it as it can be. */
static void close_up(struct compaction *c, uint32_t blocks)
{
    for (uint32_t i = blocks; i > 0; i--) {
        int64_t most = INT64_MAX;
        for (uint32_t p = c->queue[i - 1]; p != PICTURE_NONE; p = c->next[p]) {
            uint32_t after = follower(c, p);
            if (after == PICTURE_NONE)
                continue;
            int64_t here = c->middle[c->root[after]] - apart(c, p, after);
            if (here < most)
                most = here;
        }
        if (most != INT64_MAX && most > c->middle[c->queue[i - 1]])
            c->middle[c->queue[i - 1]] = most;
    }
}

/* ---- four ways and their mean ---- */

enum {
    WAYS = 4
};

struct found {
    int64_t *middle[WAYS]; /* [points] */
    int64_t from[WAYS], to[WAYS];
};

static bool goes_forward(int way)
{
    return way % 2 == 0;
}

static void find_one(struct compaction *c, const struct alignment *a, int way, struct found *f)
{
    c->forward = goes_forward(way);
    alignment_find(a, way < WAYS / 2, c->forward, c->root, c->next);
    close_up(c, pack(c));
    f->from[way] = INT64_MAX;
    f->to[way] = INT64_MIN;
    for (uint32_t i = 0; i < c->g->points; i++) {
        int64_t middle = c->middle[c->root[i]];
        f->middle[way][i] = c->forward ? middle : -middle;
        if (f->middle[way][i] - c->w->size[i] < f->from[way])
            f->from[way] = f->middle[way][i] - c->w->size[i];
        if (f->middle[way][i] + c->w->size[i] > f->to[way])
            f->to[way] = f->middle[way][i] + c->w->size[i];
    }
}

/* All to the narrowest: those that were packed forward begin, and the others end, where it does. */
static void shift_to_narrowest(struct found *f, uint32_t points)
{
    int narrowest = 0;
    for (int way = 1; way < WAYS; way++)
        if (f->to[way] - f->from[way] < f->to[narrowest] - f->from[narrowest])
            narrowest = way;
    int64_t from = f->from[narrowest], to = f->to[narrowest];
    for (int way = 0; way < WAYS; way++) {
        int64_t shift = goes_forward(way) ? from - f->from[way] : to - f->to[way];
        for (uint32_t i = 0; i < points; i++)
            f->middle[way][i] += shift;
    }
}

static int64_t half(int64_t n)
{
    return n >= 0 ? n / 2 : -((1 - n) / 2);
}

/* The mean of the two in the middle, rounded down: what is apart in each of the four stays
 * apart. */
static int64_t mean(const struct found *f, uint32_t point)
{
    int64_t sum = 0, least = INT64_MAX, most = INT64_MIN;
    for (int way = 0; way < WAYS; way++) {
        int64_t middle = f->middle[way][point];
        sum += middle;
        if (middle < least)
            least = middle;
        if (middle > most)
            most = middle;
    }
    return half(sum - least - most);
}

/* The least becomes 0. */
static int begin_at_zero(const struct layered *g, const struct widths *w, const int64_t *from,
                         int32_t *at)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < g->points; i++)
        if (from[i] < least)
            least = from[i];
    for (uint32_t i = 0; i < g->points; i++) {
        if (from[i] - least > INT32_MAX - w->size[i])
            return -1;
        at[i] = (int32_t)(from[i] - least);
    }
    return 0;
}

static int place_all(struct found *f, const struct layered *g, const struct widths *w, int32_t *at)
{
    int64_t *first = f->middle[0];
    shift_to_narrowest(f, g->points);
    for (uint32_t i = 0; i < g->points; i++)
        first[i] = half(mean(f, i) - w->size[i]);
    return points_settle(g, w, first) ? -1 : begin_at_zero(g, w, first, at);
}

static int prepare(struct compaction *c, struct found *f)
{
    size_t points = c->g->points + (size_t)1;
    c->root = xmalloc(points * sizeof(*c->root));
    c->next = xmalloc(points * sizeof(*c->next));
    c->before = xmalloc(points * sizeof(*c->before));
    c->queue = xmalloc(points * sizeof(*c->queue));
    c->middle = xmalloc(points * sizeof(*c->middle));
    f->middle[0] = xmalloc(points * WAYS * sizeof(*f->middle[0]));
    if (!c->root || !c->next || !c->before || !c->queue || !c->middle || !f->middle[0])
        return -1;
    for (int way = 1; way < WAYS; way++)
        f->middle[way] = f->middle[0] + (size_t)way * points;
    return 0;
}

int coordinates_find(const struct layered *g, const struct widths *w, int32_t *at)
{
    struct compaction c = {.g = g, .w = w};
    struct alignment a;
    struct found f = {.middle = {NULL}};
    if (g->points == 0)
        return 0;
    int result = alignment_make(&a, g);
    if (result == 0)
        result = prepare(&c, &f);
    if (result == 0) {
        for (int way = 0; way < WAYS; way++)
            find_one(&c, &a, way, &f);
        result = place_all(&f, g, w, at);
    }
    alignment_release(&a);
    free(c.root);
    free(c.next);
    free(c.before);
    free(c.queue);
    free(c.middle);
    free(f.middle[0]);
    return result;
}
