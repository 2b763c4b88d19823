/* The interval of confidence, against all assignments by labels, and under changes that have a known effect. */
#include <math.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/graph/assignment.h"
#include "model/graph/interval.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

#define ROUNDING 1e-12

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* ---- a calculator ---- */

static double sum_at(const char **at);

static double factor_at(const char **at)
{
    char *end;
    double value;
    if (**at != '(') {
        assert_true(**at >= '0' && **at <= '9');
        value = strtod(*at, &end);
        assert_null(memchr(*at, 'e', (size_t)(end - *at)));
        *at = end;
        return value;
    }
    ++*at;
    value = sum_at(at);
    assert_true(**at == ')');
    ++*at;
    return value;
}

static double product_at(const char **at)
{
    double value = factor_at(at);
    for (; strncmp(*at, " * ", 3) == 0; value *= factor_at(at))
        *at += 3;
    return value;
}

static double sum_at(const char **at)
{
    double value = product_at(at);
    for (; strncmp(*at, " - ", 3) == 0; value -= product_at(at))
        *at += 3;
    return value;
}

static double calculate(const char *expression)
{
    double value = sum_at(&expression);
    assert_string_equal(expression, "");
    return value;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= ROUNDING;
}

static void check_written(const struct graph *g, const struct labels *l, uint32_t node,
                          const double *p, size_t limit, const struct interval *i)
{
    AUTO_STRBUF low = STRBUF_INIT;
    AUTO_STRBUF high = STRBUF_INIT;
    struct interval same_one;
    interval_explain(&same_one, &low, &high, g, l, node, p, limit);
    assert_true(same(calculate(low.buf), i->low));
    assert_true(same(calculate(high.buf), i->high));
}

/* ---- random graphs ---- */

#define LEAVES 10 /* most random graphs; the exact value of one takes 2^n labellings */

static double random_p(struct random *r)
{
    return random_chance(r, 70) ? random_below(r, 11) / 10.0
                                : (double)(random_next(r) >> 11) / (double)(UINT64_C(1) << 53);
}

static void random_ps(struct random *r, double *p, uint32_t nodes)
{
    for (uint32_t v = 0; v < nodes; v++)
        p[v] = random_p(r);
}

struct made {
    struct plan plan;
    struct graph g;
    struct labels l;
    double p[PLAN_NODES];
};

static void build(struct made *m)
{
    plan_build(&m->plan, &m->g);
    labels_compute(&m->l, &m->g);
}

static void make(struct made *m, struct random *r)
{
    plan_make(&m->plan, r);
    random_ps(r, m->p, m->plan.nodes);
    build(m);
}

static void release(struct made *m)
{
    labels_release(&m->l);
    graph_release(&m->g);
}

static void intervals(const struct made *m, struct interval *out)
{
    for (uint32_t v = 0; v < m->g.nodes; v++)
        interval_compute(&out[v], &m->g, &m->l, v, m->p);
}

/* The leaves that stand: those of an empty justification, and those of none. */
static size_t leaves_of(const struct made *m, uint32_t *leaf)
{
    const struct graph *g = &m->g;
    size_t count = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        bool is_leaf = g->just_first[v] == g->just_first[v + 1];
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++)
            is_leaf |= g->link_first[j] == g->link_first[j + 1];
        if (is_leaf && m->l.stands[v])
            leaf[count++] = v;
    }
    return count;
}

/* The probability of each node, by labelling the graph once for each set of leaves that are wrong. */
static void by_labels(struct made *m, const uint32_t *leaf, size_t leaves, double *exact)
{
    uint8_t status[PLAN_NODES];
    memcpy(status, m->g.status, m->g.nodes);
    memset(exact, 0, PLAN_NODES * sizeof(*exact));
    for (size_t a = 0; a < (size_t)1 << leaves; a++) {
        struct labels l;
        double weight = 1;
        for (size_t i = 0; i < leaves; i++) {
            bool right = a >> i & 1;
            weight *= right ? m->p[leaf[i]] : 1 - m->p[leaf[i]];
            m->g.status[leaf[i]] = right ? status[leaf[i]] : (uint8_t)STATUS_RETRACTED;
        }
        labels_compute(&l, &m->g);
        for (uint32_t v = 0; v < m->g.nodes; v++)
            exact[v] += l.stands[v] ? weight : 0;
        labels_release(&l);
    }
    memcpy(m->g.status, status, m->g.nodes);
}

