/*
 * Where points stand across their layers: Brandes and Köpf 2001, with the block graph in place of
 * classes; then they settle (settling.h).
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

/* Blocks: points of layers that follow each other, which are to stand in a line (Brandes and Köpf
 * 2001). */

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

void alignment_release(struct alignment *a);

/* Which port of a node each segment has, before ports have cells. */

/* Of a segment at one of its ends: the nets on that side of the point stand by the mean place of
 * what they lead to. */
struct slot {
    uint32_t number, count; /* which of how many nets its own is there */
    bool forks;             /* its net leads to several from there */
};

enum slot_end {
    SLOT_UPPER = 0,
    SLOT_LOWER,
};

/* Points moved across their layers to where lines can be straight, or are short. */

/*
 * at[point] is the first cell of each, far enough apart; they stay so, in their order. Each point,
 * or run of a net's dummies in one line, goes where the lines that leave it bend and measure least,
 * as long as the others stand where they do; a few times over. Ports have no cells yet: a line can
 * be straight where the cells that are left for its ports, beside those of other nets, have one in
 * common. It takes a tenth to a third of all bends, and a tenth of all cells. O(points + segments · log).
 */
void points_settle(const struct layered *g, const struct widths *w, int64_t *at);

#endif
