/* Rate limits: window and bucket, in fixed cases and compared with a slow implementation. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/policy/permission.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define SECOND 1000000

static bool taken(struct rates *r, const struct rate_limit *limit, int64_t us)
{
    return rates_take(r, MEMORY_TOOL_PUT, "notes", limit, us) == 0;
}

TEST(a_window_includes_both_ends)
{
    static const struct rate_limit two = {.window_seconds = 1, .window_calls = 2};
    static const struct {
        int64_t us;
        bool taken;
    } calls[] = {
        {10000000, true}, {10500000, true}, {10900000, false}, {11000000, false}, {11001000, true}};
    struct rates *r = rates_new();
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        assert_int_equal(taken(r, &two, calls[i].us), calls[i].taken);
    rates_free(r);
}

TEST(a_bucket_refills)
{
    static const struct rate_limit three = {.per_second = 2, .burst = 3};
    static const bool four[] = {true, true, true, false};
    struct rates *r = rates_new();
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(taken(r, &three, 7 * SECOND), four[i]);
    assert_true(taken(r, &three, 7 * SECOND + SECOND / 2));
    assert_false(taken(r, &three, 7 * SECOND + SECOND / 2));
    rates_free(r);
}

/* ---- compared with a slow implementation ---- */

#define NAMES 4
#define MOST  4000

/* All permitted calls, and the tokens in the bucket in millionths of a call. */
struct account {
    int64_t at[MOST];
    size_t count;
    int64_t bucket, bucket_at;
};

static bool window_lets(const struct account *a, const struct rate_limit *limit, int64_t now)
{
    int64_t within = 0, window = (int64_t)(limit->window_seconds * SECOND + 0.5);
    for (size_t i = 0; i < a->count; i++)
        within += a->at[i] >= now - window;
    return limit->window_calls == 0 || within < limit->window_calls;
}

static int64_t in_bucket(const struct account *a, const struct rate_limit *limit, int64_t now)
{
    int64_t most = limit->burst * SECOND;
    int64_t has =
        a->count == 0 ? most : a->bucket + (now - a->bucket_at) * (int64_t)limit->per_second;
    return has < most ? has : most;
}

static bool account_lets(const struct account *a, const struct rate_limit *limit, int64_t now)
{
    return window_lets(a, limit, now) && (limit->burst == 0 || in_bucket(a, limit, now) >= SECOND);
}

static int64_t account_takes(struct account *a, const struct rate_limit *limit, int64_t now)
{
    int64_t ms = 0;
    while (!account_lets(a, limit, now + ms * 1000))
        ms++;
    if (ms > 0)
        return ms;
    a->bucket = in_bucket(a, limit, now) - SECOND;
    a->bucket_at = now;
    a->at[a->count++] = now;
    return 0;
}

TEST(limits_agree_with_a_slow_implementation)
{
    static const char *const names[NAMES] = {"a", "b", "session.x", ""};
    static struct account accounts[NAMES][MEMORY_TOOL_COUNT];
    struct random random = {5};
    int let = 0, refused = 0;
    for (int round = 0; round < 40; round++) {
        struct rates *r = rates_new();
        struct rate_limit limit = {0};
        int64_t now = (int64_t)random_below(&random, 1000000);
        memset(accounts, 0, sizeof(accounts));
        if (random_chance(&random, 70)) {
            limit.window_seconds = (1 + random_below(&random, 3000)) / 1000.0;
            limit.window_calls = 1 + random_below(&random, 20);
        }
        if (random_chance(&random, 70)) {
            limit.per_second = 1 + random_below(&random, 30);
            limit.burst = 1 + random_below(&random, 10);
        }
        for (int call = 0; call < 400; call++) {
            uint32_t name = random_below(&random, NAMES);
            uint32_t tool = random_below(&random, 2);
            now += random_chance(&random, 2) ? 5 * SECOND : random_below(&random, 12) * 1000;
            now += random_chance(&random, 50) ? random_below(&random, 3) : 0;
            int64_t expected = account_takes(&accounts[name][tool], &limit, now);
            assert_int_equal(rates_take(r, (enum memory_tool)tool, names[name], &limit, now),
                             expected);
            let += expected == 0;
            refused += expected > 0;
        }
        rates_free(r);
    }
    assert_true(let > 2000 && refused > 1000);
}

