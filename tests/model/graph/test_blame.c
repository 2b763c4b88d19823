/* Blame sets, responsibility and shares, compared with all subsets of the sources retracted. */
#include <math.h>
#include "model/base/alloc.h"
#include "model/graph/assignment.h"
#include "model/graph/blame.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

#define MOST       16
#define NODES_MOST 32 /* of a graph: a plan has up to PLAN_NODES, layers up to 26 */

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

static bool is_leaf(const struct graph *g, uint32_t v)
{
    bool leaf = g->just_first[v] == g->just_first[v + 1];
    for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++)
        leaf |= g->link_first[j] == g->link_first[j + 1];
    return leaf;
}

/* ---- by brute force ---- */

struct brute {
    uint32_t source[NODES_MOST]; /* ascending */
    size_t sources;
    bool *stands;             /* [1 << sources] without the retracted ones, a bit for each */
    uint32_t sets[1 << MOST]; /* minimal ones, as bits */
    size_t set_count;
    size_t
        least[NODES_MOST]; /* the size of the smallest set with the source; SIZE_MAX: none has it */
};

static void mark(const struct graph *g, const struct labels *l, uint32_t v, bool *seen)
{
    seen[v] = true;
    for (uint32_t j = g->just_first[v]; !is_leaf(g, v) && j < g->just_first[v + 1]; j++) {
        bool valid = true;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            valid &= l->stands[g->link_to[i]];
        for (uint32_t i = g->link_first[j]; valid && i < g->link_first[j + 1]; i++)
            if (!seen[g->link_to[i]])
                mark(g, l, g->link_to[i], seen);
    }
}

static void retract_each_subset(struct brute *b, struct graph *g, uint32_t target)
{
    b->stands = xcalloc((size_t)1 << b->sources, 1);
    for (uint32_t subset = 0; subset < 1u << b->sources; subset++) {
        struct labels l;
        uint8_t before[NODES_MOST];
        for (size_t i = 0; i < b->sources; i++) {
            before[i] = g->status[b->source[i]];
            if (subset >> i & 1)
                g->status[b->source[i]] = STATUS_RETRACTED;
        }
        labels_compute(&l, g);
        b->stands[subset] = l.stands[target];
        labels_release(&l);
        for (size_t i = 0; i < b->sources; i++)
            g->status[b->source[i]] = before[i];
    }
}

/* Returns false if the target stands by itself, does not stand, or has too many sources. */
static bool brute_make(struct brute *b, struct graph *g, const struct labels *l, uint32_t target)
{
    bool seen[NODES_MOST] = {false};
    b->sources = b->set_count = 0;
    if (!l->stands[target] || is_leaf(g, target))
        return false;
    mark(g, l, target, seen);
    for (uint32_t v = 0; v < g->nodes; v++)
        if (seen[v] && is_leaf(g, v)) {
            b->least[b->sources] = SIZE_MAX;
            b->source[b->sources++] = v;
        }
    if (b->sources > MOST)
        return false;
    retract_each_subset(b, g, target);
    for (uint32_t subset = 0; subset < 1u << b->sources; subset++) {
        bool minimal = !b->stands[subset];
        for (size_t i = 0; i < b->sources; i++)
            if (subset >> i & 1)
                minimal &= b->stands[subset ^ 1u << i];
        size_t size = (size_t)__builtin_popcount(subset);
        for (size_t i = 0; minimal && i < b->sources; i++)
            if ((subset >> i & 1) && size < b->least[i])
                b->least[i] = size;
        if (minimal)
            b->sets[b->set_count++] = subset;
    }
    return true;
}

static size_t place_of(const struct brute *b, uint32_t node)
{
    size_t i = 0;
    while (b->source[i] != node)
        assert_true(++i < b->sources);
    return i;
}

static uint32_t bits_of(const struct brute *b, const struct blame *out, size_t set)
{
    uint32_t bits = 0;
    for (size_t k = out->first[set]; k < out->first[set + 1]; k++) {
        assert_true(k == out->first[set] || out->member[k - 1] < out->member[k]);
        bits |= 1u << place_of(b, out->member[k]);
    }
    return bits;
}

