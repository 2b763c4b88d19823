/* Folds, compared with their definitions on random graphs: by thresholds, and by derivations of growing height. */
#include <math.h>
#include "model/base/alloc.h"
#include "model/graph/fold.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* ---- definitions ---- */

/* The best of the values at which a node still stands without the nodes that are worse. */
static void by_threshold(const struct plan *p, const struct semiring *s, const double *own,
                         double *best)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        best[v] = s->zero;
    for (uint32_t t = 0; t < p->nodes; t++) {
        struct plan without = *p;
        bool stands[PLAN_NODES];
        for (uint32_t v = 0; v < p->nodes; v++)
            without.ended[v] |= s->plus(own[v], own[t]) != own[v];
        plan_least(&without, stands);
        for (uint32_t v = 0; v < p->nodes; v++)
            best[v] = stands[v] ? s->plus(best[v], own[t]) : best[v];
    }
}

/* What the justifications of a group give together. */
static double of_group(const struct plan_group *group, const struct semiring *s,
                       const double *value)
{
    double result = group->reading == READING_ALL || group->count == 0 ? s->one : s->zero;
    for (uint32_t i = 0; i < group->count; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= group->antecedent[k] == group->antecedent[i];
        if (!before)
            result = group->reading == READING_ALL ? s->times(result, value[group->antecedent[i]])
                                                   : s->plus(result, value[group->antecedent[i]]);
    }
    return result;
}

/* From the values of all derivations up to a height, those up to the next height. */
static void next_height(const struct plan *p, const struct semiring *s, const double *own,
                        double *value)
{
    double next[PLAN_NODES];
    for (uint32_t v = 0; v < p->nodes; v++)
        next[v] = plan_given(p, v) == 0 ? s->one : s->zero;
    for (uint32_t i = 0; i < p->groups; i++) {
        uint32_t node = p->group[i].node;
        next[node] = s->plus(next[node], of_group(&p->group[i], s, value));
    }
    for (uint32_t v = 0; v < p->nodes; v++)
        value[v] = p->ended[v] ? s->zero : s->times(own[v], next[v]);
}

/*
 * A derivation without repetition is at most as high as there are nodes. Of endlessly many ones the
 * lowest that is higher than that has at most twice this height.
 */
static void by_height(const struct plan *p, const struct semiring *s, const double *own,
                      double *value)
{
    double before[PLAN_NODES];
    for (uint32_t v = 0; v < p->nodes; v++)
        value[v] = s->zero;
    for (uint32_t height = 0; height <= p->nodes; height++)
        next_height(p, s, own, value);
    memcpy(before, value, sizeof(before));
    for (uint32_t height = 0; height <= p->nodes; height++)
        next_height(p, s, own, value);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (value[v] != before[v])
            value[v] = INFINITY;
}

static bool same(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fabs(b);
}

/* ---- random graphs ---- */

static const struct semiring *const semirings[] = {&fold_weakest, &fold_best, &fold_count,
                                                   &fold_oldest};
#define SEMIRINGS (sizeof(semirings) / sizeof(*semirings))

static double random_value(struct random *r, const struct semiring *s)
{
    if (s == &fold_count)
        return 1 + random_below(r, 3);
    if (s == &fold_oldest)
        return (int)random_below(r, 9) - 4;
    return random_below(r, 11) / 10.0;
}

static void compute(const struct plan *p, const struct semiring *s, const double *own,
                    double *value)
{
    struct graph g;
    struct labels l;
    plan_build(p, &g);
    labels_compute(&l, &g);
    fold_compute(value, &g, &l, s, own);
    labels_release(&l);
    graph_release(&g);
}

static void check(const struct plan *p, const struct semiring *s, struct random *r, size_t *endless)
{
    double own[PLAN_NODES], value[PLAN_NODES], expected[PLAN_NODES];
    bool stands[PLAN_NODES];
    for (uint32_t v = 0; v < p->nodes; v++)
        own[v] = random_value(r, s);
    compute(p, s, own, value);
    plan_least(p, stands);
    if (s == &fold_best || s == &fold_count)
        by_height(p, s, own, expected);
    else
        by_threshold(p, s, own, expected);
    for (uint32_t v = 0; v < p->nodes; v++) {
        assert_true(same(value[v], expected[v]));
        assert_true(stands[v] || value[v] == s->zero);
        *endless += s == &fold_count && isinf(value[v]);
    }
}

TEST(folds_match_their_definitions)
{
    struct random r = {2007};
    size_t endless = 0;
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct plan p;
        plan_make(&p, &r);
        for (size_t i = 0; i < SEMIRINGS; i++)
            check(&p, semirings[i], &r, &endless);
    }
    assert_true(endless > RANDOM_ROUNDS(500));
}

