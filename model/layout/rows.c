#include "model/layout/rows.h"

#include <stdlib.h>
#include "model/base/alloc.h"

void rows_release(struct rows *r)
{
    free(r->below_first);
    free(r->below);
    free(r->above_first);
    free(r->above);
    *r = (struct rows){.nodes = 0};
}

static int make_one(uint32_t nodes, uint32_t edges, const uint32_t *of, const uint32_t *other,
                    uint32_t **first, uint32_t **list)
{
    *first = xcalloc(nodes + (size_t)2, sizeof(**first));
    *list = xmalloc((edges + (size_t)1) * sizeof(**list));
    if (!*first || !*list)
        return -1;
    /* Counted two further on; the beginning one further on then moves to where the row ends. */
    for (uint32_t e = 0; e < edges; e++)
        (*first)[of[e] + 2]++;
    for (uint32_t v = 0; v < nodes; v++)
        (*first)[v + 2] += (*first)[v + 1];
    for (uint32_t e = 0; e < edges; e++)
        (*list)[(*first)[of[e] + 1]++] = other[e];
    return 0;
}

int rows_make(struct rows *r, uint32_t nodes, uint32_t edges, const uint32_t *upper,
              const uint32_t *lower)
{
    *r = (struct rows){.nodes = nodes, .edges = edges};
    if (make_one(nodes, edges, upper, lower, &r->below_first, &r->below))
        return -1;
    return make_one(nodes, edges, lower, upper, &r->above_first, &r->above);
}
