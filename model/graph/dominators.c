/*
 * The dominator tree, after Lengauer and Tarjan, "A fast algorithm for finding dominators in a
 * flowgraph" (1979). Theirs is the name of the semidominator: the lowest number from which a node can
 * be reached by a path whose inner nodes all have higher numbers than the node. The simple version,
 * which links without balancing, is the faster one in practice. Semi-NCA (Georgiadis and Tarjan 2005)
 * is shorter, but takes n² steps if many notes are based both on the beginning and the end of a long
 * chain.
 */
#include "model/graph/dominators.h"

#include "model/base/alloc.h"
#include "model/graph/fold.h"

/* Nodes by their numbers. */
struct vertex {
    uint32_t parent;   /* in the depth-first tree */
    uint32_t semi;     /* the semidominator */
    uint32_t ancestor; /* in the forest of processed nodes, compressed; NODE_NONE: a root of it */
    uint32_t best;     /* the one of least `semi` on the way to the ancestor */
};

struct search {
    const struct graph *g;
    const struct labels *labels;
    struct dominators *d;
    struct vertex *at; /* [count + 1] by number */
    uint32_t *bucket;  /* [count + 1] the first node with this semidominator; 0: none */
    uint32_t *next;    /* [count + 1] the next node in the same bucket */
    uint32_t *stack;
};

static void visit(struct search *s, uint32_t node, uint32_t parent)
{
    uint32_t number = ++s->d->count;
    s->d->number[node] = number;
    s->d->node[number] = node;
    s->at[number].parent = parent;
}

/* Visits all that can be reached from a leaf. `use` [nodes] is the next use to follow; `finished` counts down. */
static void walk(struct search *s, uint32_t leaf, uint32_t *use, uint32_t *finished)
{
    const struct graph *g = s->g;
    size_t depth = 0;
    visit(s, leaf, 0);
    s->stack[depth++] = leaf;
    while (depth > 0) {
        uint32_t v = s->stack[depth - 1];
        if (use[v] == g->use_first[v + 1]) {
            s->d->order[--*finished] = v;
            depth--;
            continue;
        }
        uint32_t j = g->use_just[use[v]++], w = g->just_node[j];
        if (s->d->number[w] > 0 || s->labels->broken[j] > 0 || !s->labels->stands[w])
            continue;
        visit(s, w, s->d->number[v]);
        s->stack[depth++] = w;
    }
}

static void number_nodes(struct search *s)
{
    const struct graph *g = s->g;
    AUTO_FREE uint32_t *use = xmalloc(((size_t)g->nodes + 1) * sizeof(*use));
    uint32_t finished = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        use[v] = g->use_first[v];
        finished += s->labels->stands[v];
    }
    for (uint32_t v = 0; v < g->nodes; v++)
        if (s->d->number[v] == 0 && fold_is_leaf(g, s->labels, v))
            walk(s, v, use, &finished);
}

/* The number of least `semi` between `v` and the root of its tree in the forest, without the root. Lets the nodes on
 * the way point to the root. */
static uint32_t evaluate(struct search *s, uint32_t v)
{
    size_t depth = 0;
    if (s->at[v].ancestor == NODE_NONE)
        return v;
    for (uint32_t w = v; s->at[s->at[w].ancestor].ancestor != NODE_NONE; w = s->at[w].ancestor)
        s->stack[depth++] = w;
    while (depth > 0) {
        uint32_t w = s->stack[--depth], a = s->at[w].ancestor;
        if (s->at[s->at[a].best].semi < s->at[s->at[w].best].semi)
            s->at[w].best = s->at[a].best;
        s->at[w].ancestor = s->at[a].ancestor;
    }
    return s->at[v].best;
}

/* 0 for a leaf: the virtual root is directly above it. */
static uint32_t semidominator(struct search *s, uint32_t number)
{
    const struct graph *g = s->g;
    uint32_t v = s->d->node[number], least = s->at[number].parent;
    if (least == 0 || fold_is_leaf(g, s->labels, v))
        return 0;
    for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
        if (s->labels->broken[j] > 0)
            continue;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
            uint32_t semi = s->at[evaluate(s, s->d->number[g->link_to[i]])].semi;
            least = semi < least ? semi : least;
        }
    }
    return least;
}

static void find_dominators(struct search *s)
{
    uint32_t *above = s->d->above;
    for (uint32_t v = 0; v <= s->d->count; v++) {
        s->at[v].semi = s->at[v].best = v;
        s->at[v].ancestor = NODE_NONE;
    }
    for (uint32_t v = s->d->count; v > 0 && !graph_gives_up(s->g, 8);
         v--) { /* of log n steps, about */
        uint32_t parent = s->at[v].parent;
        s->at[v].semi = semidominator(s, v);
        s->next[v] = s->bucket[s->at[v].semi];
        s->bucket[s->at[v].semi] = v;
        s->at[v].ancestor = parent;
        for (uint32_t w = s->bucket[parent]; w > 0; w = s->next[w]) {
            uint32_t u = evaluate(s, w);
            above[w] = s->at[u].semi < s->at[w].semi ? u : parent;
        }
        s->bucket[parent] = 0;
    }
    for (uint32_t v = 1; v <= s->d->count; v++)
        if (above[v] != s->at[v].semi)
            above[v] = above[above[v]];
}

void dominators_make(struct dominators *out, const struct graph *g, const struct labels *labels)
{
    size_t size = (size_t)g->nodes + 1;
    struct search s = {.g = g, .labels = labels, .d = out};
    *out = (struct dominators){.number = xcalloc(size, sizeof(*out->number))};
    out->node = xmalloc(size * sizeof(*out->node));
    out->above = xcalloc(size, sizeof(*out->above));
    out->order = xmalloc(size * sizeof(*out->order));
    out->node[0] = NODE_NONE;
    s.at = xmalloc(size * sizeof(*s.at));
    s.bucket = xcalloc(size, sizeof(*s.bucket));
    s.next = xmalloc(size * sizeof(*s.next));
    s.stack = xmalloc(size * sizeof(*s.stack));
    number_nodes(&s);
    find_dominators(&s);
    free(s.at);
    free(s.bucket);
    free(s.next);
    free(s.stack);
}

void dominators_release(struct dominators *d)
{
    free(d->number);
    free(d->node);
    free(d->above);
    free(d->order);
    *d = (struct dominators){.count = 0};
}
