/*
 * Each allocation of what is drawn made to fail in turn: a phase says that it failed, or gives what
 * it gives with memory enough, and nothing leaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "model/layout/route/channels.h"
#include "model/layout/rank/coordinates.h"
#include "model/layout/moves.h"
#include "model/layout/rank/ordering.h"
#include "model/layout/picture_outline.h"
#include "model/layout/raster.h"
#include "tests/support/no_memory.h"
#include "tests/support/sketch.h"

static struct sketch sketch;
static struct picture picture;
static struct layered layered;
static int32_t *size, *at;
static struct widths widths = {.gap_nodes = 2, .gap_dummies = 1, .wall = 1};

static int setup(void **state)
{
    struct random r = {9};
    (void)state;
    sketch_make(&sketch, &r, SKETCH_CYCLIC, 30);
    sketch_picture(&sketch, &picture, NULL);
    assert_int_equal(layered_make(&layered, &picture, true), 0);
    size = xcalloc(layered.points, sizeof(*size));
    at = xcalloc(layered.points, sizeof(*at));
    for (uint32_t i = 0; i < layered.points; i++)
        size[i] = 1 + (int32_t)(i % 5);
    widths.size = size;
    return coordinates_find(&layered, &widths, at);
}

static int teardown(void **state)
{
    (void)state;
    free(size);
    free(at);
    layered_release(&layered);
    picture_release(&picture);
    sketch_release(&sketch);
    return 0;
}

static int build(struct picture *p)
{
    for (uint32_t i = 0; i < sketch.nodes; i++)
        if (picture_add_node(p, sketch.node[i]))
            return -1;
    for (size_t i = 0; i < sketch.edges; i++) {
        const struct sketch_edge *e = &sketch.edge[i];
        if (picture_add_edge(p, e->from, e->to, e->stroke))
            return -1;
    }
    return picture_finish(p);
}

static int picturing(void)
{
    struct picture p = PICTURE_INIT;
    int result = build(&p);
    if (result == 0) {
        assert_int_equal(p.edges, picture.edges);
        assert_memory_equal(p.edge, picture.edge, p.edges * sizeof(*p.edge));
    }
    picture_release(&p);
    return result;
}

static int layering(void)
{
    struct layered g;
    int result = layered_make(&g, &picture, true);
    if (result == 0) {
        assert_int_equal(g.segments, layered.segments);
        assert_memory_equal(g.segment, layered.segment, g.segments * sizeof(*g.segment));
    }
    layered_release(&g);
    return result;
}

static int placing(void)
{
    static int32_t found[10000];
    assert_true(layered.points <= sizeof(found) / sizeof(*found));
    int result = coordinates_find(&layered, &widths, found);
    if (result == 0)
        assert_memory_equal(found, at, layered.points * sizeof(*at));
    return result;
}

/* Both ways of ordering, each from the order as it was made; what they should give is known from
 * the first time. */
static int ordering_of(const int32_t *seed, uint32_t *expected)
{
    uint32_t *made = xcalloc(layered.points, sizeof(*made));
    memcpy(made, layered.order, layered.points * sizeof(*made));
    int result = seed ? ordering_seeded(&layered, seed) : ordering_find(&layered);
    if (result == 0 && expected[0] == expected[1])
        memcpy(expected, layered.order, layered.points * sizeof(*expected));
    if (result == 0)
        assert_memory_equal(layered.order, expected, layered.points * sizeof(*expected));
    memcpy(layered.order, made, layered.points * sizeof(*made));
    layered_place(&layered);
    free(made);
    return result;
}

static int ordering(void)
{
    static uint32_t expected[10000];
    return ordering_of(NULL, expected);
}

static int ordering_by_seeds(void)
{
    static uint32_t expected[10000];
    int32_t seed[30];
    for (int32_t v = 0; v < 30; v++)
        seed[v] = v % 3 ? v * 7 % 30 : SEED_NONE;
    return ordering_of(seed, expected);
}

/* Layers too wide to be counted without memory: without it they are counted pair by pair. */
static int counting(void)
{
    static uint64_t expected;
    struct random r = {10};
    struct sketch wide;
    struct picture p;
    struct layered g;
    long left = memory_left;
    memory_left = -1;
    sketch_make(&wide, &r, SKETCH_LINEAGE, 2000);
    sketch_picture(&wide, &p, NULL);
    assert_int_equal(layered_make(&g, &p, false), 0);
    memory_left = left;
    uint64_t crossings = ordering_crossings(&g);
    expected = expected ? expected : crossings;
    assert_int_equal(crossings, expected);
    memory_left = -1;
    layered_release(&g);
    picture_release(&p);
    sketch_release(&wide);
    return 0;
}

static int outlining(void)
{
    static uint32_t expected[10000];
    static size_t count;
    struct picture_outline o;
    int result = picture_outline_make(&o, &picture, PICTURE_NONE, true);
    if (result == 0 && count == 0) {
        count = o.count;
        assert_true(count > picture.edges && count < sizeof(expected) / sizeof(*expected));
        for (size_t i = 0; i < count; i++)
            expected[i] = o.line[i].node;
    }
    if (result == 0)
        assert_int_equal(o.count, count);
    for (size_t i = 0; result == 0 && i < count; i++)
        assert_int_equal(o.line[i].node, expected[i]);
    picture_outline_release(&o);
    return result;
}

/* All of it, up to the cells and the moves over them. */
static int drawing_of(const struct layout_options *options, struct layout_stats *expected)
{
    struct layout l = {.picture = NULL};
    struct raster r = {.cell = NULL};
    struct moves m = {.layout = NULL};
    uint8_t lit[10000] = {1, 0, 1};
    int result = layout_make(&l, &picture, options);
    if (result == 0)
        result = raster_make(&r, &l, 0, 0, l.width, l.height, lit);
    if (result == 0)
        result = moves_init(&m, &l);
    if (result == 0 && expected->span == 0)
        *expected = l.stats;
    if (result == 0)
        assert_memory_equal(&l.stats, expected, sizeof(*expected));
    moves_release(&m);
    raster_release(&r);
    layout_release(&l);
    return result;
}

static int drawing_across(void)
{
    static struct layout_stats expected;
    const struct layout_options options = {.flow = FLOW_RIGHT, .bundle = true};
    return drawing_of(&options, &expected);
}

static int drawing_boxes_down(void)
{
    static struct layout_stats expected;
    const struct layout_options options = {.flow = FLOW_DOWN, .boxed = true, .ascii = true};
    return drawing_of(&options, &expected);
}

/* More nets than are weighed against each other, in a circle. */
static int routing(void)
{
    enum {
        NETS = CHANNEL_EXACT + 20
    };
    static struct pin near[NETS], far[NETS];
    static struct trunk trunk[NETS];
    struct channel c = {near, far, NETS, NETS, trunk, NETS, true, 0, 0};
    for (uint32_t i = 0; i < NETS; i++) {
        near[i] = (struct pin){.trunk = i, .at = (int32_t)i};
        far[i] = (struct pin){.trunk = (i + 41) % NETS, .at = (int32_t)i};
    }
    int result = channel_route(&c);
    if (result == 0)
        assert_int_equal(c.doglegs, 1);
    return result;
}

static void nothing_is_lost(void **state)
{
    static const memory_attempt tried[] = {picturing,          layering, placing,   ordering,
                                           ordering_by_seeds,  counting, outlining, drawing_across,
                                           drawing_boxes_down, routing};
    (void)state;
    for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++)
        fail_each_allocation(tried[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
