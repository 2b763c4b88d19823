/*
 * The memories in view around a focus, compared with rings in the simplest way: all candidates of
 * the last ring, the best first, until the budget is used up.
 */
#include "tests/support/synthetic.h"
#include "tests/support/test.h"

#define NODES  SYNTHETIC_MOST
#define NOBODY UINT32_MAX

struct offer {
    struct subgraph_link link;
    uint32_t from; /* its index in the order in which memories came into view */
    enum direction side;
    bool rest;
};

struct rings {
    const struct synthetic *s;
    const struct subgraph_request *w;
    struct arena arena;
    uint32_t order[NODES], count;
    uint32_t depth[NODES][2];
    bool rest[NODES][2][KIND_COUNT];
    struct offer offer[NODES * NODES];
    size_t offers, rests;
};

static bool is_in(const struct rings *g, uint32_t node)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->order[i] == node)
            return true;
    return false;
}

static bool is_before(const struct offer *a, const struct offer *b)
{
    int order = subgraph_link_order(&a->link, &b->link);
    if (order)
        return order < 0;
    if (a->from != b->from)
        return a->from < b->from;
    return a->side != b->side ? a->side < b->side : !a->rest && b->rest;
}

static void offer_all(struct rings *g, uint32_t from, enum direction side)
{
    size_t count, of_kind[KIND_COUNT] = {0}, total[KIND_COUNT] = {0};
    struct subgraph_link *link = synthetic_links(g->s, &g->arena, g->order[from], side, &count);
    for (size_t i = 0; i < count; i++)
        total[link[i].memory.kind]++;
    for (size_t i = 0; i < count; i++) {
        enum kind kind = link[i].memory.kind;
        size_t place = of_kind[kind]++, fan = g->w->fan;
        bool many = fan && total[kind] > fan;
        if (!many || place < fan)
            g->offer[g->offers++] = (struct offer){link[i], from, side, many && place == fan - 1};
    }
}

static void open_ring(struct rings *g, uint32_t depth)
{
    g->offers = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (int side = 0; side < 2; side++)
            if (g->depth[g->order[i]][side] == depth)
                offer_all(g, i, (enum direction)side);
    for (size_t i = 0; i < g->offers; i++)
        for (size_t k = i; k > 0 && is_before(&g->offer[k], &g->offer[k - 1]); k--) {
            struct offer o = g->offer[k];
            g->offer[k] = g->offer[k - 1];
            g->offer[k - 1] = o;
        }
}

static void take_ring(struct rings *g, uint32_t depth)
{
    for (size_t i = 0; i < g->offers && g->count + g->rests < g->w->budget; i++) {
        const struct offer *o = &g->offer[i];
        uint32_t node = synthetic_node(g->s, o->link.row);
        if (o->rest) {
            g->rest[g->order[o->from]][o->side][o->link.memory.kind] = true;
            g->rests++;
            continue;
        }
        if (!is_in(g, node))
            g->order[g->count++] = node;
        if (g->depth[node][o->side] == NOBODY)
            g->depth[node][o->side] = depth + 1;
    }
}

/* A rest of one memory is shown as that memory. */
static bool show_the_last(struct rings *g)
{
    for (uint32_t v = 0; v < g->s->nodes; v++)
        for (int side = 0; side < 2; side++) {
            size_t count, left[KIND_COUNT] = {0};
            int64_t last[KIND_COUNT] = {0};
            struct subgraph_link *link =
                synthetic_links(g->s, &g->arena, v, (enum direction)side, &count);
            for (size_t i = 0; i < count; i++)
                if (!is_in(g, synthetic_node(g->s, link[i].row))) {
                    left[link[i].memory.kind]++;
                    last[link[i].memory.kind] = link[i].row;
                }
            for (int kind = 0; kind < KIND_COUNT; kind++)
                if (g->rest[v][side][kind] && left[kind] == 1) {
                    g->order[g->count++] = synthetic_node(g->s, last[kind]);
                    return true;
                }
        }
    return false;
}

static void walk_rings(struct rings *g, const struct synthetic *s, const struct subgraph_request *w)
{
    *g = (struct rings){.s = s, .w = w};
    memset(g->depth, 0xff, sizeof(g->depth));
    g->order[g->count++] = synthetic_node(s, w->focus);
    for (int side = 0; side < 2; side++)
        if (w->show & (side == ANCESTORS ? SHOW_ANCESTORS : SHOW_DESCENDANTS))
            g->depth[g->order[0]][side] = 0;
    for (uint32_t depth = 0; depth < NODES && depth < w->depth; depth++) {
        if (g->count + g->rests >= w->budget)
            break;
        open_ring(g, depth);
        take_ring(g, depth);
    }
    while (show_the_last(g))
        ;
    arena_release(&g->arena);
}

TEST(test_rings_match_a_slow_search)
{
    static struct rings g;
    struct random r = {7};
    for (int round = 0; round < RANDOM_ROUNDS(1500); round++) {
        struct synthetic s;
        struct subgraph_request w;
        struct subgraph subgraph;
        struct error e = {0};
        synthetic_any(&s, &r);
        synthetic_request(&s, &r, &w);
        w.gather = false;
        struct subgraph_source source = synthetic_source(&s);
        if (subgraph_make(&subgraph, &w, &source, &e))
            fail_msg("%s", e.what);
        walk_rings(&g, &s, &w);
        size_t count = 0;
        for (uint32_t i = 0; i < subgraph.nodes; i++) {
            if (subgraph.node[i].type == SUBGRAPH_MORE)
                continue;
            assert_true(is_in(&g, synthetic_node(&s, subgraph.node[i].row)));
            count++;
        }
        assert_int_equal(count, g.count);
        subgraph_release(&subgraph);
        synthetic_release(&s);
    }
}
