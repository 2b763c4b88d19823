#include "circles.h"

#include <stdlib.h>

struct search {
    const struct picture *p;
    uint32_t *circle; /* PICTURE_NONE where none is complete yet */
    uint32_t *next;   /* [nodes + 1] the next edge of a node */
    uint32_t *order;  /* [nodes] when it was first seen, from 1; 0: not yet */
    uint32_t *low;    /* [nodes] the first that it is known to lead back to */
    uint32_t *open;   /* [nodes] seen, and in no circle that is complete */
    uint32_t *path;   /* [nodes] from where the search began to where it is */
    uint32_t seen, open_count, length;
};

static int prepare(struct search *s)
{
    const struct picture *p = s->p;
    size_t nodes = p->nodes + (size_t)1;
    s->next = calloc(nodes, sizeof(*s->next));
    s->order = calloc(nodes, sizeof(*s->order));
    s->low = malloc(nodes * sizeof(*s->low));
    s->open = malloc(nodes * sizeof(*s->open));
    s->path = malloc(nodes * sizeof(*s->path));
    if (!s->next || !s->order || !s->low || !s->open || !s->path)
        return -1;
    /* Edges are sorted by `from`: a node's begin where those of the ones before it end. */
    for (uint32_t e = 0; e < p->edges; e++)
        s->next[p->edge[e].from + 1]++;
    for (uint32_t v = 0; v < p->nodes; v++) {
        s->next[v + 1] += s->next[v];
        s->circle[v] = PICTURE_NONE;
    }
    return 0;
}

static void enter(struct search *s, uint32_t node)
{
    s->order[node] = s->low[node] = ++s->seen;
    s->open[s->open_count++] = node;
    s->path[s->length++] = node;
}

/* Leaves the last of the path; where it leads back to none before it, all that are open since are a circle. */
static void leave(struct search *s)
{
    uint32_t node = s->path[--s->length];
    if (s->length && s->low[node] < s->low[s->path[s->length - 1]])
        s->low[s->path[s->length - 1]] = s->low[node];
    while (s->low[node] == s->order[node] && s->circle[node] == PICTURE_NONE)
        s->circle[s->open[--s->open_count]] = node;
}

/* One edge further, or one node back. */
static void step(struct search *s)
{
    const struct picture *p = s->p;
    uint32_t node = s->path[s->length - 1], e = s->next[node];
    if (e == p->edges || p->edge[e].from != node) {
        leave(s);
        return;
    }
    s->next[node]++;
    uint32_t to = p->edge[e].to;
    if (!s->order[to])
        enter(s, to);
    else if (s->circle[to] == PICTURE_NONE && s->order[to] < s->low[node])
        s->low[node] = s->order[to];
}

int circles_find(const struct picture *p, uint32_t *circle)
{
    struct search s = {.p = p, .circle = circle};
    int result = prepare(&s);
    for (uint32_t v = 0; result == 0 && v < p->nodes; v++) {
        if (!s.order[v])
            enter(&s, v);
        while (s.length)
            step(&s);
    }
    free(s.next);
    free(s.order);
    free(s.low);
    free(s.open);
    free(s.path);
    return result;
}