TEST(exact_lies_between_low_and_high)
{
    struct random r = {1960};
    size_t checked = 0, between = 0, closed = 0, of_16 = 0;
    for (int round = 0; round < RANDOM_ROUNDS(8000); round++) {
        struct made m;
        struct interval i[PLAN_NODES];
        uint32_t leaf[PLAN_NODES];
        double exact[PLAN_NODES];
        make(&m, &r);
        size_t leaves = leaves_of(&m, leaf);
        intervals(&m, i);
        bool labelled = leaves <= LEAVES || (leaves <= 16 && of_16 < 6);
        of_16 += labelled && leaves > LEAVES;
        if (labelled)
            by_labels(&m, leaf, leaves, exact);
        for (uint32_t v = 0; v < m.g.nodes; v++) {
            if (!labelled && i[v].roots > EXACT_SOURCES)
                continue;
            assert_true(!labelled || same(i[v].exact, exact[v]));
            assert_true(i[v].low <= i[v].exact + ROUNDING && i[v].exact <= i[v].high + ROUNDING);
            assert_true(i[v].low >= 0 && i[v].high <= 1);
            assert_true(m.l.stands[v] ? i[v].roots > 0 : i[v].high == 0 && i[v].roots == 0);
            check_written(&m.g, &m.l, v, m.p, random_chance(&r, 50) ? 4000 : random_below(&r, 60),
                          &i[v]);
            checked++;
            between += i[v].low < i[v].exact - 1e-6 && i[v].exact < i[v].high - 1e-6;
            closed += i[v].roots > 1 && i[v].high - i[v].low < 1e-9 && i[v].low > 0 && i[v].low < 1;
        }
        release(&m);
    }
    assert_true(checked > RANDOM_ROUNDS(50000) && of_16 == 6);
    assert_true(between > RANDOM_ROUNDS(500) && closed > RANDOM_ROUNDS(500));
}

/* ---- low by its definition ---- */

#define JUSTS 256

struct definition {
    const struct made *m;
    bool leaf[PLAN_NODES],
        reached[PLAN_NODES][PLAN_NODES]; /* through valid justifications, in steps */
    double low[PLAN_NODES];
};

static void find_reached(struct definition *d)
{
    const struct graph *g = &d->m->g;
    for (uint32_t round = 0; round < g->nodes; round++)
        for (uint32_t j = 0; j < g->justs; j++) {
            uint32_t v = g->just_node[j];
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
                if (d->m->l.broken[j] > 0 || d->leaf[v])
                    continue;
                d->reached[v][g->link_to[i]] = true;
                for (uint32_t w = 0; w < g->nodes; w++)
                    d->reached[v][w] |= d->reached[g->link_to[i]][w];
            }
        }
}

static bool is_through(const struct definition *d, uint32_t just)
{
    const struct graph *g = &d->m->g;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (d->reached[g->link_to[i]][g->just_node[just]] || g->link_to[i] == g->just_node[just])
            return true;
    return false;
}

static bool has_root(const struct definition *d, uint32_t just, uint32_t root)
{
    const struct graph *g = &d->m->g;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (d->leaf[root] && (g->link_to[i] == root || d->reached[g->link_to[i]][root]))
            return true;
    return false;
}

