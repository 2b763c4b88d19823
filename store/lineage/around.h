/*
 * What surrounds a few memories, while it is being found: the rows, each with the node that it becomes, and
 * what they rest on. For store/ alone; callers see subgraph.h.
 */
#ifndef STEMMA_AROUND_H
#define STEMMA_AROUND_H

#include "store/lineage/kept_links.h"
#include "store/lineage/subgraph.h"

/* `slot` finds a row's node: open addressing over node + 1, a power of two, at most half full. */
struct around {
    struct links_walk walk;
    int64_t *row; /* [count] in the order of the nodes */
    size_t count, alloc;
    uint32_t *slot;
    size_t slots;
    size_t max;    /* of rows; SIZE_MAX: none */
    size_t opened; /* so many have their links read, the others stand at the edge; SIZE_MAX: all */
    size_t fence_from; /* of the nodes from this on those with a known label are fences */
    uint8_t *fence;    /* [nodes] is it one? Where there may be some */
    size_t fence_alloc;
    uint32_t *antecedent;
    size_t antecedent_alloc;
};
#define AROUND_INIT                                                                                \
    {                                                                                              \
        .max = SIZE_MAX, .opened = SIZE_MAX, .fence_from = SIZE_MAX                                \
    }

/* -1, which analysers see here. */
static inline int around_no_memory(struct error *e)
{
    error_set(e, ERROR_MEMORY, "", "memory ran out while reading the lineage");
    return -1;
}
void around_release(struct around *f); /* ends its walk too */
void around_give(struct around *f, struct graph *g);

/* NODE_NONE where the row was not found. */
uint32_t around_find(const struct around *f, int64_t row);
/* A node for each of these, in their order, though a row stands there twice. */
int around_roots(struct around *f, const int64_t *roots, size_t count, struct error *e);
/* All that rests on what was found. The walk must have begun, here and below. */
int around_descend(struct around *f, struct reader *r, struct error *e);
/* The nodes of the graph, and all that they rest on; stops where there are beyond `max`. */
int around_ascend(struct around *f, struct reader *r, struct graph *g, struct error *e);

#endif
