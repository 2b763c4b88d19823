#include "model/layout/layered.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/rank/acyclic.h"
#include "model/layout/rank/layering.h"
#include "model/layout/nets.h"

void layered_release(struct layered *g)
{
    free(g->upper);
    free(g->lower);
    free(g->reversed);
    free(g->edge_net);
    free(g->net);
    free(g->layer);
    free(g->point_net);
    free(g->segment);
    free(g->down_first);
    free(g->down_of);
    free(g->up_first);
    free(g->up_of);
    free(g->first);
    free(g->order);
    free(g->place);
    *g = (struct layered){.picture = NULL};
}

/* An array of no elements is one all the same, so that NULL always means that memory ran out. */
static uint32_t *numbers(size_t count)
{
    return xcalloc(count + 1, sizeof(uint32_t));
}

/* ---- the picture's edges, downwards ---- */

static int turn_edges(struct layered *g)
{
    const struct picture *p = g->picture;
    g->upper = numbers(p->edges);
    g->lower = numbers(p->edges);
    g->reversed = xcalloc(p->edges + (size_t)1, 1);
    if (!g->upper || !g->lower || !g->reversed || acyclic_find(p, g->reversed))
        return -1;
    for (uint32_t e = 0; e < p->edges; e++) {
        const struct picture_edge *edge = &p->edge[e];
        g->upper[e] = g->reversed[e] ? edge->to : edge->from;
        g->lower[e] = g->reversed[e] ? edge->from : edge->to;
    }
    return 0;
}

static int find_layers(struct layered *g)
{
    const struct picture *p = g->picture;
    g->layer = numbers(p->nodes);
    if (!g->layer || layering_find(p->nodes, p->edges, g->upper, g->lower, g->layer))
        return -1;
    for (uint32_t v = 0; v < p->nodes; v++)
        if (g->layer[v] >= g->layers)
            g->layers = g->layer[v] + 1;
    return 0;
}

/* ---- dummies ---- */

/* Where a net's dummies are. */
struct reach {
    uint32_t from, to; /* layers, with its ends */
    uint32_t dummy;    /* that stands in layer from + 1; the next follow it */
};

/* Dummies are numbered net by net, and downwards in each. */
static int number_dummies(struct layered *g, struct reach *reach)
{
    for (uint32_t n = 0; n < g->nets; n++)
        reach[n].from = reach[n].to = g->layer[g->net[n].centre];
    for (uint32_t e = 0; e < g->picture->edges; e++) {
        struct reach *r = &reach[g->edge_net[e]];
        if (g->layer[g->upper[e]] < r->from)
            r->from = g->layer[g->upper[e]];
        if (g->layer[g->lower[e]] > r->to)
            r->to = g->layer[g->lower[e]];
    }
    uint64_t points = g->picture->nodes;
    for (uint32_t n = 0; n < g->nets; n++) {
        reach[n].dummy = (uint32_t)points;
        points += reach[n].to - reach[n].from - 1;
        if (points >= PICTURE_NONE)
            return -1;
    }
    g->points = (uint32_t)points;
    return 0;
}

static int add_dummies(struct layered *g, const struct reach *reach)
{
    uint32_t nodes = g->picture->nodes;
    uint32_t *layer = xrealloc(g->layer, (g->points + (size_t)1) * sizeof(*layer));
    if (!layer)
        return -1;
    g->layer = layer;
    g->point_net = numbers(g->points);
    if (!g->point_net)
        return -1;
    for (uint32_t v = 0; v < nodes; v++)
        g->point_net[v] = PICTURE_NONE;
    for (uint32_t n = 0; n < g->nets; n++)
        for (uint32_t l = reach[n].from + 1; l < reach[n].to; l++) {
            uint32_t dummy = reach[n].dummy + (l - reach[n].from - 1);
            g->layer[dummy] = l;
            g->point_net[dummy] = n;
        }
    return 0;
}

/* ---- the layers as they are made ---- */

/* A layer's points are counted two further on, and then its beginning one further on moves to where
 * it ends. */
static int fill_layers(struct layered *g)
{
    g->first = numbers(g->layers + (size_t)1);
    g->order = numbers(g->points);
    g->place = numbers(g->points);
    if (!g->first || !g->order || !g->place)
        return -1;
    for (uint32_t i = 0; i < g->points; i++)
        g->first[g->layer[i] + 2]++;
    for (uint32_t l = 0; l < g->layers; l++)
        g->first[l + 2] += g->first[l + 1];
    for (uint32_t i = 0; i < g->points; i++)
        g->order[g->first[g->layer[i] + 1]++] = i;
    layered_place(g);
    return 0;
}

void layered_place(struct layered *g)
{
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++)
            g->place[g->order[i]] = i - g->first[l];
}

/* ---- segments ---- */

/* What stands for a net in a layer that it passes: its centre, or a dummy. */
static uint32_t point_in(const struct layered *g, const struct reach *r, uint32_t net,
                         uint32_t layer)
{
    uint32_t centre = g->net[net].centre;
    return g->layer[centre] == layer ? centre : r->dummy + (layer - r->from - 1);
}

