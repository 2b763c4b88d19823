/*
 * Layers: each edge goes down, and the sum of lengths is minimal. Small graphs are compared with
 * all possible layerings. Larger ones are checked by the dual: no set of nodes could move a layer
 * down with more edges getting shorter than longer, which is a flow (Picard 1976).
 */
#include "model/layout/layered.h"

#include "model/base/alloc.h"
#include "tests/support/sketch.h"
#include "tests/support/test.h"

/* The edges, and the layers found. */
struct graph {
    uint32_t nodes, edges;
    uint32_t *upper, *lower, *layer;
};

static void release(struct graph *g)
{
    free(g->upper);
    free(g->lower);
    free(g->layer);
}

static void from_sketch(struct graph *g, const struct sketch *s)
{
    struct picture p;
    sketch_picture(s, &p, NULL);
    AUTO_FREE uint8_t *reversed = xcalloc(p.edges, 1);
    acyclic_find(&p, reversed);
    *g = (struct graph){p.nodes, p.edges, xcalloc(p.edges, sizeof(uint32_t)),
                        xcalloc(p.edges, sizeof(uint32_t)), xcalloc(p.nodes, sizeof(uint32_t))};
    for (uint32_t e = 0; e < p.edges; e++) {
        g->upper[e] = reversed[e] ? p.edge[e].to : p.edge[e].from;
        g->lower[e] = reversed[e] ? p.edge[e].from : p.edge[e].to;
    }
    picture_release(&p);
}

static void find(struct graph *g)
{
    memset(g->layer, 0xee, g->nodes * sizeof(*g->layer));
    layering_find(g->nodes, g->edges, g->upper, g->lower, g->layer);
}

static uint64_t span(const struct graph *g, const uint32_t *layer)
{
    uint64_t sum = 0;
    for (uint32_t e = 0; e < g->edges; e++)
        sum += layer[g->lower[e]] - layer[g->upper[e]];
    return sum;
}

static bool goes_down(const struct graph *g, const uint32_t *layer)
{
    for (uint32_t e = 0; e < g->edges; e++)
        if (layer[g->lower[e]] <= layer[g->upper[e]])
            return false;
    return true;
}

/* Each component begins at 0: every node reaches a node of layer 0 along edges in either
 * direction. */
static void check_beginnings(const struct graph *g)
{
    uint32_t *least = xcalloc(g->nodes, sizeof(*least));
    bool changed = true;
    memcpy(least, g->layer, g->nodes * sizeof(*least));
    while (changed) {
        changed = false;
        for (uint32_t e = 0; e < g->edges; e++) {
            uint32_t *a = &least[g->upper[e]], *b = &least[g->lower[e]];
            changed |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    for (uint32_t v = 0; v < g->nodes; v++)
        assert_int_equal(least[v], 0);
    free(least);
}

/* ---- all layerings ---- */

static uint64_t least_span(const struct graph *g)
{
    uint32_t layer[7] = {0};
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < g->nodes;) {
        if (goes_down(g, layer) && span(g, layer) < least)
            least = span(g, layer);
        /* Counts in base `nodes`. */
        for (i = 0; i < g->nodes && ++layer[i] == g->nodes; i++)
            layer[i] = 0;
    }
    return least;
}

TEST(small_graphs_are_layered_optimally)
{
    struct random r = {17};
    for (int round = 0; round < RANDOM_ROUNDS(150); round++) {
        struct sketch s;
        struct graph g;
        uint32_t nodes = round < 20 ? 7 : 2 + random_below(&r, 5);
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), nodes);
        from_sketch(&g, &s);
        find(&g);
        assert_true(goes_down(&g, g.layer));
        check_beginnings(&g);
        assert_int_equal(span(&g, g.layer), least_span(&g));
        release(&g);
        sketch_release(&s);
    }
}

/* ---- larger ones ---- */

enum {
    FLOW_NODES = 80
};

/* Residual capacities between nodes; the source and the sink follow the nodes. */
struct flow {
    uint32_t nodes;
    int64_t room[FLOW_NODES + 2][FLOW_NODES + 2];
};

/* Finds an augmenting path from the source to the sink. Returns its capacity, or 0 if there is
 * none. */
static int64_t widen(struct flow *f)
{
    uint32_t queue[FLOW_NODES + 2], from[FLOW_NODES + 2], count = f->nodes + 2, end = 1;
    uint32_t source = f->nodes, sink = f->nodes + 1;
    int64_t most = INT64_MAX;
    for (uint32_t v = 0; v < count; v++)
        from[v] = UINT32_MAX;
    queue[0] = from[source] = source;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t v = 0; v < count; v++)
            if (from[v] == UINT32_MAX && f->room[queue[i]][v] > 0) {
                from[v] = queue[i];
                queue[end++] = v;
            }
    if (from[sink] == UINT32_MAX)
        return 0;
    for (uint32_t v = sink; v != source; v = from[v])
        if (f->room[from[v]][v] < most)
            most = f->room[from[v]][v];
    for (uint32_t v = sink; v != source; v = from[v]) {
        f->room[from[v]][v] -= most;
        f->room[v][from[v]] += most;
    }
    return most;
}

