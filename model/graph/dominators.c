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

struct search {
    const struct graph *g;
    const struct labels *labels;
    struct dominators *d;
    /* by number, [count + 1] */
    uint32_t *parent;   /* in the depth-first tree */
    uint32_t *semi;     /* the number of the semidominator */
    uint32_t *ancestor; /* in the forest of processed nodes, compressed; NODE_NONE: a root of it */
    uint32_t *best;     /* the number of least `semi` on the way to the ancestor */
    uint32_t *bucket;   /* the first node with this semidominator; 0: none */
    uint32_t *next;     /* the next node in the same bucket */
    uint32_t *stack;
};

static void visit(struct search *s, uint32_t node, uint32_t parent)
{
    uint32_t number = ++s->d->count;
    s->d->number[node] = number;
    s->d->node[number] = node;
    s->parent[number] = parent;
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
        if (s->labels->broken[j] > 0 || !s->labels->stands[w] || s->d->number[w] > 0)
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
    if (s->ancestor[v] == NODE_NONE)
        return v;
    for (uint32_t w = v; s->ancestor[s->ancestor[w]] != NODE_NONE; w = s->ancestor[w])
        s->stack[depth++] = w;
    while (depth > 0) {
        uint32_t w = s->stack[--depth], a = s->ancestor[w];
        if (s->semi[s->best[a]] < s->semi[s->best[w]])
            s->best[w] = s->best[a];
        s->ancestor[w] = s->ancestor[a];
    }
    return s->best[v];
}

/* 0 for a leaf: the virtual root is directly above it. */
static uint32_t semidominator(struct search *s, uint32_t number)
{
    const struct graph *g = s->g;
    uint32_t v = s->d->node[number], least = s->parent[number];
    if (least == 0 || fold_is_leaf(g, s->labels, v))
        return 0;
    for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
        if (s->labels->broken[j] > 0)
            continue;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
            uint32_t semi = s->semi[evaluate(s, s->d->number[g->link_to[i]])];
            least = semi < least ? semi : least;
        }
    }
    return least;
}

static void find_dominators(struct search *s)
{
    uint32_t *above = s->d->above;
    for (uint32_t v = 0; v <= s->d->count; v++) {
        s->semi[v] = s->best[v] = v;
        s->ancestor[v] = NODE_NONE;
    }
    for (uint32_t v = s->d->count; v > 0; v--) {
        uint32_t parent = s->parent[v];
        s->semi[v] = semidominator(s, v);
        s->next[v] = s->bucket[s->semi[v]];
        s->bucket[s->semi[v]] = v;
        s->ancestor[v] = parent;
        for (uint32_t w = s->bucket[parent]; w > 0; w = s->next[w]) {
            uint32_t u = evaluate(s, w);
            above[w] = s->semi[u] < s->semi[w] ? u : parent;
        }
        s->bucket[parent] = 0;
    }
    for (uint32_t v = 1; v <= s->d->count; v++)
        if (above[v] != s->semi[v])
            above[v] = above[above[v]];
}

void dominators_make(struct dominators *out, const struct graph *g, const struct labels *labels)
{
    size_t size = (size_t)g->nodes + 1;
    struct search s = {.g = g, .labels = labels, .d = out};
    uint32_t **arrays[] = {&s.parent, &s.semi, &s.ancestor, &s.best, &s.bucket, &s.next, &s.stack};
    *out = (struct dominators){.number = xcalloc(size, sizeof(*out->number))};
    out->node = xmalloc(size * sizeof(*out->node));
    out->above = xcalloc(size, sizeof(*out->above));
    out->order = xmalloc(size * sizeof(*out->order));
    out->node[0] = NODE_NONE;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        *arrays[i] = xcalloc(size, sizeof(**arrays[i]));
    number_nodes(&s);
    find_dominators(&s);
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        free(*arrays[i]);
}

void dominators_release(struct dominators *d)
{
    free(d->number);
    free(d->node);
    free(d->above);
    free(d->order);
    *d = (struct dominators){.count = 0};
}
