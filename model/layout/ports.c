/* Ports: where lines leave and enter nodes. Also closes up columns that stay empty. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/layout/draft.h"

/* The partners of a pin: the pins of its trunk on the other side, ascending. */
struct partners {
    const struct pin *pin;
    const uint32_t *of;
    uint32_t count;
};

/* A pin before it has a place. */
struct end {
    uint32_t point, net, made;
    uint64_t sum; /* over its targets: 2 * place + 1 */
    uint32_t count;
};

struct porter {
    struct draft *d;
    struct end *end;    /* the ends of one side of one gap */
    uint32_t *last;     /* [nets] the last end of the net */
    uint32_t *trunk_of; /* [nets] its trunk in this gap; PICTURE_NONE */
    uint32_t *number;   /* [ends] the pin of an end */
};

/* Orders the ends of a point by the mean place of their targets. */
static int by_mean(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    uint64_t left = x->sum * y->count, right = y->sum * x->count;
    if (left != right)
        return left < right ? -1 : 1;
    return (x->net > y->net) - (x->net < y->net);
}

/* Makes the ends of a gap on one side. draft.leg_pin gets the end of each segment. */
static uint32_t make_ends(struct porter *p, uint32_t gap, int side)
{
    struct draft *d = p->d;
    uint32_t count = 0;
    for (uint32_t s = d->gap_first[gap]; s < d->gap_first[gap + 1]; s++) {
        const struct segment *segment = &d->g.segment[s];
        uint32_t point = side ? segment->lower : segment->upper;
        uint32_t other = side ? segment->upper : segment->lower, i = p->last[segment->net];
        if (i >= count || p->end[i].point != point || p->end[i].net != segment->net) {
            i = p->last[segment->net] = count++;
            p->end[i] = (struct end){.point = point, .net = segment->net, .made = i};
        }
        p->end[i].sum += 2 * (uint64_t)d->g.place[other] + 1;
        p->end[i].count++;
        d->leg_pin[side][s] = i;
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return x->point != y->point ? COMPARE(x->point, y->point) : by_mean(a, b);
}

/* Sorts ends into the order of the layer. `point` has the place meanwhile. */
static void sort_ends(struct porter *p, uint32_t gap, int side, uint32_t count)
{
    const struct layered *g = &p->d->g;
    for (uint32_t i = 0; i < count; i++)
        p->end[i].point = g->place[p->end[i].point];
    SORT(p->end, count, by_place);
    for (uint32_t i = 0; i < count; i++)
        p->end[i].point = g->order[g->first[gap + (uint32_t)side] + p->end[i].point];
}

static void add_pins(struct porter *p, uint32_t gap, int side, uint32_t count)
{
    struct draft *d = p->d;
    uint32_t first = d->pin_first[2 * gap + (uint32_t)side];
    d->pin_first[2 * gap + (uint32_t)side + 1] = first + count;
    for (uint32_t i = 0; i < count; i++) {
        p->number[p->end[i].made] = first + i;
        d->pin[first + i] =
            (struct pin){.point = p->end[i].point, .trunk = p->trunk_of[p->end[i].net]};
        if (d->ports[side][p->end[i].point]++ == 0)
            d->point_pin[side][p->end[i].point] = first + i;
    }
    for (uint32_t s = d->gap_first[gap]; s < d->gap_first[gap + 1]; s++)
        d->leg_pin[side][s] = p->number[d->leg_pin[side][s]];
}

static void make_trunks(struct porter *p, uint32_t gap)
{
    struct draft *d = p->d;
    uint32_t first = d->trunk_first[gap], count = 0;
    for (uint32_t s = d->gap_first[gap]; s < d->gap_first[gap + 1]; s++)
        p->trunk_of[d->g.segment[s].net] = PICTURE_NONE;
    for (uint32_t s = d->gap_first[gap]; s < d->gap_first[gap + 1]; s++) {
        uint32_t net = d->g.segment[s].net;
        if (p->trunk_of[net] == PICTURE_NONE) {
            d->trunk[first + count] = (struct trunk){.net = net};
            p->trunk_of[net] = count++;
        }
    }
    d->trunk_first[gap + 1] = first + count;
}

/* Groups the pins by trunk and side. */
static void group_by_trunk(struct draft *d)
{
    uint32_t trunks = d->trunk_first[d->gaps], pins = d->pin_first[GAP_SIDES * d->gaps];
    uint32_t *key = arena_array(&d->g.arena, (size_t)pins + 1, sizeof(*key));
    for (uint32_t k = 0; k < GAP_SIDES * d->gaps; k++)
        for (uint32_t i = d->pin_first[k]; i < d->pin_first[k + 1]; i++)
            key[i] = GAP_SIDES * (d->trunk_first[k / GAP_SIDES] + d->pin[i].trunk) + k % GAP_SIDES;
    rows_make(&d->trunk_pins, &d->g.arena, GAP_SIDES * trunks, pins, key, sizeof(*key));
}

static void porter_init(struct porter *p, struct draft *d)
{
    size_t most = (size_t)d->g.segments + 2, nets = (size_t)d->g.nets + 2;
    *p = (struct porter){.d = d};
    p->end = arena_array(&d->g.arena, most, sizeof(*p->end));
    p->last = arena_array(&d->g.arena, nets, sizeof(*p->last));
    p->trunk_of = arena_array(&d->g.arena, nets, sizeof(*p->trunk_of));
    p->number = arena_array(&d->g.arena, most, sizeof(*p->number));
}

void ports_make(struct draft *d)
{
    struct porter p;
    porter_init(&p, d);
    for (uint32_t gap = 0; gap < d->gaps; gap++) {
        make_trunks(&p, gap);
        for (int side = 0; side < GAP_SIDES; side++) {
            uint32_t count = make_ends(&p, gap, side);
            sort_ends(&p, gap, side, count);
            add_pins(&p, gap, side, count);
        }
    }
    group_by_trunk(d);
}

bool draft_branches(const struct draft *d, uint32_t segment)
{
    uint32_t pin = d->leg_pin[NEAR_SIDE][segment], gap = d->g.segment[segment].upper_layer;
    const uint32_t *pins =
        d->trunk_pins.first + GAP_SIDES * (d->trunk_first[gap] + d->pin[pin].trunk);
    return pins[GAP_SIDES] - pins[0] > 2;
}

static struct partners partners_of(const struct draft *d, uint32_t pin, enum gap_side side)
{
    enum gap_side other = side == NEAR_SIDE ? FAR_SIDE : NEAR_SIDE;
    uint32_t trunk = d->trunk_first[draft_gap(d, d->pin[pin].point, side)] + d->pin[pin].trunk;
    uint32_t row = GAP_SIDES * trunk + other, from = d->trunk_pins.first[row];
    return (struct partners){d->pin, d->trunk_pins.item + from, rows_count(&d->trunk_pins, row)};
}

static int32_t middle_column(const struct partners *partners)
{
    return partners->pin[partners->of[(partners->count - 1) / 2]].at;
}

static bool has_column(const struct partners *partners, int32_t column)
{
    uint32_t low = 0, high = partners->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int32_t at = partners->pin[partners->of[middle]].at;
        if (at == column)
            return true;
        if (at < column)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Costs, in cells of distance. */
enum {
    COST_BENT = 12, /* a line with two ends that is not straight */
    COST_FORK = 6,  /* a line to several ends that is straight to none */
    COST_TIGHT = 6, /* no free column between two pins */
    COST_NEVER = 1 << 28,
};

/* The cost of a pin with these partners in that column: the distance, and a bend. */
static int32_t partners_cost(const struct partners *partners, int32_t column)
{
    int32_t distance = column - middle_column(partners);
    int32_t bent = partners->count == 1 ? COST_BENT : COST_FORK;
    return (distance < 0 ? -distance : distance) + (has_column(partners, column) ? 0 : bent);
}

/* Places the pins of one side of a point. */
struct slider {
    struct draft *d;
    int32_t *want;        /* [pins] */
    int32_t *cost, *best; /* [EXACT_CELLS] see settle_exactly */
};
#define EXACT_CELLS                                                                                \
    4096 /* up to so many pins times columns the least cost is found; more pins are put in the middle */

/*
 * Finds the columns of `count` pins in order at the least cost, by dynamic programming: cost[i *
 * width + x] is the cost of the first i + 1 pins with the last of them in column x; best[…] is the
 * column up to x where that is least.
 */
static void settle_exactly(struct slider *s, uint32_t first, uint32_t count, enum gap_side side,
                           int32_t from, int32_t width)
{
    for (uint32_t i = 0; i < count; i++) {
        struct partners partners = partners_of(s->d, first + i, side);
        int32_t *cost = s->cost + i * (uint32_t)width, *best = s->best + i * (uint32_t)width;
        for (int32_t x = 0; x < width; x++) {
            int32_t before = i == 0 ? 0 : COST_NEVER;
            if (i > 0 && x > 1)
                before = cost[best[x - 2 - width] - width];
            if (i > 0 && x > 0 && cost[x - 1 - width] + COST_TIGHT < before)
                before = cost[x - 1 - width] + COST_TIGHT;
            cost[x] = before + (before < COST_NEVER ? partners_cost(&partners, from + x) : 0);
            best[x] = x == 0 || cost[x] < cost[best[x - 1]] ? x : best[x - 1];
        }
    }
    int32_t x = s->best[count * (uint32_t)width - 1];
    for (uint32_t i = count; i-- > 0;) {
        s->want[i] = from + x;
        if (i == 0)
            break;
        const int32_t *cost = s->cost + (i - 1) * (uint32_t)width;
        const int32_t *best = s->best + (i - 1) * (uint32_t)width;
        bool tight = x < 2 || cost[x - 1] + COST_TIGHT < cost[best[x - 2]];
        x = tight ? x - 1 : best[x - 2];
    }
}

static void settle(struct slider *s, uint32_t first, uint32_t count, enum gap_side side,
                   int32_t from, int32_t to)
{
    int32_t width = to - from + 1, apart = 2 * (int32_t)count <= width + 1 ? 2 : 1;
    if ((uint32_t)width <= EXACT_CELLS / count) {
        settle_exactly(s, first, count, side, from, width);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        s->want[i] = from + (width - apart * (int32_t)count) / 2 + apart * (int32_t)i;
}

/* The cells of a point where its pins may be. */
static void port_room(const struct draft *d, uint32_t point, int32_t *from, int32_t *to)
{
    int32_t corner = d->options.boxed && draft_is_node(d, point);
    *from = d->at[point] + corner;
    *to = d->at[point] + d->size[point] - 1 - corner;
}

static void slide(struct slider *s, uint32_t gap, enum gap_side side)
{
    struct draft *d = s->d;
    uint32_t end = d->pin_first[2 * gap + side + 1], count;
    for (uint32_t from = d->pin_first[2 * gap + side]; from < end; from += count) {
        uint32_t point = d->pin[from].point;
        int32_t least, most;
        count = d->ports[side][point];
        port_room(d, point, &least, &most);
        settle(s, from, count, side, least, most);
        for (uint32_t i = 0; i < count; i++)
            d->pin[from + i].at = s->want[i];
    }
}

#define PASSES 4

void ports_slide(struct draft *d)
{
    size_t pins = d->pin_first[2 * d->gaps];
    struct slider s = {.d = d,
                       .want = arena_array(&d->g.arena, pins + 1, sizeof(*s.want)),
                       .cost = arena_array(&d->g.arena, EXACT_CELLS, sizeof(*s.cost)),
                       .best = arena_array(&d->g.arena, EXACT_CELLS, sizeof(*s.best))};
    for (uint32_t i = 0; i < pins; i++)
        d->pin[i].at = d->at[d->pin[i].point] + d->size[d->pin[i].point] / 2;
    for (uint32_t gap = 0; gap < d->gaps; gap++)
        for (int pass = 0; pass < PASSES; pass++)
            slide(&s, gap, pass % 2 ? FAR_SIDE : NEAR_SIDE);
}

/* Marks the cells of nodes and of lines onward. */
static void mark_taken(const struct draft *d, uint8_t *taken)
{
    for (uint32_t p = 0; p < d->g.picture->nodes; p++)
        memset(taken + d->at[p], 1, (size_t)d->size[p]);
    for (uint32_t i = 0; i < d->pin_first[2 * d->gaps]; i++)
        taken[d->pin[i].at] = 1;
}

/* Sets goes[cell] to the number of the cell after removing free cells beyond `spare` consecutive
 * ones. */
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
    int32_t cells = 0;
    for (uint32_t p = 0; p < d->g.points; p++)
        cells = d->at[p] + d->size[p] > cells ? d->at[p] + d->size[p] : cells;
    uint8_t *taken = arena_array(&d->g.arena, (size_t)cells, 1);
    int32_t *goes = arena_array(&d->g.arena, (size_t)cells, sizeof(*goes));
    mark_taken(d, taken);
    int32_t spare = 0;
    for (uint32_t p = 0; p < d->g.picture->nodes && !spare; p++)
        spare = draft_gap_between(d, p, p);
    number_cells(taken, cells, spare, goes);
    for (uint32_t p = 0; p < d->g.points; p++)
        d->at[p] = goes[d->at[p]];
    for (uint32_t i = 0; i < d->pin_first[2 * d->gaps]; i++)
        d->pin[i].at = goes[d->pin[i].at];
}
