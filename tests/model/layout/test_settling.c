/*
 * Points that settle: once nothing moves any more, no other place is better for any of them, by
 * what lines cost when they are counted one by one.
 */
#include "model/layout/coordinates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tests/support/sketch.h"

struct placed {
    struct picture p;
    struct layered g;
    struct widths w;
    int32_t *size;
    int64_t *at;
};

/* Packed to the left, as if nothing was known of edges. */
static void make(struct placed *d, const struct sketch *s, bool bundle)
{
    sketch_picture(s, &d->p, NULL);
    assert_int_equal(layered_make(&d->g, &d->p, bundle), 0);
    d->size = xcalloc(d->g.points, sizeof(*d->size));
    d->at = xcalloc(d->g.points, sizeof(*d->at));
    d->w.size = d->size;
    for (uint32_t i = 0; i < d->g.points; i++) {
        uint32_t p = d->g.order[i], before = i ? d->g.order[i - 1] : 0;
        d->size[p] = p < d->p.nodes ? d->p.node[p].columns : 1;
        if (d->g.place[p])
            d->at[p] = d->at[before] + d->size[before] + widths_between(&d->g, &d->w, before, p);
    }
}

static void release(struct placed *d)
{
    free(d->size);
    free(d->at);
    layered_release(&d->g);
    picture_release(&d->p);
}

/* ---- what lines cost, one by one ---- */

/* The mean place of what a net leads to from a point, as sum and count. */
static void mean_of(const struct layered *g, uint32_t point, bool below, uint32_t net,
                    uint64_t *sum, uint64_t *count)
{
    *sum = *count = 0;
    for (uint32_t i = 0; i < g->segments; i++) {
        const struct segment *s = &g->segment[i];
        if (s->net != net || (below ? s->upper : s->lower) != point)
            continue;
        *sum += 2 * (uint64_t)g->place[below ? s->lower : s->upper] + 1;
        ++*count;
    }
}

/* Of the nets at one side of a point, how many lead to what is before what `net` leads to; and how
 * many there are. */
static void slot_of(const struct layered *g, uint32_t point, bool below, uint32_t net,
                    int64_t *number, int64_t *count)
{
    uint64_t sum, edges, other_sum, other_edges;
    mean_of(g, point, below, net, &sum, &edges);
    *number = *count = 0;
    for (uint32_t n = 0; n < g->nets; n++) {
        mean_of(g, point, below, n, &other_sum, &other_edges);
        if (!other_edges)
            continue;
        ++*count;
        *number += other_sum * edges < sum * other_edges ||
                   (other_sum * edges == sum * other_edges && n < net);
    }
}

static void ports_of(const struct placed *d, uint32_t point, bool below, uint32_t net,
                     int64_t *from, int64_t *to)
{
    int64_t number, count, wall = point < d->p.nodes ? d->w.wall : 0;
    slot_of(&d->g, point, below, net, &number, &count);
    *from = d->at[point] + wall + number;
    *to = d->at[point] + d->size[point] - 1 - wall - (count - 1 - number);
    if (*to < *from)
        *to = *from;
}

/* A net that leads from the point to several, on that side. */
static bool forks(const struct layered *g, uint32_t point, bool below, uint32_t net)
{
    uint64_t sum, count;
    mean_of(g, point, below, net, &sum, &count);
    return count > 1;
}

static int64_t cost_of(const struct placed *d, const struct segment *s)
{
    bool branches = forks(&d->g, s->upper, true, s->net) || forks(&d->g, s->lower, false, s->net);
    int64_t from, to, other_from, other_to;
    int64_t middles =
        2 * d->at[s->upper] + d->size[s->upper] - 2 * d->at[s->lower] - d->size[s->lower];
    ports_of(d, s->upper, true, s->net, &from, &to);
    ports_of(d, s->lower, false, s->net, &other_from, &other_to);
    int64_t cells = from > other_to ? from - other_to : other_from > to ? other_from - to : 0;
    return (middles < 0 ? -middles : middles) + 4 * cells + (!cells ? 0 : branches ? 4 : 32);
}

