/*
 * The data of the graph view: highlighted edges, the node of a row, the path of the cursor, and dots in the order of
 * the labels.
 */
#include <locale.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"
#include "tui/view/graph/graph_drawing.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define MEMORIES 80

static struct fixture f;

static void put_random(struct random *r)
{
    char *lines[MEMORIES];
    for (int i = 0; i < MEMORIES; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        int links = (int)random_below(r, 4);
        strbuf_addf(&line, "{\"ref\":\"belief:m%03d\",\"text\":\"M%d\",\"created_at\":%d", i, i, i);
        for (int k = 0; k < links; k++)
            strbuf_addf(&line, "%s\"belief:m%03d\"", k ? "," : ",\"derived_from\":[",
                        (int)random_below(r, MEMORIES));
        strbuf_addstr(&line, links ? "]}" : "}");
        lines[i] = xstrdup(line.buf);
    }
    fixture_put_lines(&f, (const char *const *)lines, MEMORIES);
    for (int i = 0; i < MEMORIES; i++)
        free(lines[i]);
}

static int set_up(void **state)
{
    struct random r = {5};
    setlocale(LC_CTYPE, "C.UTF-8");
    fixture_open(&f);
    put_random(&r);
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(&f);
    return 0;
}

static struct drawing *draw(int64_t focus, const struct drawing *before, size_t budget)
{
    struct subgraph_request w = SUBGRAPH_REQUEST_INIT;
    struct chart_options o = {
        .style = CHART_LR, .columns = 100, .rows = 40, .before = before ? &before->chart : NULL};
    struct error e;
    w.focus = focus;
    w.show = SHOW_BOTH;
    w.budget = budget;
    struct drawing *d = drawing_make(f.reader, &w, &o, &e);
    if (!d)
        fail_msg("%s", e.what);
    assert_true(drawing_is_drawn(d));
    subgraph_request_release(&w);
    return d;
}

/* reach[a * nodes + b]: whether a path of edges leads from a to b, or a == b. */
static uint8_t *reach_of(const struct picture *p)
{
    uint8_t *reach = xcalloc((size_t)p->nodes * p->nodes, 1);
    for (uint32_t i = 0; i < p->nodes; i++)
        reach[i * p->nodes + i] = 1;
    for (uint32_t e = 0; e < p->edges; e++)
        reach[p->edge[e].from * p->nodes + p->edge[e].to] = 1;
    for (uint32_t k = 0; k < p->nodes; k++)
        for (uint32_t i = 0; i < p->nodes; i++)
            for (uint32_t j = 0; j < p->nodes; j++)
                reach[i * p->nodes + j] |= reach[i * p->nodes + k] & reach[k * p->nodes + j];
    return reach;
}

GROUP(set_up, tear_down);

/* Exactly the edges on paths from or to the node are highlighted. */
TEST(test_edges_on_paths_are_highlighted)
{
    for (int64_t focus = 1; focus <= MEMORIES; focus += 9) {
        struct drawing *d = draw(focus, NULL, 30);
        const struct picture *p = &d->chart.picture;
        AUTO_FREE uint8_t *reach = reach_of(p), *lit = xcalloc(p->edges + 1, 1);
        for (uint32_t n = 0; n < p->nodes; n++) {
            drawing_light(d, n, lit);
            for (uint32_t e = 0; e < p->edges; e++) {
                bool on = reach[n * p->nodes + p->edge[e].from],
                     to = reach[p->edge[e].to * p->nodes + n];
                assert_int_equal(lit[e], on || to);
            }
        }
        drawing_drop(d);
    }
}

TEST(test_the_node_of_a_row_is_found)
{
    struct drawing *d = draw(7, NULL, 40);
    const struct chart *c = &d->chart;
    for (uint32_t n = 0; n < c->picture.nodes; n++) {
        const struct subgraph_node *node = drawing_subgraph(d, n);
        assert_int_equal(drawing_find(d, node->id), n);
        if (node->type == SUBGRAPH_MEMORY)
            assert_int_equal(drawing_find_row(d, node->row), n);
        for (size_t i = 0; i < node->members; i++)
            assert_int_equal(drawing_find_row(d, node->member[i]), n);
        assert_int_equal(c->layout.layer_node[moves_line(&d->moves, n)], n);
    }
    assert_int_equal(drawing_find(d, "belief:nothing"), PICTURE_NONE);
    assert_int_equal(drawing_find_row(d, 100000), PICTURE_NONE);
    drawing_drop(d);
}

/* Dots keep the layers and order of the labels, and need less room. */
TEST(test_dots_keep_the_order_of_labels)
{
    for (int64_t focus = 2; focus <= MEMORIES; focus += 13) {
        struct drawing *d = draw(focus, NULL, 40);
        const struct layout *l = &d->chart.layout, *s = &d->small;
        assert_int_equal(s->layers, l->layers);
        assert_memory_equal(s->layer_node, l->layer_node,
                            l->picture->nodes * sizeof(*l->layer_node));
        assert_true(s->width < l->width);
        for (uint32_t n = 0; n < l->picture->nodes; n++)
            assert_int_equal(s->node[n].label_columns, 1);
        drawing_drop(d);
    }
}
