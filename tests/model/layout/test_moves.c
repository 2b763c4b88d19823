/* The arrow keys lead everywhere, and back. */
#include "model/layout/moves.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define MOST 64

static char ids[MOST][12];

static void add_nodes(struct picture *p, uint32_t count)
{
    assert_true(count <= MOST);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(ids[i], sizeof(ids[i]), "%u", i);
        assert_int_equal(
            picture_add_node(p, (struct picture_node){.id = ids[i], .columns = 1 + (int)i % 9}), 0);
    }
}

static void add_random_edges(struct random *r, struct picture *p, uint32_t nodes, uint32_t edges)
{
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t from = random_below(r, nodes), to = random_below(r, nodes);
        if (from != to)
            assert_int_equal(
                picture_add_edge(p, from, to, (enum stroke)random_below(r, STROKE_COUNT)), 0);
    }
}

/* ---- invariants of all drawings ---- */

static void mark_reached(const struct moves *m, uint32_t node, bool *reached)
{
    uint32_t queue[MOST], count = 0;
    reached[node] = true;
    queue[count++] = node;
    for (uint32_t i = 0; i < count; i++)
        for (int move = 0; move < 4; move++) {
            uint32_t to = moves_peek(m, queue[i], (enum move)move);
            if (!reached[to]) {
                reached[to] = true;
                queue[count++] = to;
            }
        }
}

static void assert_all_reached(const struct moves *m)
{
    uint32_t nodes = m->layout->picture->nodes;
    for (uint32_t from = 0; from < nodes; from++) {
        bool reached[MOST] = {false};
        mark_reached(m, from, reached);
        for (uint32_t to = 0; to < nodes; to++)
            if (!reached[to])
                fail_msg("%u is not reached from %u", to, from);
    }
}

static bool joined(const struct layout *l, uint32_t a, uint32_t b)
{
    for (uint32_t e = 0; e < l->picture->edges; e++) {
        const struct picture_edge *edge = &l->picture->edge[e];
        if ((edge->from == a && edge->to == b) || (edge->from == b && edge->to == a))
            return true;
    }
    return false;
}

/* Along the flow, a move follows an edge in the right direction, and stays only if there is
 * none. The opposite move goes back. */
static void assert_goes_along(struct moves *m, uint32_t node, bool on)
{
    static const enum move pairs[2][2] = {{MOVE_LEFT, MOVE_RIGHT}, {MOVE_UP, MOVE_DOWN}};
    const struct layout *l = m->layout;
    const enum move *pair = pairs[l->options.flow];
    uint32_t to = moves_peek(m, node, pair[on]);
    bool has_any = false;
    for (uint32_t n = 0; n < l->picture->nodes; n++)
        has_any |= joined(l, node, n) && (l->node[n].layer > l->node[node].layer) == on;
    assert_int_equal(to != node, has_any);
    if (to == node)
        return;
    assert_true(joined(l, node, to));
    assert_int_equal(l->node[to].layer > l->node[node].layer, on);
    assert_int_equal(moves_go(m, node, pair[on]), to);
    assert_int_equal(moves_go(m, to, pair[!on]), node);
    assert_int_equal(moves_go(m, node, pair[on]), to);
}

/* Across the flow, it goes to the next node of the layer and back. */
static void assert_goes_across(struct moves *m, uint32_t node)
{
    static const enum move pairs[2][2] = {{MOVE_UP, MOVE_DOWN}, {MOVE_LEFT, MOVE_RIGHT}};
    const struct layout *l = m->layout;
    const enum move *pair = pairs[l->options.flow];
    uint32_t at = l->layer_first[l->node[node].layer] + l->node[node].place;
    assert_int_equal(l->layer_node[at], node);
    if (at + 1 == l->layer_first[l->node[node].layer + 1])
        return;
    assert_int_equal(moves_go(m, node, pair[1]), l->layer_node[at + 1]);
    assert_int_equal(moves_go(m, l->layer_node[at + 1], pair[0]), node);
}

static void check(const struct layout *l, struct random *r)
{
    struct moves m;
    uint32_t nodes = l->picture->nodes, at = 0;
    moves_init(&m, l);
    assert_all_reached(&m);
    for (uint32_t n = 0; n < nodes; n++) {
        assert_goes_along(&m, n, true);
        assert_goes_along(&m, n, false);
        assert_goes_across(&m, n);
    }
    assert_all_reached(&m);
    for (int i = 0; nodes && i < 100; i++) {
        at = moves_go(&m, at, (enum move)random_below(r, 4));
        if (i % 20 == 0)
            assert_all_reached(&m);
    }
    moves_release(&m);
}

/* ---- drawings ---- */

