/* Decay, with numbers computed in bc. */
#include "model/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "model/base/strbuf.h"

#define DAY INT64_C(86400000)
#define NOW INT64_C(1795000000000)

static struct memory made(enum kind kind, double confidence, double days)
{
    struct memory m;
    memory_init(&m, (struct ref){kind, "x"});
    m.confidence = confidence;
    m.created_at = NOW - (int64_t)(days * (double)DAY);
    return m;
}

static void expect(enum kind kind, double confidence, double days, double left)
{
    struct memory m = made(kind, confidence, days);
    struct decay d;
    assert_true(decay_at(&d, &m, NOW));
    if (fabs(d.now - left) > 1e-12)
        fail_msg("%s of %g after %g days: %.17g, not %.17g", kind_name(kind), confidence, days,
                 d.now, left);
}

static void decay_follows_the_formula(void **state)
{
    (void)state;
    expect(KIND_BELIEF, 0.8, 45.5, 0.78483333333333333333); /* .8 - .01*45.5/30 */
    expect(KIND_EPISODE, 0.9, 1, 0.89966666666666666667);
    expect(KIND_GOAL, 0.8, 300, 0.7);
    expect(KIND_RELATIONSHIP, 0.8, 30, 0.79);
    expect(KIND_VALUE, 0.9, 600, 0.85); /* .9 - .005*600/60 */
    expect(KIND_NOTE, 0.8, 100, 0.75);
    expect(KIND_DRIVE, 0.8, 90, 0.7925);
}

static void decay_stops_at_the_floor(void **state)
{
    (void)state;
    expect(KIND_BELIEF, 0.8, 900, 0.5); /* just there */
    expect(KIND_BELIEF, 0.8, 100000, 0.5);
    expect(KIND_VALUE, 0.9, 100000, 0.7);
    expect(KIND_NOTE, 0.8, 100000, 0.4);
    expect(KIND_DRIVE, 0.8, 100000, 0.6);
    expect(KIND_BELIEF, 0.3, 100000, 0.3); /* already below the floor */
    expect(KIND_BELIEF, 0, 100000, 0);
}

static void some_memories_do_not_decay(void **state)
{
    struct decay d;
    (void)state;
    struct memory m = made(KIND_BELIEF, 0.8, 0.999);
    assert_false(decay_at(&d, &m, NOW)); /* under a day */
    assert_true(d.now == 0.8 && d.base == 0.8);
    m = made(KIND_BELIEF, 0.8, -5); /* created tomorrow */
    assert_false(decay_at(&d, &m, NOW));
    m = made(KIND_BELIEF, 0.8, 100);
    m.is_protected = true;
    assert_false(decay_at(&d, &m, NOW));
    static const enum kind others[] = {KIND_RAW,  KIND_SUGGESTION, KIND_ATTRIBUTION, KIND_CHAIN,
                                       KIND_STEP, KIND_CITATION,   KIND_ENTRY,       KIND_DOCUMENT};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        m = made(others[i], 0.8, 100);
        assert_false(decay_at(&d, &m, NOW));
        assert_true(d.now == 0.8);
    }
}

static void a_confirmation_restarts_decay(void **state)
{
    struct decay d;
    struct history_entry history[] = {
        {.at = NOW - 60 * DAY, .old = 0.7, .new_ = 0.8},
        {.at = NOW - 10 * DAY,
         .old = NAN,
         .new_ = NAN,
         .origin = "kernle"}, /* from the audit of another system */
    };
    (void)state;
    struct memory m = made(KIND_BELIEF, 0.8, 300);
    m.history = history;
    m.history_count = 2;
    assert_true(decay_at(&d, &m, NOW));
    assert_true(d.days == 60 && d.since == NOW - 60 * DAY);
    assert_true(fabs(d.now - 0.78) < 1e-12);
    m.detail = "{\"last_verified\":\"2026-10-19T00:00:00+00:00\"}";
    assert_true(decay_at(&d, &m, NOW));
    assert_int_equal(d.since, INT64_C(1792368000000));
    m.detail = "{\"last_verified\":\"long ago\"}";
    assert_true(decay_at(&d, &m, NOW) && d.days == 60);
    m.detail = "{\"last_verified\":7}";
    assert_true(decay_at(&d, &m, NOW) && d.days == 60);
    m = made(KIND_BELIEF, 0.8, 0);
    m.created_at = INT64_MIN; /* nothing overflows */
    assert_true(decay_at(&d, &m, NOW) && d.now == 0.5);
}

static void expect_text(enum kind kind, double confidence, double days, const char *text)
{
    struct memory m = made(kind, confidence, days);
    struct strbuf out = STRBUF_INIT;
    struct decay d;
    assert_true(decay_at(&d, &m, NOW));
    decay_write(&out, &d);
    assert_string_equal(out.buf, text);
    strbuf_release(&out);
}

static void the_computation_is_shown(void **state)
{
    (void)state;
    expect_text(KIND_BELIEF, 0.8, 45.5, "0.800 - 0.01 * 45.5 / 30 = 0.785");
    expect_text(KIND_VALUE, 0.9, 10000, "0.900 - 0.005 * 10000.0 / 60, not below 0.7 = 0.700");
    expect_text(KIND_BELIEF, 0.3, 100, "0.300, at or below its floor already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay_follows_the_formula),
        cmocka_unit_test(decay_stops_at_the_floor),
        cmocka_unit_test(some_memories_do_not_decay),
        cmocka_unit_test(a_confirmation_restarts_decay),
        cmocka_unit_test(the_computation_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
