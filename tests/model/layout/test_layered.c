/*
 * A picture in layers: read back from its segments alone, each net stands for the edges that it
 * should; nets are stars, and a fresh one for each edge where nothing is bundled.
 */
#include "model/layout/layered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tests/support/sketch.h"

/* ---- the parts fit together ---- */

static void check_layers(const struct layered *g)
{
    uint8_t *seen = xcalloc(g->points, 1);
    assert_int_equal(g->layers ? g->first[0] : 0, 0);
    for (uint32_t l = 0; l < g->layers; l++) {
        assert_true(g->first[l] < g->first[l + 1]);
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
            uint32_t p = g->order[i];
            assert_int_equal(g->layer[p], l);
            assert_int_equal(g->place[p], i - g->first[l]);
            assert_false(seen[p]++);
            /* As it was made: nodes, then dummies by net. */
            assert_true(i == g->first[l] || g->order[i - 1] < p);
        }
    }
    assert_int_equal(g->layers ? g->first[g->layers] : 0, g->points);
    free(seen);
}

static void check_rows(const struct layered *g)
{
    assert_int_equal(g->down_first[g->points], g->segments);
    assert_int_equal(g->up_first[g->points], g->segments);
    for (uint32_t p = 0; p < g->points; p++) {
        for (uint32_t i = g->down_first[p]; i < g->down_first[p + 1]; i++) {
            assert_int_equal(g->segment[g->down_of[i]].upper, p);
            assert_true(i == g->down_first[p] || g->down_of[i - 1] < g->down_of[i]);
        }
        for (uint32_t i = g->up_first[p]; i < g->up_first[p + 1]; i++) {
            assert_int_equal(g->segment[g->up_of[i]].lower, p);
            assert_true(i == g->up_first[p] || g->up_of[i - 1] < g->up_of[i]);
        }
    }
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static void check_segments(const struct layered *g)
{
    for (uint32_t i = 0; i < g->segments; i++) {
        const struct segment *s = &g->segment[i], *before = i ? s - 1 : NULL;
        assert_true(s->net < g->nets);
        assert_int_equal(g->layer[s->upper] + 1, g->layer[s->lower]);
        if (s->upper >= g->picture->nodes)
            assert_int_equal(g->point_net[s->upper], s->net);
        if (s->lower >= g->picture->nodes)
            assert_int_equal(g->point_net[s->lower], s->net);
        if (!before)
            continue;
        int way = compare(g->layer[before->upper], g->layer[s->upper]);
        way = way ? way : compare(before->upper, s->upper);
        way = way ? way : compare(before->lower, s->lower);
        way = way ? way : compare(before->net, s->net);
        assert_true(way < 0);
    }
}

/* Nodes have no net, dummies one, and a net has one of them in each layer that it passes. */
static void check_dummies(const struct layered *g)
{
    for (uint32_t p = 0; p < g->points; p++)
        assert_int_equal(p < g->picture->nodes, g->point_net[p] == PICTURE_NONE);
    for (uint32_t p = g->picture->nodes; p < g->points; p++) {
        assert_true(g->up_first[p] < g->up_first[p + 1]);
        assert_true(g->down_first[p] < g->down_first[p + 1]);
        if (p > g->picture->nodes && g->point_net[p - 1] == g->point_net[p])
            assert_int_equal(g->layer[p - 1] + 1, g->layer[p]);
        else if (p > g->picture->nodes)
            assert_true(g->point_net[p - 1] < g->point_net[p]);
    }
}

/* ---- read back ---- */

/* The points of one net, each with a number that those joined by its segments have in common. */
static void join_points(const struct layered *g, uint32_t net, uint32_t *joined)
{
    bool changed = true;
    for (uint32_t p = 0; p < g->points; p++)
        joined[p] = p;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < g->segments; i++) {
            uint32_t *a = &joined[g->segment[i].upper], *b = &joined[g->segment[i].lower];
            if (g->segment[i].net != net || *a == *b)
                continue;
            *a = *b = *a < *b ? *a : *b;
            changed = true;
        }
    }
}

static bool has_edge(const struct layered *g, uint32_t net, uint32_t upper, uint32_t lower)
{
    for (uint32_t e = 0; e < g->picture->edges; e++)
        if (g->edge_net[e] == net && g->upper[e] == upper && g->lower[e] == lower)
            return true;
    return false;
}

