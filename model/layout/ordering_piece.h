/*
 * What the parts of the ordering share: a piece of a layered graph, numbered so that the search for few crossings
 * touches little memory. For ordering*.c alone.
 *
 * A piece has points of its own, numbered layer by layer: those of layer l are first[l] .. first[l + 1] - 1. The
 * search exchanges points and asks what that costs. The answer is kept for each pair p, q of a layer:
 * piece_difference(p, q) is how many more pairs of their segments cross where p stands before q than where it stands
 * behind.
 */
#ifndef STEMMA_ORDERING_PIECE_H
#define STEMMA_ORDERING_PIECE_H

#include "model/base/arena.h"
#include "model/layout/layered.h"

enum piece_side {
    ABOVE = 0,
    BELOW,
    SIDES
};

/* A point was taken from `place`, which undoing puts it back to. */
struct piece_step {
    uint32_t point, place;
};

/* The points that it has segments to are piece.near[near[side] .. near[side + 1]] on either side, and near_net[] are
 * the nets of these. */
struct piece_point {
    uint32_t near[SIDES + 1], layer;
};

struct piece {
    struct arena arena; /* holds all of it */
    uint32_t points, layers, segments;
    uint32_t *first; /* [layers + 1] */
    uint32_t *named; /* [points] the layered graph's number */
    bool *fixed;     /* [points] keeps its order among those that are */

    struct piece_point *point; /* [points] */
    uint32_t *near, *near_net; /* [2 * segments] */
    uint32_t *net;             /* [points] a dummy's; PICTURE_NONE of a node */

    uint32_t *order, *place; /* as in struct layered */
    uint64_t crossings;      /* by that order */

    int32_t **row;           /* [points] row[p][q] is piece_difference; NULL: not known */
    struct piece_step *step; /* [steps_most] since it was cleared, so that it can be undone */
    uint32_t steps, steps_most;

    uint64_t work, bound; /* steps of the search, and how many it may take; about 2.5 ns each */
    uint64_t chance;      /* never 0 */
};

/*
 * The piece of `count` points of g, member[] by (layer, as they shall stand); `number` has room for g->points.
 * The caller calls piece_release in any case. Differences are not known before piece_weigh.
 */
void piece_make(struct piece *o, const struct layered *g, const uint32_t *member, uint32_t count,
                uint32_t *number);
void piece_release(struct piece *o);

/* Sets place[] by order[]. */
void piece_place(struct piece *o);
/* Sets `crossings` by the order; `tree` has room for the widest layer and one more. O(segments · log points). */
void piece_count(struct piece *o, uint32_t *tree);
uint32_t piece_widest(const struct piece *o);

/* Makes row[] by the order. False where the layers are too wide for it: then nothing can be searched. */
bool piece_weigh(struct piece *o);
/* Moves a point to another place of its layer; `crossings` and row[] follow. */
void piece_move(struct piece *o, uint32_t p, uint32_t to);
/* Takes back what was moved since there were so many steps. */
void piece_undo(struct piece *o, uint32_t steps);

static inline uint32_t piece_width(const struct piece *o, uint32_t layer)
{
    return o->first[layer + 1] - o->first[layer];
}

static inline uint32_t piece_degree(const struct piece *o, uint32_t p)
{
    return o->point[p].near[SIDES] - o->point[p].near[ABOVE];
}

static inline int32_t piece_difference(const struct piece *o, uint32_t p, uint32_t q)
{
    return o->row[p][q];
}

/* 0 .. below - 1, the same in every run (xorshift, Marsaglia 2003). */
static inline uint32_t piece_chance(struct piece *o, uint32_t below)
{
    o->chance ^= o->chance << 13;
    o->chance ^= o->chance >> 7;
    o->chance ^= o->chance << 17;
    return (uint32_t)(((o->chance >> 32) * below) >> 32);
}

/* ---- the steps of the search ---- */

/* ordering_start.c: sets the best order that sweeps of barycentres lead to from two starts. */
void starts_find(struct piece *o);

/* ordering_search.c: from the order as it stands to the best that the bound allows. */
void search_order(struct piece *o);

/* ordering_search.c: among orders that cross as often, one in which trunks cross little, and what is joined to the same
 * stands by nets and numbers. */
void tidy_order(struct piece *o);

#endif
