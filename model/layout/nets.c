#include "nets.h"

#include <stdlib.h>

int nets_make(struct layered *g, bool bundle)
{
    const struct picture *p = g->picture;
    (void)bundle;
    g->edge_net = malloc((p->edges + (size_t)1) * sizeof(*g->edge_net));
    g->net = malloc((p->edges + (size_t)1) * sizeof(*g->net));
    if (!g->edge_net || !g->net)
        return -1;
    for (uint32_t e = 0; e < p->edges; e++) {
        g->edge_net[e] = e;
        g->net[e] = (struct net){
            .stroke = p->edge[e].stroke,
            .reversed = g->reversed[e],
            .centre = g->upper[e],
            .fans_out = true,
        };
    }
    g->nets = p->edges;
    return 0;
}
