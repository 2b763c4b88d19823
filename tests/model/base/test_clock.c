/* Reading and writing times, and ages. */
#include "model/base/clock.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

TEST(iso_8601_times_are_read)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"1970-01-01", 0},
        {"2026-02-01T00:55:39.130963+00:00", 1769907339130},
        {"2026-02-01T00:55:39.130Z", 1769907339130},
        {"2026-02-01T00:55:39.130999999999Z", 1769907339130},
        {"2026-02-01T00:55:39.1", 1769907339100},
        {"2026-02-01T00:55:39,25", 1769907339250},
        {"2026-02-01 00:55:39", 1769907339000},
        {"2026-02-01t00:55:39z", 1769907339000},
        {"2026-02-01T06:25:39+0530", 1769907339000},
        {"2026-02-01T06:25:39+05:30", 1769907339000},
        {"2026-01-31T16:55:39-08", 1769907339000},
        {"2026-02-01T00:55", 1769907300000},
        {"1969-12-31T23:59:59.9999Z", -1},
        {"1969-12-31T23:59:59Z", -1000},
        {"2024-02-29", 1709164800000},
        {"2000-02-29T23:59:60Z", 951868800000},
        {"0000-01-01", -62167219200000},
        {"9999-12-31T23:59:59.999Z", 253402300799999},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t ms = 77;
        assert_int_equal(clock_parse_iso(cases[i].text, &ms), 0);
        assert_true(ms == cases[i].ms);
    }
}

TEST(other_texts_are_rejected)
{
    static const char *const bad[] = {
        "",
        "now",
        "2026",
        "2026-02",
        "2026-2-1",
        "2026-13-01",
        "2026-00-01",
        "2026-02-00",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "26-02-01",
        "20260201",
        "2026-02-01T",
        "2026-02-01T1",
        "2026-02-01T24:00",
        "2026-02-01T00:60",
        "2026-02-01T00:00:61",
        "2026-02-01T00:00:00.",
        "2026-02-01T00:00:00.x",
        "2026-02-01T00:00:00 Z",
        "2026-02-01T00:00:00+",
        "2026-02-01T00:00:00+5",
        "2026-02-01T00:00:00+05:",
        "2026-02-01T00:00:00+05:3",
        "2026-02-01T00:00:00+24:00",
        "2026-02-01T00:00:00ZZ",
        "2026-02-01Z",
        "2026-02-01x",
        " 2026-02-01",
        "2026-02-01 ",
        "+2026-02-01",
        "-2026-02-01",
        "2026-02-01T00:00:00\xe2\x88\x92 08:00",
        "1769907339130",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        int64_t ms = 77;
        if (clock_parse_iso(bad[i], &ms) == 0)
            fail_msg("accepted: %s", bad[i]);
        assert_true(ms == 77);
    }
}

TEST(every_time_survives_a_round_trip)
{
    struct random r = {8};
    char text[32];
    for (int round = 0; round < RANDOM_ROUNDS(200000); round++) {
        int64_t ms = (int64_t)(random_next(&r) % 315569520000000) - 62167219200000, back;
        clock_format_iso(text, sizeof(text), ms);
        assert_int_equal(strlen(text), 24);
        assert_int_equal(clock_parse_iso(text, &back), 0);
        assert_true(back == ms);
    }
    for (int64_t day = -800000; day < 2900000; day += 1) { /* every day occurs exactly once */
        int64_t back;
        clock_format_iso(text, sizeof(text), day * 86400000);
        if (text[0] == '-' || text[0] == '+')
            continue;
        text[10] = '\0';
        assert_int_equal(clock_parse_iso(text, &back), 0);
        assert_true(back == day * 86400000);
    }
}

TEST(extreme_times_are_written)
{
    char text[32];
    clock_format_iso(text, sizeof(text), INT64_MAX);
    assert_string_equal(text, "+292278994-08-17T07:12:55.807Z");
    clock_format_iso(text, sizeof(text), INT64_MIN);
    assert_string_equal(text, "-292275055-05-16T16:47:04.192Z");
    clock_format_iso(text, sizeof(text), 253402300800000);
    assert_string_equal(text, "+010000-01-01T00:00:00.000Z");
    clock_format_iso(text, sizeof(text), -62167219200001);
    assert_string_equal(text, "-000001-12-31T23:59:59.999Z");
}

