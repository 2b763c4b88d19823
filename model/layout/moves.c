/*
 * That every node can be reached: within a layer moves across the flow go to and fro. Two layers are joined where
 * some node of each can go nowhere along the flow but to the other, and so on with layers that are joined taken as
 * one, until nothing more joins. What is left is joined by jumps, in the order of the layers. So what is remembered
 * never matters.
 */
#include "model/layout/moves.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

static uint32_t upper_end(const struct layout *l, uint32_t edge)
{
    const struct picture_edge *e = &l->picture->edge[edge];
    return l->edge_reversed[edge] ? e->to : e->from;
}

static uint32_t lower_end(const struct layout *l, uint32_t edge)
{
    const struct picture_edge *e = &l->picture->edge[edge];
    return l->edge_reversed[edge] ? e->from : e->to;
}

/* Twice where its middle stands across the flow. */
static int64_t middle(const struct layout *l, uint32_t node)
{
    const struct layout_node *n = &l->node[node];
    return l->options.flow == FLOW_RIGHT ? 2 * (int64_t)n->row + n->height
                                         : 2 * (int64_t)n->column + n->width;
}

static uint64_t distance(const struct layout *l, uint32_t a, uint32_t b)
{
    int64_t d = middle(l, a) - middle(l, b);
    return (uint64_t)(d < 0 ? -d : d);
}

/* ---- edges by node ---- */

/* Rows of `to` by `from`. */
static void by_node(const struct layout *l, uint32_t (*from)(const struct layout *, uint32_t),
                    uint32_t (*to)(const struct layout *, uint32_t), uint32_t **first,
                    uint32_t **list)
{
    uint32_t nodes = l->picture->nodes, edges = l->picture->edges;
    *first = xcalloc((size_t)nodes + 2, sizeof(**first));
    *list = xmalloc(((size_t)edges + 1) * sizeof(**list));
    for (uint32_t e = 0; e < edges; e++)
        (*first)[from(l, e) + 2]++;
    for (uint32_t n = 0; n < nodes; n++)
        (*first)[n + 2] += (*first)[n + 1];
    for (uint32_t e = 0; e < edges; e++)
        (*list)[(*first)[from(l, e) + 1]++] = to(l, e);
}

/* ---- sets ---- */

static uint32_t set_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The least of a set stands for it. */
static bool join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = set_of(parent, a);
    b = set_of(parent, b);
    if (a == b)
        return false;
    parent[a > b ? a : b] = a > b ? b : a;
    return true;
}

static uint32_t *each_alone(uint32_t count)
{
    uint32_t *parent = xcalloc((size_t)count + 1, sizeof(*parent));
    for (uint32_t i = 0; i < count; i++)
        parent[i] = i;
    return parent;
}

/* ---- components ---- */

struct place {
    int64_t at;
    uint32_t set;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : (x->set > y->set) - (x->set < y->set);
}

/* Numbers the sets by where their first node stands across the flow. */
static void number_components(struct moves *m, uint32_t *parent)
{
    uint32_t nodes = m->layout->picture->nodes;
    struct place *place = xmalloc(((size_t)nodes + 1) * sizeof(*place));
    uint32_t *number = xmalloc(((size_t)nodes + 1) * sizeof(*number));
    for (uint32_t n = 0; n < nodes; n++) {
        place[n] = (struct place){middle(m->layout, n), set_of(parent, n)};
        number[n] = PICTURE_NONE;
    }
    qsort(place, nodes, sizeof(*place), compare_places);
    for (uint32_t i = 0; i < nodes; i++)
        if (number[place[i].set] == PICTURE_NONE)
            number[place[i].set] = m->components++;
    for (uint32_t n = 0; n < nodes; n++)
        m->component[n] = number[set_of(parent, n)];
    free(place);
    free(number);
}

