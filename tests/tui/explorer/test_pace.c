/* How many calls a session makes in a second of late, as rows tell it that are flushed and looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tui/explorer/live.h"

#define T INT64_C(1800000000000)

static void assert_pace(const struct pace *p, int64_t now, double least, double most)
{
    double pace = pace_at(p, now);
    if (pace < least || pace > most)
        fail_msg("%.2f a second after %lld ms is not from %.2f to %.2f", pace, (long long)(now - T),
                 least, most);
}

/* A call each 100 ms, which rows tell each second, looked at somewhat later: the number stands still. */
static void test_steady(void **state)
{
    (void)state;
    static const int late[] = {20, 480, 130, 350, 5};
    struct pace p = pace_begin(T - 60000, T, 600, T + 40);
    assert_pace(&p, T + 40, 0, 0);
    for (int second = 1; second < 30; second++) {
        int64_t flushed = T + second * 1000, looked = flushed + late[second % 5];
        pace_add(&p, flushed - second % 3 * 30, 600 + second * 10);
        for (int64_t now = looked; now < flushed + 1000; now += 70)
            assert_pace(&p, now, 9.4, 10.6);
    }
}

/* They count in full as soon as they are told, and no longer than the seconds that are meant. */
static void test_a_burst_after_a_rest(void **state)
{
    (void)state;
    struct pace p = pace_begin(T - 3600000, T - 600000, 5000, T - 20000);
    pace_add(&p, T, 5200);
    assert_pace(&p, T + 100, 40, 40);
    pace_add(&p, T, 5200);
    assert_pace(&p, T + 1500, 40, 40);
    assert_pace(&p, T + 3900, 40, 40);
    assert_pace(&p, T + PACE_SECONDS * 1000, 0, 0);
}

static void test_who_stopped(void **state)
{
    (void)state;
    struct pace p = pace_begin(T - 30000, T - 29900, 1, T - 29500);
    for (int64_t at = -29000; at <= 0; at += 1000)
        pace_add(&p, T + at, 120000 + at * 4);
    assert_pace(&p, T + 300, 3999, 4001);
    assert_pace(&p, T + 3000, 1599, 1601);
    assert_pace(&p, T + 5000, 0, 0);
}

/* Whoever just came has made all its calls by then. */
static void test_one_call(void **state)
{
    (void)state;
    struct pace p = pace_begin(T, T + 30, 1, T + 200);
    assert_pace(&p, T + 200, 0.2, 0.2);
    assert_pace(&p, T + 4000, 0.2, 0.2);
    assert_pace(&p, T + 5030, 0, 0);
    p = pace_begin(T, T, 1, T + 200);
    assert_pace(&p, T + 200, 0.2, 0.2);
}

/* What it did before it was met is not known: it has the pace that is seen. */
static void test_met_in_the_midst(void **state)
{
    (void)state;
    struct pace p = pace_begin(T - 3600000, T, 36000, T + 100);
    assert_pace(&p, T + 100, 0, 0);
    for (int second = 1; second < 9; second++) {
        pace_add(&p, T + second * 1000, 36000 + second * 10);
        assert_pace(&p, T + second * 1000 + 200, 9.9, 10.1);
    }
}

/* More looks than are kept: what is kept is told of the time that it is of. */
static void test_more_looks(void **state)
{
    (void)state;
    struct pace p = pace_begin(T, T, 0, T);
    for (int i = 1; i <= 100; i++) {
        pace_add(&p, T + i * 100, i);
        if (i > PACE_SPELLS)
            assert_pace(&p, T + i * 100, 9.9, 10.1);
    }
}

static void test_a_clock_set_back(void **state)
{
    (void)state;
    struct pace p = pace_begin(T, T, 0, T);
    pace_add(&p, T + 1000, 10);
    assert_pace(&p, T - 3600000, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady),           cmocka_unit_test(test_a_burst_after_a_rest),
        cmocka_unit_test(test_who_stopped),      cmocka_unit_test(test_one_call),
        cmocka_unit_test(test_met_in_the_midst), cmocka_unit_test(test_more_looks),
        cmocka_unit_test(test_a_clock_set_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
