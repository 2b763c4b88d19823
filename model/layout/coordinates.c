/* The places of points across their layers. Sweeps find a first place for each; then points
 * settle where lines are straight. */
#include "model/layout/draft.h"

#include <stdlib.h>
#include "model/base/array.h"

/* A point's segments on that side: NEAR_SIDE of the gap after it. */
static const struct rows *rows_of(const struct draft *d, enum gap_side side)
{
    return side == NEAR_SIDE ? &d->g.down : &d->g.up;
}

static uint32_t far_end(const struct draft *d, uint32_t segment, enum gap_side side)
{
    return side == NEAR_SIDE ? d->g.segment[segment].lower : d->g.segment[segment].upper;
}

/* ---- first places ---- */

/* The sweeps use units of 1/8 half cell. */
#define UNIT 8
/* Alternating down and up. In the first two, a point follows only the layer that was placed
 * before it. */
#define SWEEPS 26
/* Extra half cells between points, so that they can settle. */
#define ROOM_DOWN  5
#define ROOM_RIGHT 2

/* Points of a layer that touch each other. Their middles are at sum / weight plus their offsets. */
struct pool {
    int64_t sum, weight;
    uint32_t first; /* its place in the layer */
};

struct sweeping {
    const struct draft *d;
    int64_t *middle;   /* [points] */
    int64_t *offset;   /* [points of a layer] of middles, as if the whole layer touched */
    struct pool *pool; /* likewise */
    int64_t blur;      /* shorter distances count as this */
};

/*
 * Each line pulls by the inverse of its length, which minimizes the sum of lengths and not of their
 * squares (iteratively reweighted least squares), so most lines become straight. Lines inside a
 * long edge pull more. Lines of a net pull less if only one of them can be straight.
 */
static void pull(const struct sweeping *s, uint32_t p, enum gap_side side, struct pool *to)
{
    const struct rows *rows = rows_of(s->d, side);
    for (uint32_t k = rows->first[p]; k < rows->first[p + 1]; k++) {
        uint32_t other = far_end(s->d, rows->item[k], side);
        bool inner = !draft_is_node(s->d, p) && !draft_is_node(s->d, other);
        int64_t weight = (inner ? 32 : 4) * (draft_branches(s->d, rows->item[k]) ? 1 : 4);
        int64_t apart = s->middle[other] - s->middle[p];
        if (s->blur)
            weight = weight * 16 * UNIT / (s->blur + (apart < 0 ? -apart : apart)) + 1;
        to->weight += weight;
        to->sum += weight * s->middle[other];
    }
}

/* Adds a pool and merges it with the earlier pools that it would overlap. */
static uint32_t add_pool(struct sweeping *s, uint32_t pools, struct pool one)
{
    while (pools > 0 &&
           s->pool[pools - 1].sum / s->pool[pools - 1].weight >= one.sum / one.weight) {
        const struct pool *before = &s->pool[--pools];
        one.sum += before->sum;
        one.weight += before->weight;
        one.first = before->first;
    }
    s->pool[pools] = one;
    return pools + 1;
}

/* Moves points where they are pulled, as far as their neighbours allow (pool adjacent
 * violators). */
static void sweep_layer(struct sweeping *s, uint32_t layer, bool down)
{
    const struct draft *d = s->d;
    const uint32_t *line = d->g.order + d->g.first[layer];
    uint32_t width = d->g.first[layer + 1] - d->g.first[layer], pools = 0;
    int32_t room = d->options.flow == FLOW_DOWN ? ROOM_DOWN : ROOM_RIGHT;
    for (uint32_t i = 0; i < width; i++) {
        struct pool one = {.first = i};
        uint32_t p = line[i], before = line[i ? i - 1 : 0];
        int64_t apart = d->size[before] + d->size[p] + 2 * draft_gap_between(d, before, p) + room;
        s->offset[i] = i ? s->offset[i - 1] + UNIT * apart : 0;
        for (int side = 0; side < GAP_SIDES; side++)
            if (s->blur || (side == FAR_SIDE) == down)
                pull(s, p, side, &one);
        if (one.weight == 0)
            one = (struct pool){s->middle[p], 1, i};
        one.sum -= one.weight * s->offset[i];
        pools = add_pool(s, pools, one);
    }
    for (uint32_t k = 0, i = 0; k < pools; k++)
        for (; i < (k + 1 < pools ? s->pool[k + 1].first : width); i++)
            s->middle[line[i]] = s->pool[k].sum / s->pool[k].weight + s->offset[i];
}

