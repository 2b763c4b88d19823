#include "model/graph/trust.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/fold.h"

/* Is the trust of the justification's memory that of its worst antecedent? */
static bool gives_trust(const struct graph *g, const double *trust, uint32_t just)
{
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (trust[g->link_to[i]] < trust[g->just_node[just]])
            return false;
    return true;
}

/* From the memories whose own weight is their trust to those that have it from them, breadth first. */
static void find_weakest(uint32_t *weakest, const struct graph *g, const struct labels *labels,
                         const double *weight, const double *trust)
{
    AUTO_FREE uint32_t *queue = xmalloc(((size_t)g->nodes + 1) * sizeof(*queue));
    size_t count = 0;
    memset(weakest, 0xff, g->nodes * sizeof(*weakest));
    for (uint32_t v = 0; v < g->nodes; v++)
        if (labels->stands[v] && weight[v] <= trust[v])
            weakest[queue[count++] = v] = v;
    for (size_t at = 0; at < count; at++) {
        uint32_t v = queue[at];
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i], user = g->just_node[j];
            if (weakest[user] != NODE_NONE || !labels->stands[user] || labels->broken[j] > 0 ||
                trust[user] != trust[v] || !gives_trust(g, trust, j))
                continue;
            weakest[user] = weakest[v];
            queue[count++] = user;
        }
    }
}

void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight)
{
    struct labels labels;
    labels_compute(&labels, g);
    fold_compute(trust, g, &labels, &fold_weakest, weight);
    if (weakest)
        find_weakest(weakest, g, &labels, weight, trust);
    labels_release(&labels);
}
