/*
 * Where points stand across their layers: Brandes and Köpf 2001, with the block graph in place of
 * classes; then they settle.
 */
#ifndef STEMMA_COORDINATES_H
#define STEMMA_COORDINATES_H

#include "model/layout/layered.h"

/* What takes up how much, in cells. */
struct widths {
    const int32_t *size; /* [points] at least 1 */
    int32_t gap_nodes;   /* between two nodes of a layer, at least */
    int32_t gap_dummies; /* where either is a dummy */
    int32_t wall;        /* at either end of a node, where it has no ports */
};

static inline int32_t widths_between(const struct layered *g, const struct widths *w, uint32_t p,
                                     uint32_t q)
{
    bool nodes = p < g->picture->nodes && q < g->picture->nodes;
    return nodes ? w->gap_nodes : w->gap_dummies;
}

/*
 * at[point] is the first cell of a point, by the order as it stands: in each layer every point
 * begins at least a gap beyond the end of the one before. The least is 0. -1 if
 * what is drawn is wider than INT32_MAX. O(points + segments · log).
 */
int coordinates_find(const struct layered *g, const struct widths *w, int32_t *at);

#endif
