#include "model/graph/walk.h"

#include "model/base/array.h"
#include "model/base/alloc.h"

static size_t home(const struct reached *r, uint32_t node)
{
    /* Fibonacci hashing (Knuth 1973): the high bits of the product depend on all of the node's. */
    return (size_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> r->shift);
}

static size_t find_slot(const struct reached *r, uint32_t node)
{
    size_t at = home(r, node);
    while (r->slot[at] && r->node[r->slot[at] - 1] != node)
        at = (at + 1) & (r->slots - 1);
    return at;
}

static void grow_slots(struct reached *r)
{
    size_t slots = r->slots ? r->slots * 2 : 256;
    uint32_t *slot = xcalloc(slots, sizeof(*slot));
    free(r->slot);
    r->slot = slot;
    r->slots = slots;
    r->shift = 64 - (unsigned)__builtin_ctzll(slots);
    for (size_t i = 0; i < r->count; i++)
        r->slot[find_slot(r, r->node[i])] = (uint32_t)i + 1;
}

uint32_t reached_add(struct reached *r, uint32_t node)
{
    if (2 * r->count >= r->slots)
        grow_slots(r);
    size_t at = find_slot(r, node);
    if (r->slot[at])
        return r->slot[at] - 1;
    *ARRAY_ADD(r->node, r->count, r->alloc) = node;
    r->slot[at] = (uint32_t)r->count;
    return (uint32_t)r->count - 1;
}

uint32_t reached_find(const struct reached *r, uint32_t node)
{
    if (r->count == 0)
        return NODE_NONE;
    uint32_t number = r->slot[find_slot(r, node)];
    return number ? number - 1 : NODE_NONE;
}

void reached_release(struct reached *r)
{
    free(r->node);
    free(r->slot);
    *r = (struct reached)REACHED_INIT;
}

void reached_walk(struct reached *r, const struct graph *g, enum direction direction, size_t from,
                  uint32_t **depth)
{
    size_t depth_alloc = r->count;
    for (size_t at = from; at < r->count; at++) {
        struct steps steps = graph_steps(g, direction, r->node[at]);
        for (uint32_t i = steps.from; i < steps.to; i++) {
            size_t before = r->count;
            reached_add(r, graph_step(g, direction, i));
            if (!depth || r->count == before)
                continue;
            ARRAY_ROOM(*depth, before, depth_alloc, 1);
            (*depth)[before] = (*depth)[at] + 1;
        }
    }
}
