/* Edges turned so that nothing is circular, and a layer for each node by a network simplex. */
#include "model/layout/layering.h"

#include <stdbool.h>
#include <stdlib.h>
#include "model/base/alloc.h"

void rows_release(struct rows *r)
{
    free(r->below_first);
    free(r->below);
    free(r->above_first);
    free(r->above);
    *r = (struct rows){.nodes = 0};
}

static void make_one(uint32_t nodes, uint32_t edges, const uint32_t *of, const uint32_t *other,
                     uint32_t **first, uint32_t **list)
{
    *first = xcalloc(nodes + (size_t)2, sizeof(**first));
    *list = xmalloc((edges + (size_t)1) * sizeof(**list));
    /* Counted two further on; the beginning one further on then moves to where the row ends. */
    for (uint32_t e = 0; e < edges; e++)
        (*first)[of[e] + 2]++;
    for (uint32_t v = 0; v < nodes; v++)
        (*first)[v + 2] += (*first)[v + 1];
    for (uint32_t e = 0; e < edges; e++)
        (*list)[(*first)[of[e] + 1]++] = other[e];
}

void rows_make(struct rows *r, uint32_t nodes, uint32_t edges, const uint32_t *upper,
               const uint32_t *lower)
{
    *r = (struct rows){.nodes = nodes, .edges = edges};
    make_one(nodes, edges, upper, lower, &r->below_first, &r->below);
    make_one(nodes, edges, lower, upper, &r->above_first, &r->above);
}

/*
 * A spanning tree of the edges that are as short as they may be, as network simplex changes it: an
 * edge is exchanged for another, and a subtree hangs elsewhere.
 *
 * The tree's own root is no node; below it hang, by no edge, the nodes from which what is joined by
 * short edges was gathered. In preorder a subtree is one run of a circular list, so that it is
 * walked, cut out and put in elsewhere without looking at what is in it.
 */

/* How a node hangs on its parent. */
enum hangs {
    HANGS_FREELY = 0, /* by no edge */
    HANGS_BELOW,      /* by an edge from its parent */
    HANGS_ABOVE,      /* by an edge to its parent */
};

struct spanning {
    uint32_t root; /* the number of nodes */
    /* [nodes + 1] */
    uint32_t *parent;
    uint8_t *hangs;
    uint32_t *next, *previous; /* in preorder; the last is followed by the first */
    uint32_t *last;            /* of its subtree */
    uint32_t *size;            /* of its subtree */
    int64_t *pull; /* edges that leave its subtree downwards, less those that come in from above */
};

#define NONE UINT32_MAX

static void spanning_release(struct spanning *t)
{
    free(t->parent);
    free(t->hangs);
    free(t->next);
    free(t->previous);
    free(t->last);
    free(t->size);
    free(t->pull);
    *t = (struct spanning){.root = 0};
}

/* ---- the first tree ---- */

static void simplex_prepare(struct spanning *t, uint32_t nodes)
{
    size_t count = nodes + (size_t)1;
    *t = (struct spanning){.root = nodes};
    t->parent = xcalloc(count, sizeof(*t->parent));
    t->hangs = xcalloc(count, sizeof(*t->hangs));
    t->next = xmalloc(count * sizeof(*t->next));
    t->previous = xmalloc(count * sizeof(*t->previous));
    t->last = xcalloc(count, sizeof(*t->last));
    t->size = xmalloc(count * sizeof(*t->size));
    t->pull = xmalloc(count * sizeof(*t->pull));
}

static void join(struct spanning *t, uint32_t before, uint32_t after)
{
    t->next[before] = after;
    t->previous[after] = before;
}

