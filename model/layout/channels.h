/*
 * Channels: the space between two layers, where nets turn. Each net has a trunk that runs across
 * on a track, and branches that join it to the pins on both sides of the channel.
 *
 * Tracks by list scheduling over exact counts of crossings, constrained where two branches share
 * a column, and packed from the left edge (Hashimoto and Stevens 1971); circles among the
 * constraints are broken by doglegs (Deutsch 1976).
 */
#ifndef STEMMA_CHANNELS_H
#define STEMMA_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/arena.h"

#define NO_TRACK (-1)

/* Where a net enters a channel or leaves it. */
struct pin {
    uint32_t point; /* the router does not look at it */
    uint32_t trunk; /* which one of the channel's */
    int32_t at;     /* the column; here and below: a cell across the layers */
    bool turned;    /* what the router says of a near one: its branch leads to the trunk's dogleg */
};

struct trunk {
    uint32_t net; /* the router does not look at it */
    /* What the router says. */
    int32_t left, right; /* the columns it reaches */
    int32_t track;       /* from 0 at the near side; NO_TRACK: one pin faces the other */
    /* Its dogleg: a nearer piece across that joins turned pins, and goes on to the trunk in
     * column `turn`. */
    int32_t turn_track; /* NO_TRACK: it has none */
    int32_t turn, turn_left, turn_right;
    bool turn_shared; /* a branch of its own, of a pin that is not turned, passes there anyway */
};

struct channel {
    struct arena *arena;    /* for what is needed while it is routed */
    struct pin *near, *far; /* [nears], [fars] each by `at`, no two with the same one */
    uint32_t nears, fars;
    struct trunk *trunk; /* [trunks] each with one pin on one side and one or more on the other */
    uint32_t trunks;
    bool ascii; /* corners do not say which way they open: nets keep clear of each other */
    /* What the router says. */
    int32_t tracks;
    uint32_t doglegs;
};

/*
 * Fills what it says. O(p log p) for p pins, and O(k²) for each run of k
 * trunks that overlap, where k is at most CHANNEL_EXACT; longer runs keep a cheaper order.
 */
void channel_route(struct channel *c);
#define CHANNEL_EXACT 400

#define NO_TRUNK UINT32_MAX

/* tracks.c: fills track, turn_track and tracks, where doglegs have their columns and so no circle is left
 * among the constraints. */
void tracks_find(struct channel *c);

#endif
