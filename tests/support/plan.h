/*
 * A small random AND/OR graph with circles, written down as groups, and what the design says of it worked
 * out the slow way: by applying the definitions until nothing changes. Nothing here looks at a struct graph.
 */
#ifndef STEMMA_TEST_PLAN_H
#define STEMMA_TEST_PLAN_H

#include "model/graph/lineage.h"
#include "tests/support/random.h"

#define PLAN_NODES  24
#define PLAN_GROUPS 48
#define PLAN_MOST   5

struct plan_group {
    uint32_t node;
    enum reading reading;
    uint32_t count; /* of antecedents, some of them repeated */
    uint32_t antecedent[PLAN_MOST];
};

struct plan {
    uint32_t nodes, groups;
    enum kind kind[PLAN_NODES];
    enum status status[PLAN_NODES];
    bool dead[PLAN_NODES];                /* by its status, or as a test says */
    struct plan_group group[PLAN_GROUPS]; /* ascending by node */
    bool rests[PLAN_NODES][PLAN_NODES];   /* [node][on] directly */
};

void plan_make(struct plan *p, struct random *r);
/* The same as a graph; to be released. */
void plan_build(const struct plan *p, struct graph *g);

/* Justifications once `any` groups are taken apart: how many there are, and how many hold. */
uint32_t plan_given(const struct plan *p, uint32_t node);
uint32_t plan_holds(const struct plan *p, uint32_t node, const bool *stands);
/* The least and the greatest fixed point of "stands". */
void plan_least(const struct plan *p, bool *stands);
void plan_greatest(const struct plan *p, bool *stands);
enum label plan_label(const struct plan *p, uint32_t node, const bool *least, const bool *greatest);

/* Does `node` rest on `on` directly? */
bool plan_is_based_on(const struct plan *p, uint32_t node, uint32_t on);
/* The shortest distance from `root` to each node; UINT32_MAX where it is not reached. */
void plan_distances(const struct plan *p, uint32_t root, enum direction direction,
                    uint32_t *distance);
/* How many links a shortest circle through `node` over at least two nodes has; UINT32_MAX: none. */
uint32_t plan_cycle(const struct plan *p, uint32_t node);

#endif
