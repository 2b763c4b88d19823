/* Blocks: points of layers that follow each other, which are to stand in a line (Brandes and Köpf 2001). */
#ifndef STEMMA_ALIGNMENT_H
#define STEMMA_ALIGNMENT_H

#include "layered.h"

struct alignment {
    const struct layered *g;
    /* [segments] numbers of a point's segments, by the place of their other ends; rows as up_first and down_first */
    uint32_t *up, *down;
    uint8_t
        *crossed; /* [segments] it crosses one between two dummies, and is not such a one itself */
};

/* By the order as it stands. -1 where memory ran out; alignment_release follows in any case. O(points + segments). */
int alignment_make(struct alignment *a, const struct layered *g);
void alignment_release(struct alignment *a);

/*
 * Each point is aligned with the median of its neighbours in the layer before it, if that one is free and no block is
 * crossed: going down (the layer before is the upper one) or up, the points of a layer from the first to the last or from the last
 * to the first, who takes a place first having it. root[point] is the first of its block, next[point] the one after it in its block
 * or PICTURE_NONE. O(points).
 */
void alignment_find(const struct alignment *a, bool down, bool forward, uint32_t *root,
                    uint32_t *next);

#endif
