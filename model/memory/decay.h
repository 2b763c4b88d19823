/*
 * Decay: how much of a confidence is left after a while without anything that bore it out. A view alone,
 * nothing is ever stored of it.
 *
 *   max(min(floor, base), base − rate · days / period)
 *
 * as Kernle has it (belief, episode, goal, relationship: 0.01 in 30 days, not below 0.5; value 0.005 in 60,
 * 0.7; note 0.015 in 30, 0.4; drive 0.005 in 60, 0.6). Other kinds do not decay, nor what is protected,
 * nor within a day. Kernle counts from when it was verified last.
 */
#ifndef STEMMA_DECAY_H
#define STEMMA_DECAY_H

#include "model/memory/memory.h"

struct decay {
    double base;   /* the confidence that is stored */
    double now;    /* what is left of it */
    double days;   /* since then, with their fraction */
    int64_t since; /* when it was last borne out: made, or its confidence changed. ms */
    double rate, period, floor;
    bool at_floor; /* `now` is the floor, not the difference */
};

/* False: it does not decay, and `out` says base and now alike. `now` in ms since the epoch. */
bool decay_at(struct decay *out, const struct memory *m, int64_t now);

/* The same sum for a person: "0.800 - 0.01 * 45.5 / 30 = 0.785". Of the digits shown
 * the last ones follow from the numbers before they were rounded. */
struct strbuf;
void decay_write(struct strbuf *out, const struct decay *d);

#endif
