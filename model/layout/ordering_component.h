/*
 * Shared by ordering*.c only: a connected component of a layered graph, or a whole graph, numbered
 * so that the search for few crossings is local in memory.
 *
 * Its points are numbered layer by layer: layer l has the points first[l] .. first[l + 1] - 1. The
 * search exchanges points and needs the cost of each exchange. It is cached for each pair p, q of a
 * layer: component_difference(p, q) is the number of crossings between their segments if p is
 * before q, minus that if q is before p.
 */
#ifndef STEMMA_ORDERING_COMPONENT_H
#define STEMMA_ORDERING_COMPONENT_H

#include "model/base/arena.h"
#include "model/layout/layered.h"

enum component_side {
    ABOVE = 0,
    BELOW,
    SIDES
};

/* A move of a point away from `place`; undo puts it back there. */
struct component_step {
    uint32_t point, place;
};

/* On each side its segments lead to the points component.near[near[side] .. near[side + 1]], and
 * near_net[] has their nets. */
struct component_point {
    uint32_t near[SIDES + 1], layer;
};

struct component {
    struct arena arena; /* owns everything below */
    uint32_t points, layers, segments;
    uint32_t *first; /* [layers + 1] */
    uint32_t *named; /* [points] its number in the layered graph */
    bool *fixed;     /* [points] fixed points keep their order */

    struct component_point *point; /* [points] */
    uint32_t *near, *near_net;     /* [2 * segments] */
    uint32_t *net;                 /* [points] the net of a dummy; PICTURE_NONE for a node */

    uint32_t *order, *place; /* as in struct layered */
    uint64_t crossings;      /* in that order */

    int32_t **row; /* [points] row[p][q] is component_difference; NULL before component_weigh */
    struct component_step *step; /* [steps_most] the moves that can be undone */
    uint32_t steps, steps_most;

    uint64_t work, bound; /* steps of the search, and their bound; about 2.5 ns each */
    uint64_t chance;      /* state of the random numbers, never 0 */
};

/*
 * Makes the component of `count` points of g. member[] lists them by layer, and in a layer in the
 * initial order. `number` has room for g->points. Call component_release in any case. Differences
 * are not known before component_weigh.
 */
void component_make(struct component *o, const struct layered *g, const uint32_t *member,
                    uint32_t count, uint32_t *number);
void component_release(struct component *o);

/* Sets place[] from order[]. */
void component_place(struct component *o);
/* Sets `crossings` for the current order. `tree` has room for the widest layer and one more.
 * O(segments · log points). */
void component_count(struct component *o, uint32_t *tree);
uint32_t component_widest(const struct component *o);

/* Makes row[] for the current order. Returns false if the layers are too wide; then the search
 * is impossible. */
bool component_weigh(struct component *o);
/* Moves a point to another place in its layer. Updates `crossings` and row[]. */
void component_move(struct component *o, uint32_t p, uint32_t to);
/* Undoes all moves after the first `steps`. */
void component_undo(struct component *o, uint32_t steps);

static inline uint32_t component_width(const struct component *o, uint32_t layer)
{
    return o->first[layer + 1] - o->first[layer];
}

static inline uint32_t component_degree(const struct component *o, uint32_t p)
{
    return o->point[p].near[SIDES] - o->point[p].near[ABOVE];
}

static inline int32_t component_difference(const struct component *o, uint32_t p, uint32_t q)
{
    return o->row[p][q];
}

/* A pseudo-random number in 0 .. below - 1, the same in every run (xorshift, Marsaglia 2003). */
static inline uint32_t component_chance(struct component *o, uint32_t below)
{
    o->chance ^= o->chance << 13;
    o->chance ^= o->chance >> 7;
    o->chance ^= o->chance << 17;
    return (uint32_t)(((o->chance >> 32) * below) >> 32);
}

/* ---- the steps of the search ---- */

/* In ordering_start.c: sets the best order that sweeps of barycentres find from two starts. */
void starts_find(struct component *o);

/* In ordering_search.c: improves the current order within the bound. */
void search_order(struct component *o);

/* In ordering_search.c: chooses among orders with as many crossings one in which trunks are
 * crossed little, and in which points with the same neighbours are sorted by nets and numbers. */
void tidy_order(struct component *o);

#endif
