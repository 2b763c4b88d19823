/* Drawings in every style are read back. Windows, highlights, seeds and shuffled pictures are
 * compared with the whole drawing. */
#include "model/layout/draft.h"
#include "tests/support/drawing.h"
#include "tests/support/families.h"
#include "tests/support/test.h"

#define STYLES 16

static struct layout_options style(unsigned number)
{
    return (struct layout_options){.flow = number & 1 ? FLOW_DOWN : FLOW_RIGHT,
                                   .boxed = number & 2,
                                   .bundle = number & 4,
                                   .ascii = number & 8};
}

static void draw(struct layout *l, const struct picture *p, const struct layout_options *o)
{
    assert_int_equal(layout_make(l, p, o), 0);
}

/* From left to right, each row has a node or a line along the flow, except next to a label of several lines; rows with
 * only tracks are closed up. */
static void expect_no_idle_row(const struct layout *l)
{
    struct raster r;
    int run = 0, spare = 0;
    if (l->options.flow == FLOW_DOWN)
        return;
    for (uint32_t n = 0; n < l->picture->nodes && !l->options.boxed; n++)
        spare |= picture_lines(&l->picture->node[n]) > 1;
    raster_make(&r, l, 0, 0, l->width, l->height, NULL);
    for (int32_t y = 0; y < l->height; y++) {
        bool idle = true;
        for (int32_t x = 0; x < l->width && idle; x++) {
            const struct raster_cell *cell = &r.cell[y * l->width + x];
            idle = cell->node == PICTURE_NONE && !(cell->mask & (CELL_W | CELL_E));
        }
        run = idle ? run + 1 : 0;
        assert_true(run <= spare);
    }
    raster_release(&r);
}

TEST(random_drawings_are_read_back)
{
    struct random r = {5};
    AUTO_ARENA arena = ARENA_INIT;
    uint64_t crossings = 0, reversed = 0;
    for (int round = 0; round < RANDOM_ROUNDS(300); round++) {
        struct picture p;
        uint32_t nodes = 1 + random_below(&r, round % 10 ? 25 : 70);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), round % 3);
        for (unsigned i = 0; i < STYLES; i++) {
            struct layout l;
            struct layout_options o = style(i);
            draw(&l, &p, &o);
            drawing_check(&l);
            expect_no_idle_row(&l);
            crossings += l.segment_crossings;
            for (uint32_t e = 0; e < p.edges; e++) {
                uint32_t from = l.node[p.edge[e].from].layer, to = l.node[p.edge[e].to].layer;
                reversed += l.edge_reversed[e];
                assert_true(l.edge_reversed[e] ? from < to : to < from); /* sources come first */
            }
            layout_release(&l);
        }
        picture_release(&p);
        arena_clear(&arena);
    }
    assert_true(crossings > 3000 && reversed > 300); /* a quarter of the rounds under a sanitizer */
}

/* ---- a picture again, with its nodes and edges added in another order ---- */

static void add_shuffled(struct random *r, struct picture *to, const struct picture *from)
{
    uint32_t order[100], added[100];
    *to = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < from->nodes; i++)
        order[i] = i;
    for (uint32_t i = from->nodes; i > 1; i--) {
        uint32_t k = random_below(r, i), swapped = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swapped;
    }
    for (uint32_t i = 0; i < from->nodes; i++) {
        added[order[i]] = i;
        assert_int_equal(picture_add_node(to, from->node[order[i]]), 0);
    }
    for (uint32_t i = from->edges; i-- > 0;) {
        const struct picture_edge *edge = &from->edge[i];
        for (int stroke = 0; stroke < STROKE_COUNT; stroke++)
            if (edge->strokes >> stroke & 1)
                assert_int_equal(
                    picture_add_edge(to, added[edge->from], added[edge->to], (enum stroke)stroke),
                    0);
    }
    picture_finish(to);
}

static bool same_cell(const struct raster_cell *a, const struct raster_cell *b)
{
    return a->type == b->type && a->mask == b->mask && a->stroke == b->stroke &&
           a->arrow == b->arrow && a->twofold == b->twofold && a->dashed == b->dashed &&
           a->lit == b->lit && a->node == b->node && a->net == b->net && a->crossed == b->crossed;
}

static void expect_same_drawing(const struct layout *a, const struct layout *b)
{
    struct raster one, two;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->segment_crossings, b->segment_crossings);
    for (uint32_t n = 0; n < a->picture->nodes; n++)
        assert_memory_equal(&a->node[n], &b->node[n], sizeof(*a->node));
    raster_make(&one, a, 0, 0, a->width, a->height, NULL);
    raster_make(&two, b, 0, 0, b->width, b->height, NULL);
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++)
        assert_true(same_cell(&one.cell[i], &two.cell[i]));
    raster_release(&one);
    raster_release(&two);
}

