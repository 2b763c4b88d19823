/* Trust, compared with its definition: the highest weight at which a node stands without the nodes of less weight. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/graph/fold.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);
static const double weights[] = {1, 0.9, 0.7, 0.6, 0.5, 0};
#define WEIGHTS (sizeof(weights) / sizeof(*weights))

static double expected(const struct plan *p, uint32_t node, const double *weight)
{
    for (size_t i = 0; i < WEIGHTS; i++) {
        struct plan without = *p;
        bool stands[PLAN_NODES];
        for (uint32_t v = 0; v < p->nodes; v++)
            without.ended[v] |= weight[v] < weights[i];
        plan_least(&without, stands);
        if (stands[node])
            return weights[i];
    }
    return 0;
}

TEST(trust_is_the_minimum_along_the_best_support)
{
    struct random r = {11};
    size_t lowered = 0;
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct plan p;
        struct graph g;
        double weight[PLAN_NODES], trust[PLAN_NODES];
        uint32_t weakest[PLAN_NODES];
        bool stands[PLAN_NODES];
        plan_make(&p, &r);
        plan_build(&p, &g);
        plan_least(&p, stands);
        for (uint32_t v = 0; v < p.nodes; v++)
            weight[v] = weights[random_below(&r, WEIGHTS)];
        trust_compute(trust, weakest, &g, weight);
        for (uint32_t v = 0; v < p.nodes; v++) {
            assert_true(trust[v] == (stands[v] ? expected(&p, v, weight) : 0));
            assert_true((weakest[v] == NODE_NONE) == !stands[v]);
            assert_true(!stands[v] || weight[weakest[v]] == trust[v]);
            assert_true(!stands[v] || weight[v] > trust[v] || weakest[v] == v);
            lowered += stands[v] && trust[v] < weight[v];
        }
        trust_compute(trust, NULL, &g, weight); /* nobody asks for the weakest */
        graph_release(&g);
    }
    assert_true(lowered > RANDOM_ROUNDS(1000));
}

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

TEST(of_several_sources_the_best_counts_or_the_worst)
{
    struct graph g;
    const double weight[] = {1, 0.6, 0.9, 0.9, 1};
    double trust[5];
    uint32_t weakest[5];
    graph_init(&g);
    add(&g, any, 0, NULL);               /* 0: seen */
    add(&g, any, 0, NULL);               /* 1: hearsay */
    add(&g, any, 2, (uint32_t[]){0, 1}); /* 2: an inference from either */
    add(&g, all, 2, (uint32_t[]){0, 1}); /* 3: one that needs both */
    add(&g, any, 1, (uint32_t[]){3});    /* 4: based on that */
    graph_finish(&g);
    trust_compute(trust, weakest, &g, weight);
    assert_true(trust[2] == 0.9 && weakest[2] == 2);
    assert_true(trust[3] == 0.6 && weakest[3] == 1);
    assert_true(trust[4] == 0.6 && weakest[4] == 1);
    graph_release(&g);
}

TEST(a_circle_has_no_trust)
{
    struct graph g;
    const double weight[] = {1, 1, 1};
    double trust[3];
    graph_init(&g);
    add(&g, any, 1, (uint32_t[]){1});
    add(&g, any, 1, (uint32_t[]){0});
    add(&g, any, 1, (uint32_t[]){1});
    graph_finish(&g);
    trust_compute(trust, NULL, &g, weight);
    assert_true(trust[0] == 0 && trust[1] == 0 && trust[2] == 0);
    graph_release(&g);
}

TEST(a_long_chain_takes_the_trust_of_its_beginning)
{
    const uint32_t nodes = 1000000;
    struct graph g;
    AUTO_FREE double *weight = malloc(nodes * sizeof(*weight)),
                     *trust = malloc(nodes * sizeof(*trust));
    graph_init(&g);
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t before = v - 1;
        add(&g, any, v > 0, &before);
        weight[v] = v == 10 ? 0.5 : 1;
    }
    graph_finish(&g);
    trust_compute(trust, NULL, &g, weight);
    assert_true(trust[9] == 1 && trust[10] == 0.5 && trust[nodes - 1] == 0.5);
    graph_release(&g);
}
