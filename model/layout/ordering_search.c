/* Improves the order inside the layers by a local search with a bound on its steps. */
#include "model/layout/ordering_component.h"

/*
 * Sifts points whose neighbours have moved (Rudell 1993; Matuszewski, Schönfeld, Molitor 1999)
 * until nothing improves. Then, repeatedly, puts a point at a random place, sifts, and keeps the
 * result if it has no more crossings (iterated local search).
 */

/* The search ends after PATIENCE kicks for each movable point without a gain. A crossing less is
 * worth GAIN_WORTH kicks. */
#define PATIENCE   5
#define GAIN_WORTH 10

struct search {
    struct component *o;
    uint32_t *queue, queued, next;    /* a ring of [points] points to sift */
    bool *is_queued;                  /* [points] is in the queue */
    uint32_t *movable, movable_count; /* [points] the points that can move */
};

static void search_init(struct search *s, struct component *o)
{
    *s = (struct search){.o = o};
    o->steps = 0;
    o->steps_most = o->points + o->layers + 64;
    o->step = arena_array(&o->arena, o->steps_most, sizeof(*o->step));
    s->queue = arena_array(&o->arena, o->points, sizeof(*s->queue));
    s->is_queued = arena_array(&o->arena, o->points, sizeof(*s->is_queued));
    s->movable = arena_array(&o->arena, o->points, sizeof(*s->movable));
    for (uint32_t p = 0; p < o->points; p++)
        if (!o->fixed[p] && component_width(o, o->point[p].layer) > 1)
            s->movable[s->movable_count++] = p;
}

/* ---- the queue ---- */

static void enqueue(struct search *s, uint32_t p)
{
    struct component *o = s->o;
    if (s->is_queued[p] || o->fixed[p])
        return;
    uint32_t at = s->next + s->queued;
    s->queue[at < o->points ? at : at - o->points] = p;
    s->queued++;
    s->is_queued[p] = true;
}

static uint32_t dequeue(struct search *s)
{
    uint32_t p = s->queue[s->next];
    s->next = s->next + 1 < s->o->points ? s->next + 1 : 0;
    s->queued--;
    s->is_queued[p] = false;
    return p;
}

static void enqueue_neighbours(struct search *s, uint32_t p)
{
    const struct component *o = s->o;
    for (uint32_t i = o->point[p].near[ABOVE]; i < o->point[p].near[SIDES]; i++)
        enqueue(s, o->near[i]);
    s->o->work += 1 + component_degree(o, p);
}

/* ---- sifting ---- */

struct best {
    int64_t cost;
    uint32_t at, ties;
};

/* Chooses one of the best places at random. */
static inline void consider(struct component *o, struct best *best, int64_t cost, uint32_t at)
{
    if (cost > best->cost)
        return;
    if (cost == best->cost && component_chance(o, ++best->ties) != 0)
        return;
    if (cost < best->cost)
        best->ties = 1;
    best->cost = cost;
    best->at = at;
}

static struct best best_by_row(struct component *o, uint32_t p)
{
    const int32_t *row = o->row[p];
    const uint32_t *line = o->order + o->first[o->point[p].layer];
    uint32_t width = component_width(o, o->point[p].layer), from = o->place[p];
    struct best best = {.cost = 0, .at = from, .ties = 1};
    int64_t cost = 0;
    for (uint32_t i = from; i > 0; i--) {
        cost += row[line[i - 1]];
        consider(o, &best, cost, i - 1);
    }
    cost = 0;
    for (uint32_t i = from + 1; i < width; i++) {
        cost -= row[line[i]];
        consider(o, &best, cost, i);
    }
    o->work += 4 + width;
    return best;
}

/* Sifts the queued points until the queue is empty, the undo log is full or the bound is
 * reached. */
static void sift_queue(struct search *s)
{
    struct component *o = s->o;
    while (s->queued > 0 && o->steps < o->steps_most && o->work < o->bound) {
        uint32_t p = dequeue(s);
        struct best best = best_by_row(o, p);
        component_move(o, p, best.at);
        if (best.cost < 0)
            enqueue_neighbours(s, p);
    }
}

/* ---- the search ---- */