/* ---- order ---- */

/* Is `node` based on `on` through valid justifications, directly or not? By relaxing all links. */
static void reach(const struct graph *g, const struct labels *l, uint32_t node, bool *reached)
{
    bool changed = true;
    memset(reached, 0, PLAN_NODES * sizeof(*reached));
    reached[node] = true;
    while (changed) {
        changed = false;
        for (uint32_t j = 0; j < g->justs; j++)
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                if (reached[g->just_node[j]] && l->broken[j] == 0 && !reached[g->link_to[i]])
                    changed = reached[g->link_to[i]] = true;
    }
}

TEST(each_comes_after_what_it_is_based_on)
{
    struct random r = {1972};
    size_t circles = 0;
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        struct support_order o;
        bool reached[PLAN_NODES][PLAN_NODES];
        size_t standing = 0;
        plan_make(&p, &r);
        plan_build(&p, &g);
        labels_compute(&l, &g);
        support_order_make(&o, &g, &l);
        for (uint32_t v = 0; v < g.nodes; v++)
            reach(&g, &l, v, reached[v]);
        for (uint32_t v = 0; v < g.nodes; v++) {
            standing += l.stands[v];
            assert_true((o.of[v] == NODE_NONE) == !l.stands[v]);
            for (uint32_t w = 0; w < g.nodes && l.stands[v]; w++) {
                if (reached[v][w])
                    assert_true(o.of[w] <= o.of[v]);
                if (l.stands[w])
                    assert_true((reached[v][w] && reached[w][v]) == (o.of[v] == o.of[w]));
            }
        }
        assert_int_equal(o.count, standing);
        assert_int_equal(o.first[0], 0);
        assert_int_equal(o.first[o.components], standing);
        for (size_t c = 0; c < o.components; c++) {
            assert_true(o.first[c] < o.first[c + 1]);
            circles += o.first[c + 1] - o.first[c] > 1;
            for (uint32_t i = o.first[c]; i < o.first[c + 1]; i++)
                assert_int_equal(o.of[o.node[i]], c);
        }
        support_order_release(&o);
        labels_release(&l);
        graph_release(&g);
    }
    assert_true(circles > RANDOM_ROUNDS(500));
}

/* ---- changes that have a known effect ---- */

TEST(numbers_of_nodes_do_not_matter)
{
    struct random r = {3};
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct plan p, other;
        uint32_t to[PLAN_NODES];
        double own[2][PLAN_NODES], value[2][PLAN_NODES];
        const struct semiring *s = semirings[random_below(&r, SEMIRINGS)];
        plan_make(&p, &r);
        plan_shuffle(&p, &r, to);
        plan_renumber(&other, &p, to);
        for (uint32_t v = 0; v < p.nodes; v++)
            own[0][v] = own[1][to[v]] = random_value(&r, s);
        compute(&p, s, own[0], value[0]);
        compute(&other, s, own[1], value[1]);
        for (uint32_t v = 0; v < p.nodes; v++)
            assert_true(same(value[1][to[v]], value[0][v]));
    }
}

TEST(another_support_only_adds)
{
    struct random r = {4};
    size_t more = 0;
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct plan p;
        double own[PLAN_NODES], before[PLAN_NODES], after[PLAN_NODES];
        const struct semiring *s = semirings[random_below(&r, SEMIRINGS)];
        plan_make(&p, &r);
        uint32_t node = random_below(&r, p.nodes), from = random_below(&r, p.nodes);
        if (p.groups == PLAN_GROUPS || plan_given(&p, node) == 0)
            continue;
        for (uint32_t v = 0; v < p.nodes; v++)
            own[v] = random_value(&r, s);
        compute(&p, s, own, before);
        plan_put(&p, node, READING_ANY, 1, &from);
        compute(&p, s, own, after);
        for (uint32_t v = 0; v < p.nodes; v++) {
            double sum = s->plus(before[v], after[v]);
            assert_true(s->counts ? after[v] >= before[v] : sum == after[v]);
            more += before[v] != after[v];
        }
    }
    assert_true(more > RANDOM_ROUNDS(300));
}

/* ---- by hand ---- */

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

/* Folds a graph of up to 8 nodes and releases it. */
static void fold(struct graph *g, const struct semiring *s, const double *own, double *value)
{
    struct labels l;
    labels_compute(&l, g);
    fold_compute(value, g, &l, s, own);
    labels_release(&l);
}

