/*
 * A layout under construction, private to model/layout. "Across" means along a layer, "onward" from
 * layer to layer. Only the last step maps these to columns and rows of the screen.
 */
#ifndef STEMMA_DRAFT_H
#define STEMMA_DRAFT_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/layout/layout.h"

/* The most cells of a drawing in either direction, so that no sum of them overflows. A larger
 * drawing is rejected. */
#define MOST_CELLS (1 << 26)

/* ---- channels: tracks.c routes them for wires.c ---- */

#define NO_TRACK (-1)

/* Where a net enters or leaves a channel. */
struct pin {
    uint32_t point; /* not read by the router */
    uint32_t trunk; /* its index in channel.trunk */
    int32_t at;     /* its column: a cell across, here and below */
    bool turned;    /* output, for near pins: its branch leads to the trunk's dogleg */
};

struct trunk {
    uint32_t net; /* not read by the router */
    /* Output of the router: */
    int32_t left, right; /* the columns that it reaches */
    int32_t track;       /* from 0 at the near side; NO_TRACK if its two pins face each other */
    /* Its dogleg: a wire across on a nearer track that joins the turned pins, and continues to
     * the trunk in column `turn`. */
    int32_t turn_track; /* NO_TRACK without a dogleg */
    int32_t turn, turn_left, turn_right;
    bool turn_shared; /* a branch of an unturned pin of this trunk uses that column too */
};

struct channel {
    struct arena *arena;    /* for temporary data of the router */
    struct pin *near, *far; /* [nears], [fars] each sorted by `at`, which is unique */
    uint32_t nears, fars;
    struct trunk *trunk; /* [trunks] each with one pin on one side and one or more on the other */
    uint32_t trunks;
    bool ascii; /* ASCII corners do not show which way they open, so nets keep a distance */
    /* Output of the router: */
    int32_t tracks;
    uint32_t doglegs;
};

#define CHANNEL_EXACT 400

#define NO_TRUNK UINT32_MAX

/* In tracks.c: sets track, turn_track and tracks. Doglegs must have their columns, so that the
 * constraints have no cycle. */
void tracks_find(struct channel *c);

/* ---- the draft ---- */

/* A straight part of a net's line. In half cells, 2 * cell is the centre of a cell and the odd
 * numbers next to it are its edges. */
struct layout_wire {
    uint32_t net;
    bool across;      /* runs along a track; otherwise onward */
    int32_t at;       /* the cell (not half cell) of its track or column */
    int32_t from, to; /* half cells; from < to */
};

/* Where a wire meets a node: in the border if there is one, otherwise in the cell before or
 * after the node. */
struct layout_port {
    uint32_t wire;
    int32_t across, onward; /* its cell */
    bool after;             /* on the side after the node; otherwise before it */
    bool border;            /* drawn in the node's border */
    bool arrow;             /* ◄ or ▲: the line is reversed */
    bool twofold;           /* ╟ or ╤: a line of STROKE_ALL */
};

/* The parts of wires along which one segment runs. The legs of an edge begin at its outer end
 * and lead to the centre of its net. */
struct layout_leg {
    uint32_t near, far; /* the wires of its pins; the same wire if the pins face each other */
    uint32_t trunk;     /* PICTURE_NONE if the pins face each other */
    /* the wire across; the next wire leads from it to the trunk. PICTURE_NONE without a dogleg */
    uint32_t dogleg;
    int32_t from, turn, to; /* half cells of the near pin, the end of the dogleg, the far pin */
    uint32_t next;          /* the next leg towards the centre; PICTURE_NONE at the centre */
};

struct draft {
    struct layered g;
    struct layout_options options;
    struct layout *layout;   /* the layout that is being filled */
    int32_t *size, *at;      /* [points] width and first cell, across */
    int32_t *before, *after; /* [points] first and last cell onward */
    uint8_t *border;         /* [picture's nodes] BORDER_… of a flat drawing */
    int32_t *layer_from;     /* [layers] the first cell onward of each */
    int32_t *layer_to;       /* [layers] the last cell */
    uint32_t gaps;           /* the spaces between layers: gap i is after layer i */
    struct pin *pin;         /* by gap: near ones, then far ones, each sorted by `at` */
    uint32_t *pin_first;     /* [2 * gaps + 1] */
    struct trunk *trunk;     /* by gap, and in a gap by net */
    uint32_t *trunk_first;   /* [gaps + 1] */
    struct rows trunk_pins;  /* pins by GAP_SIDES * trunk + side, sorted by `at` */
    /* Indexed by the side of the gap, enum gap_side: */
    uint32_t *ports[2];      /* [points] the number of a point's pins there */
    uint32_t *point_pin[2];  /* the first of these pins */
    uint32_t *leg_pin[2];    /* [segments] */
    uint32_t *gap_first;     /* [gaps + 1] into segments */
    struct channel *channel; /* [gaps] */
};

/* Bits of draft.border. */
enum {
    BORDER_BEFORE = 1,
    BORDER_AFTER = 2,
    LEADS_BACK = 4, /* a reversed line leaves the node */
};

/* The near side of a gap is after the points of its layer, the far side before the points of the
 * next layer. */
enum gap_side {
    NEAR_SIDE = 0,
    FAR_SIDE,
    GAP_SIDES
};

static inline bool draft_is_node(const struct draft *d, uint32_t point)
{
    return point < d->g.picture->nodes;
}

/* The gap of a point's pins on that side. */
static inline uint32_t draft_gap(const struct draft *d, uint32_t point, enum gap_side side)
{
    return d->g.layer[point] - (side == FAR_SIDE);
}

/* The free cells between two neighbours in a layer. */
static inline int32_t draft_gap_between(const struct draft *d, uint32_t p, uint32_t q)
{
    bool nodes = draft_is_node(d, p) && draft_is_node(d, q), flat = !d->options.boxed;
    if (d->options.flow == FLOW_DOWN)
        return nodes && flat ? 2 : 1;
    /* Otherwise lines of two labels would look like those of one. */
    return nodes && flat &&
           (picture_lines(&d->g.picture->node[p]) > 1 || picture_lines(&d->g.picture->node[q]) > 1);
}

/* Makes the ports of each point and the pins and trunks of each gap. The pins of a point are
 * sorted by the mean place of their targets. O(segments · log). */
void ports_make(struct draft *d);

/* Does the segment's net lead to several points in its gap? */
bool draft_branches(const struct draft *d, uint32_t segment);

/*
 * Sets at[], the first cell of each point across, for the current order. The least is 0. Returns -1
 * if the drawing is too wide. O(points + segments · log).
 */
int coordinates_find(struct draft *d);

/* Slides pins along their nodes to the cells of least cost. O(segments). */
void ports_slide(struct draft *d);
/* Removes cells across that no node and no line onward uses, except the gap between two nodes.
 * The first cell is 0. O(points + pins + cells across). */
void points_close_up(struct draft *d);

/* Routes each gap, places the layers (before, after) and makes the wires. */
void wires_make(struct draft *d);

#endif
