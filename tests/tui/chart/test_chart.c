/* A chart: labels, choice of style, and stable order of nodes. */
#include <locale.h>
#include "model/base/strbuf.h"
#include "tests/support/test.h"
#include "tui/chart/chart.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

static struct fixture f;

static int open_fixture(void **state)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    fixture_open(&f);
    return 0;
}

static int close_fixture(void **state)
{
    fixture_close(&f);
    return 0;
}

static void put(const char *format, ...)
{
    char line[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    fixture_put(&f, line, NULL);
}

static struct subgraph_request request_of(const char *ref, enum subgraph_show show)
{
    struct subgraph_request w = SUBGRAPH_REQUEST_INIT;
    w.focus = fixture_row(&f, ref);
    w.show = show;
    return w;
}

static void load(struct chart *c, const struct subgraph_request *w, struct chart_options o)
{
    struct error e;
    if (chart_load(c, f.reader, w, &o, &e))
        fail_msg("%s", e.what);
}

static void lay_out(struct chart *c, struct chart_options o)
{
    struct error e;
    if (chart_lay_out(c, &o, &e))
        fail_msg("%s", e.what);
}

static const struct chart_node *node_of(const struct chart *c, const char *id)
{
    uint32_t i = chart_find(c, id);
    if (i == PICTURE_NONE)
        fail_msg("there is no %s in view", id);
    return &c->node[i];
}

/* ---- labels ---- */

/* The label is cut and clean, has the stated size, and its sign is where stated. */
static void assert_label(const struct chart *c, uint32_t i, int most)
{
    const struct chart_node *n = &c->node[i];
    size_t len = 0;
    int longest = 0;
    for (int line = 0; line < n->lines; line++) {
        const char *text;
        len = chart_label_line(n, line, &text);
        int columns = (int)text_width(text, len, SIZE_MAX - 1, 0);
        longest = columns > longest ? columns : longest;
        for (size_t at = 0; at < len; at++)
            assert_true((unsigned char)text[at] >= ' ' && text[at] != 127);
        len += (size_t)(text - n->label);
    }
    assert_int_equal(n->label[len], '\0');
    assert_int_equal(longest, n->columns);
    assert_int_equal(text_width(n->label, (size_t)(n->mark + n->mark_length), SIZE_MAX - 1, 0) + 1,
                     n->mark_length ? n->head_columns : 1);
    assert_true(n->columns <= most);
    if (c->style != CHART_OUTLINE) {
        const struct layout_node *drawn = &c->layout.node[chart_drawn(c, i)];
        assert_int_equal(drawn->label_columns, n->columns);
        assert_int_equal(drawn->label_rows, n->lines);
    }
}

GROUP(open_fixture, close_fixture);

TEST(every_kind_of_node_has_its_label)
{
    put("{\"ref\":\"belief:a\",\"text\":\"  Rests on\\n\\t  much\",\"derived_from\":[\"raw:gone\","
        "\"belief:loop\",\"note:long\"],\"supersedes\":\"belief:old\"}");
    put("{\"ref\":\"belief:loop\",\"text\":\"L\",\"derived_from\":[\"belief:loop\"]}");
    put("{\"ref\":\"belief:old\",\"text\":\"O\",\"status\":\"retracted\"}");
    put("{\"ref\":\"note:long\",\"text\":\"\\u65e5\\u672c\\u65e5\\u672c\\u65e5\\u672c "
        "e\\u0301e\\u0301 "
        "\\u001b[31m \\u202e and a good deal more than any label can hold\",\"derived_from\":["
        "\"raw:1\",\"raw:2\",\"raw:3\",\"raw:4\",\"raw:5\",\"raw:6\",\"raw:7\",\"raw:8\",\"raw:9\"]"
        "}");
    for (int i = 1; i <= 9; i++)
        put("{\"ref\":\"raw:%d\",\"text\":\"Raw %d\"}", i, i);
    struct chart c;
    struct subgraph_request w = request_of("belief:a", SHOW_ANCESTORS);
    load(&c, &w, (struct chart_options){.style = CHART_LR, .label_columns = 20});
    for (uint32_t i = 0; i < c.subgraph.nodes; i++)
        assert_label(&c, i, 20);
    assert_string_equal(node_of(&c, "belief:a")->label, "b \xe2\x97\x90 Rests on much");
    assert_string_equal(node_of(&c, "raw:gone")->label, "r ?gone");
    assert_string_equal(node_of(&c, "belief:loop")->label, "b \xe2\x86\xba L \xe2\x86\xba");
    assert_string_equal(node_of(&c, "belief:old")->label, "b \xc3\x97 O");
    assert_true(node_of(&c, "belief:old")->ended && !node_of(&c, "belief:a")->ended);
    assert_int_equal(node_of(&c, "belief:a")->support, LABEL_WEAKENED);
    bool more = false;
    for (uint32_t i = 0; i < c.subgraph.nodes; i++)
        more |= strncmp(c.node[i].label, "\xe2\x8b\xaf +", 5) == 0;
    assert_true(more);
    lay_out(&c, (struct chart_options){.style = CHART_TB_BOX, .label_columns = 20, .ascii = true});
    for (uint32_t i = 0; i < c.subgraph.nodes; i++) {
        assert_label(&c, i, 20);
        for (const char *s = c.node[i].label; *s; s++)
            assert_true(*s > 0);
    }
    assert_string_equal(node_of(&c, "belief:loop")->label, "b C L @");
    chart_release(&c);
}

/* The counts of hidden neighbours are next to the text, above and below it in top-down styles, and are dropped
 * first. */
TEST(hidden_neighbours_are_counted)
{
    put("{\"ref\":\"belief:mid\",\"text\":\"In the "
        "middle\",\"derived_from\":[\"raw:m1\",\"raw:m2\"]}");
    put("{\"ref\":\"goal:up\",\"text\":\"Up\",\"derived_from\":[\"belief:mid\"]}");
    struct chart c;
    struct subgraph_request w = request_of("belief:mid", SHOW_BOTH);
    w.depth = 0;
    load(&c, &w, (struct chart_options){.style = CHART_LR});
    assert_string_equal(c.node[0].label, "\xe2\x80\xb9"
                                         "2 b \xe2\x97\x8b In the middle 1\xe2\x80\xba");
    lay_out(&c, (struct chart_options){.style = CHART_TB});
    assert_string_equal(c.node[0].label, "\xe2\x86\x91"
                                         "2 b \xe2\x97\x8b In the middle \xe2\x86\x93"
                                         "1");
    lay_out(&c, (struct chart_options){.style = CHART_TB, .label_columns = 8});
    assert_string_equal(c.node[0].label, "b \xe2\x97\x8b In \xe2\x80\xa6");
    assert_true(c.subgraph.partial && c.total[ANCESTORS] == 2 && c.total[DESCENDANTS] == 1);
    chart_release(&c);
}

/* ---- styles ---- */

static void chain(const char *name, int length, int wide)
{
    for (int i = 0; i < length; i++)
        for (int j = 0; j < wide; j++)
            put("{\"ref\":\"belief:%s-%d-%d\",\"text\":\"%s %d %d is what this memory says of it\","
                "\"derived_from\":[\"belief:%s-%d-%d\",\"belief:%s-%d-%d\"]}",
                name, i, j, name, i, j, name, i + 1, j, name, i + 1, (j + 1) % wide);
}

static enum chart_style style_at(struct chart *c, int columns, int rows)
{
    lay_out(c, (struct chart_options){.columns = columns, .rows = rows});
    return c->style;
}

TEST(the_style_that_fits_is_chosen)
{
    struct chart c;
    chain("few", 3, 2);
    struct subgraph_request w = request_of("belief:few-0-0", SHOW_ANCESTORS);
    load(&c, &w, (struct chart_options){.columns = 120, .rows = 34});
    assert_int_equal(c.style, CHART_TB_BOX);
    assert_true(c.layout.width <= 120 && c.layout.height <= 34);
    assert_int_equal(style_at(&c, 59, 34), CHART_OUTLINE);
    assert_true(c.narrow && !c.large && !c.layout.node);
    assert_int_equal(style_at(&c, 120, 8), CHART_LR); /* too low for boxes */
    lay_out(&c, (struct chart_options){.style = CHART_LR_BOX, .columns = 40});
    assert_int_equal(c.style, CHART_LR_BOX); /* a requested style is drawn */
    chart_release(&c);
}

TEST(a_long_lineage_flows_down)
{
    struct chart c;
    chain("long", 12, 2);
    struct subgraph_request w = request_of("belief:long-0-0", SHOW_ANCESTORS);
    w.gather = false;
    load(&c, &w, (struct chart_options){.columns = 100, .rows = 60});
    assert_int_equal(c.style, CHART_TB);
    assert_true(c.layout.width <= 100 && c.layout.height <= 60);
    assert_int_equal(style_at(&c, 300, 60), CHART_LR);
    assert_true(c.layout.width <= 300);
    chart_release(&c);
}

TEST(many_nodes_are_an_outline)
{
    struct chart c;
    for (int i = 0; i < 210; i++)
        put("{\"ref\":\"note:many-%03d\",\"text\":\"%d\",\"derived_from\":[\"raw:many\"]}", i, i);
    struct subgraph_request w = request_of("raw:many", SHOW_DESCENDANTS);
    w.budget = 1000;
    w.fan = 0;
    w.gather = false;
    load(&c, &w, (struct chart_options){.columns = 200});
    assert_int_equal(c.style, CHART_OUTLINE);
    assert_true(c.large && !c.narrow && c.subgraph.nodes == 211);
    lay_out(&c, (struct chart_options){.style = CHART_LR, .columns = 200});
    assert_int_equal(c.style, CHART_LR);
    assert_int_equal(c.layout.picture->nodes, 211);
    chart_release(&c);
}

/* Labels use the room that there is. */
TEST(labels_use_the_free_room)
{
    struct chart c;
    int before = 0;
    struct subgraph_request w = request_of("belief:few-0-0", SHOW_ANCESTORS);
    load(&c, &w, (struct chart_options){.style = CHART_LR, .columns = 80});
    for (int columns = 80; columns <= 240; columns += 10) {
        lay_out(&c, (struct chart_options){.style = CHART_LR, .columns = columns});
        assert_true(c.layout.width <= columns);
        assert_true(c.label_columns >= before);
        before = c.label_columns;
    }
    assert_true(before > 30);
    /* With few columns a text goes on below, and only in as many rows as there are. */
    for (int rows = 4; rows <= 40; rows += 4) {
        lay_out(&c, (struct chart_options){.style = CHART_LR, .columns = 80, .rows = rows});
        assert_true(c.label_lines <= 3 && (c.label_lines == 1 || c.layout.height <= rows));
        for (uint32_t i = 0; i < c.subgraph.nodes; i++)
            assert_label(&c, i, c.label_columns);
    }
    assert_true(c.label_lines > 1 && !c.node[0].cut);
    chart_release(&c);
}

/* ---- unchanged nodes keep their order ---- */

static void assert_no_pair_flipped(const struct chart *before, const struct chart *after)
{
    for (uint32_t i = 0; i < before->subgraph.nodes; i++)
        for (uint32_t j = 0; j < before->subgraph.nodes; j++) {
            uint32_t x = chart_find(after, before->subgraph.node[i].id);
            uint32_t y = chart_find(after, before->subgraph.node[j].id);
            if (x == PICTURE_NONE || y == PICTURE_NONE)
                continue;
            const struct layout_node *a = &before->layout.node[chart_drawn(before, i)];
            const struct layout_node *b = &before->layout.node[chart_drawn(before, j)];
            const struct layout_node *p = &after->layout.node[chart_drawn(after, x)];
            const struct layout_node *q = &after->layout.node[chart_drawn(after, y)];
            if (a->layer == b->layer && p->layer == q->layer)
                assert_int_equal(a->place < b->place, p->place < q->place);
        }
}

static void put_random(struct random *r, int round, int count)
{
    for (int i = 0; i < count; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addf(&line, "{\"ref\":\"note:r%d-%d\",\"text\":\"%d\",\"derived_from\":[", round, i,
                    i);
        for (int k = 0, any = 0; k < 3 && i; k++)
            strbuf_addf(&line, "%s\"note:r%d-%u\"", any++ ? "," : "", round,
                        random_below(r, (uint32_t)i));
        strbuf_addstr(&line, "]}");
        put("%s", line.buf);
    }
}

TEST(expanding_flips_nothing)
{
    struct random r = {5};
    for (int round = 0; round < 4; round++) {
        char ref[40];
        struct chart before, after;
        put_random(&r, round, 40);
        snprintf(ref, sizeof(ref), "note:r%d-39", round);
        struct subgraph_request w = request_of(ref, SHOW_BOTH);
        w.budget = 12;
        w.fan = 2;
        w.gather = false;
        load(&before, &w, (struct chart_options){.columns = 200, .rows = 50});
        for (int step = 0; step < 6; step++) {
            const struct subgraph_node *n =
                &before.subgraph.node[random_below(&r, before.subgraph.nodes)];
            struct expansion expansion = {
                .row = n->row, .side = (enum direction)(step & 1), .kind = -1, .count = 10};
            subgraph_expand(&w, expansion);
            load(&after, &w, (struct chart_options){.columns = 200, .rows = 50, .before = &before});
            assert_int_equal(after.style, before.style);
            assert_int_equal(after.label_columns, before.label_columns);
            assert_no_pair_flipped(&before, &after);
            chart_release(&before);
            before = after;
        }
        chart_release(&before);
        subgraph_request_release(&w);
    }
}

static void write_lines(const struct chart *c, struct strbuf *out)
{
    struct raster r;
    const struct layout *l = &c->layout;
    raster_make(&r, l, 0, 0, l->width, l->height, NULL);
    strbuf_init(out);
    for (int32_t i = 0; i < l->width * l->height; i++)
        strbuf_addf(out, "%s%s", i % l->width ? "" : "\n", raster_glyph(&r.cell[i], false));
    raster_release(&r);
}

static void assert_same_drawing(const struct chart *a, const struct chart *b)
{
    struct strbuf x, y;
    write_lines(a, &x);
    write_lines(b, &y);
    assert_string_equal(x.buf, y.buf);
    assert_int_equal(a->subgraph.nodes, b->subgraph.nodes);
    assert_memory_equal(a->layout.node, b->layout.node, a->picture.nodes * sizeof(*a->layout.node));
    assert_ptr_equal(b->layout.picture, &b->picture);
    strbuf_release(&x);
    strbuf_release(&y);
}

/* Fresh, read again, grown, read again, and laid out over itself. */
TEST(unchanged_graphs_are_drawn_the_same)
{
    struct random r = {11};
    for (int round = 10; round < 14; round++) {
        char ref[40];
        struct chart c[4];
        struct chart_options o = {.columns = 120, .rows = 34};
        put_random(&r, round, 40);
        snprintf(ref, sizeof(ref), "note:r%d-39", round);
        struct subgraph_request w = request_of(ref, SHOW_BOTH);
        load(&c[0], &w, o);
        o.before = &c[0];
        load(&c[1], &w, o);
        assert_same_drawing(&c[0], &c[1]);
        struct expansion expansion = {
            .row = c[1].subgraph.node[1].row, .side = DESCENDANTS, .count = 9};
        expansion.kind = -1;
        subgraph_expand(&w, expansion);
        o.before = &c[1];
        load(&c[2], &w, o);
        o.before = &c[2];
        load(&c[3], &w, o);
        assert_same_drawing(&c[2], &c[3]);
        for (int i = 0; i < 4; i++)
            chart_release(&c[i]);
        subgraph_request_release(&w);
    }
}

/* ---- an expanded node replaces the rest ---- */

/* The node for the hidden raws. *at is its place in the layers of the drawing. */
static const struct subgraph_node *rest_of(const struct chart *c, uint32_t *at)
{
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        if (c->subgraph.node[i].type == SUBGRAPH_MORE && c->subgraph.node[i].kind == KIND_RAW) {
            const struct layout_node *n = &c->layout.node[chart_drawn(c, i)];
            *at = c->layout.layer_first[n->layer] + n->place;
            return &c->subgraph.node[i];
        }
    fail_msg("nothing is left of them");
    return NULL;
}

static const struct subgraph_node *standing(const struct chart *c, uint32_t at)
{
    return &c->subgraph.node[chart_of_drawn(c, c->layout.layer_node[at])];
}

static void put_hub(void)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addstr(&line, "{\"ref\":\"note:hub\",\"text\":\"Hub\",\"derived_from\":[\"note:hub-0\"");
    for (int i = 1; i < 12; i++)
        strbuf_addf(&line, ",\"note:hub-%d\"", i);
    for (int i = 0; i < 30; i++)
        strbuf_addf(&line, ",\"raw:hub-%d\"", i);
    strbuf_addstr(&line, "]}");
    put("%s", line.buf);
    for (int i = 0; i < 30; i++)
        put("{\"ref\":\"raw:hub-%d\",\"text\":\"Raw %d\"}", i, i);
    for (int i = 0; i < 12; i++)
        put("{\"ref\":\"note:hub-%d\",\"text\":\"Note %d\"}", i, i);
}