static void find_components(struct moves *m)
{
    const struct picture *p = m->layout->picture;
    uint32_t *parent = each_alone(p->nodes);
    m->component = xcalloc((size_t)p->nodes + 1, sizeof(*m->component));
    for (uint32_t e = 0; e < p->edges; e++)
        join(parent, p->edge[e].from, p->edge[e].to);
    number_components(m, parent);
    free(parent);
}

/* ---- which layers are joined ---- */

struct way {
    uint32_t from, to; /* sets of layers */
};

static int compare_ways(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Where all these nodes are in layers of one set, and not in that of `node`: the way there. */
static void add_way(const struct moves *m, uint32_t *parent, uint32_t node, const uint32_t *first,
                    const uint32_t *list, struct way *ways, size_t *count)
{
    const struct layout *l = m->layout;
    uint32_t from = first[node], end = first[node + 1];
    if (from == end)
        return;
    uint32_t own = set_of(parent, l->node[node].layer);
    uint32_t to = set_of(parent, l->node[list[from]].layer);
    for (uint32_t i = from + 1; i < end; i++)
        if (set_of(parent, l->node[list[i]].layer) != to)
            return;
    if (to != own)
        ways[(*count)++] = (struct way){own, to};
}

/* Joins what has a way to and fro; was there any? `ways` has room for two of each node. */
static bool join_round(const struct moves *m, uint32_t *parent, struct way *ways)
{
    size_t count = 0;
    bool any = false;
    for (uint32_t n = 0; n < m->layout->picture->nodes; n++) {
        add_way(m, parent, n, m->after_first, m->after_to, ways, &count);
        add_way(m, parent, n, m->before_first, m->before_to, ways, &count);
    }
    qsort(ways, count, sizeof(*ways), compare_ways);
    for (size_t i = 0; i < count; i++) {
        struct way back = {ways[i].to, ways[i].from};
        if (bsearch(&back, ways, count, sizeof(*ways), compare_ways))
            any |= join(parent, back.from, back.to);
    }
    return any;
}

/* ---- jumps ---- */

static uint32_t end_of_layer(const struct layout *l, uint32_t layer, bool last)
{
    uint32_t from = l->layer_first[layer], end = l->layer_first[layer + 1];
    return l->layer_node[last ? end - 1 : from];
}

static bool is_empty(const struct layout *l, uint32_t layer)
{
    return l->layer_first[layer] == l->layer_first[layer + 1];
}

/* From the last of one layer on, and from the first of the other back. */
static void join_by_jumps(struct moves *m, uint32_t layer, uint32_t other)
{
    const struct layout *l = m->layout;
    m->jump[1][layer] = end_of_layer(l, other, false);
    m->jump[0][other] = end_of_layer(l, layer, true);
}

/* Each set with the one before it, by the least layers that they have. */
static void join_the_rest(struct moves *m, uint32_t *parent)
{
    const struct layout *l = m->layout;
    uint32_t before = PICTURE_NONE;
    for (uint32_t layer = 0; layer < l->layers; layer++) {
        if (is_empty(l, layer) || set_of(parent, layer) != layer)
            continue;
        if (before != PICTURE_NONE)
            join_by_jumps(m, before, layer);
        before = layer;
    }
}

static void find_jumps(struct moves *m)
{
    const struct layout *l = m->layout;
    uint32_t *parent = each_alone(l->layers);
    struct way *ways = xmalloc(((size_t)l->picture->nodes + 1) * 2 * sizeof(*ways));
    for (int side = 0; side < 2; side++) {
        m->jump[side] = xmalloc(((size_t)l->layers + 1) * sizeof(*m->jump[side]));
        for (uint32_t layer = 0; layer < l->layers; layer++)
            m->jump[side][layer] = PICTURE_NONE;
    }
    while (join_round(m, parent, ways))
        ;
    join_the_rest(m, parent);
    free(ways);
    free(parent);
}

/* ---- moving ---- */

static uint32_t *nowhere_yet(uint32_t nodes)
{
    uint32_t *last = xmalloc(((size_t)nodes + 1) * sizeof(*last));
    for (uint32_t n = 0; n < nodes; n++)
        last[n] = PICTURE_NONE;
    return last;
}

void moves_init(struct moves *m, const struct layout *l)
{
    *m = (struct moves){.layout = l};
    m->last_before = nowhere_yet(l->picture->nodes);
    m->last_after = nowhere_yet(l->picture->nodes);
    by_node(l, upper_end, lower_end, &m->after_first, &m->after_to);
    by_node(l, lower_end, upper_end, &m->before_first, &m->before_to);
    find_components(m);
    find_jumps(m);
}

void moves_release(struct moves *m)
{
    free(m->last_before);
    free(m->last_after);
    free(m->component);
    free(m->after_first);
    free(m->after_to);
    free(m->before_first);
    free(m->before_to);
    free(m->jump[0]);
    free(m->jump[1]);
    *m = (struct moves){0};
}

/* The neighbour that stands nearest across the flow; the first of several. */
static uint32_t nearest(const struct moves *m, uint32_t node, const uint32_t *first,
                        const uint32_t *list)
{
    const struct layout *l = m->layout;
    uint32_t best = node;
    for (uint32_t i = first[node]; i < first[node + 1]; i++) {
        uint32_t other = list[i];
        uint64_t is = distance(l, node, other), was = distance(l, node, best);
        if (best == node || is < was || (is == was && middle(l, other) < middle(l, best)))
            best = other;
    }
    return best;
}

static uint32_t along(const struct moves *m, uint32_t node, bool on)
{
    uint32_t last = on ? m->last_after[node] : m->last_before[node];
    if (last != PICTURE_NONE)
        return last;
    return on ? nearest(m, node, m->after_first, m->after_to)
              : nearest(m, node, m->before_first, m->before_to);
}

static uint32_t layers_between(const struct layout *l, uint32_t a, uint32_t b)
{
    uint32_t x = l->node[a].layer, y = l->node[b].layer;
    return x > y ? x - y : y - x;
}

/* The node of the next component that is nearest by layers, then across the flow; itself where there is none. */
static uint32_t in_next_component(const struct moves *m, uint32_t node, bool on)
{
    const struct layout *l = m->layout;
    uint32_t own = m->component[node], best = node;
    if (on ? own + 1 == m->components : own == 0)
        return node;
    for (uint32_t n = 0; n < l->picture->nodes; n++) {
        if (m->component[n] != (on ? own + 1 : own - 1))
            continue;
        uint32_t is = layers_between(l, node, n), was = layers_between(l, node, best);
        if (best == node || is < was ||
            (is == was && distance(l, node, n) < distance(l, node, best)))
            best = n;
    }
    return best;
}

static uint32_t across(const struct moves *m, uint32_t node, bool on)
{
    const struct layout *l = m->layout;
    const struct layout_node *n = &l->node[node];
    uint32_t from = l->layer_first[n->layer], end = l->layer_first[n->layer + 1];
    if (on ? from + n->place + 1 < end : n->place > 0)
        return l->layer_node[on ? from + n->place + 1 : from + n->place - 1];
    uint32_t jump = m->jump[on][n->layer];
    return jump != PICTURE_NONE ? jump : in_next_component(m, node, on);
}

static bool is_along(const struct moves *m, enum move move)
{
    bool sideways = move == MOVE_LEFT || move == MOVE_RIGHT;
    return sideways == (m->layout->options.flow == FLOW_RIGHT);
}

static bool goes_on(enum move move)
{
    return move == MOVE_RIGHT || move == MOVE_DOWN;
}

uint32_t moves_peek(const struct moves *m, uint32_t node, enum move move)
{
    return is_along(m, move) ? along(m, node, goes_on(move)) : across(m, node, goes_on(move));
}

uint32_t moves_go(struct moves *m, uint32_t node, enum move move)
{
    uint32_t to = moves_peek(m, node, move);
    if (to == node || !is_along(m, move))
        return to;
    bool on = goes_on(move);
    (on ? m->last_after : m->last_before)[node] = to;
    (on ? m->last_before : m->last_after)[to] = node;
    return to;
}
