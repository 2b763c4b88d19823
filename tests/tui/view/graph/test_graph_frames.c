/*
 * Golden frames of drawn lineage, on the demo store. `GENERATE=1` makes them again; look at what changed before committing
 * it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "tui/config/config.h"
#include "tests/support/golden.h"

#define DRIVE ":drive:26c745cb<Enter>f"
#define BEST  "jjjjjjjjb"

static const struct golden_view views[] = {
    {"graph-rests-on", DRIVE},
    {"graph-carries", "3Gr"},
    {"graph-both", BEST},
    {"graph-source", "3Gf"},
    {"graph-circle", "jjjjf"},
    {"graph-echo", "jjf"},
    {"graph-more", "jjf/\xe2\x8b\xaf<Enter><Enter>"},
    {"graph-group", "jjf/\xe2\x8b\xaf<Enter>"},
    {"graph-edge", BEST "<Tab><Tab>"},
    {"graph-walked", BEST "jj<Space>"},
    {"graph-shade", BEST "W"},
    {"graph-dots", DRIVE "Z"},
    {"graph-legend", DRIVE "K"},
    {"graph-search", DRIVE "/staging<Enter>n"},
    {"graph-lr", BEST "ol"},
    {"graph-lr-box", BEST "oL"},
    {"graph-tb", BEST "ot"},
    {"graph-tb-box", BEST "oT"},
    {"graph-draw-as", BEST "o"},
    {"graph-yank", BEST "y"},
    {"graph-zoom", DRIVE "z"},
    {"graph-outline", BEST ","},
};

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    script_open_demo(s);
    setenv("TERM", "xterm-256color", 1);
    *state = s;
    return 0;
}

static void test_views(void **state)
{
    golden_check_views(*state, views, sizeof(views) / sizeof(views[0]));
}

/* One column too few for a drawing, and the first that suffices. */
static void test_narrow(void **state)
{
    struct script *s = *state;
    s->rows = 24;
    s->columns = 59;
    golden_check(s, "graph-narrow", script_run(s, DRIVE));
    s->columns = 60;
    golden_check(s, "graph-narrow", script_run(s, DRIVE));
    s->columns = 80;
}

static void test_ascii(void **state)
{
    struct script *s = *state;
    s->rows = 24;
    s->columns = 80;
    s->config.ascii = ASCII_YES;
    golden_check(s, "graph-ascii", script_run(s, DRIVE));
    golden_check(s, "graph-ascii-lr", script_run(s, BEST "ol"));
    s->config.ascii = ASCII_AUTO;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_ascii),
    };
    return cmocka_run_group_tests(tests, set_up, script_tear_down);
}
