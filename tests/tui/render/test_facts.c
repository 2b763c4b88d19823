/* Facts of a memory: the formula of a change, from exact values, and how many depend on it. */
#include "model/base/strbuf.h"
#include "store/query/ref.h"
#include "tests/support/test.h"
#include "tui/render/facts.h"
#include "tests/support/store_fixture.h"

FIXTURE(fixture_set_up, fixture_tear_down);

/* Displayed values are rounded once, from the exact value, not from the rounded history. */
TEST(test_values_are_rounded_once)
{
    AUTO_STRBUF sum = STRBUF_INIT;
    struct fact_step step = {.operation = "reinforce", .before = 0.7, .n = 1};
    step.after = 0.7 + 0.05 / 1.1 * (0.99 - 0.7);
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "0.05/(1+0.1·1)·(0.99−0.700)");
    strbuf_clear(&sum);
    assert_true(fact_step_sum(&step, true, &sum)); /* in the syntax of bc */
    assert_string_equal(sum.buf, "0.05/(1+0.1*1)*(0.99-0.700)");
    strbuf_clear(&sum);
    step.after = 0.8; /* the formula of another system */
    assert_false(fact_step_sum(&step, false, &sum));
    step = (struct fact_step){.operation = "reinforce", .before = 1, .after = 1, .n = 3};
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "nothing above 0.99");
    strbuf_clear(&sum);
    step = (struct fact_step){.operation = "verify", .before = 0.95, .after = 1};
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "+0.1, at most 1");
    strbuf_clear(&sum);
    step = (struct fact_step){.operation = "edit", .before = 0.5, .after = 0.6};
    assert_false(fact_step_sum(&step, false, &sum));
}

static void expect_dependents(struct fixture *f, const char *ref, size_t bound, const char *said)
{
    struct error e = {0};
    AUTO_STRBUF out = STRBUF_INIT;
    int64_t node = ref_resolve(f->reader, ref, &e);
    struct facts *facts = facts_read(f->reader, node, bound, bound == 0, NULL, &e);
    assert_non_null(facts);
    facts_describe_users(facts, false, &out);
    assert_string_equal(out.buf, said);
    facts_free(facts);
}

TEST(test_dependents_are_counted)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"raw:hub\",\"text\":\"h\"}",
                "{\"ref\":\"note:a\",\"text\":\"a\",\"derived_from\":[\"raw:hub\"]}",
                "{\"ref\":\"note:b\",\"text\":\"b\",\"derived_from\":[\"raw:hub\"]}",
                "{\"ref\":\"note:c\",\"text\":\"c\",\"derived_from\":[\"note:a\",\"raw:1\","
                "\"raw:2\",\"raw:3\"]}",
                "{\"ref\":\"note:self\",\"text\":\"s\",\"derived_from\":[\"note:self\"]}", NULL);
    expect_dependents(f, "raw:hub", 0, "2 directly, 3 in all \xc2\xb7 3 with no other support");
    expect_dependents(f, "raw:hub", 2, "more than 2 memories");
    expect_dependents(f, "raw:hub", 3, "2 directly, 3 in all"); /* lost support is not computed */
    expect_dependents(f, "note:a", 2, "1 memory");
    expect_dependents(f, "note:self", 0, "");
    expect_dependents(f, "note:self", 20, "");
}