/* From the values that antecedents have so far. */
static double define_low(const struct definition *d, uint32_t v)
{
    const struct graph *g = &d->m->g;
    uint32_t first = g->just_first[v], count = g->just_first[v + 1] - first, group[JUSTS];
    double value[JUSTS], through = 0, contrary = 1;
    for (uint32_t j = 0; j < count; j++) {
        group[j] = j;
        value[j] = d->m->l.broken[first + j] == 0;
        for (uint32_t i = g->link_first[first + j]; i < g->link_first[first + j + 1]; i++)
            value[j] *= d->low[g->link_to[i]];
        if (!is_through(d, first + j))
            continue;
        through = fmax(through, value[j]);
        value[j] = 0;
    }
    for (uint32_t j = 0; j < count * count; j++) {
        uint32_t x = j / count, y = j % count;
        bool shared = false;
        for (uint32_t root = 0; root < g->nodes; root++)
            shared |= has_root(d, first + x, root) && has_root(d, first + y, root);
        shared &= !is_through(d, first + x) && !is_through(d, first + y) &&
                  d->m->l.broken[first + x] + d->m->l.broken[first + y] == 0;
        for (uint32_t k = 0, from = group[x], to = group[y]; shared && k < count; k++)
            group[k] = group[k] == from ? to : group[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        double best = 0;
        for (uint32_t j = 0; j < count; j++)
            best = group[j] == k ? fmax(best, value[j]) : best;
        contrary *= 1 - best;
    }
    return fmax(through, 1 - contrary);
}

TEST(low_is_as_defined)
{
    struct random r = {35};
    size_t grouped = 0;
    for (int round = 0; round < RANDOM_ROUNDS(1000); round++) {
        struct made m;
        struct definition d = {.m = &m};
        struct interval i[PLAN_NODES];
        uint32_t leaf[PLAN_NODES];
        make(&m, &r);
        for (size_t count = leaves_of(&m, leaf); count > 0; count--)
            d.leaf[leaf[count - 1]] = true;
        find_reached(&d);
        intervals(&m, i);
        for (uint32_t height = 0; height <= 2 * m.g.nodes; height++)
            for (uint32_t v = 0; v < m.g.nodes; v++)
                if (m.l.stands[v])
                    d.low[v] = d.leaf[v] ? m.p[v] : define_low(&d, v);
        for (uint32_t v = 0; v < m.g.nodes; v++) {
            assert_true(same(i[v].low, d.low[v]));
            grouped += i[v].roots > 1;
        }
        release(&m);
    }
    assert_true(grouped > RANDOM_ROUNDS(1000));
}

TEST(a_retraction_raises_nothing)
{
    struct random r = {31};
    size_t lower = 0, tightened = 0;
    for (int round = 0; round < RANDOM_ROUNDS(8000); round++) {
        struct made m;
        struct labels after;
        struct interval before[PLAN_NODES];
        make(&m, &r);
        intervals(&m, before);
        for (uint32_t n = 1 + random_below(&r, 3); n > 0; n--)
            m.g.status[random_below(&r, m.g.nodes)] = STATUS_RETRACTED;
        labels_compute(&after, &m.g);
        for (uint32_t v = 0; v < m.g.nodes; v++) {
            struct interval now, anew;
            interval_without(&now, &m.g, &m.l, &after, v, m.p);
            interval_compute(&anew, &m.g, &after, v, m.p);
            assert_true(now.low <= before[v].low + ROUNDING);
            assert_true(now.high <= before[v].high + ROUNDING);
            assert_true(now.high == anew.high && now.roots == anew.roots);
            assert_true(after.stands[v] || (now.low == 0 && now.high == 0 && now.exact == 0));
            assert_true(now.low <= now.high + ROUNDING);
            tightened += anew.low > before[v].low + ROUNDING;
            if (before[v].roots > EXACT_SOURCES || now.roots > EXACT_SOURCES)
                continue;
            assert_true(now.exact <= before[v].exact + ROUNDING);
            assert_true(now.low <= now.exact + ROUNDING && now.exact <= now.high + ROUNDING);
            lower += after.stands[v] && now.exact < before[v].exact - 1e-6;
        }
        labels_release(&after);
        release(&m);
    }
    assert_true(lower > RANDOM_ROUNDS(500));
    assert_true(tightened > 0); /* so the groups must be those of before */
}

TEST(numbers_of_nodes_do_not_matter)
{
    struct random r = {32};
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct made m, other;
        struct interval i[PLAN_NODES], k[PLAN_NODES];
        uint32_t to[PLAN_NODES];
        make(&m, &r);
        plan_shuffle(&m.plan, &r, to);
        plan_renumber(&other.plan, &m.plan, to);
        for (uint32_t v = 0; v < m.g.nodes; v++)
            other.p[to[v]] = m.p[v];
        build(&other);
        intervals(&m, i);
        intervals(&other, k);
        for (uint32_t v = 0; v < m.g.nodes; v++) {
            const struct interval *x = &i[v], *y = &k[to[v]];
            assert_true(same(x->low, y->low) && same(x->high, y->high) && x->roots == y->roots);
            assert_true(same(x->exact, y->exact) || (isnan(x->exact) && isnan(y->exact)));
        }
        release(&m);
        release(&other);
    }
}

/* Makes a node of the plan with one group of one antecedent, or without, and gives it to `user` as another support.
 * Returns whether there is room, and `user` stands and is not a leaf. */
