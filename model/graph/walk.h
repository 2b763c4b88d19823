/*
 * What walks over the graph share: the steps from a node, and a map of the nodes reached, so that a walk
 * costs what it reaches and nothing is cleared for the whole graph.
 */
#ifndef STEMMA_WALK_H
#define STEMMA_WALK_H

#include "model/graph/lineage.h"

/* The steps from a node are from..to; graph_step gives where one leads. */
struct steps {
    uint32_t from, to;
};

static inline struct steps graph_steps(const struct graph *g, enum direction direction,
                                       uint32_t node)
{
    if (direction == DESCENDANTS)
        return (struct steps){g->use_first[node], g->use_first[node + 1]};
    return (struct steps){g->link_first[g->just_first[node]],
                          g->link_first[g->just_first[node + 1]]};
}

static inline uint32_t graph_step(const struct graph *g, enum direction direction, uint32_t step)
{
    return direction == DESCENDANTS ? g->just_node[g->use_just[step]] : g->link_to[step];
}

/*
 * Nodes in the order in which they were added; a node's place in `node` is its number in the walk. Found
 * by open addressing in `slot` (number + 1; 0: free), which is at most half full.
 */
struct reached {
    uint32_t *node; /* [count] */
    size_t count, alloc;
    uint32_t *slot;
    size_t slots; /* a power of two */
    unsigned shift;
};
#define REACHED_INIT                                                                               \
    {                                                                                              \
        NULL, 0, 0, NULL, 0, 0                                                                     \
    }

/* The node's number; added where it is new. */
uint32_t reached_add(struct reached *r, uint32_t node);
/* NODE_NONE where it was not reached. */
uint32_t reached_find(const struct reached *r, uint32_t node);
void reached_release(struct reached *r);

/*
 * Adds all that can be reached from the nodes that are there, from number `from` on, breadth first. `depth`
 * (may be NULL) points to an array that is grown with them and holds the depth of those that are there.
 */
void reached_walk(struct reached *r, const struct graph *g, enum direction direction, size_t from,
                  uint32_t **depth);

#endif