TEST(the_same_picture_is_drawn_the_same)
{
    struct random r = {6};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(100); round++) {
        struct picture p, again;
        uint32_t nodes = 1 + random_below(&r, 30);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), true);
        add_shuffled(&r, &again, &p);
        struct layout_options o = style((unsigned)round);
        struct layout a, b;
        draw(&a, &p, &o);
        draw(&b, &again, &o);
        expect_same_drawing(&a, &b);
        layout_release(&a);
        layout_release(&b);
        picture_release(&p);
        picture_release(&again);
        arena_clear(&arena);
    }
}

/* ---- windows ---- */

static void expect_window(const struct layout *l, const struct raster *whole, const uint8_t *lit,
                          struct random *r)
{
    struct raster part;
    int32_t column = (int32_t)random_below(r, (uint32_t)l->width + 20) - 10;
    int32_t row = (int32_t)random_below(r, (uint32_t)l->height + 20) - 10;
    int32_t columns = (int32_t)random_below(r, 40), rows = (int32_t)random_below(r, 20);
    static const struct raster_cell empty = {
        .node = PICTURE_NONE, .net = PICTURE_NONE, .crossed = PICTURE_NONE};
    raster_make(&part, l, column, row, columns, rows, lit);
    for (int32_t y = 0; y < part.rows; y++)
        for (int32_t x = 0; x < part.columns; x++) {
            int32_t wx = column + x, wy = row + y;
            bool inside = wx >= 0 && wy >= 0 && wx < l->width && wy < l->height;
            assert_true(same_cell(&part.cell[y * part.columns + x],
                                  inside ? &whole->cell[wy * l->width + wx] : &empty));
        }
    raster_release(&part);
}

TEST(a_window_is_a_part_of_the_whole)
{
    struct random r = {9};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(160); round++) {
        struct picture p;
        struct layout l;
        struct raster whole;
        uint8_t lit[300];
        uint32_t nodes = 1 + random_below(&r, 30);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), true);
        for (uint32_t e = 0; e < p.edges; e++)
            lit[e] = random_chance(&r, 20);
        struct layout_options o = style((unsigned)round);
        draw(&l, &p, &o);
        raster_make(&whole, &l, 0, 0, l.width, l.height, lit);
        for (int i = 0; i < 20; i++)
            expect_window(&l, &whole, lit, &r);
        raster_release(&whole);
        layout_release(&l);
        picture_release(&p);
        arena_clear(&arena);
    }
}

/* ---- highlights ---- */

/* The next lit cell on that side. Across the flow, skips lines in front of it. */
static const struct raster_cell *lit_beside(const struct raster *r, int32_t x, int32_t y,
                                            uint8_t side, uint32_t net)
{
    x += side == CELL_E ? 1 : side == CELL_W ? -1 : 0;
    y += side == CELL_S ? 1 : side == CELL_N ? -1 : 0;
    if (x < 0 || y < 0 || x >= r->columns || y >= r->rows)
        return NULL;
    const struct raster_cell *cell = &r->cell[y * r->columns + x];
    return cell->lit && cell->net == net ? cell : NULL;
}

/*
 * The lit cells are one path without a fork: each cell of a line continues to exactly two lit cells
 * or nodes, and the path touches both ends of the edge and nothing else.
 */
static void expect_path(const struct layout *l, const struct raster *r, uint32_t edge)
{
    uint32_t net = l->edge_net[edge], ends = 0, lines = 0;
    const struct picture_edge *of = &l->picture->edge[edge];
    uint32_t touched[2] = {PICTURE_NONE, PICTURE_NONE};
    for (int32_t y = 0; y < r->rows; y++)
        for (int32_t x = 0; x < r->columns; x++) {
            const struct raster_cell *cell = &r->cell[y * r->columns + x];
            if (!cell->lit)
                continue;
            assert_int_equal(cell->net, net);
            if (cell->type == RASTER_BORDER)
                continue;
            assert_int_equal(cell->type, RASTER_LINE);
            unsigned ways = 0;
            lines++;
            for (uint8_t side = CELL_N; side <= CELL_E; side <<= 1) {
                if (!(cell->mask & side))
                    continue;
                const struct raster_cell *next = lit_beside(r, x, y, side, net);
                int32_t nx = x + (side == CELL_E) - (side == CELL_W);
                int32_t ny = y + (side == CELL_S) - (side == CELL_N);
                const struct raster_cell *beside = &r->cell[ny * r->columns + nx];
                if (beside->node != PICTURE_NONE) {
                    bool is_end = beside->node == of->from || beside->node == of->to;
                    if (!is_end)
                        continue;
                    assert_true(ends < 2);
                    touched[ends++] = beside->node;
                    ways++;
                } else if (next) {
                    ways++;
                }
            }
            assert_int_equal(ways, 2);
        }
    assert_true(lines > 0);
    assert_int_equal(ends, 2);
    assert_int_not_equal(touched[0], touched[1]);
}

