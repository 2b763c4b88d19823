/*
 * Capping confidence: small graphs computed by hand, then random graphs compared with the
 * definition, applied until nothing changes.
 */
#include "model/base/alloc.h"
#include "model/graph/propagate.h"

#include "tests/support/plan.h"
#include "tests/support/test.h"

#define ANY GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED)
#define ALL GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED)

static struct graph g;
static unsigned group;

static void node(enum status status)
{
    graph_add_node(&g, KIND_BELIEF, status);
    group = 0;
}

static void rests(unsigned shape, size_t count, const uint32_t *on)
{
    graph_add_group(&g, shape, group++, on, count);
}
#define ON(shape, ...)                                                                             \
    rests(shape, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static void propagate(struct propagation *out, uint32_t root, const double *own)
{
    struct labels labels;
    graph_finish(&g);
    labels_compute(&labels, &g);
    propagate_confidence(out, &g, &labels, root, own);
    labels_release(&labels);
    graph_release(&g);
}

static void expect_lowered(const struct propagation *p, size_t at, uint32_t which, double to,
                           uint32_t limited_by)
{
    assert_true(at < p->lowered_count);
    assert_int_equal(p->lowered[at].node, which);
    assert_true(p->lowered[at].confidence == to);
    assert_int_equal(p->lowered[at].limited_by, limited_by);
}

static void expect_left(const struct propagation *p, size_t at, uint32_t which, enum unchanged why)
{
    assert_true(at < p->unchanged_count);
    assert_int_equal(p->unchanged[at].node, which);
    assert_int_equal(p->unchanged[at].why, why);
}

/*
 * 0 is the root, 0.4; 1 and 2 are outside, 0.9 and 0.5. 3 is based on all of {0, 1}: least 0.4. 4
 * on any of {0, 2}: greatest 0.5. 5 on {3} and on {1}: 0.9, so its own 0.8 stays. 6 on all of {4,
 * 5}: least of 0.5 and 0.8. 7 on {6}; its own 0.3 is less.
 */
TEST(small_graphs_have_the_computed_confidence)
{
    static const double own[] = {0.4, 0.9, 0.5, 0.85, 0.7, 0.8, 0.95, 0.3};
    struct propagation p;
    graph_init(&g);
    for (int i = 0; i < 3; i++)
        node(STATUS_ACTIVE);
    node(STATUS_ACTIVE);
    ON(ALL, 0, 1);
    node(STATUS_ACTIVE);
    ON(ANY, 0, 2);
    node(STATUS_SUPERSEDED);
    ON(ANY, 3);
    ON(ANY, 1);
    node(STATUS_ACTIVE);
    ON(ALL, 4, 5);
    node(STATUS_EXPIRED);
    ON(ANY, 6);
    propagate(&p, 0, own);
    assert_int_equal(p.reached, 5);
    assert_int_equal(p.lowered_count, 3);
    expect_lowered(&p, 0, 3, 0.4, 0);
    expect_lowered(&p, 1, 4, 0.5, 2);
    expect_lowered(&p, 2, 6, 0.5, 4);
    assert_true(p.lowered[0].own == 0.85);
    assert_int_equal(p.unchanged_count, 0);
    propagation_release(&p);
}

/* An empty justification sets no limit. An ended node supports nothing and stays unchanged. */
TEST(empty_justifications_set_no_limit)
{
    static const double own[] = {0.1, 0.8, 0.8, 0.8, 0.8};
    struct propagation p;
    graph_init(&g);
    node(STATUS_ACTIVE);
    node(STATUS_ACTIVE); /* the root, or an empty justification */
    ON(ANY, 0);
    rests(ALL, 0, NULL);
    node(STATUS_RETRACTED); /* 2 */
    ON(ANY, 0);
    node(STATUS_ACTIVE); /* only on the ended one */
    ON(ANY, 2);
    node(STATUS_ACTIVE); /* 4: on the ended one, or on the root */
    ON(ANY, 2, 0);
    propagate(&p, 0, own);
    assert_int_equal(p.lowered_count, 1);
    expect_lowered(&p, 0, 4, 0.1, 0);
    assert_int_equal(p.unchanged_count, 2);
    expect_left(&p, 0, 2, UNCHANGED_ENDED);
    expect_left(&p, 1, 3, UNCHANGED_UNSUPPORTED);
    propagation_release(&p);
}

/* 1 and 2 are based on each other and on the root; 3 on 2, which keeps its own 0.6; 4 on itself
 * and the root; 5 on the root, which is based on it. */
TEST(circles_are_capped_from_outside)
{
    static const double own[] = {0.2, 0.7, 0.6, 0.9, 0.8, 0.9};
    struct propagation p;
    graph_init(&g);
    node(STATUS_ACTIVE);
    ON(ANY, 5);
    rests(ALL, 0, NULL);
    node(STATUS_ACTIVE);
    ON(ANY, 0, 2);
    node(STATUS_ACTIVE);
    ON(ANY, 1);
    node(STATUS_ACTIVE);
    ON(ANY, 2);
    node(STATUS_ACTIVE);
    ON(ANY, 4, 0);
    node(STATUS_ACTIVE);
    ON(ANY, 0);
    propagate(&p, 0, own);
    assert_int_equal(p.reached, 5);
    assert_int_equal(p.lowered_count, 1);
    expect_lowered(&p, 0, 3, 0.6, 2);
    assert_int_equal(p.unchanged_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(p.unchanged[i].why, UNCHANGED_CYCLE);
    propagation_release(&p);
}

/* Uses no stack. */
TEST(a_long_chain_is_capped)
{
    enum {
        LENGTH = 200000
    };
    AUTO_FREE double *own = malloc(LENGTH * sizeof(*own));
    struct propagation p;
    assert_non_null(own);
    graph_init(&g);
    for (uint32_t i = 0; i < LENGTH; i++) {
        own[i] = i == 0 ? 0.25 : 0.75;
        node(STATUS_ACTIVE);
        if (i > 0)
            ON(ANY, i - 1);
    }
    propagate(&p, 0, own);
    assert_int_equal(p.lowered_count, LENGTH - 1);
    expect_lowered(&p, LENGTH - 2, LENGTH - 1, 0.25, LENGTH - 2);
    propagation_release(&p);
}

/* ---- against the definition ---- */

/* The least of a group's antecedents (all), or the greatest of them (any). *holds tells whether
 * a justification of it holds. */
static double group_bears(const struct plan_group *of, const bool *stands, const double *now,
                          bool *valid)
{
    bool all = of->reading == READING_ALL || of->count == 0;
    double best = all ? INFINITY : -INFINITY;
    *valid = all;
    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t on = of->antecedent[i];
        if (all) {
            *valid &= stands[on];
            best = fmin(best, now[on]);
        } else if (stands[on]) {
            *valid = true;
            best = fmax(best, now[on]);
        }
    }
    return best;
}

static double bears(const struct plan *p, uint32_t v, const bool *stands, const double *now)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < p->groups; i++) {
        bool valid;
        if (p->group[i].node != v)
            continue;
        double one = group_bears(&p->group[i], stands, now, &valid);
        if (valid && one > most)
            most = one;
    }
    return most;
}

