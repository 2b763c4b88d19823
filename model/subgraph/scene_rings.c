#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/subgraph/scene_build.h"

/* So many memories at most are looked at only to stand as one. */
#define FOLLOWED 2000

/* Something that the next ring may show: a memory, or the rest of a kind of which there are too many. */
struct candidate {
    struct scene_link link; /* of the rest: the first that it stands for */
    uint32_t from;          /* who names it */
    enum direction side;
    bool rest;
};

/* A memory in view whose links on that side go on with the lineage. */
struct reached {
    uint32_t v;
    enum direction side;
};

struct rings {
    struct scene_build *b;
    struct arena arena;    /* of the candidates' ids */
    struct reached *reach; /* [reached] in the order of their depths */
    size_t reached, reach_alloc, opened;
    uint32_t depth; /* of the ring that the candidates are for */
    struct candidate *candidate;
    size_t count, alloc, taken;
    size_t rests; /* in view */
};

static int by_rank(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = scene_link_order(&x->link, &y->link);
    if (order == 0)
        order = (x->from > y->from) - (x->from < y->from);
    if (order == 0)
        order = (int)x->side - (int)y->side;
    return order ? order : (int)x->rest - (int)y->rest;
}

static int add_candidate(struct rings *r, struct candidate c, struct error *e)
{
    void *moved = r->candidate;
    c.link.memory.id = arena_strdup(&r->arena, c.link.memory.id);
    if (!c.link.memory.id || !array_grow(&moved, &r->alloc, r->count, sizeof(*r->candidate))) {
        r->candidate = moved;
        return scene_no_memory(e);
    }
    r->candidate = moved;
    r->candidate[r->count++] = c;
    return 0;
}

/* All of a kind, or the first ones and a node for the rest, which is never one. */
static int offer(struct rings *r, uint32_t v, enum direction side, const struct scene_links *links,
                 struct error *e)
{
    size_t fan = r->b->wishes->fan, of_kind[KIND_COUNT] = {0};
    for (size_t i = 0; i < links->count; i++) {
        enum kind kind = links->link[i].memory.kind;
        size_t place = of_kind[kind]++;
        bool many = fan && links->total[kind] > fan;
        struct candidate c = {links->link[i], v, side, many && place == fan - 1};
        if (add_candidate(r, c, e))
            return -1;
    }
    return 0;
}

static int open_side(struct rings *r, uint32_t v, enum direction side, struct error *e)
{
    struct scene_build *b = r->b;
    struct scene_links links;
    size_t most = b->wishes->fan ? b->wishes->fan : b->wishes->budget;
    arena_clear(&b->scratch);
    b->seen[v].side[side].open = EVERY_KIND;
    return view_links(b, v, side, most, &links, e) || offer(r, v, side, &links, e) ? -1 : 0;
}

/* Candidates for the next ring. */
static int open_ring(struct rings *r, struct error *e)
{
    size_t end = r->reached;
    arena_clear(&r->arena);
    r->count = r->taken = 0;
    r->depth++;
    for (; r->opened < end; r->opened++)
        if (open_side(r, r->reach[r->opened].v, r->reach[r->opened].side, e))
            return -1;
    if (r->count)
        qsort(r->candidate, r->count, sizeof(*r->candidate), by_rank);
    return 0;
}

static int walk_on(struct rings *r, uint32_t v, enum direction side, struct error *e)
{
    void *moved = r->reach;
    struct seen_side *s = &r->b->seen[v].side[side];
    if (s->depth != NOT_WALKED)
        return 0;
    if (!array_grow(&moved, &r->reach_alloc, r->reached, sizeof(*r->reach)))
        return scene_no_memory(e);
    r->reach = moved;
    r->reach[r->reached++] = (struct reached){v, side};
    s->depth = r->depth;
    return 0;
}

static int take(struct rings *r, const struct candidate *c, struct error *e)
{
    struct scene_build *b = r->b;
    if (c->rest) {
        b->seen[c->from].side[c->side].rest |= KIND_BIT(c->link.memory.kind);
        r->rests++;
        return 0;
    }
    uint32_t v = view_find(b, c->link.row);
    if (v == SEEN_NONE)
        v = view_add(b, c->link.row, &c->link.memory, e);
    return v == SEEN_NONE ? -1 : walk_on(r, v, c->side, e);
}

/* Until so many nodes are in view, or there is nothing else. */
static int grow(struct rings *r, size_t limit, struct error *e)
{
    while (r->b->count + r->rests < limit) {
        if (r->taken == r->count) {
            if (r->opened == r->reached || r->depth == r->b->wishes->depth)
                return 0;
            if (open_ring(r, e))
                return -1;
        } else if (take(r, &r->candidate[r->taken++], e)) {
            return -1;
        }
    }
    return 0;
}

static int add_focus(struct rings *r, struct error *e)
{
    struct scene_build *b = r->b;
    struct scene_memory m;
    if (b->source->memory(b->source->of, &b->scratch, b->wishes->focus, &m, e) ||
        view_add(b, b->wishes->focus, &m, e) == SEEN_NONE)
        return -1;
    return (b->wishes->show & SCENE_RESTS_ON && walk_on(r, 0, ANCESTORS, e)) ||
                   (b->wishes->show & SCENE_CARRIES && walk_on(r, 0, DESCENDANTS, e))
               ? -1
               : 0;
}

/* What chains save is room for others, until they are followed to their ends or were followed far. */
static int grow_all(struct rings *r, struct error *e)
{
    size_t limit = r->b->wishes->budget, before, saved = 0;
    do {
        before = limit;
        if (grow(r, limit, e) || view_link(r->b, e) ||
            (r->b->wishes->gather && chains_save(r->b, &saved, e)))
            return -1;
        limit = r->b->wishes->budget + (saved < FOLLOWED ? saved : FOLLOWED);
    } while (limit > before);
    return 0;
}

int rings_show(struct scene_build *b, struct error *e)
{
    struct rings r = {.b = b, .arena = ARENA_INIT};
    int result = add_focus(&r, e) || grow_all(&r, e) ? -1 : 0;
    arena_release(&r.arena);
    free(r.candidate);
    free(r.reach);
    return result;
}