/* Nodes of the net that have a segment of it below (above) them. */
static uint32_t ends(const struct layered *g, uint32_t net, bool tops, uint32_t *list)
{
    uint8_t *seen = xcalloc(g->points, 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->segments; i++) {
        uint32_t p = tops ? g->segment[i].upper : g->segment[i].lower;
        if (g->segment[i].net == net && p < g->picture->nodes && !seen[p]++)
            list[count++] = p;
    }
    free(seen);
    return count;
}

/* All its segments hang together, it has one top or one bottom, which is its centre, and its edges
 * are each top with each bottom. */
static void read_back(const struct layered *g, uint32_t net)
{
    uint32_t *joined = xcalloc(g->points, sizeof(*joined)), edges = 0;
    uint32_t *top = xcalloc(g->points, sizeof(*top)), *bottom = xcalloc(g->points, sizeof(*bottom));
    uint32_t tops = ends(g, net, true, top), bottoms = ends(g, net, false, bottom);
    const struct net *n = &g->net[net];
    join_points(g, net, joined);
    assert_int_equal(n->fans_out ? tops : bottoms, 1);
    assert_int_equal(n->fans_out ? top[0] : bottom[0], n->centre);
    for (uint32_t i = 0; i < tops; i++)
        for (uint32_t k = 0; k < bottoms; k++) {
            assert_int_equal(joined[top[i]], joined[bottom[k]]);
            assert_true(has_edge(g, net, top[i], bottom[k]));
        }
    for (uint32_t e = 0; e < g->picture->edges; e++)
        edges += g->edge_net[e] == net;
    assert_int_equal(edges, tops * bottoms);
    free(joined);
    free(top);
    free(bottom);
}

/* Edges that are needed together share a net only where one node needs them. */
static void check_all(const struct layered *g)
{
    const struct picture_edge *edge = g->picture->edge;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        for (uint32_t f = e + 1; f < g->picture->edges; f++)
            if (g->edge_net[e] == g->edge_net[f] && edge[e].stroke == STROKE_ALL)
                assert_int_equal(edge[e].from, edge[f].from);
}

static void check_nets(const struct layered *g)
{
    for (uint32_t e = 0; e < g->picture->edges; e++) {
        const struct picture_edge *edge = &g->picture->edge[e];
        const struct net *n = &g->net[g->edge_net[e]];
        assert_int_equal(g->upper[e], g->reversed[e] ? edge->to : edge->from);
        assert_int_equal(g->lower[e], g->reversed[e] ? edge->from : edge->to);
        assert_int_equal(n->stroke, edge->stroke);
        assert_int_equal(n->reversed, g->reversed[e]);
    }
    for (uint32_t n = 0; n < g->nets; n++)
        read_back(g, n);
    check_all(g);
}

/* No edges on the same side of a node that could be a net of more than one are all left alone. */
static void check_cover(const struct layered *g)
{
    uint32_t *count = xcalloc(g->nets, sizeof(*count));
    for (uint32_t e = 0; e < g->picture->edges; e++)
        count[g->edge_net[e]]++;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        for (uint32_t f = e + 1; f < g->picture->edges; f++) {
            const struct net *a = &g->net[g->edge_net[e]], *b = &g->net[g->edge_net[f]];
            const struct picture_edge *one = &g->picture->edge[e], *other = &g->picture->edge[f];
            bool alike =
                a->stroke == b->stroke && a->reversed == b->reversed &&
                (one->from == other->from || (one->to == other->to && one->stroke != STROKE_ALL));
            assert_false(alike && count[g->edge_net[e]] == 1 && count[g->edge_net[f]] == 1);
        }
    free(count);
}

static uint32_t edges_at(const struct layered *g, uint32_t node, bool below)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < g->picture->edges; e++)
        count += (below ? g->upper[e] : g->lower[e]) == node;
    return count;
}

