/* Pictures: sorted, with unique edges, independent of the order of adding. */
#include "model/layout/picture.h"

#include "tests/support/sketch.h"
#include "tests/support/test.h"

static uint32_t add(struct picture *p, const char *id, int rank, int64_t at)
{
    struct picture_node node = {.id = id, .rank = rank, .at = at, .columns = 4, .added = 77};
    assert_int_equal(picture_add_node(p, node), 0);
    return p->nodes - 1;
}

static void join(struct picture *p, uint32_t from, uint32_t to, enum stroke stroke)
{
    assert_int_equal(picture_add_edge(p, from, to, stroke), 0);
}

TEST(nodes_are_sorted_by_rank_time_and_id)
{
    static const char *const sorted[] = {"z", "y", "b", "c", "a"};
    struct picture p = PICTURE_INIT;
    add(&p, "c", 2, 5);
    add(&p, "a", 2, 6);
    add(&p, "b", 2, 5);
    add(&p, "y", 2, -5);
    add(&p, "z", -1, 9);
    picture_finish(&p);
    assert_int_equal(p.nodes, 5);
    for (uint32_t i = 0; i < p.nodes; i++) {
        assert_string_equal(p.node[i].id, sorted[i]);
        assert_int_equal(p.place[p.node[i].added], i);
    }
    assert_int_equal(p.place[0], 3);
    assert_int_equal(p.node[0].added, 4);
    picture_release(&p);
}

/* Several edges from one node to another become one, drawn with the strongest stroke. The
 * opposite direction is another edge. */
TEST(duplicate_edges_are_merged)
{
    struct picture p = PICTURE_INIT;
    uint32_t a = add(&p, "a", 0, 0), b = add(&p, "b", 0, 0);
    join(&p, b, a, STROKE_EVIDENCE);
    join(&p, a, b, STROKE_SUPERSEDES);
    join(&p, a, b, STROKE_GUESSED);
    join(&p, a, b, STROKE_DERIVED);
    join(&p, a, b, STROKE_SUPERSEDES);
    picture_finish(&p);
    assert_int_equal(p.edges, 2);
    assert_int_equal(p.edge[0].from, 0);
    assert_int_equal(p.edge[0].to, 1);
    assert_int_equal(p.edge[0].stroke, STROKE_SUPERSEDES);
    assert_int_equal(p.edge[0].strokes,
                     1 << STROKE_SUPERSEDES | 1 << STROKE_GUESSED | 1 << STROKE_DERIVED);
    assert_int_equal(p.edge[1].from, 1);
    assert_int_equal(p.edge[1].strokes, 1 << STROKE_EVIDENCE);
    picture_release(&p);
}

TEST(an_edge_to_itself_is_a_loop)
{
    struct picture p = PICTURE_INIT;
    uint32_t b = add(&p, "b", 0, 0);
    add(&p, "a", 0, 0);
    join(&p, b, b, STROKE_DERIVED);
    picture_finish(&p);
    assert_int_equal(p.edges, 0);
    assert_false(p.node[0].loop);
    assert_true(p.node[1].loop);
    picture_release(&p);
}

TEST(an_empty_picture)
{
    struct picture p = PICTURE_INIT;
    picture_finish(&p);
    assert_int_equal(p.nodes + p.edges, 0);
    assert_non_null(p.place);
    picture_release(&p);
    picture_release(&p);
}

TEST(strokes_have_names)
{
    for (int i = 0; i < STROKE_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(stroke_name((enum stroke)i), stroke_name((enum stroke)k));
    assert_string_equal(stroke_name(STROKE_ALL), "all");
}

/* ---- random pictures ---- */

static unsigned strokes_between(const struct sketch *s, const char *from, const char *to)
{
    unsigned strokes = 0;
    for (size_t i = 0; i < s->edges; i++)
        if (s->id[s->edge[i].from] == from && s->id[s->edge[i].to] == to)
            strokes |= 1u << s->edge[i].stroke;
    return strokes;
}

static void check_edges(const struct sketch *s, const struct picture *p)
{
    uint32_t e = 0;
    for (uint32_t from = 0; from < p->nodes; from++)
        for (uint32_t to = 0; to < p->nodes; to++) {
            unsigned strokes = strokes_between(s, p->node[from].id, p->node[to].id);
            if (from == to)
                assert_int_equal(p->node[from].loop, strokes != 0);
            if (from == to || !strokes)
                continue;
            assert_true(e < p->edges);
            assert_int_equal(p->edge[e].from, from);
            assert_int_equal(p->edge[e].to, to);
            assert_int_equal(p->edge[e].strokes, strokes);
            assert_int_equal(strokes >> p->edge[e].stroke, 1);
            e++;
        }
    assert_int_equal(e, p->edges);
}

static void expect_same(const struct picture *a, const struct picture *b)
{
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->edges, b->edges);
    for (uint32_t i = 0; i < a->nodes; i++) {
        assert_ptr_equal(a->node[i].id, b->node[i].id);
        assert_int_equal(a->node[i].columns, b->node[i].columns);
        assert_int_equal(a->node[i].loop, b->node[i].loop);
        assert_int_equal(b->place[b->node[i].added], i);
    }
    for (uint32_t e = 0; e < a->edges; e++) {
        assert_int_equal(a->edge[e].from, b->edge[e].from);
        assert_int_equal(a->edge[e].to, b->edge[e].to);
        assert_int_equal(a->edge[e].strokes, b->edge[e].strokes);
        assert_int_equal(a->edge[e].stroke, b->edge[e].stroke);
    }
}

TEST(the_order_of_adding_does_not_matter)
{
    struct random r = {20};
    for (int round = 0; round < 100; round++) {
        struct sketch s;
        struct picture p, shuffled;
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), 2 + random_below(&r, 20));
        sketch_picture(&s, &p, NULL);
        sketch_picture(&s, &shuffled, &r);
        check_edges(&s, &p);
        expect_same(&p, &shuffled);
        picture_release(&p);
        picture_release(&shuffled);
        sketch_release(&s);
    }
}
