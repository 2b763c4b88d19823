/*
 * Trust along the best support.
 *
 * Nodes become eligible in the order of their weights, the highest first. An eligible node gets the
 * weight at which it and one of its justifications are there, and hands it on; as in labels each
 * link is counted once.
 */
#include "model/graph/trust.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

struct weighed {
    double weight;
    uint32_t node;
};

struct spread {
    const struct graph *g;
    const double *weight;
    double *trust;
    uint32_t *weakest, *missing; /* missing [justs]: antecedents that have no trust yet */
    uint32_t *by;                /* [nodes] the antecedent that made a justification valid */
    uint8_t *valid, *eligible;
    uint32_t *queue;
    size_t count, next;
};

static int compare(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : (x->node > y->node) - (x->node < y->node);
}

/* Gives the node its trust if all that it needs is there. */
static void reach(struct spread *s, uint32_t node, double trust)
{
    if (!s->eligible[node] || !s->valid[node])
        return;
    s->trust[node] = trust;
    s->weakest[node] =
        s->weight[node] <= trust || s->by[node] == NODE_NONE ? node : s->weakest[s->by[node]];
    s->queue[s->count++] = node;
}

static void hand_on(struct spread *s, uint32_t node, double trust)
{
    const struct graph *g = s->g;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t just = g->use_just[i], user = g->just_node[just];
        if (--s->missing[just] > 0 || s->valid[user])
            continue;
        s->valid[user] = 1;
        s->by[user] = node;
        reach(s, user, trust);
    }
}

static void begin(struct spread *s)
{
    const struct graph *g = s->g;
    memset(s->by, 0xff, g->nodes * sizeof(*s->by));
    for (uint32_t node = 0; node < g->nodes; node++) {
        s->trust[node] = 0;
        s->weakest[node] = NODE_NONE;
        s->valid[node] = g->just_first[node] == g->just_first[node + 1];
        for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
            s->missing[j] = g->link_first[j + 1] - g->link_first[j];
            s->valid[node] |= s->missing[j] == 0;
        }
    }
}

static void spread(struct spread *s, struct weighed *order, size_t live)
{
    qsort(order, live, sizeof(*order), compare);
    begin(s);
    for (size_t i = 0; i < live; i++) {
        s->eligible[order[i].node] = 1;
        reach(s, order[i].node, order[i].weight);
        while (s->next < s->count)
            hand_on(s, s->queue[s->next++], order[i].weight);
    }
}

void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight)
{
    size_t nodes = (size_t)g->nodes + 1, live = 0;
    AUTO_FREE struct weighed *order = xmalloc(nodes * sizeof(*order));
    AUTO_FREE uint32_t *own = xmalloc(nodes * sizeof(*own));
    struct spread s = {.g = g,
                       .weight = weight,
                       .trust = trust,
                       .weakest = weakest ? weakest : own,
                       .missing = xmalloc(((size_t)g->justs + 1) * sizeof(*s.missing)),
                       .by = xmalloc(nodes * sizeof(*s.by)),
                       .valid = xmalloc(nodes),
                       .eligible = xcalloc(nodes, 1),
                       .queue = xmalloc(nodes * sizeof(*s.queue))};
    for (uint32_t node = 0; node < g->nodes; node++)
        if (graph_lives(g, node))
            order[live++] = (struct weighed){weight[node], node};
    spread(&s, order, live);
    free(s.missing);
    free(s.by);
    free(s.valid);
    free(s.eligible);
    free(s.queue);
}