TEST(a_lit_edge_is_one_path)
{
    struct random r = {10};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(120); round++) {
        struct picture p;
        struct layout l;
        struct layout_options o = style((unsigned)round);
        uint32_t nodes = 2 + random_below(&r, 25);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), true);
        draw(&l, &p, &o);
        for (uint32_t e = 0; e < p.edges; e++) {
            struct raster raster;
            uint8_t lit[300] = {0};
            lit[e] = 1;
            raster_make(&raster, &l, 0, 0, l.width, l.height, lit);
            expect_path(&l, &raster, e);
            raster_release(&raster);
        }
        layout_release(&l);
        picture_release(&p);
        arena_clear(&arena);
    }
}

TEST(highlighting_does_not_change_other_cells)
{
    struct random r = {11};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(80); round++) {
        struct picture p;
        struct layout l;
        struct raster dark, light;
        struct layout_options o = style((unsigned)round);
        uint8_t lit[300] = {0};
        uint32_t nodes = 2 + random_below(&r, 25);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), true);
        for (uint32_t e = 0; e < p.edges; e++)
            lit[e] = random_chance(&r, 30);
        draw(&l, &p, &o);
        raster_make(&dark, &l, 0, 0, l.width, l.height, NULL);
        raster_make(&light, &l, 0, 0, l.width, l.height, lit);
        for (int32_t i = 0; i < l.width * l.height; i++) {
            struct raster_cell cell = light.cell[i];
            if (cell.lit && cell.net == dark.cell[i].net)
                cell.lit = false;
            if (cell.lit) { /* it moved to the front */
                assert_int_equal(cell.net, dark.cell[i].crossed);
                assert_int_equal(cell.crossed, dark.cell[i].net);
            } else {
                assert_true(same_cell(&cell, &dark.cell[i]));
            }
        }
        raster_release(&dark);
        raster_release(&light);
        layout_release(&l);
        picture_release(&p);
        arena_clear(&arena);
    }
}

/* ---- seeds ---- */

/* `p` without its last nodes, and then with them, like a view that grows. */
static void copy_part(struct picture *to, const struct picture *from, uint32_t nodes)
{
    *to = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < nodes; i++)
        assert_int_equal(picture_add_node(to, from->node[i]), 0);
    for (uint32_t e = 0; e < from->edges; e++)
        if (from->edge[e].from < nodes && from->edge[e].to < nodes)
            assert_int_equal(picture_add_edge(to, from->edge[e].from, from->edge[e].to,
                                              (enum stroke)from->edge[e].stroke),
                             0);
    picture_finish(to);
}

/* Two nodes that were and still are in the same layer keep their order. */
static void expect_order_kept(const struct layout *before, const struct layout *after)
{
    for (uint32_t i = 0; i < before->picture->nodes; i++)
        for (uint32_t k = 0; k < i; k++)
            if (before->node[i].layer == before->node[k].layer &&
                after->node[i].layer == after->node[k].layer)
                assert_int_equal(before->node[i].place < before->node[k].place,
                                 after->node[i].place < after->node[k].place);
}

TEST(seeded_nodes_keep_their_order)
{
    struct random r = {12};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(160); round++) {
        struct picture whole, part;
        struct layout before, after;
        int32_t seed[100];
        struct layout_options o = style((unsigned)round);
        uint32_t nodes = 2 + random_below(&r, 40), first = 1 + random_below(&r, nodes - 1);
        random_picture(&r, &arena, &whole, nodes, random_below(&r, 2 * nodes), false);
        copy_part(&part, &whole, first);
        draw(&before, &part, &o);
        for (uint32_t n = 0; n < nodes; n++)
            seed[n] = n < first ? before.node[n].seed : SEED_NONE;
        o.seed = seed;
        draw(&after, &whole, &o);
        drawing_check(&after);
        expect_order_kept(&before, &after);
        layout_release(&before);
        layout_release(&after);
        picture_release(&part);
        picture_release(&whole);
        arena_clear(&arena);
    }
}

/* ---- hard cases ---- */

static void add_nodes(struct picture *p, struct arena *arena, uint32_t count, int columns)
{
    *p = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < count; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%u", i);
        struct picture_node node = {
            .id = arena_strdup(arena, id), .at = i, .columns = columns ? columns : 1 + (int)i % 9};
        assert_int_equal(picture_add_node(p, node), 0);
    }
}

