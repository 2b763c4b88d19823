/*
 * A small random AND/OR graph with cycles, as a list of groups, and slow reference implementations:
 * they apply the definitions until nothing changes. Nothing here uses struct graph.
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
    uint32_t count; /* of antecedents, with duplicates */
    uint32_t antecedent[PLAN_MOST];
};

struct plan {
    uint32_t nodes, groups;
    enum kind kind[PLAN_NODES];
    enum status status[PLAN_NODES];
    bool ended[PLAN_NODES];               /* by its status, or set by a test */
    struct plan_group group[PLAN_GROUPS]; /* ascending by node */
    bool rests[PLAN_NODES][PLAN_NODES];   /* [node][on] directly based on */
};

void plan_make(struct plan *p, struct random *r);
/* Makes the graph. Release `g`. */
void plan_build(const struct plan *p, struct graph *g);
/* The same with other numbers: node v becomes to[v]. Groups of one node keep their order. */
void plan_renumber(struct plan *out, const struct plan *p, const uint32_t *to);
/* A random permutation of the nodes. */
void plan_shuffle(const struct plan *p, struct random *r, uint32_t *to);
/* Adds a group to a node. There must be room for it. */
void plan_put(struct plan *p, uint32_t node, enum reading reading, uint32_t count,
              const uint32_t *antecedent);

/* The number of justifications, and of those that hold, with `any` groups expanded. */
uint32_t plan_given(const struct plan *p, uint32_t node);
uint32_t plan_valid(const struct plan *p, uint32_t node, const bool *stands);
/* The least and the greatest fixed point of "stands". */
void plan_least(const struct plan *p, bool *stands);
void plan_greatest(const struct plan *p, bool *stands);
enum label plan_label(const struct plan *p, uint32_t node, const bool *least, const bool *greatest);

/* Is `node` directly based on `on`? */
bool plan_is_based_on(const struct plan *p, uint32_t node, uint32_t on);
/* The shortest distance from `root` to each node, or UINT32_MAX if it is not reached. */
void plan_distances(const struct plan *p, uint32_t root, enum direction direction,
                    uint32_t *distance);
/* The number of links of a shortest cycle through `node` of at least two nodes, or UINT32_MAX if
 * there is none. */
uint32_t plan_cycle(const struct plan *p, uint32_t node);

#endif
