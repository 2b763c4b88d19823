/*
 * Keystones of all memories: how many others would lose all support if only one were wrong.
 *
 * Where one antecedent is enough for each justification, a memory takes away what it dominates, so
 * its number is the size of its subtree in the dominator tree. That is exact for each memory from
 * which no justification with several antecedents can be reached. The others are removed one by
 * one, and what loses support is counted.
 *
 * A removal goes on counting: a memory loses support with its last *early* justification. Early is
 * one whose antecedents all come before the memory in an order of derivation, so a circle never supports
 * itself. Without circles all justifications are early. With them some memories are taken away too
 * many, and are given back then (delete and re-derive, as in whatif.c).
 *
 * What a memory takes away includes all that any memory below it in the dominator tree does. So a
 * path of this tree is removed from its bottom up, and nothing is given back before its top. Paths
 * continue with the largest child, so no memory is removed more than log n times because of the
 * tree.
 */
#include "model/graph/roots.h"
#include "model/base/alloc.h"
#include "model/graph/fold.h"

/* ---- the dominator tree ---- */

/*
 * After Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979).
 * Theirs is the name of the semidominator: the lowest number from which a node can be reached by a path whose inner
 * nodes all have higher numbers than the node. The simple version, which links without balancing, is the faster one in
 * practice. Semi-NCA (Georgiadis and Tarjan 2005) is shorter, but takes n² steps if many notes are based both on the
 * beginning and the end of a long chain.
 */

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
    FREE_ALL(s.at, s.bucket, s.next, s.stack);
}

void dominators_release(struct dominators *d)
{
    FREE_ALL(d->number, d->node, d->above, d->order);
    *d = (struct dominators){.count = 0};
}

/* ---- removals ---- */

/* A justification: the two together, since a removal needs both and memory is what it waits for. */
struct just {
    uint32_t node;
    uint32_t missing; /* antecedents that do not stand; not 0 if the node never stood */
};

struct removal {
    const struct graph *g;
    const struct labels *labels;
    struct just *just; /* [justs] */
    uint32_t *early;   /* [nodes] early justifications that are valid */
    uint8_t *late;     /* [justs] bool: it is not early */
    uint8_t *has_late; /* [nodes] bool: one of its justifications is late */
    bool any_late;
    uint8_t *gone;     /* [nodes] bool */
    uint32_t *removed; /* [count] the nodes that are gone, of which `done` were handed on */
    size_t count, done;
    uint32_t *stack; /* [nodes] */
    uint64_t steps;  /* that are left of the budget: links followed */
    bool given_back; /* some were removed too many, so `early` of what stands may be 0 */
};

/* ---- the order of derivation ---- */

#define UNVISITED UINT32_MAX
#define WAITING   (UINT32_MAX - 1) /* visited, but not derived yet */

struct derivation {
    const struct removal *r;
    uint32_t *rank;    /* [nodes] when it was derived */
    uint32_t *missing; /* [justs] antecedents that are not derived yet */
    uint32_t derived;
};

/* Gives a node its rank, and those that waited for it. */
static void rank_from(struct derivation *d, uint32_t node)
{
    const struct graph *g = d->r->g;
    size_t count = 0;
    d->rank[node] = d->derived++;
    d->r->stack[count++] = node;
    while (count > 0) {
        uint32_t v = d->r->stack[--count];
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i], w = g->just_node[j];
            if (--d->missing[j] > 0 || d->rank[w] != WAITING)
                continue;
            d->rank[w] = d->derived++;
            d->r->stack[count++] = w;
        }
    }
}

static bool can_be_derived(const struct derivation *d, uint32_t node)
{
    const struct graph *g = d->r->g;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        if (d->missing[j] == 0)
            return true;
    return g->just_first[node] == g->just_first[node + 1];
}

/*
 * Reverse postorder has each node after what it is based on, except in circles. So it is followed as
 * far as possible: a node that cannot be derived yet waits.
 */
