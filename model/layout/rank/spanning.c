#include "model/layout/rank/spanning.h"

#include <stdbool.h>
#include <stdlib.h>
#include "model/base/alloc.h"

#define NONE UINT32_MAX

void spanning_release(struct spanning *t)
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

static int prepare(struct spanning *t, uint32_t nodes)
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
    return t->parent && t->hangs && t->next && t->previous && t->last && t->size && t->pull ? 0
                                                                                            : -1;
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

int spanning_make(struct spanning *t, const struct rows *r, enum heights heights,
                  const int64_t *height)
{
    uint32_t *stack = xmalloc((r->nodes + (size_t)1) * sizeof(*stack));
    int result = prepare(t, r->nodes);
    if (!stack || result) {
        free(stack);
        return -1;
    }
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
    return 0;
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

uint64_t spanning_exchange(struct spanning *t, uint32_t top, uint32_t node, uint32_t parent,
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
