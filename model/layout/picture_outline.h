/*
 * A picture as an outline: a tree of lines with references, for what is too narrow or too large for
 * a drawing, for screen readers and for files.
 */
#ifndef STEMMA_PICTURE_OUTLINE_H
#define STEMMA_PICTURE_OUTLINE_H

#include "model/layout/picture.h"

struct picture_line {
    uint32_t node;
    uint32_t edge;    /* that leads here; PICTURE_NONE at a root */
    uint32_t parent;  /* the line above in the tree; PICTURE_NONE */
    uint32_t depth;   /* 0 at a root */
    uint32_t first;   /* the line where the node stands with all that is below it: its own, or one
                         before */
    uint32_t below;   /* how many lines stand below `first` in the tree */
    uint32_t parents; /* edges that lead to the node: ×k where there are several */
    bool again, circle,
        last; /* it refers to `first`; that is on its own path; the last of its siblings */
};

struct picture_outline {
    struct picture_line *line; /* [count] roots + edges; fewer than UINT32_MAX */
    size_t count;
};

/*
 * Depth first from `root`, or where that is PICTURE_NONE from each node that nothing rests on and
 * from one of each circle that is reached from none of these, the first of it by the picture's
 * order; then what is not reached yet likewise. `down`: along the edges; else against them.
 * Children by the picture's order. A node's first line has its children below it, so that each edge
 * stands on one line, and a line that refers has none below.
 *
 * Iterative, O(nodes + edges). -1 where memory ran out; picture_outline_release follows in any
 * case.
 */
int picture_outline_make(struct picture_outline *o, const struct picture *p, uint32_t root,
                         bool down);
void picture_outline_release(struct picture_outline *o);

#endif