static void find_ranks(struct derivation *d, const struct dominators *order)
{
    const struct graph *g = d->r->g;
    for (uint32_t j = 0; j < g->justs; j++)
        d->missing[j] = d->r->just[j].missing + g->link_first[j + 1] - g->link_first[j];
    for (uint32_t v = 0; v < g->nodes; v++)
        d->rank[v] = UNVISITED;
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t v = order->order[i];
        if (can_be_derived(d, v))
            rank_from(d, v);
        else
            d->rank[v] = WAITING;
    }
}

static bool is_early(const struct graph *g, uint32_t just, const uint32_t *rank)
{
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (rank[g->link_to[i]] >= rank[g->just_node[just]])
            return false;
    return true;
}

static void find_late(struct removal *r, const uint32_t *rank)
{
    const struct graph *g = r->g;
    r->any_late = false;
    for (uint32_t j = 0; j < g->justs; j++) {
        r->late[j] = r->just[j].missing == 0 && !is_early(g, j, rank);
        r->any_late |= r->late[j];
    }
}

static void removal_prepare(struct removal *r, const struct dominators *d)
{
    const struct graph *g = r->g;
    AUTO_FREE uint32_t *rank = xmalloc(((size_t)g->nodes + 1) * sizeof(*rank));
    for (uint32_t j = 0; j < g->justs; j++)
        r->just[j] = (struct just){g->just_node[j],
                                   r->labels->broken[j] + !r->labels->stands[g->just_node[j]]};
    for (uint32_t i = 0; i < d->count; i++)
        rank[d->order[i]] = i;
    find_late(r, rank);
    if (r->any_late) {
        struct derivation order = {.r = r, .rank = rank};
        order.missing = xmalloc(((size_t)g->justs + 1) * sizeof(*order.missing));
        find_ranks(&order, d);
        free(order.missing);
        find_late(r, rank);
    }
    for (uint32_t j = 0; j < g->justs; j++) {
        uint32_t v = g->just_node[j];
        r->has_late[v] |= r->late[j];
        r->early[v] += r->just[j].missing == 0 && !r->late[j];
    }
}

/* ---- removing one ---- */

static bool is_late(const struct removal *r, uint32_t just)
{
    return r->any_late && r->late[just];
}

static void lose(struct removal *r, uint32_t node)
{
    r->gone[node] = 1;
    r->removed[r->count++] = node;
}

/* Hands on that a node is gone. */
static void hand_on(struct removal *r, uint32_t node)
{
    const struct graph *g = r->g;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t j = g->use_just[i], w = r->just[j].node;
        if (r->just[j].missing++ == 0 && !is_late(r, j) && --r->early[w] == 0 && !r->gone[w])
            lose(r, w);
    }
}

/* Undoes hand_on. Returns the number of nodes on the stack, to which it adds those that are supported again, unless
 * `stack` is NULL. */
static size_t take_back(struct removal *r, uint32_t node, uint32_t *stack, size_t count)
{
    const struct graph *g = r->g;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t j = g->use_just[i], w = r->just[j].node;
        if (--r->just[j].missing > 0)
            continue;
        r->early[w] += !is_late(r, j);
        if (stack && r->gone[w]) {
            r->gone[w] = 0;
            stack[count++] = w;
        }
    }
    return count;
}

static bool is_supported(const struct removal *r, uint32_t node)
{
    const struct graph *g = r->g;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        if (r->just[j].missing == 0)
            return true;
    return false;
}

/*
 * Of those removed since `from`, gives back the nodes that late justifications support, but for the
 * first. Those before lose support with it, as they did without.
 */
static void re_derive(struct removal *r, size_t from)
{
    uint32_t node = r->removed[from];
    size_t kept = from;
    r->gone[node] = 0; /* so that it is not given back */
    for (size_t i = from; i < r->count; i++) {
        size_t count = 0;
        uint32_t v = r->removed[i];
        if (!r->gone[v] || !r->has_late[v] || !is_supported(r, v))
            continue;
        r->gone[v] = 0;
        r->stack[count++] = v;
        r->given_back = true;
        while (count > 0) {
            v = r->stack[--count];
            count = take_back(r, v, r->stack, count);
        }
    }
    r->gone[node] = 1;
    for (size_t i = from; i < r->count; i++)
        if (r->gone[r->removed[i]])
            r->removed[kept++] = r->removed[i];
    r->count = r->done = kept;
}

