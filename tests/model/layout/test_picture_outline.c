/*
 * The outline of a picture: every edge on one line, every node opened once, references and cycles.
 */
#include "model/layout/picture.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define NODES 16

static char ids[NODES][16];

static int name_nodes(void **state)
{
    for (int i = 0; i < NODES; i++)
        snprintf(ids[i], sizeof(ids[i]), "n%02d", i);
    return 0;
}

static void add_node(struct picture *p, const char *id, int rank)
{
    assert_int_equal(
        picture_add_node(p, (struct picture_node){.id = id, .rank = rank, .columns = 3}), 0);
}

/*
 * Random nodes in any order, and edges between them. which[v] is the number of id v in the order of
 * adding.
 */
static void random_picture(struct picture *p, struct random *r)
{
    uint32_t nodes = random_below(r, NODES + 1), which[NODES];
    uint32_t edges = nodes > 0 ? random_below(r, 2 * nodes + 1) : 0;
    bool circles = random_chance(r, 60);
    *p = (struct picture)PICTURE_INIT;
    for (uint32_t v = 0; v < nodes; v++)
        which[v] = v;
    for (uint32_t v = nodes; v > 1; v--) {
        uint32_t other = random_below(r, v), kept = which[v - 1];
        which[v - 1] = which[other];
        which[other] = kept;
    }
    for (uint32_t v = 0; v < nodes; v++)
        add_node(p, ids[which[v]], 0);
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t from = random_below(r, nodes), to = random_below(r, nodes);
        if (circles || which[from] < which[to])
            assert_int_equal(
                picture_add_edge(p, from, to, (enum stroke)random_below(r, STROKE_COUNT)), 0);
    }
    picture_finish(p);
}

static void close_reach(const struct picture *p, bool down, bool reach[NODES][NODES])
{
    memset(reach, 0, sizeof(bool[NODES][NODES]));
    for (uint32_t v = 0; v < p->nodes; v++)
        reach[v][v] = true;
    for (uint32_t e = 0; e < p->edges; e++)
        if (down)
            reach[p->edge[e].from][p->edge[e].to] = true;
        else
            reach[p->edge[e].to][p->edge[e].from] = true;
    for (uint32_t k = 0; k < p->nodes; k++)
        for (uint32_t i = 0; i < p->nodes; i++)
            for (uint32_t j = 0; j < p->nodes; j++)
                reach[i][j] |= reach[i][k] && reach[k][j];
}

static bool on_path(const struct picture_outline *o, size_t at)
{
    for (uint32_t up = o->line[at].parent; up != PICTURE_NONE; up = o->line[up].parent)
        if (o->line[up].node == o->line[at].node)
            return true;
    return false;
}

/* The line is at the other end of its edge, below the first line of the edge's node. */
static void expect_step(const struct picture *p, const struct picture_outline *o, size_t at,
                        bool down)
{
    const struct picture_line *line = &o->line[at], *above = &o->line[line->parent];
    const struct picture_edge *edge = &p->edge[line->edge];
    assert_true(line->parent < at);
    assert_false(above->again);
    assert_int_equal(line->depth, above->depth + 1);
    assert_int_equal(down ? edge->from : edge->to, above->node);
    assert_int_equal(down ? edge->to : edge->from, line->node);
}

/* Lines with the same parent are in order, and the last is marked. */
static void expect_siblings(const struct picture_outline *o)
{
    for (size_t i = 0; i < o->count; i++) {
        bool followed = false;
        for (size_t j = i + 1; j < o->count && o->line[i].parent != PICTURE_NONE; j++)
            if (o->line[j].parent == o->line[i].parent) {
                assert_true(o->line[j].node > o->line[i].node);
                followed = true;
            }
        assert_int_equal(o->line[i].last, !followed);
    }
}

static uint32_t lines_below(const struct picture_outline *o, size_t at)
{
    uint32_t below = 0;
    for (size_t i = at + 1; i < o->count && o->line[i].depth > o->line[at].depth; i++)
        below++;
    return below;
}

static void expect_lines(const struct picture *p, const struct picture_outline *o, bool down)
{
    uint32_t shown[NODES] = {0}, leads[NODES] = {0}, roots = 0;
    uint8_t drawn[NODES * NODES] = {0};
    for (uint32_t e = 0; e < p->edges; e++)
        leads[down ? p->edge[e].to : p->edge[e].from]++;
    for (size_t at = 0; at < o->count; at++) {
        const struct picture_line *line = &o->line[at];
        assert_int_equal(line->again, line->first != at);
        assert_int_equal(line->circle, on_path(o, at));
        assert_int_equal(o->line[line->first].node, line->node);
        assert_int_equal(line->below, lines_below(o, line->first));
        assert_int_equal(line->parents, leads[line->node]);
        shown[line->node] += !line->again;
        if (line->edge == PICTURE_NONE) {
            assert_int_equal(line->depth, 0);
            assert_int_equal(line->parent, PICTURE_NONE);
            assert_false(line->again);
            roots++;
            continue;
        }
        assert_int_equal(drawn[line->edge]++, 0);
        expect_step(p, o, at, down);
    }
    for (uint32_t v = 0; v < p->nodes; v++)
        assert_int_equal(shown[v], 1);
    assert_int_equal(o->count, roots + p->edges);
}

