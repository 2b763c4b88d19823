#include "model/layout/layered.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/layering.h"

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

static uint32_t *numbers(size_t count)
{
    return xcalloc(count + 1, sizeof(uint32_t));
}

/* Edges on one side of a node that may share a net: by stroke, and reversed or not. */
#define GROUPS (STROKE_COUNT * 2)

enum side {
    BELOW = 0, /* the node is the edges' upper end */
    ABOVE,
};

/* Stars are numbered by (node, side, group); most of them have no edges. */
struct cover {
    struct layered *g;
    uint32_t stars, most;  /* how many; the edges of the largest */
    uint32_t *first, *of;  /* the edges of star s are of[first[s] .. first[s + 1]] */
    uint32_t *left;        /* [stars] its edges that are in no net yet */
    uint32_t *head, *next; /* [most + 1], [stars] stars by what was left when they were put there */
    uint32_t *edge_star;   /* [edges] the one that became its net */
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

/* ---- what there is to choose from ---- */

static int prepare(struct cover *c)
{
    const struct picture *p = c->g->picture;
    if (p->nodes > (PICTURE_NONE - 2) / (2 * GROUPS) || p->edges > PICTURE_NONE / 2)
        return -1;
    c->stars = p->nodes * 2 * GROUPS;
    c->first = xcalloc(c->stars + (size_t)2, sizeof(*c->first));
    c->of = xmalloc((p->edges * (size_t)2 + 1) * sizeof(*c->of));
    c->left = xcalloc(c->stars + (size_t)1, sizeof(*c->left));
    c->next = xmalloc((c->stars + (size_t)1) * sizeof(*c->next));
    c->edge_star = xmalloc((p->edges + (size_t)1) * sizeof(*c->edge_star));
    return 0;
}

static void find_stars(struct cover *c)
{
    uint32_t edges = c->g->picture->edges;
    for (uint32_t e = 0; e < edges; e++) {
        c->edge_star[e] = PICTURE_NONE;
        c->first[star_of(c->g, e, BELOW) + 2]++;
        c->first[star_of(c->g, e, ABOVE) + 2]++;
    }
    for (uint32_t s = 0; s < c->stars; s++) {
        c->left[s] = c->first[s + 2];
        if (c->left[s] > c->most)
            c->most = c->left[s];
        c->first[s + 2] += c->first[s + 1];
    }
    for (uint32_t e = 0; e < edges; e++) {
        c->of[c->first[star_of(c->g, e, BELOW) + 1]++] = e;
        c->of[c->first[star_of(c->g, e, ABOVE) + 1]++] = e;
    }
}

/* What one memory needs all of is one tree, from it; not what several need among other things. */
static bool goes_apart(uint32_t star)
{
    bool reversed = star % 2;
    return star % GROUPS / 2 == STROKE_ALL && (side_of(star) == ABOVE) != reversed;
}

static void queue_star(struct cover *c, uint32_t star)
{
    if (c->left[star] < 2 || goes_apart(star))
        return;
    c->next[star] = c->head[c->left[star]];
    c->head[c->left[star]] = star;
}

static void queue_stars(struct cover *c, bool bundle)
{
    c->head = xmalloc((c->most + (size_t)1) * sizeof(*c->head));
    for (uint32_t i = 0; i <= c->most; i++)
        c->head[i] = PICTURE_NONE;
    /* From the last, so that of equal ones the first comes first. */
    for (uint32_t s = c->stars; s > 0; s -= GROUPS) {
        uint32_t ports = c->first[s] - c->first[s - GROUPS];
        if (bundle || ports > NETS_PORTS)
            for (uint32_t k = 1; k <= GROUPS; k++)
                queue_star(c, s - k);
    }
}

/* ---- the cover ---- */

static void take_star(struct cover *c, uint32_t star)
{
    enum side other = side_of(star) == BELOW ? ABOVE : BELOW;
    for (uint32_t i = c->first[star]; i < c->first[star + 1]; i++) {
        uint32_t e = c->of[i];
        if (c->edge_star[e] != PICTURE_NONE)
            continue;
        c->edge_star[e] = star;
        c->left[star_of(c->g, e, other)]--;
    }
}

/* A star may have lost edges since it was queued; then it is queued where it belongs now. */
static void choose_stars(struct cover *c)
{
    for (uint32_t most = c->most; most >= 2; most--)
        while (c->head[most] != PICTURE_NONE) {
            uint32_t star = c->head[most];
            c->head[most] = c->next[star];
            if (c->left[star] == most)
                take_star(c, star);
            else
                queue_star(c, star);
        }
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

/* A star's net comes with its first edge; `next` keeps which that is. */
static void number_nets(struct cover *c)
{
    struct layered *g = c->g;
    uint32_t edges = g->picture->edges;
    g->edge_net = xmalloc((edges + (size_t)1) * sizeof(*g->edge_net));
    g->net = xmalloc((edges + (size_t)1) * sizeof(*g->net));
    for (uint32_t s = 0; s < c->stars; s++)
        c->next[s] = PICTURE_NONE;
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t star = c->edge_star[e];
        if (star == PICTURE_NONE) {
            g->edge_net[e] = add_net(g, e, BELOW);
            continue;
        }
        if (c->next[star] == PICTURE_NONE)
            c->next[star] = add_net(g, e, side_of(star));
        g->edge_net[e] = c->next[star];
    }
}

/*
 * Fills edge_net, net and nets from upper, lower and reversed, by a greedy cover with stars: the
 * star with the most edges that are in none yet becomes a net, as long as there is one with two. A
 * star has one node in common, all edges on the same side of it, of the same stroke, and all
 * reversed or none; of STROKE_ALL the node that needs them is in common. Where `bundle` is false
 * only stars count whose node has more than NETS_PORTS edges on that side; what is left is a net
 * for each edge.
 *
 * Nets are numbered by their first edge. O(nodes + edges).
 */
static int nets_make(struct layered *g, bool bundle)
{
    struct cover c = {.g = g};
    int result = prepare(&c);
    if (result == 0) {
        find_stars(&c);
        queue_stars(&c, bundle);
    }
    if (result == 0) {
        choose_stars(&c);
        number_nets(&c);
    }
    free(c.first);
    free(c.of);
    free(c.left);
    free(c.head);
    free(c.next);
    free(c.edge_star);
    return result;
}

/* ---- the picture's edges, downwards ---- */

static void turn_edges(struct layered *g)
{
    const struct picture *p = g->picture;
    g->upper = numbers(p->edges);
    g->lower = numbers(p->edges);
    g->reversed = xcalloc(p->edges + (size_t)1, 1);
    acyclic_find(p, g->reversed);
    for (uint32_t e = 0; e < p->edges; e++) {
        const struct picture_edge *edge = &p->edge[e];
        g->upper[e] = g->reversed[e] ? edge->to : edge->from;
        g->lower[e] = g->reversed[e] ? edge->from : edge->to;
    }
}

static int find_layers(struct layered *g)
{
    const struct picture *p = g->picture;
    g->layer = numbers(p->nodes);
    if (layering_find(p->nodes, p->edges, g->upper, g->lower, g->layer))
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

static void add_dummies(struct layered *g, const struct reach *reach)
{
    uint32_t nodes = g->picture->nodes;
    uint32_t *layer = xrealloc(g->layer, (g->points + (size_t)1) * sizeof(*layer));
    g->layer = layer;
    g->point_net = numbers(g->points);
    for (uint32_t v = 0; v < nodes; v++)
        g->point_net[v] = PICTURE_NONE;
    for (uint32_t n = 0; n < g->nets; n++)
        for (uint32_t l = reach[n].from + 1; l < reach[n].to; l++) {
            uint32_t dummy = reach[n].dummy + (l - reach[n].from - 1);
            g->layer[dummy] = l;
            g->point_net[dummy] = n;
        }
}

/* ---- the layers as they are made ---- */

/* A layer's points are counted two further on, and then its beginning one further on moves to where
 * it ends. */
static void fill_layers(struct layered *g)
{
    g->first = numbers(g->layers + (size_t)1);
    g->order = numbers(g->points);
    g->place = numbers(g->points);
    for (uint32_t i = 0; i < g->points; i++)
        g->first[g->layer[i] + 2]++;
    for (uint32_t l = 0; l < g->layers; l++)
        g->first[l + 2] += g->first[l + 1];
    for (uint32_t i = 0; i < g->points; i++)
        g->order[g->first[g->layer[i] + 1]++] = i;
    layered_place(g);
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
    list_segments(g, reach, other);
    sort_by(g, BY_NET, other, g->segment, first);
    sort_by(g, BY_LOWER, g->segment, other, first);
    sort_by(g, BY_UPPER, other, g->segment, first);
    free(other);
    free(first);
    return 0;
}

/* The segments of each point, in the order that they have. */
static void index_segments(struct layered *g)
{
    g->down_first = numbers(g->points + (size_t)1);
    g->up_first = numbers(g->points + (size_t)1);
    g->down_of = numbers(g->segments);
    g->up_of = numbers(g->segments);
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
}

/* ---- all of it ---- */

static int join_layers(struct layered *g)
{
    struct reach *reach = xcalloc(g->nets + (size_t)1, sizeof(*reach));
    int result = number_dummies(g, reach);
    if (result == 0) {
        add_dummies(g, reach);
        fill_layers(g);
        result = make_segments(g, reach);
    }
    free(reach);
    return result;
}

int layered_make(struct layered *g, const struct picture *p, bool bundle)
{
    *g = (struct layered){.picture = p};
    turn_edges(g);
    if (find_layers(g) || nets_make(g, bundle) || join_layers(g))
        return -1;
    index_segments(g);
    return 0;
}
