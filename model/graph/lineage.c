#include "model/graph/lineage.h"

#include <string.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/graph/walk.h"

void lineage_release(struct lineage *l)
{
    free(l->node);
    free(l->depth);
    free(l->cycle);
    free(l->cycle_first);
    *l = (struct lineage){.node = NULL};
}

/* A node whose links are being followed. */
struct frame {
    uint32_t number; /* of the node in the walk */
    uint32_t step, end;
};

/*
 * Tarjan's algorithm over the nodes reached, by their numbers; `order` and `low` are his, 0 where a node
 * was not visited. Once a component is complete its nodes have its number in `component`.
 */
struct circles {
    const struct graph *g;
    const struct reached *reached;
    struct lineage *out;
    uint32_t *order, *low, *component; /* [reached->count] */
    uint32_t *open;                    /* stack: visited, and in no component yet */
    uint32_t *queue, *parent;          /* [reached->count] made for the first circle */
    struct frame *frames;
    size_t frame_alloc, frame_count, open_count;
    size_t cycle_alloc, first_alloc, cycle_len;
    uint32_t visited, components;
};

static void add_to_cycle(struct circles *c, uint32_t node)
{
    *ARRAY_ADD(c->out->cycle, c->cycle_len, c->cycle_alloc) = node;
}

/* What was added since the last call is a circle. */
static void end_cycle(struct circles *c)
{
    ARRAY_ROOM(c->out->cycle_first, c->out->cycle_count + 1, c->first_alloc, 1);
    c->out->cycle_first[0] = 0;
    c->out->cycle_first[++c->out->cycle_count] = c->cycle_len;
}

static int64_t row_of(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node;
}

static void make_room(struct circles *c)
{
    if (c->queue)
        return;
    c->queue = xmalloc(c->reached->count * sizeof(*c->queue));
    c->parent = xmalloc(c->reached->count * sizeof(*c->parent));
    for (size_t i = 0; i < c->reached->count; i++)
        c->parent[i] = NODE_NONE;
}

/*
 * The last node on a shortest way from `start` back to it, within its component: breadth first over what
 * each rests on, keeping where each was come upon from.
 */
static uint32_t find_way_back(struct circles *c, uint32_t start)
{
    size_t queued = 0, at = 0;
    c->queue[queued++] = start;
    while (at < queued) {
        uint32_t v = c->queue[at++];
        struct steps steps = graph_steps(c->g, ANCESTORS, c->reached->node[v]);
        for (uint32_t i = steps.from; i < steps.to; i++) {
            uint32_t w = reached_find(c->reached, graph_step(c->g, ANCESTORS, i));
            if (w == start && v != start)
                return v;
            if (w == NODE_NONE || w == start || c->component[w] != c->component[start] ||
                c->parent[w] != NODE_NONE)
                continue;
            c->parent[w] = v;
            c->queue[queued++] = w;
        }
    }
    return NODE_NONE; /* not reached: a component of several nodes has a way back */
}

static void add_shortest(struct circles *c, uint32_t start)
{
    make_room(c);
    size_t from = c->cycle_len;
    for (uint32_t v = find_way_back(c, start); v != NODE_NONE && v != start; v = c->parent[v])
        add_to_cycle(c, c->reached->node[v]);
    add_to_cycle(c, c->reached->node[start]);
    uint32_t *cycle = c->out->cycle;
    for (size_t i = from, k = c->cycle_len - 1; i < k; i++, k--) {
        uint32_t swapped = cycle[i];
        cycle[i] = cycle[k];
        cycle[k] = swapped;
    }
    end_cycle(c);
}

/* `v` is the first of its component, which lies on the stack from it on. */
static void close_component(struct circles *c, uint32_t v)
{
    size_t from = c->open_count;
    uint32_t least = v;
    c->components++;
    do {
        uint32_t w = c->open[--from];
        c->component[w] = c->components;
        if (row_of(c->g, c->reached->node[w]) < row_of(c->g, c->reached->node[least]))
            least = w;
    } while (c->open[from] != v);
    bool several = c->open_count - from > 1;
    c->open_count = from;
    if (several)
        add_shortest(c, least);
}

