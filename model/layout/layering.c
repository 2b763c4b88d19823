#include "model/layout/layered.h"

#include <stdbool.h>
#include <string.h>
#include "model/layout/rows.h"

/* ---- layers ---- */

#define NONE UINT32_MAX

/* The most steps of network simplex; a step visits a node or an edge. Takes about a quarter of a
 * second. */
#define STEPS_MOST UINT64_C(50000000)

/*
 * The forest consists of edges of length 1 without a cycle. The subtree below such an edge can move
 * as a whole: moving down shortens the edges that leave it downwards and lengthens those that enter
 * it from above. Its pull is the difference of their numbers.
 */
struct layering {
    uint32_t nodes, edges;
    const uint32_t *upper, *lower; /* [edges] */
    struct rows below, above;      /* edges by upper end, and by lower end */
    int32_t *height;               /* [nodes] the layer, relative */
    uint8_t *in_forest;            /* [edges] */
    uint32_t *parent;              /* [nodes] the forest edge to a node's parent, or NONE */
    uint32_t *order;               /* [nodes] parents before their children */
    int32_t *pull;                 /* [nodes] the pull of its subtree */
    uint8_t *inside;               /* [nodes] in the moving subtree */
    uint32_t next;                 /* where to continue looking for a subtree to move */
};

static uint32_t other_end(const struct layering *l, uint32_t edge, uint32_t node)
{
    return l->upper[edge] == node ? l->lower[edge] : l->upper[edge];
}

static int32_t slack(const struct layering *l, uint32_t edge)
{
    return l->height[l->lower[edge]] - l->height[l->upper[edge]] - 1;
}

/* Puts each node as high as the nodes above it allow. */
static void longest_paths(struct layering *l)
{
    uint32_t end = 0, *left = l->parent;
    for (uint32_t v = 0; v < l->nodes; v++) {
        left[v] = rows_count(&l->above, v);
        if (!left[v])
            l->order[end++] = v;
    }
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = l->order[i];
        for (uint32_t k = l->below.first[v]; k < l->below.first[v + 1]; k++) {
            uint32_t to = l->lower[l->below.item[k]];
            if (l->height[to] < l->height[v] + 1)
                l->height[to] = l->height[v] + 1;
            if (--left[to] == 0)
                l->order[end++] = to;
        }
    }
}

/* Moves nodes with more edges downwards than upwards down, as far as the nodes below allow. This
 * leaves less work to simplex. */
static void pull_down(struct layering *l)
{
    for (uint32_t i = l->nodes; i > 0; i--) {
        uint32_t v = l->order[i - 1];
        int32_t most = INT32_MAX;
        if (rows_count(&l->below, v) <= rows_count(&l->above, v))
            continue;
        for (uint32_t k = l->below.first[v]; k < l->below.first[v + 1]; k++) {
            int32_t height = l->height[l->lower[l->below.item[k]]] - 1;
            most = height < most ? height : most;
        }
        l->height[v] = most;
    }
}

/* ---- the forest ---- */

/* Makes the neighbours of `node` its children: by edges of the forest, or with `grow` by any
 * edge of length 1. */
static uint32_t add_children(struct layering *l, uint32_t node, uint32_t end, bool grow)
{
    const struct rows *rows[] = {&l->below, &l->above};
    for (int side = 0; side < 2; side++)
        for (uint32_t k = rows[side]->first[node]; k < rows[side]->first[node + 1]; k++) {
            uint32_t edge = rows[side]->item[k], other = other_end(l, edge, node);
            if (l->inside[other] || !(grow ? slack(l, edge) == 0 : l->in_forest[edge]))
                continue;
            l->inside[other] = l->in_forest[edge] = 1;
            l->parent[other] = edge;
            l->order[end++] = other;
        }
    return end;
}

/* Sets order, parent and pull from the forest; with `grow` makes the forest. */
static void build_forest(struct layering *l, bool grow)
{
    uint32_t end = 0;
    memset(l->inside, 0, l->nodes);
    for (uint32_t root = 0, i = 0; root < l->nodes; root++) {
        if (l->inside[root])
            continue;
        l->inside[root] = 1;
        l->parent[root] = NONE;
        l->order[end++] = root;
        for (; i < end; i++)
            end = add_children(l, l->order[i], end, grow);
    }
    for (uint32_t v = 0; v < l->nodes; v++)
        l->pull[v] = (int32_t)(rows_count(&l->below, v) - rows_count(&l->above, v));
    for (uint32_t i = l->nodes; i > 0; i--) {
        uint32_t v = l->order[i - 1];
        if (l->parent[v] != NONE)
            l->pull[other_end(l, l->parent[v], v)] += l->pull[v];
    }
}

/* Would moving the subtree shorten edges, and does the edge to its parent allow the move? */
static bool can_move(const struct layering *l, uint32_t v)
{
    uint32_t edge = l->parent[v];
    if (l->pull[v] == 0)
        return false;
    return edge == NONE || (l->pull[v] > 0 ? l->lower[edge] == v : l->upper[edge] == v);
}

