/* Where points stand across their layers. */
#include "model/layout/draft.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"

/* Blocks: points of layers that follow each other, which are to stand in a line (Brandes and Köpf
 * 2001). */

struct alignment {
    const struct layered *g;
    struct arena *arena;
    /* [segments] numbers of a point's segments, by the place of their other ends; rows as up.first
     * and down.first */
    uint32_t *up, *down;
    /* [points] the inner segment above or below, which is one between two dummies; PICTURE_NONE. A
     * dummy has at most one on each side: its net has one dummy in a layer. */
    uint32_t *inner_up, *inner_down;
    /* [segments] it crosses an inner segment, and is none */
    uint8_t *gives_way;
};

static int64_t points_settle(const struct draft *d, int64_t *at);

static void alignment_find(const struct alignment *a, bool down, bool forward, uint32_t *root,
                           uint32_t *next);
static void alignment_make(struct alignment *a, const struct layered *g, struct arena *arena);

/* Twice a point's middle is a whole number; all that is not a cell is doubled. */
struct compaction {
    const struct draft *d;
    const struct layered *g;
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
    return (int64_t)c->d->size[p] + c->d->size[q] + 2 * (int64_t)draft_gap_between(c->d, p, q);
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
        if (c->middle[c->root[i]] < c->d->size[i])
            c->middle[c->root[i]] = c->d->size[i];
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
    int64_t *middle[WAYS + 1]; /* [points] the last: their mean */
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
        if (f->middle[way][i] - c->d->size[i] < f->from[way])
            f->from[way] = f->middle[way][i] - c->d->size[i];
        if (f->middle[way][i] + c->d->size[i] > f->to[way])
            f->to[way] = f->middle[way][i] + c->d->size[i];
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
static int begin_at_zero(struct draft *d, const int64_t *from)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < d->g.points; i++)
        if (from[i] < least)
            least = from[i];
    for (uint32_t i = 0; i < d->g.points; i++) {
        if (from[i] - least > MOST_CELLS - d->size[i])
            return -1;
        d->at[i] = (int32_t)(from[i] - least);
    }
    return 0;
}

/* Each of the four and their mean settles; the one whose lines bend and measure least is taken. */
static int place_all(struct found *f, struct draft *d)
{
    int64_t *best = f->middle[WAYS], least = INT64_MAX;
    shift_to_narrowest(f, d->g.points);
    for (uint32_t i = 0; i < d->g.points; i++)
        best[i] = mean(f, i);
    for (int way = WAYS; way >= 0; way--) {
        int64_t *at = f->middle[way];
        for (uint32_t i = 0; i < d->g.points; i++)
            at[i] = half(at[i] - d->size[i]);
        int64_t cost = points_settle(d, at);
        best = cost < least ? at : best;
        least = cost < least ? cost : least;
    }
    return begin_at_zero(d, best);
}

static void prepare(struct compaction *c, struct found *f, struct arena *arena)
{
    size_t points = c->g->points + (size_t)1;
    c->root = arena_array(arena, points, sizeof(*c->root));
    c->next = arena_array(arena, points, sizeof(*c->next));
    c->before = arena_array(arena, points, sizeof(*c->before));
    c->queue = arena_array(arena, points, sizeof(*c->queue));
    c->middle = arena_array(arena, points, sizeof(*c->middle));
    f->middle[0] = arena_array(arena, points * (WAYS + 1), sizeof(*f->middle[0]));
    for (int way = 1; way <= WAYS; way++)
        f->middle[way] = f->middle[0] + (size_t)way * points;
}

int coordinates_find(struct draft *d)
{
    struct arena arena = ARENA_INIT;
    struct compaction c = {.d = d, .g = &d->g};
    struct alignment a;
    struct found f = {.middle = {NULL}};
    alignment_make(&a, &d->g, &arena);
    prepare(&c, &f, &arena);
    for (int way = 0; way < WAYS; way++)
        find_one(&c, &a, way, &f);
    int result = place_all(&f, d);
    arena_release(&arena);
    return result;
}

/* ---- neighbours by place ---- */

/* Each point, by layer and place, joins the rows of its neighbours. */
static void sort_neighbours(struct alignment *a)
{
    const struct layered *g = a->g;
    uint32_t *filled = arena_array(a->arena, g->points * (size_t)2 + 1, sizeof(*filled));
    uint32_t *up_filled = filled, *down_filled = filled + g->points;
    for (uint32_t i = 0; i < g->points; i++) {
        uint32_t p = g->order[i];
        for (uint32_t k = g->down.first[p]; k < g->down.first[p + 1]; k++) {
            uint32_t s = g->down.item[k], q = g->segment[s].lower;
            a->up[g->up.first[q] + up_filled[q]++] = s;
        }
        for (uint32_t k = g->up.first[p]; k < g->up.first[p + 1]; k++) {
            uint32_t s = g->up.item[k], q = g->segment[s].upper;
            a->down[g->down.first[q] + down_filled[q]++] = s;
        }
    }
}

