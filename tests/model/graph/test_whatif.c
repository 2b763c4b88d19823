/* A hypothetical retraction, compared with labels computed anew with the nodes ended. */
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);

struct before {
    bool stands[PLAN_NODES];
    uint32_t valid[PLAN_NODES];
};

static uint32_t count_descendants(const struct plan *p, const bool *retracted)
{
    bool reached[PLAN_NODES] = {false};
    for (uint32_t root = 0; root < p->nodes; root++) {
        uint32_t distance[PLAN_NODES];
        if (!retracted[root])
            continue;
        plan_distances(p, root, DESCENDANTS, distance);
        for (uint32_t v = 0; v < p->nodes; v++)
            reached[v] |= distance[v] != UINT32_MAX;
    }
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->nodes; v++)
        count += reached[v] && !retracted[v];
    return count;
}

/* Compares an answer with the plan in which the retracted nodes are ended. */
static void expect(const struct whatif *w, struct plan *p, const struct before *before,
                   const bool *retracted)
{
    bool after[PLAN_NODES];
    size_t fallen = 0, weakened = 0;
    for (uint32_t v = 0; v < p->nodes; v++)
        p->ended[v] |= retracted[v];
    plan_least(p, after);
    for (uint32_t v = 0; v < p->nodes; v++) {
        if (retracted[v] || !before->stands[v])
            continue;
        uint32_t valid = plan_valid(p, v, after);
        if (!after[v]) {
            assert_true(fallen < w->unsupported_count);
            assert_int_equal(w->unsupported[fallen++], v);
        } else if (valid < before->valid[v]) {
            assert_true(weakened < w->weakened_count);
            assert_int_equal(w->weakened[weakened].node, v);
            assert_int_equal(w->weakened[weakened].before, before->valid[v]);
            assert_int_equal(w->weakened[weakened++].after, valid);
        }
    }
    assert_int_equal(w->unsupported_count, fallen);
    assert_int_equal(w->weakened_count, weakened);
    assert_int_equal(w->descending_count, count_descendants(p, retracted) - fallen - weakened);
    /* Each once, in order, without those that lost support or were retracted. */
    for (size_t i = 0; i < w->descending_count; i++) {
        assert_true(i == 0 || w->descending[i - 1] < w->descending[i]);
        assert_false(retracted[w->descending[i]]);
        assert_true(after[w->descending[i]] == before->stands[w->descending[i]]);
    }
}

TEST(retracting_equals_being_ended)
{
    struct random r = {7};
    size_t unsupported = 0, weakened = 0, descending_count = 0;
    for (int round = 0; round < RANDOM_ROUNDS(20000); round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        struct whatif w;
        struct before before;
        bool retracted[PLAN_NODES] = {false};
        uint32_t asked[4], count = random_below(&r, 4);
        plan_make(&p, &r);
        plan_build(&p, &g);
        plan_least(&p, before.stands);
        for (uint32_t v = 0; v < p.nodes; v++)
            before.valid[v] = plan_valid(&p, v, before.stands);
        for (uint32_t i = 0; i < count; i++) {
            asked[i] = random_below(&r, p.nodes); /* a node may be named twice */
            retracted[asked[i]] = true;
        }
        labels_compute(&l, &g);
        whatif_retract(&w, &g, &l, asked, count);
        expect(&w, &p, &before, retracted);
        unsupported += w.unsupported_count;
        weakened += w.weakened_count;
        descending_count += w.descending_count;
        whatif_release(&w);
        labels_release(&l);
        graph_release(&g);
    }
    assert_true(unsupported > RANDOM_ROUNDS(4000) && weakened > RANDOM_ROUNDS(4000) &&
                descending_count > RANDOM_ROUNDS(4000));
}

static void add(struct graph *g, enum kind kind, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, kind, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, any, 0, antecedents, count);
}

TEST(a_cycle_loses_support_with_its_last_outside_support)
{
    struct graph g;
    struct labels l;
    struct whatif w;
    graph_init(&g);
    add(&g, KIND_RAW, 0, NULL);
    add(&g, KIND_BELIEF, 2, (uint32_t[]){0, 3}); /* 1, 2 and 3 in a cycle, supported by 0 */
    add(&g, KIND_BELIEF, 1, (uint32_t[]){1});
    add(&g, KIND_BELIEF, 1, (uint32_t[]){2});
    graph_finish(&g);
    labels_compute(&l, &g);
    whatif_retract(&w, &g, &l, (uint32_t[]){0}, 1);
    assert_int_equal(w.unsupported_count, 3);
    assert_int_equal(w.weakened_count, 0);
    assert_int_equal(w.descending_count, 0);
    whatif_release(&w);
    whatif_retract(&w, &g, &l, (uint32_t[]){3}, 1);
    assert_int_equal(w.unsupported_count, 0);
    assert_int_equal(w.weakened_count, 1);
    assert_int_equal(w.weakened[0].node, 1);
    assert_int_equal(w.weakened[0].before, 2);
    assert_int_equal(w.weakened[0].after, 1);
    assert_int_equal(w.descending_count, 1);
    assert_int_equal(w.descending[0], 2);
    whatif_release(&w);
    labels_release(&l);
    graph_release(&g);
}

TEST(a_long_chain_loses_support)
{
    const uint32_t nodes = 1000000;
    struct graph g;
    struct labels l;
    struct whatif w;
    graph_init(&g);
    add(&g, KIND_RAW, 0, NULL);
    for (uint32_t v = 1; v < nodes; v++)
        add(&g, KIND_BELIEF, 1, (uint32_t[]){v - 1});
    graph_finish(&g);
    labels_compute(&l, &g);
    whatif_retract(&w, &g, &l, (uint32_t[]){0}, 1);
    assert_int_equal(w.unsupported_count, nodes - 1);
    assert_int_equal(w.unsupported[0], 1);
    assert_int_equal(w.unsupported[nodes - 2], nodes - 1);
    whatif_release(&w);
    labels_release(&l);
    graph_release(&g);
}
