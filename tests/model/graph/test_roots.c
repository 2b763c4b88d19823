/*
 * Roots and independent derivations of one memory, compared with a maximum flow over an adjacency
 * matrix (Ford and Fulkerson 1956), and with all packings of derivations of small graphs.
 */
#include "model/base/alloc.h"
#include "model/graph/fold.h"
#include "model/graph/roots.h"
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* A random plan. `several`: in percent, how many of its groups may need all antecedents. */
static void make(struct plan *p, struct random *r, uint32_t most, uint32_t several)
{
    do
        plan_make(p, r);
    while (p->nodes > most);
    for (uint32_t i = 0; i < p->groups; i++)
        if (p->group[i].reading == READING_ALL && !random_chance(r, several))
            p->group[i].reading = READING_ANY;
}

/* ---- definitions ---- */

#define VERTICES (2 * PLAN_NODES + 2)

struct network {
    int capacity[VERTICES][VERTICES];
    bool seen[VERTICES];
};

static bool push(struct network *n, uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    n->seen[from] = true;
    for (uint32_t v = 0; v < VERTICES; v++)
        if (n->capacity[from][v] > 0 && !n->seen[v] && push(n, v, to)) {
            n->capacity[from][v]--;
            n->capacity[v][from]++;
            return true;
        }
    return false;
}

/* From leaves to the node, each other node on one path at most. One antecedent is enough. */
static uint32_t maximum_flow(const struct graph *g, const struct labels *l, uint32_t node)
{
    struct network n = {.capacity = {{0}}};
    const uint32_t source = VERTICES - 1;
    uint32_t flow = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        n.capacity[2 * v][2 * v + 1] = 1;
        n.capacity[source][2 * v] = fold_is_leaf(g, l, v);
        for (uint32_t j = g->just_first[v]; l->stands[v] && j < g->just_first[v + 1]; j++)
            for (uint32_t i = g->link_first[j]; l->broken[j] == 0 && i < g->link_first[j + 1]; i++)
                n.capacity[2 * g->link_to[i] + 1][2 * v] = 1;
    }
    for (; push(&n, source, 2 * node); flow++)
        memset(n.seen, 0, sizeof(n.seen));
    return flow;
}

/* Does the node stand if of the others only those of `mask` may? */
static bool is_derived(const struct graph *g, uint32_t node, uint32_t mask)
{
    bool stands[PLAN_NODES] = {false}, changed = true;
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < g->nodes; v++) {
            bool now = g->just_first[v] == g->just_first[v + 1];
            for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
                bool valid = true;
                for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                    valid &= stands[g->link_to[i]];
                now |= valid;
            }
            now &= graph_lives(g, v) && (v == node || (mask >> v & 1));
            changed |= now != stands[v];
            stands[v] = now;
        }
    }
    return stands[node];
}

#define SMALL 10

/* The most derivations that share nothing, of all packings. */
static uint32_t best_packing(const struct graph *g, uint32_t node)
{
    static uint32_t most[1 << SMALL], derivation[1 << SMALL];
    uint32_t count = 0;
    for (uint32_t mask = 0; mask < 1u << g->nodes; mask++) {
        bool least = !(mask >> node & 1) && is_derived(g, node, mask);
        for (uint32_t v = 0; v < g->nodes && least; v++)
            least = !(mask >> v & 1) || !is_derived(g, node, mask & ~(1u << v));
        if (least)
            derivation[count++] = mask;
        most[mask] = 0;
        for (uint32_t i = 0; i < count; i++)
            if ((derivation[i] & ~mask) == 0 && most[mask & ~derivation[i]] + 1 > most[mask])
                most[mask] = most[mask & ~derivation[i]] + 1;
    }
    return most[(1u << g->nodes) - 1];
}

/* Are they derivations, each memory after what it is based on, that share none? */
static void expect_derivations(const struct graph *g, const struct independence *of, uint32_t node)
{
    bool used[PLAN_NODES] = {false};
    for (uint32_t d = 0; d < of->independent; d++) {
        uint32_t mask = 0;
        size_t length = of->first[d + 1] - of->first[d];
        assert_true(length > 0 && (d == 0 || of->first[d] - of->first[d - 1] <= length));
        for (size_t i = of->first[d]; i < of->first[d + 1]; i++) {
            uint32_t v = of->member[i];
            assert_true(v != node && !used[v]);
            used[v] = true;
            assert_true(is_derived(g, v, mask));
            mask |= 1u << v;
        }
        assert_true(is_derived(g, node, mask));
    }
}