TEST(ages_fit_a_column)
{
    const int64_t now = 1769907339130, second = 1000, day = 86400 * second;
    static const struct {
        int64_t age;
        const char *text;
    } cases[] = {
        {0, "now"},
        {999, "now"},
        {-999, "now"},
        {1000, "1s"},
        {41999, "41s"},
        {59999, "59s"},
        {60000, "1m"},
        {3599999, "59m"},
        {3600000, "1h"},
        {86399999, "23h"},
        {86400000, "1d"},
        {6 * 86400000LL, "6d"},
        {7 * 86400000LL, "1w"},
        {30 * 86400000LL, "4w"},
        {31 * 86400000LL, "1mo"},
        {364 * 86400000LL, "11mo"},
        {365 * 86400000LL, "1y"},
        {730 * 86400000LL, "2y"},
        {-3 * 86400000LL, "in 3d"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        clock_format_age(text, sizeof(text), now - cases[i].age, now);
        assert_string_equal(text, cases[i].text);
    }
    static const struct {
        int64_t days;
        const char *text;
    } brief[] = {{-3, "3d"}, {3, "+3d"}, {30, "+4w"}, {31, "+4w"}, {364, "+52w"}, {365, "+1y"}};
    for (size_t i = 0; i < sizeof(brief) / sizeof(*brief); i++) {
        clock_format_age_brief(text, sizeof(text), now + brief[i].days * 86400000, now);
        assert_string_equal(text, brief[i].text);
    }
    clock_format_age_brief(text, sizeof(text), INT64_MAX, INT64_MIN);
    assert_memory_equal(text, "+5", 2);
    clock_format_age(text, sizeof(text), INT64_MIN, now);
    assert_int_equal(text[strlen(text) - 1], 'y');
    clock_format_age(text, sizeof(text), INT64_MAX, INT64_MIN);
    assert_memory_equal(text, "in ", 3);
    assert_true(clock_is_suspect(1769907339, now)); /* seconds given for ms */
    assert_true(clock_is_suspect(now + day + 1, now));
    assert_false(clock_is_suspect(now + day, now));
    assert_true(clock_is_suspect(946684799999, now));
    assert_false(clock_is_suspect(946684800000, now));
    assert_true(clock_retrieval_is_suspect(99999999999, now)); /* seconds in the year 5138 */
    assert_false(clock_retrieval_is_suspect(100000000000, now));
    assert_false(clock_retrieval_is_suspect(now + day, now));
    assert_true(clock_retrieval_is_suspect(now + day + 1, now));
    assert_true(clock_retrieval_is_suspect(INT64_MIN, now));
    assert_true(clock_is_suspect(INT64_MIN, now) && clock_is_suspect(INT64_MAX, now));
}

TEST(typed_times_are_read)
{
    const int64_t now = 1769907339130, day = 86400000; /* 2026-02-01T00:55:39.130Z */
    static const struct {
        const char *text;
        int64_t age; /* ms before now */
    } ages[] = {
        {"now", 0},
        {" NOW ", 0},
        {"2 days ago", 2 * 86400000LL},
        {"  2   Days  ago ", 2 * 86400000LL},
        {"an hour ago", 3600000},
        {"A day ago", 86400000},
        {"one week ago", 7 * 86400000LL},
        {"1 second ago", 1000},
        {"90 min", 90 * 60000},
        {"90 mins ago", 90 * 60000},
        {"41s", 41000},
        {"5m", 300000},
        {"5m ago", 300000},
        {"2 hrs ago", 7200000},
        {"2h", 7200000},
        {"3w", 21 * 86400000LL},
        {"5mo", 150 * 86400000LL},
        {"2 months ago", 60 * 86400000LL},
        {"1 year ago", 365 * 86400000LL},
        {"2y", 730 * 86400000LL},
        {"0 days ago", 0},
        {"today", 1769907339130LL % 86400000},
        {"yesterday", 86400000 + 1769907339130LL % 86400000},
        {"saturday", 86400000 + 1769907339130LL % 86400000}, /* now is a Sunday */
        {"last tuesday", 5 * 86400000LL + 1769907339130LL % 86400000},
        {"Sunday", 7 * 86400000LL + 1769907339130LL % 86400000},
    };
    int64_t ms;
    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
        ms = 1;
        if (clock_parse_when(ages[i].text, now, &ms) || ms != now - ages[i].age)
            fail_msg("%s: %lld", ages[i].text, (long long)ms);
    }
    assert_int_equal(clock_parse_when("2026-01-31", now, &ms), 0);
    assert_int_equal(ms, now / day * day - day);
    assert_int_equal(clock_parse_when("2026-02-01T00:55:39.130Z", now, &ms), 0);
    assert_int_equal(ms, now);
    assert_int_equal(clock_parse_when("1769907339130", now, &ms), 0);
    assert_int_equal(ms, now);
    assert_int_equal(clock_parse_when("100000000000000 years ago", now, &ms), -1);
    assert_int_equal(clock_parse_when("99999999999 days ago", now, &ms), -1);
    assert_int_equal(clock_parse_when("2025 years ago", now, &ms), 0);
    assert_int_equal(clock_parse_when("2029 years ago", now, &ms), -1);
    assert_int_equal(clock_parse_when("253402300799999", now, &ms), 0);
    assert_int_equal(clock_parse_when("253402300800000", now, &ms), -1);
    /* Days before 1970 are rounded down too. */
    assert_int_equal(clock_parse_when("today", -1, &ms), 0);
    assert_int_equal(ms, -day);
    static const char *const no[] = {
        "",
        " ",
        "ago",
        "2",
        "2 ago",
        "days ago",
        "-2 days ago",
        "2 days before",
        "2 daysago x",
        "2026-13-01",
        "1769907339",
        "next week",
        "2 fortnights ago",
        "2.5 days ago",
        "tod",
        "99999999999999999999 days ago",
        "99999999999999999999",
        "nowadays",
        "2 days ago 3",
        "a",
        "an ago",
        "9223372036854775807 s",
    };
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
        if (clock_parse_when(no[i], now, &ms) != -1)
            fail_msg("%s was accepted", no[i]);
}

