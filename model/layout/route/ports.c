#include "model/base/alloc.h"
#include "model/layout/draft.h"

#include <stdlib.h>

int ports_count(struct draft *d)
{
    const struct layered *g = &d->g;
    const uint32_t *first[] = {g->down_first, g->up_first}, *of[] = {g->down_of, g->up_of};
    uint32_t *counted = xmalloc(((size_t)g->nets + 1) * sizeof(*counted));
    if (!counted)
        return -1;
    for (int side = 0; side < 2; side++) {
        for (uint32_t n = 0; n < g->nets; n++)
            counted[n] = PICTURE_NONE;
        for (uint32_t p = 0; p < g->points; p++) {
            d->ports[side][p] = 0;
            for (uint32_t i = first[side][p]; i < first[side][p + 1]; i++) {
                uint32_t net = g->segment[of[side][i]].net;
                d->ports[side][p] += counted[net] != p;
                counted[net] = p;
            }
        }
    }
    free(counted);
    return 0;
}

/* A pin while it has no place yet. */
struct end {
    uint32_t point, net, made;
    int64_t sum; /* of what it leads to: twice their centres */
    uint32_t count;
};

struct porter {
    struct draft *d;
    struct end *end;    /* of one side of one gap */
    uint32_t *last;     /* [nets] the end made last */
    uint32_t *trunk_of; /* [nets] in this gap; PICTURE_NONE */
    uint32_t *number;   /* [ends] the pin that an end became */
};

static int64_t centre(const struct draft *d, uint32_t point)
{
    return 2 * (int64_t)d->at[point] + d->size[point];
}

/* By place; and at a point by the mean of what they lead to. */
static int by_mean(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    int64_t left = x->sum * y->count, right = y->sum * x->count;
    if (left != right)
        return left < right ? -1 : 1;
    return (x->net > y->net) - (x->net < y->net);
}

/* The ends of gap `gap` on `side`, in draft.leg_pin the end of each segment. */
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
        p->end[i].sum += centre(d, other);
        p->end[i].count++;
        d->leg_pin[side][s] = i;
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return by_mean(a, b);
}

/* Sorts ends into the layer's order: first by place, which stands in `point` meanwhile. */
static void sort_ends(struct porter *p, uint32_t gap, int side, uint32_t count)
{
    const struct layered *g = &p->d->g;
    for (uint32_t i = 0; i < count; i++)
        p->end[i].point = g->place[p->end[i].point];
    qsort(p->end, count, sizeof(*p->end), by_place);
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
        if (i == 0 || p->end[i].point != p->end[i - 1].point)
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

/* Lists the pins of all trunks by side. */
static int group_by_trunk(struct draft *d)
{
    uint32_t trunks = d->trunk_first[d->gaps], pins = d->pin_first[2 * d->gaps];
    for (uint32_t side = 0; side < GAP_SIDES; side++) {
        uint32_t *first = d->trunk_pins[side] = xcalloc((size_t)trunks + 2, sizeof(*first));
        d->trunk_pin[side] = xmalloc(((size_t)pins + 1) * sizeof(*d->trunk_pin[side]));
        if (!first || !d->trunk_pin[side])
            return -1;
        for (uint32_t gap = 0; gap < d->gaps; gap++)
            for (uint32_t i = d->pin_first[2 * gap + side]; i < d->pin_first[2 * gap + side + 1];
                 i++)
                first[d->trunk_first[gap] + d->pin[i].trunk + 2]++;
        for (uint32_t t = 0; t < trunks; t++)
            first[t + 2] += first[t + 1];
        for (uint32_t gap = 0; gap < d->gaps; gap++)
            for (uint32_t i = d->pin_first[2 * gap + side]; i < d->pin_first[2 * gap + side + 1];
                 i++)
                d->trunk_pin[side][first[d->trunk_first[gap] + d->pin[i].trunk + 1]++] = i;
    }
    return 0;
}

static int porter_init(struct porter *p, struct draft *d)
{
    size_t most = (size_t)d->g.segments + 2, nets = (size_t)d->g.nets + 2;
    *p = (struct porter){.d = d};
    p->end = xmalloc(most * sizeof(*p->end));
    p->last = xcalloc(nets, sizeof(*p->last));
    p->trunk_of = xmalloc(nets * sizeof(*p->trunk_of));
    p->number = xmalloc(most * sizeof(*p->number));
    return p->end && p->last && p->trunk_of && p->number ? 0 : -1;
}

static void porter_release(struct porter *p)
{
    free(p->end);
    free(p->last);
    free(p->trunk_of);
    free(p->number);
}

int ports_make(struct draft *d)
{
    struct porter p;
    int result = porter_init(&p, d);
    for (uint32_t gap = 0; result == 0 && gap < d->gaps; gap++) {
        make_trunks(&p, gap);
        for (int side = 0; side < GAP_SIDES; side++) {
            uint32_t count = make_ends(&p, gap, side);
            sort_ends(&p, gap, side, count);
            add_pins(&p, gap, side, count);
        }
    }
    if (result == 0)
        result = group_by_trunk(d);
    porter_release(&p);
    return result;
}
