/*
 * A layout while it is made, for model/layout alone. Across: along a layer; onward: from layer to layer. Which of them is
 * a column and which a row of the screen is decided at the end.
 */
#ifndef STEMMA_DRAFT_H
#define STEMMA_DRAFT_H

#include "channels.h"
#include "layout.h"

/* A straight piece of a net's line, in half cells: 2 * cell is its centre, the odd ones beside it its edges. */
struct layout_wire {
    uint32_t net;
    bool across;      /* it runs along a track; else onward */
    int32_t at;       /* the cell of the track, or of the column, that it is in; no half */
    int32_t from, to; /* half cells; from < to */
};

/* Where a wire meets a node: in the border, if there is one, else in the cell before or after the node. */
struct layout_port {
    uint32_t wire;
    int32_t across, onward; /* its cell */
    bool after;             /* the line goes on from here; else it comes from before */
    bool border;
    bool arrow;
    bool twofold;
};

/* What of the wires one segment runs along. Those of an edge begin at its outer end and lead to its net's centre. */
struct layout_leg {
    uint32_t near, far; /* the wires of its pins; the same where one faces the other */
    uint32_t trunk;     /* PICTURE_NONE there */
    int32_t from, to;   /* half cells on the trunk */
    bool dogleg;        /* the wires near + 1 and near + 2 too */
    uint32_t next;      /* the leg towards the centre; PICTURE_NONE */
};

struct draft {
    struct layered g;
    struct layout_options options;
    struct layout *layout;   /* what is being filled */
    int32_t *size, *at;      /* [points] cells across */
    int32_t *before, *after; /* [points] first and last cell onward */
    uint8_t *border;         /* [picture's nodes] of a flat one: BORDER_… */
    uint32_t *ports[2];      /* [points] nets that it has before it, and after it */
    int32_t *layer_from;     /* [layers] the first cell onward of each, and */
    int32_t *layer_to;       /* the last */
    uint32_t gaps;           /* between layers: gap i is after layer i */
    struct pin *pin;         /* by gap: near ones, far ones, each by `at` */
    uint32_t *pin_first;     /* [2 * gaps + 1] */
    struct trunk *trunk;     /* by gap, there by net */
    uint32_t *trunk_first;   /* [gaps + 1] */
    uint32_t *leg_pin[2];    /* [segments] near and far pin */
    uint32_t *gap_first;     /* [gaps + 1] segments */
    struct channel *channel; /* [gaps] */
};

enum {
    BORDER_BEFORE = 1,
    BORDER_AFTER = 2,
};

/* Counts, for sizes, the ports of each point on either side: draft.ports. -1 where memory ran out. */
int ports_count(struct draft *d);
/* Pins and trunks of each gap; pins slide along their nodes towards what they lead to, so that many lines are straight.
 * -1 where memory ran out. O(segments · log). */
int ports_make(struct draft *d);

/* Routes each gap, says where layers stand (before, after) and lays the wires. -1 where memory ran out. */
int wires_make(struct draft *d);

#endif
