/* Moving in a drawing with the arrow keys, and the edges of each node. */
#ifndef STEMMA_MOVES_H
#define STEMMA_MOVES_H

#include "model/layout/layout.h"

enum move {
    MOVE_LEFT = 0,
    MOVE_RIGHT,
    MOVE_UP,
    MOVE_DOWN,
};

/* The side of a node where an edge is drawn. */
enum moves_side {
    MOVES_BEFORE = 0,
    MOVES_AFTER,
    MOVES_SIDES
};

/*
 * A move along the flow follows an edge to the neighbour that is nearest across the flow, or goes
 * back to the neighbour from which the last move came. Moves across the flow go through all nodes,
 * layer by layer, like reading the lines of a text; so every node can be reached from every other.
 */
struct moves {
    struct arena arena;          /* owns everything below */
    const struct layout *layout; /* owned by the caller; must outlive this */
    /* [nodes] by side: the neighbour of the last move there, in either direction; PICTURE_NONE
     * if none. */
    uint32_t *last[MOVES_SIDES];
    /* Edges by side: node v has edge[side][first[side][v] .. first[side][v + 1]]. */
    uint32_t *first[MOVES_SIDES], *edge[MOVES_SIDES];
};

/* `l` must outlive `m`. Call moves_release. */
void moves_init(struct moves *m, const struct layout *l);
void moves_release(struct moves *m);

/* The node at the other end of an edge. */
static inline uint32_t moves_other(const struct moves *m, uint32_t edge, uint32_t node)
{
    const struct picture_edge *e = &m->layout->picture->edge[edge];
    return e->from == node ? e->to : e->from;
}

/* The index of the node in layer_node: its place among all nodes, layer by layer. */
static inline uint32_t moves_line(const struct moves *m, uint32_t node)
{
    const struct layout_node *n = &m->layout->node[node];
    return m->layout->layer_first[n->layer] + n->place;
}

/* The target of the move from `node`, or `node` itself if there is none. */
uint32_t moves_peek(const struct moves *m, uint32_t node, enum move move);
/* The same, and remembers it for the way back. */
uint32_t moves_go(struct moves *m, uint32_t node, enum move move);

#endif