static bool on_circle(const struct plan *p, uint32_t v)
{
    return plan_is_based_on(p, v, v) || plan_cycle(p, v) != UINT32_MAX;
}

/* The expected confidences, by lowering until nothing changes. */
static size_t work_out(const struct plan *p, uint32_t root, const double *own, double *now)
{
    uint32_t distance[PLAN_NODES];
    bool stands[PLAN_NODES], changed = true;
    size_t left = 0;
    plan_distances(p, root, DESCENDANTS, distance);
    plan_least(p, stands);
    memcpy(now, own, PLAN_NODES * sizeof(*now));
    for (uint32_t v = 0; v < p->nodes; v++)
        if (v != root && distance[v] != UINT32_MAX)
            left += p->ended[v] || on_circle(p, v) || bears(p, v, stands, own) == -INFINITY;
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < p->nodes; v++) {
            if (v == root || distance[v] == UINT32_MAX || p->ended[v] || on_circle(p, v))
                continue;
            double most = bears(p, v, stands, now);
            if (most != -INFINITY && most < now[v]) {
                now[v] = most;
                changed = true;
            }
        }
    }
    return left;
}

TEST(random_graphs_match_the_definition)
{
    struct random r = {20260201};
    size_t lowered = 0, left = 0;
    for (int round = 0; round < RANDOM_ROUNDS(8000); round++) {
        struct plan p;
        struct propagation out;
        double own[PLAN_NODES], expected[PLAN_NODES];
        plan_make(&p, &r);
        plan_build(&p, &g);
        for (uint32_t v = 0; v < PLAN_NODES; v++)
            own[v] = random_below(&r, 101) / 100.0;
        uint32_t root = random_below(&r, p.nodes);
        size_t expected_left = work_out(&p, root, own, expected);
        propagate(&out, root, own);
        assert_int_equal(out.unchanged_count, expected_left);
        for (size_t i = 0; i < out.lowered_count; i++) {
            const struct propagated *one = &out.lowered[i];
            assert_true(one->own == own[one->node]);
            own[one->node] = one->confidence;
            assert_true(own[one->limited_by] == one->confidence); /* it is settled by then */
        }
        for (uint32_t v = 0; v < p.nodes; v++)
            assert_true(own[v] == expected[v]);
        lowered += out.lowered_count;
        left += out.unchanged_count;
        propagation_release(&out);
    }
    assert_true(lowered > RANDOM_ROUNDS(1000) && left > RANDOM_ROUNDS(1000));
}
