/* The order of points inside their layers: splits a graph into connected components, and
 * maintains the crossings that the search needs. */
#include "model/layout/layered.h"

#include "model/base/alloc.h"
#include "model/layout/ordering_component.h"

/* Counters by place: a Fenwick tree (1994), tree[1 .. width]. It counts crossings (Barth,
 * Jünger, Mutzel 2002). */

/* How many were added at places 0 .. `place`. */
static uint64_t counter_until(const uint32_t *tree, uint32_t place)
{
    uint64_t sum = 0;
    for (uint32_t i = place + 1; i > 0; i &= i - 1)
        sum += tree[i];
    return sum;
}

static void counter_add(uint32_t *tree, uint32_t width, uint32_t place)
{
    for (uint32_t i = place + 1; i <= width; i += i & (0 - i))
        tree[i]++;
}

/* Bounds of the steps of a search, in addition to those for its size; 20 million take about 45
 * ms. */
#define WORK_LARGE UINT64_C(20000000)
#define WORK_MOST  UINT64_C(200000000)

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t work_bound(const struct component *o)
{
    uint64_t points = o->points;
    uint64_t bound = lesser(4000 * points + 40 * points * points, WORK_LARGE + 12000 * points);
    return lesser(bound, WORK_MOST);
}

/* ---- points and segments ---- */

static void alloc_points(struct component *o)
{
    size_t points = o->points;
    o->point = arena_array(&o->arena, points, sizeof(*o->point));
    o->named = arena_array(&o->arena, points, sizeof(*o->named));
    o->fixed = arena_array(&o->arena, points, sizeof(*o->fixed));
    o->order = arena_array(&o->arena, points, sizeof(*o->order));
    o->place = arena_array(&o->arena, points, sizeof(*o->place));
    o->net = arena_array(&o->arena, points, sizeof(*o->net));
}

static void number_points(struct component *o, const struct layered *g, const uint32_t *member,
                          uint32_t *number)
{
    uint32_t top = g->layer[member[0]];
    o->layers = g->layer[member[o->points - 1]] - top + 1;
    o->first = arena_array(&o->arena, (size_t)o->layers + 1, sizeof(*o->first));
    for (uint32_t p = 0; p < o->points; p++) {
        number[member[p]] = p;
        o->named[p] = member[p];
        o->net[p] = g->point_net[member[p]];
        o->point[p].layer = g->layer[member[p]] - top;
        o->order[p] = p;
        o->first[o->point[p].layer + 1] = p + 1;
    }
    component_place(o);
}

static uint32_t far_end(const struct layered *g, enum component_side side, uint32_t s)
{
    return side == BELOW ? g->segment[s].lower : g->segment[s].upper;
}

static uint32_t degree(const struct layered *g, uint32_t p)
{
    return g->up.first[p + 1] - g->up.first[p] + g->down.first[p + 1] - g->down.first[p];
}