/* ---- what gives way to the inside of a long edge ---- */

static void find_inner(struct alignment *a)
{
    const struct layered *g = a->g;
    for (uint32_t i = 0; i < g->points; i++)
        a->inner_up[i] = a->inner_down[i] = PICTURE_NONE;
    for (uint32_t i = 0; i < g->segments; i++) {
        const struct segment *s = &g->segment[i];
        if (s->upper < g->picture->nodes || s->lower < g->picture->nodes)
            continue;
        a->inner_down[s->upper] = i;
        a->inner_up[s->lower] = i;
    }
}

/* Of the inner segments that end before each place in a layer (or beyond it), the last (or first)
 * place where one begins. */
struct bounds {
    int64_t *most_before, *least_beyond; /* [widest layer] */
};

static int64_t inner_from(const struct alignment *a, uint32_t point)
{
    uint32_t inner = a->inner_up[point];
    return inner == PICTURE_NONE ? -1 : (int64_t)a->g->place[a->g->segment[inner].upper];
}

static void bound_layer(const struct alignment *a, uint32_t layer, struct bounds *b)
{
    const struct layered *g = a->g;
    const uint32_t *order = g->order + g->first[layer];
    uint32_t count = g->first[layer + 1] - g->first[layer];
    int64_t most = -1, least = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        b->most_before[i] = most;
        int64_t from = inner_from(a, order[i]);
        if (from > most)
            most = from;
    }
    for (uint32_t i = count; i > 0; i--) {
        b->least_beyond[i - 1] = least;
        int64_t from = inner_from(a, order[i - 1]);
        if (from >= 0 && from < least)
            least = from;
    }
}

static bool gives_way(const struct alignment *a, uint32_t segment, const struct bounds *b)
{
    const struct segment *s = &a->g->segment[segment];
    int64_t from = a->g->place[s->upper];
    uint32_t to = a->g->place[s->lower];
    if (a->inner_up[s->lower] == segment)
        return false;
    return b->most_before[to] > from || b->least_beyond[to] < from;
}

static void find_what_gives_way(struct alignment *a)
{
    const struct layered *g = a->g;
    uint32_t s = 0, widest = 0;
    for (uint32_t l = 0; l < g->layers; l++)
        if (g->first[l + 1] - g->first[l] > widest)
            widest = g->first[l + 1] - g->first[l];
    int64_t *room = arena_array(a->arena, widest * (size_t)2 + 1, sizeof(*room));
    struct bounds b = {room, room + widest};
    for (uint32_t l = 1; l < g->layers; l++) {
        bound_layer(a, l, &b);
        for (; s < g->segments && g->layer[g->segment[s].lower] == l; s++)
            a->gives_way[s] = gives_way(a, s, &b);
    }
}

/*
 * By the order as it stands. So that long edges are straight, the inside of one is aligned before
 * all that it meets, whatever else its dummies lead to. O(points + segments).
 */
static void alignment_make(struct alignment *a, const struct layered *g, struct arena *arena)
{
    *a = (struct alignment){.g = g, .arena = arena};
    a->up = arena_array(arena, g->segments + (size_t)1, sizeof(*a->up));
    a->down = arena_array(arena, g->segments + (size_t)1, sizeof(*a->down));
    a->inner_up = arena_array(arena, g->points + (size_t)1, sizeof(*a->inner_up));
    a->inner_down = arena_array(arena, g->points + (size_t)1, sizeof(*a->inner_down));
    a->gives_way = arena_array(arena, g->segments + (size_t)1, 1);
    sort_neighbours(a);
    find_inner(a);
    find_what_gives_way(a);
}

/* ---- blocks ---- */

/* One way to go. `taken` is the place in the layer before that was taken last, or -1. */
struct way {
    const struct alignment *a;
    bool down, forward;
    uint32_t *root, *next;
    int64_t taken;
};

static bool try_segment(struct way *w, uint32_t point, uint32_t segment)
{
    const struct layered *g = w->a->g;
    uint32_t before = w->down ? g->segment[segment].upper : g->segment[segment].lower;
    int64_t place = g->place[before];
    if (w->a->gives_way[segment] ||
        (w->taken >= 0 && (w->forward ? place <= w->taken : place >= w->taken)))
        return false;
    w->root[point] = w->root[before];
    w->next[before] = point;
    w->taken = place;
    return true;
}