static bool is_listed(const struct brute *b, const struct blame *out, uint32_t bits)
{
    for (size_t i = 0; i < out->set_count; i++)
        if (bits_of(b, out, i) == bits)
            return true;
    return false;
}

static bool is_set(const struct brute *b, uint32_t bits)
{
    for (size_t i = 0; i < b->set_count; i++)
        if (b->sets[i] == bits)
            return true;
    return false;
}

/* Smaller sets first, then by node; none twice. */
static void expect_order(const struct blame *out)
{
    for (size_t i = 1; i < out->set_count; i++) {
        const uint32_t *a = out->member + out->first[i - 1], *c = out->member + out->first[i];
        size_t before = out->first[i] - out->first[i - 1],
               count = out->first[i + 1] - out->first[i];
        assert_true(before <= count);
        for (size_t k = 0; before == count; k++) {
            assert_true(k < count && a[k] <= c[k]);
            if (a[k] < c[k])
                break;
        }
    }
}

static void expect_sets(const struct brute *b, const struct blame *out)
{
    expect_order(out);
    assert_true(out->set_count > 0);
    for (size_t i = 0; i < out->set_count; i++) {
        uint32_t bits = bits_of(b, out, i);
        assert_false(b->stands[bits]);
        assert_true(out->greedy || is_set(b, bits));
    }
    for (size_t i = 0; i < b->set_count; i++)
        if ((size_t)__builtin_popcount(b->sets[i]) <= out->exact_to)
            assert_true(is_listed(b, out, b->sets[i]));
    assert_true(!out->greedy || out->set_count == 1);
}

static double share_by_brute_force(const struct brute *b, size_t source)
{
    size_t decides = 0;
    for (uint32_t subset = 0; subset < 1u << b->sources; subset++)
        decides +=
            !(subset >> source & 1) && b->stands[subset] && !b->stands[subset | 1u << source];
    return (double)decides / (double)(1u << (b->sources - 1));
}

static void expect_sources(const struct brute *b, const struct blame *out)
{
    assert_int_equal(out->source_count, b->sources);
    assert_false(out->sampled);
    for (size_t i = 0; i < out->source_count; i++) {
        const struct blame_source *s = &out->source[i], *before = i ? s - 1 : s;
        size_t place = place_of(b, s->node), least = b->least[place];
        double responsibility = least == SIZE_MAX ? 0 : 1 / (double)least;
        assert_true(s->at_most ? responsibility <= s->responsibility
                               : responsibility == s->responsibility);
        assert_true(s->at_most ? out->exact_to != SIZE_MAX : true);
        assert_true(fabs(s->share - share_by_brute_force(b, place)) < 1e-12);
        assert_true(s->error == 0);
        assert_true(before->responsibility > s->responsibility ||
                    (before->responsibility == s->responsibility && before->share >= s->share));
    }
}

/* What the graphs of a test had, so that it cannot pass on trivial ones. */
struct seen {
    size_t graphs, sets, large, many, greedy, cut;
};

static void compare(struct graph *g, uint32_t target, uint64_t budget, struct seen *seen)
{
    static struct brute b;
    struct labels l;
    struct blame out;
    labels_compute(&l, g);
    if (brute_make(&b, g, &l, target)) {
        blame_compute(&out, g, &l, target, budget);
        expect_sets(&b, &out);
        expect_sources(&b, &out);
        if (budget == BLAME_BUDGET) {
            assert_true(out.exact_to == SIZE_MAX && !out.greedy);
            assert_int_equal(out.set_count, b.set_count);
        }
        seen->graphs++;
        seen->sets += b.set_count;
        seen->large += (size_t)__builtin_popcount(b.sets[b.set_count - 1]) > 3;
        seen->many += b.set_count > 10;
        seen->greedy += out.greedy;
        seen->cut += out.exact_to != SIZE_MAX;
        blame_release(&out);
        free(b.stands);
    }
    labels_release(&l);
}

