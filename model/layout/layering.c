#include "model/layout/layering.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/layout/simplex.h"

struct layering {
    struct rows r;
    int64_t *height; /* see simplex.h */
    uint32_t *layer; /* [nodes] the caller's */
    uint32_t *order; /* [nodes] each after all that are above it */
    uint32_t *count; /* [nodes] scratch: what is left above a node */
};

/* ---- a first layering, which is short already ---- */

/* Each node as high as what is above it lets it. */
static void longest_paths(struct layering *l)
{
    const struct rows *r = &l->r;
    uint32_t end = 0;
    for (uint32_t v = 0; v < r->nodes; v++) {
        l->height[v] = 0;
        l->count[v] = rows_above(r, v);
        if (!l->count[v])
            l->order[end++] = v;
    }
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = l->order[i];
        for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++) {
            uint32_t below = r->below[k];
            int64_t least = l->height[v] + HEIGHT_LAYER;
            if (l->height[below] < least)
                l->height[below] = least;
            if (--l->count[below] == 0)
                l->order[end++] = below;
        }
    }
}

/* What has more edges downwards goes down as far as what is below lets it. Simplex has less to do
 * then. */
static void pull_down(struct layering *l)
{
    const struct rows *r = &l->r;
    for (uint32_t i = r->nodes; i > 0; i--) {
        uint32_t v = l->order[i - 1];
        if (rows_below(r, v) <= rows_above(r, v))
            continue;
        int64_t most = INT64_MAX;
        for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++) {
            int64_t height = l->height[r->below[k]] - HEIGHT_LAYER;
            if (height < most)
                most = height;
        }
        l->height[v] = most;
    }
}

/* ---- as short as can be ---- */

/* Half a second. A lineage of 1,000 nodes takes a thousandth of that, one of 20,000 a third. */
#define STEPS_MOST 50000000u
/* For each node and edge, as long as simplex seems not to go round. */
#define STEPS_EACH 200u

/* Each node goes down a little where what is above it, now that edges differ, goes down as far. */
static void differ(struct layering *l)
{
    const struct rows *r = &l->r;
    for (uint32_t i = 0; i < r->nodes; i++) {
        uint32_t v = l->order[i];
        for (uint32_t k = r->above_first[v]; k < r->above_first[v + 1]; k++) {
            uint32_t above = r->above[k];
            int64_t least = l->height[above] + height_of_edge(HEIGHTS_DIFFERENT, above, v);
            if (l->height[v] < least)
                l->height[v] = least;
        }
    }
}

/* Where edges are equal what is as good stays as it was, so that what is added to a drawing changes
 * little. */
static int shorten(struct layering *l)
{
    uint64_t most = STEPS_EACH * ((uint64_t)l->r.nodes + l->r.edges);
    int result = simplex_shorten(&l->r, HEIGHTS_EQUAL, most, l->height);
    if (result != 0)
        return result < 0 ? -1 : 0;
    differ(l);
    return simplex_shorten(&l->r, HEIGHTS_DIFFERENT, STEPS_MOST, l->height) < 0 ? -1 : 0;
}

/* ---- what simplex leaves open ---- */

/* Nearest, so that what each edge goes further down than a layer makes no difference. */
static int64_t layer_of(int64_t height)
{
    int64_t up = height + HEIGHT_LAYER / 2;
    return up >= 0 ? up / HEIGHT_LAYER : -((-up + HEIGHT_LAYER - 1) / HEIGHT_LAYER);
}

/* The component of queue[0], which is marked. Returns its end in the queue. */
static uint32_t component(const struct rows *r, uint32_t *queue, uint32_t *seen)
{
    uint32_t end = 1;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = queue[i];
        const uint32_t *first[] = {r->below_first, r->above_first}, *to[] = {r->below, r->above};
        for (int way = 0; way < 2; way++)
            for (uint32_t k = first[way][v]; k < first[way][v + 1]; k++)
                if (!seen[to[way][k]]) {
                    seen[to[way][k]] = 1;
                    queue[end++] = to[way][k];
                }
    }
    return end;
}