/* Of an even number of neighbours there are two medians; which is tried first depends on the
 * way. */
static void align_point(struct way *w, uint32_t point)
{
    const struct layered *g = w->a->g;
    const uint32_t *first = w->down ? g->up.first : g->down.first;
    const uint32_t *row = (w->down ? w->a->up : w->a->down) + first[point];
    uint32_t count = first[point + 1] - first[point];
    uint32_t inner = w->down ? w->a->inner_up[point] : w->a->inner_down[point];
    if (inner != PICTURE_NONE)
        try_segment(w, point, inner);
    if (inner != PICTURE_NONE || !count)
        return;
    uint32_t low = (count - 1) / 2, high = count / 2;
    if (!try_segment(w, point, row[w->forward ? low : high]) && low != high)
        try_segment(w, point, row[w->forward ? high : low]);
}

static void align_layer(struct way *w, uint32_t layer)
{
    const struct layered *g = w->a->g;
    uint32_t from = g->first[layer], to = g->first[layer + 1];
    w->taken = -1;
    for (uint32_t i = from; i < to; i++)
        align_point(w, g->order[w->forward ? i : to - 1 - (i - from)]);
}

/*
 * Each point is aligned with the other end of its inner segment, or else with the median of its
 * neighbours, in the layer before, if that one is free and no block is crossed. `down`: the layer
 * before is the upper one; `forward`: the first in a layer chooses first. root[point] is the first
 * of its block, next[point] the one after it in its block or PICTURE_NONE. O(points).
 */
static void alignment_find(const struct alignment *a, bool down, bool forward, uint32_t *root,
                           uint32_t *next)
{
    struct way w = {a, down, forward, root, next, -1};
    uint32_t layers = a->g->layers;
    for (uint32_t i = 0; i < a->g->points; i++) {
        root[i] = i;
        next[i] = PICTURE_NONE;
    }
    for (uint32_t l = 1; l < layers; l++)
        align_layer(&w, down ? l : layers - 1 - l);
}

/* What a line costs: whether it bends, each cell that it must run across, each half cell between
 * the middles of its ends. Of those that branch from one port only one is straight whatever comes
 * of it. */
#define COST_BEND   64
#define COST_BRANCH 8
#define COST_CELL   4
#define COST_MIDDLE 1
#define COST_WIDTH  32 /* a cell by which all of it is wider */

/* By far most of what there is to gain comes first. */
#define PASSES 4

/* How what a place costs changes there: beyond it each cell costs `slope` more than before it, and
 * at once `jump`. */
struct event {
    int64_t shift;
    int32_t slope, jump;
};

struct settling {
    const struct draft *d;
    const struct layered *g;
    int64_t *at;
    struct event *event; /* of the run that is looked at, by shift */
    size_t events, event_alloc;
    uint32_t segments;   /* of the run */
    uint8_t *stale;      /* [points] what it depends on has moved since it was placed */
    int64_t least, most; /* how far it can go */
};

/* ---- what a place costs ---- */

/* The cells where a segment may meet its end. */
struct reach {
    int64_t from, to, middle; /* the middle in half cells */
};

/* The side of a gap on which an end of a segment is: the upper end is before it. */
static struct reach reach_of(const struct settling *s, uint32_t segment, enum gap_side side)
{
    const struct draft *d = s->d;
    const struct segment *one = &s->g->segment[segment];
    uint32_t point = side == NEAR_SIDE ? one->upper : one->lower;
    uint32_t number = d->leg_pin[side][segment] - d->point_pin[side][point];
    int64_t wall = d->options.boxed && draft_is_node(d, point);
    struct reach r = {.from = s->at[point] + wall + number,
                      .to = s->at[point] + d->size[point] - wall - (d->ports[side][point] - number),
                      .middle = 2 * s->at[point] + d->size[point]};
    if (r.to < r.from)
        r.to = r.from;
    return r;
}

static void add_event(struct settling *s, int64_t shift, int32_t slope, int32_t jump)
{
    s->event[s->events++] = (struct event){shift, slope, jump};
}

/* Before all its events a segment costs its bend, and less with each cell. */
#define EVENTS       5
#define SPARE        3 /* the bounds, and where it is */
#define SLOPE_BEFORE (COST_CELL + 2 * COST_MIDDLE)