/* Chooses a subtree that can move, round robin. Returns NONE if there is none. */
static uint32_t next_movable(struct layering *l)
{
    for (uint32_t i = 0; i < l->nodes; i++) {
        uint32_t v = l->next;
        l->next = v + 1 < l->nodes ? v + 1 : 0;
        if (can_move(l, v))
            return v;
    }
    return NONE;
}

static void mark_subtree(struct layering *l, uint32_t top)
{
    memset(l->inside, 0, l->nodes);
    l->inside[top] = 1;
    for (uint32_t i = 0; i < l->nodes; i++) {
        uint32_t v = l->order[i], edge = l->parent[v];
        if (edge != NONE && l->inside[other_end(l, edge, v)])
            l->inside[v] = 1;
    }
}

/* Moves the subtree until an edge stops it. That edge replaces the edge to its parent in the
 * forest. */
static void exchange(struct layering *l, uint32_t top)
{
    bool down = l->pull[top] > 0;
    uint32_t stop = NONE;
    mark_subtree(l, top);
    for (uint32_t e = 0; e < l->edges; e++) {
        bool stops = down ? l->inside[l->upper[e]] && !l->inside[l->lower[e]]
                          : !l->inside[l->upper[e]] && l->inside[l->lower[e]];
        if (stops && (stop == NONE || slack(l, e) < slack(l, stop)))
            stop = e;
    }
    int32_t by = down ? slack(l, stop) : -slack(l, stop);
    for (uint32_t v = 0; v < l->nodes; v++)
        l->height[v] += l->inside[v] ? by : 0;
    if (l->parent[top] != NONE)
        l->in_forest[l->parent[top]] = 0;
    l->in_forest[stop] = 1;
}

static void shorten(struct layering *l)
{
    uint64_t steps = 0;
    uint32_t top;
    build_forest(l, true);
    while (steps < STEPS_MOST && (top = next_movable(l)) != NONE) {
        exchange(l, top);
        build_forest(l, false);
        steps += (uint64_t)l->nodes + l->edges;
    }
}

/* Converts heights to layers: each component, which is contiguous in `order`, begins at 0. */
static void number_layers(struct layering *l, uint32_t *layer)
{
    memset(l->inside, 0, l->nodes);
    memset(l->in_forest, 1, l->edges); /* all edges join components */
    for (uint32_t root = 0, i = 0, end = 0; root < l->nodes; root++) {
        int32_t least = l->height[root];
        if (l->inside[root])
            continue;
        uint32_t from = end;
        l->inside[root] = 1;
        l->order[end++] = root;
        for (; i < end; i++)
            end = add_children(l, l->order[i], end, false);
        for (uint32_t k = from; k < end; k++)
            least = l->height[l->order[k]] < least ? l->height[l->order[k]] : least;
        for (uint32_t k = from; k < end; k++)
            layer[l->order[k]] = (uint32_t)(l->height[l->order[k]] - least);
    }
}

void layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                   uint32_t *layer)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct layering l = {.nodes = nodes, .edges = edges, .upper = upper, .lower = lower};
    size_t count = nodes + (size_t)1;
    rows_make(&l.below, &arena, nodes, edges, upper, sizeof(*upper));
    rows_make(&l.above, &arena, nodes, edges, lower, sizeof(*lower));
    l.height = arena_array(&arena, count, sizeof(*l.height));
    l.in_forest = arena_array(&arena, edges + (size_t)1, 1);
    l.parent = arena_array(&arena, count, sizeof(*l.parent));
    l.order = arena_array(&arena, count, sizeof(*l.order));
    l.pull = arena_array(&arena, count, sizeof(*l.pull));
    l.inside = arena_array(&arena, count, 1);
    longest_paths(&l);
    pull_down(&l);
    shorten(&l);
    number_layers(&l, layer);
}

/* ---- cycles ---- */

enum state {
    UNSEEN = 0,
    ON_PATH,
    DONE
};

struct search {
    struct arena arena;
    const struct picture *p;
    uint8_t *reversed;
    uint32_t *next;  /* [nodes + 1] the next edge of a node on the path */
    uint32_t *path;  /* [nodes] the path to the current node */
    uint8_t *state;  /* [nodes] */
    uint8_t *rested; /* [nodes] another node is based on it */
    uint32_t length; /* of the path */
};

static void acyclic_prepare(struct search *s)
{
    const struct picture *p = s->p;
    size_t nodes = p->nodes + (size_t)1;
    s->next = arena_array(&s->arena, nodes, sizeof(*s->next));
    s->path = arena_array(&s->arena, nodes, sizeof(*s->path));
    s->state = arena_array(&s->arena, nodes, 1);
    s->rested = arena_array(&s->arena, nodes, 1);
    /* Edges are sorted by `from`, so prefix sums give the first edge of each node. */
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

/* Follows one edge, or goes back one node. */
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
    struct search s = {.arena = ARENA_INIT, .p = p, .reversed = reversed};
    acyclic_prepare(&s);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (!s.rested[v])
            search_from(&s, v);
    for (uint32_t v = 0; v < p->nodes; v++)
        search_from(&s, v);
    arena_release(&s.arena);
}
