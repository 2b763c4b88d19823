/* Labels of all nodes of a graph, by counting (Dowling and Gallier 1984). */
#include "model/base/alloc.h"
#include "model/graph/graph.h"

static const char *const names[LABEL_COUNT] = {
    [LABEL_SUPPORTED] = "supported",     [LABEL_WEAKENED] = "weakened",
    [LABEL_UNSUPPORTED] = "unsupported", [LABEL_CIRCULAR] = "circular",
    [LABEL_UNSOURCED] = "unsourced",     [LABEL_ENDED] = "ended",
};

const char *label_name(enum label label)
{
    return names[label];
}

void labels_release(struct labels *l)
{
    FREE_ALL(l->label, l->stands, l->valid, l->broken);
    *l = (struct labels){.label = NULL};
}

/* Nodes still to process. Each is pushed at most once in a pass, so [nodes] is enough room. */
struct stack {
    uint32_t *node;
    size_t count;
};

/*
 * Propagates from the nodes on the stack, which stand now. Each justification below `counted` that
 * uses one has one broken antecedent less. A live node whose first justification is valid now stands
 * too.
 */
static void spread(struct labels *l, const struct graph *g, struct stack *stack, uint32_t counted)
{
    while (stack->count > 0) {
        uint32_t v = stack->node[--stack->count];
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i];
            if (j >= counted)
                break; /* uses are ascending */
            if (--l->broken[j] > 0)
                continue;
            uint32_t w = g->just_node[j];
            l->valid[w]++;
            if (!l->stands[w] && graph_lives(g, w)) {
                l->stands[w] = 1;
                stack->node[stack->count++] = w;
            }
        }
    }
}

/* Sets the counters of `v` and its justifications from the nodes that stand so far. */
static void count_node(struct labels *l, const struct graph *g, uint32_t v)
{
    uint32_t valid = 0;
    for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
        uint32_t broken = 0;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            broken += !l->stands[g->link_to[i]];
        l->broken[j] = broken;
        valid += broken == 0;
    }
    l->valid[v] = valid;
}

/*
 * The least fixed point. Nodes are visited in order, which is mostly the order of creation, so most
 * antecedents of a node are decided before it. If a later node stands, spread() corrects the
 * counters of earlier ones. Memory access is sequential except for `stands`, one byte for each
 * node.
 */
static void find_standing(struct labels *l, const struct graph *g, struct stack *stack)
{
    for (uint32_t v = 0; v < g->nodes; v++) {
        count_node(l, g, v);
        bool given = g->just_first[v] < g->just_first[v + 1];
        if (!graph_lives(g, v) || (given && l->valid[v] == 0))
            continue;
        l->stands[v] = 1;
        stack->node[stack->count++] = v;
        spread(l, g, stack, g->just_first[v + 1]);
    }
}

static enum label label_of(const struct labels *l, const struct graph *g, uint32_t v)
{
    uint32_t given = g->just_first[v + 1] - g->just_first[v];
    if (!graph_lives(g, v))
        return LABEL_ENDED;
    if (given == 0)
        return kind_spec(g->kind[v])->is_source ? LABEL_SUPPORTED : LABEL_UNSOURCED;
    if (!l->stands[v])
        return LABEL_CIRCULAR; /* or unsupported: find_circular decides */
    return l->valid[v] < given ? LABEL_WEAKENED : LABEL_SUPPORTED;
}

/* Can the justification be valid in the greatest fixed point: does each antecedent stand, or can it? */
static bool may_be_valid(const struct labels *l, const struct graph *g, uint32_t j)
{
    for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
        uint32_t v = g->link_to[i];
        if (!l->stands[v] && l->label[v] != LABEL_CIRCULAR)
            return false;
    }
    return true;
}

/* Propagates from the unsupported nodes on the stack: justifications that use them are valid in
 * no fixed point. `subtracted` has a bit for each justification that is not counted any more. */
static void spread_unsupported(struct labels *l, const struct graph *g, struct stack *stack,
                               uint8_t *subtracted)
{
    while (stack->count > 0) {
        uint32_t v = stack->node[--stack->count];
        l->label[v] = LABEL_UNSUPPORTED;
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i];
            uint32_t w = g->just_node[j];
            if (l->label[w] != LABEL_CIRCULAR || (subtracted[j / 8] >> j % 8 & 1))
                continue;
            subtracted[j / 8] |= (uint8_t)(1u << j % 8);
            if (--l->valid[w] == 0)
                stack->node[stack->count++] = w;
        }
    }
}

/*
 * The greatest fixed point among the nodes that do not stand: starts with all of them and removes
 * those without a justification that can be valid. Their `valid`, otherwise 0, counts the remaining
 * justifications meanwhile.
 */
static void find_circular(struct labels *l, const struct graph *g, struct stack *stack)
{
    AUTO_FREE uint8_t *subtracted = xcalloc((size_t)g->justs / 8 + 1, 1);
    for (uint32_t v = 0; v < g->nodes; v++) {
        if (l->label[v] != LABEL_CIRCULAR)
            continue;
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            if (may_be_valid(l, g, j))
                l->valid[v]++;
            else
                subtracted[j / 8] |= (uint8_t)(1u << j % 8);
        }
        if (l->valid[v] == 0)
            stack->node[stack->count++] = v;
    }
    spread_unsupported(l, g, stack, subtracted);
    for (uint32_t v = 0; v < g->nodes; v++)
        if (l->label[v] == LABEL_CIRCULAR)
            l->valid[v] = 0;
}

static void compute(struct labels *l, const struct graph *g, struct stack *stack)
{
    find_standing(l, g, stack);
    bool any_circular = false;
    for (uint32_t v = 0; v < g->nodes; v++) {
        l->label[v] = (uint8_t)label_of(l, g, v);
        any_circular |= l->label[v] == LABEL_CIRCULAR;
    }
    if (any_circular)
        find_circular(l, g, stack);
}

void labels_compute(struct labels *l, const struct graph *g)
{
    size_t nodes = (size_t)g->nodes + 1, justs = (size_t)g->justs + 1;
    l->label = xmalloc(nodes);
    l->stands = xcalloc(nodes, 1);
    l->valid = xmalloc(nodes * sizeof(*l->valid));
    l->broken = xmalloc(justs * sizeof(*l->broken));
    struct stack stack = {xmalloc(nodes * sizeof(uint32_t)), 0};
    compute(l, g, &stack);
    free(stack.node);
}