static void draw_and_check(struct picture *p, struct random *r)
{
    picture_finish(p);
    for (int style = 0; style < 8; style++) {
        struct layout l;
        struct layout_options options = {
            .flow = (enum flow)(style & 1), .boxed = style & 2, .bundle = style & 4};
        assert_int_equal(layout_make(&l, p, &options), 0);
        check(&l, r);
        layout_release(&l);
    }
    picture_release(p);
}

TEST(test_random_drawings)
{
    struct random r = {20};
    for (int round = 0; round < RANDOM_ROUNDS(120); round++) {
        struct picture p = PICTURE_INIT;
        uint32_t nodes = 1 + random_below(&r, 40);
        add_nodes(&p, nodes);
        add_random_edges(&r, &p, nodes, random_below(&r, 2 * nodes + 1));
        draw_and_check(&p, &r);
    }
}

TEST(test_empty_pictures_and_single_nodes)
{
    struct random r = {21};
    for (uint32_t nodes = 0; nodes <= 12; nodes += 3) {
        struct picture p = PICTURE_INIT;
        add_nodes(&p, nodes);
        draw_and_check(&p, &r);
    }
}

/* ---- unusual layers ---- */

struct made {
    struct picture picture;
    struct layout layout;
    struct layout_node node[MOST];
    uint8_t reversed[MOST * MOST];
    uint32_t first[MOST + 1], order[MOST];
};

/* Places nodes in the layers given by `layer`, in order. Edges go only between layers. */
static void make(struct made *made, const uint32_t *layer, uint32_t layers, enum flow flow)
{
    struct layout *l = &made->layout;
    uint32_t count = 0;
    picture_finish(&made->picture);
    *l = (struct layout){.picture = &made->picture,
                         .options = {.flow = flow},
                         .node = made->node,
                         .edge_reversed = made->reversed,
                         .layers = layers,
                         .layer_first = made->first,
                         .layer_node = made->order};
    for (uint32_t at = 0; at < layers; at++) {
        made->first[at] = count;
        for (uint32_t n = 0; n < made->picture.nodes; n++) {
            if (layer[n] != at)
                continue;
            int32_t across = (int32_t)(count * 7 % 31), on = (int32_t)at * 10;
            made->node[n] = (struct layout_node){.row = flow == FLOW_RIGHT ? across : on,
                                                 .column = flow == FLOW_RIGHT ? on : across,
                                                 .width = 1,
                                                 .height = 1,
                                                 .layer = at,
                                                 .place = count - made->first[at]};
            made->order[count++] = n;
        }
    }
    made->first[layers] = count;
    for (uint32_t e = 0; e < made->picture.edges; e++) {
        const struct picture_edge *edge = &made->picture.edge[e];
        assert_int_not_equal(layer[edge->from], layer[edge->to]);
        made->reversed[e] = layer[edge->from] < layer[edge->to];
    }
}

/* A node alone in its layer, which no path needs to pass. */
TEST(test_layer_without_needed_edges)
{
    struct random r = {22};
    struct made made = {.picture = PICTURE_INIT};
    add_nodes(&made.picture, 3); /* 0 and 1 are based on 2, which is farther from 0 */
    assert_int_equal(picture_add_edge(&made.picture, 0, 2, STROKE_DERIVED), 0);
    assert_int_equal(picture_add_edge(&made.picture, 1, 2, STROKE_DERIVED), 0);
    make(&made, (const uint32_t[]){0, 1, 2}, 3, FLOW_RIGHT);
    check(&made.layout, &r);
    picture_release(&made.picture);
}

TEST(test_random_layers)
{
    struct random r = {23};
    for (int round = 0; round < RANDOM_ROUNDS(2000); round++) {
        struct made made = {.picture = PICTURE_INIT};
        uint32_t nodes = 1 + random_below(&r, 20), layers = 1 + random_below(&r, 8), layer[MOST];
        uint32_t edges = random_below(&r, 2 * nodes + 1);
        add_nodes(&made.picture, nodes);
        for (uint32_t n = 0; n < nodes; n++)
            layer[n] = random_below(&r, layers);
        /* All nodes have the same rank and time, so ids decide their order. */
        struct picture numbered = PICTURE_INIT;
        add_nodes(&numbered, nodes);
        picture_finish(&numbered);
        for (uint32_t e = 0; e < edges; e++) {
            uint32_t from = random_below(&r, nodes), to = random_below(&r, nodes);
            if (layer[numbered.place[from]] != layer[numbered.place[to]])
                assert_int_equal(picture_add_edge(&made.picture, from, to, STROKE_DERIVED), 0);
        }
        make(&made, layer, layers, (enum flow)(round & 1));
        check(&made.layout, &r);
        picture_release(&numbered);
        picture_release(&made.picture);
    }
}
