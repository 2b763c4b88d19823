/* Keystones of all, compared with labels computed anew with each node ended. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/fold.h"
#include "model/graph/roots.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* keystone[u * nodes + v]: does `v` lose its support without `u`? Allocated. */
static bool *brute(struct graph *g, const struct labels *l)
{
    bool *keystone = calloc((size_t)g->nodes * g->nodes, sizeof(*keystone));
    for (uint32_t u = 0; u < g->nodes; u++) {
        uint8_t status = g->status[u];
        struct labels after;
        if (!l->stands[u])
            continue;
        g->status[u] = STATUS_FORGOTTEN;
        labels_compute(&after, g);
        for (uint32_t v = 0; v < g->nodes; v++)
            keystone[u * g->nodes + v] = v != u && l->stands[v] && !after.stands[v];
        labels_release(&after);
        g->status[u] = status;
    }
    return keystone;
}

static enum reliance reliance_of(const struct graph *g, const struct labels *l,
                                 const bool *keystone, uint32_t node)
{
    if (!l->stands[node] || fold_is_leaf(g, l, node))
        return RELIES_ON_NONE;
    for (uint32_t u = 0; u < g->nodes; u++)
        if (keystone[u * g->nodes + node])
            return RELIES_ON_ONE;
    return RELIES_ON_MORE;
}

/* Compares the answer for all nodes with the brute one. Returns how many were inexact. */
static uint32_t expect_keystones(struct graph *g, uint64_t budget)
{
    struct labels l;
    struct keystones k;
    uint32_t inexact = 0;
    labels_compute(&l, g);
    keystones_compute(&k, g, &l, budget);
    AUTO_FREE bool *keystone = brute(g, &l);
    for (uint32_t u = 0; u < g->nodes; u++) {
        uint32_t loses = 0;
        enum reliance reliance = reliance_of(g, &l, keystone, u);
        for (uint32_t v = 0; v < g->nodes; v++)
            loses += keystone[u * g->nodes + v];
        assert_true(k.at_least[u] ? k.loses[u] <= loses : k.loses[u] == loses);
        if (k.independent[u] == RELIES_ON_MORE_UNPROVEN)
            assert_in_range(reliance, RELIES_ON_ONE, RELIES_ON_MORE);
        else
            assert_int_equal(k.independent[u], reliance);
        inexact += k.at_least[u] + (k.independent[u] == RELIES_ON_MORE_UNPROVEN);
    }
    keystones_release(&k);
    labels_release(&l);
    return inexact;
}

TEST(keystones_are_those_without_which_support_is_lost)
{
    struct random r = {31};
    for (int round = 0; round < RANDOM_ROUNDS(20000); round++) {
        struct plan p;
        struct graph g;
        plan_make(&p, &r);
        plan_build(&p, &g);
        assert_int_equal(expect_keystones(&g, KEYSTONES_BUDGET), 0);
        graph_release(&g);
    }
}

/* A graph of up to 60 nodes, most with one or two groups, a part of the links to later nodes. */
static void make_wide(struct graph *g, struct random *r)
{
    uint32_t nodes = 10 + random_below(r, 50), forward = random_below(r, 40);
    uint32_t several = random_below(r, 60);
    graph_init(g);
    for (uint32_t v = 0; v < nodes; v++) {
        graph_add_node(g, KIND_BELIEF, random_chance(r, 3) ? STATUS_FORGOTTEN : STATUS_ACTIVE);
        for (uint32_t n = v < 3 ? 0 : random_below(r, 4); n > 0; n--) {
            uint32_t antecedent[3], count = 1 + random_below(r, 3);
            for (uint32_t i = 0; i < count; i++)
                antecedent[i] = random_chance(r, forward) ? random_below(r, nodes)
                                : random_chance(r, 70)    ? v - 1 - random_below(r, 3)
                                                          : random_below(r, v);
            graph_add_group(g, random_chance(r, several) ? all : any, n, antecedent, count);
        }
    }
    graph_finish(g);
}

TEST(long_lineages_with_circles_too)
{
    struct random r = {32};
    for (int round = 0; round < RANDOM_ROUNDS(6000); round++) {
        struct graph g;
        make_wide(&g, &r);
        assert_int_equal(expect_keystones(&g, KEYSTONES_BUDGET), 0);
        graph_release(&g);
    }
}

TEST(what_the_budget_leaves_open_is_said)
{
    struct random r = {34};
    uint32_t inexact = 0;
    for (int round = 0; round < RANDOM_ROUNDS(6000); round++) {
        struct graph g;
        make_wide(&g, &r);
        inexact += expect_keystones(&g, 1 + random_below(&r, 2000));
        graph_release(&g);
    }
    assert_true(inexact > RANDOM_ROUNDS(6000));
}

/* Builds the graph with node `v` as number place[v]. */
static void build_renumbered(const struct graph *g, const uint32_t *place, struct graph *out)
{
    AUTO_FREE uint32_t *of = malloc(g->nodes * sizeof(*of)),
                       *to = malloc((g->links + 1) * sizeof(*to));
    for (uint32_t v = 0; v < g->nodes; v++)
        of[place[v]] = v;
    for (uint32_t i = 0; i < g->links; i++)
        to[i] = place[g->link_to[i]];
    graph_init(out);
    for (uint32_t n = 0; n < g->nodes; n++) {
        uint32_t v = of[n];
        graph_add_node(out, (enum kind)g->kind[v], (enum status)g->status[v]);
        for (uint32_t j = g->just_first[v + 1]; j-- > g->just_first[v];) /* the last one first */
            graph_add_group(out, all, j, to + g->link_first[j],
                            g->link_first[j + 1] - g->link_first[j]);
    }
    graph_finish(out);
}

