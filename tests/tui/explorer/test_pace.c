/* Recent call rates of sessions. */
#include "tests/support/test.h"
#include "tui/explorer/live.h"

#define T INT64_C(1800000000000)

static void assert_pace(const struct call_rate *p, int64_t now, double least, double most)
{
    double rate = call_rate_at(p, now);
    if (rate < least || rate > most)
        fail_msg("%.2f a second after %lld ms is not from %.2f to %.2f", rate, (long long)(now - T),
                 least, most);
}

/* The rate is constant while calls come evenly, and falls when they end. */
TEST(test_a_rate_is_steady_and_falls)
{
    struct call_rate p = {0};
    call_rate_add(&p, T, 600);
    assert_pace(&p, T + 40, 0, 0); /* earlier calls are not known */
    for (int second = 1; second < 30; second++) {
        call_rate_add(&p, T + second * 1000, 600 + second * 10);
        assert_pace(&p, T + second * 1000, 9.9, 10.1);
    }
    assert_pace(&p, T + 31000, 4, 8);
    assert_pace(&p, T + 40000, 0, 0);
}

TEST(test_new_sessions_have_a_rate)
{
    struct call_rate p = {0};
    call_rate_add(&p, T, 0);
    call_rate_add(&p, T + 200, 1);
    assert_pace(&p, T + 200, 1, 1);
    assert_pace(&p, T + 4000, 0.25, 0.25);
    assert_pace(&p, T + 6000, 0, 0);
    assert_pace(&p, T - 3600000, 0, 0); /* a clock that is set back */
}
