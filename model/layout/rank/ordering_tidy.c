#include "model/layout/rank/ordering_piece.h"

/* Layers are gone through so often, down and up in turn. */
#define ROUNDS 4
/* Dummies are joined to few; two points that make more pairs than this are not compared. */
#define PAIRS_MOST 1024

static bool is_inner(const struct piece *o, uint32_t a, uint32_t b)
{
    return o->trunk_next[a] == b || o->trunk_next[b] == a;
}

/*
 * As piece_difference, where a piece of a trunk that is crossed counts twice: long lines can be straight where
 * they are crossed at their ends.
 */
static int64_t weighed_difference(const struct piece *o, uint32_t p, uint32_t q)
{
    int64_t sum = 0;
    for (int side = ABOVE; side < SIDES; side++)
        for (uint32_t i = o->point[p].near[side]; i < o->point[p].near[side + 1]; i++)
            for (uint32_t j = o->point[q].near[side]; j < o->point[q].near[side + 1]; j++) {
                uint32_t a = o->near[i], b = o->near[j];
                int64_t weight = (1 + is_inner(o, p, a)) * (1 + is_inner(o, q, b));
                sum += o->place[a] > o->place[b] ? weight : 0;
                sum -= o->place[a] < o->place[b] ? weight : 0;
            }
    return sum;
}

/* Joined to the same points: nothing but nets and numbers tells which one stands first. */
static bool are_twins(const struct piece *o, uint32_t p, uint32_t q)
{
    const struct piece_point *a = &o->point[p], *b = &o->point[q];
    uint32_t above = a->near[BELOW] - a->near[ABOVE], all = piece_degree(o, p);
    return above == b->near[BELOW] - b->near[ABOVE] && all == piece_degree(o, q) &&
           memcmp(o->near + a->near[ABOVE], o->near + b->near[ABOVE], all * sizeof(*o->near)) == 0;
}

/* What is of one net stands together, so that no other has to cross its branches. */
static bool is_first_twin(const struct piece *o, uint32_t p, uint32_t q)
{
    const uint32_t *a = o->near_net + o->point[p].near[ABOVE];
    const uint32_t *b = o->near_net + o->point[q].near[ABOVE];
    for (uint32_t i = 0; i < piece_degree(o, p); i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return p < q;
}

/* Whether p, just behind q, would stand better before it, and cross as much. */
static bool belongs_before(struct piece *o, uint32_t p, uint32_t q)
{
    uint64_t pairs = (uint64_t)piece_degree(o, p) * piece_degree(o, q);
    if ((o->fixed[p] && o->fixed[q]) || piece_difference(o, p, q) != 0)
        return false;
    if (are_twins(o, p, q))
        return is_first_twin(o, p, q);
    return pairs <= PAIRS_MOST && weighed_difference(o, p, q) < 0;
}

static void tidy_layer(struct piece *o, uint32_t l)
{
    const uint32_t *line = o->order + o->first[l];
    for (uint32_t i = 1; i < piece_width(o, l); i++) {
        uint32_t p = line[i], to = i;
        while (to > 0 && belongs_before(o, p, line[to - 1]))
            to--;
        piece_move(o, p, to);
    }
}

int tidy_order(struct piece *o)
{
    if (!o->row && piece_weigh(o))
        return -1;
    if (!o->row)
        return 0;
    o->steps_most = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t l = 0; l < o->layers; l++)
            tidy_layer(o, round % 2 ? o->layers - 1 - l : l);
    return 0;
}
