#include "store/lineage/closure.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/lineage/around.h"
#include "store/lineage/reach.h"
#include "store/db/reader.h"

/* Between two looks at a limit; two take about as long as a step of SQLite's. */
#define STEPS 4096
/* Rows are numbered by blocks, as those of one time are near each other: a row's number is its block's, times
 * this, and its place there. */
#define BLOCK 32

/*
 * Of a row: Tarjan's `order` and `low`, 0 where it was not visited. Once its component is complete `low` is free,
 * and is its place in that of those that lie on a circle with it.
 */
struct visit {
    uint32_t order; /* and these */
    uint32_t low;
};
#define DONE      (UINT32_C(1) << 31) /* its component is complete */
#define ITSELF    (UINT32_C(1) << 30) /* it rests on itself */
#define TOLD      (UINT32_C(1) << 29) /* it was known before whether it lies on a circle */
#define ORDER_MAX (TOLD - 1)

/* One whose links are being followed: those that are left are next..end of `pending`. */
struct frame {
    uint32_t node, first, next, end;
};

struct search {
    struct links_walk walk;
    struct visit *visit; /* [blocks * BLOCK] */
    int64_t *block;      /* [blocks] its first row */
    uint32_t *slot;      /* finds a block: open addressing over number + 1, at most half full */
    size_t blocks, block_alloc, visit_alloc, slots;
    uint32_t last; /* the block that was found last */
    uint32_t *pending, *open;
    struct frame *frame;
    size_t pending_alloc, open_alloc, frame_alloc;
    size_t pending_count, open_count, frame_count;
    uint32_t visited;
    /* Only rows of `among` (NULL: all) from `least` on are passed. */
    bool (*has)(const void *among, int64_t row);
    const void *among;
    int64_t least;
    bool stops;         /* at what is known to lie on no circle: no other is on one with it */
    bool any;           /* there is a circle */
    struct beyond *out; /* NULL: nobody asks for the circles */
    bool full;          /* more than `out` takes */
};

static void release(struct search *s)
{
    links_end(&s->walk);
    free(s->visit);
    free(s->block);
    free(s->slot);
    free(s->pending);
    free(s->open);
    free(s->frame);
}

/* ---- numbers ---- */

static int64_t row_of(const struct search *s, uint32_t node)
{
    return s->block[node / BLOCK] + node % BLOCK;
}