/* The piece of an edge that it has for itself, at the end that is not the centre. */
static struct segment own_segment(const struct layered *g, const struct reach *r, uint32_t e)
{
    uint32_t net = g->edge_net[e], upper = g->upper[e], lower = g->lower[e];
    if (g->net[net].fans_out)
        upper = point_in(g, r, net, g->layer[lower] - 1);
    else
        lower = point_in(g, r, net, g->layer[upper] + 1);
    return (struct segment){.upper = upper, .lower = lower, .net = net};
}

/* In the order of nets. */
static void list_segments(const struct layered *g, const struct reach *reach,
                          struct segment *segment)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        segment[count++] = own_segment(g, &reach[g->edge_net[e]], e);
    for (uint32_t n = 0; n < g->nets; n++) {
        /* From the centre outwards through all its dummies. */
        const struct reach *r = &reach[n];
        bool out = g->net[n].fans_out;
        for (uint32_t l = r->from + (out ? 0 : 1); l + (out ? 1 : 0) < r->to; l++)
            segment[count++] = (struct segment){
                .upper = point_in(g, r, n, l), .lower = point_in(g, r, n, l + 1), .net = n};
    }
}

enum sort_key {
    BY_NET = 0,
    BY_LOWER,
    BY_UPPER,
};

static uint32_t key_of(const struct layered *g, const struct segment *s, enum sort_key by)
{
    if (by == BY_NET)
        return s->net;
    uint32_t point = by == BY_LOWER ? s->lower : s->upper;
    return g->first[g->layer[point]] + g->place[point];
}

/* Stable; `first` has room for two more numbers than there are keys. */
static void sort_by(const struct layered *g, enum sort_key by, const struct segment *from,
                    struct segment *to, uint32_t *first)
{
    uint32_t keys = by == BY_NET ? g->nets : g->points;
    memset(first, 0, (keys + (size_t)2) * sizeof(*first));
    for (uint32_t i = 0; i < g->segments; i++)
        first[key_of(g, &from[i], by) + 2]++;
    for (uint32_t k = 0; k < keys; k++)
        first[k + 2] += first[k + 1];
    for (uint32_t i = 0; i < g->segments; i++)
        to[first[key_of(g, &from[i], by) + 1]++] = from[i];
}

static int make_segments(struct layered *g, const struct reach *reach)
{
    uint32_t keys = g->points > g->nets ? g->points : g->nets;
    /* Each edge has one for itself, and each dummy one that leads towards the centre. */
    uint64_t count = (uint64_t)g->picture->edges + (g->points - g->picture->nodes);
    if (count >= PICTURE_NONE)
        return -1;
    g->segments = (uint32_t)count;
    g->segment = xmalloc((count + 1) * sizeof(*g->segment));
    struct segment *other = xcalloc(count + 1, sizeof(*other));
    uint32_t *first = numbers(keys + (size_t)1);
    int result = g->segment && other && first ? 0 : -1;
    if (result == 0) {
        list_segments(g, reach, other);
        sort_by(g, BY_NET, other, g->segment, first);
        sort_by(g, BY_LOWER, g->segment, other, first);
        sort_by(g, BY_UPPER, other, g->segment, first);
    }
    free(other);
    free(first);
    return result;
}

/* The segments of each point, in the order that they have. */
static int index_segments(struct layered *g)
{
    g->down_first = numbers(g->points + (size_t)1);
    g->up_first = numbers(g->points + (size_t)1);
    g->down_of = numbers(g->segments);
    g->up_of = numbers(g->segments);
    if (!g->down_first || !g->up_first || !g->down_of || !g->up_of)
        return -1;
    for (uint32_t i = 0; i < g->segments; i++) {
        g->down_first[g->segment[i].upper + 2]++;
        g->up_first[g->segment[i].lower + 2]++;
    }
    for (uint32_t p = 0; p < g->points; p++) {
        g->down_first[p + 2] += g->down_first[p + 1];
        g->up_first[p + 2] += g->up_first[p + 1];
    }
    for (uint32_t i = 0; i < g->segments; i++) {
        g->down_of[g->down_first[g->segment[i].upper + 1]++] = i;
        g->up_of[g->up_first[g->segment[i].lower + 1]++] = i;
    }
    return 0;
}

/* ---- all of it ---- */

static int join_layers(struct layered *g)
{
    struct reach *reach = xcalloc(g->nets + (size_t)1, sizeof(*reach));
    int result = -1;
    if (reach && number_dummies(g, reach) == 0 && add_dummies(g, reach) == 0 && fill_layers(g) == 0)
        result = make_segments(g, reach);
    free(reach);
    return result;
}

int layered_make(struct layered *g, const struct picture *p, bool bundle)
{
    *g = (struct layered){.picture = p};
    if (turn_edges(g) || find_layers(g) || nets_make(g, bundle) || join_layers(g))
        return -1;
    return index_segments(g);
}