/* `stack` is of nodes that have a parent and are not in the list yet. */
static uint32_t gather(struct spanning *t, const struct rows *r, enum heights heights,
                       const int64_t *height, uint32_t *stack, uint32_t end)
{
    uint32_t count = 1;
    while (count) {
        uint32_t v = stack[--count];
        join(t, end, v);
        end = v;
        for (uint32_t i = r->below_first[v]; i < r->below_first[v + 1]; i++) {
            uint32_t u = r->below[i];
            if (t->parent[u] != NONE || height[u] - height[v] != height_of_edge(heights, v, u))
                continue;
            t->parent[u] = v;
            t->hangs[u] = HANGS_BELOW;
            stack[count++] = u;
        }
        for (uint32_t i = r->above_first[v]; i < r->above_first[v + 1]; i++) {
            uint32_t u = r->above[i];
            if (t->parent[u] != NONE || height[v] - height[u] != height_of_edge(heights, u, v))
                continue;
            t->parent[u] = v;
            t->hangs[u] = HANGS_ABOVE;
            stack[count++] = u;
        }
    }
    return end;
}

/* From the last in preorder, so that what is below a node is summed up before it is. */
static void sum_up(struct spanning *t, const struct rows *r)
{
    t->pull[t->root] = 0;
    for (uint32_t v = 0; v < r->nodes; v++)
        t->pull[v] = (int64_t)rows_below(r, v) - rows_above(r, v);
    for (uint32_t v = 0; v <= t->root; v++) {
        t->size[v] = 1;
        t->last[v] = NONE;
    }
    for (uint32_t v = t->previous[t->root];; v = t->previous[v]) {
        if (t->last[v] == NONE)
            t->last[v] = v;
        if (v == t->root)
            break;
        uint32_t parent = t->parent[v];
        t->size[parent] += t->size[v];
        t->pull[parent] += t->pull[v];
        if (t->last[parent] == NONE)
            t->last[parent] = t->last[v];
    }
}

/* height[] as simplex_shorten has it; an edge is short where it goes no further down than it must. spanning_release
 * follows. O(nodes + edges). */
static void spanning_make(struct spanning *t, const struct rows *r, enum heights heights,
                          const int64_t *height)
{
    uint32_t *stack = xmalloc((r->nodes + (size_t)1) * sizeof(*stack));
    simplex_prepare(t, r->nodes);
    uint32_t end = t->root;
    for (uint32_t v = 0; v <= t->root; v++)
        t->parent[v] = NONE;
    for (uint32_t v = 0; v < r->nodes; v++) {
        if (t->parent[v] != NONE)
            continue;
        t->parent[v] = t->root;
        stack[0] = v;
        end = gather(t, r, heights, height, stack, end);
    }
    join(t, end, t->root);
    sum_up(t, r);
    free(stack);
}

/* ---- an exchange ---- */

/* What a node on the way was before the subtree was turned. */
struct branch {
    uint32_t node, before, last, size;
    int64_t pull;
    uint8_t hangs;
};

static struct branch branch_of(const struct spanning *t, uint32_t node)
{
    return (struct branch){node,          t->previous[node], t->last[node],
                           t->size[node], t->pull[node],     t->hangs[node]};
}

static uint8_t from_the_other_end(uint8_t hangs)
{
    static const uint8_t other[] = {HANGS_FREELY, HANGS_ABOVE, HANGS_BELOW};
    return other[hangs];
}

/*
 * Takes the subtree of `top` out of the list, turned so that `node` is its top: from there to the
 * old top each hangs on the one that hung on it, and comes behind all else there. Returns the end
 * of the run, which begins with `node`.
 */
static uint32_t turn(struct spanning *t, uint32_t top, uint32_t node, uint64_t *steps)
{
    struct branch whole = branch_of(t, top), child = {.node = NONE};
    uint32_t end = NONE;
    for (uint32_t v = node, up;; v = up) {
        struct branch own = branch_of(t, v);
        /* Its run, of which the child's has gone. */
        uint32_t last = child.node != NONE && child.last == own.last ? child.before : own.last;
        up = t->parent[v];
        join(t, own.before, t->next[last]);
        if (end != NONE)
            join(t, end, v);
        end = last;
        t->parent[v] = child.node;
        t->hangs[v] = from_the_other_end(child.hangs);
        t->size[v] = whole.size - child.size;
        t->pull[v] = whole.pull - child.pull;
        ++*steps;
        if (v == top)
            break;
        child = own;
    }
    for (uint32_t v = top; v != NONE; v = t->parent[v])
        t->last[v] = end;
    return end;
}

