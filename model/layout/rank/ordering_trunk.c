#include "model/layout/rank/ordering_piece.h"

/*
 * A trunk stands between things that stay. Where it may stand in a layer are slots: slot i is before the i-th of the
 * layer's other points. What a way through the slots costs is the sum of what each slot costs by what its
 * dummy is joined to beside the trunk, and of what each step to the next layer's slot crosses; so the best way
 * is found layer by layer (dynamic programming). Costs are relative to those of the first slots. O(layers · window²).
 */

/* Slots on either side of where a dummy stands that are looked at. */
#define WINDOW 8
#define SLOTS  (2 * WINDOW + 1)
/* Sums of costs stay within an int32_t where there are fewer segments. */
#define SEGMENTS_MOST 32768

struct stage {
    uint32_t point, old; /* a dummy of the trunk, and its place */
    uint32_t from, slots;
    int32_t cost[SLOTS]; /* of the best way to that slot */
    uint8_t back[SLOTS]; /* the slot before it on that way */
};

struct trunk_room {
    struct stage *stage; /* [layers] */
    uint32_t stages;
};

struct trunk_room *trunk_room_make(struct piece *o)
{
    struct trunk_room *room = arena_alloc(&o->arena, sizeof(*room));
    if (!room)
        return NULL;
    room->stage = arena_array(&o->arena, o->layers, sizeof(*room->stage));
    return room->stage ? room : NULL;
}

static void stage_init(const struct piece *o, struct stage *s, uint32_t p)
{
    uint32_t last = piece_width(o, o->point[p].layer) - 1, old = o->place[p];
    uint32_t to = last - old > WINDOW ? old + WINDOW : last;
    s->point = p;
    s->old = old;
    s->from = old > WINDOW ? old - WINDOW : 0;
    s->slots = to - s->from + 1;
}

/* The layer's i-th point without the trunk's. */
static uint32_t other_point(const struct piece *o, const struct stage *s, uint32_t i)
{
    return o->order[o->first[o->point[s->point].layer] + (i < s->old ? i : i + 1)];
}

/* The slot, from the first one looked at, that is before that other point; below 0 where it is not looked at. */
static int32_t slot_before(const struct piece *o, const struct stage *s, uint32_t p)
{
    uint32_t place = o->place[p];
    return (int32_t)(place > s->old ? place - 1 : place) - (int32_t)s->from;
}

/* piece_difference of a trunk's dummy and another point, but for segments along the trunk. */
static int32_t difference_beside(struct piece *o, const struct stage *s, uint32_t q,
                                 enum piece_side side, uint32_t along)
{
    int32_t difference = 0;
    for (uint32_t i = o->point[s->point].near[side]; i < o->point[s->point].near[side + 1]; i++) {
        uint32_t a = o->near[i];
        if (a == along)
            continue;
        for (uint32_t j = o->point[q].near[side]; j < o->point[q].near[side + 1]; j++) {
            uint32_t b = o->near[j];
            if (b != along)
                difference += (o->place[a] > o->place[b]) - (o->place[a] < o->place[b]);
        }
        o->work += 1 + o->point[q].near[side + 1] - o->point[q].near[side];
    }
    return difference;
}

/* Adds what the slots cost by what the dummy is joined to on that side; `along` is the trunk's own point there. */
static void add_beside(struct piece *o, struct stage *s, enum piece_side side, uint32_t along)
{
    uint32_t joined = o->point[s->point].near[side + 1] - o->point[s->point].near[side];
    int32_t cost = 0;
    if (joined == (along != PICTURE_NONE))
        return;
    for (uint32_t i = 1; i < s->slots; i++) {
        cost -= difference_beside(o, s, other_point(o, s, s->from + i - 1), side, along);
        s->cost[i] += cost;
    }
}

/* step[i]: what the step from the first slot of `a` to slot i of `b` crosses. */
static void first_steps(const struct piece *o, const struct stage *a, const struct stage *b,
                        int32_t *step)
{
    step[0] = 0;
    for (uint32_t i = 1; i < b->slots; i++) {
        uint32_t q = other_point(o, b, b->from + i - 1);
        step[i] = step[i - 1];
        for (uint32_t j = o->point[q].near[ABOVE]; j < o->point[q].near[ABOVE + 1]; j++)
            if (o->near[j] != a->point)
                step[i] += slot_before(o, a, o->near[j]) < 0 ? -1 : 1;
    }
}

/* The same from the next slot of `a`, which is behind the point q. */
static void next_steps(struct piece *o, const struct stage *b, uint32_t q, int32_t *step)
{
    for (uint32_t j = o->point[q].near[BELOW]; j < o->point[q].near[BELOW + 1]; j++) {
        if (o->near[j] == b->point)
            continue;
        int32_t last = slot_before(o, b, o->near[j]);
        for (int32_t i = 0; i < (int32_t)b->slots; i++)
            step[i] += i <= last ? 1 : -1;
        o->work += 2 + b->slots / 4;
    }
}

static void best_steps(struct piece *o, const struct stage *a, struct stage *b)
{
    int32_t step[SLOTS];
    for (uint32_t i = 0; i < b->slots; i++)
        b->cost[i] = INT32_MAX;
    first_steps(o, a, b, step);
    for (uint32_t from = 0; from < a->slots; from++) {
        if (from > 0)
            next_steps(o, b, other_point(o, a, a->from + from - 1), step);
        for (uint32_t i = 0; i < b->slots; i++)
            if (a->cost[from] + step[i] < b->cost[i]) {
                b->cost[i] = a->cost[from] + step[i];
                b->back[i] = (uint8_t)from;
            }
        o->work += 2 + b->slots / 2;
    }
}

/* Of the best slots at the end any one. */
static uint32_t best_end(struct piece *o, const struct stage *s)
{
    uint32_t best = s->old - s->from, ties = 1;
    for (uint32_t i = 0; i < s->slots; i++)
        if (s->cost[i] < s->cost[best]) {
            best = i;
            ties = 1;
        } else if (s->cost[i] == s->cost[best] && piece_chance(o, ++ties) == 0) {
            best = i;
        }
    return best;
}

bool trunk_route(struct piece *o, struct trunk_room *room, uint32_t trunk)
{
    uint64_t before = o->crossings;
    struct stage *stage = room->stage;
    uint32_t count = 0;
    if (o->segments >= SEGMENTS_MOST)
        return false;
    for (uint32_t p = trunk; p != PICTURE_NONE; p = o->trunk_next[p]) {
        struct stage *s = &stage[count++];
        stage_init(o, s, p);
        if (count > 1)
            best_steps(o, s - 1, s);
        else
            memset(s->cost, 0, sizeof(s->cost));
        add_beside(o, s, ABOVE, count > 1 ? s[-1].point : PICTURE_NONE);
        add_beside(o, s, BELOW, o->trunk_next[p]);
        o->work += 8 + 4 * (uint64_t)s->slots;
    }
    uint32_t slot = best_end(o, &stage[count - 1]);
    while (count-- > 0) {
        uint32_t back = stage[count].back[slot];
        piece_move(o, stage[count].point, stage[count].from + slot);
        slot = back;
    }
    return o->crossings < before;
}
