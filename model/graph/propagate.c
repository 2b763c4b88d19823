#include "model/graph/propagate.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/graph/walk.h"

/* A node that is being visited; `next` is the next of its steps. */
struct visit {
    uint32_t number, next;
};

/* Everything by a node's number among those reached; the root is number 0. */
struct propagating {
    const struct graph *g;
    const struct labels *labels;
    const double *own;
    struct propagation *out;
    struct reached reached;
    double *confidence;   /* the new one */
    uint32_t *order;      /* Tarjan's; 0: not visited */
    uint32_t *low;        /* his, until a component is complete */
    bool *open;           /* visited, and in no component yet */
    uint32_t *stack;      /* the open ones */
    struct visit *visits; /* the way to where it is */
    size_t stack_count, visit_count, left_alloc;
    uint32_t visited;
};

static struct steps steps_of(const struct propagating *p, uint32_t number)
{
    return graph_steps(p->g, ANCESTORS, p->reached.node[number]);
}

/* ---- one node ---- */

static double confidence_of(const struct propagating *p, uint32_t node)
{
    uint32_t number = reached_find(&p->reached, node);
    return number == NODE_NONE ? p->own[node] : p->confidence[number];
}

/* The least of what a justification names, and which that is. An empty one bears anything. */
static double least_of(const struct propagating *p, uint32_t just, uint32_t *bearer)
{
    const struct graph *g = p->g;
    double least = INFINITY;
    *bearer = NODE_NONE;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++) {
        double one = confidence_of(p, g->link_to[i]);
        if (one < least) {
            least = one;
            *bearer = g->link_to[i];
        }
    }
    return least;
}

/* -INFINITY where no justification holds. */
static double borne(const struct propagating *p, uint32_t node, uint32_t *bearer)
{
    const struct graph *g = p->g;
    double most = -INFINITY;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        uint32_t by;
        if (p->labels->broken[j])
            continue;
        double least = least_of(p, j, &by);
        if (least > most) {
            most = least;
            *bearer = by;
        }
    }
    return most;
}

static void leave(struct propagating *p, uint32_t node, enum unmoved why)
{
    *ARRAY_ADD(p->out->left, p->out->left_count, p->left_alloc) = (struct unmoved_node){node, why};
}

/* All that it rests on is settled by now. */
static void settle(struct propagating *p, uint32_t number, bool on_circle)
{
    uint32_t node = p->reached.node[number], bearer = NODE_NONE;
    if (number == 0)
        return;
    if (!graph_lives(p->g, node)) {
        leave(p, node, UNMOVED_DEAD);
        return;
    }
    if (on_circle) {
        leave(p, node, UNMOVED_CIRCLE);
        return;
    }
    double most = borne(p, node, &bearer);
    if (most == -INFINITY) {
        leave(p, node, UNMOVED_UNHELD);
        return;
    }
    if (most < p->own[node]) {
        p->confidence[number] = most;
        p->out->lowered[p->out->lowered_count++] =
            (struct propagated){node, p->own[node], most, bearer};
    }
}

/* ---- in the order of what rests on what ---- */

static bool rests_on_itself(const struct propagating *p, uint32_t number)
{
    struct steps s = steps_of(p, number);
    for (uint32_t i = s.from; i < s.to; i++)
        if (graph_step(p->g, ANCESTORS, i) == p->reached.node[number])
            return true;
    return false;
}

static void open_node(struct propagating *p, uint32_t number)
{
    p->order[number] = p->low[number] = ++p->visited;
    p->open[number] = true;
    p->stack[p->stack_count++] = number;
    p->visits[p->visit_count++] = (struct visit){number, steps_of(p, number).from};
}

/* A component is complete: the open nodes from its first on. */
static void close_component(struct propagating *p, uint32_t first)
{
    size_t from = p->stack_count;
    while (p->stack[--from] != first)
        ;
    bool circle = p->stack_count - from > 1 || rests_on_itself(p, first);
    for (size_t i = from; i < p->stack_count; i++) {
        p->open[p->stack[i]] = false;
        settle(p, p->stack[i], circle);
    }
    p->stack_count = from;
}

/* One step from the node that is visited last, or back from it. */
static void step(struct propagating *p)
{
    struct visit *v = &p->visits[p->visit_count - 1];
    uint32_t number = v->number;
    if (v->next < steps_of(p, number).to) {
        uint32_t to = reached_find(&p->reached, graph_step(p->g, ANCESTORS, v->next++));
        if (to == NODE_NONE)
            return;
        if (!p->order[to])
            open_node(p, to);
        else if (p->open[to] && p->order[to] < p->low[number])
            p->low[number] = p->order[to];
        return;
    }
    p->visit_count--;
    if (p->visit_count) {
        uint32_t above = p->visits[p->visit_count - 1].number;
        if (p->low[number] < p->low[above])
            p->low[above] = p->low[number];
    }
    if (p->low[number] == p->order[number])
        close_component(p, number);
}

static void visit_all(struct propagating *p)
{
    for (uint32_t i = 0; i < p->reached.count; i++) {
        if (!p->order[i])
            open_node(p, i);
        while (p->visit_count)
            step(p);
    }
}

/* ---- all of it ---- */

static void prepare(struct propagating *p, uint32_t root)
{
    reached_add(&p->reached, root);
    reached_walk(&p->reached, p->g, DESCENDANTS, 0, NULL);
    size_t count = p->reached.count;
    p->confidence = xcalloc(count, sizeof(*p->confidence));
    p->order = xcalloc(count, sizeof(*p->order));
    p->low = xcalloc(count, sizeof(*p->low));
    p->open = xcalloc(count, sizeof(*p->open));
    p->stack = xcalloc(count, sizeof(*p->stack));
    p->visits = xcalloc(count, sizeof(*p->visits));
    p->out->lowered = xcalloc(count, sizeof(*p->out->lowered));
    for (size_t i = 0; i < count; i++)
        p->confidence[i] = p->own[p->reached.node[i]];
    p->out->reached = count - 1;
}

void propagate_confidence(struct propagation *out, const struct graph *g,
                          const struct labels *labels, uint32_t root, const double *own)
{
    struct propagating p = {
        .g = g, .labels = labels, .own = own, .out = out, .reached = REACHED_INIT};
    *out = (struct propagation){.lowered = NULL};
    prepare(&p, root);
    visit_all(&p);
    reached_release(&p.reached);
    free(p.confidence);
    free(p.order);
    free(p.low);
    free(p.open);
    free(p.stack);
    free(p.visits);
}

void propagation_release(struct propagation *p)
{
    free(p->lowered);
    free(p->left);
    *p = (struct propagation){.lowered = NULL};
}
