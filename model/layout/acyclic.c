#include "acyclic.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "circles.h"
#include "rows.h"

/*
 * Nodes are taken one after the other: one that nothing is left below goes to the end of what is free
 * at the end, else the one that has most left below it, less what is left above, to the beginning.
 * They wait in lists by that number, each list in the order in which nodes came there; so what
 * is first in the picture is first where nothing else tells.
 */
struct greedy {
    struct rows r;           /* edges between nodes of the same circle */
    int32_t most;            /* edges of one node on one side */
    uint32_t *above, *below; /* [nodes] what is left */
    uint32_t *head, *tail;   /* [2 * most + 3] */
    uint32_t *next, *previous;
    uint32_t *place; /* [nodes] in the order; PICTURE_NONE */
    uint32_t top;    /* no list beyond it has nodes */
    uint32_t first, last;
};

/* The first list is of those that nothing is left below, the last of those that nothing is above. */
static uint32_t list_of(const struct greedy *g, uint32_t node)
{
    if (!g->below[node])
        return 0;
    if (!g->above[node])
        return 2 * (uint32_t)g->most + 2;
    return (uint32_t)((int64_t)g->below[node] - g->above[node] + g->most + 1);
}

static void append(struct greedy *g, uint32_t node)
{
    uint32_t list = list_of(g, node), tail = g->tail[list];
    g->next[node] = PICTURE_NONE;
    g->previous[node] = tail;
    if (tail == PICTURE_NONE)
        g->head[list] = node;
    else
        g->next[tail] = node;
    g->tail[list] = node;
    if (list > g->top)
        g->top = list;
}

static void take_out(struct greedy *g, uint32_t node)
{
    uint32_t list = list_of(g, node), next = g->next[node], previous = g->previous[node];
    if (next == PICTURE_NONE)
        g->tail[list] = previous;
    else
        g->previous[next] = previous;
    if (previous == PICTURE_NONE)
        g->head[list] = next;
    else
        g->next[previous] = next;
}

static void place(struct greedy *g, uint32_t node, uint32_t where)
{
    take_out(g, node);
    g->place[node] = where;
    for (uint32_t i = g->r.below_first[node]; i < g->r.below_first[node + 1]; i++) {
        uint32_t other = g->r.below[i];
        if (g->place[other] != PICTURE_NONE)
            continue;
        take_out(g, other);
        g->above[other]--;
        append(g, other);
    }
    for (uint32_t i = g->r.above_first[node]; i < g->r.above_first[node + 1]; i++) {
        uint32_t other = g->r.above[i];
        if (g->place[other] != PICTURE_NONE)
            continue;
        take_out(g, other);
        g->below[other]--;
        append(g, other);
    }
}

static void place_all(struct greedy *g)
{
    while (g->first < g->last) {
        while (g->top > 0 && g->head[g->top] == PICTURE_NONE)
            g->top--;
        if (g->head[0] != PICTURE_NONE)
            place(g, g->head[0], --g->last);
        else
            place(g, g->head[g->top], g->first++);
    }
}

static int prepare(struct greedy *g, uint32_t nodes)
{
    size_t count = nodes + (size_t)1;
    g->above = malloc(count * sizeof(*g->above));
    g->below = malloc(count * sizeof(*g->below));
    g->next = malloc(count * sizeof(*g->next));
    g->previous = malloc(count * sizeof(*g->previous));
    g->place = malloc(count * sizeof(*g->place));
    if (!g->above || !g->below || !g->next || !g->previous || !g->place)
        return -1;
    for (uint32_t v = 0; v < nodes; v++) {
        g->above[v] = rows_above(&g->r, v);
        g->below[v] = rows_below(&g->r, v);
        g->place[v] = PICTURE_NONE;
        if ((int32_t)g->above[v] > g->most)
            g->most = (int32_t)g->above[v];
        if ((int32_t)g->below[v] > g->most)
            g->most = (int32_t)g->below[v];
    }
    size_t lists = 2 * (size_t)g->most + 3;
    g->head = malloc(lists * sizeof(*g->head));
    g->tail = malloc(lists * sizeof(*g->tail));
    if (!g->head || !g->tail)
        return -1;
    for (size_t i = 0; i < lists; i++)
        g->head[i] = g->tail[i] = PICTURE_NONE;
    return 0;
}

static int order_nodes(struct greedy *g, uint32_t nodes)
{
    if (prepare(g, nodes))
        return -1;
    for (uint32_t v = 0; v < nodes; v++)
        append(g, v);
    g->last = nodes;
    place_all(g);
    return 0;
}

static void release(struct greedy *g)
{
    rows_release(&g->r);
    free(g->above);
    free(g->below);
    free(g->head);
    free(g->tail);
    free(g->next);
    free(g->previous);
    free(g->place);
}

/* The edges between nodes of the same circle. Returns how many. */
static uint32_t edges_on_circles(const struct picture *p, const uint32_t *circle, uint32_t *from,
                                 uint32_t *to)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < p->edges; e++)
        if (circle[p->edge[e].from] == circle[p->edge[e].to]) {
            from[count] = p->edge[e].from;
            to[count++] = p->edge[e].to;
        }
    return count;
}

static int turn_backward(const struct picture *p, const uint32_t *circle, struct greedy *g,
                         uint8_t *reversed)
{
    uint32_t *ends = malloc((p->edges * (size_t)2 + 1) * sizeof(*ends));
    if (!ends)
        return -1;
    uint32_t *from = ends, *to = ends + p->edges, count = edges_on_circles(p, circle, from, to);
    int result = 0;
    memset(reversed, 0, p->edges);
    if (count) {
        result = p->edges > INT32_MAX || rows_make(&g->r, p->nodes, count, from, to) ||
                         order_nodes(g, p->nodes)
                     ? -1
                     : 0;
        for (uint32_t e = 0; result == 0 && e < p->edges; e++) {
            uint32_t a = p->edge[e].from, b = p->edge[e].to;
            reversed[e] = circle[a] == circle[b] && g->place[a] > g->place[b];
        }
    }
    free(ends);
    return result;
}

int acyclic_find(const struct picture *p, uint8_t *reversed)
{
    struct greedy g = {.most = 0};
    uint32_t *circle = malloc((p->nodes + (size_t)1) * sizeof(*circle));
    int result = circle ? circles_find(p, circle) : -1;
    if (result == 0)
        result = turn_backward(p, circle, &g, reversed);
    release(&g);
    free(circle);
    return result;
}
