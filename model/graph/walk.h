/* What walks over the graph share: the steps from a node, the nodes reached, and their components. */
#ifndef STEMMA_WALK_H
#define STEMMA_WALK_H

#include "model/base/map.h"
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
 * The nodes that a walk reached stand in an index in the order in which they were added, so that it costs what it
 * reaches and nothing is cleared for the whole graph. A node's place there is its number in the walk.
 */
static inline uint32_t reached_node(const struct row_index *reached, size_t number)
{
    return (uint32_t)reached->row[number];
}

/*
 * Adds all that can be reached from the nodes that are there, from number `from` on, breadth first. `depth`
 * (may be NULL) points to an array that is grown with them and holds the depth of those that are there.
 */
void reached_walk(struct row_index *reached, const struct graph *g, enum direction direction,
                  size_t from, uint32_t **depth);

bool rests_on_itself(const struct graph *g, uint32_t node);

/*
 * The strongly connected components of the nodes reached, by what they are based on, each after all that it is based
 * on (Tarjan 1972, iterative). `each` gets the numbers of its nodes, and whether they are a circle: several, or one that
 * is based on itself.
 */
void reached_components(const struct row_index *reached, const struct graph *g,
                        void (*each)(void *arg, const uint32_t *number, size_t count, bool circle),
                        void *arg);

#endif
