#include "model/layout/layered.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

void layered_release(struct layered *g)
{
    arena_release(&g->arena);
    *g = (struct layered){.picture = NULL};
}

static uint32_t *numbers(struct layered *g, size_t count)
{
    return arena_array(&g->arena, count + 1, sizeof(uint32_t));
}

/* Groups of edges on one side of a node that may share a net: by stroke, and reversed or not. */
#define GROUPS (STROKE_COUNT * 2)

enum side {
    BELOW = 0, /* the node is the upper end of the edges */
    ABOVE,
};

static uint32_t star_of(const struct layered *g, uint32_t edge, enum side side)
{
    uint32_t node = side == BELOW ? g->upper[edge] : g->lower[edge];
    uint32_t group = g->picture->edge[edge].stroke * 2u + g->reversed[edge];
    return (node * 2 + side) * GROUPS + group;
}

static enum side side_of(uint32_t star)
{
    return star / GROUPS % 2 ? ABOVE : BELOW;
}

/* Edges of STROKE_ALL form a tree only at the node that needs all of them, not at a common
 * antecedent. */
static bool is_split_star(uint32_t star)
{
    bool reversed = star % 2;
    return star % GROUPS / 2 == STROKE_ALL && (side_of(star) == BELOW) != reversed;
}

/*
 * Stars are numbered by (node, side, group). Edge e is in two, number[2 * e] and number[2 * e + 1].
 * Most stars have no edges.
 */
struct cover {
    struct layered *g;
    uint32_t stars;
    uint32_t *number; /* [2 * edges] */
    struct rows of;   /* items by star */
    uint32_t *star;   /* [edges] the star that became its net, or PICTURE_NONE */
};

/* A star that may become a net. Larger ones come first. */
struct choice {
    uint32_t star, edges;
};

static int by_edges(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return x->edges != y->edges ? COMPARE(y->edges, x->edges) : COMPARE(x->star, y->star);
}

static uint32_t list_choices(const struct cover *c, bool bundle, struct choice *choice)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < c->stars; s++) {
        uint32_t all = s - s % GROUPS, ports = c->of.first[all + GROUPS] - c->of.first[all];
        if (rows_count(&c->of, s) >= 2 && !is_split_star(s) && (bundle || ports > NETS_PORTS))
            choice[count++] = (struct choice){s, rows_count(&c->of, s)};
    }
    SORT(choice, count, by_edges);
    return count;
}

/* Makes the star a net if at least two of its edges are not in a net yet. */
static void make_net_of(struct cover *c, uint32_t star)
{
    uint32_t left = 0;
    for (uint32_t i = c->of.first[star]; i < c->of.first[star + 1]; i++)
        left += c->star[c->of.item[i] / 2] == PICTURE_NONE;
    for (uint32_t i = c->of.first[star]; left >= 2 && i < c->of.first[star + 1]; i++)
        if (c->star[c->of.item[i] / 2] == PICTURE_NONE)
            c->star[c->of.item[i] / 2] = star;
}

/* ---- nets ---- */

static uint32_t add_net(struct layered *g, uint32_t edge, enum side side)
{
    g->net[g->nets] = (struct net){
        .stroke = g->picture->edge[edge].stroke,
        .reversed = g->reversed[edge],
        .centre = side == BELOW ? g->upper[edge] : g->lower[edge],
        .fans_out = side == BELOW,
    };
    return g->nets++;
}

/* Numbers the net of a star at its first edge. */
static void number_nets(const struct cover *c)
{
    struct layered *g = c->g;
    uint32_t edges = g->picture->edges;
    uint32_t *net = arena_array(&g->arena, c->stars + (size_t)1, sizeof(*net));
    memset(net, 0xff, c->stars * sizeof(*net));
    g->edge_net = numbers(g, edges);
    g->net = arena_array(&g->arena, edges + (size_t)1, sizeof(*g->net));
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t star = c->star[e];
        if (star == PICTURE_NONE)
            g->edge_net[e] = add_net(g, e, BELOW);
        else if (net[star] == PICTURE_NONE)
            g->edge_net[e] = net[star] = add_net(g, e, side_of(star));
        else
            g->edge_net[e] = net[star];
    }
}

/*
 * Sets edge_net, net and nets from upper, lower and reversed, by a greedy cover with stars: from
 * the largest on, the remaining edges of each become a net. The edges of a star share a node, are
 * on the same side of it, have the same stroke, and are all reversed or none; for STROKE_ALL the
 * shared node is the one that needs them. Without `bundle` only stars count whose node has more
 * than NETS_PORTS edges on that side. Each remaining edge is a net of its own.
 */
static void nets_make(struct layered *g, bool bundle)
{
    uint32_t edges = g->picture->edges;
    struct cover c = {.g = g, .stars = g->picture->nodes * 2 * GROUPS};
    c.number = numbers(g, 2 * (size_t)edges);
    c.star = numbers(g, edges);
    for (uint32_t e = 0; e < edges; e++) {
        c.star[e] = PICTURE_NONE;
        c.number[2 * e] = star_of(g, e, BELOW);
        c.number[2 * e + 1] = star_of(g, e, ABOVE);
    }
    rows_make(&c.of, &g->arena, c.stars, 2 * edges, c.number, sizeof(*c.number));
    struct choice *choice = arena_array(&g->arena, edges + (size_t)1, sizeof(*choice));
    uint32_t count = list_choices(&c, bundle, choice);
    for (uint32_t i = 0; i < count; i++)
        make_net_of(&c, choice[i].star);
    number_nets(&c);
}

/* ---- the picture's edges, downwards ---- */