/* Adds the leaves that the node is based on. */
static void find_roots(const struct graph *g, const struct labels *l, uint32_t node, bool *seen,
                       bool *root)
{
    seen[node] = true;
    root[node] = fold_is_leaf(g, l, node);
    for (uint32_t j = g->just_first[node]; !root[node] && j < g->just_first[node + 1]; j++)
        for (uint32_t i = g->link_first[j]; l->broken[j] == 0 && i < g->link_first[j + 1]; i++)
            if (!seen[g->link_to[i]])
                find_roots(g, l, g->link_to[i], seen, root);
}

static void expect_roots(const struct graph *g, const struct labels *l,
                         const struct independence *of, uint32_t node)
{
    bool seen[PLAN_NODES] = {false}, root[PLAN_NODES] = {false};
    size_t count = 0;
    if (l->stands[node] && !fold_is_leaf(g, l, node))
        find_roots(g, l, node, seen, root);
    for (uint32_t v = 0; v < g->nodes; v++)
        if (root[v]) {
            assert_true(count < of->root_count);
            assert_int_equal(of->root[count++], v);
        }
    assert_int_equal(of->root_count, count);
    assert_int_equal(of->supports, l->stands[node] ? l->valid[node] : 0);
}

/* ---- random graphs ---- */

struct counts {
    uint32_t asked, several, unproven, missed;
};

static void expect_independence(const struct graph *g, const struct labels *l,
                                const struct keystones *k, uint32_t node, bool several,
                                struct counts *counts)
{
    struct independence of;
    independence_compute(&of, g, l, node);
    expect_roots(g, l, &of, node);
    expect_derivations(g, &of, node);
    if (!l->stands[node] || fold_is_leaf(g, l, node)) {
        assert_true(of.independent == 0 && of.proven);
    } else {
        uint32_t best = several ? best_packing(g, node) : maximum_flow(g, l, node);
        assert_true(of.independent > 0 && of.independent <= best);
        assert_true(!of.proven || of.independent == best);
        assert_true(of.proven || several);
        counts->asked++;
        counts->several += best > 1;
        counts->unproven += !of.proven;
        counts->missed += of.independent < best;
        /* one memory and all of them agree */
        assert_true(k->independent[node] != RELIES_ON_ONE || (of.independent == 1 && of.proven));
        assert_true(of.independent == 1 || k->independent[node] == RELIES_ON_MORE);
        assert_true(several || of.independent > 1 || k->independent[node] == RELIES_ON_ONE);
    }
    assert_true((k->independent[node] == RELIES_ON_NONE) == (of.independent == 0));
    independence_release(&of);
}

static struct counts try_many(uint64_t seed, int rounds, uint32_t most, uint32_t several)
{
    struct random r = {seed};
    struct counts counts = {0};
    for (int round = 0; round < rounds; round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        struct keystones k;
        make(&p, &r, most, several);
        plan_build(&p, &g);
        labels_compute(&l, &g);
        keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
        for (uint32_t v = 0; v < g.nodes; v++)
            expect_independence(&g, &l, &k, v, several > 0, &counts);
        keystones_release(&k);
        labels_release(&l);
        graph_release(&g);
    }
    return counts;
}

TEST(paths_are_as_many_as_a_maximum_flow)
{
    struct counts counts = try_many(41, RANDOM_ROUNDS(5000), PLAN_NODES, 0);
    assert_true(counts.several > RANDOM_ROUNDS(5000));
}

TEST(packings_are_at_most_the_best_and_mostly_that)
{
    struct counts counts = try_many(42, RANDOM_ROUNDS(5000), SMALL, 100);
    assert_true(counts.several > RANDOM_ROUNDS(1000));
    assert_true(counts.unproven * 20 < counts.asked && counts.missed * 1000 < counts.asked);
}

/* ---- single graphs ---- */