/* Sets at[point], its first cell, from the order and the pull of its lines. */
static void points_sweep(const struct draft *d, int64_t *at, struct arena *arena)
{
    size_t points = d->g.points + (size_t)1;
    uint32_t layers = d->g.layers;
    struct sweeping s = {.d = d,
                         .middle = arena_array(arena, points, sizeof(*s.middle)),
                         .offset = arena_array(arena, points, sizeof(*s.offset)),
                         .pool = arena_array(arena, points, sizeof(*s.pool))};
    for (int n = 0; n < SWEEPS; n++) {
        s.blur = n < 2 ? 0 : 1 + (int64_t)(SWEEPS - n) * UNIT / 4;
        for (uint32_t l = 0; l < layers; l++)
            sweep_layer(&s, n % 2 ? layers - 1 - l : l, n % 2 == 0);
    }
    /* Rounding all down keeps the distances. */
    for (uint32_t p = 0; p < d->g.points; p++) {
        int64_t from = s.middle[p] - UNIT * (int64_t)d->size[p], cell = 2 * UNIT;
        at[p] = (from - (from % cell + cell) % cell) / cell;
    }
}

/* Shifts all so that the least is 0. */
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

/* ---- settling ---- */

/* The costs of a line: a bend, each cell that it must run across, each half cell between the
 * middles of its ends. Of lines that branch from one port only one can be straight, so their
 * bends cost less. */
#define COST_BEND   64
#define COST_BRANCH 8
#define COST_CELL   4
#define COST_MIDDLE 1

/* Later passes gain little. */
#define PASSES 8

/* A change of the cost function at `shift`: from there on each cell costs `slope` more, and the
 * cost jumps by `jump`. */
struct event {
    int64_t shift;
    int32_t slope, jump;
};

struct settling {
    const struct draft *d;
    const struct layered *g;
    int64_t *at;
    struct event *event; /* of the current run, by shift */
    size_t events, event_alloc;
    uint32_t segments; /* the number of segments that leave it */
    uint32_t *run;     /* its points, at most one in each layer */
    uint32_t count;
    uint32_t *run_of;    /* [points] the last run of a point */
    uint32_t runs;       /* the number of runs so far */
    bool blocks;         /* runs join nodes by straight lines too, not only dummies */
    int64_t least, most; /* the bounds of its shift */
};

/* ---- the cost of a place ---- */

/* The cells where a segment can meet its end. */
struct reach {
    int64_t from, to, middle; /* the middle in half cells */
};

/* The reach of a segment's end on that side of its gap. The upper end is on NEAR_SIDE. */
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

/* Before its first event a segment costs a bend, and SLOPE_BEFORE less with each cell. */
#define EVENTS       5
#define SPARE        3 /* the bounds and the current place */
#define SLOPE_BEFORE (COST_CELL + 2 * COST_MIDDLE)

