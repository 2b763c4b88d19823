/* Lengths of time as text, and the range of a timeline in the width that it has. */
#include "model/base/strbuf.h"
#include "tests/support/test.h"
#include "tui/text/style.h"
#include "tui/term/paint.h"

TEST(test_times_in_seconds_are_marked)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.0 s"},       {0.01, "0.01 s"},    {0.84, "0.8 s"}, {9.94, "9.9 s"},
                 {9.96, "10 s"},     {119.4, "119 s"},    {120, "2m 00s"}, {200.7, "3m 20s"},
                 {7199, "119m 59s"}, {7500, "2h 05m"},    {-1, ""},        {1e300, ""},
                 {0.0 / 0.0, ""},    {1e9, "277777h 46m"}};
    char text[24];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        seconds_text(text, cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
}

/* As exact as the width allows, and nothing without room. */
TEST(test_ranges_fit_their_width)
{
    static const struct {
        int64_t first, last;
        int width;
        const char *text;
    } cases[] = {
        {1794000000000, 1795000000000, 40, "2026-11-06 - 2026-11-18"},
        {1794000000000, 1795000000000, 22, "2026-11 - 2026-11"},
        {1794000000000, 1795000000000, 10, ""},
        {1794000000000, 1794003600000, 40, "2026-11-06 21:20 - 2026-11-06 22:20"},
        {1794000000000, 1794003600000, 30, "21:20 - 22:20"},
        {1794000000000, 1794000000000, 13, "21:20 - 21:20"},
        {INT64_MIN / 2, INT64_MAX / 2, 80, ""},
        {5, 4, 80, ""},
    };
    struct screen screen = {.utf8 = false};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO_STRBUF text = STRBUF_INIT;
        timeline_add_range(&screen, cases[i].first, cases[i].last, cases[i].width, &text);
        assert_string_equal(text.buf, cases[i].text);
    }
}
