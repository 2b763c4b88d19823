/* The histogram of latencies: buckets, percentiles, text form. */
#include "model/base/latency.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

TEST(a_percentile_is_within_its_bound)
{
    for (int64_t us = 0; us < INT64_C(1) << 34; us += 1 + us / 7) {
        struct latency l = {.count = 0};
        latency_add(&l, us);
        int64_t said = latency_percentile(&l, 50);
        if (said < us || said > us + us / 8)
            fail_msg("%lld is shown as %lld", (long long)us, (long long)said);
        assert_int_equal(said, latency_percentile(&l, 0));
        assert_int_equal(said, latency_percentile(&l, 100));
    }
}

TEST(long_latencies_are_in_the_last_bucket)
{
    struct latency l = {.count = 0};
    latency_add(&l, INT64_MAX);
    latency_add(&l, INT64_C(1) << 34);
    assert_int_equal(l.bucket[LATENCY_BUCKETS - 1], 2);
    latency_add(&l, -5);
    latency_add(&l, INT64_MIN);
    assert_int_equal(l.bucket[0], 2);
    assert_int_equal(latency_percentile(&l, 50), 0);
    assert_true(latency_percentile(&l, 51) > INT64_C(3600) * 1000000);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Compares with the values: the smallest that this many of them do not exceed. */
TEST(percentiles_of_many_are_within_their_bound)
{
    static int64_t values[1000];
    struct random r = {7};
    struct latency l = {.count = 0};
    for (size_t i = 0; i < 1000; i++) {
        values[i] = (int64_t)(random_next(&r) >> (34 + random_below(&r, 28)));
        latency_add(&l, values[i]);
    }
    qsort(values, 1000, sizeof(values[0]), by_value);
    for (int percent = 1; percent <= 100; percent++) {
        int64_t truth = values[percent * 10 - 1], said = latency_percentile(&l, percent);
        if (said < truth || said > truth + truth / 8)
            fail_msg("p%d is %lld, not %lld", percent, (long long)truth, (long long)said);
    }
}

TEST(an_empty_histogram_has_percentile_zero)
{
    struct latency l = {.count = 0};
    AUTO_STRBUF out = STRBUF_INIT;
    assert_int_equal(latency_percentile(&l, 99), 0);
    latency_write(&out, &l);
    assert_string_equal(out.buf, "");
    l.count = 3;
    assert_int_equal(latency_read(&l, ""), 0);
    assert_int_equal(l.count, 0);
    assert_int_equal(latency_read(&l, NULL), 0);
}

TEST(a_histogram_survives_a_round_trip)
{
    struct random r = {11};
    struct latency l = {.count = 0}, back, sum = {.count = 0};
    AUTO_STRBUF out = STRBUF_INIT, again = STRBUF_INIT;
    for (int i = 0; i < 500; i++)
        latency_add(&l, (int64_t)(random_next(&r) >> random_below(&r, 64)));
    latency_write(&out, &l);
    assert_int_equal(latency_read(&back, out.buf), 0);
    assert_memory_equal(&back, &l, sizeof(l));
    latency_merge(&sum, &l);
    latency_merge(&sum, &back);
    assert_int_equal(sum.count, 1000);
    for (size_t i = 0; i < LATENCY_BUCKETS; i++)
        assert_int_equal(sum.bucket[i], 2 * l.bucket[i]);
    struct latency two = {.bucket = {[12] = 3, [40] = 1}, .count = 4};
    latency_write(&again, &two);
    assert_string_equal(again.buf, "12:3,40:1");
}

TEST(counters_saturate)
{
    struct latency l = {.bucket = {[3] = UINT32_MAX - 1}, .count = UINT32_MAX - 1};
    for (int i = 0; i < 3; i++)
        latency_add(&l, 3);
    assert_int_equal(l.bucket[3], UINT32_MAX);
    assert_int_equal(l.count, UINT64_C(4294967297));
    assert_int_equal(latency_percentile(&l, 100), 3);
}

TEST(other_texts_are_rejected)
{
    static const char *const broken[] = {
        "x",
        "1",
        "1:",
        "1:0",
        "256:1",
        "1:1,",
        "1:1,1:1",
        "2:1,1:1",
        "1:1 2:1",
        "-1:1",
        "1:-1",
        "01:1",
        "1:01",
        "1:1,,2:1",
        ",1:1",
        "1:4294967296",
        "99999999999999999999:1",
        "1:99999999999999999999",
        "1:1x",
    };
    struct latency l = {.count = 9};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
        if (latency_read(&l, broken[i]) != -1)
            fail_msg("%s was accepted", broken[i]);
    assert_int_equal(l.count, 9);
    assert_int_equal(latency_read(&l, "0:4294967295,255:1"), 0);
    assert_int_equal(l.count, UINT64_C(4294967296));
}
