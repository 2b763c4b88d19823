/* Edges by node, both ways, in compressed sparse rows: for the phases that find layers. */
#ifndef STEMMA_ROWS_H
#define STEMMA_ROWS_H

#include <stdint.h>

struct rows {
    uint32_t nodes, edges;
    /* What is below node v: below[below_first[v] .. below_first[v + 1]]; above likewise. A node
     * stands there once for each edge. */
    uint32_t *below_first, *below, *above_first, *above;
};

/* -1 where memory ran out; rows_release follows in any case. O(nodes + edges). */
int rows_make(struct rows *r, uint32_t nodes, uint32_t edges, const uint32_t *upper,
              const uint32_t *lower);
void rows_release(struct rows *r);

static inline uint32_t rows_below(const struct rows *r, uint32_t node)
{
    return r->below_first[node + 1] - r->below_first[node];
}

static inline uint32_t rows_above(const struct rows *r, uint32_t node)
{
    return r->above_first[node + 1] - r->above_first[node];
}

#endif