static bool rests_on_itself(const struct graph *g, uint32_t node)
{
    struct steps steps = graph_steps(g, ANCESTORS, node);
    for (uint32_t i = steps.from; i < steps.to; i++)
        if (graph_step(g, ANCESTORS, i) == node)
            return true;
    return false;
}

static void visit(struct circles *c, uint32_t v)
{
    uint32_t node = c->reached->node[v];
    struct steps steps = graph_steps(c->g, ANCESTORS, node);
    *ARRAY_ADD(c->frames, c->frame_count, c->frame_alloc) = (struct frame){v, steps.from, steps.to};
    c->order[v] = c->low[v] = ++c->visited;
    c->open[c->open_count++] = v;
    if (rests_on_itself(c->g, node)) {
        add_to_cycle(c, node);
        end_cycle(c);
    }
}

static void lower(struct circles *c, uint32_t v, uint32_t to)
{
    if (to < c->low[v])
        c->low[v] = to;
}

/* One step of the search: along a link, or back. */
static void step(struct circles *c)
{
    struct frame *frame = &c->frames[c->frame_count - 1];
    uint32_t v = frame->number;
    if (frame->step < frame->end) {
        uint32_t w = reached_find(c->reached, graph_step(c->g, ANCESTORS, frame->step++));
        if (w == NODE_NONE)
            return; /* a descendant rests on others too, which this walk has nothing to do with */
        if (!c->order[w])
            visit(c, w);
        else if (!c->component[w])
            lower(c, v, c->order[w]);
        return;
    }
    c->frame_count--;
    if (c->frame_count > 0)
        lower(c, c->frames[c->frame_count - 1].number, c->low[v]);
    if (c->low[v] == c->order[v])
        close_component(c, v);
}

static void search(struct circles *c)
{
    for (uint32_t v = 0; v < c->reached->count; v++) {
        if (c->order[v])
            continue;
        visit(c, v);
        while (c->frame_count > 0)
            step(c);
    }
}

/* ---- their order ---- */

struct begun {
    int64_t row;
    size_t first, len; /* in lineage.cycle */
};

static int compare_begun(const void *a, const void *b)
{
    const struct begun *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->len > y->len) - (x->len < y->len);
}

static void sort_circles(struct lineage *out, const struct graph *g)
{
    size_t count = out->cycle_count, at = 0;
    if (count < 2)
        return;
    struct begun *begun = xmalloc(count * sizeof(*begun));
    uint32_t *cycle = xmalloc(out->cycle_first[count] * sizeof(*cycle));
    for (size_t i = 0; i < count; i++) {
        size_t first = out->cycle_first[i];
        begun[i] =
            (struct begun){row_of(g, out->cycle[first]), first, out->cycle_first[i + 1] - first};
    }
    qsort(begun, count, sizeof(*begun), compare_begun);
    for (size_t i = 0; i < count; at += begun[i++].len) {
        memcpy(cycle + at, out->cycle + begun[i].first, begun[i].len * sizeof(*cycle));
        out->cycle_first[i] = at;
    }
    memcpy(out->cycle, cycle, at * sizeof(*cycle));
    free(begun);
    free(cycle);
}

static void find_circles(struct lineage *out, const struct graph *g, const struct reached *reached)
{
    struct circles c = {.g = g, .reached = reached, .out = out};
    c.order = xcalloc(reached->count, sizeof(*c.order));
    c.low = xcalloc(reached->count, sizeof(*c.low));
    c.component = xcalloc(reached->count, sizeof(*c.component));
    c.open = xmalloc(reached->count * sizeof(*c.open));
    search(&c);
    sort_circles(out, g);
    free(c.order);
    free(c.low);
    free(c.component);
    free(c.open);
    free(c.queue);
    free(c.parent);
    free(c.frames);
}

/* The nodes stand by their depth, so what is too deep is their end. */
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
    struct reached reached = REACHED_INIT;
    *out = (struct lineage){.depth = xcalloc(1, sizeof(*out->depth))};
    reached_add(&reached, root);
    reached_walk(&reached, g, direction, 0, &out->depth);
    find_circles(out, g, &reached);
    out->node = reached.node; /* ours from here on */
    reached.node = NULL;
    cut_at(out, reached.count, depth);
    reached_release(&reached);
}
