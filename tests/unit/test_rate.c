/* How often: the window and the bucket, against what was agreed and against a slow account of both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../model/rate.h"
#include "../support/random.h"

#define SECOND 1000000

static bool taken(struct rates *r, const struct rate_limit *limit, int64_t us)
{
    return rates_take(r, MEMORY_TOOL_PUT, "notes", limit, us) == 0;
}

static void a_window_has_both_its_ends(void **state)
{
    static const struct rate_limit two = {.window_seconds = 1, .window_calls = 2};
    static const struct {
        int64_t us;
        bool taken;
    } calls[] = {
        {10000000, true}, {10500000, true}, {10900000, false}, {11000000, false}, {11001000, true}};
    struct rates *r = rates_new();
    (void)state;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        assert_int_equal(taken(r, &two, calls[i].us), calls[i].taken);
    rates_free(r);
}

static void a_bucket_gains_what_it_gave(void **state)
{
    static const struct rate_limit three = {.per_second = 2, .burst = 3};
    static const bool four[] = {true, true, true, false};
    struct rates *r = rates_new();
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(taken(r, &three, 7 * SECOND), four[i]);
    assert_true(taken(r, &three, 7 * SECOND + SECOND / 2));
    assert_false(taken(r, &three, 7 * SECOND + SECOND / 2));
    rates_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_has_both_its_ends),
        cmocka_unit_test(a_bucket_gains_what_it_gave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