static uint32_t *find_slot(const struct search *s, int64_t first)
{
    size_t at = (size_t)((uint64_t)first / BLOCK * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (at &= s->slots - 1; s->slot[at] && s->block[s->slot[at] - 1] != first;)
        at = (at + 1) & (s->slots - 1);
    return &s->slot[at];
}

static int grow_slots(struct search *s)
{
    size_t slots = s->slots ? 2 * s->slots : 64;
    uint32_t *slot = xcalloc(slots, sizeof(*slot));
    if (!slot)
        return -1;
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    for (size_t i = 0; i < s->blocks; i++)
        *find_slot(s, s->block[i]) = (uint32_t)i + 1;
    return 0;
}

static int add_block(struct search *s, int64_t first, struct error *e)
{
    if (s->blocks >= ORDER_MAX / BLOCK || (2 * (s->blocks + 1) > s->slots && grow_slots(s)) ||
        !array_grow((void **)&s->block, &s->block_alloc, s->blocks, sizeof(*s->block)) ||
        !array_grow((void **)&s->visit, &s->visit_alloc, s->blocks, BLOCK * sizeof(*s->visit)))
        return around_no_memory(e);
    memset(&s->visit[s->blocks * BLOCK], 0, BLOCK * sizeof(*s->visit));
    s->block[s->blocks] = first;
    *find_slot(s, first) = (uint32_t)++s->blocks;
    return 0;
}

static int number_of(struct search *s, int64_t row, uint32_t *node, struct error *e)
{
    int64_t first = row / BLOCK * BLOCK;
    if (row < 1)
        return reader_damaged(e, "a link", row);
    if (s->last >= s->blocks || s->block[s->last] != first) {
        uint32_t number = s->slots ? *find_slot(s, first) : 0;
        if (!number && add_block(s, first, e))
            return -1;
        s->last = number ? number - 1 : (uint32_t)s->blocks - 1;
    }
    *node = s->last * BLOCK + (uint32_t)(row - first);
    return 0;
}

/* ---- telling circles ---- */

static void begin_cycle(struct search *s)
{
    struct beyond *out = s->out;
    if (out->cycle_count == BEYOND_CYCLES)
        s->full = true;
    else
        out->cycle_first[out->cycle_count + 1] = out->cycle_first[out->cycle_count];
}

static void add_to_cycle(struct search *s, int64_t row)
{
    struct beyond *out = s->out;
    uint32_t *end = &out->cycle_first[out->cycle_count + 1];
    if (*end < BEYOND_ROWS)
        out->cycle[(*end)++] = row;
    else
        s->full = true;
}

static void tell_itself(struct search *s, uint32_t node)
{
    s->any = true;
    if (s->out && !s->full)
        begin_cycle(s);
    if (!s->out || s->full)
        return;
    add_to_cycle(s, row_of(s, node));
    s->out->cycle_count += !s->full;
}

/* A breadth first search within a component, by places in it, keeping where each was come upon from. */
struct way {
    const uint32_t *node;
    size_t count;
    uint32_t *queue, *parent;
    size_t queued;
};

/* Its place in the component; NODE_NONE where it lies in another one. */
static uint32_t place_of(const struct search *s, const struct way *way, uint32_t node)
{
    uint32_t place = s->visit[node].low;
    return place < way->count && way->node[place] == node ? place : NODE_NONE;
}

/* One step from place `v`: 1 where it leads back to `start`. */
static int look_back(struct search *s, struct way *way, uint32_t v, uint32_t start, struct error *e)
{
    struct links l;
    unsigned shape;
    size_t count;
    uint32_t node = 0, w;
    if (links_of(&s->walk, row_of(s, way->node[v]), &l, e))
        return -1;
    while (links_group(&l, &shape, &count))
        while (count-- > 0) {
            if (number_of(s, links_next(&l), &node, e))
                return -1;
            w = place_of(s, way, node);
            if (w == start && v != start)
                return 1;
            if (w == NODE_NONE || w == start || way->parent[w] != NODE_NONE)
                continue;
            way->parent[w] = v;
            way->queue[way->queued++] = w;
        }
    return 0;
}

/* Backwards from the last on the way, so it is turned round where it stands. */
static void tell_way(struct search *s, const struct way *way, uint32_t last, uint32_t start)
{
    struct beyond *out = s->out;
    begin_cycle(s);
    if (s->full)
        return;
    for (uint32_t v = last; v != start; v = way->parent[v])
        add_to_cycle(s, row_of(s, way->node[v]));
    add_to_cycle(s, row_of(s, way->node[start]));
    for (uint32_t i = out->cycle_first[out->cycle_count],
                  k = out->cycle_first[out->cycle_count + 1] - 1;
         i < k; i++, k--) {
        int64_t swapped = out->cycle[i];
        out->cycle[i] = out->cycle[k];
        out->cycle[k] = swapped;
    }
    out->cycle_count += !s->full;
}

/* A shortest circle through the least row of a component. */
static int tell_shortest(struct search *s, const uint32_t *nodes, size_t count, struct error *e)
{
    struct way way = {nodes, count, xmalloc(count * sizeof(*way.queue)),
                      xmalloc(count * sizeof(*way.parent)), 0};
    int back = way.queue && way.parent ? 0 : around_no_memory(e);
    uint32_t start = 0;
    for (uint32_t i = 0; i < count && back == 0; i++) {
        s->visit[nodes[i]].low = i;
        way.parent[i] = NODE_NONE;
        if (row_of(s, nodes[i]) < row_of(s, nodes[start]))
            start = i;
    }
    size_t at = 0;
    if (back == 0)
        way.queue[way.queued++] = start;
    while (back == 0 && at < way.queued)
        back = look_back(s, &way, way.queue[at++], start, e);
    if (back > 0)
        tell_way(s, &way, way.queue[at - 1], start);
    free(way.queue);
    free(way.parent);
    return back < 0 ? -1 : 0;
}

/* ---- the search ---- */

static bool is_passed(const struct search *s, int64_t row)
{
    return row >= s->least && (!s->among || s->has(s->among, row));
}

static int add_step(struct search *s, uint32_t v, int64_t row, struct error *e)
{
    uint32_t w = 0;
    if (row > 0 && !is_passed(s, row))
        return 0;
    if (number_of(s, row, &w, e))
        return -1;
    if (!array_grow((void **)&s->pending, &s->pending_alloc, s->pending_count,
                    sizeof(*s->pending)) ||
        s->pending_count == UINT32_MAX)
        return around_no_memory(e);
    s->pending[s->pending_count++] = w;
    s->visit[v].order |= w == v ? ITSELF : 0;
    return 0;
}

/* What it rests on, which is followed next. */
static int read_steps(struct search *s, uint32_t v, struct error *e)
{
    struct links l;
    unsigned shape;
    size_t count;
    if (links_of(&s->walk, row_of(s, v), &l, e))
        return -1;
    s->visit[v].order |= l.circle >= 0 ? TOLD : 0;
    s->any |= s->stops && l.circle > 0;
    if (s->stops && (l.circle == 0 || (l.circle > 0 && !s->out)))
        return 0;
    while (links_group(&l, &shape, &count))
        while (count-- > 0)
            if (add_step(s, v, links_next(&l), e))
                return -1;
    return 0;
}

/* `v` is the first of its component, which lies on the stack from it on. */
static int close_component(struct search *s, uint32_t v, struct error *e)
{
    size_t from = s->open_count;
    do
        s->visit[s->open[--from]].order |= DONE;
    while (s->open[from] != v);
    size_t count = s->open_count - from;
    for (size_t i = from; i < s->open_count; i++) {
        uint32_t w = s->open[i], flags = s->visit[w].order;
        if (!(flags & TOLD))
            links_keep_circle(&s->walk, row_of(s, w), count > 1 || (flags & ITSELF));
    }
    s->open_count = from;
    s->any |= count > 1;
    return count > 1 && s->out && !s->full ? tell_shortest(s, &s->open[from], count, e) : 0;
}

static int visit(struct search *s, uint32_t v, struct error *e)
{
    uint32_t first = (uint32_t)s->pending_count;
    if (!array_grow((void **)&s->frame, &s->frame_alloc, s->frame_count, sizeof(*s->frame)) ||
        !array_grow((void **)&s->open, &s->open_alloc, s->open_count, sizeof(*s->open)))
        return around_no_memory(e);
    s->visit[v].order = s->visit[v].low = ++s->visited;
    s->open[s->open_count++] = v;
    if (read_steps(s, v, e))
        return -1;
    if (first == s->pending_count) /* it rests on nothing */
        return close_component(s, v, e);
    s->frame[s->frame_count++] = (struct frame){v, first, first, (uint32_t)s->pending_count};
    if (s->visit[v].order & ITSELF)
        tell_itself(s, v);
    return 0;
}

static void lower(struct visit *visit, uint32_t to)
{
    if (to < visit->low)
        visit->low = to;
}

/* Along a link, or back. */
static int step(struct search *s, struct error *e)
{
    struct frame *frame = &s->frame[s->frame_count - 1];
    struct visit *v = &s->visit[frame->node];
    while (frame->next < frame->end) {
        uint32_t w = s->pending[frame->next++], order = s->visit[w].order;
        if (!order)
            return visit(s, w, e);
        if (!(order & DONE))
            lower(v, order & ORDER_MAX);
    }
    uint32_t node = frame->node;
    s->pending_count = frame->first;
    if (--s->frame_count > 0)
        lower(&s->visit[s->frame[s->frame_count - 1].node], v->low);
    return v->low == (v->order & ORDER_MAX) ? close_component(s, node, e) : 0;
}

static int search_from(struct search *s, struct reader *r, int64_t row, struct error *e)
{
    uint32_t node = 0;
    if (number_of(s, row, &node, e))
        return -1;
    int result = s->visit[node].order ? 0 : visit(s, node, e);
    for (size_t steps = 1; result == 0 && s->frame_count > 0; steps++) {
        result = step(s, e);
        if (steps % STEPS == 0 && result == 0)
            result = reader_spend(r, STEPS, e);
    }
    return result;
}

/* ---- the circles in their order ---- */

struct circle {
    uint32_t len;
    int64_t row[BEYOND_ROWS];
};

static int compare_circles(const void *a, const void *b)
{
    const struct circle *x = a, *y = b;
    if (x->row[0] != y->row[0])
        return x->row[0] < y->row[0] ? -1 : 1;
    return (x->len > y->len) - (x->len < y->len);
}

/* By the row they begin at. */
static void put_in_order(struct beyond *out)
{
    struct circle circle[BEYOND_CYCLES];
    uint32_t count = out->cycle_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = out->cycle_first[i];
        circle[i].len = out->cycle_first[i + 1] - first;
        memcpy(circle[i].row, out->cycle + first, circle[i].len * sizeof(*out->cycle));
    }
    qsort(circle, count, sizeof(*circle), compare_circles);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = out->cycle_first[i];
        memcpy(out->cycle + first, circle[i].row, circle[i].len * sizeof(*out->cycle));
        out->cycle_first[i + 1] = first + circle[i].len;
    }
}