/* Sifts without recording moves for undo. */
static void sift_all(struct search *s)
{
    struct component *o = s->o;
    while (s->queued > 0 && o->work < o->bound) {
        o->steps = 0;
        sift_queue(s);
    }
    o->steps = 0;
}

static void kick(struct search *s)
{
    uint32_t p = s->movable[component_chance(s->o, s->movable_count)];
    component_move(s->o, p, component_chance(s->o, component_width(s->o, s->o->point[p].layer)));
    enqueue_neighbours(s, p);
}

static void empty_queue(struct search *s)
{
    while (s->queued > 0)
        dequeue(s);
}

static void try_kick(struct search *s)
{
    struct component *o = s->o;
    uint64_t before = o->crossings;
    o->steps = 0;
    kick(s);
    sift_queue(s);
    empty_queue(s);
    if (o->crossings > before)
        component_undo(o, 0);
}

void search_order(struct component *o)
{
    struct search s;
    if (o->crossings == 0 || !component_weigh(o))
        return;
    search_init(&s, o);
    if (s.movable_count == 0)
        return;
    for (uint32_t p = 0; p < o->points; p++)
        enqueue(&s, p);
    sift_all(&s);
    for (uint64_t idle = 0; idle < PATIENCE * (uint64_t)s.movable_count; idle++) {
        uint64_t before = o->crossings;
        if (before == 0 || o->work >= o->bound)
            break;
        try_kick(&s);
        uint64_t earned = GAIN_WORTH * (before - o->crossings);
        idle = idle > earned ? idle - earned : 0;
    }
}

/* The number of passes through the layers, alternating down and up. */
#define ROUNDS 4
/* Two points whose segments make more pairs than this are not compared. Dummies have few
 * segments. */
#define ORDERING_TIDY_PAIRS_MOST 1024

/* Are both dummies of one net? */
static bool is_inner(const struct component *o, uint32_t a, uint32_t b)
{
    return o->net[a] != PICTURE_NONE && o->net[a] == o->net[b];
}

/*
 * Like component_difference, but a crossing of a segment inside a long line counts twice: long
 * lines can be straight if they are crossed only at their ends.
 */
static int64_t weighed_difference(const struct component *o, uint32_t p, uint32_t q)
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

/* Do both have the same neighbours? Then only nets and numbers decide their order. */
static bool are_equivalent(const struct component *o, uint32_t p, uint32_t q)
{
    const struct component_point *a = &o->point[p], *b = &o->point[q];
    uint32_t above = a->near[BELOW] - a->near[ABOVE], all = component_degree(o, p);
    return above == b->near[BELOW] - b->near[ABOVE] && all == component_degree(o, q) &&
           memcmp(o->near + a->near[ABOVE], o->near + b->near[ABOVE], all * sizeof(*o->near)) == 0;
}

/* Keeps points of one net together, so that other nets need not cross its branches. */
static bool is_first_of_equivalents(const struct component *o, uint32_t p, uint32_t q)
{
    const uint32_t *a = o->near_net + o->point[p].near[ABOVE];
    const uint32_t *b = o->near_net + o->point[q].near[ABOVE];
    for (uint32_t i = 0; i < component_degree(o, p); i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return p < q;
}

/* Would p, which is right after q, be better before it, with as many crossings? */
static bool belongs_before(struct component *o, uint32_t p, uint32_t q)
{
    uint64_t pairs = (uint64_t)component_degree(o, p) * component_degree(o, q);
    if ((o->fixed[p] && o->fixed[q]) || component_difference(o, p, q) != 0)
        return false;
    if (are_equivalent(o, p, q))
        return is_first_of_equivalents(o, p, q);
    return pairs <= ORDERING_TIDY_PAIRS_MOST && weighed_difference(o, p, q) < 0;
}

static void tidy_layer(struct component *o, uint32_t l)
{
    const uint32_t *line = o->order + o->first[l];
    for (uint32_t i = 1; i < component_width(o, l); i++) {
        uint32_t p = line[i], to = i;
        while (to > 0 && belongs_before(o, p, line[to - 1]))
            to--;
        component_move(o, p, to);
    }
}

void tidy_order(struct component *o)
{
    if (!o->row && !component_weigh(o))
        return;
    o->steps_most = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t l = 0; l < o->layers; l++)
            tidy_layer(o, round % 2 ? o->layers - 1 - l : l);
}
