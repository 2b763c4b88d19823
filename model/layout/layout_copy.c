#include "model/base/alloc.h"
#include "model/layout/layout.h"

#include <stdlib.h>
#include <string.h>
#include "model/layout/draft.h"

static bool same_node(const struct picture_node *a, const struct picture_node *b)
{
    return a->rank == b->rank && a->at == b->at && a->columns == b->columns &&
           a->ghost == b->ghost && a->loop == b->loop && strcmp(a->id, b->id) == 0;
}

static bool same_edge(const struct picture_edge *a, const struct picture_edge *b)
{
    return a->from == b->from && a->to == b->to && a->strokes == b->strokes &&
           a->stroke == b->stroke;
}

bool picture_same(const struct picture *a, const struct picture *b)
{
    if (a->nodes != b->nodes || a->edges != b->edges)
        return false;
    for (uint32_t i = 0; i < a->nodes; i++)
        if (!same_node(&a->node[i], &b->node[i]))
            return false;
    for (uint32_t i = 0; i < a->edges; i++)
        if (!same_edge(&a->edge[i], &b->edge[i]))
            return false;
    return true;
}

static void *copied(const void *from, size_t count, size_t size)
{
    void *to = xmalloc(count ? count * size : 1);
    if (to && count)
        memcpy(to, from, count * size);
    return to;
}

int layout_copy(struct layout *to, const struct layout *from, const struct picture *p)
{
    size_t layers = from->layer_first ? (size_t)from->layers + 1 : 0;
    *to = *from;
    to->picture = p;
    to->node = copied(from->node, p->nodes, sizeof(*to->node));
    to->net = copied(from->net, from->nets, sizeof(*to->net));
    to->edge_net = copied(from->edge_net, p->edges, sizeof(*to->edge_net));
    to->edge_reversed = copied(from->edge_reversed, p->edges, sizeof(*to->edge_reversed));
    to->layer_first = copied(from->layer_first, layers, sizeof(*to->layer_first));
    to->layer_node = copied(from->layer_node, layers ? p->nodes : 0, sizeof(*to->layer_node));
    to->wire = copied(from->wire, from->wires, sizeof(*to->wire));
    to->port = copied(from->port, from->ports, sizeof(*to->port));
    to->leg = copied(from->leg, from->legs, sizeof(*to->leg));
    to->edge_leg = copied(from->edge_leg, p->edges, sizeof(*to->edge_leg));
    return to->node && to->net && to->edge_net && to->edge_reversed && to->layer_first &&
                   to->layer_node && to->wire && to->port && to->leg && to->edge_leg
               ? 0
               : -1;
}
