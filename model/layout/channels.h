/*
 * Channels: the space between two layers, where nets turn. Each net has a trunk that runs across on
 * a track, and branches from it to the pins on both sides of the channel.
 *
 * Tracks are found by list scheduling with exact counts of crossings, under the constraint of
 * branches that share a column, and packed from the left edge (Hashimoto and Stevens 1971). Doglegs
 * break cycles of constraints (Deutsch 1976).
 */
#ifndef STEMMA_CHANNELS_H
#define STEMMA_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/arena.h"

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

/*
 * Sets the output members of pins, trunks and channel. O(p log p) for p pins, and O(k²) for each
 * run of k trunks that overlap, for k up to CHANNEL_EXACT; a longer run gets a cheaper order.
 */
void channel_route(struct channel *c);
#define CHANNEL_EXACT 400

#define NO_TRUNK UINT32_MAX

/* In tracks.c: sets track, turn_track and tracks. Doglegs must have their columns, so that the
 * constraints have no cycle. */
void tracks_find(struct channel *c);

#endif