static void add_segment(struct settling *s, uint32_t segment, enum gap_side side)
{
    ARRAY_ROOM(s->event, s->events + EVENTS + SPARE, s->event_alloc, 1);
    s->segments++;
    struct reach own = reach_of(s, segment, side);
    struct reach other = reach_of(s, segment, side == NEAR_SIDE ? FAR_SIDE : NEAR_SIDE);
    int64_t apart = other.middle - own.middle; /* rounding either way is equally near */
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

/* A run moves as one, so its lines stay straight. Does the segment belong to a run? */
static bool joins(const struct settling *s, uint32_t segment)
{
    const struct segment *one = &s->g->segment[segment];
    struct reach upper = reach_of(s, segment, NEAR_SIDE), lower = reach_of(s, segment, FAR_SIDE);
    bool inner = !draft_is_node(s->d, one->upper) && !draft_is_node(s->d, one->lower);
    return (s->blocks || inner) && upper.from <= lower.to && lower.from <= upper.to;
}

static void add_to_run(struct settling *s, uint32_t point)
{
    s->run[s->count++] = point;
    s->run_of[point] = s->runs;
}

/* Finds the run of a point: follows joined segments upwards and downwards, the first one of
 * several. */
static void find_run(struct settling *s, uint32_t point)
{
    s->count = 0;
    s->runs++;
    add_to_run(s, point);
    for (int side = 0; side < GAP_SIDES; side++)
        for (uint32_t p = point, next; p != PICTURE_NONE; p = next) {
            const struct rows *rows = rows_of(s->d, side);
            next = PICTURE_NONE;
            for (uint32_t k = rows->first[p]; k < rows->first[p + 1] && next == PICTURE_NONE; k++)
                if (joins(s, rows->item[k]))
                    next = far_end(s->d, rows->item[k], side);
            if (next != PICTURE_NONE)
                add_to_run(s, next);
        }
}

static void add_events_of(struct settling *s, uint32_t point)
{
    for (int side = 0; side < GAP_SIDES; side++) {
        const struct rows *rows = rows_of(s->d, side);
        for (uint32_t k = rows->first[point]; k < rows->first[point + 1]; k++)
            if (s->run_of[far_end(s->d, rows->item[k], side)] != s->runs)
                add_segment(s, rows->item[k], side);
    }
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

/* Insertion sort, since most runs have few events. */
static void sort_events(struct settling *s)
{
    if (s->events > 64) {
        SORT(s->event, s->events, by_shift);
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
 * The shift of least cost, and of several the nearest. The cost is linear between events. Only
 * differences to the cost at the first event matter.
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

static int64_t find_shift(struct settling *s)
{
    s->events = s->segments = 0;
    s->least = INT64_MIN;
    s->most = INT64_MAX;
    for (uint32_t i = 0; i < s->count; i++) {
        bound(s, s->run[i]);
        add_events_of(s, s->run[i]);
    }
    if (!s->segments)
        return 0;
    add_event(s, 0, 0, 0);
    if (s->least != INT64_MIN)
        add_event(s, s->least, 0, 0);
    if (s->most != INT64_MAX)
        add_event(s, s->most, 0, 0);
    sort_events(s);
    return best_shift(s);
}

/* ---- all runs ---- */

/* Moves each run of the layer once. `before` is the number of runs before this pass. */
static void place_layer(struct settling *s, uint32_t layer, bool forward, uint32_t before,
                        bool *moved)
{
    const struct layered *g = s->g;
    uint32_t from = g->first[layer], to = g->first[layer + 1];
    for (uint32_t i = from; i < to; i++) {
        uint32_t p = g->order[forward ? i : to - 1 - (i - from)];
        if (s->run_of[p] > before)
            continue;
        find_run(s, p);
        int64_t shift = find_shift(s);
        for (uint32_t k = 0; k < s->count; k++)
            s->at[s->run[k]] += shift;
        *moved |= shift != 0;
    }
}

/*
 * Moves points to where lines are straight. at[point] is the first cell of each; points keep their
 * order and distances. Each run moves to where the lines that leave it cost least while all others
 * stay, in several passes. Ports have no cells yet: a line can be straight if the cells that remain
 * for its two ports, next to those of other nets, overlap. O(points + segments · log) for each
 * pass.
 */
static void points_settle(const struct draft *d, int64_t *at, struct arena *arena)
{
    struct settling s = {.d = d, .g = &d->g, .at = at};
    uint32_t layers = d->g.layers;
    bool moved = true, moved_before = true;
    s.run = arena_array(arena, layers + (size_t)1, sizeof(*s.run));
    s.run_of = arena_array(arena, d->g.points + (size_t)1, sizeof(*s.run_of));
    for (int pass = 0; (moved || moved_before) && pass < PASSES; pass++) {
        uint32_t before = s.runs;
        moved_before = moved;
        moved = false;
        s.blocks = pass % 2;
        for (uint32_t l = 0; l < layers; l++)
            place_layer(&s, pass % 2 ? layers - 1 - l : l, pass % 4 < 2, before, &moved);
    }
    free(s.event);
}

int coordinates_find(struct draft *d)
{
    AUTO_ARENA arena = ARENA_INIT;
    int64_t *at = arena_array(&arena, d->g.points + (size_t)1, sizeof(*at));
    points_sweep(d, at, &arena);
    points_settle(d, at, &arena);
    return begin_at_zero(d, at);
}
