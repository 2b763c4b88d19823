/* Where the arrow keys lead in a drawing. */
#ifndef STEMMA_MOVES_H
#define STEMMA_MOVES_H

#include "model/layout/layout.h"

enum move {
    MOVE_LEFT = 0,
    MOVE_RIGHT,
    MOVE_UP,
    MOVE_DOWN,
};

/*
 * Along the flow a move goes along an edge to the neighbour that stands nearest across it, and back the way it came
 * where it came that way. Across the flow it goes to the node beside it in its layer, and at the layer's end to the
 * nearest of the next component, where there is one.
 *
 * Whatever the drawing, and whatever is remembered, every node can be reached from every other. Layers are not
 * always joined by edges that must be taken; where they are not, a move across the flow leads from the end of one to
 * the other (`jump`).
 */
struct moves {
    const struct layout *layout; /* the caller's, who keeps it */
    /* [nodes] the neighbour that it was left for, or entered from, last; PICTURE_NONE. */
    uint32_t *last_before, *last_after;
    uint32_t *component; /* [nodes] numbered as they follow each other across the flow */
    uint32_t components;
    /* Edges by node both ways, as they are drawn: those of node v that go on are
     * after_to[after_first[v] .. after_first[v + 1]]. */
    uint32_t *after_first, *after_to, *before_first, *before_to;
    /* [layers] where a move from its last (jump[1]) or first node (jump[0]) leads; PICTURE_NONE: by components. */
    uint32_t *jump[2];
};

/* The caller calls moves_release in any case. */
void moves_init(struct moves *m, const struct layout *l);
void moves_release(struct moves *m);

/* Where the move leads from `node`; `node` itself where it leads nowhere. */
uint32_t moves_peek(const struct moves *m, uint32_t node, enum move move);
/* The same, and it is remembered for the way back. */
uint32_t moves_go(struct moves *m, uint32_t node, enum move move);

#endif