/* Removes a node, and what it takes away. Returns false if that took more than `most` steps: then not all is
 * removed. */
static bool removal_add(struct removal *r, uint32_t node, uint64_t most)
{
    const struct graph *g = r->g;
    size_t from = r->count;
    uint64_t least = r->steps - most;
    lose(r, node);
    while (r->done < r->count) {
        uint32_t v = r->removed[r->done];
        uint64_t cost = 1 + g->use_first[v + 1] - g->use_first[v];
        if (r->has_late[v])
            cost += g->just_first[v + 1] - g->just_first[v]; /* for re_derive */
        if (r->steps < least + cost || graph_gives_up(g, cost))
            return false;
        r->steps -= cost;
        r->done++;
        hand_on(r, v);
    }
    if (r->any_late)
        re_derive(r, from);
    return true;
}

static void removal_undo(struct removal *r)
{
    for (size_t i = 0; i < r->done; i++)
        take_back(r, r->removed[i], NULL, 0);
    for (size_t i = 0; i < r->count; i++)
        r->gone[r->removed[i]] = 0;
    r->count = r->done = 0;
    r->given_back = false;
}

/* ---- all of them ---- */

struct counting {
    struct keystones *k;
    struct dominators d;
    struct removal r;
    uint8_t *counted;  /* [count + 1] by number: must be removed to be exact */
    uint32_t *largest; /* [count + 1] of the children that are counted, the largest; 0: none */
};

/* Adds the antecedents of a valid justification to those that must be counted. Returns the number of nodes on the
 * stack. */
static size_t count_antecedents(struct counting *c, uint32_t just, size_t count)
{
    const struct graph *g = c->r.g;
    if (c->r.just[just].missing > 0)
        return count;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++) {
        uint32_t v = g->link_to[i];
        if (c->counted[c->d.number[v]])
            continue;
        c->counted[c->d.number[v]] = 1;
        c->r.stack[count++] = v;
    }
    return count;
}

/* A node must be counted if a valid justification with several antecedents can be reached from it. */
static void find_counted(struct counting *c)
{
    const struct graph *g = c->r.g;
    size_t count = 0;
    for (uint32_t j = 0; j < g->justs; j++)
        if (g->link_first[j + 1] - g->link_first[j] > 1)
            count = count_antecedents(c, j, count);
    while (count > 0) {
        uint32_t v = c->r.stack[--count];
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++)
            count = count_antecedents(c, j, count);
    }
}

/* What follows from the dominator tree alone: `loses` is exact for all that need not be counted. */
static void read_tree(struct counting *c)
{
    const struct dominators *d = &c->d;
    AUTO_FREE uint32_t *size = xcalloc((size_t)d->count + 1, sizeof(*size));
    for (uint32_t v = d->count; v > 0; v--) {
        uint32_t node = d->node[v], above = d->above[v], largest = c->largest[above];
        c->k->loses[node] = size[v]++;
        size[above] += size[v];
        if (above > 0)
            c->k->independent[node] = RELIES_ON_ONE;
        else if (!fold_is_leaf(c->r.g, c->r.labels, node))
            c->k->independent[node] = RELIES_ON_MORE;
        if (above > 0 && c->counted[v] && (largest == 0 || size[v] > size[largest]))
            c->largest[above] = v;
    }
}

