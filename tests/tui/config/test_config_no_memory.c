/* Every allocation fails in turn while a configuration is read, copied and gone by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/policy/rate.h"
#include "tui/config/config.h"
#include "tests/support/no_memory.h"

static const char text[] =
    "actor: ash\ntheme: mono\nstore: ~/x.db\nkeys: {quit: [q, x, y, z, a], mouse: []}\n"
    "tool_permissions:\n"
    "  putMemory: {allowed_namespaces: [a.*, b, c, d, e.*], operations: [write]}\n"
    "agents: {ash: {tool_permissions: {listMemory: {allowed_namespaces: [z]}}},"
    " claire: {tool_permissions: {putMemory: {}}}}\n"
    "namespaces: {a: {pii: refuse}, b: {rate_limits: {putMemory: {burst: 1, per_second: 1}}}}\n"
    "pii: {patterns: {badge: B, other: C}}\n";

static void assert_whole(const struct permissions *p)
{
    assert_int_equal(p->grant[MEMORY_TOOL_PUT].namespace_count, 5);
    assert_string_equal(p->grant[MEMORY_TOOL_PUT].namespaces[4], "e.*");
    assert_int_equal(p->agent_count, 2);
    assert_string_equal(p->agents[1].agent, "claire");
    assert_string_equal(p->agents[0].grant[MEMORY_TOOL_LIST].namespaces[0], "z");
    assert_int_equal(p->namespace_count, 2);
    assert_string_equal(p->namespaces[1].pattern, "b");
    assert_int_equal(p->pattern_count, 2);
    assert_string_equal(p->patterns[1].pattern, "C");
}

static int reading(void)
{
    struct config c;
    struct error e = {0};
    config_init(&c);
    int result = config_parse(&c, "test.yaml", text, sizeof(text) - 1, &e);
    if (result == 0)
        assert_whole(&c.permissions);
    else
        assert_int_equal(e.code, ERROR_MEMORY);
    config_release(&c);
    return result;
}

static struct config whole;

static int copying(void)
{
    struct permissions copy;
    if (permissions_copy(&copy, &whole.permissions)) {
        assert_null(permission_grant(&copy, NULL, MEMORY_TOOL_PUT)); /* nothing is granted by it */
        return -1;
    }
    assert_whole(&copy);
    permissions_release(&copy);
    return 0;
}

/* One that could not be counted was not let through, and stands in nobody's way. */
static int counting(void)
{
    static const struct rate_limit limit = {
        .window_seconds = 1, .window_calls = 9, .per_second = 1, .burst = 9};
    struct rates *r = rates_new();
    int uncounted = 0;
    for (int n = 0; n < 9 + uncounted; n++) {
        int64_t wait = rates_take(r, MEMORY_TOOL_PUT, n % 2 ? "a" : "b", &limit, n);
        assert_true(wait == 0 || wait == -1);
        uncounted += wait < 0;
        if (uncounted > 20)
            break;
    }
    rates_free(r);
    return uncounted ? -1 : 0;
}

static void a_configuration_is_read_or_refused(void **state)
{
    (void)state;
    fail_each_allocation(reading);
}

static void a_copy_is_whole_or_none(void **state)
{
    struct error e = {0};
    (void)state;
    config_init(&whole);
    assert_int_equal(config_parse(&whole, "test.yaml", text, sizeof(text) - 1, &e), 0);
    fail_each_allocation(copying);
    config_release(&whole);
}

static void a_call_is_counted_or_not_let_through(void **state)
{
    (void)state;
    fail_each_allocation(counting);
}

/* Every default, without an allocation. */
static void to_begin_with_takes_no_memory(void **state)
{
    struct config c;
    (void)state;
    memory_failures = 0;
    memory_gone = true;
    memory_left = 0;
    config_init(&c);
    memory_left = -1;
    assert_int_equal(memory_failures, 0);
    assert_string_equal(c.theme, "neutral");
    assert_true(permission_allows(&c.permissions, NULL, MEMORY_TOOL_PUT, "agent.x", ACCESS_WRITE));
    config_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_configuration_is_read_or_refused),
        cmocka_unit_test(a_copy_is_whole_or_none),
        cmocka_unit_test(a_call_is_counted_or_not_let_through),
        cmocka_unit_test(to_begin_with_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
