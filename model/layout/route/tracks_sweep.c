#include "model/base/alloc.h"
#include "model/layout/route/scheduler.h"

#include <stdlib.h>

/*
 * For runs too many to weigh against each other: those that lead right from the right, those that
 * lead left from the left, which is without a crossing among those of one direction. A heap of
 * what waits for nothing.
 */
struct heap {
    uint32_t *member;
    uint32_t count;
    const int64_t *key; /* by run */
};

static bool comes_before(const struct heap *h, uint32_t a, uint32_t b)
{
    return h->key[a] != h->key[b] ? h->key[a] < h->key[b] : a < b;
}

static void heap_add(struct heap *h, uint32_t run)
{
    uint32_t i = h->count++;
    for (; i > 0 && comes_before(h, run, h->member[(i - 1) / 2]); i = (i - 1) / 2)
        h->member[i] = h->member[(i - 1) / 2];
    h->member[i] = run;
}

static uint32_t heap_take(struct heap *h)
{
    uint32_t least = h->member[0], last = h->member[--h->count], i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < h->count && comes_before(h, h->member[child + 1], h->member[child]))
            child++;
        if (child >= h->count || !comes_before(h, h->member[child], last))
            break;
        h->member[i] = h->member[child];
        i = child;
    }
    h->member[i] = last;
    return least;
}

/* The farthest track that is taken anywhere between two places, in a tree of twice as many nodes. */
struct skyline {
    int32_t *whole, *any; /* on all of what is below a node, and somewhere there */
    uint32_t size;
};

static int32_t skyline_highest(const struct skyline *k, uint32_t from, uint32_t to)
{
    int32_t most = NO_TRACK;
    uint32_t ends[] = {from + k->size, to + k->size};
    for (int e = 0; e < 2; e++)
        for (uint32_t node = ends[e]; node > 0; node /= 2)
            most = k->whole[node] > most ? k->whole[node] : most;
    for (uint32_t l = ends[0], r = ends[1] + 1; l < r; l /= 2, r /= 2) {
        if (l % 2 == 1 && k->any[l++] > most)
            most = k->any[l - 1];
        if (r % 2 == 1 && k->any[--r] > most)
            most = k->any[r];
    }
    return most;
}

static void skyline_raise(struct skyline *k, uint32_t from, uint32_t to, int32_t track)
{
    for (uint32_t l = from + k->size, r = to + k->size + 1; l < r; l /= 2, r /= 2) {
        uint32_t nodes[] = {l % 2 == 1 ? l++ : 0, r % 2 == 1 ? --r : 0};
        for (int i = 0; i < 2; i++)
            for (uint32_t node = nodes[i]; node > 0; node /= 2) {
                if (node == nodes[i] && k->whole[node] < track)
                    k->whole[node] = track;
                if (k->any[node] < track)
                    k->any[node] = track;
            }
    }
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

struct rough {
    struct heap heap;
    struct skyline skyline;
    int32_t *place; /* sorted columns; where one stands there is its place in the skyline */
    uint32_t places;
    int64_t *key;
};

static uint32_t place_of(const struct rough *r, int32_t column)
{
    const int32_t *found = bsearch(&column, r->place, r->places, sizeof(column), by_number);
    return found ? (uint32_t)(found - r->place) : 0;
}

static int64_t rough_key(const struct scheduler *s, const struct run *run)
{
    int64_t near = (int64_t)s->column[run->near] + s->column[run->near_end - 1];
    int64_t far = (int64_t)s->column[run->far] + s->column[run->far_end - 1];
    return near < far ? -near - far : near + far;
}

static void add_if_free(struct rough *r, struct scheduler *s, uint32_t run)
{
    if (run == NO_TRUNK || s->run[run].waits > 0 || s->run[run].queued)
        return;
    s->run[run].queued = true;
    heap_add(&r->heap, run);
}

static int rough_init(struct rough *r, struct scheduler *s, const uint32_t *member, uint32_t count)
{
    size_t nodes = 4 * (size_t)count + 2;
    *r = (struct rough){.skyline = {.size = 2 * count}};
    r->key = xmalloc(s->runs * sizeof(*r->key));
    r->heap.member = xmalloc(count * sizeof(*r->heap.member));
    r->place = xmalloc(2 * (size_t)count * sizeof(*r->place));
    r->skyline.whole = xmalloc(nodes * sizeof(*r->skyline.whole));
    r->skyline.any = xmalloc(nodes * sizeof(*r->skyline.any));
    if (!r->key || !r->heap.member || !r->place || !r->skyline.whole || !r->skyline.any)
        return -1;
    r->heap.key = r->key;
    for (size_t i = 0; i < nodes; i++)
        r->skyline.whole[i] = r->skyline.any[i] = NO_TRACK;
    for (uint32_t i = 0; i < count; i++) {
        const struct run *run = &s->run[member[i]];
        r->key[member[i]] = rough_key(s, run);
        r->place[r->places++] = run->left;
        r->place[r->places++] = run->end;
        add_if_free(r, s, member[i]);
    }
    qsort(r->place, r->places, sizeof(*r->place), by_number);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->places; i++)
        if (i == 0 || r->place[i] != r->place[kept - 1])
            r->place[kept++] = r->place[i];
    r->places = kept;
    return 0;
}

static void rough_release(struct rough *r)
{
    free(r->key);
    free(r->heap.member);
    free(r->place);
    free(r->skyline.whole);
    free(r->skyline.any);
}

int scheduler_sweep(struct scheduler *s, const uint32_t *member, uint32_t count)
{
    struct rough r;
    int result = rough_init(&r, s, member, count);
    while (result == 0 && r.heap.count > 0) {
        struct run *run = &s->run[heap_take(&r.heap)];
        uint32_t from = place_of(&r, run->left), to = place_of(&r, run->end);
        int32_t highest = skyline_highest(&r.skyline, from, to);
        run->track = run->least > highest ? run->least : highest + 1;
        skyline_raise(&r.skyline, from, to, run->track);
        scheduler_let_go(s, run);
        for (uint32_t i = run->near; i < run->near_end; i++)
            add_if_free(&r, s, s->facing[i]);
        add_if_free(&r, s, run->parent);
    }
    rough_release(&r);
    return result;
}
