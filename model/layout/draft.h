/*
 * A layout while it is made, for model/layout alone. Across: along a layer; onward: from layer to
 * layer. Which of them is a column and which a row of the screen is decided at the end.
 */
#ifndef STEMMA_DRAFT_H
#define STEMMA_DRAFT_H

#include "model/layout/channels.h"
#include "model/layout/layout.h"

/* Cells that a drawing has at most either way, so that no sum of them overflows; one of more is
 * not made. */
#define MOST_CELLS (1 << 26)

/* A straight piece of a net's line, in half cells: 2 * cell is its centre, the odd ones next to it
 * its edges. */
struct layout_wire {
    uint32_t net;
    bool across;      /* it runs along a track; else onward */
    int32_t at;       /* the cell of the track, or of the column, that it is in; no half */
    int32_t from, to; /* half cells; from < to */
};

/* Where a wire meets a node: in the border, if there is one, else in the cell before or after the
 * node. */
struct layout_port {
    uint32_t wire;
    int32_t across, onward; /* its cell */
    bool after;             /* the line goes on from here; else it comes from before */
    bool border;
    bool arrow;
    bool twofold;
};

/* What of the wires one segment runs along. Those of an edge begin at its outer end and lead to
 * its net's centre. */
struct layout_leg {
    uint32_t near, far; /* the wires of its pins; the same where one faces the other */
    uint32_t trunk;     /* PICTURE_NONE there */
    uint32_t dogleg; /* the piece across, and the next wire leads on to the trunk; PICTURE_NONE */
    int32_t from, turn, to; /* half cells: of the near pin, of the dogleg's end, of the far pin */
    uint32_t next;          /* the leg towards the centre; PICTURE_NONE */
};

struct draft {
    struct layered g;
    struct layout_options options;
    struct layout *layout;   /* what is being filled */
    int32_t *size, *at;      /* [points] cells across */
    int32_t *before, *after; /* [points] first and last cell onward */
    uint8_t *border;         /* [picture's nodes] of a flat one: BORDER_… */
    int32_t *layer_from;     /* [layers] the first cell onward of each, and */
    int32_t *layer_to;       /* the last */
    uint32_t gaps;           /* between layers: gap i is after layer i */
    struct pin *pin;         /* by gap: near ones, far ones, each by `at` */
    uint32_t *pin_first;     /* [2 * gaps + 1] */
    struct trunk *trunk;     /* by gap, there by net */
    uint32_t *trunk_first;   /* [gaps + 1] */
    struct rows trunk_pins;  /* pins by GAP_SIDES * trunk + side, each by `at` */
    /* By side of the gap, enum gap_side: */
    uint32_t *ports[2];      /* [points] how many pins a point has there, and */
    uint32_t *point_pin[2];  /* the first of them */
    uint32_t *leg_pin[2];    /* [segments] */
    uint32_t *gap_first;     /* [gaps + 1] segments */
    struct channel *channel; /* [gaps] */
};

enum {
    BORDER_BEFORE = 1,
    BORDER_AFTER = 2,
    LEADS_BACK = 4, /* a reversed line leaves it */
};

/* A gap's near side is what is after the points of its layer, its far side what is before those
 * of the next one. */
enum gap_side {
    NEAR_SIDE = 0,
    FAR_SIDE,
    GAP_SIDES
};

static inline bool draft_is_node(const struct draft *d, uint32_t point)
{
    return point < d->g.picture->nodes;
}

/* The gap that a point's pins of a side are in. */
static inline uint32_t draft_gap(const struct draft *d, uint32_t point, enum gap_side side)
{
    return d->g.layer[point] - (side == FAR_SIDE);
}

/* Free cells between two points that follow each other in a layer. */
static inline int32_t draft_gap_between(const struct draft *d, uint32_t p, uint32_t q)
{
    bool down = d->options.flow == FLOW_DOWN;
    if (!down)
        return 0;
    return draft_is_node(d, p) && draft_is_node(d, q) && !d->options.boxed ? 2 : 1;
}

/* Ports of each point, pins and trunks of each gap, at a point by the mean place of what they lead to. O(segments · log). */
void ports_make(struct draft *d);

/* Does the segment's net lead to several points in its gap? */
bool draft_branches(const struct draft *d, uint32_t segment);

/*
 * Sets at[], the first cell of each point across, by the order as it stands. The least is 0. -1 if that is too wide.
 * O(points + segments · log).
 */
int coordinates_find(struct draft *d);

/* Pins slide along their nodes to where they cost least. O(segments). */
void ports_slide(struct draft *d);
/* What no node and no line onward takes up goes, but for the gap between two nodes; the first
 * cell is 0. O(points + pins + cells across). */
void points_close_up(struct draft *d);

/* Routes each gap, says where layers stand (before, after) and lays the wires. */
void wires_make(struct draft *d);

#endif