/* ---- the rest ---- */

TEST(tools_and_namespaces_are_counted_separately)
{
    static const struct rate_limit one = {.window_seconds = 60, .window_calls = 1};
    struct rates *r = rates_new();
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "a", &one, 0), 0);
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "b", &one, 0), 0);
    assert_int_equal(rates_take(r, MEMORY_TOOL_GET, "a", &one, 0), 0);
    assert_int_equal(rates_take(r, MEMORY_TOOL_CONTEXT, NULL, &one, 0), 0);
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "a", &one, 1000), 60000);
    assert_int_equal(rates_take(r, MEMORY_TOOL_CONTEXT, NULL, &one, 2000), 59999);
    assert_int_equal(rates_count(r), 4);
    rates_free(r);
}

TEST(without_a_limit_nothing_is_counted)
{
    static const struct rate_limit none = {0};
    struct rates *r = rates_new();
    for (int n = 0; n < 100; n++) {
        assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "a", &none, 0), 0);
        assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "a", NULL, 0), 0);
    }
    assert_int_equal(rates_count(r), 0);
    rates_free(r);
    rates_free(NULL);
}

/* A rejected call counts in neither: the window's rejections do not empty the bucket. */
TEST(rejected_calls_are_not_counted)
{
    static const struct rate_limit both = {
        .window_seconds = 1, .window_calls = 1, .per_second = 0.001, .burst = 2};
    struct rates *r = rates_new();
    assert_true(taken(r, &both, 0));
    for (int n = 0; n < 10; n++)
        assert_false(taken(r, &both, n));
    assert_true(taken(r, &both, SECOND + 1));
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "notes", &both, 3 * SECOND), 997000);
    rates_free(r);
}

TEST(a_changed_limit_counts_earlier_calls)
{
    static const struct rate_limit five = {.window_seconds = 10, .window_calls = 5},
                                   two = {.window_seconds = 10, .window_calls = 2},
                                   slow = {.per_second = 0.001, .burst = 5},
                                   fast = {.per_second = 10, .burst = 2};
    struct rates *r = rates_new();
    for (int n = 0; n < 5; n++)
        assert_true(taken(r, &five, n * SECOND));
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "notes", &two, 5 * SECOND), 8001);
    for (int n = 0; n < 5; n++)
        assert_true(taken(r, &slow, 20 * SECOND));
    assert_false(taken(r, &slow, 21 * SECOND));
    assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, "notes", &fast, 20 * SECOND), 100);
    assert_true(taken(r, &fast, 20 * SECOND + 100000));
    rates_free(r);
}

/* Absurd numbers, which no configuration has, still limit and do not overflow. */
TEST(absurd_limits_do_not_overflow)
{
    static const struct rate_limit absurd[] = {
        {.per_second = 0, .burst = 1},
        {.per_second = 1e-300, .burst = 1},
        {.window_seconds = 1e300, .window_calls = 1},
        {.window_seconds = 1e300, .window_calls = 1, .per_second = 1e-300, .burst = 1},
    };
    for (size_t i = 0; i < sizeof(absurd) / sizeof(absurd[0]); i++) {
        struct rates *r = rates_new();
        assert_true(taken(r, &absurd[i], SECOND));
        assert_true(rates_take(r, MEMORY_TOOL_PUT, "notes", &absurd[i], 2 * SECOND) > 1000000);
        rates_free(r);
    }
}

TEST(expired_counters_are_removed)
{
    static const struct rate_limit limit = {
        .window_seconds = 2, .window_calls = 3, .per_second = 1, .burst = 2};
    struct rates *r = rates_new();
    size_t most = 0;
    char name[20];
    for (int n = 0; n < 50000; n++) {
        snprintf(name, sizeof(name), "name-%d", n);
        assert_int_equal(rates_take(r, MEMORY_TOOL_PUT, name, &limit, (int64_t)n * SECOND / 10), 0);
        most = rates_count(r) > most ? rates_count(r) : most;
    }
    assert_in_range(most, 20, 60); /* twenty have called within the window */
    rates_free(r);
}
