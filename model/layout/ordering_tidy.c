#include "ordering_piece.h"

/* Layers are gone through so often, down and up in turn. */
#define ROUNDS 4

/* The mean place of what a point is joined to, from the middle of its layer and in parts of a place. */
static int64_t pull(const struct piece *o, uint32_t p)
{
    int64_t sum = 0, count = piece_degree(o, p);
    for (uint32_t i = o->point[p].near[ABOVE]; i < o->point[p].near[SIDES]; i++) {
        uint32_t q = o->near[i];
        sum += 2 * (int64_t)o->place[q] - piece_width(o, o->point[q].layer);
    }
    return count ? sum * 512 / count : 0;
}

/* By insertion, but never past one that would then be crossed more, or less: less is not to be had any more. */
static void tidy_layer(struct piece *o, int64_t *pulled, uint32_t l)
{
    for (uint32_t i = o->first[l]; i < o->first[l + 1]; i++)
        pulled[o->order[i]] = pull(o, o->order[i]);
    for (uint32_t i = 1; i < piece_width(o, l); i++) {
        const uint32_t *line = o->order + o->first[l];
        uint32_t p = line[i], to = i;
        for (; to > 0; to--) {
            uint32_t q = line[to - 1];
            if ((o->fixed[p] && o->fixed[q]) || piece_difference(o, p, q) != 0)
                break;
            if (pulled[q] < pulled[p] || (q < p && pulled[q] == pulled[p]))
                break;
        }
        o->work += i - to + 2;
        piece_move(o, p, to);
    }
}

int tidy_order(struct piece *o)
{
    int64_t *pulled = arena_array(&o->arena, o->points, sizeof(*pulled));
    if (!pulled || (!o->row && piece_weigh(o)))
        return -1;
    if (!o->row)
        return 0;
    o->steps_most = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t l = 0; l < o->layers; l++)
            tidy_layer(o, pulled, round % 2 ? o->layers - 1 - l : l);
    return 0;
}
