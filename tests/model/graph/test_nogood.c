/* Sets of sources that support two memories together, against all subsets of the sources. */
#include "model/graph/derivation.h"

#include "model/graph/fold.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

#define SOURCES_MOST 12

/* Which subsets of the leaves, as bits, are enough for both to stand. */
static void try_each(struct graph *g, const uint32_t *leaf, size_t leaves, uint32_t a, uint32_t b,
                     bool *enough)
{
    for (uint32_t subset = 0; subset < 1u << leaves; subset++) {
        struct labels l;
        uint8_t before[PLAN_NODES];
        memcpy(before, g->status, g->nodes);
        for (size_t i = 0; i < leaves; i++)
            if (!(subset >> i & 1))
                g->status[leaf[i]] = STATUS_RETRACTED;
        labels_compute(&l, g);
        enough[subset] = l.stands[a] && l.stands[b];
        labels_release(&l);
        memcpy(g->status, before, g->nodes);
    }
}

/* Returns how many minimal sets there are. */
static size_t expect(struct graph *g, const struct labels *l, uint32_t a, uint32_t b)
{
    static bool enough[1 << SOURCES_MOST];
    uint32_t leaf[PLAN_NODES];
    size_t leaves = 0, minimal = 0;
    struct nogoods found;
    for (uint32_t v = 0; v < g->nodes; v++)
        if (fold_is_leaf(g, l, v))
            leaf[leaves++] = v;
    if (leaves > SOURCES_MOST)
        return 0;
    try_each(g, leaf, leaves, a, b, enough);
    nogoods_compute(&found, (struct nogood_of[]){{g, l, a}, {g, l, b}});
    assert_true(found.all);
    for (uint32_t subset = 0; subset < 1u << leaves; subset++) {
        bool is_minimal = enough[subset];
        for (size_t i = 0; i < leaves; i++)
            is_minimal &= !(subset >> i & 1) || !enough[subset ^ 1u << i];
        minimal += is_minimal;
    }
    assert_int_equal(found.count, minimal);
    for (size_t set = 0; set < found.count; set++) {
        uint32_t subset = 0;
        for (size_t i = 0; i < leaves; i++)
            for (size_t k = found.first[set]; k < found.first[set + 1]; k++)
                subset |= (uint32_t)(leaf[i] + 1 == found.member[k]) << i;
        assert_true(enough[subset]);
        for (size_t i = 0; i < leaves; i++)
            assert_true(!(subset >> i & 1) || !enough[subset ^ 1u << i]);
        assert_true(set == 0 || found.first[set] - found.first[set - 1] <=
                                    found.first[set + 1] - found.first[set]);
    }
    nogoods_release(&found);
    return minimal;
}

TEST(sets_equal_all_subsets)
{
    size_t several = 0;
    struct random r = {29};
    for (int i = 0; i < 400; i++) {
        struct plan p;
        struct graph g;
        struct labels l;
        plan_make(&p, &r);
        plan_build(&p, &g);
        labels_compute(&l, &g);
        for (uint32_t a = 0; a + 1 < g.nodes; a += 3)
            several += expect(&g, &l, a, a + 1) > 1;
        labels_release(&l);
        graph_release(&g);
    }
    assert_true(several > 50);
}

/* Two beliefs, each from one of two halves of 40 sources, and all of one half is needed. */
TEST(of_many_sources_one_set_is_found)
{
    static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED),
                          any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
    struct graph g;
    struct labels l;
    struct nogoods found;
    uint32_t half[2][20];
    graph_init(&g);
    for (uint32_t v = 0; v < 40; v++) {
        graph_add_node(&g, KIND_RAW, STATUS_ACTIVE);
        half[v / 20][v % 20] = v;
    }
    for (uint32_t k = 0; k < 2; k++) {
        graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE);
        graph_add_group(&g, k ? any : all, 0, half[k], 20);
    }
    graph_finish(&g);
    labels_compute(&l, &g);
    nogoods_compute(&found, (struct nogood_of[]){{&g, &l, 40}, {&g, &l, 41}});
    assert_int_equal(found.count, 1);
    assert_int_equal(found.first[1], 21);
    assert_false(found.all);
    nogoods_release(&found);
    labels_release(&l);
    graph_release(&g);
}