/*
 * A node that moves down shortens its edges downwards, lengthens those from above, and takes along
 * the nodes right below it. No set of nodes gains if all single gains can flow along such edges to
 * nodes that lose.
 */
static bool is_least(const struct graph *g)
{
    static struct flow f;
    int64_t gains[FLOW_NODES] = {0}, all = 0, flows = 0, more;
    f = (struct flow){.nodes = g->nodes};
    assert_true(g->nodes <= FLOW_NODES);
    for (uint32_t e = 0; e < g->edges; e++) {
        gains[g->upper[e]]++;
        gains[g->lower[e]]--;
        if (g->layer[g->upper[e]] + 1 == g->layer[g->lower[e]])
            f.room[g->upper[e]][g->lower[e]] = INT32_MAX;
    }
    for (uint32_t v = 0; v < g->nodes; v++) {
        f.room[g->nodes][v] = gains[v] > 0 ? gains[v] : 0;
        f.room[v][g->nodes + 1] = gains[v] < 0 ? -gains[v] : 0;
        all += gains[v] > 0 ? gains[v] : 0;
    }
    while ((more = widen(&f)) > 0)
        flows += more;
    return flows == all;
}

/* The check distinguishes minimal from other layerings: a → b → d, a → d, and c between at no
 * cost; d one too low. */
TEST(the_reference_finds_the_minimum)
{
    uint32_t upper[] = {0, 1, 0}, lower[] = {1, 2, 2}, layer[] = {0, 1, 2};
    struct graph g = {3, 3, upper, lower, layer};
    assert_true(is_least(&g));
    layer[1] = 2, layer[2] = 3;
    assert_false(is_least(&g));
    layer[1] = 1;
    assert_false(is_least(&g));
}

TEST(larger_graphs_are_layered_optimally)
{
    struct random r = {18};
    for (int round = 0; round < RANDOM_ROUNDS(200); round++) {
        struct sketch s;
        struct graph g;
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES),
                    8 + random_below(&r, FLOW_NODES - 8));
        from_sketch(&g, &s);
        find(&g);
        assert_true(goes_down(&g, g.layer));
        check_beginnings(&g);
        assert_true(is_least(&g));
        release(&g);
        sketch_release(&s);
    }
}

/* ---- renumbering ---- */

TEST(the_layering_does_not_depend_on_numbers)
{
    struct random r = {19};
    for (int round = 0; round < RANDOM_ROUNDS(20); round++) {
        struct sketch s;
        struct graph g;
        sketch_make(&s, &r, round % 2 ? SKETCH_LINEAGE : SKETCH_ACYCLIC, 600);
        from_sketch(&g, &s);
        find(&g);
        uint64_t least = span(&g, g.layer);
        for (uint32_t e = 0; e < g.edges; e++) {
            /* Other numbers for the same nodes; 7 and 600 are coprime. */
            g.upper[e] = (g.upper[e] * 7 + 3) % g.nodes;
            g.lower[e] = (g.lower[e] * 7 + 3) % g.nodes;
        }
        find(&g);
        assert_int_equal(span(&g, g.layer), least);
        release(&g);
        sketch_release(&s);
    }
}

/* ---- by hand ---- */

TEST(tiny_graphs_have_the_layers_computed_by_hand)
{
    uint32_t layer[2] = {7, 7}, upper[2] = {0, 0}, lower[2] = {1, 1};
    layering_find(0, 0, NULL, NULL, NULL);
    layering_find(1, 0, NULL, NULL, layer);
    assert_int_equal(layer[0], 0);
    layering_find(2, 0, NULL, NULL, layer);
    assert_int_equal(layer[1], 0);
    layering_find(2, 2, upper, lower, layer);
    assert_int_equal(layer[0], 0);
    assert_int_equal(layer[1], 1);
}

/* None of them uses the stack or quadratic time. */
TEST(large_graphs_take_little_time_and_stack)
{
    static const struct {
        enum sketch_shape shape;
        uint32_t nodes;
    } large[] = {{SKETCH_CHAIN, 100000}, {SKETCH_STAR, 50000},  {SKETCH_TREE, 2000},
                 {SKETCH_ACYCLIC, 5000}, {SKETCH_CYCLIC, 5000}, {SKETCH_TWO_SIDES, 400}};
    struct random r = {3};
    for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++) {
        struct sketch s;
        struct graph g;
        sketch_make(&s, &r, large[i].shape, large[i].nodes);
        from_sketch(&g, &s);
        find(&g);
        assert_true(goes_down(&g, g.layer));
        if (large[i].shape == SKETCH_CHAIN || large[i].shape == SKETCH_TREE)
            assert_int_equal(span(&g, g.layer), g.edges);
        release(&g);
        sketch_release(&s);
    }
}
