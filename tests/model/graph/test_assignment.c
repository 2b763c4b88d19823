/* The support of a memory as a function of its sources, compared with the labels of the graph in which the sources
 * that are not believed are ended. */
#include <math.h>
#include "model/graph/assignment.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

#define SOURCES 16
#define WORDS   ((1 << SOURCES) / 64)

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* Believes of the sources those of the assignment. */
static void believe(struct graph *g, const uint8_t *status, const uint32_t *source, size_t sources,
                    size_t assignment)
{
    for (size_t s = 0; s < sources; s++)
        g->status[source[s]] = assignment >> s & 1 ? status[source[s]] : (uint8_t)STATUS_FORGOTTEN;
}

/* The probability by the definition, from the answers for all assignments. */
static double definition(const uint64_t *table, const double *p, size_t sources)
{
    double sum = 0;
    for (size_t a = 0; a < (size_t)1 << sources; a++) {
        double weight = 1;
        for (size_t s = 0; s < sources; s++)
            weight *= a >> s & 1 ? p[s] : 1 - p[s];
        sum += table[a / 64] >> a % 64 & 1 ? weight : 0;
    }
    return sum;
}

/* Compares all answers of one function with labels, and with its own answers for single words. */
static void check_function(struct support_function *f, struct graph *g, uint32_t target,
                           struct random *r)
{
    static uint64_t table[WORDS + 1], expected[WORDS];
    const uint32_t *source;
    uint64_t leaf[SOURCES] = {0};
    double p[SOURCES];
    uint8_t status[PLAN_NODES];
    size_t sources = support_sources(f, &source), words = sources > 6 ? 1 << (sources - 6) : 1;
    memcpy(status, g->status, g->nodes);
    memset(expected, 0, sizeof(expected));
    table[words] = 0xfeed;
    for (size_t a = 0; a < (size_t)1 << sources; a++) {
        struct labels l;
        believe(g, status, source, sources, a);
        labels_compute(&l, g);
        expected[a / 64] |= (uint64_t)l.stands[target] << a % 64;
        labels_release(&l);
    }
    memcpy(g->status, status, g->nodes);
    support_truth_table(f, table);
    assert_memory_equal(table, expected, words * sizeof(*table));
    assert_int_equal(table[words], 0xfeed);
    for (unsigned b = 0; b < 64; b++) {
        size_t a = random_below(r, 1u << sources);
        for (size_t s = 0; s < sources; s++)
            leaf[s] |= (uint64_t)(a >> s & 1) << b;
        expected[0] = b == 0 ? 0 : expected[0];
        expected[0] |= (table[a / 64] >> a % 64 & 1) << b;
    }
    assert_true(support_evaluate(f, leaf) == expected[0]);
    for (size_t s = 0; s < sources; s++)
        p[s] = random_below(r, 11) / 10.0;
    assert_true(fabs(support_probability(f, p) - definition(table, p, sources)) < 1e-12);
}

/* Do the sources have all leaves that stand and that the function depends on? */
static void check_sources(const struct graph *g, const struct labels *l, const uint32_t *source,
                          size_t sources)
{
    for (size_t s = 0; s < sources; s++) {
        bool empty = g->just_first[source[s]] == g->just_first[source[s] + 1];
        for (uint32_t j = g->just_first[source[s]]; j < g->just_first[source[s] + 1]; j++)
            empty |= g->link_first[j] == g->link_first[j + 1];
        assert_true(empty && l->stands[source[s]]);
        assert_true(s == 0 || source[s - 1] < source[s]);
    }
}

TEST(all_assignments_agree_with_labels)
{
    struct random r = {29};
    size_t of_size[SOURCES + 1] = {0}, large = 0;
    for (int round = 0; round < RANDOM_ROUNDS(6000); round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        plan_make(&p, &r);
        plan_build(&p, &g);
        labels_compute(&l, &g);
        for (uint32_t v = 0; v < g.nodes; v++) {
            const uint32_t *source;
            struct support_function *f = support_function_new(&g, &l, v);
            size_t sources = support_sources(f, &source);
            check_sources(&g, &l, source, sources);
            assert_true(sources > 0 || !l.stands[v]);
            /* A table of many sources takes long to compute by labels: two for each size. */
            if (sources <= SOURCES &&
                (sources <= 6 || of_size[sources] < (sources < 10 ? 50 : 3))) {
                check_function(f, &g, v, &r);
                of_size[sources]++;
                large += sources > 8;
            }
            support_function_free(f);
        }
        labels_release(&l);
        graph_release(&g);
    }
    for (size_t n = 0; n <= 8; n++)
        assert_true(of_size[n] > 0);
    assert_true(large > 5);
}

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

/* The table of the last node, which has one word. */
static uint64_t table_of_last(struct graph *g, double *probability, const double *p)
{
    struct labels l;
    uint64_t table;
    graph_finish(g);
    labels_compute(&l, g);
    struct support_function *f = support_function_new(g, &l, g->nodes - 1);
    support_truth_table(f, &table);
    *probability = support_probability(f, p);
    support_function_free(f);
    labels_release(&l);
    graph_release(g);
    return table;
}

TEST(two_of_three_are_needed)
{
    struct graph g;
    double probability;
    graph_init(&g);
    for (int i = 0; i < 3; i++)
        add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){0, 1}); /* 3 */
    add(&g, all, 2, (uint32_t[]){1, 2}); /* 4 */
    add(&g, all, 2, (uint32_t[]){0, 2}); /* 5 */
    add(&g, any, 3, (uint32_t[]){3, 4, 5});
    assert_int_equal(table_of_last(&g, &probability, (double[]){0.5, 0.5, 0.5}), 0xe8);
    assert_true(probability == 0.5);
}

TEST(a_circle_needs_its_source)
{
    struct graph g;
    double probability;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 2, (uint32_t[]){0, 2});
    add(&g, any, 1, (uint32_t[]){1});
    assert_int_equal(table_of_last(&g, &probability, (double[]){0.3}), 2);
    assert_true(probability == 0.3);
    graph_init(&g);
    add(&g, any, 1, (uint32_t[]){1});
    add(&g, any, 1, (uint32_t[]){0});
    assert_int_equal(table_of_last(&g, &probability, NULL), 0);
    assert_true(probability == 0);
}
