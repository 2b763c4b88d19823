/*
 * Where points stand across the layers: apart in every layer, nothing before the first cell, the
 * inside of long edges straight, and what is known of small ones.
 */
#include "model/layout/coordinates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tests/support/sketch.h"

struct drawn {
    struct picture p;
    struct layered g;
    int32_t *size, *at;
    struct widths w;
};

static void make(struct drawn *d, const struct sketch *s, bool bundle)
{
    sketch_picture(s, &d->p, NULL);
    assert_int_equal(layered_make(&d->g, &d->p, bundle), 0);
    d->size = xcalloc(d->g.points, sizeof(*d->size));
    d->at = xcalloc(d->g.points, sizeof(*d->at));
    for (uint32_t i = 0; i < d->g.points; i++)
        d->size[i] = i < d->p.nodes ? d->p.node[i].columns : 1;
}

static void release(struct drawn *d)
{
    free(d->size);
    free(d->at);
    layered_release(&d->g);
    picture_release(&d->p);
}

static void find(struct drawn *d)
{
    memset(d->at, 0xee, d->g.points * sizeof(*d->at));
    d->w.size = d->size;
    assert_int_equal(coordinates_find(&d->g, &d->w, d->at), 0);
}

static bool is_dummy(const struct drawn *d, uint32_t point)
{
    return point >= d->p.nodes;
}

static void check_apart(const struct drawn *d)
{
    const struct layered *g = &d->g;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < g->points; i++) {
        uint32_t p = g->order[i], before = i ? g->order[i - 1] : p;
        if (d->at[p] < least)
            least = d->at[p];
        if (g->place[p] == 0)
            continue;
        bool nodes = !is_dummy(d, p) && !is_dummy(d, before);
        assert_true(d->at[p] >=
                    d->at[before] + d->size[before] + (nodes ? d->w.gap_nodes : d->w.gap_dummies));
    }
    assert_int_equal(g->points ? least : 0, 0);
}

static bool is_inner(const struct drawn *d, const struct segment *s)
{
    return is_dummy(d, s->upper) && is_dummy(d, s->lower);
}

static bool cross(const struct layered *g, const struct segment *a, const struct segment *b)
{
    int64_t top = (int64_t)g->place[a->upper] - g->place[b->upper];
    int64_t bottom = (int64_t)g->place[a->lower] - g->place[b->lower];
    return g->layer[a->upper] == g->layer[b->upper] && top * bottom < 0;
}

/* The inside of a long edge is straight wherever it does not cross that of another. Returns how
 * many there are. */
static uint32_t check_straight(const struct drawn *d)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->g.segments; i++) {
        const struct segment *s = &d->g.segment[i];
        bool crossed = false;
        if (!is_inner(d, s))
            continue;
        for (uint32_t k = 0; k < d->g.segments; k++)
            crossed |= is_inner(d, &d->g.segment[k]) && cross(&d->g, s, &d->g.segment[k]);
        if (!crossed)
            assert_int_equal(d->at[s->upper], d->at[s->lower]);
        count += !crossed;
    }
    return count;
}

/* Points of a layer in any order. */
static void shuffle(struct layered *g, struct random *r)
{
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = g->first[l] + 1; i < g->first[l + 1]; i++) {
            uint32_t k = g->first[l] + random_below(r, i - g->first[l] + 1), p = g->order[i];
            g->order[i] = g->order[k];
            g->order[k] = p;
        }
    layered_place(g);
}

static void of_all_shapes(void **state)
{
    struct random r = {71};
    uint32_t straight = 0;
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct sketch s;
        struct drawn d = {.w = {.gap_nodes = (int32_t)random_below(&r, 4),
                                .gap_dummies = (int32_t)random_below(&r, 2),
                                .wall = (int32_t)random_below(&r, 2)}};
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), 2 + random_below(&r, 25));
        make(&d, &s, round / SKETCH_SHAPES % 2 == 0);
        for (int order = 0; order < 3; order++) {
            find(&d);
            check_apart(&d);
            straight += check_straight(&d);
            shuffle(&d.g, &r);
        }
        release(&d);
        sketch_release(&s);
    }
    assert_true(straight > 1000);
}

/* ---- by hand ---- */

static int32_t twice_middle(const struct drawn *d, uint32_t point)
{
    return 2 * d->at[point] + d->size[point];
}

/* Whatever its labels' widths, a chain is one line, to half a cell; and a component beside it is
 * another. */