/* Sources, then memories with several groups each, which may be in circles; the last is the target. */
static uint32_t make_layers(struct graph *g, struct random *r)
{
    uint32_t sources = 4 + random_below(r, random_chance(r, 1) ? MOST - 3 : 7),
             others = 2 + random_below(r, 8);
    graph_init(g);
    for (uint32_t v = 0; v < sources; v++)
        graph_add_node(g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t v = 0; v <= others; v++) {
        graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
        for (uint32_t group = 0, groups = 1 + random_below(r, v == others ? 6 : 2); group < groups;
             group++) {
            uint32_t antecedent[4], count = 2 + random_below(r, 3);
            for (uint32_t i = 0; i < count; i++)
                antecedent[i] = random_chance(r, v == others ? 40 : 70) || v == 0
                                    ? random_below(r, sources)
                                    : sources + random_below(r, random_chance(r, 90) ? v : others);
            graph_add_group(g, random_chance(r, 12) ? any : all, group, antecedent, count);
        }
    }
    graph_finish(g);
    return sources + others;
}

TEST(sets_equal_all_subsets_of_random_graphs)
{
    struct random r = {29};
    struct seen seen = {0};
    for (int round = 0; round < RANDOM_ROUNDS(6000); round++) {
        struct plan p;
        struct graph g;
        plan_make(&p, &r);
        plan_build(&p, &g);
        compare(&g, random_below(&r, p.nodes), BLAME_BUDGET, &seen);
        graph_release(&g);
    }
    assert_true(seen.graphs > RANDOM_ROUNDS(1000) && seen.sets > RANDOM_ROUNDS(1500));
}

TEST(sets_equal_all_subsets_in_layers)
{
    struct random r = {31};
    struct seen seen = {0};
    for (int round = 0; round < RANDOM_ROUNDS(4000); round++) {
        struct graph g;
        uint32_t target = make_layers(&g, &r);
        compare(&g, target, BLAME_BUDGET, &seen);
        graph_release(&g);
    }
    assert_true(seen.graphs > RANDOM_ROUNDS(2000) && seen.sets > RANDOM_ROUNDS(10000) &&
                seen.large > RANDOM_ROUNDS(300) && seen.many > RANDOM_ROUNDS(100));
}

/* Sources, then members that are mostly based on each other; the last is the target. */
static uint32_t make_circle(struct graph *g, struct random *r)
{
    uint32_t sources = 2 + random_below(r, 7), others = 3 + random_below(r, 12);
    graph_init(g);
    for (uint32_t v = 0; v < sources; v++)
        graph_add_node(g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t v = 0; v < others; v++) {
        graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
        for (uint32_t group = 0; group < 3; group++) {
            uint32_t antecedent[] = {sources + random_below(r, others),
                                     sources + random_below(r, others)};
            if (random_chance(r, 25))
                antecedent[0] = antecedent[1] = random_below(r, sources);
            graph_add_group(g, random_chance(r, 50) ? any : all, group, antecedent,
                            1 + random_below(r, 2));
        }
        graph_add_group(g, all, 3,
                        (uint32_t[]){sources + random_below(r, others), random_below(r, sources)},
                        2);
    }
    graph_finish(g);
    return sources + others - 1;
}

TEST(sets_equal_all_subsets_in_circles)
{
    struct random r = {43};
    struct seen seen = {0};
    for (int round = 0; round < RANDOM_ROUNDS(4000); round++) {
        struct graph g;
        uint32_t target = make_circle(&g, &r);
        compare(&g, target, BLAME_BUDGET, &seen);
        graph_release(&g);
    }
    assert_true(seen.graphs > RANDOM_ROUNDS(2000) && seen.sets > RANDOM_ROUNDS(4000));
}

TEST(a_small_budget_claims_nothing_false)
{
    struct random r = {37};
    struct seen seen = {0};
    for (int round = 0; round < RANDOM_ROUNDS(4000); round++) {
        struct graph g;
        uint32_t target = make_layers(&g, &r);
        compare(&g, target, 1 + random_below(&r, 2000), &seen);
        graph_release(&g);
    }
    assert_true(seen.cut > RANDOM_ROUNDS(400) && seen.greedy > RANDOM_ROUNDS(30));
}

/* ---- shares of many sources ---- */