static void add(struct graph *g, unsigned shape, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, shape, 0, antecedents, count);
}

/* Of the last node. */
static void compute_last(struct independence *of, struct graph *g)
{
    struct labels l;
    graph_finish(g);
    labels_compute(&l, g);
    independence_compute(of, g, &l, g->nodes - 1);
    labels_release(&l);
}

TEST(ten_notes_of_one_page_are_one_derivation)
{
    struct graph g;
    struct independence of;
    uint32_t notes[10];
    graph_init(&g);
    add(&g, any, 0, NULL);
    for (uint32_t i = 0; i < 10; i++) {
        add(&g, any, 1, (uint32_t[]){0});
        notes[i] = i + 1;
    }
    add(&g, any, 10, notes);
    compute_last(&of, &g);
    assert_true(of.supports == 10 && of.independent == 1 && of.proven);
    assert_true(of.root_count == 1 && of.root[0] == 0);
    assert_memory_equal(of.member, ((uint32_t[]){0, 1}), 2 * sizeof(*of.member));
    independence_release(&of);
    graph_release(&g);
}

TEST(a_page_that_two_inferences_need_is_found)
{
    struct graph g;
    struct independence of;
    graph_init(&g);
    add(&g, any, 0, NULL); /* 0: the page */
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){0, 1});
    add(&g, all, 2, (uint32_t[]){0, 2});
    add(&g, any, 2, (uint32_t[]){3, 4});
    compute_last(&of, &g);
    assert_true(of.supports == 2 && of.independent == 1 && of.proven && of.root_count == 3);
    independence_release(&of);
    graph_release(&g);
}

/* No single one is needed, but two pairs of three share one: not more than one can be found, and not proven. */
TEST(any_two_of_three_are_one_derivation)
{
    struct graph g;
    struct independence of;
    graph_init(&g);
    for (uint32_t i = 0; i < 3; i++)
        add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){0, 1});
    add(&g, all, 2, (uint32_t[]){1, 2});
    add(&g, all, 2, (uint32_t[]){2, 0});
    add(&g, any, 3, (uint32_t[]){3, 4, 5});
    compute_last(&of, &g);
    assert_true(of.independent == 1 && !of.proven);
    independence_release(&of);
    graph_release(&g);
}

/* The cheapest derivation is in the way of two others. */
TEST(a_second_try_finds_what_the_first_one_blocked)
{
    struct graph g;
    struct independence of;
    graph_init(&g);
    for (uint32_t i = 0; i < 4; i++)
        add(&g, any, 0, NULL);
    add(&g, all, 2, (uint32_t[]){0, 1}); /* 4: the cheap one, of the parts of both others */
    add(&g, all, 2, (uint32_t[]){0, 2});
    add(&g, all, 2, (uint32_t[]){1, 3});
    add(&g, any, 1, (uint32_t[]){5}); /* 7, 8: longer ways to them */
    add(&g, any, 1, (uint32_t[]){6});
    add(&g, any, 3, (uint32_t[]){4, 7, 8});
    compute_last(&of, &g);
    assert_true(of.independent == 2);
    independence_release(&of);
    graph_release(&g);
}

TEST(a_circle_without_a_source_has_none)
{
    struct graph g;
    struct independence of;
    graph_init(&g);
    add(&g, any, 1, (uint32_t[]){2});
    add(&g, any, 1, (uint32_t[]){0});
    add(&g, any, 1, (uint32_t[]){1});
    compute_last(&of, &g);
    assert_true(of.independent == 0 && of.root_count == 0 && of.supports == 0 && of.proven);
    independence_release(&of);
    graph_release(&g);
}

/* Each of 1,500 steps needs both of two that share all before them: the costs grow beyond what a number can count. */
TEST(a_deep_derivation_of_pairs_is_found)
{
    struct graph g;
    struct independence of;
    graph_init(&g);
    add(&g, any, 0, NULL);
    add(&g, any, 0, NULL);
    for (uint32_t v = 2; v < 3000; v++)
        add(&g, all, 2, (uint32_t[]){v - 1 - v % 2, v - 2 - v % 2});
    add(&g, all, 2, (uint32_t[]){2998, 2999});
    compute_last(&of, &g);
    assert_true(of.independent == 1 && of.proven && of.first[1] == 3000);
    independence_release(&of);
    graph_release(&g);
}