static void add_segment(struct settling *s, uint32_t segment, enum gap_side side)
{
    ARRAY_ROOM(s->event, s->events + EVENTS + SPARE, s->event_alloc, 1);
    s->segments++;
    struct reach own = reach_of(s, segment, side);
    struct reach other = reach_of(s, segment, side == NEAR_SIDE ? FAR_SIDE : NEAR_SIDE);
    int64_t apart = other.middle - own.middle; /* rounded both ways the middles are as near */
    bool branches = draft_branches(s->d, segment);
    int32_t bend = branches ? COST_BRANCH : COST_BEND;
    int64_t down = apart >= 0 ? apart / 2 : -((1 - apart) / 2);
    add_event(s, down, 2 * COST_MIDDLE, 0);
    add_event(s, apart - down, 2 * COST_MIDDLE, 0);
    add_event(s, other.from - own.to, COST_CELL, -bend);
    add_event(s, other.to - own.from, COST_CELL, 0);
    add_event(s, other.to - own.from + 1, 0, bend);
}

/* ---- runs ---- */

/* Dummies of a net are numbered downwards: a run is from `first` to `last`. A node is one by
 * itself. */
struct run {
    uint32_t first, last;
};

static bool goes_on(const struct settling *s, uint32_t point)
{
    const struct layered *g = s->g;
    return point >= g->picture->nodes && point + 1 < g->points &&
           g->point_net[point] == g->point_net[point + 1] && s->at[point] == s->at[point + 1];
}

static bool inside(const struct run *r, uint32_t point)
{
    return point >= r->first && point <= r->last;
}

static void look_at(struct settling *s, const struct run *r, uint32_t point)
{
    const struct layered *g = s->g;
    for (uint32_t k = g->down.first[point]; k < g->down.first[point + 1]; k++)
        if (!inside(r, g->segment[g->down.item[k]].lower))
            add_segment(s, g->down.item[k], NEAR_SIDE);
    for (uint32_t k = g->up.first[point]; k < g->up.first[point + 1]; k++)
        if (!inside(r, g->segment[g->up.item[k]].upper))
            add_segment(s, g->up.item[k], FAR_SIDE);
}

static void bound(struct settling *s, uint32_t point)
{
    const struct layered *g = s->g;
    uint32_t layer = g->layer[point], i = g->first[layer] + g->place[point];
    if (i > g->first[layer]) {
        uint32_t p = g->order[i - 1];
        int64_t least = s->at[p] + s->d->size[p] + draft_gap_between(s->d, p, point) - s->at[point];
        s->least = least > s->least ? least : s->least;
    }
    if (i + 1 < g->first[layer + 1]) {
        uint32_t p = g->order[i + 1];
        int64_t most =
            s->at[p] - draft_gap_between(s->d, point, p) - s->d->size[point] - s->at[point];
        s->most = most < s->most ? most : s->most;
    }
}

static int by_shift(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return (x->shift > y->shift) - (x->shift < y->shift);
}

/* Most are few. */
static void sort_events(struct settling *s)
{
    if (s->events > 64) {
        qsort(s->event, s->events, sizeof(*s->event), by_shift);
        return;
    }
    for (size_t i = 1; i < s->events; i++) {
        struct event one = s->event[i];
        size_t k = i;
        for (; k > 0 && s->event[k - 1].shift > one.shift; k--)
            s->event[k] = s->event[k - 1];
        s->event[k] = one;
    }
}

static int64_t distance(int64_t shift)
{
    return shift < 0 ? -shift : shift;
}

/*
 * Where what the segments cost is least, and of such places the nearest: it is linear between two
 * events. What counts is the difference from what the first event costs.
 */
static int64_t best_shift(const struct settling *s)
{
    int64_t slope = -(int64_t)s->segments * SLOPE_BEFORE, cost = 0, before = s->event[0].shift;
    int64_t best = 0, best_cost = INT64_MAX;
    for (size_t i = 0; i < s->events;) {
        int64_t shift = s->event[i].shift;
        cost += slope * (shift - before);
        for (before = shift; i < s->events && s->event[i].shift == shift; i++) {
            cost += s->event[i].jump;
            slope += s->event[i].slope;
        }
        if (shift < s->least || shift > s->most || cost > best_cost)
            continue;
        if (cost < best_cost || distance(shift) < distance(best))
            best = shift;
        best_cost = cost;
    }
    return best;
}

static bool is_stale(struct settling *s, const struct run *r)
{
    bool stale = false;
    for (uint32_t p = r->first; p <= r->last; p++) {
        stale |= s->stale[p];
        s->stale[p] = 0;
    }
    return stale;
}

