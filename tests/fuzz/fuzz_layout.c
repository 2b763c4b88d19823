/*
 * Layouts of any graph: nodes do not touch and are inside, the order of rows does not matter, and
 * a window is part of the whole.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/layout/moves.h"
#include "model/layout/picture.h"
#include "model/layout/raster.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define NODES 64

/* The input: a style, the number of nodes, a byte for each node, then three for each edge. */
struct plan {
    uint8_t style, nodes;
    const uint8_t *node, *edge;
    size_t edges;
};

static char ids[NODES][16];

/* `backwards`: nodes and edges are added in the opposite order, which must not matter. */
static void build(struct picture *p, const struct plan *plan, bool backwards)
{
    *p = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < plan->nodes; i++) {
        uint32_t v = backwards ? plan->nodes - 1U - i : i;
        struct picture_node node = {.id = ids[v],
                                    .rank = plan->node[v] & 3,
                                    .columns = 1 + (plan->node[v] >> 3),
                                    .ghost = plan->node[v] & 4};
        assert(picture_add_node(p, node) == 0);
    }
    for (size_t i = 0; i < plan->edges; i++) {
        const uint8_t *edge = plan->edge + 3 * (backwards ? plan->edges - 1 - i : i);
        uint32_t from = edge[0] % plan->nodes, to = edge[1] % plan->nodes;
        assert(picture_add_edge(p, backwards ? plan->nodes - 1U - from : from,
                                backwards ? plan->nodes - 1U - to : to,
                                (enum stroke)(edge[2] % STROKE_COUNT)) == 0);
    }
    picture_finish(p);
}

static void expect_apart(const struct layout *l, const struct raster *whole)
{
    uint8_t *taken = calloc((size_t)l->width * (size_t)l->height + 1, 1);
    assert(taken);
    for (uint32_t v = 0; v < l->picture->nodes; v++) {
        const struct layout_node *n = &l->node[v];
        assert(n->width > 0 && n->height > 0 && n->column >= 0 && n->row >= 0);
        assert(n->column + n->width <= l->width && n->row + n->height <= l->height);
        assert(n->label_columns == l->picture->node[v].columns);
        assert(n->label_column >= n->column && n->label_row >= n->row &&
               n->label_row < n->row + n->height &&
               n->label_column + n->label_columns <= n->column + n->width);
        for (int32_t row = n->row; row < n->row + n->height; row++)
            for (int32_t column = n->column; column < n->column + n->width; column++) {
                size_t at = (size_t)row * (size_t)l->width + (size_t)column;
                assert(!taken[at]++);
                assert(whole->cell[at].type == RASTER_BORDER ||
                       whole->cell[at].type == RASTER_INSIDE);
                assert(whole->cell[at].node == v);
            }
        for (int32_t i = 0; i < n->label_columns; i++)
            assert(
                whole->cell[(size_t)n->label_row * (size_t)l->width + (size_t)(n->label_column + i)]
                    .type == RASTER_INSIDE);
    }
    free(taken);
}

static bool same_cell(const struct raster_cell *a, const struct raster_cell *b, bool ascii)
{
    return a->type == b->type && a->mask == b->mask && a->node == b->node && a->net == b->net &&
           a->crossed == b->crossed && a->lit == b->lit &&
           strcmp(raster_glyph(a, ascii), raster_glyph(b, ascii)) == 0;
}

/* A window that is larger than the drawing, or lies inside it. */
static void expect_window(const struct layout *l, const struct raster *whole, const uint8_t *lit,
                          bool inside)
{
    struct raster r;
    int32_t column = inside ? l->width / 3 : -2, row = inside ? l->height / 3 : -2;
    int32_t columns = inside ? l->width / 2 : l->width + 5, rows = inside ? 3 : l->height + 5;
    raster_make(&r, l, column, row, columns, rows, lit);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++) {
            const struct raster_cell *cell = &r.cell[(size_t)y * (size_t)columns + (size_t)x];
            int32_t from = column + x, at = row + y;
            if (from < 0 || at < 0 || from >= l->width || at >= l->height)
                assert(cell->type == RASTER_EMPTY);
            else
                assert(same_cell(cell, &whole->cell[(size_t)at * (size_t)l->width + (size_t)from],
                                 l->options.ascii));
        }
    raster_release(&r);
}

