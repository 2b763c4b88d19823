/*
 * A spanning tree of the edges that are as short as they may be, as network simplex changes it: an
 * edge is exchanged for another, and a subtree hangs elsewhere.
 *
 * The tree's own root is no node; below it hang, by no edge, the nodes from which what is joined by
 * short edges was gathered. In preorder a subtree is one run of a circular list, so that it is
 * walked, cut out and put in elsewhere without looking at what is in it.
 */
#ifndef STEMMA_SPANNING_H
#define STEMMA_SPANNING_H

#include <stdint.h>
#include "model/layout/rank/simplex.h"

/* How a node hangs on its parent. */
enum hangs {
    HANGS_FREELY = 0, /* by no edge */
    HANGS_BELOW,      /* by an edge from its parent */
    HANGS_ABOVE,      /* by an edge to its parent */
};

struct spanning {
    uint32_t root; /* the number of nodes */
    /* [nodes + 1] */
    uint32_t *parent;
    uint8_t *hangs;
    uint32_t *next, *previous; /* in preorder; the last is followed by the first */
    uint32_t *last;            /* of its subtree */
    uint32_t *size;            /* of its subtree */
    int64_t *pull; /* edges that leave its subtree downwards, less those that come in from above */
};

/* height[] as in simplex.h; an edge is short where it goes no further down than it must. -1 where
 * memory ran out; spanning_release follows in any case. O(nodes + edges). */
int spanning_make(struct spanning *t, const struct rows *r, enum heights heights,
                  const int64_t *height);
void spanning_release(struct spanning *t);

/*
 * Hangs the subtree of `top` on `parent`, which is outside of it, by `node`, which is inside and
 * becomes its top. Returns how many nodes it went through: O(depth).
 */
uint64_t spanning_exchange(struct spanning *t, uint32_t top, uint32_t node, uint32_t parent,
                           enum hangs hangs);

#endif
