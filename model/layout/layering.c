#include "layering.h"

#include <stdlib.h>

/* The longest path from a node that nothing is above: by counting what is above each. */
int layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                  uint32_t *layer)
{
    size_t count = nodes + (size_t)1;
    uint32_t *first = calloc(count + 1, sizeof(*first));
    uint32_t *to = malloc((edges + (size_t)1) * sizeof(*to));
    uint32_t *above = calloc(count, sizeof(*above));
    uint32_t *queue = malloc(count * sizeof(*queue));
    int result = first && to && above && queue ? 0 : -1;
    if (result == 0) {
        uint32_t end = 0;
        for (uint32_t e = 0; e < edges; e++) {
            first[upper[e] + 2]++;
            above[lower[e]]++;
        }
        for (uint32_t v = 0; v < nodes; v++)
            first[v + 2] += first[v + 1];
        for (uint32_t e = 0; e < edges; e++)
            to[first[upper[e] + 1]++] = lower[e];
        for (uint32_t v = 0; v < nodes; v++) {
            layer[v] = 0;
            if (!above[v])
                queue[end++] = v;
        }
        for (uint32_t i = 0; i < end; i++) {
            uint32_t v = queue[i];
            for (uint32_t k = first[v]; k < first[v + 1]; k++) {
                if (layer[to[k]] <= layer[v])
                    layer[to[k]] = layer[v] + 1;
                if (--above[to[k]] == 0)
                    queue[end++] = to[k];
            }
        }
    }
    free(first);
    free(to);
    free(above);
    free(queue);
    return result;
}