TEST(typed_future_times_are_read)
{
    static const struct {
        const char *text;
        int64_t length;
    } coming[] = {{"10m", 600000},      {"+2h", 7200000},        {"in 3 days", 3 * 86400000LL},
                  {" 90 min", 5400000}, {"in an hour", 3600000}, {"now", 0},
                  {"in 0 s", 0},        {"1y", 365 * 86400000LL}};
    static const char *const no[] = {"",
                                     "in",
                                     "in 3",
                                     "3 days ago",
                                     "+",
                                     "-10m",
                                     "in in 3 d",
                                     "in 3 days x",
                                     "60",
                                     "+60",
                                     "never",
                                     "in days",
                                     "in 9223372036854775807 s",
                                     "2026-13-01",
                                     "++2h",
                                     "in 8000 years",
                                     "253402300800000"};
    const int64_t now = 1769907339130, day = 86400000;
    int64_t ms;
    for (size_t i = 0; i < sizeof(coming) / sizeof(*coming); i++) {
        ms = 1;
        if (clock_parse_future(coming[i].text, now, &ms) || ms != now + coming[i].length)
            fail_msg("%s: %lld", coming[i].text, (long long)ms);
    }
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
        if (clock_parse_future(no[i], now, &ms) != -1)
            fail_msg("%s was accepted", no[i]);
    assert_int_equal(clock_parse_future("tomorrow", now, &ms), 0);
    assert_int_equal(ms, (now / day + 1) * day);
    assert_int_equal(clock_parse_future("2026-02-01T00:55:39.130Z", now, &ms), 0);
    assert_int_equal(ms, now);
    assert_int_equal(clock_parse_future("1769907339130", now, &ms), 0);
    assert_int_equal(ms, now);
}

/* The text stays the same that long, and changes after it if the unit is less than a day. */
TEST(an_age_is_valid_until_its_text_changes)
{
    static const int64_t ages[] = {0,      1,       999,      1000,     59999,    60000,
                                   61234,  3599999, 3600000,  7261000,  86399999, 86400000,
                                   -1,     -500,    -1000,    -1001,    -59999,   -60000,
                                   -60001, -61234,  -3600000, -3600001, -7261000, -86400001};
    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
        int64_t now = 1769907339130, at = now - ages[i], unit;
        int64_t stands = clock_age_valid_for(at, now, &unit);
        char before[32], during[32], after[32];
        assert_true(stands > 0 && stands <= unit);
        clock_format_age(before, sizeof(before), at, now);
        clock_format_age(during, sizeof(during), at, now + stands - 1);
        clock_format_age(after, sizeof(after), at, now + stands);
        assert_string_equal(before, during);
        if (ages[i] >= 0 || ages[i] <= -1000) /* less than a second either way is now */
            assert_string_not_equal(before, after);
    }
}