static bool support_by_new_node(const struct made *m, struct made *more, uint32_t user,
                                uint32_t count, uint32_t on)
{
    uint32_t leaf[PLAN_NODES], node = m->plan.nodes;
    size_t leaves = leaves_of(m, leaf);
    bool fits = node < PLAN_NODES && m->plan.groups + 2 <= PLAN_GROUPS && m->l.stands[user];
    for (size_t i = 0; i < leaves; i++)
        fits &= leaf[i] != user;
    if (!fits)
        return false;
    more->plan = m->plan;
    memcpy(more->p, m->p, sizeof(m->p));
    more->plan.nodes++;
    more->plan.kind[node] = KIND_RAW;
    more->plan.status[node] = STATUS_ACTIVE;
    more->plan.ended[node] = false;
    if (count > 0)
        plan_put(&more->plan, node, READING_ANY, count, &on);
    plan_put(&more->plan, user, READING_ANY, 1, &node);
    build(more);
    return true;
}

TEST(an_independent_support_lowers_nothing)
{
    struct random r = {33};
    size_t higher = 0;
    for (int round = 0; round < RANDOM_ROUNDS(8000); round++) {
        struct made m, more;
        struct interval i[PLAN_NODES], k[PLAN_NODES];
        make(&m, &r);
        m.p[m.plan.nodes < PLAN_NODES ? m.plan.nodes : 0] = random_p(&r);
        if (support_by_new_node(&m, &more, random_below(&r, m.plan.nodes), 0, 0)) {
            intervals(&m, i);
            intervals(&more, k);
            for (uint32_t v = 0; v < m.g.nodes; v++) {
                assert_true(k[v].low >= i[v].low - ROUNDING && k[v].high >= i[v].high - ROUNDING);
                assert_false(k[v].exact < i[v].exact - ROUNDING);
                higher += k[v].low > i[v].low && k[v].exact > i[v].exact;
            }
            release(&more);
        }
        release(&m);
    }
    assert_true(higher > RANDOM_ROUNDS(500));
}

TEST(a_copy_of_the_same_origin_raises_nothing)
{
    struct random r = {34};
    size_t copies = 0;
    for (int round = 0; round < RANDOM_ROUNDS(8000); round++) {
        struct made m, more;
        struct interval i[PLAN_NODES], k[PLAN_NODES];
        make(&m, &r);
        uint32_t user = random_below(&r, m.plan.nodes), on = NODE_NONE;
        for (uint32_t j = m.g.just_first[user]; j < m.g.just_first[user + 1]; j++)
            if (m.l.broken[j] == 0 && m.g.link_first[j + 1] - m.g.link_first[j] == 1)
                on = m.g.link_to[m.g.link_first[j]];
        if (on != NODE_NONE && support_by_new_node(&m, &more, user, 1, on)) {
            intervals(&m, i);
            intervals(&more, k);
            for (uint32_t v = 0; v < m.g.nodes; v++) {
                assert_true(k[v].low <= i[v].low + ROUNDING);
                assert_false(k[v].exact > i[v].exact + ROUNDING);
            }
            copies++;
            release(&more);
        }
        release(&m);
    }
    assert_true(copies > RANDOM_ROUNDS(500));
}

/* ---- by hand ---- */

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

/* Of the last node. Releases the graph. */
static void expect(struct graph *g, const double *p, struct interval expected, const char *low,
                   const char *high)
{
    struct labels l;
    struct interval i;
    AUTO_STRBUF got_low = STRBUF_INIT;
    AUTO_STRBUF got_high = STRBUF_INIT;
    graph_finish(g);
    labels_compute(&l, g);
    interval_explain(&i, &got_low, &got_high, g, &l, g->nodes - 1, p, 1000);
    assert_string_equal(got_low.buf, low);
    assert_string_equal(got_high.buf, high);
    assert_true(same(i.low, expected.low) && same(i.high, expected.high));
    assert_true(same(i.exact, expected.exact) && i.roots == expected.roots);
    labels_release(&l);
    graph_release(g);
}

TEST(independent_supports_add_up)
{
    struct graph g;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){1, 2});
    add(&g, any, 2, (uint32_t[]){0, 3});
    expect(&g, (double[]){0.6, 0.9, 0.8},
           (struct interval){.low = 0.888, .high = 0.92, .exact = 0.888, .roots = 3},
           "1 - (1 - 0.6) * (1 - 0.9 * 0.8)", "1 - (1 - 0.6) * (1 - 0.8)");
}

