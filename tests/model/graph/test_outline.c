/* Outlines: every node is opened once, cycles are those on the path, and nothing is hidden
 * silently. */
#include "tests/support/plan.h"
#include "tests/support/test.h"

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);

static void add(struct graph *g, uint32_t count, const uint32_t *antecedents)
{
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    if (count > 0)
        graph_add_group(g, any, 0, antecedents, count);
}

/* The number of lines below a node when it is open. */
static uint32_t steps(const struct graph *g, enum direction direction, uint32_t node)
{
    return direction == DESCENDANTS
               ? g->use_first[node + 1] - g->use_first[node]
               : g->link_first[g->just_first[node + 1]] - g->link_first[g->just_first[node]];
}

static bool on_path(const struct outline *o, size_t at)
{
    uint32_t node = o->line[at].node;
    for (uint32_t up = o->line[at].parent_line; up != NODE_NONE; up = o->line[up].parent_line)
        if (o->line[up].node == node)
            return true;
    return false;
}

/* The line is a step from its parent, through the justification that it names. */
static void expect_step(const struct outline *o, const struct graph *g, enum direction direction,
                        size_t at)
{
    const struct outline_line *line = &o->line[at];
    const struct outline_line *above = &o->line[line->parent_line];
    uint32_t node = direction == ANCESTORS ? above->node : line->node;
    uint32_t on = direction == ANCESTORS ? line->node : above->node;
    bool named = false;
    assert_true(line->parent_line < at);
    assert_int_equal(line->depth, above->depth + 1);
    assert_int_equal(g->just_node[line->just], node);
    for (uint32_t i = g->link_first[line->just]; i < g->link_first[line->just + 1]; i++)
        named |= g->link_to[i] == on;
    assert_true(named);
}

static void expect_lines(const struct outline *o, const struct graph *g, enum direction direction,
                         uint32_t depth)
{
    uint32_t opened[PLAN_NODES] = {0}, below[4096] = {0};
    bool last[4096] = {false};
    assert_true(o->count < 4096);
    for (size_t at = 0; at < o->count; at++) {
        const struct outline_line *line = &o->line[at];
        assert_true(line->depth <= depth);
        if (at > 0) {
            expect_step(o, g, direction, at);
            assert_false(last[line->parent_line]); /* nothing follows the last */
            last[line->parent_line] = line->last;
            below[line->parent_line]++;
        }
        assert_int_equal(line->circle, on_path(o, at));
        if (!line->circle && !line->again && !line->cut)
            assert_int_equal(opened[line->node]++, 0);
        assert_true(!line->cut || line->depth == depth);
    }
    for (size_t at = 0; at < o->count; at++) {
        const struct outline_line *line = &o->line[at];
        bool open = !line->circle && !line->again && !line->cut;
        assert_int_equal(below[at], open ? steps(g, direction, line->node) : 0);
        assert_int_equal(last[at], below[at] > 0);
        assert_true(!line->cut || below[at] == 0);
    }
}

/* The nodes shown and those counted as hidden are all that can be reached. */
static void expect_complete(const struct outline *o, const struct plan *p, uint32_t root,
                            enum direction direction)
{
    uint32_t distance[PLAN_NODES];
    bool shown[PLAN_NODES] = {false};
    size_t total = 0, reached = 0;
    plan_distances(p, root, direction, distance);
    for (size_t at = 0; at < o->count; at++) {
        shown[o->line[at].node] = true;
        total += o->line[at].more;
    }
    for (uint32_t v = 0; v < p->nodes; v++) {
        total += shown[v];
        reached += distance[v] != UINT32_MAX;
        assert_true(!shown[v] || distance[v] != UINT32_MAX);
    }
    assert_int_equal(total, reached);
}

