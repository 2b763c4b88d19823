/*
 * Each allocation made to fail in turn, alone and with all that follow: what was asked for fails and says
 * so, or is whole, and nothing leaks. The linker puts the calls below in the place of the library's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "model/format/difference.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "model/graph/lineage.h"
#include "tests/support/fake_service.h"
#include "tests/support/no_memory.h"
#include "tests/support/random_memory.h"

static struct memory sample, other;
static struct strbuf line = STRBUF_INIT, patch = STRBUF_INIT;

static int setup(void **state)
{
    static struct arena arena = ARENA_INIT;
    struct random r = {4};
    (void)state;
    do {
        random_memory(&r, &arena, &sample);
        other = sample;
        random_edit(&r, &arena, &other);
    } while (sample.justification_count < 3 || sample.mark_count < 2 || sample.relation_count < 2 ||
             sample.history_count < 2 || !sample.detail || other.tag_count == sample.tag_count ||
             other.detail == sample.detail);
    exchange_write(&line, &sample, NULL);
    exchange_patch(&patch, &sample, &other);
    *state = &arena;
    return 0;
}

static int teardown(void **state)
{
    arena_release(*state);
    strbuf_release(&line);
    strbuf_release(&patch);
    return 0;
}

static int same_or_failed(struct strbuf *out, const struct strbuf *expected)
{
    int result = out->failed ? -1 : 0;
    if (result == 0)
        assert_string_equal(out->buf, expected->buf);
    strbuf_release(out);
    return result;
}

static int writing(void)
{
    struct strbuf out = STRBUF_INIT;
    exchange_write(&out, &sample, NULL);
    return same_or_failed(&out, &line);
}

static int patching(void)
{
    struct strbuf out = STRBUF_INIT;
    exchange_patch(&out, &sample, &other);
    return same_or_failed(&out, &patch);
}

static int unpatching(void)
{
    struct arena arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT;
    struct memory m;
    struct error e;
    int result = exchange_unpatch(&m, &other, &arena, patch.buf, &e);
    if (result)
        assert_int_equal(e.code, ERROR_MEMORY);
    long rest = memory_left;
    memory_left = -1;
    if (result == 0) {
        exchange_write(&out, &m, NULL);
        assert_string_equal(out.buf, line.buf);
    }
    memory_left = rest;
    strbuf_release(&out);
    arena_release(&arena);
    return result;
}

/* What came since is another tag and another mark, so that every list is merged. */
static int restoring(void)
{
    struct arena arena = ARENA_INIT;
    struct memory now = sample, before = sample, after = sample, m;
    struct error e;
    const char *tags[] = {"since"}, *added[] = {"a", "since"};
    struct mark mark = {.mark = "reviewed"};
    now.tags = tags, now.tag_count = 1;
    now.marks = &mark, now.mark_count = 1;
    now.detail = "{\"gone\":2,\"since\":1}";
    before.detail = NULL;
    after.tags = added, after.tag_count = 2;
    after.mark_count--;
    after.detail = "{\"gone\":2}";
    int result = exchange_restore(&m, &now, &before, &after, &arena, &e);
    if (result)
        assert_int_equal(e.code, ERROR_MEMORY);
    else
        assert_string_equal(m.detail, "{\"since\":1}");
    arena_release(&arena);
    return result;
}

static int differing(void)
{
    struct arena arena = ARENA_INIT;
    struct difference *list;
    size_t count;
    int result = memory_difference(&sample, &other, &arena, &list, &count);
    if (result == 0)
        assert_true(count > 0);
    arena_release(&arena);
    return result;
}

static int read_text(const char *text, size_t len, const struct strbuf *expected)
{
    struct arena arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT, unknown = STRBUF_INIT;
    struct memory m;
    struct error e;
    int result = exchange_read(&m, &arena, text, len, "ash", 0, &unknown, &e);
    if (result)
        assert_int_equal(e.code, ERROR_MEMORY);
    long rest = memory_left;
    memory_left = -1; /* only the reading is on trial here */
    if (result == 0 && expected) {
        exchange_write(&out, &m, NULL);
        assert_string_equal(out.buf, expected->buf);
    }
    memory_left = rest;
    strbuf_release(&out);
    strbuf_release(&unknown);
    arena_release(&arena);
    return result;
}

static int reading(void)
{
    return read_text(line.buf, line.len, &line);
}

static int reading_broken_text(void)
{
    static const char text[] =
        "{\"ref\":\"note:n\",\"text\":\"a\\u0000\xff\",\"zork\":1,\"zark\":2,\"derived_from\":["
        "\"raw:1\",\"c:d\"],"
        "\"justifications\":[{\"antecedents\":[\"raw:1\",\"raw:2\",\"raw:3\",\"raw:4\",\"raw:5\","
        "\"raw:6\","
        "\"raw:7\",\"raw:8\",\"raw:9\",\"raw:10\",\"raw:11\",\"raw:12\",\"raw:13\",\"raw:14\","
        "\"raw:15\","
        "\"raw:16\",\"raw:17\",\"raw:1\"]}],\"source_episodes\":[\"e\"],\"supersedes\":\"o\"}";
    return read_text(text, sizeof(text) - 1, NULL);
}

static int searching(void)
{
    struct strbuf out = STRBUF_INIT;
    memory_search_text(&sample, &out);
    int result = out.failed ? -1 : 0;
    strbuf_release(&out);
    return result;
}

