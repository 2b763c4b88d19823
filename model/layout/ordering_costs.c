#include "ordering_piece.h"

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
    uint32_t from = o->near_first[side][p], to = o->near_first[side][p + 1];
    int32_t before = 0, all = (int32_t)(to - from);
    memset(at, 0, width * sizeof(*at));
    for (uint32_t i = from; i < to; i++)
        at[o->place[o->near[side][i]]]++;
    for (uint32_t y = 0; y < width; y++) {
        int32_t here = at[y];
        at[y] = all - 2 * before - here;
        before += here;
    }
}

static void weigh_point(struct piece *o, uint32_t p, enum piece_side side, int32_t *at)
{
    if (o->near_first[side][p] == o->near_first[side][p + 1])
        return;
    uint32_t beside = side == BELOW ? o->layer[p] + 1 : o->layer[p] - 1;
    enum piece_side back = side == BELOW ? ABOVE : BELOW;
    uint32_t from = o->first[beside], to = o->first[beside + 1];
    weigh_places(o, p, side, to - from, at);
    for (uint32_t y = from; y < to; y++)
        for (uint32_t i = o->near_first[back][y]; i < o->near_first[back][y + 1]; i++)
            o->row[p][o->near[back][i]] += at[o->place[y]];
    o->work += 2 * (uint64_t)(to - from) + o->near_first[back][to] - o->near_first[back][from];
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
        o->row[p] = all - o->first[o->layer[p]];
        all += piece_width(o, o->layer[p]);
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
        for (uint32_t i = o->near_first[side][p]; i < o->near_first[side][p + 1]; i++)
            for (uint32_t j = o->near_first[side][q]; j < o->near_first[side][q + 1]; j++) {
                uint32_t x = o->place[o->near[side][i]], y = o->place[o->near[side][j]];
                difference += (x > y) - (x < y);
            }
    return difference;
}

/* p, which stood before q, stands behind it now: so do their segments, in the eyes of their neighbours. */
static void exchanged(struct piece *o, uint32_t p, uint32_t q)
{
    for (int side = ABOVE; side < SIDES; side++) {
        uint32_t from = o->near_first[side][q], to = o->near_first[side][q + 1];
        for (uint32_t i = o->near_first[side][p]; i < o->near_first[side][p + 1]; i++) {
            uint32_t a = o->near[side][i];
            int32_t *row = o->row[a];
            for (uint32_t j = from; j < to; j++) {
                uint32_t b = o->near[side][j];
                if (a == b)
                    continue;
                row[b] += 2;
                o->row[b][a] -= 2;
            }
            o->work += to - from;
        }
    }
}

static void move_back(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->layer[p]];
    for (uint32_t i = o->place[p]; i > to; i--) {
        uint32_t q = line[i - 1];
        o->crossings += (uint64_t)(int64_t)piece_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        if (o->row)
            exchanged(o, q, p);
    }
}

static void move_on(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->layer[p]];
    for (uint32_t i = o->place[p]; i < to; i++) {
        uint32_t q = line[i + 1];
        o->crossings -= (uint64_t)(int64_t)piece_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        if (o->row)
            exchanged(o, p, q);
    }
}

static void shift(struct piece *o, uint32_t p, uint32_t to)
{
    uint32_t from = o->place[p];
    if (to < from)
        move_back(o, p, to);
    else
        move_on(o, p, to);
    o->order[o->first[o->layer[p]] + to] = p;
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