TEST(random_outlines_are_complete)
{
    struct random r = {5};
    size_t again = 0, circle = 0, cut = 0;
    for (int round = 0; round < RANDOM_ROUNDS(10000); round++) {
        struct plan p;
        struct graph g;
        struct outline o;
        plan_make(&p, &r);
        plan_build(&p, &g);
        uint32_t root = random_below(&r, p.nodes);
        uint32_t depth = random_chance(&r, 50) ? DEPTH_UNLIMITED : random_below(&r, 5);
        enum direction direction = random_chance(&r, 50) ? ANCESTORS : DESCENDANTS;
        outline_make(&o, &g, root, direction, depth, SIZE_MAX);
        assert_false(o.bounded);
        assert_int_equal(o.line[0].node, root);
        expect_lines(&o, &g, direction, depth);
        expect_complete(&o, &p, root, direction);
        for (size_t at = 0; at < o.count; at++) {
            again += o.line[at].again;
            circle += o.line[at].circle;
            cut += o.line[at].cut;
        }
        outline_release(&o);
        graph_release(&g);
    }
    assert_true(again > 1000 && circle > 1000 && cut > 1000);
}

TEST(a_shared_memory_is_opened_once)
{
    struct graph g;
    struct outline o;
    graph_init(&g);
    add(&g, 2, (uint32_t[]){1, 2});
    add(&g, 1, (uint32_t[]){3});
    add(&g, 2, (uint32_t[]){3, 0});
    add(&g, 1, (uint32_t[]){4});
    add(&g, 0, NULL);
    graph_finish(&g);
    outline_make(&o, &g, 0, ANCESTORS, DEPTH_UNLIMITED, 100);
    const uint32_t nodes[] = {0, 1, 3, 4, 2, 3, 0};
    assert_int_equal(o.count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(o.line[i].node, nodes[i]);
        assert_int_equal(o.line[i].again, i == 5);
        assert_int_equal(o.line[i].circle, i == 6);
    }
    assert_int_equal(o.line[0].just, NODE_NONE);
    assert_int_equal(o.line[0].parent_line, NODE_NONE);
    outline_release(&o);
    graph_release(&g);
}

/* A node that is cut on its first line is opened on a line that is less deep. */
TEST(a_cut_line_counts_what_it_hides)
{
    struct graph g;
    struct outline o;
    graph_init(&g);
    add(&g, 2, (uint32_t[]){1, 2});
    add(&g, 1, (uint32_t[]){2});
    add(&g, 1, (uint32_t[]){3});
    add(&g, 1, (uint32_t[]){4});
    add(&g, 0, NULL);
    graph_finish(&g);
    outline_make(&o, &g, 0, ANCESTORS, 2, 100);
    const uint32_t nodes[] = {0, 1, 2, 2, 3}, more[] = {0, 0, 0, 0, 1};
    assert_int_equal(o.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(o.line[i].node, nodes[i]);
        assert_int_equal(o.line[i].more, more[i]);
        assert_int_equal(o.line[i].cut, i == 2 || i == 4);
        assert_false(o.line[i].again);
    }
    outline_release(&o);
    outline_make(&o, &g, 0, ANCESTORS, 0, 100);
    assert_int_equal(o.count, 1);
    assert_true(o.line[0].cut);
    assert_int_equal(o.line[0].more, 4);
    outline_release(&o);
    graph_release(&g);
}

TEST(truncation_is_reported)
{
    struct graph g;
    struct outline o;
    graph_init(&g);
    for (uint32_t v = 0; v < 1000000; v++)
        add(&g, v < 999999, (uint32_t[]){v + 1});
    graph_finish(&g);
    outline_make(&o, &g, 0, ANCESTORS, DEPTH_UNLIMITED, SIZE_MAX);
    assert_int_equal(o.count, 1000000);
    assert_false(o.bounded);
    outline_release(&o);
    outline_make(&o, &g, 0, ANCESTORS, DEPTH_UNLIMITED, 10);
    assert_int_equal(o.count, 10);
    assert_true(o.bounded);
    outline_release(&o);
    outline_make(&o, &g, 0, ANCESTORS, 9, 10);
    assert_false(o.bounded);
    assert_int_equal(o.line[9].more, 1000000 - 10);
    outline_release(&o);
    graph_release(&g);
}