/* From `node` upwards those whose subtree ended with `from` end with `to`. */
static void end_with(struct spanning *t, uint32_t node, uint32_t from, uint32_t to, uint64_t *steps)
{
    for (uint32_t v = node; v != NONE && t->last[v] == from; v = t->parent[v], ++*steps)
        t->last[v] = to;
}

/* What moved from below one node to below another concerns only what is below the first that they
 * have in common; a subtree is larger than what is in it. */
static void move_sums(struct spanning *t, uint32_t from, uint32_t to, const struct branch *moved,
                      uint64_t *steps)
{
    for (; from != to; ++*steps) {
        if (t->size[from] < t->size[to]) {
            t->size[from] -= moved->size;
            t->pull[from] -= moved->pull;
            from = t->parent[from];
        } else {
            t->size[to] += moved->size;
            t->pull[to] += moved->pull;
            to = t->parent[to];
        }
    }
}

/*
 * Hangs the subtree of `top` on `parent`, which is outside of it, by `node`, which is inside and
 * becomes its top. Returns how many nodes it went through: O(depth).
 */
static uint64_t spanning_exchange(struct spanning *t, uint32_t top, uint32_t node, uint32_t parent,
                                  enum hangs hangs)
{
    uint64_t steps = 0;
    struct branch moved = branch_of(t, top);
    uint32_t old_parent = t->parent[top];
    uint32_t end = turn(t, top, node, &steps);
    end_with(t, old_parent, moved.last, moved.before, &steps);
    move_sums(t, old_parent, parent, &moved, &steps);
    join(t, end, t->next[parent]);
    join(t, parent, node);
    end_with(t, parent, parent, end, &steps);
    t->parent[node] = parent;
    t->hangs[node] = (uint8_t)hangs;
    return steps;
}

/*
 * The cut value of a tree edge is what the lengths' sum gains for each layer that the subtree at
 * its lower end, in the tree, moves: edges inside it keep their length, so it is the subtree's pull
 * (struct spanning). Where the pull is not against the edge itself, the subtree moves until another edge
 * stops it, which takes the edge's place.
 */

struct simplex {
    const struct rows *r;
    enum heights heights;
    struct spanning tree;
    int64_t *height;
    int64_t moved;  /* of a subtree, in whose place the rest moved the other way */
    uint32_t *mark; /* [nodes + 1] the last exchange whose side a node was on */
    uint32_t exchanges;
    uint32_t next; /* where to look for a subtree to move */
    uint64_t steps;
};

/* ---- which subtree moves ---- */

static bool can_move(const struct spanning *t, uint32_t node)
{
    return t->pull[node] > 0 ? t->hangs[node] != HANGS_ABOVE
                             : t->pull[node] < 0 && t->hangs[node] != HANGS_BELOW;
}

/* Round robin; UINT32_MAX where none can. The first that is found moves: which pulls most takes
 * longer to find than it saves. */
static uint32_t choose(struct simplex *s)
{
    uint32_t nodes = s->r->nodes;
    for (uint32_t i = 0; i < nodes; i++, s->steps++) {
        uint32_t v = s->next;
        s->next = v + 1 < nodes ? v + 1 : 0;
        if (can_move(&s->tree, v))
            return v;
    }
    return UINT32_MAX;
}

/* ---- what stops it ---- */

/* An edge between the subtree and the rest; slack is how much longer it is than it must be. */
struct stop {
    uint32_t inside, outside;
    int64_t slack; /* -1: there is none */
};

/* A run of the tree's list: the subtree, or all that is not in it. */
struct side {
    uint32_t first, end; /* to before `end` */
    bool inside;
};