TEST(the_order_of_rows_does_not_matter)
{
    struct random r = {33};
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct graph g, other;
        struct labels l, other_l;
        struct keystones k, other_k;
        uint32_t place[60];
        make_wide(&g, &r);
        for (uint32_t v = 0; v < g.nodes; v++) {
            uint32_t at = random_below(&r, v + 1);
            place[v] = place[at];
            place[at] = v;
        }
        build_renumbered(&g, place, &other);
        labels_compute(&l, &g);
        labels_compute(&other_l, &other);
        keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
        keystones_compute(&other_k, &other, &other_l, KEYSTONES_BUDGET);
        for (uint32_t v = 0; v < g.nodes; v++) {
            assert_int_equal(k.loses[v], other_k.loses[place[v]]);
            assert_int_equal(k.independent[v], other_k.independent[place[v]]);
        }
        keystones_release(&k);
        keystones_release(&other_k);
        labels_release(&l);
        labels_release(&other_l);
        graph_release(&g);
        graph_release(&other);
    }
}

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

TEST(each_member_of_an_all_group_is_a_keystone)
{
    struct graph g;
    struct labels l;
    struct keystones k;
    graph_init(&g);
    add(&g, any, 0, NULL); /* 0, 1: seen */
    add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){0, 1}); /* 2: an inference from both */
    add(&g, any, 2, (uint32_t[]){0, 1}); /* 3: one from either */
    add(&g, any, 2, (uint32_t[]){3, 4}); /* 4: based on that, and on itself */
    add(&g, any, 1, (uint32_t[]){5});    /* 5: only on itself */
    graph_finish(&g);
    labels_compute(&l, &g);
    keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
    assert_memory_equal(k.loses, ((uint32_t[]){1, 1, 0, 1, 0, 0}), 6 * sizeof(*k.loses));
    assert_memory_equal(k.independent,
                        ((uint8_t[]){RELIES_ON_NONE, RELIES_ON_NONE, RELIES_ON_ONE, RELIES_ON_MORE,
                                     RELIES_ON_ONE, RELIES_ON_NONE}),
                        6);
    keystones_release(&k);
    labels_release(&l);
    graph_release(&g);
}

/* A chain of which an `all` group needs the end and a hub: a path of the tree is removed once. */
TEST(a_long_chain_below_an_all_group_is_exact)
{
    const uint32_t length = 100000;
    struct graph g;
    struct labels l;
    struct keystones k;
    graph_init(&g);
    for (uint32_t v = 0; v < length; v++)
        add(&g, any, v > 0, &(uint32_t){v - 1});
    add(&g, any, 0, NULL);                             /* the hub */
    add(&g, all, 2, (uint32_t[]){length - 1, length}); /* the group */
    for (uint32_t i = 0; i < length; i++)
        add(&g, any, 2, (uint32_t[]){length, length + 1});
    uint32_t circle = g.nodes; /* anywhere: then justifications are early or late */
    add(&g, any, 2, (uint32_t[]){length, circle + 1});
    add(&g, any, 1, &circle);
    graph_finish(&g);
    labels_compute(&l, &g);
    keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
    for (uint32_t v = 0; v < length; v++)
        assert_true(!k.at_least[v] && k.loses[v] == length - v);
    assert_int_equal(k.loses[length], length + 3);
    keystones_release(&k);
    labels_release(&l);
    graph_release(&g);
}

/* An `all` group needs each of many, and many are based on it. */
TEST(a_bound_is_said_to_be_one)
{
    const uint32_t many = 3000, other = 2 * many + 1;
    struct graph g;
    struct labels l;
    struct keystones k;
    uint32_t *antecedents = malloc(many * sizeof(*antecedents)), exact = 0, bounds = 0;
    graph_init(&g);
    for (uint32_t v = 0; v < many; v++) {
        antecedents[v] = v;
        add(&g, any, 0, NULL);
    }
    add(&g, all, many, antecedents);
    for (uint32_t i = 0; i < many; i++)
        add(&g, any, 2, (uint32_t[]){many, other});
    add(&g, any, 0, NULL); /* `other`: so only the last of them has no support without the group */
    add(&g, any, 1, &many);
    graph_finish(&g);
    labels_compute(&l, &g);
    keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
    for (uint32_t v = 0; v < many; v++) {
        exact += !k.at_least[v];
        bounds += k.at_least[v];
        assert_true(k.at_least[v] ? k.loses[v] <= 2 : k.loses[v] == 2);
    }
    assert_true(exact > 0 && bounds > 0);
    assert_int_equal(k.independent[many], RELIES_ON_ONE);
    assert_int_equal(k.independent[many + 1], RELIES_ON_MORE_UNPROVEN);
    keystones_release(&k);
    labels_release(&l);
    graph_release(&g);
    free(antecedents);
}

/* Many are based on both ends of a chain: n² steps for simpler algorithms of dominators. */
TEST(many_users_of_both_ends_of_a_chain_take_no_longer)
{
    const uint32_t length = 100000;
    struct graph g;
    struct labels l;
    struct dominators d;
    graph_init(&g);
    for (uint32_t v = 0; v < length; v++)
        add(&g, any, v > 0, &(uint32_t){v - 1});
    for (uint32_t i = 0; i < length; i++)
        add(&g, any, 2, (uint32_t[]){0, length - 1});
    graph_finish(&g);
    labels_compute(&l, &g);
    dominators_make(&d, &g, &l);
    for (uint32_t v = 1; v < 2 * length; v++)
        assert_int_equal(d.node[d.above[d.number[v]]], v < length ? v - 1 : 0);
    dominators_release(&d);
    labels_release(&l);
    graph_release(&g);
}
