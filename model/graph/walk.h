/* Shared by all walks over the graph: the steps from a node, the nodes reached, and their
 * components. */
#ifndef STEMMA_WALK_H
#define STEMMA_WALK_H

#include "model/base/map.h"
#include "model/graph/fold.h"
#include "model/graph/lineage.h"

/* The steps from a node are numbered from..to-1; graph_step returns the target of one. */
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
 * A walk keeps the nodes that it reached in an index, in the order of adding, so it costs what it
 * reaches and clears nothing of the size of the graph. The number of a node in the index is its
 * number in the walk.
 */
static inline uint32_t reached_node(const struct row_index *reached, size_t number)
{
    return (uint32_t)reached->row[number];
}

/*
 * Adds all nodes that can be reached from those with number `from` and above, breadth first.
 * `depth` may be NULL. Otherwise it is an array with the depths of the nodes in the index, which
 * grows with the index.
 */
void reached_walk(struct row_index *reached, const struct graph *g, enum direction direction,
                  size_t from, uint32_t **depth);

bool is_based_on_itself(const struct graph *g, uint32_t node);

/*
 * The strongly connected components of the nodes 0..nodes-1, of which v leads to each of
 * to[first[v]] .. to[first[v + 1]]: each component after all that it leads to, and in it a node
 * after those through which it was left (Tarjan 1972, iterative). Begins at the nodes with `in`, or
 * at all if it is NULL. O(nodes + links). Release `out`.
 */
void strong_components(struct support_order *out, uint32_t nodes, const uint32_t *first,
                       const uint32_t *to, const uint8_t *in);

/*
 * The components of the reached nodes under "is based on". Calls `each` with the numbers of a
 * component's nodes, and whether it is a cycle: several nodes, or one that is based on itself.
 */
void reached_components(const struct row_index *reached, const struct graph *g,
                        void (*each)(void *arg, const uint32_t *number, size_t count, bool circle),
                        void *arg);

#endif