/*
 * All nodes that reach a root are reached from it, and it is the first of them. Nodes that nothing
 * leads to come before cycles.
 */
static void expect_roots(const struct picture *p, const struct picture_outline *o, uint32_t root,
                         bool down)
{
    bool reach[NODES][NODES], circles = false;
    uint32_t before = 0;
    close_reach(p, down, reach);
    for (size_t at = 0; at < o->count; at++) {
        const struct picture_line *line = &o->line[at];
        if (line->edge != PICTURE_NONE || line->node == root)
            continue;
        for (uint32_t v = 0; v < p->nodes; v++)
            assert_true(!reach[v][line->node] || (reach[line->node][v] && v >= line->node));
        if (line->parents > 0 && !circles)
            before = 0;
        circles |= line->parents > 0;
        assert_int_equal(circles, line->parents > 0);
        assert_true(line->node >= before);
        before = line->node;
    }
    if (root != PICTURE_NONE)
        assert_int_equal(o->line[0].node, root);
}

GROUP(name_nodes, NULL);

TEST(random_outlines_are_complete)
{
    struct random r = {11};
    size_t again = 0, circle = 0, empty = 0;
    for (int round = 0; round < RANDOM_ROUNDS(20000); round++) {
        struct picture p;
        struct picture_outline o;
        random_picture(&p, &r);
        bool down = random_chance(&r, 50);
        uint32_t root =
            p.nodes > 0 && random_chance(&r, 50) ? random_below(&r, p.nodes) : PICTURE_NONE;
        assert_int_equal(picture_outline_make(&o, &p, root, down), 0);
        expect_lines(&p, &o, down);
        expect_siblings(&o);
        expect_roots(&p, &o, root, down);
        empty += o.count == 0;
        for (size_t i = 0; i < o.count; i++) {
            again += o.line[i].again;
            circle += o.line[i].circle;
        }
        picture_outline_release(&o);
        picture_release(&p);
    }
    assert_true(again > 1000 && circle > 1000 && empty > 100);
}

/* The edges in order: a is based on b and c, b and c on d, d on a. */
TEST(a_cycle_refers_to_its_own_path)
{
    struct picture p = PICTURE_INIT;
    struct picture_outline o;
    for (int i = 3; i >= 0; i--)
        add_node(&p, ids[i], 0);
    const uint32_t edges[][2] = {{3, 2}, {3, 1}, {2, 0}, {1, 0}, {0, 3}};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(picture_add_edge(&p, edges[i][0], edges[i][1], STROKE_DERIVED), 0);
    picture_finish(&p);
    assert_int_equal(picture_outline_make(&o, &p, PICTURE_NONE, true), 0);
    const uint32_t nodes[] = {0, 1, 3, 0, 2, 3}, depths[] = {0, 1, 2, 3, 1, 2},
                   below[] = {5, 2, 1, 5, 1, 1}, firsts[] = {0, 1, 2, 0, 4, 2};
    assert_int_equal(o.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(o.line[i].node, nodes[i]);
        assert_int_equal(o.line[i].depth, depths[i]);
        assert_int_equal(o.line[i].below, below[i]);
        assert_int_equal(o.line[i].first, firsts[i]);
        assert_int_equal(o.line[i].circle, i == 3);
        assert_int_equal(o.line[i].again, i == 3 || i == 5);
    }
    assert_int_equal(o.line[2].parents, 2);
    picture_outline_release(&o);
    picture_release(&p);
}

/* A recursive search would crash. */
TEST(depth_does_not_use_the_stack)
{
    enum {
        DEEP = 300000
    };
    static char deep[DEEP][16];
    struct picture p = PICTURE_INIT;
    struct picture_outline o;
    for (int i = 0; i < DEEP; i++) {
        snprintf(deep[i], sizeof(deep[i]), "%06d", i);
        add_node(&p, deep[i], 0);
        if (i > 0)
            assert_int_equal(picture_add_edge(&p, (uint32_t)i - 1, (uint32_t)i, STROKE_SUPERSEDES),
                             0);
    }
    picture_finish(&p);
    for (int down = 0; down < 2; down++) {
        assert_int_equal(picture_outline_make(&o, &p, PICTURE_NONE, down), 0);
        assert_int_equal(o.count, DEEP);
        assert_int_equal(o.line[DEEP - 1].depth, DEEP - 1);
        assert_int_equal(o.line[0].node, down ? 0 : DEEP - 1);
        picture_outline_release(&o);
    }
    picture_release(&p);
}
