#include "model/base/alloc.h"
#include "model/layout/draft.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PINS     40 /* what has more of them stays */
#define MOST_PARTNERS 3  /* of one pin that are tried */
#define COST_SWAP     30 /* two lines straight more are not worth a dogleg */

/* What moves as one: a node, or the dummies of a net that stand in one column from layer to layer.
 * Within a run of dummies its line is straight wherever it stands. */
struct unit {
    uint32_t first, count; /* points, one a layer */
    int32_t back, on;      /* how far it may move either way: back <= 0 <= on */
    struct {
        uint32_t pin;
        enum gap_side side;
    } end[MOST_PINS]; /* the pins that lead out of it */
    uint32_t ends;
};

static bool same_run(const struct draft *d, uint32_t p)
{
    const struct layered *g = &d->g;
    return p > g->picture->nodes && p < g->points && g->point_net[p] == g->point_net[p - 1] &&
           d->at[p] == d->at[p - 1];
}

static struct unit unit_of(const struct draft *d, uint32_t point)
{
    struct unit u = {.first = point, .count = 1};
    while (same_run(d, point + u.count))
        u.count++;
    return u;
}

static void narrow(const struct draft *d, struct unit *u, uint32_t point, int32_t least,
                   int32_t most)
{
    const struct layered *g = &d->g;
    uint32_t layer = g->layer[point], i = g->first[layer] + g->place[point];
    int32_t back = least - d->at[point], on = most - (d->at[point] + d->size[point] - 1);
    if (i > g->first[layer]) {
        uint32_t before = g->order[i - 1];
        back = d->at[before] + d->size[before] + draft_gap_between(d, before, point) - d->at[point];
    }
    if (i + 1 < g->first[layer + 1]) {
        uint32_t after = g->order[i + 1];
        on = d->at[after] - draft_gap_between(d, point, after) - d->at[point] - d->size[point];
    }
    u->back = back > u->back ? back : u->back;
    u->on = on < u->on ? on : u->on;
}

static void add_ends(const struct draft *d, struct unit *u, uint32_t point, enum gap_side side)
{
    for (uint32_t i = 0; i < d->ports[side][point]; i++) {
        u->end[u->ends].pin = d->point_pin[side][point] + i;
        u->end[u->ends++].side = side;
    }
}

static bool find_ends(const struct draft *d, struct unit *u)
{
    uint32_t last = u->first + u->count - 1;
    if (d->ports[FAR_SIDE][u->first] + d->ports[NEAR_SIDE][last] > MOST_PINS)
        return false;
    u->ends = 0;
    add_ends(d, u, u->first, FAR_SIDE);
    add_ends(d, u, last, NEAR_SIDE);
    return true;
}