static int checking(void)
{
    static const char text[] = "{\"\\u0061\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,"
                               "\"h\":8,\"i\":9,\"j\":10,\"k\":11,\"l\":12,"
                               "\"m\":13,\"n\":14,\"o\":15,\"p\":16,\"q\":17,\"r\":18,\"s\":1."
                               "0000000000000000000000000000000000000000"
                               "0000000000000000000000000000000000000000000000000e1}";
    struct error e;
    int result = json_check(text, sizeof(text) - 1, 9, &e);
    if (result)
        assert_int_equal(e.code, ERROR_MEMORY);
    return result;
}

/* A ladder of 200 nodes with two circles at its foot, and a group of many. */
static int build(struct graph *g)
{
    uint32_t many[40];
    int bad = 0;
    graph_init(g);
    for (uint32_t i = 0; i < 40; i++)
        many[i] = i / 2;
    for (uint32_t v = 0; v < 200 && !bad; v++) {
        uint32_t two[] = {v == 2 ? 4 : v - 1, v > 1 ? v - 2 : v};
        unsigned shape = GRAPH_SHAPE(ROLE_SOURCE, v % 7 ? READING_ANY : READING_ALL, RECORDED);
        bad =
            graph_add_node(g, v ? KIND_NOTE : KIND_RAW, v == 5 ? STATUS_DELETED : STATUS_ACTIVE) ||
            (v && graph_add_group(g, shape, 0, two, 2));
    }
    if (bad || graph_add_group(g, GRAPH_SHAPE(ROLE_SOURCE, READING_ANY, RECORDED), 1, many, 40))
        return -1;
    return graph_finish(g);
}

static int building(void)
{
    struct graph g;
    int result = build(&g);
    graph_release(&g);
    return result;
}

/* Builds undisturbed, then asks with what is left to fail. */
static int ask(int (*question)(const struct graph *g, const struct labels *l))
{
    struct graph g;
    struct labels l;
    long rest = memory_left;
    memory_left = -1;
    assert_int_equal(build(&g), 0);
    assert_int_equal(labels_compute(&l, &g), 0);
    memory_left = rest;
    int result = question(&g, &l);
    labels_release(&l);
    graph_release(&g);
    return result;
}

static int ask_labels(const struct graph *g, const struct labels *l)
{
    struct labels again;
    if (labels_compute(&again, g))
        return -1;
    assert_memory_equal(again.label, l->label, g->nodes);
    labels_release(&again);
    return 0;
}

static int ask_lineage(const struct graph *g, const struct labels *l)
{
    struct lineage walk;
    (void)l;
    if (lineage_walk(&walk, g, 199, ANCESTORS, DEPTH_UNLIMITED))
        return -1;
    assert_int_equal(walk.count, 200);
    assert_int_equal(walk.cycle_count, 2);
    lineage_release(&walk);
    return 0;
}

static int ask_whatif(const struct graph *g, const struct labels *l)
{
    struct whatif w;
    if (whatif_retract(&w, g, l, (uint32_t[]){0, 3}, 2))
        return -1;
    assert_int_equal(w.fall_count + w.weakened_count + w.descends, 198);
    whatif_release(&w);
    return 0;
}

static int ask_outline(const struct graph *g, const struct labels *l)
{
    struct outline o;
    (void)l;
    if (outline_make(&o, g, 199, ANCESTORS, 60, SIZE_MAX))
        return -1;
    uint32_t hidden = 0;
    for (size_t i = 0; i < o.count; i++)
        hidden += o.line[i].more;
    assert_true(hidden > 0);
    outline_release(&o);
    return 0;
}

static int labelling(void)
{
    return ask(ask_labels);
}

static int tracing(void)
{
    return ask(ask_lineage);
}

static int retracting(void)
{
    return ask(ask_whatif);
}

static int outlining(void)
{
    return ask(ask_outline);
}

/* ---- the protocol engine: a client is answered, or its connection is closed ---- */

#define MODERN_META                                                                                \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static const char *const said[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{" MODERN_META
    ",\"name\":\"fill\",\"arguments\":{\"bytes\":5000}}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{" MODERN_META
    ",\"notifications\":{\"resourceSubscriptions\":[\"fake://thing/1\"]}}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/read\",\"params\":{\"uri\":\"fake:\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"_meta\":{"
    "\"progressToken\":1},\"name\":\"count\"}}\n",
    "nonsense\n",
};

/* One line; what is heard is checked by fake_hear, with memory enough for that. */
static int converse(const char *text)
{
    struct fake f;
    long rest = memory_left;
    memory_left = -1;
    fake_open(&f, fake_service());
    memory_left = rest;
    fake_say(&f, text);
    rest = memory_left;
    memory_left = -1;
    bool torn = mcp_connection_out(f.c)->failed;
    const char *heard = fake_hear(&f);
    assert_true(torn || *heard);
    bool is_whole = !torn && !strstr(heard, "not enough memory") && !strstr(heard, "no room");
    fake_close(&f);
    memory_left = rest;
    return is_whole ? 0 : -1;
}

static int conversing(void)
{
    for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
        if (converse(said[i]))
            return -1;
    return 0;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    static const memory_attempt attempts[] = {writing,    patching,  unpatching,          restoring,
                                              differing,  reading,   reading_broken_text, searching,
                                              checking,   building,  labelling,           tracing,
                                              retracting, outlining, conversing};
    for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++)
        fail_each_allocation(attempts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_allocation_may_fail, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