static void chains(void **state)
{
    struct random r = {5};
    struct sketch s;
    struct drawn d = {.w = {.gap_nodes = 2, .gap_dummies = 1}};
    (void)state;
    sketch_init(&s, &r, 4000);
    for (uint32_t i = 0; i < s.nodes; i++)
        s.node[i].rank = (int)i % 2;
    for (uint32_t i = 2; i < s.nodes; i++)
        sketch_edge(&s, i - 2, i, STROKE_SUPERSEDES);
    make(&d, &s, true);
    assert_int_equal(d.g.layers, 2000);
    find(&d);
    check_apart(&d);
    for (uint32_t i = 0; i < d.g.segments; i++) {
        int32_t off =
            twice_middle(&d, d.g.segment[i].upper) - twice_middle(&d, d.g.segment[i].lower);
        assert_in_range(off + 1, 0, 2);
    }
    release(&d);
    sketch_release(&s);
}

/* One above three of one cell each, with a cell between: in the middle of them. */
static void the_middle(void **state)
{
    struct random r = {5};
    struct sketch s;
    struct drawn d = {.w = {.gap_nodes = 1, .gap_dummies = 1}};
    (void)state;
    sketch_init(&s, &r, 4);
    for (uint32_t i = 0; i < 4; i++) {
        s.node[i].rank = (int)i;
        s.node[i].columns = 1;
        if (i)
            sketch_edge(&s, 0, i, STROKE_DERIVED);
    }
    make(&d, &s, true);
    find(&d);
    assert_int_equal(d.at[1], 0);
    assert_int_equal(d.at[2], 2);
    assert_int_equal(d.at[3], 4);
    assert_int_equal(d.at[0], 2);
    release(&d);
    sketch_release(&s);
}

/* What has no lines stands right beside what follows it, however far that is from the beginning. */
static void alone(void **state)
{
    struct random r = {5};
    struct sketch s;
    struct drawn d = {.w = {.gap_nodes = 1, .gap_dummies = 1}};
    (void)state;
    sketch_init(&s, &r, 9);
    for (uint32_t i = 0; i < 9; i++) {
        s.node[i].rank = (int)i;
        s.node[i].columns = 5;
        if (i > 1)
            sketch_edge(&s, 1, i, STROKE_DERIVED);
    }
    make(&d, &s, true);
    find(&d);
    assert_int_equal(d.at[1], 18);
    assert_int_equal(d.at[0], 12);
    release(&d);
    sketch_release(&s);
}

/* Edges that are nowhere crossed need not be wider than their widest layer. */
static void no_wider_than_needed(void **state)
{
    struct random r = {5};
    struct sketch s;
    struct drawn d = {.w = {.gap_nodes = 0, .gap_dummies = 0}};
    (void)state;
    sketch_make(&s, &r, SKETCH_STAR, 61);
    make(&d, &s, false);
    int32_t cells[2] = {0};
    for (uint32_t i = 0; i < d.g.points; i++)
        cells[d.g.layer[i]] += d.size[i];
    int32_t most = cells[0] > cells[1] ? cells[0] : cells[1];
    find(&d);
    for (uint32_t i = 0; i < d.g.points; i++)
        assert_true(d.at[i] + d.size[i] <= most);
    release(&d);
    sketch_release(&s);
}

static void few_points(void **state)
{
    struct random r = {5};
    (void)state;
    for (uint32_t nodes = 0; nodes < 3; nodes++) {
        struct sketch s;
        struct drawn d = {.w = {.gap_nodes = 3, .gap_dummies = 1}};
        sketch_init(&s, &r, nodes);
        make(&d, &s, true);
        find(&d);
        check_apart(&d);
        for (uint32_t i = 0; i < nodes; i++)
            assert_int_equal(d.at[i], i ? d.size[0] + 3 : 0);
        release(&d);
        sketch_release(&s);
    }
}

/* What does not fit the numbers is refused, and not wrapped around. */
static void too_wide(void **state)
{
    struct random r = {5};
    struct sketch s;
    struct drawn d = {.w = {.gap_nodes = 0, .gap_dummies = 0}};
    (void)state;
    sketch_init(&s, &r, 3);
    make(&d, &s, true);
    for (uint32_t i = 0; i < 3; i++)
        d.size[i] = INT32_MAX / 2;
    assert_int_equal(coordinates_find(&d.g, &(struct widths){.size = d.size}, d.at), -1);
    d.size[2] = 1;
    find(&d);
    check_apart(&d);
    release(&d);
    sketch_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_shapes),
        cmocka_unit_test(chains),
        cmocka_unit_test(the_middle),
        cmocka_unit_test(alone),
        cmocka_unit_test(no_wider_than_needed),
        cmocka_unit_test(few_points),
        cmocka_unit_test(too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