/* Removes a path of the dominator tree from its bottom up. A removal may take a `part` of the budget that is left. */
static void count_path(struct counting *c, uint32_t bottom, uint64_t part)
{
    struct removal *r = &c->r;
    struct keystones *k = c->k;
    bool spent = false;
    for (uint32_t v = bottom, below = 0;; v = c->d.above[v]) {
        uint32_t node = c->d.node[v], above = c->d.above[v];
        size_t from = r->count;
        spent = spent || !removal_add(r, node, r->steps / part);
        k->at_least[node] = spent;
        if (spent) {
            /* what is gone so far has no support, but for circles */
            uint32_t found = r->any_late ? 0 : (uint32_t)r->count - (r->count > from);
            uint32_t bound = below > found ? below : found;
            k->loses[node] = bound > k->loses[node] ? bound : k->loses[node];
        } else
            k->loses[node] = (uint32_t)r->count - 1;
        below = k->loses[node] + 1;
        for (size_t i = from; i < r->count && !(spent && r->any_late); i++)
            if (r->removed[i] != node)
                k->independent[r->removed[i]] = RELIES_ON_ONE;
        if (c->largest[above] != v)
            break;
        if (r->given_back)
            removal_undo(r);
    }
    removal_undo(r);
}

/* Is a removal of the path not completed? Then that of its top is not. */
static bool is_bound(const struct counting *c, uint32_t bottom)
{
    uint32_t v = bottom;
    while (c->largest[c->d.above[v]] == v)
        v = c->d.above[v];
    return c->k->at_least[c->d.node[v]];
}

/* A few removals may take as long as all others together, so they are tried last. */
static void count_all(struct counting *c)
{
    for (uint32_t v = c->d.count; v > 0 && !graph_gives_up(c->r.g, 1); v--)
        if (c->counted[v] && c->largest[v] == 0)
            count_path(c, v, 1000);
    for (uint32_t v = c->d.count; v > 0 && !graph_gives_up(c->r.g, 1); v--)
        if (c->counted[v] && c->largest[v] == 0 && is_bound(c, v))
            count_path(c, v, 2);
}

/* A node that no removal took away may still rely on one whose removal was not completed. */
static void mark_unproven(struct counting *c)
{
    const struct graph *g = c->r.g;
    uint8_t *seen = c->r.gone;
    uint32_t *stack = c->r.stack;
    size_t count = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        if (c->k->at_least[v]) {
            seen[v] = 1;
            stack[count++] = v;
        }
    while (count > 0) {
        uint32_t v = stack[--count];
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i], w = g->just_node[j];
            if (c->r.just[j].missing > 0)
                continue;
            if (c->k->independent[w] == RELIES_ON_MORE)
                c->k->independent[w] = RELIES_ON_MORE_UNPROVEN;
            if (!seen[w])
                stack[count++] = w;
            seen[w] = 1;
        }
    }
}

void keystones_compute(struct keystones *out, const struct graph *g, const struct labels *labels,
                       uint64_t budget)
{
    size_t nodes = (size_t)g->nodes + 1, justs = (size_t)g->justs + 1, links = g->links;
    struct counting c = {.k = out, .r = {.g = g, .labels = labels}};
    struct removal *r = &c.r;
    out->loses = xcalloc(nodes, sizeof(*out->loses));
    out->at_least = xcalloc(nodes, 1);
    out->independent = xcalloc(nodes, 1);
    r->just = xmalloc(justs * sizeof(*r->just));
    r->early = xcalloc(nodes, sizeof(*r->early));
    r->late = xmalloc(justs);
    r->has_late = xcalloc(nodes, 1);
    r->gone = xcalloc(nodes, 1);
    r->removed = xmalloc(nodes * sizeof(*r->removed));
    r->stack = xmalloc(nodes * sizeof(*r->stack));
    r->steps = budget ? budget : links + 1000000;
    dominators_make(&c.d, g, labels);
    removal_prepare(r, &c.d);
    c.counted = xcalloc((size_t)c.d.count + 1, 1);
    c.largest = xcalloc((size_t)c.d.count + 1, sizeof(*c.largest));
    find_counted(&c);
    read_tree(&c);
    count_all(&c);
    mark_unproven(&c);
    dominators_release(&c.d);
    FREE_ALL(c.counted, c.largest, r->just, r->early, r->late, r->has_late, r->gone, r->removed,
             r->stack);
}

void keystones_release(struct keystones *k)
{
    FREE_ALL(k->loses, k->at_least, k->independent);
    *k = (struct keystones){.loses = NULL};
}