/* From heights to layers: each component's first is 0. Returns how many there are. */
static uint32_t number_layers(struct layering *l)
{
    uint32_t *seen = l->count, *queue = l->order, layers = 0;
    for (uint32_t v = 0; v < l->r.nodes; v++)
        seen[v] = 0;
    for (uint32_t root = 0; root < l->r.nodes; root++) {
        if (seen[root])
            continue;
        seen[root] = 1;
        queue[0] = root;
        uint32_t end = component(&l->r, queue, seen);
        int64_t least = INT64_MAX;
        for (uint32_t i = 0; i < end; i++)
            if (l->height[queue[i]] < least)
                least = l->height[queue[i]];
        for (uint32_t i = 0; i < end; i++) {
            uint32_t v = queue[i];
            l->layer[v] = (uint32_t)(layer_of(l->height[v]) - layer_of(least));
            if (l->layer[v] >= layers)
                layers = l->layer[v] + 1;
        }
    }
    return layers;
}

/* A node with as many edges above as below goes where the fewest nodes are; of equal layers it
 * stays, or takes the highest. */
static void balance_node(struct layering *l, uint32_t v, uint32_t *crowd)
{
    const struct rows *r = &l->r;
    uint32_t from = 0, to = UINT32_MAX, best = l->layer[v];
    if (rows_above(r, v) == 0 || rows_above(r, v) != rows_below(r, v))
        return;
    for (uint32_t k = r->above_first[v]; k < r->above_first[v + 1]; k++)
        if (l->layer[r->above[k]] >= from)
            from = l->layer[r->above[k]] + 1;
    for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++)
        if (l->layer[r->below[k]] < to)
            to = l->layer[r->below[k]];
    crowd[l->layer[v]]--;
    for (uint32_t i = from; i < to; i++)
        if (crowd[i] < crowd[best])
            best = i;
    crowd[best]++;
    l->layer[v] = best;
}

static void balance(struct layering *l, uint32_t layers)
{
    uint32_t *crowd = xcalloc(layers + (size_t)1, sizeof(*crowd));
    for (uint32_t v = 0; v < l->r.nodes; v++)
        crowd[l->layer[v]]++;
    for (uint32_t v = 0; v < l->r.nodes; v++)
        balance_node(l, v, crowd);
    free(crowd);
}

/* ---- all of it ---- */

static void prepare(struct layering *l, uint32_t nodes)
{
    size_t count = nodes + (size_t)1;
    l->height = xmalloc(count * sizeof(*l->height));
    l->order = xcalloc(count, sizeof(*l->order));
    l->count = xmalloc(count * sizeof(*l->count));
}

int layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                  uint32_t *layer)
{
    struct layering l = {.layer = layer};
    int result = nodes > HEIGHT_NODES || rows_make(&l.r, nodes, edges, upper, lower) ? -1 : 0;
    if (result == 0)
        prepare(&l, nodes);
    if (result == 0) {
        longest_paths(&l);
        pull_down(&l);
        result = shorten(&l);
    }
    if (result == 0)
        balance(&l, number_layers(&l));
    rows_release(&l.r);
    free(l.height);
    free(l.order);
    free(l.count);
    return result;
}

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

static void acyclic_prepare(struct search *s)
{
    const struct picture *p = s->p;
    size_t nodes = p->nodes + (size_t)1;
    s->next = xcalloc(nodes, sizeof(*s->next));
    s->path = xmalloc(nodes * sizeof(*s->path));
    s->state = xcalloc(nodes, 1);
    s->rested = xcalloc(nodes, 1);
    /* Edges are sorted by `from`: a node's begin where those of the ones before it end. */
    for (uint32_t e = 0; e < p->edges; e++) {
        s->next[p->edge[e].from + 1]++;
        s->rested[p->edge[e].to] = 1;
        s->reversed[e] = 0;
    }
    for (uint32_t v = 0; v < p->nodes; v++)
        s->next[v + 1] += s->next[v];
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

void acyclic_find(const struct picture *p, uint8_t *reversed)
{
    struct search s = {.p = p, .reversed = reversed};
    acyclic_prepare(&s);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (!s.rested[v])
            search_from(&s, v);
    for (uint32_t v = 0; v < p->nodes; v++)
        search_from(&s, v);
    free(s.next);
    free(s.path);
    free(s.state);
    free(s.rested);
}
