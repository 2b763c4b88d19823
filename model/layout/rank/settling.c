#include "model/layout/rank/settling.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/route/slots.h"

/* What a line costs: whether it bends, each cell that it must run across, each half cell between
 * the middles of its ends. Of those that branch from one port only one is straight whatever comes
 * of it. */
#define COST_BEND   32
#define COST_BRANCH 4
#define COST_CELL   4
#define COST_MIDDLE 1

/* By far most of what there is to gain comes first. */
#define PASSES 4

/* How what a place costs changes there: beyond it each cell costs `slope` more than before it, and
 * at once `jump`. */
struct event {
    int64_t shift;
    int32_t slope, jump;
};

struct settling {
    const struct layered *g;
    const struct widths *w;
    int64_t *at;
    struct slot *slot[2]; /* [segments] at the upper end, at the lower */
    struct event *event;  /* of the run that is looked at, by shift */
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

static struct reach reach_of(const struct settling *s, uint32_t segment, int end)
{
    const struct segment *one = &s->g->segment[segment];
    uint32_t point = end == SLOT_UPPER ? one->upper : one->lower;
    struct slot slot = s->slot[end][segment];
    int64_t wall = point < s->g->picture->nodes ? s->w->wall : 0;
    struct reach r = {.from = s->at[point] + wall + slot.number,
                      .to = s->at[point] + s->w->size[point] - wall - (slot.count - slot.number),
                      .middle = 2 * s->at[point] + s->w->size[point]};
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

static int add_segment(struct settling *s, uint32_t segment, int end)
{
    void *events = s->event;
    if (!array_grow(&events, &s->event_alloc, s->events + EVENTS + SPARE, sizeof(*s->event)))
        return -1;
    s->event = events;
    s->segments++;
    struct reach own = reach_of(s, segment, end), other = reach_of(s, segment, !end);
    int64_t apart = other.middle - own.middle; /* rounded both ways the middles are as near */
    bool branches = s->slot[SLOT_UPPER][segment].forks || s->slot[SLOT_LOWER][segment].forks;
    int32_t bend = branches ? COST_BRANCH : COST_BEND;
    int64_t down = apart >= 0 ? apart / 2 : -((1 - apart) / 2);
    add_event(s, down, 2 * COST_MIDDLE, 0);
    add_event(s, apart - down, 2 * COST_MIDDLE, 0);
    add_event(s, other.from - own.to, COST_CELL, -bend);
    add_event(s, other.to - own.from, COST_CELL, 0);
    add_event(s, other.to - own.from + 1, 0, bend);
    return 0;
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

static int look_at(struct settling *s, const struct run *r, uint32_t point)
{
    const struct layered *g = s->g;
    for (uint32_t k = g->down_first[point]; k < g->down_first[point + 1]; k++)
        if (!inside(r, g->segment[g->down_of[k]].lower) &&
            add_segment(s, g->down_of[k], SLOT_UPPER))
            return -1;
    for (uint32_t k = g->up_first[point]; k < g->up_first[point + 1]; k++)
        if (!inside(r, g->segment[g->up_of[k]].upper) && add_segment(s, g->up_of[k], SLOT_LOWER))
            return -1;
    return 0;
}

static void bound(struct settling *s, uint32_t point)
{
    const struct layered *g = s->g;
    uint32_t layer = g->layer[point], i = g->first[layer] + g->place[point];
    if (i > g->first[layer]) {
        uint32_t p = g->order[i - 1];
        int64_t least = s->at[p] + s->w->size[p] + widths_between(g, s->w, p, point) - s->at[point];
        s->least = least > s->least ? least : s->least;
    }
    if (i + 1 < g->first[layer + 1]) {
        uint32_t p = g->order[i + 1];
        int64_t most =
            s->at[p] - widths_between(g, s->w, p, point) - s->w->size[point] - s->at[point];
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
    for (uint32_t k = g->down_first[point]; k < g->down_first[point + 1]; k++)
        s->stale[g->segment[g->down_of[k]].lower] = 1;
    for (uint32_t k = g->up_first[point]; k < g->up_first[point + 1]; k++)
        s->stale[g->segment[g->up_of[k]].upper] = 1;
}

static int find_shift(struct settling *s, const struct run *r, int64_t *shift)
{
    s->events = s->segments = 0;
    s->least = INT64_MIN;
    s->most = INT64_MAX;
    for (uint32_t p = r->first; p <= r->last; p++) {
        bound(s, p);
        if (look_at(s, r, p))
            return -1;
    }
    *shift = 0;
    if (!s->segments)
        return 0;
    add_event(s, 0, 0, 0);
    if (s->least != INT64_MIN)
        add_event(s, s->least, 0, 0);
    if (s->most != INT64_MAX)
        add_event(s, s->most, 0, 0);
    sort_events(s);
    *shift = best_shift(s);
    return 0;
}

static int place_run(struct settling *s, const struct run *r, bool *moved)
{
    int64_t shift;
    if (!is_stale(s, r))
        return 0;
    if (find_shift(s, r, &shift))
        return -1;
    for (uint32_t p = r->first; shift != 0 && p <= r->last; p++) {
        s->at[p] += shift;
        unsettle(s, p);
    }
    *moved |= shift != 0;
    return 0;
}

/* ---- all of it ---- */

static int place_layer(struct settling *s, uint32_t layer, bool forward, bool *moved)
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
        if (place_run(s, &r, moved))
            return -1;
    }
    return 0;
}

static int place_all(struct settling *s)
{
    uint32_t layers = s->g->layers;
    bool moved = true;
    for (int pass = 0; moved && pass < PASSES; pass++) {
        moved = false;
        for (uint32_t l = 0; l < layers; l++)
            if (place_layer(s, pass % 2 ? layers - 1 - l : l, pass < 2, &moved))
                return -1;
    }
    return 0;
}

int points_settle(const struct layered *g, const struct widths *w, int64_t *at)
{
    struct settling s = {.g = g, .w = w, .at = at};
    for (int end = 0; end < 2; end++)
        s.slot[end] = xmalloc((g->segments + (size_t)1) * sizeof(*s.slot[end]));
    s.stale = xmalloc(g->points + (size_t)1);
    int result = s.slot[SLOT_UPPER] && s.slot[SLOT_LOWER] && s.stale ? slots_find(g, s.slot) : -1;
    if (result == 0)
        memset(s.stale, 1, g->points);
    if (result == 0)
        result = place_all(&s);
    free(s.slot[SLOT_UPPER]);
    free(s.slot[SLOT_LOWER]);
    free(s.stale);
    free(s.event);
    return result;
}
