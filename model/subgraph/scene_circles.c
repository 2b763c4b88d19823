#include <stdlib.h>
#include "model/subgraph/scene_build.h"

/* Tarjan's algorithm (1972), iterative: components of nodes that all rest on each other in the end. */
struct circling {
    struct scene *s;
    uint32_t *first;     /* [nodes + 1] of the edges from each node */
    uint32_t *step;      /* [nodes] the next edge to follow */
    uint32_t *order;     /* [nodes] when it was visited, from 1; 0: not yet */
    uint32_t *low;       /* [nodes] */
    uint32_t *component; /* [nodes] from 1; 0: not known yet */
    uint32_t *path;      /* stack: from the node at which the search began */
    uint32_t *open;      /* stack: visited, and in no component yet */
    uint32_t *circle;    /* [nodes] of all components; two have no node in common */
    uint32_t *parent;    /* [nodes] in the search for a way back */
    size_t *circle_first;
    uint32_t paths, opens, visited, components;
};

static void visit(struct circling *c, uint32_t v)
{
    c->order[v] = c->low[v] = ++c->visited;
    c->step[v] = c->first[v];
    c->path[c->paths++] = v;
    c->open[c->opens++] = v;
}

/* The last node of a shortest way from `start` back to it. `queue` is free beyond what is open. */
static uint32_t find_way_back(struct circling *c, uint32_t start)
{
    uint32_t *queue = c->open + c->opens, count = 0;
    queue[count++] = start;
    for (uint32_t i = 0;; i++) {
        uint32_t v = queue[i];
        for (uint32_t t = c->first[v]; t < c->first[v + 1]; t++) {
            uint32_t w = c->s->edge[t].to;
            if (w == start)
                return v;
            if (c->component[w] != c->component[start] || c->parent[w] != SEEN_NONE)
                continue;
            c->parent[w] = v;
            queue[count++] = w;
        }
    }
}

static void add_circle(struct circling *c, uint32_t start)
{
    size_t from = c->circle_first[c->s->circles], end = from, at;
    uint32_t last = find_way_back(c, start);
    for (uint32_t v = last; v != start; v = c->parent[v])
        end++;
    at = end + 1;
    for (uint32_t v = last; v != start; v = c->parent[v])
        c->circle[--at] = v;
    c->circle[from] = start;
    c->circle_first[++c->s->circles] = end + 1;
}

/* The nodes that were opened since `v` are one component; its circle begins at the first of them. */
static void close_component(struct circling *c, uint32_t v)
{
    uint32_t from = c->opens, least = v;
    c->components++;
    do {
        uint32_t w = c->open[--from];
        c->component[w] = c->components;
        least = w < least ? w : least;
    } while (c->open[from] != v);
    bool several = c->opens - from > 1;
    for (uint32_t i = from; several && i < c->opens; i++)
        c->s->node[c->open[i]].on_circle = true;
    c->opens = from;
    if (several)
        add_circle(c, least);
}

static void search_from(struct circling *c, uint32_t start)
{
    visit(c, start);
    while (c->paths > 0) {
        uint32_t v = c->path[c->paths - 1];
        if (c->step[v] < c->first[v + 1]) {
            uint32_t w = c->s->edge[c->step[v]++].to;
            if (!c->order[w])
                visit(c, w);
            else if (!c->component[w] && c->order[w] < c->low[v])
                c->low[v] = c->order[w];
            continue;
        }
        c->paths--;
        if (c->paths > 0 && c->low[v] < c->low[c->path[c->paths - 1]])
            c->low[c->path[c->paths - 1]] = c->low[v];
        if (c->low[v] == c->order[v])
            close_component(c, v);
    }
}

static bool make_room(struct circling *c, struct arena *scratch)
{
    uint32_t **const arrays[] = {&c->first, &c->step, &c->order,  &c->low,
                                 &c->path,  &c->open, &c->parent, &c->component};
    size_t nodes = c->s->nodes + (size_t)1;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        if (!(*arrays[i] = arena_array(scratch, nodes, sizeof(**arrays[i]))))
            return false;
    c->circle = arena_array(&c->s->arena, nodes, sizeof(*c->circle));
    c->circle_first = arena_array(&c->s->arena, nodes, sizeof(*c->circle_first));
    return c->circle && c->circle_first;
}

int scene_find_circles(struct scene *s, struct arena *scratch, struct error *e)
{
    struct circling c = {.s = s};
    if (!make_room(&c, scratch))
        return scene_no_memory(e);
    for (uint32_t v = 0, t = 0; v <= s->nodes; v++) {
        while (t < s->edges && s->edge[t].from < v)
            t++;
        c.first[v] = t;
        c.parent[v] = SEEN_NONE;
    }
    for (uint32_t v = 0; v < s->nodes; v++)
        if (!c.order[v])
            search_from(&c, v);
    s->circle = c.circle;
    s->circle_first = c.circle_first;
    return 0;
}
