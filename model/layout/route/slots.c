#include "model/layout/route/slots.h"

#include <stdlib.h>
#include "model/base/alloc.h"

/* A net at one side of a node. */
struct port {
    uint32_t net, count;
    uint64_t sum; /* of the places that it leads to */
};

struct porter {
    const struct layered *g;
    struct slot *const *slot;
    struct port *port; /* [nets] those of one node and side */
    uint32_t *port_of; /* [nets] the number it had last */
    uint32_t *number;  /* [nets] the one that it has among those of the node */
};

static int by_mean(const void *a, const void *b)
{
    const struct port *x = a, *y = b;
    uint64_t left = x->sum * y->count, right = y->sum * x->count;
    if (left != right)
        return left < right ? -1 : 1;
    return (x->net > y->net) - (x->net < y->net);
}

static void find_slots_of(struct porter *p, uint32_t node, int end)
{
    const struct layered *g = p->g;
    const uint32_t *first = end == SLOT_UPPER ? g->down_first : g->up_first;
    const uint32_t *of = end == SLOT_UPPER ? g->down_of : g->up_of;
    uint32_t count = 0;
    for (uint32_t k = first[node]; k < first[node + 1]; k++) {
        const struct segment *segment = &g->segment[of[k]];
        uint32_t net = segment->net, i = p->port_of[net];
        if (i >= count || p->port[i].net != net) {
            i = p->port_of[net] = count++;
            p->port[i] = (struct port){.net = net};
        }
        p->port[i].sum +=
            2 * (uint64_t)g->place[end == SLOT_UPPER ? segment->lower : segment->upper] + 1;
        p->port[i].count++;
    }
    if (count > 1)
        qsort(p->port, count, sizeof(*p->port), by_mean);
    for (uint32_t i = 0; i < count; i++)
        p->number[p->port[i].net] = i;
    for (uint32_t k = first[node]; k < first[node + 1]; k++) {
        uint32_t number = p->number[g->segment[of[k]].net];
        p->slot[end][of[k]] = (struct slot){number, count, p->port[number].count > 1};
    }
}

int slots_find(const struct layered *g, struct slot *const slot[2])
{
    struct porter p = {.g = g, .slot = slot};
    p.port = xmalloc((g->nets + (size_t)1) * sizeof(*p.port));
    p.port_of = xcalloc(g->nets + (size_t)1, sizeof(*p.port_of));
    p.number = xcalloc(g->nets + (size_t)1, sizeof(*p.number));
    int result = p.port && p.port_of && p.number ? 0 : -1;
    for (uint32_t i = 0; result == 0 && i < g->points; i++) {
        find_slots_of(&p, i, SLOT_UPPER);
        find_slots_of(&p, i, SLOT_LOWER);
    }
    free(p.port);
    free(p.port_of);
    free(p.number);
    return result;
}