/* What shares a net does so at a node that has no room. */
static void check_unbundled(const struct layered *g)
{
    for (uint32_t e = 0; e < g->picture->edges; e++)
        for (uint32_t f = e + 1; f < g->picture->edges; f++) {
            const struct net *n = &g->net[g->edge_net[e]];
            if (g->edge_net[e] == g->edge_net[f])
                assert_true(edges_at(g, n->centre, n->fans_out) > NETS_PORTS);
        }
}

static void check(const struct layered *g, bool bundle)
{
    check_layers(g);
    check_rows(g);
    check_segments(g);
    check_dummies(g);
    check_nets(g);
    if (bundle)
        check_cover(g);
    else
        check_unbundled(g);
}

static void expect_same(const struct layered *a, const struct layered *b)
{
    assert_int_equal(a->points, b->points);
    assert_int_equal(a->segments, b->segments);
    assert_int_equal(a->nets, b->nets);
    assert_memory_equal(a->layer, b->layer, a->points * sizeof(*a->layer));
    assert_memory_equal(a->order, b->order, a->points * sizeof(*a->order));
    if (a->segments)
        assert_memory_equal(a->segment, b->segment, a->segments * sizeof(*a->segment));
}

static void of_all_shapes(void **state)
{
    struct random r = {51};
    (void)state;
    for (int round = 0; round < 150; round++) {
        struct sketch s;
        struct picture p, shuffled;
        struct layered g, again;
        bool bundle = round / SKETCH_SHAPES % 2 == 0;
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), 2 + random_below(&r, 25));
        sketch_picture(&s, &p, NULL);
        sketch_picture(&s, &shuffled, &r);
        assert_int_equal(layered_make(&g, &p, bundle), 0);
        assert_int_equal(layered_make(&again, &shuffled, bundle), 0);
        check(&g, bundle);
        expect_same(&g, &again);
        layered_release(&g);
        layered_release(&again);
        picture_release(&p);
        picture_release(&shuffled);
        sketch_release(&s);
    }
}

/* ---- by hand ---- */

static void make(struct layered *g, struct picture *p, const struct sketch *s, bool bundle)
{
    sketch_picture(s, p, NULL);
    assert_int_equal(layered_make(g, p, bundle), 0);
}

