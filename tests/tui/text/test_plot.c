/* Charts of numbers as rows of text. */
#include <math.h>
#include "model/base/strbuf.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tui/text/style.h"

static void write_value(char *out, size_t size, double value)
{
    snprintf(out, size, "%.1f", value);
}

/* All rows with their axis, joined by line feeds. */
static void assert_plot(const struct plot *p, const char *expected)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (int row = 0; row < plot_height(p); row++) {
        strbuf_addstr(&text, row ? "\n" : "");
        plot_add_axis(p, row, &text);
        plot_add_row(p, row, &text);
    }
    assert_string_equal(text.buf, expected);
}

TEST(test_bars)
{
    static const double value[] = {0, 1, 4, 8, 16, NAN};
    struct plot p = {.value = value, .count = 6, .rows = 1};
    assert_plot(&p, "·▁▂▄█ ");
    p.rows = 2;
    assert_plot(&p, "    █ \n·▁▄██ ");
    p.ascii = true;
    assert_plot(&p, "    # \n.::## ");
    p.rows = 1;
    assert_plot(&p, ".1359 ");
}

/* What is not nothing has a sign, however small; what is beyond the axis is cut. */
TEST(test_the_ends_of_the_axis)
{
    static const double value[] = {0, 1e-9, 5, 1000, -3}, none[] = {0, 0, NAN};
    struct plot p = {.value = value, .count = 5, .high = 10, .rows = 2};
    assert_plot(&p, "   █ \n·▁██·");
    assert_plot(&(struct plot){.value = none, .count = 3, .rows = 2}, "   \n·· ");
    p.count = 0;
    assert_plot(&p, "\n");
}

TEST(test_a_line)
{
    static const double value[] = {NAN, 0.4, 0.4, 0.8, 0.8, 0.6};
    struct plot p = {.value = value,
                     .count = 6,
                     .low = 0.4,
                     .high = 0.8,
                     .rows = 3,
                     .line = true,
                     .write = write_value,
                     .left = "a",
                     .right = "b"};
    assert_plot(&p, "    0.8 ┤   ╭─╮\n"
                    "        │   │ ╰\n"
                    "    0.4 ┤ ──╯  \n"
                    "         a    b");
    p.ascii = true;
    assert_plot(&p, "    0.8 |   +-+\n"
                    "        |   | +\n"
                    "    0.4 | --+  \n"
                    "         a    b");
}

/* Five rows name the middle; without room for both, the text at the left alone is below. */
TEST(test_the_axis)
{
    static const double value[] = {1, 2};
    struct plot p = {.value = value,
                     .count = 2,
                     .low = 0,
                     .high = 4,
                     .rows = 5,
                     .ascii = true,
                     .write = write_value,
                     .left = "2026",
                     .right = "2027"};
    assert_plot(&p, "    4.0 |  \n"
                    "        |  \n"
                    "    2.0 | :\n"
                    "        |:#\n"
                    "    0.0 |##\n"
                    "         2026");
}