/* All of 5 memories, each based on any of 5 sources. */
TEST(a_sample_is_within_its_error)
{
    struct graph g;
    struct labels l;
    struct blame out;
    double expected = pow(0.5, 4) * pow(1 - pow(0.5, 5), 4);
    graph_init(&g);
    for (uint32_t v = 0; v < 25; v++)
        graph_add_node(&g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t v = 0; v < 5; v++) {
        graph_add_node(&g, KIND_NOTE, STATUS_ACTIVE);
        graph_add_group(&g, any, 0, (uint32_t[]){v * 5, v * 5 + 1, v * 5 + 2, v * 5 + 3, v * 5 + 4},
                        5);
    }
    graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(&g, all, 0, (uint32_t[]){25, 26, 27, 28, 29}, 5);
    graph_finish(&g);
    labels_compute(&l, &g);
    blame_compute(&out, &g, &l, 30, BLAME_BUDGET);
    assert_true(out.sampled && out.source_count == 25 && out.exact_to == SIZE_MAX);
    assert_int_equal(out.set_count, 5);
    for (size_t i = 0; i < 25; i++) {
        assert_true(out.source[i].error > 0 && out.source[i].error < 0.01);
        assert_true(fabs(out.source[i].share - expected) < out.source[i].error * 2);
        assert_true(out.source[i].responsibility == 0.2 && !out.source[i].at_most);
    }
    blame_release(&out);
    labels_release(&l);
    graph_release(&g);
}

/* Sources 0..21 in random groups. */
static uint32_t make_wide(struct graph *g, struct random *r)
{
    graph_init(g);
    for (uint32_t v = 0; v < 22; v++)
        graph_add_node(g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t v = 22; v < 38; v++) {
        uint32_t antecedent[4];
        graph_add_node(g, KIND_NOTE, STATUS_ACTIVE);
        for (uint32_t group = 0; group < 2; group++) {
            for (uint32_t i = 0; i < 4; i++)
                antecedent[i] =
                    v < 30 ? (v - 22) * 11 / 4 + random_below(r, 3) : random_below(r, v);
            graph_add_group(g, random_chance(r, 30) ? any : all, group, antecedent, 4);
        }
    }
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    for (uint32_t group = 0; group < 8; group++)
        graph_add_group(g, all, group,
                        (uint32_t[]){22 + random_below(r, 16), 22 + random_below(r, 16),
                                     random_below(r, 22), random_below(r, 22)},
                        4);
    graph_finish(g);
    return 38;
}

/* In how many of all assignments each source is believed and the target stands; returns in how many
 * it stands. */
static double count_all(struct support_function *f, size_t sources, double *both)
{
    double standing = 0;
    uint64_t word[32];
    for (uint64_t base = 0; base < UINT64_C(1) << (sources - 6); base++) {
        for (size_t i = 0; i < sources; i++) {
            word[i] = i >= 6 ? -(base >> (i - 6) & 1) : 0;
            for (unsigned b = 0; i < 6 && b < 64; b++)
                word[i] |= (uint64_t)(b >> i & 1) << b;
        }
        uint64_t stands = support_evaluate(f, word);
        standing += __builtin_popcountll(stands);
        for (size_t i = 0; i < sources; i++)
            both[i] += __builtin_popcountll(stands & word[i]);
    }
    return standing;
}

TEST(samples_of_random_graphs_are_within_their_error)
{
    struct random r = {41};
    size_t sampled = 0, outside = 0;
    for (int round = 0; round < 60 && sampled < 150; round++) {
        struct graph g;
        struct labels l;
        struct blame out;
        double both[32] = {0};
        const uint32_t *source;
        uint32_t target = make_wide(&g, &r);
        labels_compute(&l, &g);
        blame_compute(&out, &g, &l, target, BLAME_BUDGET);
        struct support_function *f = support_function_new(&g, &l, target);
        size_t n = support_sources(f, &source);
        double standing = out.sampled ? count_all(f, n, both) : 0;
        for (size_t i = 0; out.sampled && i < n; i++, sampled++) {
            size_t k = 0;
            while (out.source[k].node != source[i])
                k++;
            double exact = 2 * (2 * both[i] - standing) / (double)(UINT64_C(1) << n);
            double wrong = fabs(exact - out.source[k].share);
            assert_true(wrong <= 2 * out.source[k].error); /* 0 if it makes no difference */
            outside += wrong > out.source[k].error;
        }
        support_function_free(f);
        blame_release(&out);
        labels_release(&l);
        graph_release(&g);
    }
    assert_true(sampled >= 100);
    assert_true(outside * 10 < sampled);
}

