#include "model/layout/rank/ordering_piece.h"

/* Pairs that are kept, at most: beyond it they are counted when asked for. */
#define PAIRS_MOST (UINT64_C(1) << 21)

static uint64_t pairs(const struct piece *o)
{
    uint64_t sum = 0;
    for (uint32_t l = 0; l < o->layers; l++)
        sum += (uint64_t)piece_width(o, l) * piece_width(o, l);
    return sum;
}

/*
 * at[y] for a point p: how many of its neighbours on that side stand beyond place y, less those that stand before it.
 * That is what a segment to y adds to the difference of p and the point that has it.
 */
static void weigh_places(const struct piece *o, uint32_t p, enum piece_side side, uint32_t width,
                         int32_t *at)
{
    uint32_t from = o->point[p].near[side], to = o->point[p].near[side + 1];
    int32_t before = 0, all = (int32_t)(to - from);
    memset(at, 0, width * sizeof(*at));
    for (uint32_t i = from; i < to; i++)
        at[o->place[o->near[i]]]++;
    for (uint32_t y = 0; y < width; y++) {
        int32_t here = at[y];
        at[y] = all - 2 * before - here;
        before += here;
    }
}

static void weigh_point(struct piece *o, uint32_t p, enum piece_side side, int32_t *at)
{
    if (o->point[p].near[side] == o->point[p].near[side + 1])
        return;
    uint32_t beside = side == BELOW ? o->point[p].layer + 1 : o->point[p].layer - 1;
    enum piece_side back = side == BELOW ? ABOVE : BELOW;
    uint32_t from = o->first[beside], to = o->first[beside + 1];
    weigh_places(o, p, side, to - from, at);
    for (uint32_t y = from; y < to; y++) {
        uint32_t first = o->point[y].near[back], last = o->point[y].near[back + 1];
        for (uint32_t i = first; i < last; i++)
            o->row[p][o->near[i]] += at[o->place[y]];
        o->work += 2 + last - first;
    }
}

int piece_weigh(struct piece *o)
{
    if (pairs(o) > PAIRS_MOST)
        return 0;
    int32_t *all = arena_array(&o->arena, pairs(o), sizeof(*all));
    int32_t *at = arena_array(&o->arena, piece_widest(o), sizeof(*at));
    o->row = arena_array(&o->arena, o->points, sizeof(*o->row));
    if (!all || !at || !o->row)
        return -1;
    for (uint32_t p = 0; p < o->points; p++) {
        /* A row is asked with a point's number. It begins within the array all the same: what is before it is no
         * less than a number for each point before the layer. */
        o->row[p] = all - o->first[o->point[p].layer];
        all += piece_width(o, o->point[p].layer);
    }
    for (uint32_t p = 0; p < o->points; p++)
        for (int side = ABOVE; side < SIDES; side++)
            weigh_point(o, p, side, at);
    return 0;
}

int32_t piece_count_difference(const struct piece *o, uint32_t p, uint32_t q)
{
    int32_t difference = 0;
    for (int side = ABOVE; side < SIDES; side++)
        for (uint32_t i = o->point[p].near[side]; i < o->point[p].near[side + 1]; i++)
            for (uint32_t j = o->point[q].near[side]; j < o->point[q].near[side + 1]; j++) {
                uint32_t x = o->place[o->near[i]], y = o->place[o->near[j]];
                difference += (x > y) - (x < y);
            }
    return difference;
}

/* p, which stood before q, stands behind it now: so do their segments, in the eyes of their neighbours. */
static inline void exchanged(struct piece *o, const struct piece_point *p,
                             const struct piece_point *q)
{
    o->work += (uint64_t)(p->near[SIDES] - p->near[ABOVE]) * (q->near[SIDES] - q->near[ABOVE]);
    int32_t *const *rows = o->row;
    const uint32_t *near = o->near;
    if (!rows)
        return;
    for (int side = ABOVE; side < SIDES; side++)
        for (uint32_t i = p->near[side]; i < p->near[side + 1]; i++) {
            uint32_t a = near[i];
            int32_t *row = rows[a];
            for (uint32_t j = q->near[side]; j < q->near[side + 1]; j++) {
                uint32_t b = near[j];
                if (a == b)
                    continue;
                row[b] += 2;
                rows[b][a] -= 2;
            }
        }
}

static void move_back(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->point[p].layer];
    for (uint32_t i = o->place[p]; i > to; i--) {
        uint32_t q = line[i - 1];
        o->crossings += (uint64_t)(int64_t)piece_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        exchanged(o, &o->point[q], &o->point[p]);
    }
}

static void move_on(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->point[p].layer];
    for (uint32_t i = o->place[p]; i < to; i++) {
        uint32_t q = line[i + 1];
        o->crossings -= (uint64_t)(int64_t)piece_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        exchanged(o, &o->point[p], &o->point[q]);
    }
}

static void shift(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t from = o->place[p];
    if (to < from)
        move_back(o, p, to);
    else
        move_on(o, p, to);
    o->order[o->first[o->point[p].layer] + to] = p;
    o->place[p] = to;
    o->work += 2 + 2 * (uint64_t)(to < from ? from - to : to - from);
}

void piece_move(struct piece *o, uint32_t p, uint32_t to)
{
    if (o->place[p] == to)
        return;
    if (o->steps < o->steps_most)
        o->step[o->steps++] = (struct piece_step){p, o->place[p]};
    shift(o, p, to);
}

void piece_undo(struct piece *o, uint32_t steps)
{
    while (o->steps > steps) {
        o->steps--;
        shift(o, o->step[o->steps].point, o->step[o->steps].place);
    }
}