static void expect_same(const struct layout *a, const struct layout *b)
{
    struct raster x, y;
    assert(a->width == b->width && a->height == b->height && a->nets == b->nets);
    raster_make(&x, a, 0, 0, a->width, a->height, NULL);
    raster_make(&y, b, 0, 0, b->width, b->height, NULL);
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++)
        assert(same_cell(&x.cell[i], &y.cell[i], a->options.ascii));
    raster_release(&x);
    raster_release(&y);
}

/* Nodes that were drawn before keep their order within their layer. */
static void expect_seeded(const struct picture *p, const struct layout *before)
{
    struct layout l;
    struct layout_options options = before->options;
    int32_t *seed = calloc((size_t)p->nodes + 1, sizeof(*seed));
    assert(seed);
    for (uint32_t v = 0; v < p->nodes; v++)
        seed[v] = before->node[v].seed;
    options.seed = seed;
    assert(layout_make(&l, p, &options) == 0);
    for (uint32_t layer = 0; layer < l.layers; layer++)
        for (uint32_t i = l.layer_first[layer] + 1; i < l.layer_first[layer + 1]; i++)
            assert(seed[l.layer_node[i - 1]] <= seed[l.layer_node[i]]);
    layout_release(&l);
    free(seed);
}

static void expect_moves(const struct layout *l)
{
    struct moves m;
    moves_init(&m, l);
    uint32_t at = 0;
    for (uint32_t i = 0; i < 4 * l->picture->nodes; i++) {
        enum move move = (enum move)(i * 7 % 4);
        uint32_t ahead = moves_peek(&m, at, move);
        at = moves_go(&m, at, move);
        assert(at == ahead && at < l->picture->nodes);
    }
    moves_release(&m);
}

static void draw(const struct plan *plan, const struct layout_options *options)
{
    struct picture p, other;
    struct layout l, again;
    struct raster whole;
    uint8_t lit[3 * 4096] = {0};
    build(&p, plan, false);
    assert(layout_make(&l, &p, options) == 0);
    for (uint32_t e = 0; e < p.edges; e++)
        lit[e] = plan->style & 32 ? e % 3 == 0 : 0;
    raster_make(&whole, &l, 0, 0, l.width, l.height, lit);
    expect_apart(&l, &whole);
    expect_window(&l, &whole, lit, false);
    expect_window(&l, &whole, lit, true);
    raster_release(&whole);
    if (p.nodes > 0) {
        expect_seeded(&p, &l);
        expect_moves(&l);
    }
    build(&other, plan, true);
    assert(layout_make(&again, &other, options) == 0);
    expect_same(&l, &again);
    layout_release(&again);
    layout_release(&l);
    picture_release(&other);
    picture_release(&p);
}

static void outline(const struct plan *plan)
{
    struct picture p;
    struct picture_outline o;
    build(&p, plan, false);
    assert(picture_outline_make(&o, &p, plan->style % (p.nodes + 1U), plan->style & 16) == 0);
    assert(o.count >= p.edges + (p.nodes > 0) && o.count <= p.edges + p.nodes);
    picture_outline_release(&o);
    picture_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len < 2 || len > 3 * 4096)
        return 0;
    struct plan plan = {.style = bytes[0], .nodes = bytes[1] % (NODES + 1), .node = bytes + 2};
    if (len - 2 < plan.nodes)
        return 0;
    plan.edge = plan.node + plan.nodes;
    plan.edges = plan.nodes > 0 ? (len - 2 - plan.nodes) / 3 : 0;
    for (int i = 0; i < NODES; i++)
        snprintf(ids[i], sizeof(ids[i]), "%02d", i);
    struct layout_options options = {.flow = plan.style & 1 ? FLOW_DOWN : FLOW_RIGHT,
                                     .boxed = plan.style & 2,
                                     .bundle = plan.style & 4,
                                     .ascii = plan.style & 8};
    draw(&plan, &options);
    outline(&plan);
    return 0;
}