static void add_edge(struct picture *p, uint32_t from, uint32_t to)
{
    assert_int_equal(picture_add_edge(p, from, to, STROKE_DERIVED), 0);
}

static void complete(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 12, 3);
    for (uint32_t i = 0; i < 36; i++)
        add_edge(p, i / 6, 6 + i % 6);
}

static void star(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 61, 4);
    for (uint32_t i = 1; i < 61; i++)
        add_edge(p, 0, i);
}

static void sink(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 61, 4);
    for (uint32_t i = 1; i < 61; i++)
        add_edge(p, i, 0);
}

static void chain(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 200, 0);
    for (uint32_t i = 1; i < 200; i++)
        add_edge(p, i - 1, i);
}

static void ring(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 60, 0);
    for (uint32_t i = 0; i < 60; i++) {
        add_edge(p, i, (i + 1) % 60);
        add_edge(p, i, (i * 7 + 3) % 60);
    }
}

static void both_ways(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 20, 0);
    for (uint32_t i = 0; i + 1 < 20; i++) {
        add_edge(p, i, i + 1);
        add_edge(p, i + 1, i);
    }
}

static void dense(struct picture *p, struct arena *arena)
{
    struct random r = {3};
    add_nodes(p, arena, 60, 5);
    for (int i = 0; i < 400; i++)
        add_edge(p, random_below(&r, 60), random_below(&r, 60));
}

static void alone(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 1, 1);
}

static void nothing(struct picture *p, struct arena *arena)
{
    add_nodes(p, arena, 0, 1);
}

TEST(hard_pictures_are_read_back)
{
    static void (*const make[])(struct picture *, struct arena *) = {
        complete, star, sink, chain, ring, both_ways, dense, alone, nothing};
    AUTO_ARENA arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof(make) / sizeof(*make); i++)
        for (unsigned k = 0; k < STYLES; k++) {
            struct picture p;
            struct layout l;
            struct layout_options o = style(k);
            make[i](&p, &arena);
            picture_finish(&p);
            draw(&l, &p, &o);
            drawing_check(&l);
            layout_release(&l);
            picture_release(&p);
            arena_clear(&arena);
        }
}

TEST(too_large_drawings_are_rejected)
{
    for (unsigned i = 0; i < STYLES; i++) {
        struct picture p = PICTURE_INIT;
        struct layout l;
        struct layout_options o = style(i);
        for (int n = 0; n < 3; n++) {
            struct picture_node node = {.id = n ? n > 1 ? "c" : "b" : "a", .columns = INT32_MAX};
            assert_int_equal(picture_add_node(&p, node), 0);
        }
        add_edge(&p, 0, 1);
        picture_finish(&p);
        assert_int_equal(layout_make(&l, &p, &o), -1);
        layout_release(&l);
        picture_release(&p);
    }
}

/* ---- quality ---- */

/* Bends of lines, and cells with lines. */
static void count_lines(const struct layout *l, uint64_t *bends, uint64_t *cells)
{
    struct raster r;
    raster_make(&r, l, 0, 0, l->width, l->height, NULL);
    for (size_t i = 0; i < (size_t)l->width * (size_t)l->height; i++) {
        const struct raster_cell *cell = &r.cell[i];
        bool is_line = cell->type == RASTER_LINE;
        *cells += is_line;
        *bends += is_line && (cell->mask & (CELL_N | CELL_S)) && (cell->mask & (CELL_W | CELL_E));
    }
    raster_release(&r);
}

/*
 * For a fifth of the graphs that test_ordering compares with dot. The bounds are 3 % above the
 * values at the time of writing. They show what a change of a phase does to whole drawings.
 */
TEST(lines_are_straight_and_short)
{
    static const struct {
        struct layout_options options;
        uint64_t bends, cells;
    } expected[] = {
        {{.flow = FLOW_RIGHT}, 10870, 200300},
        {{.flow = FLOW_DOWN, .bundle = true}, 9690, 135200},
    };
    for (size_t k = 0; k < sizeof(expected) / sizeof(*expected); k++) {
        uint64_t bends = 0, cells = 0;
        for (int family = 0; family < FAMILY_COUNT; family++)
            for (uint32_t i = 0; i < family_graphs(family); i += 5) {
                struct family_graph f;
                struct picture p;
                struct layout l;
                family_make(&f, family, i, 0);
                family_picture(&f, &p);
                draw(&l, &p, &expected[k].options);
                count_lines(&l, &bends, &cells);
                layout_release(&l);
                picture_release(&p);
                family_release(&f);
            }
        if (bends > expected[k].bends || cells > expected[k].cells)
            fail_msg("drawing %zu has %llu bends and %llu cells", k, (unsigned long long)bends,
                     (unsigned long long)cells);
    }
}
