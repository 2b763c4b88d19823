/* Labels of small graphs, and of thousands of random graphs by the definition. */
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

static void add(struct graph *g, enum kind kind, enum status status)
{
    graph_add_node(g, kind, status);
}

static void base(struct graph *g, unsigned shape, size_t count, ...)
{
    uint32_t antecedents[8];
    va_list args;
    va_start(args, count);
    for (size_t i = 0; i < count; i++)
        antecedents[i] = (uint32_t)va_arg(args, int);
    va_end(args);
    graph_add_group(g, shape, 0, antecedents, count);
}

/* Finishes the graph and compares the labels with the letters: g supported, w weakened, u
 * unsupported, c circular, n unsourced, x ended. */
static void expect(struct graph *g, const char *letters)
{
    static const char letter[] = {'g', 'w', 'u', 'c', 'n', 'x'};
    struct labels l;
    graph_finish(g);
    labels_compute(&l, g);
    char got[64] = "";
    for (uint32_t v = 0; v < g->nodes; v++)
        got[v] = letter[l.label[v]];
    assert_string_equal(got, letters);
    labels_release(&l);
    graph_release(g);
}

TEST(each_label_has_its_name)
{
    static const char *const names[] = {"supported", "weakened",  "unsupported",
                                        "circular",  "unsourced", "ended"};
    for (int l = 0; l < LABEL_COUNT; l++)
        assert_string_equal(label_name((enum label)l), names[l]);
}

TEST(an_empty_graph_has_no_labels)
{
    struct graph g;
    graph_init(&g);
    expect(&g, "");
}

TEST(kinds_that_need_no_source_are_supported)
{
    struct graph g;
    graph_init(&g);
    for (int k = 0; k < KIND_COUNT; k++)
        add(&g, (enum kind)k, STATUS_ACTIVE);
    /* raw, attribution, document and entry need no source */
    expect(&g, "gnnnnnnnnggnnng");
}

TEST(a_lost_source_weakens_any_and_ends_the_support_of_all)
{
    struct graph g;
    graph_init(&g);
    add(&g, KIND_RAW, STATUS_ACTIVE);
    add(&g, KIND_RAW, STATUS_RETRACTED);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 2, 0, 1);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, all, 2, 0, 1);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 1, 3);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, all, 2, 0, 2);
    expect(&g, "gxwuug");
}

TEST(an_empty_justification_always_holds)
{
    struct graph g;
    graph_init(&g);
    add(&g, KIND_RAW, STATUS_MISSING);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 0);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, all, 0);
    base(&g, any, 1, 0);
    expect(&g, "xgw");
}

TEST(superseded_and_expired_still_support)
{
    struct graph g;
    graph_init(&g);
    for (int s = 0; s < STATUS_COUNT; s++)
        add(&g, KIND_RAW, (enum status)s);
    for (int s = 0; s < STATUS_COUNT; s++) {
        add(&g, KIND_BELIEF, STATUS_ACTIVE);
        base(&g, any, 1, s);
    }
    /* not even the one that waits for approval, nor the rejected one */
    expect(&g, "gggxxxxxxxxggguuuuuuuu");
}

TEST(a_cycle_never_supports_itself)
{
    struct graph g;
    graph_init(&g);
    add(&g, KIND_BELIEF, STATUS_ACTIVE); /* based on itself */
    base(&g, any, 1, 0);
    add(&g, KIND_BELIEF, STATUS_ACTIVE); /* two that are based on each other */
    base(&g, any, 1, 2);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 1, 1);
    add(&g, KIND_BELIEF, STATUS_ACTIVE); /* based on the cycle */
    base(&g, any, 1, 1);
    add(&g, KIND_RAW, STATUS_ACTIVE);
    add(&g, KIND_BELIEF, STATUS_ACTIVE); /* a cycle with support from outside */
    base(&g, any, 2, 4, 6);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 1, 5);
    add(&g, KIND_RAW, STATUS_DELETED);
    add(&g, KIND_BELIEF, STATUS_ACTIVE); /* a cycle that also needs an ended node */
    base(&g, all, 2, 7, 9);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, any, 1, 8);
    expect(&g, "ccccgggxuu");
}

TEST(a_diamond_is_supported)
{
    struct graph g;
    graph_init(&g);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    base(&g, all, 2, 1, 2);
    add(&g, KIND_EPISODE, STATUS_ACTIVE);
    base(&g, any, 1, 3);
    add(&g, KIND_NOTE, STATUS_ACTIVE);
    base(&g, any, 1, 3);
    add(&g, KIND_RAW, STATUS_ACTIVE);
    expect(&g, "gggg");
}

