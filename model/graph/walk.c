#include "model/graph/walk.h"

#include "model/base/alloc.h"
#include "model/base/array.h"

void reached_walk(struct row_index *reached, const struct graph *g, enum direction direction,
                  size_t from, uint32_t **depth)
{
    size_t depth_alloc = reached->count;
    for (size_t at = from; at < reached->count; at++) {
        struct steps steps = graph_steps(g, direction, reached_node(reached, at));
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
    uint32_t number, next, end;
};

struct search {
    const struct row_index *reached;
    const struct graph *g;
    uint32_t *order, *low; /* Tarjan's index and lowlink; 0 if not visited */
    bool *open;            /* visited, but not in a component yet */
    uint32_t *stack;       /* the open nodes */
    struct visit *visits;  /* the path to the current node */
    size_t stack_count, visit_count;
    uint32_t visited;
    void (*each)(void *arg, const uint32_t *number, size_t count, bool circle);
    void *arg;
};

static void visit(struct search *s, uint32_t number)
{
    struct steps steps = graph_steps(s->g, ANCESTORS, reached_node(s->reached, number));
    s->order[number] = s->low[number] = ++s->visited;
    s->open[number] = true;
    s->stack[s->stack_count++] = number;
    s->visits[s->visit_count++] = (struct visit){number, steps.from, steps.to};
}

/* Completes a component: the open nodes from `first` on. */
static void close_component(struct search *s, uint32_t first)
{
    size_t from = s->stack_count;
    do
        s->open[s->stack[--from]] = false;
    while (s->stack[from] != first);
    size_t count = s->stack_count - from;
    bool circle = count > 1 || is_based_on_itself(s->g, reached_node(s->reached, first));
    s->each(s->arg, &s->stack[from], count, circle);
    s->stack_count = from;
}

static void lower(struct search *s, uint32_t number, uint32_t to)
{
    if (to < s->low[number])
        s->low[number] = to;
}

/* Takes the next step of the current node, or goes back from it. */
static void step(struct search *s)
{
    struct visit *v = &s->visits[s->visit_count - 1];
    uint32_t number = v->number;
    if (v->next < v->end) {
        size_t to = row_index_find(s->reached, graph_step(s->g, ANCESTORS, v->next++));
        if (to == ROW_NONE)
            return; /* an antecedent that is outside of this walk */
        if (!s->order[to])
            visit(s, (uint32_t)to);
        else if (s->open[to])
            lower(s, number, s->order[to]);
        return;
    }
    s->visit_count--;
    if (s->visit_count)
        lower(s, s->visits[s->visit_count - 1].number, s->low[number]);
    if (s->low[number] == s->order[number])
        close_component(s, number);
}

void reached_components(const struct row_index *reached, const struct graph *g,
                        void (*each)(void *arg, const uint32_t *number, size_t count, bool circle),
                        void *arg)
{
    size_t count = reached->count;
    struct search s = {.reached = reached, .g = g, .each = each, .arg = arg};
    s.order = xcalloc(count, sizeof(*s.order));
    s.low = xcalloc(count, sizeof(*s.low));
    s.open = xcalloc(count, sizeof(*s.open));
    s.stack = xcalloc(count, sizeof(*s.stack));
    s.visits = xcalloc(count, sizeof(*s.visits));
    for (uint32_t i = 0; i < count; i++) {
        if (!s.order[i])
            visit(&s, i);
        while (s.visit_count)
            step(&s);
    }
    free(s.order);
    free(s.low);
    free(s.open);
    free(s.stack);
    free(s.visits);
}