/* The node for the hidden raws is above the row of the hub, since its notes are below. */
TEST(expanded_nodes_come_before_the_rest)
{
    struct chart before, after;
    uint32_t was, at;
    put_hub();
    struct subgraph_request w = request_of("note:hub", SHOW_BOTH);
    w.gather = false;
    w.fan = 2;
    struct expansion notes = {.row = w.focus, .side = ANCESTORS, .kind = KIND_NOTE, .count = 10};
    subgraph_expand(&w, notes);
    struct chart_options o = {.style = CHART_LR, .columns = 120, .rows = 34};
    load(&before, &w, o);
    const struct subgraph_node *rest = rest_of(&before, &was);
    assert_string_equal(rest->id, standing(&before, was)->id);
    struct expansion expansion = {
        .row = rest->row, .side = ANCESTORS, .kind = KIND_RAW, .count = 10};
    subgraph_expand(&w, expansion);
    o.before = &before;
    load(&after, &w, o);
    rest_of(&after, &at);
    assert_int_equal(after.subgraph.nodes, before.subgraph.nodes + 10);
    assert_int_equal(at, was + 10);
    for (uint32_t i = was; i < at; i++) {
        assert_int_equal(standing(&after, i)->kind, KIND_RAW);
        assert_int_equal(chart_find(&before, standing(&after, i)->id), PICTURE_NONE);
    }
    assert_no_pair_flipped(&before, &after);
    chart_release(&before);
    chart_release(&after);
    subgraph_request_release(&w);
}

