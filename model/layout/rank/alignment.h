/* Blocks: points of layers that follow each other, which are to stand in a line (Brandes and Köpf
 * 2001). */
#ifndef STEMMA_ALIGNMENT_H
#define STEMMA_ALIGNMENT_H

#include "model/layout/layered.h"

struct alignment {
    const struct layered *g;
    /* [segments] numbers of a point's segments, by the place of their other ends; rows as up_first
     * and down_first */
    uint32_t *up, *down;
    /* [points] the inner segment above or below, which is one between two dummies; PICTURE_NONE. A
     * dummy has at most one on each side: its net has one dummy in a layer. */
    uint32_t *inner_up, *inner_down;
    /* [segments] it crosses an inner segment, or has an end in common with one, and is none */
    uint8_t *gives_way;
};

/*
 * By the order as it stands. So that long edges are straight, the inside of one is aligned before
 * all that it meets, whatever else its dummies lead to. -1 where memory ran out; alignment_release
 * follows in any case. O(points + segments).
 */
int alignment_make(struct alignment *a, const struct layered *g);
void alignment_release(struct alignment *a);

/*
 * Each point is aligned with the other end of its inner segment, or else with the median of its
 * neighbours, in the layer before, if that one is free and no block is crossed. `down`: the layer
 * before is the upper one; `forward`: the first in a layer chooses first. root[point] is the first
 * of its block, next[point] the one after it in its block or PICTURE_NONE. O(points).
 */
void alignment_find(const struct alignment *a, bool down, bool forward, uint32_t *root,
                    uint32_t *next);

#endif
