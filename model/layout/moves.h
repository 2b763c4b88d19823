/* Where the arrow keys lead in a drawing, and the edges of each of its nodes. */
#ifndef STEMMA_MOVES_H
#define STEMMA_MOVES_H

#include "model/layout/layout.h"

enum move {
    MOVE_LEFT = 0,
    MOVE_RIGHT,
    MOVE_UP,
    MOVE_DOWN,
};

/* On which side of a node its edges lead on, as they are drawn. */
enum moves_side {
    MOVES_BEFORE = 0,
    MOVES_AFTER,
    MOVES_SIDES
};

/*
 * Along the flow a move goes along an edge to the neighbour that stands nearest across it, and back the way it came
 * where it came that way. Across the flow it goes through all nodes, layer by layer, as lines of a text are read; so
 * every node can be reached from every other.
 */
struct moves {
    struct arena arena;          /* holds all of it */
    const struct layout *layout; /* the caller's, who keeps it */
    /* [nodes] by side: the neighbour that it was left for, or entered from, last; PICTURE_NONE. */
    uint32_t *last[MOVES_SIDES];
    /* Edges by side: those of node v are edge[side][first[side][v] .. first[side][v + 1]]. */
    uint32_t *first[MOVES_SIDES], *edge[MOVES_SIDES];
};

/* The caller calls moves_release in any case. */
void moves_init(struct moves *m, const struct layout *l);
void moves_release(struct moves *m);

/* The node at the other end of an edge. */
static inline uint32_t moves_other(const struct moves *m, uint32_t edge, uint32_t node)
{
    const struct picture_edge *e = &m->layout->picture->edge[edge];
    return e->from == node ? e->to : e->from;
}

/* The node's place among all of them, layer by layer: that in layer_node. */
static inline uint32_t moves_line(const struct moves *m, uint32_t node)
{
    const struct layout_node *n = &m->layout->node[node];
    return m->layout->layer_first[n->layer] + n->place;
}

/* Where the move leads from `node`; `node` itself where it leads nowhere. */
uint32_t moves_peek(const struct moves *m, uint32_t node, enum move move);
/* The same, and it is remembered for the way back. */
uint32_t moves_go(struct moves *m, uint32_t node, enum move move);

#endif