/* ---- the legend ---- */

static const struct legend_entry *entry_of(const struct legend_entry *entry, size_t count,
                                           enum legend_type type, int of)
{
    for (size_t i = 0; i < count; i++)
        if (entry[i].type == type && entry[i].of == of)
            return &entry[i];
    return NULL;
}

TEST(the_legend_has_the_signs_in_use)
{
    struct legend_entry entry[LEGEND_MAX];
    struct chart c;
    struct subgraph_request w = request_of("belief:a", SHOW_ANCESTORS);
    load(&c, &w, (struct chart_options){.style = CHART_LR});
    size_t count = chart_legend(&c, NULL, entry);
    assert_non_null(entry_of(entry, count, LEGEND_STROKE, STROKE_SUPERSEDES));
    assert_non_null(entry_of(entry, count, LEGEND_STROKE, STROKE_DERIVED));
    assert_null(entry_of(entry, count, LEGEND_STROKE, STROKE_GUESSED));
    assert_non_null(entry_of(entry, count, LEGEND_KIND, KIND_NOTE));
    assert_null(entry_of(entry, count, LEGEND_KIND, KIND_GOAL));
    assert_non_null(entry_of(entry, count, LEGEND_GHOST, 0));
    assert_non_null(entry_of(entry, count, LEGEND_LOOP, 0));
    assert_non_null(entry_of(entry, count, LEGEND_SEVERAL, SUBGRAPH_MORE));
    assert_null(entry_of(entry, count, LEGEND_REVERSED, 0));
    lay_out(&c, (struct chart_options){.style = CHART_OUTLINE});
    count = chart_legend(&c, NULL, entry);
    assert_null(entry_of(entry, count, LEGEND_FLOW, 0));
    assert_null(entry_of(entry, count, LEGEND_STROKE, STROKE_DERIVED));
    assert_non_null(entry_of(entry, count, LEGEND_KIND, KIND_NOTE));
    chart_release(&c);
    chart_release(&c); /* releasing an empty chart is allowed */
}
