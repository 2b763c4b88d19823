#include "model/graph/fold.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/walk.h"

bool fold_is_leaf(const struct graph *g, const struct labels *labels, uint32_t node)
{
    uint32_t from = g->just_first[node], to = g->just_first[node + 1];
    if (!labels->stands[node])
        return false;
    for (uint32_t j = from; j < to; j++)
        if (g->link_first[j] == g->link_first[j + 1])
            return true;
    return from == to;
}

/* The antecedents of the valid justifications of each node that stands. */
static uint32_t *valid_links(const struct graph *g, const struct labels *labels, uint32_t *first)
{
    uint32_t *to = xmalloc(((size_t)g->links + 1) * sizeof(*to)), count = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        first[v] = count;
        if (!labels->stands[v])
            continue;
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            if (labels->broken[j] > 0)
                continue;
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                to[count++] = g->link_to[i];
        }
    }
    first[g->nodes] = count;
    return to;
}

void support_order_make(struct support_order *out, const struct graph *g,
                        const struct labels *labels)
{
    AUTO_FREE uint32_t *first = xmalloc(((size_t)g->nodes + 1) * sizeof(*first));
    AUTO_FREE uint32_t *to = valid_links(g, labels, first);
    strong_components(out, g->nodes, first, to, labels->stands);
}