static void turn_edges(struct layered *g)
{
    const struct picture *p = g->picture;
    g->upper = numbers(g, p->edges);
    g->lower = numbers(g, p->edges);
    g->reversed = arena_array(&g->arena, p->edges + (size_t)1, 1);
    acyclic_find(p, g->reversed);
    for (uint32_t e = 0; e < p->edges; e++) {
        const struct picture_edge *edge = &p->edge[e];
        g->upper[e] = g->reversed[e] ? edge->from : edge->to;
        g->lower[e] = g->reversed[e] ? edge->to : edge->from;
    }
}

static void find_layers(struct layered *g)
{
    const struct picture *p = g->picture;
    g->layer = numbers(g, p->nodes);
    layering_find(p->nodes, p->edges, g->upper, g->lower, g->layer);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (g->layer[v] >= g->layers)
            g->layers = g->layer[v] + 1;
}

/* ---- dummies ---- */

/* The layers and dummies of a net. */
struct reach {
    uint32_t from, to; /* layers, ends included */
    uint32_t dummy;    /* the dummy in layer from + 1; the others follow it */
};

/* Numbers dummies net by net, and downwards in each net. */
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

static void add_dummies(struct layered *g, const struct reach *reach)
{
    uint32_t nodes = g->picture->nodes;
    uint32_t *layer = numbers(g, g->points);
    memcpy(layer, g->layer, nodes * sizeof(*layer));
    g->layer = layer;
    g->point_net = numbers(g, g->points);
    for (uint32_t v = 0; v < nodes; v++)
        g->point_net[v] = PICTURE_NONE;
    for (uint32_t n = 0; n < g->nets; n++)
        for (uint32_t l = reach[n].from + 1; l < reach[n].to; l++) {
            uint32_t dummy = reach[n].dummy + (l - reach[n].from - 1);
            g->layer[dummy] = l;
            g->point_net[dummy] = n;
        }
}

/* ---- layers ---- */

static void fill_layers(struct layered *g)
{
    struct rows points;
    rows_make(&points, &g->arena, g->layers, g->points, g->layer, sizeof(*g->layer));
    g->first = points.first;
    g->order = points.item;
    g->place = numbers(g, g->points);
    layered_place(g);
}

void layered_place(struct layered *g)
{
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++)
            g->place[g->order[i]] = i - g->first[l];
}

/* ---- segments ---- */

/* The point of a net in a layer: its centre or a dummy. */
static uint32_t point_in(const struct layered *g, const struct reach *r, uint32_t net,
                         uint32_t layer)
{
    uint32_t centre = g->net[net].centre;
    return g->layer[centre] == layer ? centre : r->dummy + (layer - r->from - 1);
}

/* The segment that only this edge has, at its outer end. */
static struct segment own_segment(const struct layered *g, const struct reach *r, uint32_t e)
{
    uint32_t net = g->edge_net[e], upper = g->upper[e], lower = g->lower[e];
    if (g->net[net].fans_out)
        upper = point_in(g, r, net, g->layer[lower] - 1);
    else
        lower = point_in(g, r, net, g->layer[upper] + 1);
    return (struct segment){.upper = upper, .lower = lower, .net = net, .edge = e};
}

static void list_segments(struct layered *g, const struct reach *reach)
{
    struct segment *segment = g->segment;
    uint32_t count = 0;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        segment[count++] = own_segment(g, &reach[g->edge_net[e]], e);
    for (uint32_t n = 0; n < g->nets; n++) {
        /* From the centre outwards through all dummies. */
        const struct reach *r = &reach[n];
        bool out = g->net[n].fans_out;
        for (uint32_t l = r->from + (out ? 0 : 1); l + (out ? 1 : 0) < r->to; l++)
            segment[count++] = (struct segment){.upper = point_in(g, r, n, l),
                                                .lower = point_in(g, r, n, l + 1),
                                                .net = n,
                                                .edge = PICTURE_NONE};
    }
}

/* Points are numbered in the order of their layer at this time. */
static int by_points(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;
    int order = COMPARE(x->upper_layer, y->upper_layer);
    order = order ? order : COMPARE(x->upper, y->upper);
    order = order ? order : COMPARE(x->lower, y->lower);
    return order ? order : COMPARE(x->net, y->net);
}

static int make_segments(struct layered *g, const struct reach *reach)
{
    /* One for each edge, and one from each dummy towards the centre. */
    uint64_t count = (uint64_t)g->picture->edges + (g->points - g->picture->nodes);
    if (count >= PICTURE_NONE)
        return -1;
    g->segments = (uint32_t)count;
    g->segment = arena_array(&g->arena, count + 1, sizeof(*g->segment));
    list_segments(g, reach);
    for (uint32_t i = 0; i < g->segments; i++)
        g->segment[i].upper_layer = g->layer[g->segment[i].upper];
    SORT(g->segment, count, by_points);
    rows_make(&g->down, &g->arena, g->points, g->segments, &g->segment->upper, sizeof(*g->segment));
    rows_make(&g->up, &g->arena, g->points, g->segments, &g->segment->lower, sizeof(*g->segment));
    return 0;
}

/* ---- the layered graph ---- */

static int join_layers(struct layered *g)
{
    struct reach *reach = arena_array(&g->arena, g->nets + (size_t)1, sizeof(*reach));
    int result = number_dummies(g, reach);
    if (result == 0) {
        add_dummies(g, reach);
        fill_layers(g);
        result = make_segments(g, reach);
    }
    return result;
}

int layered_make(struct layered *g, const struct picture *p, bool bundle)
{
    *g = (struct layered){.arena = ARENA_INIT, .picture = p};
    turn_edges(g);
    find_layers(g);
    nets_make(g, bundle);
    return join_layers(g);
}