/* Of one memory, where only leaves count, as of all with nothing from the others. */
TEST(one_is_as_of_all)
{
    struct random r = {17};
    for (int i = 0; i < RANDOM_ROUNDS(400); i++) {
        struct plan p;
        struct graph g;
        struct labels l;
        double own[PLAN_NODES], value[PLAN_NODES];
        const struct semiring *s = semirings[(size_t)i % SEMIRINGS];
        plan_make(&p, &r);
        plan_build(&p, &g);
        labels_compute(&l, &g);
        for (uint32_t v = 0; v < g.nodes; v++)
            own[v] = fold_is_leaf(&g, &l, v) ? random_value(&r, s) : s->one;
        /* What a leaf has besides its first empty justification does not count for one. */
        for (uint32_t v = 0; v < g.nodes; v++)
            for (uint32_t j = g.just_first[v], empty = 0; j < g.just_first[v + 1]; j++)
                if (fold_is_leaf(&g, &l, v) &&
                    (g.link_first[j] < g.link_first[j + 1] || empty++ > 0))
                    l.broken[j] = 1;
        fold_compute(value, &g, &l, s, own);
        for (uint32_t v = 0; v < g.nodes; v++)
            assert_true(same(fold_one(&g, &l, v, s, own), value[v]));
        labels_release(&l);
        graph_release(&g);
    }
}

TEST(one_graph_answers_each_question)
{
    struct graph g;
    double value[8];
    graph_init(&g);
    add(&g, any, 0, NULL);               /* 0 */
    add(&g, any, 0, NULL);               /* 1 */
    add(&g, any, 0, NULL);               /* 2 */
    add(&g, all, 2, (uint32_t[]){0, 1}); /* 3: both */
    add(&g, any, 2, (uint32_t[]){2, 3}); /* 4: either */
    add(&g, all, 2, (uint32_t[]){4, 4}); /* 5: a repeated antecedent is one */
    add(&g, all, 2, (uint32_t[]){4, 3}); /* 6 */
    graph_finish(&g);
    const double p[] = {0.5, 0.8, 0.25, 1, 1, 1, 1}, one[] = {1, 1, 1, 1, 1, 1, 1};
    const double at[] = {10, 30, 20, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
    fold(&g, &fold_best, p, value);
    assert_true(value[3] == 0.4 && value[4] == 0.4 && value[6] == 0.4 * 0.4);
    fold(&g, &fold_weakest, p, value);
    assert_true(value[3] == 0.5 && value[4] == 0.5 && value[6] == 0.5);
    fold(&g, &fold_count, one, value);
    assert_true(value[3] == 1 && value[4] == 2 && value[5] == 2 && value[6] == 2);
    fold(&g, &fold_oldest, at, value);
    assert_true(value[3] == 30 && value[4] == 20 && value[6] == 30);
    graph_release(&g);
}

/* Each of a ring is based on the next; the first also on a source, which is node 0. */
TEST(a_long_ring_takes_what_its_source_gives)
{
    const uint32_t nodes = 200001;
    for (int forward = 0; forward < 2; forward++) {
        struct graph g;
        AUTO_FREE double *own = calloc(nodes, sizeof(*own)),
                         *value = malloc(nodes * sizeof(*value));
        graph_init(&g);
        add(&g, any, 0, NULL);
        for (uint32_t v = 1; v < nodes; v++) {
            uint32_t next = forward ? v % (nodes - 1) + 1 : v > 1 ? v - 1 : nodes - 1;
            add(&g, any, v == 1 ? 2 : 1, (uint32_t[]){next, 0});
        }
        graph_finish(&g);
        for (uint32_t v = 0; v < nodes; v++)
            own[v] = v ? 1 : 0.5;
        fold(&g, &fold_best, own, value);
        for (uint32_t v = 0; v < nodes; v++)
            assert_true(value[v] == 0.5);
        fold(&g, &fold_count, own, value);
        assert_true(value[0] == 0.5);
        for (uint32_t v = 1; v < nodes; v++)
            assert_true(isinf(value[v]));
        graph_release(&g);
    }
}

TEST(a_circle_without_a_source_has_nothing)
{
    for (size_t i = 0; i < SEMIRINGS; i++) {
        struct graph g;
        double own[] = {1, 1, 1}, value[3];
        graph_init(&g);
        add(&g, any, 1, (uint32_t[]){1});
        add(&g, any, 1, (uint32_t[]){0});
        add(&g, any, 2, (uint32_t[]){1, 2});
        graph_finish(&g);
        fold(&g, semirings[i], own, value);
        for (int v = 0; v < 3; v++)
            assert_true(value[v] == semirings[i]->zero);
        graph_release(&g);
    }
}