static struct side smaller_side(const struct spanning *t, uint32_t top)
{
    uint32_t after = t->next[t->last[top]];
    if (t->size[top] <= (t->root + 1) / 2)
        return (struct side){top, after, true};
    return (struct side){after, top, false};
}

static void mark_side(struct simplex *s, const struct side *side)
{
    s->exchanges++;
    for (uint32_t v = side->first; v != side->end; v = s->tree.next[v])
        s->mark[v] = s->exchanges;
}

/* Edges of `node`, of the marked side, to the other. */
static void look_at(struct simplex *s, uint32_t node, bool down, bool inside, struct stop *stop)
{
    const struct rows *r = s->r;
    const uint32_t *first = down ? r->below_first : r->above_first;
    const uint32_t *to = down ? r->below : r->above;
    for (uint32_t i = first[node]; i < first[node + 1]; i++, s->steps++) {
        if (s->mark[to[i]] == s->exchanges)
            continue;
        uint32_t upper = down ? node : to[i], lower = down ? to[i] : node;
        int64_t slack =
            s->height[lower] - s->height[upper] - height_of_edge(s->heights, upper, lower);
        if (stop->slack < 0 || slack < stop->slack)
            *stop = (struct stop){inside ? node : to[i], inside ? to[i] : node, slack};
    }
}

/* A subtree that moves down is stopped by what is below it: by edges downwards from it, or upwards
 * from the rest. */
static struct stop find_stop(struct simplex *s, const struct side *side, bool down)
{
    struct stop stop = {.slack = -1};
    for (uint32_t v = side->first; v != side->end && stop.slack != 0; v = s->tree.next[v]) {
        s->steps++;
        if (v != s->tree.root)
            look_at(s, v, down == side->inside, side->inside, &stop);
    }
    return stop;
}

/* Moving the rest the other way is the same. */
static void move(struct simplex *s, const struct side *side, bool down, int64_t by)
{
    if (by == 0)
        return;
    int64_t change = down == side->inside ? by : -by;
    if (!side->inside)
        s->moved -= change;
    for (uint32_t v = side->first; v != side->end; v = s->tree.next[v], s->steps++)
        if (v != s->tree.root)
            s->height[v] += change;
}

/* ---- all of it ---- */

static void exchange(struct simplex *s, uint32_t top)
{
    bool down = s->tree.pull[top] > 0;
    struct side side = smaller_side(&s->tree, top);
    mark_side(s, &side);
    struct stop stop = find_stop(s, &side, down);
    move(s, &side, down, stop.slack);
    s->steps += spanning_exchange(&s->tree, top, stop.inside, stop.outside,
                                  down ? HANGS_ABOVE : HANGS_BELOW);
}

int simplex_shorten(const struct rows *r, enum heights heights, uint64_t most, int64_t *height)
{
    struct simplex s = {.r = r, .heights = heights, .height = height};
    s.mark = xcalloc(r->nodes + (size_t)1, sizeof(*s.mark));
    int result = 0;
    spanning_make(&s.tree, r, heights, height);
    while (result == 0 && s.steps < most) {
        uint32_t top = choose(&s);
        if (top == UINT32_MAX)
            result = 1;
        else
            exchange(&s, top);
    }
    for (uint32_t v = 0; v < r->nodes; v++)
        height[v] += s.moved;
    free(s.mark);
    spanning_release(&s.tree);
    return result;
}

struct layering {
    struct rows r;
    int64_t *height; /* as simplex_shorten has it */
    uint32_t *layer; /* [nodes] the caller's */
    uint32_t *order; /* [nodes] each after all that are above it */
    uint32_t *count; /* [nodes] scratch: what is left above a node */
};

/* ---- a first layering, which is short already ---- */