TEST(a_repeated_antecedent_counts_once)
{
    struct graph g;
    uint32_t many[100];
    struct labels l;
    graph_init(&g);
    add(&g, KIND_RAW, STATUS_ACTIVE);
    add(&g, KIND_RAW, STATUS_ACTIVE);
    for (uint32_t i = 0; i < 100; i++)
        many[i] = (i + 1) % 2;
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(&g, any, 3, many, 100);
    add(&g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(&g, all, 70000, many, 100);
    graph_finish(&g);
    assert_int_equal(g.justs, 3);
    assert_int_equal(g.links, 4);
    assert_int_equal(g.link_to[0], 1); /* in order */
    assert_int_equal(g.link_to[1], 0);
    assert_int_equal(g.just_group[0], 3);
    assert_int_equal(g.just_group[2], 70000);
    labels_compute(&l, &g);
    assert_int_equal(l.valid[2], 2);
    assert_int_equal(l.valid[3], 1);
    labels_release(&l);
    graph_release(&g);
}

TEST(users_mirror_sources)
{
    struct random r = {11};
    for (int round = 0; round < RANDOM_ROUNDS(500); round++) {
        struct plan p;
        struct graph g;
        plan_make(&p, &r);
        plan_build(&p, &g);
        size_t uses = 0;
        for (uint32_t v = 0; v < g.nodes; v++)
            for (uint32_t i = g.use_first[v]; i < g.use_first[v + 1]; i++, uses++) {
                uint32_t j = g.use_just[i];
                bool named = false;
                for (uint32_t k = g.link_first[j]; k < g.link_first[j + 1]; k++)
                    named |= g.link_to[k] == v;
                assert_true(named);
                assert_true(plan_is_based_on(&p, g.just_node[j], v));
                assert_true(i == g.use_first[v] || g.use_just[i - 1] < j);
            }
        assert_int_equal(uses, g.links);
        graph_release(&g);
    }
}

TEST(random_graphs_match_the_definition)
{
    struct random r = {2026};
    size_t seen[LABEL_COUNT] = {0};
    for (int round = 0; round < RANDOM_ROUNDS(40000); round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        bool least[PLAN_NODES], greatest[PLAN_NODES];
        plan_make(&p, &r);
        plan_build(&p, &g);
        plan_least(&p, least);
        plan_greatest(&p, greatest);
        labels_compute(&l, &g);
        for (uint32_t v = 0; v < p.nodes; v++) {
            assert_int_equal(l.stands[v], least[v]);
            assert_int_equal(l.valid[v], plan_valid(&p, v, least));
            assert_int_equal(g.just_first[v + 1] - g.just_first[v], plan_given(&p, v));
            assert_int_equal(l.label[v], plan_label(&p, v, least, greatest));
            seen[l.label[v]]++;
        }
        for (uint32_t j = 0; j < g.justs; j++) {
            uint32_t broken = 0;
            for (uint32_t i = g.link_first[j]; i < g.link_first[j + 1]; i++)
                broken += !least[g.link_to[i]];
            assert_int_equal(l.broken[j], broken);
        }
        labels_release(&l);
        graph_release(&g);
    }
    for (int l = 0; l < LABEL_COUNT; l++)
        assert_true(seen[l] > 1000); /* the graphs have all labels */
}

/* A chain in which each is based on the next, or on the previous one. */
static void chain(uint32_t nodes, bool forward, enum status end, enum label expected)
{
    struct graph g;
    struct labels l;
    uint32_t source = forward ? nodes - 1 : 0;
    graph_init(&g);
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t next = forward ? v + 1 : v - 1;
        add(&g, v == source ? KIND_RAW : KIND_BELIEF, v == source ? end : STATUS_ACTIVE);
        if (v != source)
            graph_add_group(&g, any, 0, &next, 1);
    }
    graph_finish(&g);
    labels_compute(&l, &g);
    for (uint32_t v = 0; v < nodes; v++)
        if (v != source)
            assert_int_equal(l.label[v], expected);
    labels_release(&l);
    graph_release(&g);
}

TEST(chains_of_any_length_are_labelled)
{
    for (int forward = 0; forward < 2; forward++) {
        chain(5000, forward, STATUS_ACTIVE, LABEL_SUPPORTED);
        chain(5000, forward, STATUS_FORGOTTEN, LABEL_UNSUPPORTED);
        chain(1000000, forward, STATUS_ACTIVE, LABEL_SUPPORTED);
        chain(1000000, forward, STATUS_PURGED, LABEL_UNSUPPORTED);
    }
}
