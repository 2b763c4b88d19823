/* The review queue with hostile text in every field. tests/tui/review.t has the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/query/list.h"
#include "store/ops/operation.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    fixture_put(
        &s->fixture,
        "{\"ref\":\"raw:54c5507f-1\",\"agent_id\":\"ash\",\"text\":\"The migration held a "
        "lock\",\"created_at\":1794990000000}",
        "{\"ref\":\"belief:7d10e6a2-2\",\"agent_id\":\"ash\",\"text\":\"Never skip staging "
        "before a deploy\",\"created_at\":1794990000000,\"derived_from\":[\"raw:54c5507f-1\"],"
        "\"marks\":[{\"mark\":\"for_review\",\"at\":1794995000000,\"actor\":\"sean\",\"reason\":"
        "\"after the incident\"}]}",
        "{\"ref\":\"note:99c64f62-3\",\"agent_id\":\"claire\",\"text\":\"Canary first\","
        "\"created_at\":1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794999000000,"
        "\"actor\":\"ash\",\"value\":\"contradicted\"},{\"mark\":\"rating\",\"at\":1794999000000,"
        "\"value\":\"2\"}]}",
        "{\"ref\":\"goal:aaaa1111-4\",\"agent_id\":\"ash\",\"text\":\"Ship\",\"created_at\":"
        "1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794991000000,\"actor\":"
        "\"ash\"},{\"mark\":\"for_review\",\"at\":1794997000000,\"actor\":\"claire\",\"reason\":"
        "\"twice\"}]}",
        "{\"ref\":\"note:gone-5\",\"agent_id\":\"ash\",\"text\":\"gone\",\"status\":\"forgotten\","
        "\"created_at\":1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794999900000}]}",
        NULL);
    *state = s;
    return 0;
}

static void test_hostile_text_is_safe(void **state)
{
    struct viewed *s = *state;
    fixture_put(
        &s->fixture,
        "{\"ref\":\"belief:evil\\nid\",\"agent_id\":\"x\\u001b[31m\",\"text\":\"\\u001b]52;c;x"
        "\\u0007 a\\nb\\r\\tc \\u202ed \\u0301\",\"created_at\":1794990000000,\"marks\":[{"
        "\"mark\":\"for_review\",\"at\":9999999999999,\"actor\":\"\\u001b[2J\\u202e\\n\","
        "\"reason\":\"\\u0007\\n\\u202ewhy\"}]}",
        NULL);
    script_run(&s->script, "8<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12>x<Esc><Enter>");
    for (const char *at = s->script.frames.buf; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hostile_text_is_safe, set_up, viewed_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
