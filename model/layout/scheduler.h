/* Trunks and doglegs of a channel as they are given tracks; for tracks.c and what it calls. */
#ifndef STEMMA_SCHEDULER_H
#define STEMMA_SCHEDULER_H

#include "model/layout/tracks.h"

/* A trunk or a dogleg as it is given a track. */
struct run {
    int32_t left, right;
    int32_t end;             /* the column up to which nobody else may share its track */
    uint32_t near, near_end; /* its columns there are column[near .. near_end], ascending */
    uint32_t far, far_end;   /* likewise */
    uint32_t parent;         /* of a dogleg: the trunk that it leads to; NO_TRUNK */
    uint32_t waits;          /* how many must be placed before it */
    bool queued;
    uint32_t slot; /* which one of those that it is weighed against */
    int32_t least; /* track, by those that are placed */
    int32_t track;
};

struct scheduler {
    struct channel *c;
    struct run *run; /* [runs] the channel's trunks, then its doglegs */
    uint32_t runs;
    int32_t *column;  /* [pins] near ones by run, then far ones by run */
    uint32_t *facing; /* of those near: the run whose far pin is in the same column; NO_TRUNK */
    uint32_t *dogleg; /* [channel's trunks] the run of its dogleg; NO_TRUNK */
    uint32_t *member; /* [runs] those that need a track, by (left, right, number) */
    /* Of at most CHANNEL_EXACT that are weighed against each other: */
    int64_t *regret; /* crossings more, for being nearer than those who would rather be */
    int64_t *sum;    /* crossings more or less, for being nearer than the rest */
    uint32_t *line;  /* their order */
    uint8_t *taken;  /* [2 * CHANNEL_EXACT] tracks */
    int32_t *gain;   /* gain[i, k]: crossings more if i is nearer than k */
};

/* Whether they may not share a track. */
static inline bool runs_meet(const struct run *a, const struct run *b)
{
    return a->left <= b->end && b->left <= a->end;
}

#endif
