/* The table of permissions agrees with permission_allows and names the deciding rule. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "tests/support/test.h"
#include "tui/demo/demo.h"
#include "tui/render/facts.h"
#include "tui/render/permission_table.h"

static struct permissions rules;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    permissions_init(&rules);
    demo_rules_add(&rules);
    return 0;
}

static int tear_down(void **state)
{
    permissions_release(&rules);
    arena_release(&arena);
    return 0;
}

static const struct namespace_row names[] = {{.name = "agent.claire"},
                                             {.name = "public.info"},
                                             {.name = "session.a"},
                                             {.name = "sessions"},
                                             {.name = "vault.x"}};
#define NAMES (sizeof(names) / sizeof(names[0]))

FIXTURE(set_up, tear_down);

TEST(it_shows_what_is_decided)
{
    static const char *const agents[] = {NULL, "ash", "claire"};
    struct permission_row *row;
    size_t rows, seen = 0;
    for (size_t a = 0; a < 3; a++) {
        permission_table(&rules, agents[a], names, NAMES, &arena, &row, &rows);
        for (size_t i = 0; i < rows; i++)
            for (size_t t = 0; t < PERMISSION_TOOLS && !row[i].pattern; t++, seen++)
                assert_int_equal(row[i].rule[t].allowed,
                                 permission_allows(&rules, agents[a], permission_tool[t],
                                                   row[i].name,
                                                   memory_tool_access(permission_tool[t])));
    }
    assert_int_equal(seen, 3 * NAMES * PERMISSION_TOOLS);
}

TEST(each_name_occurs_once_namespaces_first)
{
    struct permission_row *row;
    size_t rows;
    permission_table(&rules, "claire", names, NAMES, &arena, &row, &rows);
    assert_true(rows > NAMES);
    for (size_t i = 1; i < rows; i++) {
        assert_true(row[i - 1].pattern <= row[i].pattern);
        if (row[i - 1].pattern == row[i].pattern)
            assert_true(strcmp(row[i - 1].name, row[i].name) < 0);
    }
}

TEST(the_deciding_rule_is_named)
{
    AUTO_STRBUF why = STRBUF_INIT;
    struct permission_rule rule =
        permission_explain(&rules, "claire", MEMORY_TOOL_DELETE, "session.a");
    assert_false(rule.allowed);
    permission_rule_describe(&rule, &why);
    assert_string_equal(why.buf, "claire's own grant of putMemory allows only agent.claire");
    strbuf_clear(&why);
    rule = permission_explain(&rules, NULL, MEMORY_TOOL_GET, "public.info");
    assert_true(rule.allowed);
    permission_rule_describe(&rule, &why);
    assert_string_equal(why.buf, "public.* in all agents' grant of listMemory");
}

TEST(the_limits_of_a_namespace_are_shown)
{
    AUTO_STRBUF said = STRBUF_INIT;
    rules.rate[MEMORY_TOOL_PUT] = (struct rate_limit){.per_second = 2, .burst = 3};
    rules.rate[MEMORY_TOOL_CONTEXT] = (struct rate_limit){.per_second = 2, .burst = 3};
    rules.namespaces[0].rate[MEMORY_TOOL_GET] =
        (struct rate_limit){.window_seconds = 1.5, .window_calls = 1};
    rules.namespaces[0].has_rate[MEMORY_TOOL_GET] = true;
    const struct permission_row row = {.name = "session.a"};
    namespace_limits_describe(&rules, &row, &said);
    assert_string_equal(said.buf, "personal data masked, 5 items, 2.0 KB, the oldest is removed; "
                                  "getMemory 1 call in 1.5 s; putMemory 3 at once, 2 a second");
    strbuf_clear(&said);
    rules.rate[MEMORY_TOOL_SEARCH] = (struct rate_limit){.window_seconds = 60, .window_calls = 9};
    permission_context_describe(&rules, NULL, &said);
    assert_string_equal(said.buf, "session, agent, task; 3 at once, 2 a second; memory_search 9 "
                                  "calls in 60 s");
}

/* Exactly, in the cell and in the limits. */
TEST(the_longest_time_to_live_is_shown)
{
    static const struct {
        int64_t seconds;
        const char *said;
    } cases[] = {{0, "0s"},
                 {59, "59s"},
                 {60, "1m"},
                 {100, "100s"},
                 {3600, "1h"},
                 {5400, "90m"},
                 {86399, "23h 59m 59s"},
                 {86400, "1d"},
                 {90000, "25h"},
                 {604799, "6d 23h 59m 59s"},
                 {99964800, "1157d"},
                 {9007199254740991, "104249991374d 7h 36m 31s"}};
    AUTO_STRBUF said = STRBUF_INIT;
    char expected[120];
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct grant grant = {.given = true, .max_ttl_seconds = cases[i].seconds};
        struct permission_row row = {.name = "vault.a"};
        for (size_t tool = 0; tool < PERMISSION_TOOLS; tool++)
            row.rule[tool] = (struct permission_rule){.allowed = true, .grant = &grant};
        strbuf_clear(&said);
        permission_cell_describe(&row, 2, &said);
        snprintf(expected, sizeof(expected), "write %s", cases[i].said);
        assert_string_equal(said.buf, expected);
        strbuf_clear(&said);
        namespace_limits_describe(&rules, &row, &said);
        snprintf(expected, sizeof(expected), "; ttl_seconds %lld at most (%s)",
                 (long long)cases[i].seconds, cases[i].said);
        assert_non_null(strstr(said.buf, expected));
        row.rule[2].allowed = false;
        strbuf_clear(&said);
        namespace_limits_describe(&rules, &row, &said);
        assert_null(strstr(said.buf, "ttl"));
    }
}

FIXTURE(NULL, NULL);

TEST(json_spans_several_lines)
{
    static const char json[] = "{\"a\":[1,{\"b\\\"}\":\"x,y:{\"}],\"c\":{},\"d\":[]}";
    AUTO_STRBUF out = STRBUF_INIT;
    json_indent(&out, json, strlen(json));
    assert_string_equal(out.buf,
                        "{\n  \"a\": [\n    1,\n    {\n      \"b\\\"}\": \"x,y:{\"\n    }\n"
                        "  ],\n  \"c\": {},\n  \"d\": []\n}");
}