/* Each node as high as what is above it lets it. */
static void longest_paths(struct layering *l)
{
    const struct rows *r = &l->r;
    uint32_t end = 0;
    for (uint32_t v = 0; v < r->nodes; v++) {
        l->height[v] = 0;
        l->count[v] = rows_above(r, v);
        if (!l->count[v])
            l->order[end++] = v;
    }
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = l->order[i];
        for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++) {
            uint32_t below = r->below[k];
            int64_t least = l->height[v] + HEIGHT_LAYER;
            if (l->height[below] < least)
                l->height[below] = least;
            if (--l->count[below] == 0)
                l->order[end++] = below;
        }
    }
}

/* What has more edges downwards goes down as far as what is below lets it. Simplex has less to do
 * then. */
static void pull_down(struct layering *l)
{
    const struct rows *r = &l->r;
    for (uint32_t i = r->nodes; i > 0; i--) {
        uint32_t v = l->order[i - 1];
        if (rows_below(r, v) <= rows_above(r, v))
            continue;
        int64_t most = INT64_MAX;
        for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++) {
            int64_t height = l->height[r->below[k]] - HEIGHT_LAYER;
            if (height < most)
                most = height;
        }
        l->height[v] = most;
    }
}

/* ---- as short as can be ---- */

/* Half a second. A lineage of 1,000 nodes takes a thousandth of that, one of 20,000 a third. */
#define STEPS_MOST 50000000u
/* For each node and edge, as long as simplex seems not to go round. */
#define STEPS_EACH 200u

/* Each node goes down a little where what is above it, now that edges differ, goes down as far. */
static void differ(struct layering *l)
{
    const struct rows *r = &l->r;
    for (uint32_t i = 0; i < r->nodes; i++) {
        uint32_t v = l->order[i];
        for (uint32_t k = r->above_first[v]; k < r->above_first[v + 1]; k++) {
            uint32_t above = r->above[k];
            int64_t least = l->height[above] + height_of_edge(HEIGHTS_DIFFERENT, above, v);
            if (l->height[v] < least)
                l->height[v] = least;
        }
    }
}

/* Where edges are equal what is as good stays as it was, so that what is added to a drawing changes
 * little. */
static int shorten(struct layering *l)
{
    uint64_t most = STEPS_EACH * ((uint64_t)l->r.nodes + l->r.edges);
    int result = simplex_shorten(&l->r, HEIGHTS_EQUAL, most, l->height);
    if (result != 0)
        return result < 0 ? -1 : 0;
    differ(l);
    return simplex_shorten(&l->r, HEIGHTS_DIFFERENT, STEPS_MOST, l->height) < 0 ? -1 : 0;
}

/* ---- what simplex leaves open ---- */

/* Nearest, so that what each edge goes further down than a layer makes no difference. */
static int64_t layer_of(int64_t height)
{
    int64_t up = height + HEIGHT_LAYER / 2;
    return up >= 0 ? up / HEIGHT_LAYER : -((-up + HEIGHT_LAYER - 1) / HEIGHT_LAYER);
}

/* The component of queue[0], which is marked. Returns its end in the queue. */
static uint32_t component(const struct rows *r, uint32_t *queue, uint32_t *seen)
{
    uint32_t end = 1;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = queue[i];
        const uint32_t *first[] = {r->below_first, r->above_first}, *to[] = {r->below, r->above};
        for (int way = 0; way < 2; way++)
            for (uint32_t k = first[way][v]; k < first[way][v + 1]; k++)
                if (!seen[to[way][k]]) {
                    seen[to[way][k]] = 1;
                    queue[end++] = to[way][k];
                }
    }
    return end;
}

/* From heights to layers: each component's first is 0. Returns how many there are. */
static uint32_t number_layers(struct layering *l)
{
    uint32_t *seen = l->count, *queue = l->order, layers = 0;
    for (uint32_t v = 0; v < l->r.nodes; v++)
        seen[v] = 0;
    for (uint32_t root = 0; root < l->r.nodes; root++) {
        if (seen[root])
            continue;
        seen[root] = 1;
        queue[0] = root;
        uint32_t end = component(&l->r, queue, seen);
        int64_t least = INT64_MAX;
        for (uint32_t i = 0; i < end; i++)
            if (l->height[queue[i]] < least)
                least = l->height[queue[i]];
        for (uint32_t i = 0; i < end; i++) {
            uint32_t v = queue[i];
            l->layer[v] = (uint32_t)(layer_of(l->height[v]) - layer_of(least));
            if (l->layer[v] >= layers)
                layers = l->layer[v] + 1;
        }
    }
    return layers;
}