/* ---- all of it ---- */

/* All that it rests on, link by link. */
static int search_all(struct reader *r, int64_t row, struct beyond *out, struct error *e)
{
    struct search s = {.out = out};
    *out = (struct beyond){0};
    int result = links_begin(&s.walk, r, e) || search_from(&s, r, row, e) ? -1 : 0;
    out->cut = s.visited;
    bool told = !s.full;
    if (told)
        put_in_order(out);
    release(&s);
    return result ? -1 : told;
}

static int compare_rows(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool reaches(const void *reach, int64_t row)
{
    return row <= ((const struct reach *)reach)->rows && reach_has(reach, row);
}

/*
 * The first row of a circle rests on a later one of it, and so leads back. From each that does, in their order, only
 * what comes after it is passed: a circle is met whole from its first row, or was met before.
 */
static int tell_circles(struct search *s, struct reader *r, struct reach *reach, struct error *e)
{
    if (reach->back_count)
        qsort(reach->back, reach->back_count, sizeof(*reach->back), compare_rows);
    s->has = reaches;
    s->among = reach;
    for (size_t i = 0; i < reach->back_count; i++) {
        s->least = reach->back[i];
        if (search_from(s, r, reach->back[i], e))
            return -1;
    }
    if (s->full)
        return 0;
    put_in_order(s->out);
    return 1;
}

/* 0 where there are too many circles (*full), or sweeps do not do. */
static int sweep(struct reader *r, int64_t row, enum direction direction, struct beyond *out,
                 bool *full, struct error *e)
{
    struct reach reach = {.block = NULL};
    struct search s = {.stops = true, .out = out};
    *out = (struct beyond){0};
    int told = links_begin(&s.walk, r, e) ? -1 : reach_from(&reach, &s.walk, r, row, direction, e);
    if (told > 0)
        told = tell_circles(&s, r, &reach, e);
    out->cut = reach.count;
    *full = s.full;
    reach_release(&reach);
    release(&s);
    return told;
}

int closure_of(struct reader *r, int64_t row, enum direction direction, struct beyond *out,
               struct error *e)
{
    bool full;
    int told = sweep(r, row, direction, out, &full, e);
    return told || full || direction == DESCENDANTS ? told : search_all(r, row, out, e);
}

static bool is_around(const void *around, int64_t row)
{
    return around_find(around, row) != NODE_NONE;
}

int closure_has_circle(struct reader *r, const struct around *among, const int64_t *rows,
                       size_t count, struct error *e)
{
    struct search s = {.stops = true, .has = is_around, .among = among};
    int result = links_begin(&s.walk, r, e);
    for (size_t i = 0; i < count && result == 0 && !s.any; i++)
        result = search_from(&s, r, rows[i], e);
    bool any = s.any;
    release(&s);
    return result ? -1 : any;
}
