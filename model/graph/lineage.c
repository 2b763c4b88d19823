#include "model/graph/lineage.h"

#include <string.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/graph/walk.h"

void lineage_release(struct lineage *l)
{
    FREE_ALL(l->node, l->depth, l->cycle, l->cycle_first);
    *l = (struct lineage){.node = NULL};
}

/* The search for cycles among the reached nodes. */
struct cycle_search {
    const struct graph *g;
    const struct row_index *reached;
    struct lineage *out;
    /* [reached->count] the number of a node's component, from 1; 0 if it is not on a cycle */
    uint32_t *component;
    uint32_t *queue, *parent; /* [reached->count] allocated for the first cycle */
    size_t cycle_alloc, first_alloc, cycle_len;
    uint32_t components;
};

static void add_to_cycle(struct cycle_search *c, uint32_t node)
{
    *ARRAY_ADD(c->out->cycle, c->cycle_len, c->cycle_alloc) = node;
}

/* The nodes added since the last call are a cycle. */
static void end_cycle(struct cycle_search *c)
{
    ARRAY_ROOM(c->out->cycle_first, c->out->cycle_count + 1, c->first_alloc, 1);
    c->out->cycle_first[0] = 0;
    c->out->cycle_first[++c->out->cycle_count] = c->cycle_len;
}

static int64_t row_of(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node;
}

static void make_room(struct cycle_search *c)
{
    if (c->queue)
        return;
    c->queue = xmalloc(c->reached->count * sizeof(*c->queue));
    c->parent = xmalloc(c->reached->count * sizeof(*c->parent));
    for (size_t i = 0; i < c->reached->count; i++)
        c->parent[i] = NODE_NONE;
}

/*
 * Finds a shortest way from `start` back to it within its component: breadth first along ANCESTORS,
 * with `parent` as the way back. Returns the last node before `start`.
 */
static uint32_t find_way_back(struct cycle_search *c, uint32_t start)
{
    size_t queued = 0, at = 0;
    c->queue[queued++] = start;
    while (at < queued) {
        uint32_t v = c->queue[at++];
        struct steps steps = graph_steps(c->g, ANCESTORS, reached_node(c->reached, v));
        for (uint32_t i = steps.from; i < steps.to; i++) {
            size_t w = row_index_find(c->reached, graph_step(c->g, ANCESTORS, i));
            if (w == start && v != start)
                return v;
            if (w == ROW_NONE || w == start || c->component[w] != c->component[start] ||
                c->parent[w] != NODE_NONE)
                continue;
            c->parent[w] = v;
            c->queue[queued++] = (uint32_t)w;
        }
    }
    return NODE_NONE; /* unreachable: a component of several nodes has a way back */
}

static void add_shortest(struct cycle_search *c, uint32_t start)
{
    make_room(c);
    size_t from = c->cycle_len;
    for (uint32_t v = find_way_back(c, start); v != NODE_NONE && v != start; v = c->parent[v])
        add_to_cycle(c, reached_node(c->reached, v));
    add_to_cycle(c, reached_node(c->reached, start));
    uint32_t *cycle = c->out->cycle;
    for (size_t i = from, k = c->cycle_len - 1; i < k; i++, k--) {
        uint32_t swapped = cycle[i];
        cycle[i] = cycle[k];
        cycle[k] = swapped;
    }
    end_cycle(c);
}

static void add_cycles(void *arg, const uint32_t *number, size_t count, bool circle)
{
    struct cycle_search *c = arg;
    uint32_t least = number[0];
    c->components += circle;
    for (size_t i = 0; i < count && circle; i++) {
        uint32_t node = reached_node(c->reached, number[i]);
        c->component[number[i]] = c->components;
        if (row_of(c->g, node) < row_of(c->g, reached_node(c->reached, least)))
            least = number[i];
        if (is_based_on_itself(c->g, node)) {
            add_to_cycle(c, node);
            end_cycle(c);
        }
    }
    if (count > 1)
        add_shortest(c, least);
}

/* ---- their order ---- */

struct found {
    int64_t row;
    size_t first, len; /* in lineage.cycle */
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->row != y->row ? COMPARE(x->row, y->row) : COMPARE(x->len, y->len);
}

static void sort_cycles(struct lineage *out, const struct graph *g)
{
    size_t count = out->cycle_count, at = 0;
    if (count < 2)
        return;
    AUTO_FREE struct found *found = xmalloc(count * sizeof(*found));
    AUTO_FREE uint32_t *cycle = xmalloc(out->cycle_first[count] * sizeof(*cycle));
    for (size_t i = 0; i < count; i++) {
        size_t first = out->cycle_first[i];
        found[i] =
            (struct found){row_of(g, out->cycle[first]), first, out->cycle_first[i + 1] - first};
    }
    SORT(found, count, compare_found);
    for (size_t i = 0; i < count; at += found[i++].len) {
        memcpy(cycle + at, out->cycle + found[i].first, found[i].len * sizeof(*cycle));
        out->cycle_first[i] = at;
    }
    memcpy(out->cycle, cycle, at * sizeof(*cycle));
}

static void find_cycles(struct lineage *out, const struct graph *g, const struct row_index *reached)
{
    struct cycle_search c = {.g = g, .reached = reached, .out = out};
    c.component = xcalloc(reached->count, sizeof(*c.component));
    reached_components(reached, g, add_cycles, &c);
    sort_cycles(out, g);
    FREE_ALL(c.component, c.queue, c.parent);
}

/* Cuts the nodes that are too deep: they are at the end, since nodes are ordered by depth. */
static void cut_at(struct lineage *out, size_t reached, uint32_t depth)
{
    size_t low = 0, high = reached;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (out->depth[middle] <= depth)
            low = middle + 1;
        else
            high = middle;
    }
    out->count = low;
    out->cut = reached - low;
}

void lineage_walk(struct lineage *out, const struct graph *g, uint32_t root,
                  enum direction direction, uint32_t depth)
{
    AUTO(row_index) reached = ROW_INDEX_INIT;
    *out = (struct lineage){.depth = xcalloc(1, sizeof(*out->depth))};
    row_index_add(&reached, root);
    reached_walk(&reached, g, direction, 0, &out->depth);
    find_cycles(out, g, &reached);
    out->node = xmalloc(reached.count * sizeof(*out->node));
    for (size_t i = 0; i < reached.count; i++)
        out->node[i] = reached_node(&reached, i);
    cut_at(out, reached.count, depth);
}
