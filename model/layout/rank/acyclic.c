#include "model/layout/rank/acyclic.h"

#include <stdlib.h>
#include "model/base/alloc.h"

enum state {
    UNSEEN = 0,
    ON_PATH,
    DONE
};

struct search {
    const struct picture *p;
    uint8_t *reversed;
    uint32_t *next;  /* [nodes + 1] the next edge of a node that is on the path */
    uint32_t *path;  /* [nodes] from where the search began to where it is */
    uint8_t *state;  /* [nodes] */
    uint8_t *rested; /* [nodes] something rests on it */
    uint32_t length; /* of the path */
};

static int prepare(struct search *s)
{
    const struct picture *p = s->p;
    size_t nodes = p->nodes + (size_t)1;
    s->next = xcalloc(nodes, sizeof(*s->next));
    s->path = xmalloc(nodes * sizeof(*s->path));
    s->state = xcalloc(nodes, 1);
    s->rested = xcalloc(nodes, 1);
    if (!s->next || !s->path || !s->state || !s->rested)
        return -1;
    /* Edges are sorted by `from`: a node's begin where those of the ones before it end. */
    for (uint32_t e = 0; e < p->edges; e++) {
        s->next[p->edge[e].from + 1]++;
        s->rested[p->edge[e].to] = 1;
        s->reversed[e] = 0;
    }
    for (uint32_t v = 0; v < p->nodes; v++)
        s->next[v + 1] += s->next[v];
    return 0;
}

static void enter(struct search *s, uint32_t node)
{
    s->state[node] = ON_PATH;
    s->path[s->length++] = node;
}

/* One edge further, or one node back. */
static void step(struct search *s)
{
    const struct picture *p = s->p;
    uint32_t node = s->path[s->length - 1], e = s->next[node];
    if (e == p->edges || p->edge[e].from != node) {
        s->state[node] = DONE;
        s->length--;
        return;
    }
    s->next[node]++;
    uint32_t to = p->edge[e].to;
    if (s->state[to] == UNSEEN)
        enter(s, to);
    else if (s->state[to] == ON_PATH)
        s->reversed[e] = 1;
}

static void search_from(struct search *s, uint32_t node)
{
    if (s->state[node] != UNSEEN)
        return;
    enter(s, node);
    while (s->length)
        step(s);
}

int acyclic_find(const struct picture *p, uint8_t *reversed)
{
    struct search s = {.p = p, .reversed = reversed};
    int result = prepare(&s);
    if (result == 0) {
        for (uint32_t v = 0; v < p->nodes; v++)
            if (!s.rested[v])
                search_from(&s, v);
        for (uint32_t v = 0; v < p->nodes; v++)
            search_from(&s, v);
    }
    free(s.next);
    free(s.path);
    free(s.state);
    free(s.rested);
    return result;
}