static void expect_nets(enum sketch_shape shape, uint32_t nodes, bool bundle, uint32_t nets)
{
    struct random r = {2};
    struct sketch s;
    struct picture p;
    struct layered g;
    sketch_make(&s, &r, shape, nodes);
    make(&g, &p, &s, bundle);
    check(&g, bundle);
    assert_int_equal(g.nets, nets);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

static void known_nets(void **state)
{
    (void)state;
    expect_nets(SKETCH_STAR, 61, true, 1);
    expect_nets(SKETCH_STAR, 61, false, 1);
    expect_nets(SKETCH_STAR, NETS_PORTS + 1, false, NETS_PORTS);
    expect_nets(SKETCH_STAR, NETS_PORTS + 2, false, 1);
    expect_nets(SKETCH_TWO_SIDES, 12, true, 6);
    expect_nets(SKETCH_TWO_SIDES, 12, false, 36);
    expect_nets(SKETCH_CHAIN, 200, true, 199);
    expect_nets(SKETCH_CHAIN, 1, true, 0);
    expect_nets(SKETCH_CHAIN, 0, true, 0);
}

/* 0 rests on 1, 1 on 2, … 4; and 0 on 2, 3 and 4 alike: a star with a dummy in each layer that it
 * passes. 5 rests on 4 by a guess, as 3 does, and not as 0. */
static void long_edges(void **state)
{
    struct random r = {1};
    struct sketch s;
    struct picture p;
    struct layered g;
    (void)state;
    sketch_init(&s, &r, 6);
    for (uint32_t i = 0; i < 6; i++)
        s.node[i].rank = (int)i;
    for (uint32_t i = 1; i < 5; i++) {
        sketch_edge(&s, i - 1, i, i == 4 ? STROKE_GUESSED : STROKE_DERIVED);
        sketch_edge(&s, 0, i, STROKE_DERIVED);
    }
    sketch_edge(&s, 5, 4, STROKE_GUESSED);
    make(&g, &p, &s, true);
    check(&g, true);
    assert_int_equal(g.layers, 5);
    assert_int_equal(g.layer[5], 3);
    assert_int_equal(g.nets, 4);   /* 0's, 1 → 2, 2 → 3, and the guesses */
    assert_int_equal(g.points, 9); /* three dummies of 0's */
    assert_int_equal(g.segments, 11);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

/* What rests on each other stays apart, also in the same direction. */
static void each_on_the_other(void **state)
{
    struct random r = {1};
    struct sketch s;
    struct picture p;
    struct layered g;
    (void)state;
    sketch_init(&s, &r, 2);
    sketch_edge(&s, 0, 1, STROKE_DERIVED);
    sketch_edge(&s, 1, 0, STROKE_DERIVED);
    make(&g, &p, &s, true);
    check(&g, true);
    assert_int_equal(g.nets, 2);
    assert_int_equal(g.segments, 2);
    assert_int_equal(g.reversed[0] + g.reversed[1], 1);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

/*
 * 3 rests on 1, 1 and 0 on each other, 1 and 2 as well: what is turned is a net that begins with an
 * edge before the first of the other's, though between 1 and 2 it comes second.
 */
static void between_the_same_two(void **state)
{
    static const uint32_t edge[][2] = {{3, 1}, {1, 0}, {0, 1}, {1, 2}, {2, 1}};
    struct random r = {1};
    struct sketch s;
    struct picture p;
    struct layered g;
    (void)state;
    sketch_init(&s, &r, 4);
    for (uint32_t i = 0; i < 4; i++)
        s.node[i].rank = (int)i;
    for (size_t i = 0; i < sizeof(edge) / sizeof(*edge); i++)
        sketch_edge(&s, edge[i][0], edge[i][1], STROKE_DERIVED);
    make(&g, &p, &s, true);
    check(&g, true);
    assert_int_equal(g.nets, 3);
    assert_true(g.net[0].reversed);
    assert_int_equal(g.segment[g.segments - 2].upper, 1);
    assert_int_equal(g.segment[g.segments - 2].lower, 2);
    assert_int_equal(g.segment[g.segments - 2].net, 0);
    assert_int_equal(g.segment[g.segments - 1].net, 1);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

/* Edges are pairs of digits, of STROKE_ALL from the comma on. */
static void expect_nets_of(const char *edges, uint32_t nets)
{
    struct random r = {1};
    struct sketch s;
    struct picture p;
    struct layered g;
    enum stroke stroke = STROKE_DERIVED;
    sketch_init(&s, &r, 5);
    for (uint32_t i = 0; i < 5; i++)
        s.node[i].rank = (int)i;
    for (const char *e = edges; *e; e += 2) {
        if (*e == ',') {
            stroke = STROKE_ALL;
            e++;
        }
        sketch_edge(&s, (uint32_t)(e[0] - '0'), (uint32_t)(e[1] - '0'), stroke);
    }
    make(&g, &p, &s, true);
    check(&g, true);
    assert_int_equal(g.nets, nets);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

/* What is needed together is one net of what needs it, on whichever side that stands. */
static void what_one_needs(void **state)
{
    (void)state;
    expect_nets_of("020313", 2);
    expect_nets_of(",020313", 2); /* 0 needs 2 and 3, 1 only 3 */
    expect_nets_of(",021232", 3);
    expect_nets_of("021232", 1);
    expect_nets_of("011213,2131", 4);   /* 2 and 3 below need 1, each by itself */
    expect_nets_of("01121323,3132", 4); /* 3 below needs 1 and 2 */
}

static void another_order(void **state)
{
    struct random r = {6};
    struct sketch s;
    struct picture p;
    struct layered g;
    (void)state;
    sketch_make(&s, &r, SKETCH_TWO_SIDES, 10);
    make(&g, &p, &s, true);
    uint32_t last = g.order[4];
    g.order[4] = g.order[0];
    g.order[0] = last;
    layered_place(&g);
    for (uint32_t i = 0; i < g.points; i++)
        assert_int_equal(g.order[g.first[g.layer[i]] + g.place[i]], i);
    layered_release(&g);
    picture_release(&p);
    sketch_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_shapes),        cmocka_unit_test(known_nets),
        cmocka_unit_test(long_edges),           cmocka_unit_test(each_on_the_other),
        cmocka_unit_test(between_the_same_two), cmocka_unit_test(what_one_needs),
        cmocka_unit_test(another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