/* A path at a time would look at all antecedents 100,000 times: minutes. */
TEST(many_antecedents_are_counted_at_once)
{
    enum {
        MANY = 100000
    };
    struct graph g;
    struct independence of;
    AUTO_FREE uint32_t *note = malloc(MANY * sizeof(*note));
    graph_init(&g);
    for (uint32_t v = 0; v < MANY; v++) {
        add(&g, any, 0, NULL);
        add(&g, any, 1, &(uint32_t){2 * v});
        note[v] = 2 * v + 1;
    }
    add(&g, any, MANY, note);
    compute_last(&of, &g);
    assert_true(of.independent == MANY && of.proven && of.root_count == MANY);
    independence_release(&of);
    graph_release(&g);
}

/* ---- what must not change ---- */

/* An echo of a direct support: a new node that is based on one antecedent of the node. */
TEST(an_echo_of_a_support_adds_nothing)
{
    struct random r = {43};
    uint32_t tried = 0;
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct plan p;
        struct graph g;
        struct labels l;
        struct independence before, after;
        make(&p, &r, PLAN_NODES - 1, round % 2 * 100);
        uint32_t group = p.groups ? random_below(&r, p.groups) : 0;
        const struct plan_group *of = &p.group[group];
        if (p.groups == 0 || p.groups == PLAN_GROUPS || of->count == 0 ||
            of->reading == READING_ALL)
            continue;
        uint32_t node = of->node, origin = of->antecedent[0], echo = p.nodes;
        for (int copied = 0; copied < 2; copied++) {
            plan_build(&p, &g);
            labels_compute(&l, &g);
            independence_compute(copied ? &after : &before, &g, &l, node);
            labels_release(&l);
            graph_release(&g);
            p.kind[echo] = KIND_NOTE;
            p.status[echo] = STATUS_ACTIVE;
            p.nodes = echo + 1;
            if (of->count == PLAN_MOST)
                p.group[group]
                    .count--; /* the last one becomes the echo's origin, so this only takes away */
            p.group[group].antecedent[p.group[group].count++] = echo;
            p.group[p.groups++] = (struct plan_group){echo, READING_ANY, 1, {origin}};
            if (copied)
                break;
        }
        if (before.proven && after.proven) {
            assert_true(after.independent <= before.independent);
            tried++;
        }
        independence_release(&before);
        independence_release(&after);
    }
    assert_true(tried > RANDOM_ROUNDS(2000));
}

TEST(the_order_of_rows_does_not_matter)
{
    struct random r = {44};
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct plan p, other = {.nodes = 0};
        struct graph g, other_g;
        struct labels l, other_l;
        make(&p, &r, PLAN_NODES, round % 2 * 100);
        other.nodes = p.nodes;
        for (uint32_t v = 0; v < p.nodes; v++) { /* in reverse */
            uint32_t at = p.nodes - 1 - v;
            other.kind[at] = p.kind[v];
            other.status[at] = p.status[v];
        }
        for (uint32_t i = p.groups; i-- > 0;) {
            struct plan_group *group = &other.group[other.groups++];
            *group = p.group[i];
            group->node = p.nodes - 1 - group->node;
            for (uint32_t k = 0; k < group->count; k++)
                group->antecedent[k] = p.nodes - 1 - group->antecedent[k];
        }
        plan_build(&p, &g);
        plan_build(&other, &other_g);
        labels_compute(&l, &g);
        labels_compute(&other_l, &other_g);
        for (uint32_t v = 0; v < p.nodes; v++) {
            struct independence of, other_of;
            independence_compute(&of, &g, &l, v);
            independence_compute(&other_of, &other_g, &other_l, p.nodes - 1 - v);
            assert_true(!of.proven || !other_of.proven || of.independent == other_of.independent);
            assert_int_equal(of.root_count, other_of.root_count);
            assert_int_equal(of.supports, other_of.supports);
            independence_release(&of);
            independence_release(&other_of);
        }
        labels_release(&l);
        labels_release(&other_l);
        graph_release(&g);
        graph_release(&other_g);
    }
}