/* What is beside a point, and what its lines lead to, may have a better place now. */
static void unsettle(struct settling *s, uint32_t point)
{
    const struct layered *g = s->g;
    uint32_t layer = g->layer[point], i = g->first[layer] + g->place[point];
    if (i > g->first[layer])
        s->stale[g->order[i - 1]] = 1;
    if (i + 1 < g->first[layer + 1])
        s->stale[g->order[i + 1]] = 1;
    for (uint32_t k = g->down.first[point]; k < g->down.first[point + 1]; k++)
        s->stale[g->segment[g->down.item[k]].lower] = 1;
    for (uint32_t k = g->up.first[point]; k < g->up.first[point + 1]; k++)
        s->stale[g->segment[g->up.item[k]].upper] = 1;
}

static void find_shift(struct settling *s, const struct run *r, int64_t *shift)
{
    s->events = s->segments = 0;
    s->least = INT64_MIN;
    s->most = INT64_MAX;
    for (uint32_t p = r->first; p <= r->last; p++) {
        bound(s, p);
        look_at(s, r, p);
    }
    *shift = 0;
    if (!s->segments)
        return;
    add_event(s, 0, 0, 0);
    if (s->least != INT64_MIN)
        add_event(s, s->least, 0, 0);
    if (s->most != INT64_MAX)
        add_event(s, s->most, 0, 0);
    sort_events(s);
    *shift = best_shift(s);
}

static void place_run(struct settling *s, const struct run *r, bool *moved)
{
    int64_t shift;
    if (!is_stale(s, r))
        return;
    find_shift(s, r, &shift);
    for (uint32_t p = r->first; shift != 0 && p <= r->last; p++) {
        s->at[p] += shift;
        unsettle(s, p);
    }
    *moved |= shift != 0;
}

/* ---- all of it ---- */

static void place_layer(struct settling *s, uint32_t layer, bool forward, bool *moved)
{
    const struct layered *g = s->g;
    uint32_t from = g->first[layer], to = g->first[layer + 1];
    for (uint32_t i = from; i < to; i++) {
        uint32_t p = g->order[forward ? i : to - 1 - (i - from)];
        struct run r = {p, p};
        if (p > 0 && goes_on(s, p - 1))
            continue; /* it came with the first of its run, or will */
        while (goes_on(s, r.last))
            r.last++;
        place_run(s, &r, moved);
    }
}

static void settling_place_all(struct settling *s)
{
    uint32_t layers = s->g->layers;
    bool moved = true;
    for (int pass = 0; moved && pass < PASSES; pass++) {
        moved = false;
        for (uint32_t l = 0; l < layers; l++)
            place_layer(s, pass % 2 ? layers - 1 - l : l, pass < 2, &moved);
    }
}

/* All lines, and how wide it is. */
static int64_t whole_cost(const struct settling *s)
{
    int64_t from = INT64_MAX, to = INT64_MIN;
    for (uint32_t i = 0; i < s->g->points; i++) {
        from = s->at[i] < from ? s->at[i] : from;
        to = s->at[i] + s->d->size[i] > to ? s->at[i] + s->d->size[i] : to;
    }
    int64_t cost = COST_WIDTH * (to - from);
    for (uint32_t i = 0; i < s->g->segments; i++) {
        struct reach upper = reach_of(s, i, NEAR_SIDE), lower = reach_of(s, i, FAR_SIDE);
        int64_t back = upper.from - lower.to, on = lower.from - upper.to,
                apart = back > on ? back : on;
        if (apart > 0)
            cost += COST_CELL * apart + (draft_branches(s->d, i) ? COST_BRANCH : COST_BEND);
        cost += COST_MIDDLE * distance(upper.middle - lower.middle);
    }
    return cost;
}

/*
 * at[point] is the first cell of each, far enough apart; they stay so, in their order. Each point,
 * or run of a net's dummies in one line, goes where the lines that leave it bend and measure least,
 * as long as the others stand where they do; a few times over. Ports have no cells yet: a line can
 * be straight where the cells that are left for its ports, beside those of other nets, have one in
 * common. Returns what the lines cost. It takes a tenth to a third of all bends, and a tenth of all cells. O(points + segments · log).
 */
static int64_t points_settle(const struct draft *d, int64_t *at)
{
    struct settling s = {.d = d, .g = &d->g, .at = at};
    s.stale = xmalloc(d->g.points + (size_t)1);
    memset(s.stale, 1, d->g.points);
    settling_place_all(&s);
    free(s.stale);
    free(s.event);
    return whole_cost(&s);
}
