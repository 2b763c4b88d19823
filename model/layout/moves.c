#include "model/layout/moves.h"

#include <string.h>
#include "model/layout/rows.h"

/* Twice the middle of the node across the flow. */
static int64_t middle(const struct layout *l, uint32_t node)
{
    const struct layout_node *n = &l->node[node];
    return l->options.flow == FLOW_RIGHT ? 2 * (int64_t)n->row + n->height
                                         : 2 * (int64_t)n->column + n->width;
}

static int64_t distance(const struct layout *l, uint32_t a, uint32_t b)
{
    int64_t d = middle(l, a) - middle(l, b);
    return d < 0 ? -d : d;
}

/* The node that has the edge on its side `side`. */
static uint32_t owner(const struct layout *l, uint32_t edge, int side)
{
    const struct picture_edge *e = &l->picture->edge[edge];
    return (side == MOVES_AFTER) != (l->edge_reversed[edge] != 0) ? e->to : e->from;
}

void moves_init(struct moves *m, const struct layout *l)
{
    uint32_t nodes = l->picture->nodes, edges = l->picture->edges;
    *m = (struct moves){.layout = l};
    uint32_t *owners = arena_array(&m->arena, (size_t)edges + 1, sizeof(*owners));
    for (int side = 0; side < MOVES_SIDES; side++) {
        struct rows rows;
        m->last[side] = arena_array(&m->arena, (size_t)nodes + 1, sizeof(**m->last));
        memset(m->last[side], 0xff, nodes * sizeof(**m->last));
        for (uint32_t e = 0; e < edges; e++)
            owners[e] = owner(l, e, side);
        rows_make(&rows, &m->arena, nodes, edges, owners, sizeof(*owners));
        m->first[side] = rows.first;
        m->edge[side] = rows.item;
    }
}

void moves_release(struct moves *m)
{
    arena_release(&m->arena);
    *m = (struct moves){.layout = NULL};
}

/* The neighbour of the last move on that side, or else the nearest across the flow, the first of
 * several. */
static uint32_t along(const struct moves *m, uint32_t node, int side)
{
    const struct layout *l = m->layout;
    uint32_t best = m->last[side][node];
    if (best != PICTURE_NONE)
        return best;
    best = node;
    for (uint32_t i = m->first[side][node]; i < m->first[side][node + 1]; i++) {
        uint32_t other = moves_other(m, m->edge[side][i], node);
        int64_t is = distance(l, node, other), was = distance(l, node, best);
        if (best == node || is < was || (is == was && middle(l, other) < middle(l, best)))
            best = other;
    }
    return best;
}

static uint32_t across(const struct moves *m, uint32_t node, int side)
{
    uint32_t at = moves_line(m, node), last = m->layout->picture->nodes - 1;
    if (side == MOVES_AFTER ? at == last : at == 0)
        return node;
    return m->layout->layer_node[side == MOVES_AFTER ? at + 1 : at - 1];
}

static bool is_along(const struct moves *m, enum move move)
{
    bool sideways = move == MOVE_LEFT || move == MOVE_RIGHT;
    return sideways == (m->layout->options.flow == FLOW_RIGHT);
}

static int side_of(enum move move)
{
    return move == MOVE_RIGHT || move == MOVE_DOWN ? MOVES_AFTER : MOVES_BEFORE;
}

uint32_t moves_peek(const struct moves *m, uint32_t node, enum move move)
{
    return is_along(m, move) ? along(m, node, side_of(move)) : across(m, node, side_of(move));
}

uint32_t moves_go(struct moves *m, uint32_t node, enum move move)
{
    uint32_t to = moves_peek(m, node, move);
    if (to == node || !is_along(m, move))
        return to;
    int side = side_of(move);
    m->last[side][node] = to;
    m->last[!side][to] = node;
    return to;
}
