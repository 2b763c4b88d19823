/* Traces, their depths and cycles, compared with a slow computation of distances. */
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);

static void add(struct graph *g, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, any, 0, antecedents, count);
}

static void expect_nodes(const struct lineage *l, const struct plan *p, const uint32_t *distance,
                         uint32_t depth)
{
    size_t within = 0, beyond = 0;
    bool seen[PLAN_NODES] = {false};
    for (uint32_t v = 0; v < p->nodes; v++) {
        within += distance[v] <= depth && distance[v] != UINT32_MAX;
        beyond += distance[v] > depth && distance[v] != UINT32_MAX;
    }
    assert_int_equal(l->count, within);
    assert_int_equal(l->cut, beyond);
    for (size_t i = 0; i < l->count; i++) {
        assert_false(seen[l->node[i]]);
        seen[l->node[i]] = true;
        assert_int_equal(l->depth[i], distance[l->node[i]]);
        assert_true(i == 0 || l->depth[i] >= l->depth[i - 1]);
    }
}

/* Each node of the cycle is based on the next, occurs once, and there is no shorter cycle. */
static void expect_circle(const struct plan *p, const uint32_t *cycle, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        assert_true(plan_is_based_on(p, cycle[i], cycle[(i + 1) % len]));
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(cycle[i], cycle[k]);
    }
    if (len > 1)
        assert_int_equal(len, plan_cycle(p, cycle[0]));
}

/* The least node of the strongly connected component of `v`. */
static uint32_t component(const struct plan *p, uint32_t v)
{
    uint32_t to[PLAN_NODES], from[PLAN_NODES];
    plan_distances(p, v, ANCESTORS, to);
    plan_distances(p, v, DESCENDANTS, from);
    for (uint32_t w = 0; w < p->nodes; w++)
        if (to[w] != UINT32_MAX && from[w] != UINT32_MAX)
            return w;
    return v;
}

static void expect_circles(const struct lineage *l, const struct plan *p, const uint32_t *distance)
{
    size_t expected = 0;
    bool several[PLAN_NODES] = {false}, itself[PLAN_NODES] = {false};
    for (uint32_t v = 0; v < p->nodes; v++) {
        if (distance[v] == UINT32_MAX)
            continue;
        uint32_t least = component(p, v);
        expected += plan_is_based_on(p, v, v);
        if (plan_cycle(p, v) != UINT32_MAX && least == v)
            expected++;
    }
    assert_int_equal(l->cycle_count, expected);
    for (size_t c = 0; c < l->cycle_count; c++) {
        const uint32_t *cycle = l->cycle + l->cycle_first[c];
        size_t len = l->cycle_first[c + 1] - l->cycle_first[c];
        expect_circle(p, cycle, len);
        assert_int_not_equal(distance[cycle[0]], UINT32_MAX);
        bool *once = len > 1 ? several : itself;
        assert_false(once[cycle[0]]);
        once[cycle[0]] = true;
        if (len > 1)
            assert_int_equal(cycle[0], component(p, cycle[0]));
    }
}

TEST(random_traces_are_exact)
{
    struct random r = {99};
    size_t circles = 0, cut = 0;
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct plan p;
        struct graph g;
        uint32_t distance[PLAN_NODES];
        plan_make(&p, &r);
        plan_build(&p, &g);
        uint32_t root = random_below(&r, p.nodes);
        uint32_t depth = random_chance(&r, 50) ? DEPTH_UNLIMITED : random_below(&r, 4);
        for (int direction = ANCESTORS; direction <= DESCENDANTS; direction++) {
            struct lineage l;
            plan_distances(&p, root, (enum direction)direction, distance);
            lineage_walk(&l, &g, root, (enum direction)direction, depth);
            expect_nodes(&l, &p, distance, depth);
            expect_circles(&l, &p, distance);
            circles += l.cycle_count;
            cut += l.cut;
            lineage_release(&l);
        }
        graph_release(&g);
    }
    assert_true(circles > 1000 && cut > 1000);
}

TEST(a_diamond_is_not_a_cycle)
{
    struct graph g;
    struct lineage l;
    graph_init(&g);
    add(&g, 2, (uint32_t[]){2, 1});
    add(&g, 1, (uint32_t[]){3});
    add(&g, 1, (uint32_t[]){3});
    add(&g, 0, NULL);
    graph_finish(&g);
    lineage_walk(&l, &g, 0, ANCESTORS, DEPTH_UNLIMITED);
    assert_int_equal(l.count, 4);
    assert_int_equal(l.node[1], 2); /* in the order of the links */
    assert_int_equal(l.node[2], 1);
    assert_int_equal(l.depth[3], 2);
    assert_int_equal(l.cycle_count, 0);
    lineage_release(&l);
    lineage_walk(&l, &g, 3, DESCENDANTS, 1);
    assert_int_equal(l.count, 3);
    assert_int_equal(l.cut, 1);
    lineage_release(&l);
    graph_release(&g);
}

TEST(a_cycle_begins_at_its_least_row)
{
    struct graph g;
    struct lineage l;
    graph_init(&g);
    add(&g, 1, (uint32_t[]){1});
    add(&g, 1, (uint32_t[]){2});
    add(&g, 2, (uint32_t[]){2, 0});
    graph_finish(&g);
    g.row = malloc(3 * sizeof(*g.row));
    assert_non_null(g.row);
    g.row[0] = 30;
    g.row[1] = 10;
    g.row[2] = 20;
    lineage_walk(&l, &g, 0, DESCENDANTS, 0);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.cut, 2);
    assert_int_equal(l.cycle_count, 2); /* one is also based on itself */
    assert_int_equal(l.cycle_first[1], 3);
    assert_int_equal(l.cycle[0], 1);
    assert_int_equal(l.cycle[1], 2);
    assert_int_equal(l.cycle[2], 0);
    assert_int_equal(l.cycle_first[2], 4);
    assert_int_equal(l.cycle[3], 2);
    lineage_release(&l);
    graph_release(&g);
}

static void walk_chain(uint32_t nodes, bool ring)
{
    struct graph g;
    struct lineage l;
    graph_init(&g);
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t next = v + 1 < nodes ? v + 1 : 0;
        add(&g, next || ring, &next);
    }
    graph_finish(&g);
    lineage_walk(&l, &g, 0, ANCESTORS, DEPTH_UNLIMITED);
    assert_int_equal(l.count, nodes);
    assert_int_equal(l.depth[nodes - 1], nodes - 1);
    assert_int_equal(l.cycle_count, ring);
    if (ring)
        assert_int_equal(l.cycle_first[1], nodes);
    lineage_release(&l);
    lineage_walk(&l, &g, nodes - 1, DESCENDANTS, 20);
    assert_int_equal(l.count, 21);
    assert_int_equal(l.cut, nodes - 21);
    lineage_release(&l);
    graph_release(&g);
}

TEST(chains_and_rings_of_any_length_are_walked)
{
    walk_chain(5000, false);
    walk_chain(5000, true);
    walk_chain(1000000, false);
    walk_chain(1000000, true);
}