/* The pin in that column of one side of a gap; NULL. */
static const struct pin *pin_at(const struct draft *d, uint32_t gap, enum gap_side side,
                                int32_t column)
{
    uint32_t low = d->pin_first[2 * gap + side], end = d->pin_first[2 * gap + side + 1];
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (d->pin[middle].at < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && d->pin[low].at == column ? &d->pin[low] : NULL;
}

/* Two lines that change columns with each other would take a dogleg. */
static bool swaps(const struct draft *d, uint32_t pin, enum gap_side side, int32_t column)
{
    enum gap_side other = side == NEAR_SIDE ? FAR_SIDE : NEAR_SIDE;
    uint32_t gap = draft_gap(d, d->pin[pin].point, side);
    const struct pin *facing = pin_at(d, gap, other, column);
    if (!facing || facing->trunk == d->pin[pin].trunk)
        return false;
    struct partners partners = partners_of(d, pin, side);
    for (uint32_t i = 0; i < partners.count && i < MOST_PARTNERS; i++) {
        const struct pin *back = pin_at(d, gap, side, partners.pin[partners.of[i]].at);
        if (back && back->trunk == facing->trunk)
            return true;
    }
    return false;
}

static int64_t cost_of(const struct draft *d, const struct unit *u, int32_t shift)
{
    int64_t cost = 0;
    for (uint32_t i = 0; i < u->ends; i++) {
        uint32_t pin = u->end[i].pin;
        int32_t column = d->pin[pin].at + shift;
        struct partners partners = partners_of(d, pin, u->end[i].side);
        cost += partners_cost(&partners, column);
        cost += swaps(d, pin, u->end[i].side, column) ? COST_SWAP : 0;
    }
    return cost;
}

static void move(struct draft *d, const struct unit *u, int32_t shift)
{
    for (uint32_t p = u->first; p < u->first + u->count; p++) {
        d->at[p] += shift;
        for (int side = 0; side < GAP_SIDES; side++)
            for (uint32_t i = 0; i < d->ports[side][p]; i++)
                d->pin[d->point_pin[side][p] + i].at += shift;
    }
}

struct choice {
    int32_t shift;
    int64_t cost;
};

static void consider(const struct draft *d, const struct unit *u, int32_t shift,
                     struct choice *best)
{
    if (shift < u->back || shift > u->on || shift == best->shift)
        return;
    int64_t cost = cost_of(d, u, shift);
    if (cost < best->cost)
        *best = (struct choice){shift, cost};
}

/* Tries each place where one of its lines is straight, and where two do not swap. */
static void straighten(struct draft *d, struct unit *u)
{
    if (!find_ends(d, u))
        return;
    struct choice best = {0, cost_of(d, u, 0)};
    for (uint32_t i = 0; i < u->ends; i++) {
        struct partners partners = partners_of(d, u->end[i].pin, u->end[i].side);
        uint32_t from = (partners.count - 1) / 2, to = partners.count / 2 + 1;
        if (partners.count <= MOST_PARTNERS)
            from = 0, to = partners.count;
        for (uint32_t k = from; k < to; k++)
            consider(d, u, partners.pin[partners.of[k]].at - d->pin[u->end[i].pin].at, &best);
    }
    for (int32_t step = 1; step <= 2 && best.cost >= COST_SWAP; step++) {
        consider(d, u, -step, &best);
        consider(d, u, step, &best);
    }
    if (best.shift)
        move(d, u, best.shift);
}

static void straighten_layer(struct draft *d, uint32_t layer, int32_t least, int32_t most)
{
    const struct layered *g = &d->g;
    for (uint32_t i = g->first[layer]; i < g->first[layer + 1]; i++) {
        uint32_t point = g->order[i];
        if (same_run(d, point))
            continue; /* it moves with the first of them */
        struct unit u = unit_of(d, point);
        u.back = INT32_MIN;
        u.on = INT32_MAX;
        for (uint32_t p = u.first; p < u.first + u.count; p++)
            narrow(d, &u, p, least, most);
        straighten(d, &u);
    }
}

static void find_reach(const struct draft *d, int32_t *least, int32_t *most)
{
    *least = INT32_MAX;
    *most = INT32_MIN;
    for (uint32_t p = 0; p < d->g.points; p++) {
        int32_t end = d->at[p] + d->size[p] - 1;
        *least = d->at[p] < *least ? d->at[p] : *least;
        *most = end > *most ? end : *most;
    }
}

void points_straighten(struct draft *d)
{
    int32_t least, most;
    find_reach(d, &least, &most);
    for (uint32_t layer = 0; layer < d->g.layers; layer++)
        straighten_layer(d, layer, least, most);
    for (uint32_t layer = d->g.layers; layer-- > 0;)
        straighten_layer(d, layer, least, most);
}

static void mark_taken(const struct draft *d, int32_t least, uint8_t *taken)
{
    for (uint32_t p = 0; p < d->g.picture->nodes; p++)
        memset(taken + (d->at[p] - least), 1, (size_t)d->size[p]);
    for (uint32_t i = 0; i < d->pin_first[2 * d->gaps]; i++)
        taken[d->pin[i].at - least] = 1;
}

/* goes[cell]: its number when what is free beyond `spare` in a row is left out. */
static void number_cells(const uint8_t *taken, int32_t cells, int32_t spare, int32_t *goes)
{
    int32_t next = 0, unused = 0;
    for (int32_t i = 0; i < cells; i++) {
        unused = taken[i] ? 0 : unused + 1;
        goes[i] = next;
        next += unused <= spare;
    }
}

void points_close_up(struct draft *d)
{
    int32_t least, most;
    find_reach(d, &least, &most);
    int32_t cells = most - least + 1;
    uint8_t *taken = xcalloc((size_t)cells, 1);
    int32_t *goes = xcalloc((size_t)cells, sizeof(*goes));
    mark_taken(d, least, taken);
    number_cells(taken, cells, draft_gap_between(d, 0, 0), goes);
    for (uint32_t p = 0; p < d->g.points; p++)
        d->at[p] = goes[d->at[p] - least];
    for (uint32_t i = 0; i < d->pin_first[2 * d->gaps]; i++)
        d->pin[i].at = goes[d->pin[i].at - least];
    free(taken);
    free(goes);
}