/* ---- what has no set, and what is large ---- */

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

TEST(what_stands_by_itself_or_not_at_all_has_no_set)
{
    struct graph g;
    struct labels l;
    struct blame out;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 1, (uint32_t[]){2}); /* a circle */
    add(&g, any, 1, (uint32_t[]){1});
    graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE); /* also based on nothing */
    graph_add_group(&g, all, 0, NULL, 0);
    graph_add_group(&g, any, 1, (uint32_t[]){0}, 1);
    add(&g, any, 2, (uint32_t[]){3, 1});
    graph_finish(&g);
    labels_compute(&l, &g);
    for (uint32_t target = 0; target < 4; target++) {
        blame_compute(&out, &g, &l, target, BLAME_BUDGET);
        assert_true(out.set_count == 0 && out.source_count == 0 && out.exact_to == SIZE_MAX);
        assert_true(out.first[0] == 0 && !out.greedy && !out.sampled);
        blame_release(&out);
    }
    blame_compute(&out, &g, &l, 4, BLAME_BUDGET); /* 3 is a source, whatever else it is based on */
    assert_true(out.set_count == 1 && out.member[0] == 3 && out.source_count == 1);
    assert_true(out.source[0].responsibility == 1 && out.source[0].share == 1);
    blame_release(&out);
    labels_release(&l);
    graph_release(&g);
}

/* A circle of 20,000 with a source at 18 of them: each is enough for all. */
TEST(a_large_circle_is_answered_exactly)
{
    const uint32_t members = 20000, sources = 18;
    struct graph g;
    struct labels l;
    struct blame out;
    graph_init(&g);
    for (uint32_t v = 0; v < sources; v++)
        graph_add_node(&g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t i = 0; i < members; i++) {
        add(&g, any, 1, (uint32_t[]){sources + (i + 1) % members});
        if (i % 1000 == 0 && i / 1000 < sources)
            graph_add_group(&g, any, 1, (uint32_t[]){i / 1000}, 1);
    }
    graph_finish(&g);
    labels_compute(&l, &g);
    blame_compute(&out, &g, &l, sources, BLAME_BUDGET);
    assert_true(out.set_count == 1 && out.first[1] == sources && out.exact_to == SIZE_MAX);
    assert_true(!out.sampled && !out.greedy && out.source[0].error == 0);
    blame_release(&out);
    labels_release(&l);
    graph_release(&g);
}

/* A chain of 100,000 with a source at each; and two groups of 100 sources. */
TEST(large_lineages_are_answered)
{
    const uint32_t links = 100000, each = 100;
    struct graph g;
    struct labels l;
    struct blame out;
    AUTO_FREE uint32_t *first = xmalloc(each * sizeof(*first));
    AUTO_FREE uint32_t *second = xmalloc(each * sizeof(*second));
    graph_init(&g);
    add(&g, any, 0, NULL);
    for (uint32_t i = 1; i <= links; i++) { /* source 2 i - 1, belief 2 i */
        add(&g, any, 0, NULL);
        add(&g, any, i == 1 ? 1 : 2, (uint32_t[]){2 * i - 1, 2 * i - 2});
    }
    for (uint32_t i = 0; i < each; i++) {
        first[i] = 2 * i + 1;
        second[i] = 2 * (each + i) + 1;
    }
    uint32_t pairs = g.nodes;
    graph_add_node(&g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(&g, all, 0, first, each);
    graph_add_group(&g, all, 1, second, each);
    graph_finish(&g);
    labels_compute(&l, &g);
    blame_compute(&out, &g, &l, 2 * links, BLAME_BUDGET); /* any source of the chain is enough */
    assert_true(out.set_count == 1 && out.first[1] == links && out.exact_to == SIZE_MAX);
    assert_true(out.source[0].responsibility == 1.0 / links && out.sampled);
    blame_release(&out);
    blame_compute(&out, &g, &l, pairs, BLAME_BUDGET); /* one of each group */
    assert_int_equal(out.set_count, each * each);
    assert_true(out.exact_to == SIZE_MAX && out.source[0].responsibility == 0.5);
    blame_release(&out);
    labels_release(&l);
    graph_release(&g);
}
