#include "model/graph/walk.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"

void reached_walk(struct row_index *reached, const struct graph *g, enum direction direction,
                  size_t from, uint32_t **depth)
{
    size_t depth_alloc = reached->count;
    for (size_t at = from; at < reached->count; at++) {
        struct steps steps = graph_steps(g, direction, reached_node(reached, at));
        if (graph_gives_up(g, 1 + steps.to - steps.from))
            return;
        for (uint32_t i = steps.from; i < steps.to; i++) {
            size_t before = reached->count;
            row_index_add(reached, graph_step(g, direction, i));
            if (!depth || reached->count == before)
                continue;
            ARRAY_ROOM(*depth, before, depth_alloc, 1);
            (*depth)[before] = (*depth)[at] + 1;
        }
    }
}

bool is_based_on_itself(const struct graph *g, uint32_t node)
{
    struct steps steps = graph_steps(g, ANCESTORS, node);
    for (uint32_t i = steps.from; i < steps.to; i++)
        if (graph_step(g, ANCESTORS, i) == node)
            return true;
    return false;
}

/* ---- components ---- */

/* A node that is being visited, and the next of its steps. */
struct visit {
    uint32_t node, next;
};

struct search {
    const uint32_t *first, *to;
    struct support_order *out;
    uint32_t *order, *low; /* Tarjan's index and lowlink; 0 if not visited */
    uint32_t *stack;       /* left, but not in a component yet, in the order of leaving */
    struct visit *visits;  /* the path to the current node */
    size_t stack_count, visit_count;
    uint32_t visited;
};

static void visit(struct search *s, uint32_t node)
{
    s->order[node] = s->low[node] = ++s->visited;
    s->visits[s->visit_count++] = (struct visit){node, s->first[node]};
}

/* Completes a component: the stacked nodes that were visited after `last`, and that. */
static void close_component(struct search *s, uint32_t last)
{
    struct support_order *out = s->out;
    size_t from = s->stack_count;
    s->stack[s->stack_count++] = last;
    while (from > 0 && s->order[s->stack[from - 1]] > s->order[last])
        from--;
    for (size_t i = from; i < s->stack_count; i++) {
        out->of[s->stack[i]] = (uint32_t)out->components;
        out->node[out->count++] = s->stack[i];
    }
    out->first[++out->components] = (uint32_t)out->count;
    s->stack_count = from;
}

static void lower(struct search *s, uint32_t node, uint32_t to)
{
    if (to < s->low[node])
        s->low[node] = to;
}

/* Takes the next step of the current node, or goes back from it. */
static void step(struct search *s)
{
    struct visit *v = &s->visits[s->visit_count - 1];
    uint32_t node = v->node;
    if (v->next < s->first[node + 1]) {
        uint32_t to = s->to[v->next++];
        if (!s->order[to])
            visit(s, to);
        else if (s->out->of[to] == NODE_NONE)
            lower(s, node, s->order[to]);
        return;
    }
    s->visit_count--;
    if (s->visit_count)
        lower(s, s->visits[s->visit_count - 1].node, s->low[node]);
    if (s->low[node] == s->order[node])
        close_component(s, node);
    else
        s->stack[s->stack_count++] = node;
}

void strong_components(struct support_order *out, uint32_t nodes, const uint32_t *first,
                       const uint32_t *to, const uint8_t *in)
{
    struct search s = {.first = first, .to = to, .out = out};
    size_t size = ((size_t)nodes + 1) * sizeof(uint32_t);
    *out = (struct support_order){xmalloc(size), xcalloc(1, size), xmalloc(size), 0, 0};
    memset(out->of, 0xff, size);
    s.order = xcalloc(1, size);
    s.low = xmalloc(size);
    s.stack = xmalloc(size);
    s.visits = xmalloc(((size_t)nodes + 1) * sizeof(*s.visits));
    for (uint32_t v = 0; v < nodes; v++) {
        if (!s.order[v] && (!in || in[v]))
            visit(&s, v);
        while (s.visit_count)
            step(&s);
    }
    FREE_ALL(s.order, s.low, s.stack, s.visits);
}

void support_order_release(struct support_order *o)
{
    FREE_ALL(o->node, o->first, o->of);
    *o = (struct support_order){.node = NULL};
}

void reached_components(const struct row_index *reached, const struct graph *g,
                        void (*each)(void *arg, const uint32_t *number, size_t count, bool circle),
                        void *arg)
{
    struct support_order found;
    AUTO_FREE uint32_t *first = xmalloc((reached->count + 1) * sizeof(*first));
    uint32_t *to = NULL;
    size_t links = 0, alloc = 0;
    for (size_t v = 0; v < reached->count; v++) {
        struct steps steps = graph_steps(g, ANCESTORS, reached_node(reached, v));
        first[v] = (uint32_t)links;
        for (uint32_t i = steps.from; i < steps.to; i++) {
            size_t number = row_index_find(reached, graph_step(g, ANCESTORS, i));
            if (number != ROW_NONE) /* otherwise an antecedent that is outside of this walk */
                *ARRAY_ADD(to, links, alloc) = (uint32_t)number;
        }
    }
    first[reached->count] = (uint32_t)links;
    strong_components(&found, (uint32_t)reached->count, first, to, NULL);
    free(to);
    for (size_t c = 0; c < found.components; c++) {
        const uint32_t *number = &found.node[found.first[c]];
        size_t count = found.first[c + 1] - found.first[c];
        each(arg, number, count,
             count > 1 || is_based_on_itself(g, reached_node(reached, *number)));
    }
    support_order_release(&found);
}