static int64_t cost_of_all(const struct placed *d)
{
    int64_t cost = 0;
    for (uint32_t i = 0; i < d->g.segments; i++)
        cost += cost_of(d, &d->g.segment[i]);
    return cost;
}

/* ---- what has to hold ---- */

static bool is_apart(const struct placed *d)
{
    for (uint32_t i = 0; i < d->g.points; i++) {
        uint32_t p = d->g.order[i], before = i ? d->g.order[i - 1] : 0;
        if (d->g.place[p] &&
            d->at[p] < d->at[before] + d->size[before] + widths_between(&d->g, &d->w, before, p))
            return false;
    }
    return true;
}

/* No node or dummy by itself, as far as there is room, costs less up to 12 cells from where it
 * is. */
static void expect_best(struct placed *d)
{
    int64_t cost = cost_of_all(d);
    for (uint32_t p = 0; p < d->g.points; p++)
        for (int64_t shift = -12; shift <= 12; shift++) {
            d->at[p] += shift;
            if (is_apart(d))
                assert_true(cost_of_all(d) >= cost);
            d->at[p] -= shift;
        }
}

static void until_nothing_moves(struct placed *d)
{
    int64_t *before = xcalloc(d->g.points, sizeof(*before)), cost = cost_of_all(d);
    do {
        memcpy(before, d->at, d->g.points * sizeof(*before));
        assert_int_equal(points_settle(&d->g, &d->w, d->at), 0);
        assert_true(is_apart(d));
        assert_true(cost_of_all(d) <= cost);
        assert_true(cost_of_all(d) < cost ||
                    memcmp(before, d->at, d->g.points * sizeof(*before)) == 0);
        cost = cost_of_all(d);
    } while (memcmp(before, d->at, d->g.points * sizeof(*before)) != 0);
    free(before);
}

static void of_all_shapes(void **state)
{
    struct random r = {81};
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct sketch s;
        struct placed d = {.w = {.gap_nodes = (int32_t)random_below(&r, 3),
                                 .gap_dummies = (int32_t)random_below(&r, 2),
                                 .wall = (int32_t)random_below(&r, 2)}};
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), 2 + random_below(&r, 8));
        make(&d, &s, round / SKETCH_SHAPES % 2 == 0);
        until_nothing_moves(&d);
        expect_best(&d);
        release(&d);
        sketch_release(&s);
    }
}

/* 0 rests on 1 and 2, all 5 cells wide, and has a port for each. */
static void by_hand(void **state)
{
    struct random r = {1};
    struct sketch s;
    struct placed d = {.w = {.gap_nodes = 1, .gap_dummies = 1, .wall = 1}};
    (void)state;
    sketch_init(&s, &r, 3);
    for (uint32_t i = 0; i < 3; i++) {
        s.node[i].rank = (int)i;
        s.node[i].columns = 5;
        if (i)
            sketch_edge(&s, 0, i, STROKE_DERIVED);
    }
    make(&d, &s, false);
    d.at[0] = 40;
    until_nothing_moves(&d);
    /* It has ports in three cells, which are too few for both lines to be straight. */
    assert_int_equal(d.at[2] - d.at[1], 6);
    assert_true(d.at[0] >= d.at[1] && d.at[0] <= d.at[2]);
    assert_true(cost_of_all(&d) <= 2 * (32 + 6 + 6 * 4));
    d.size[0] = 9;
    until_nothing_moves(&d);
    assert_int_equal(d.at[2] - d.at[1], 6);
    assert_in_range(d.at[0] - d.at[1], 0, 2); /* both are straight, and equally near */
    assert_int_equal(cost_of_all(&d), 12);
    release(&d);
    sketch_release(&s);
}

/* What has very many lines is not looked at once for each of them. */
static void a_hub(void **state)
{
    struct random r = {1};
    struct sketch s;
    struct placed d = {.w = {.gap_nodes = 2, .gap_dummies = 1}};
    (void)state;
    sketch_make(&s, &r, SKETCH_STAR, 20000);
    make(&d, &s, true);
    assert_int_equal(points_settle(&d.g, &d.w, d.at), 0);
    assert_true(is_apart(&d));
    release(&d);
    sketch_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_shapes),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(a_hub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