TEST(supports_of_one_root_count_once)
{
    struct graph g;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, any, 1, (uint32_t[]){0});
    add(&g, all, 2, (uint32_t[]){0, 1});
    add(&g, any, 1, (uint32_t[]){0});
    add(&g, any, 3, (uint32_t[]){2, 3, 4});
    expect(&g, (double[]){0.5, 0.25},
           (struct interval){.low = 0.5, .high = 0.8125, .exact = 0.5, .roots = 2}, "0.5",
           "1 - (1 - 0.5) * (1 - 0.25) * (1 - 0.5)");
}

TEST(a_shared_antecedent_is_not_wrong_twice)
{
    struct graph g;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, any, 2, (uint32_t[]){0, 1});
    add(&g, all, 2, (uint32_t[]){2, 0});
    expect(&g, (double[]){0.5, 0.00000025},
           (struct interval){.low = 0.5 * 0.500000125, .high = 0.5, .exact = 0.5, .roots = 2},
           "(1 - (1 - 0.5) * (1 - 0.00000025)) * 0.5", "0.5");
}

TEST(a_circle_is_not_certain)
{
    struct graph g;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, any, 2, (uint32_t[]){0, 3});
    add(&g, any, 2, (uint32_t[]){1, 2});
    expect(&g, (double[]){0.5, 0.25},
           (struct interval){.low = 0.5, .high = 1, .exact = 0.625, .roots = 2}, "0.5", "1");
    graph_init(&g);
    add(&g, any, 1, (uint32_t[]){1});
    add(&g, any, 1, (uint32_t[]){0});
    expect(&g, (double[]){1, 1}, (struct interval){.low = 0}, "0", "0");
}

TEST(a_memory_that_stands_by_itself_has_its_own)
{
    struct graph g;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 1, (uint32_t[]){0});
    graph_add_group(&g, all, 1, NULL, 0);
    expect(&g, (double[]){0.9, 0.3},
           (struct interval){.low = 0.3, .high = 0.3, .exact = 0.3, .roots = 1}, "0.3", "0.3");
}

/* More roots than a word has bits: pairs of neighbours share them all the way, or pairs share none. */
TEST(groups_are_found_among_many_roots)
{
    for (uint32_t step = 1; step <= 2; step++) {
        struct graph g;
        struct labels l;
        struct interval i;
        double p[152];
        graph_init(&g);
        for (uint32_t v = 0; v < 150; v++) {
            add(&g, any, 0, NULL);
            p[v] = 0.5;
        }
        graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE);
        for (uint32_t v = 0; v + 1 < 150; v += step)
            graph_add_group(&g, all, v, (uint32_t[]){v, v + 1}, 2);
        graph_finish(&g);
        labels_compute(&l, &g);
        interval_compute(&i, &g, &l, 150, p);
        assert_true(i.grouped);
        assert_true(same(i.low, step == 1 ? 0.25 : 1 - pow(0.75, 75)));
        assert_true(isnan(i.exact) && i.roots == 150);
        labels_release(&l);
        graph_release(&g);
    }
}

TEST(long_ones_are_written_within_a_limit)
{
    const uint32_t nodes = 300000;
    struct graph g;
    struct labels l;
    struct interval i;
    AUTO_FREE double *p = malloc((nodes + 1) * sizeof(*p));
    AUTO_FREE uint32_t *source = malloc(1000 * sizeof(*source));
    AUTO_STRBUF low = STRBUF_INIT;
    AUTO_STRBUF high = STRBUF_INIT;
    graph_init(&g);
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t before = v - 1;
        add(&g, any, v > 1000, &before); /* a thousand leaves, and a chain on the last */
        p[v] = 0.001 + v % 7 / 1e5;
    }
    add(&g, any, 0, NULL);
    p[nodes] = 0.1;
    for (uint32_t v = 0; v < 1000; v++)
        source[v] = v;
    graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(&g, any, 0, source, 1000);
    graph_add_group(&g, all, 1, (uint32_t[]){nodes - 1, nodes}, 2);
    graph_finish(&g);
    labels_compute(&l, &g);
    interval_explain(&i, &low, &high, &g, &l, nodes + 1, p, 500);
    assert_true(low.len > 450 && low.len < 560 && high.len > 450 && high.len < 560);
    assert_true(same(calculate(low.buf), i.low) && same(calculate(high.buf), i.high));
    assert_true(i.low > 0.6 && i.low < i.high && i.high < 0.7);
    labels_release(&l);
    graph_release(&g);
}