static void join_points(struct component *o, const struct layered *g, const uint32_t *number)
{
    const uint32_t *first[] = {g->up.first, g->down.first}, *of[] = {g->up.item, g->down.item};
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

void component_make(struct component *o, const struct layered *g, const uint32_t *member,
                    uint32_t count, uint32_t *number)
{
    *o = (struct component){.arena = ARENA_INIT, .points = count, .chance = 88172645463325252u};
    alloc_points(o);
    number_points(o, g, member, number);
    join_points(o, g, number);
    o->bound = work_bound(o);
}

void component_release(struct component *o)
{
    arena_release(&o->arena);
}

/* ---- its order ---- */

void component_place(struct component *o)
{
    for (uint32_t i = 0; i < o->points; i++)
        o->place[o->order[i]] = i - o->first[o->point[o->order[i]].layer];
}

uint32_t component_widest(const struct component *o)
{
    uint32_t widest = 0;
    for (uint32_t l = 0; l < o->layers; l++)
        if (component_width(o, l) > widest)
            widest = component_width(o, l);
    return widest;
}

/*
 * Counts the crossings of the segments below layer l, from left to right: each crosses the earlier
 * ones that end beyond its end. The segments of a point are all counted before they are added,
 * since they meet.
 */
static uint64_t count_below(const struct component *o, uint32_t l, uint32_t *tree)
{
    uint32_t width = component_width(o, l + 1);
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

void component_count(struct component *o, uint32_t *tree)
{
    o->crossings = 0;
    for (uint32_t l = 0; l + 1 < o->layers; l++)
        o->crossings += count_below(o, l, tree);
    o->work += (uint64_t)o->points + 6 * (uint64_t)o->segments;
}

/* The most pairs that are cached. */
#define PAIRS_MOST (UINT64_C(1) << 22)

static uint64_t pairs(const struct component *o)
{
    uint64_t sum = 0;
    for (uint32_t l = 0; l < o->layers; l++)
        sum += (uint64_t)component_width(o, l) * component_width(o, l);
    return sum;
}

/*
 * Sets at[y] for a point p: the number of its neighbours on that side beyond place y, minus the
 * number before y. A segment from another point to y adds that to the difference of p and that
 * point.
 */
static void weigh_places(const struct component *o, uint32_t p, enum component_side side,
                         uint32_t width, int32_t *at)
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

static void weigh_point(struct component *o, uint32_t p, enum component_side side, int32_t *at)
{
    if (o->point[p].near[side] == o->point[p].near[side + 1])
        return;
    uint32_t other = side == BELOW ? o->point[p].layer + 1 : o->point[p].layer - 1;
    enum component_side back = side == BELOW ? ABOVE : BELOW;
    uint32_t from = o->first[other], to = o->first[other + 1];
    weigh_places(o, p, side, to - from, at);
    for (uint32_t y = from; y < to; y++) {
        uint32_t first = o->point[y].near[back], last = o->point[y].near[back + 1];
        for (uint32_t i = first; i < last; i++)
            o->row[p][o->near[i]] += at[o->place[y]];
        o->work += 2 + last - first;
    }
}

bool component_weigh(struct component *o)
{
    if (pairs(o) > PAIRS_MOST)
        return false;
    int32_t *all = arena_array(&o->arena, pairs(o), sizeof(*all));
    int32_t *at = arena_array(&o->arena, component_widest(o), sizeof(*at));
    o->row = arena_array(&o->arena, o->points, sizeof(*o->row));
    for (uint32_t p = 0; p < o->points; p++) {
        /* Rows are indexed by the number of a point. The pointer stays within the array, since
         * the numbers before it are at least one for each point before the layer. */
        o->row[p] = all - o->first[o->point[p].layer];
        all += component_width(o, o->point[p].layer);
    }
    for (uint32_t p = 0; p < o->points; p++)
        for (int side = ABOVE; side < SIDES; side++)
            weigh_point(o, p, side, at);
    return true;
}

/* p was before q and is after it now. Updates the differences of their neighbours. */
static inline void exchanged(struct component *o, const struct component_point *p,
                             const struct component_point *q)
{
    o->work += (uint64_t)(p->near[SIDES] - p->near[ABOVE]) * (q->near[SIDES] - q->near[ABOVE]);
    int32_t *const *rows = o->row;
    const uint32_t *near = o->near;
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

static void move_back(struct component *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->point[p].layer];
    for (uint32_t i = o->place[p]; i > to; i--) {
        uint32_t q = line[i - 1];
        o->crossings += (uint64_t)(int64_t)component_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        exchanged(o, &o->point[q], &o->point[p]);
    }
}

static void move_on(struct component *o, uint32_t p, uint32_t to)
{
    uint32_t *line = o->order + o->first[o->point[p].layer];
    for (uint32_t i = o->place[p]; i < to; i++) {
        uint32_t q = line[i + 1];
        o->crossings -= (uint64_t)(int64_t)component_difference(o, p, q);
        line[i] = q;
        o->place[q] = i;
        exchanged(o, &o->point[p], &o->point[q]);
    }
}

static void shift(struct component *o, uint32_t p, uint32_t to)
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

void component_move(struct component *o, uint32_t p, uint32_t to)
{
    if (o->place[p] == to)
        return;
    if (o->steps < o->steps_most)
        o->step[o->steps++] = (struct component_step){p, o->place[p]};
    shift(o, p, to);
}

void component_undo(struct component *o, uint32_t steps)
{
    while (o->steps > steps) {
        o->steps--;
        shift(o, o->step[o->steps].point, o->step[o->steps].place);
    }
}

uint64_t ordering_crossings(const struct layered *g)
{
    struct component o;
    if (g->points == 0)
        return 0;
    AUTO_FREE uint32_t *number = xmalloc(g->points * sizeof(*number));
    component_make(&o, g, g->order, g->points, number);
    component_count(&o, arena_array(&o.arena, (size_t)component_widest(&o) + 1, sizeof(uint32_t)));
    component_release(&o);
    return o.crossings;
}

/* ---- connected components ---- */

struct components {
    struct arena arena; /* owns everything below */
    /* [points] the component of a point; components are numbered in the order of their first
     * points */
    uint32_t *component;
    uint32_t *member; /* [points] by (component, layer, place) */
    uint32_t *first;  /* [components + 1] */
    uint32_t *filled; /* [layers] the number of points that have their place */
    uint32_t *number; /* [points] */
    uint32_t count;
};

static void components_init(struct components *w, const struct layered *g)
{
    *w = (struct components){.arena = ARENA_INIT};
    w->component = arena_array(&w->arena, g->points, sizeof(*w->component));
    w->member = arena_array(&w->arena, g->points, sizeof(*w->member));
    w->first = arena_array(&w->arena, (size_t)g->points + 1, sizeof(*w->first));
    w->filled = arena_array(&w->arena, g->layers, sizeof(*w->filled));
    w->number = arena_array(&w->arena, g->points, sizeof(*w->number));
}

static uint32_t join(struct components *w, uint32_t queued, uint32_t p)
{
    if (w->component[p] != PICTURE_NONE)
        return queued;
    w->component[p] = w->count;
    w->member[queued] = p;
    return queued + 1;
}

/* Breadth first from each point that was not reached yet; member[] is the queue. */
static void find_components(struct components *w, const struct layered *g)
{
    uint32_t queued = 0, done = 0;
    for (uint32_t p = 0; p < g->points; p++)
        w->component[p] = PICTURE_NONE;
    for (uint32_t root = 0; root < g->points; root++) {
        if (w->component[root] != PICTURE_NONE)
            continue;
        for (queued = join(w, queued, root); done < queued; done++) {
            uint32_t p = w->member[done];
            for (uint32_t i = g->up.first[p]; i < g->up.first[p + 1]; i++)
                queued = join(w, queued, g->segment[g->up.item[i]].upper);
            for (uint32_t i = g->down.first[p]; i < g->down.first[p + 1]; i++)
                queued = join(w, queued, g->segment[g->down.item[i]].lower);
        }
        w->first[++w->count] = queued;
    }
}

/* Sorts the members of each component by layer, in the current order. */
static void sort_members(struct components *w, const struct layered *g)
{
    uint32_t *filled = w->number;
    memcpy(filled, w->first, w->count * sizeof(*filled));
    for (uint32_t i = 0; i < g->points; i++)
        w->member[filled[w->component[g->order[i]]]++] = g->order[i];
}

static void write_back(struct layered *g, struct components *w, const uint32_t *order,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t l = g->layer[order[i]];
        g->order[g->first[l] + w->filled[l]++] = order[i];
    }
}

static void order_component(struct layered *g, struct components *w, uint32_t *member,
                            uint32_t count)
{
    struct component o;
    component_make(&o, g, member, count, w->number);
    starts_find(&o);
    search_order(&o);
    tidy_order(&o);
    for (uint32_t i = 0; i < count; i++)
        member[i] = o.named[o.order[i]];
    component_release(&o);
}

void ordering_find(struct layered *g)
{
    struct components w;
    components_init(&w, g);
    find_components(&w, g);
    sort_members(&w, g);
    for (uint32_t i = 0; i < w.count; i++) {
        uint32_t *member = w.member + w.first[i], count = w.first[i + 1] - w.first[i];
        if (count > 2)
            order_component(g, &w, member, count);
    }
    for (uint32_t i = 0; i < w.count; i++)
        write_back(g, &w, w.member + w.first[i], w.first[i + 1] - w.first[i]);
    layered_place(g);
    arena_release(&w.arena);
}
