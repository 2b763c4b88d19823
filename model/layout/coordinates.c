#include "coordinates.h"

/* Each layer packed from its beginning. */
int coordinates_find(const struct layered *g, const int32_t *size, int32_t gap_nodes,
                     int32_t gap_dummies, int32_t *at)
{
    for (uint32_t l = 0; l < g->layers; l++) {
        int32_t next = 0;
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
            uint32_t point = g->order[i], before = i > g->first[l] ? g->order[i - 1] : point;
            bool nodes = point < g->picture->nodes && before < g->picture->nodes;
            if (i > g->first[l])
                next += nodes ? gap_nodes : gap_dummies;
            at[point] = next;
            next += size[point];
        }
    }
    return 0;
}