/* A node with as many edges above as below goes where the fewest nodes are; of equal layers it
 * stays, or takes the highest. */
static void balance_node(struct layering *l, uint32_t v, uint32_t *crowd)
{
    const struct rows *r = &l->r;
    uint32_t from = 0, to = UINT32_MAX, best = l->layer[v];
    if (rows_above(r, v) == 0 || rows_above(r, v) != rows_below(r, v))
        return;
    for (uint32_t k = r->above_first[v]; k < r->above_first[v + 1]; k++)
        if (l->layer[r->above[k]] >= from)
            from = l->layer[r->above[k]] + 1;
    for (uint32_t k = r->below_first[v]; k < r->below_first[v + 1]; k++)
        if (l->layer[r->below[k]] < to)
            to = l->layer[r->below[k]];
    crowd[l->layer[v]]--;
    for (uint32_t i = from; i < to; i++)
        if (crowd[i] < crowd[best])
            best = i;
    crowd[best]++;
    l->layer[v] = best;
}

static void balance(struct layering *l, uint32_t layers)
{
    uint32_t *crowd = xcalloc(layers + (size_t)1, sizeof(*crowd));
    for (uint32_t v = 0; v < l->r.nodes; v++)
        crowd[l->layer[v]]++;
    for (uint32_t v = 0; v < l->r.nodes; v++)
        balance_node(l, v, crowd);
    free(crowd);
}

/* ---- the layering as a whole ---- */

static void prepare(struct layering *l, uint32_t nodes)
{
    size_t count = nodes + (size_t)1;
    l->height = xmalloc(count * sizeof(*l->height));
    l->order = xcalloc(count, sizeof(*l->order));
    l->count = xmalloc(count * sizeof(*l->count));
}

int layering_find(uint32_t nodes, uint32_t edges, const uint32_t *upper, const uint32_t *lower,
                  uint32_t *layer)
{
    struct layering l = {.layer = layer};
    if (nodes > HEIGHT_NODES)
        return -1;
    rows_make(&l.r, nodes, edges, upper, lower);
    prepare(&l, nodes);
    longest_paths(&l);
    pull_down(&l);
    int result = shorten(&l);
    if (result == 0)
        balance(&l, number_layers(&l));
    rows_release(&l.r);
    free(l.height);
    free(l.order);
    free(l.count);
    return result;
}

enum state {
    UNSEEN = 0,
    ON_PATH,
    DONE
};

struct search {
    const struct picture *p;
    uint8_t *reversed;
    uint32_t *next;  /* [nodes + 1] the next edge of a node that is on the path */
    uint32_t *path;  /* [nodes] from where the search began to where it is */
    uint8_t *state;  /* [nodes] */
    uint8_t *rested; /* [nodes] something rests on it */
    uint32_t length; /* of the path */
};

static void acyclic_prepare(struct search *s)
{
    const struct picture *p = s->p;
    size_t nodes = p->nodes + (size_t)1;
    s->next = xcalloc(nodes, sizeof(*s->next));
    s->path = xmalloc(nodes * sizeof(*s->path));
    s->state = xcalloc(nodes, 1);
    s->rested = xcalloc(nodes, 1);
    /* Edges are sorted by `from`: a node's begin where those of the ones before it end. */
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

/* One edge further, or one node back. */
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
    struct search s = {.p = p, .reversed = reversed};
    acyclic_prepare(&s);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (!s.rested[v])
            search_from(&s, v);
    for (uint32_t v = 0; v < p->nodes; v++)
        search_from(&s, v);
    free(s.next);
    free(s.path);
    free(s.state);
    free(s.rested);
}
