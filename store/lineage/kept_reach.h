/*
 * What some rows reach, as it was found before (reach.h): a sweep that comes upon such a row takes all of that at once,
 * so that of a long history only what came since is walked over. Kept are rows of which much had to be passed one by one.
 *
 * It belongs to kept_links, whose walks reach it while they hold its lock. What a row rests on holds for as long as a
 * label does, what rests on it until the next event. 256 KB at most.
 */
#ifndef STEMMA_KEPT_REACH_H
#define STEMMA_KEPT_REACH_H

#include "store/lineage/reach.h"

#define KEPT_REACH_SLOTS 256 /* a row has one place: what falls on it later takes it over */

/* The bits of what is reached, without those blocks where nothing is. */
struct reach_set {
    int64_t row; /* 0: empty */
    enum direction direction;
    uint32_t epoch;
    int64_t seq;
    int64_t top;   /* of the places */
    uint64_t last; /* the furthest */
    size_t blocks, back_count;
    struct reach_block {
        size_t number;
        uint64_t bits[REACH_WORDS];
    } * block;     /* [blocks] */
    int64_t *back; /* [back_count] as struct reach has them */
};

struct kept_reach {
    size_t bytes, hand;
    struct reach_set set[KEPT_REACH_SLOTS];
};
void kept_reach_release(struct kept_reach *k);

/* NULL: it is not kept, or does not hold at the walk's moment, or has places of its own. */
const struct reach_set *kept_reach_set(const struct links_walk *w, const struct reach *reach,
                                       int64_t row);
/* The row's, complete. Where there is no memory for it, it is not kept. */
void kept_reach_keep(const struct links_walk *w, const struct reach *reach, int64_t row);

#endif
