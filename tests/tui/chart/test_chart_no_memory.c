/* Each allocation of a chart, and of what is written of it, made to fail in turn: it fails and says so, or is whole. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "model/layout/moves.h"
#include "tui/chart/chart.h"
#include "tui/chart/graph_dot.h"
#include "tui/chart/graph_json.h"
#include "tui/chart/graph_text.h"
#include "tests/support/no_memory.h"
#include "tests/support/store_fixture.h"

static struct fixture f;
static struct scene_wishes wishes = SCENE_WISHES_INIT;
static struct chart whole = CHART_INIT;          /* with enough memory */
static struct strbuf written[3] = {STRBUF_INIT}; /* of it: text, outline, dot */

static int open_fixture(void **state)
{
    struct error e;
    struct chart_options o = {.columns = 120, .rows = 40};
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (int i = 0; i < 3; i++)
        strbuf_init(&written[i]);
    fixture_open(&f);
    fixture_put(
        &f,
        "{\"ref\":\"belief:a\",\"text\":\"First\",\"derived_from\":[\"belief:b\",\"raw:gone\","
        "\"raw:1\","
        "\"raw:2\",\"raw:3\"],\"supersedes\":\"belief:c\"}",
        "{\"ref\":\"belief:b\",\"text\":\"Second\",\"derived_from\":[\"belief:a\",\"belief:b\"]}",
        "{\"ref\":\"belief:c\",\"text\":\"Third\",\"derived_from\":[\"raw:1\",\"raw:2\",\"raw:3\"]"
        "}",
        "{\"ref\":\"raw:1\",\"text\":\"One\"}", "{\"ref\":\"raw:2\",\"text\":\"Two\"}",
        "{\"ref\":\"raw:3\",\"text\":\"Three\"}", NULL);
    wishes.focus = fixture_row(&f, "belief:a");
    wishes.show = SCENE_BOTH;
    return chart_load(&whole, f.reader, &wishes, &o, &e);
}

static int close_fixture(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        strbuf_release(&written[i]);
    chart_release(&whole);
    fixture_close(&f);
    return 0;
}

/* -1 is an error of memory, and only that. */
static int failed(const struct error *e)
{
    assert_int_equal(e->code, ERROR_MEMORY);
    return -1;
}

static int loading(void)
{
    struct chart_options o = {.columns = 120, .rows = 40, .before = &whole};
    struct chart c;
    struct error e = {0};
    int result = chart_load(&c, f.reader, &wishes, &o, &e) ? failed(&e) : 0;
    if (!result) {
        assert_int_equal(c.scene.nodes, whole.scene.nodes);
        assert_int_equal(c.layout.picture->edges, whole.layout.picture->edges);
        for (uint32_t i = 0; i < c.scene.nodes; i++)
            assert_string_equal(c.node[i].label, whole.node[i].label);
    }
    chart_release(&c);
    return result;
}

static int laying_out(void)
{
    static const enum chart_style styles[] = {CHART_TB, CHART_OUTLINE, CHART_LR, CHART_AUTO};
    struct chart c;
    struct error e = {0};
    struct chart_options o = {.columns = 120, .rows = 40};
    if (chart_load(&c, f.reader, &wishes, &o, &e)) {
        chart_release(&c);
        return failed(&e);
    }
    int result = 0;
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]) && !result; i++) {
        o.style = styles[i];
        o.before = &c;
        result = chart_lay_out(&c, &o, &e) ? failed(&e) : 0;
    }
    chart_release(&c);
    return result;
}

/* What is written is the same each time. */
static int same_or_failed(struct strbuf *out, int result, struct strbuf *first)
{
    if (!result && !out->failed && !first->len) {
        *first = *out;
        return 0;
    }
    result = result || out->failed ? -1 : 0;
    if (!result)
        assert_string_equal(out->buf, first->buf);
    strbuf_release(out);
    return result;
}

static int print(struct strbuf *first)
{
    struct output out = {.text = STRBUF_INIT, .columns = 100};
    struct error e = {0};
    int result = graph_text_print(&out, &whole, SCENE_BOTH, &e) ? failed(&e) : 0;
    return same_or_failed(&out.text, result, first);
}

static int printing(void)
{
    return print(&written[0]);
}

static int printing_an_outline(void)
{
    enum chart_style style = whole.style;
    whole.style = CHART_OUTLINE;
    int result = print(&written[1]);
    whole.style = style;
    return result;
}

static int writing_dot(void)
{
    struct strbuf out = STRBUF_INIT;
    graph_dot_add(&out, &whole, false);
    return same_or_failed(&out, 0, &written[2]);
}

static int writing_json(void)
{
    struct strbuf out = STRBUF_INIT;
    struct error e = {0};
    int result = graph_json_add(&out, f.reader, &whole, SCENE_BOTH, &e) ? failed(&e) : 0;
    if (out.failed)
        result = -1;
    if (!result)
        assert_non_null(strstr(out.buf, "\"ref\":\"raw:gone\""));
    strbuf_release(&out);
    return result;
}

static int moving(void)
{
    struct moves m;
    int result = moves_init(&m, &whole.layout);
    if (!result)
        assert_true(m.components == 1);
    moves_release(&m);
    return result;
}

static void each_fails_alone(void **state)
{
    (void)state;
    fail_each_allocation(loading);
    fail_each_allocation(laying_out);
}

static void what_is_written_fails_or_is_whole(void **state)
{
    (void)state;
    fail_each_allocation(printing);
    fail_each_allocation(printing_an_outline);
    fail_each_allocation(writing_dot);
    fail_each_allocation(writing_json);
    fail_each_allocation(moving);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fails_alone),
        cmocka_unit_test(what_is_written_fails_or_is_whole),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
