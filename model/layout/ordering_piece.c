#include "model/layout/ordering_piece.h"

#include "model/layout/ordering.h"

/* Beyond what its size asks for, a search may take so many steps; 20 million take about 45 ms. */
#define WORK_LARGE UINT64_C(20000000)
#define WORK_MOST  UINT64_C(200000000)

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t work_bound(const struct piece *o)
{
    uint64_t points = o->points;
    uint64_t bound = lesser(2000 * points + 20 * points * points, WORK_LARGE + 12000 * points);
    return lesser(bound, WORK_MOST);
}

/* ---- what it consists of ---- */

static void alloc_points(struct piece *o)
{
    size_t points = o->points;
    o->point = arena_array(&o->arena, points, sizeof(*o->point));
    o->named = arena_array(&o->arena, points, sizeof(*o->named));
    o->fixed = arena_array(&o->arena, points, sizeof(*o->fixed));
    o->order = arena_array(&o->arena, points, sizeof(*o->order));
    o->place = arena_array(&o->arena, points, sizeof(*o->place));
    o->trunk = arena_array(&o->arena, points, sizeof(*o->trunk));
    o->trunk_next = arena_array(&o->arena, points, sizeof(*o->trunk_next));
}

static void number_points(struct piece *o, const struct layered *g, const uint32_t *member,
                          uint32_t *number)
{
    uint32_t top = g->layer[member[0]];
    o->layers = g->layer[member[o->points - 1]] - top + 1;
    o->first = arena_array(&o->arena, (size_t)o->layers + 1, sizeof(*o->first));
    for (uint32_t p = 0; p < o->points; p++) {
        number[member[p]] = p;
        o->named[p] = member[p];
        o->point[p].layer = g->layer[member[p]] - top;
        o->order[p] = p;
        o->first[o->point[p].layer + 1] = p + 1;
    }
    piece_place(o);
}

static uint32_t far_end(const struct layered *g, enum piece_side side, uint32_t s)
{
    return side == BELOW ? g->segment[s].lower : g->segment[s].upper;
}

static uint32_t degree(const struct layered *g, uint32_t p)
{
    return g->up_first[p + 1] - g->up_first[p] + g->down_first[p + 1] - g->down_first[p];
}

static void join_points(struct piece *o, const struct layered *g, const uint32_t *number)
{
    const uint32_t *first[] = {g->up_first, g->down_first}, *of[] = {g->up_of, g->down_of};
    size_t ends = 0;
    for (uint32_t p = 0; p < o->points; p++)
        ends += degree(g, o->named[p]);
    o->segments = (uint32_t)(ends / 2);
    o->near = arena_array(&o->arena, ends, sizeof(*o->near));
    o->near_net = arena_array(&o->arena, ends, sizeof(*o->near_net));
    uint32_t count = 0;
    for (uint32_t p = 0; p < o->points; p++)
        for (int side = ABOVE; side < SIDES; side++) {
            o->point[p].near[side] = count;
            for (uint32_t i = first[side][o->named[p]]; i < first[side][o->named[p] + 1]; i++) {
                o->near_net[count] = g->segment[of[side][i]].net;
                o->near[count++] = number[far_end(g, side, of[side][i])];
            }
            o->point[p].near[side + 1] = count;
        }
}

static bool same_trunk(const struct piece *o, const struct layered *g, uint32_t p, uint32_t q)
{
    uint32_t net = g->point_net[o->named[p]];
    return net != PICTURE_NONE && net == g->point_net[o->named[q]];
}

static void find_trunks(struct piece *o, const struct layered *g)
{
    for (uint32_t p = 0; p < o->points; p++) {
        bool follows = false;
        o->trunk_next[p] = PICTURE_NONE;
        for (uint32_t i = o->point[p].near[BELOW]; i < o->point[p].near[BELOW + 1]; i++)
            if (same_trunk(o, g, p, o->near[i]))
                o->trunk_next[p] = o->near[i];
        for (uint32_t i = o->point[p].near[ABOVE]; i < o->point[p].near[ABOVE + 1]; i++)
            follows = follows || same_trunk(o, g, p, o->near[i]);
        if (!follows && o->trunk_next[p] != PICTURE_NONE)
            o->trunk[o->trunks++] = p;
    }
}

void piece_make(struct piece *o, const struct layered *g, const uint32_t *member, uint32_t count,
                uint32_t *number)
{
    *o = (struct piece){.arena = ARENA_INIT, .points = count, .chance = 88172645463325252u};
    alloc_points(o);
    number_points(o, g, member, number);
    join_points(o, g, number);
    find_trunks(o, g);
    o->bound = work_bound(o);
}

void piece_release(struct piece *o)
{
    arena_release(&o->arena);
}

/* ---- its order ---- */

void piece_place(struct piece *o)
{
    for (uint32_t i = 0; i < o->points; i++)
        o->place[o->order[i]] = i - o->first[o->point[o->order[i]].layer];
}

uint32_t piece_widest(const struct piece *o)
{
    uint32_t widest = 0;
    for (uint32_t l = 0; l < o->layers; l++)
        if (piece_width(o, l) > widest)
            widest = piece_width(o, l);
    return widest;
}

static uint64_t count_below(const struct piece *o, uint32_t l, uint32_t *tree)
{
    uint32_t width = piece_width(o, l + 1);
    uint64_t crossings = 0, before = 0;
    memset(tree, 0, ((size_t)width + 1) * sizeof(*tree));
    for (uint32_t i = o->first[l]; i < o->first[l + 1]; i++) {
        uint32_t p = o->order[i], from = o->point[p].near[BELOW], to = o->point[p].near[BELOW + 1];
        for (uint32_t j = from; j < to; j++)
            crossings += before - counter_until(tree, o->place[o->near[j]]);
        for (uint32_t j = from; j < to; j++)
            counter_add(tree, width, o->place[o->near[j]]);
        before += to - from;
    }
    return crossings;
}

void piece_count(struct piece *o, uint32_t *tree)
{
    o->crossings = 0;
    for (uint32_t l = 0; l + 1 < o->layers; l++)
        o->crossings += count_below(o, l, tree);
    o->work += (uint64_t)o->points + 6 * (uint64_t)o->segments;
}
