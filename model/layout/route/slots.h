/* Which port of a node each segment has, before ports have cells. */
#ifndef STEMMA_SLOTS_H
#define STEMMA_SLOTS_H

#include "model/layout/layered.h"

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

/* slot[end][segment], by the order as it stands. -1 where memory ran out. O(segments · log). */
int slots_find(const struct layered *g, struct slot *const slot[2]);

#endif
