#include "model/layout/rank/simplex.h"

#include <stdbool.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/layout/rank/spanning.h"

/*
 * The cut value of a tree edge is what the lengths' sum gains for each layer that the subtree at
 * its lower end, in the tree, moves: edges inside it keep their length, so it is the subtree's pull
 * (spanning.h). Where the pull is not against the edge itself, the subtree moves until another edge
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
    int result = s.mark ? spanning_make(&s.tree, r, heights, height) : -1;
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
