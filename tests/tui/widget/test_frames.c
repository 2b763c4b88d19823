/*
 * Golden frames: each view of the demo store, at three sizes. `GENERATE=1` rewrites them; read the
 * differences before you commit them.
 */
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/frame.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tui/chart/chart.h"
#include "tui/demo/demo.h"

static const struct golden_view views[] = {
    {"beliefs", "jj"},
    {"episodes", "2"},
    {"raw", "3jj"},
    {"notes", "4"},
    {"attributions", "5"},
    {"chains", "6"},
    {"documents", "7"},
    {"memory", "jjjjjjjj<Enter>"},
    {"memory-raw", "3G<Enter>"},
    {"memory-chain", "6."},
    {"memory-section", "jjjjjjjj<Enter><Tab><Tab><Tab>"},
    {"based-on", "jjjjjjjjf"},
    {"based-on-circle", "jjjjf"},
    {"based-on-echo", "jjf"},
    {"used-by", "3Gr"},
    {"what-if", "3Gw"},
    {"health", "!"},
    {"filter", "\\deploy<Enter>"},
    {"filter-typing", "\\nothing at all"},
    {"search", "/the<Enter>n"},
    {"search-store", "Sstaging<Enter>"},
    {"palette", ":"},
    {"palette-typed", ":ord"},
    {"palette-order", ":order "},
    {"order", "o"},
    {"agent", "A"},
    {"help", "?"},
    {"help-typed", "?/select"},
    {"selected", " j vjjv"},
    {"yank", "y"},
    {"place", "\"ajjj'"},
    {"unbound", "<F7>"},
    {"zoom", "<Tab>z"},
    {"act", "jjC"},
    {"act-raw", "3GC"},
    {"act-selected", "  C"},
    {"why", "3G;d"},
    {"retract", "3Gd"},
    {"forget", "3GD"},
    {"cap-confidence", "3G:propagate<Enter>"},
    {"edit", "je, typed<Tab>"},
    {"edit-choice", "je<Tab><Tab><Tab><Tab><C-n>"},
    {"add", "i"},
    {"add-note", "in"},
    {"flag", "J"},
    {"promote", "3P"},
    {"replace", "jas"},
    {"revise", "  2;ax"},
    {"reinforce", "B"},
    {"namespaces", ":namespaces<Enter>"},
    {"namespace-of-one", ":namespaces<Enter>G"},
    {"entries", ":namespaces<Enter>Gk<Enter>"},
    {"entry", ":namespaces<Enter>jj<Enter>j<Enter>"},
    {"permissions", ":permissions<Enter>"},
    {"masked", ":namespaces<Enter>G<Enter>:mask<Enter>"},
    {"hostile", "0/log, kept<Enter><Enter>"},
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

struct state {
    struct script script;
};

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    script_open_demo(&s->script);
    s->script.config.graph_style = CHART_OUTLINE; /* drawings have their own tests */
    demo_rules_add(&s->script.config.permissions);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    store_close(s->script.store);
    script_close(&s->script);
    free(s);
    return 0;
}

GROUP(set_up, tear_down);

TEST(test_views_match_their_frames)
{
    struct state *s = *state;
    golden_check_views(&s->script, views, VIEWS);
}

TEST(test_ascii_frames_have_only_ascii)
{
    struct state *s = *state;
    s->script.rows = 24;
    s->script.columns = 80;
    s->script.config.ascii = ASCII_YES;
    golden_check(&s->script, "ascii-beliefs", script_run(&s->script, "jjjj"));
    golden_check(&s->script, "ascii-based-on", script_run(&s->script, "jjjjf"));
    /* Text of the store must be ASCII as well. */
    for (size_t size = 0; size < 3; size++) {
        frame_resize(&s->script, size);
        for (size_t i = 0; i < VIEWS; i++)
            for (const char *c = script_run(&s->script, views[i].keys); *c; c++)
                assert_true(*c == '\n' || (*c >= ' ' && *c < 0x7f));
    }
    s->script.config.ascii = ASCII_AUTO;
}

TEST(test_frames_repeat)
{
    struct state *s = *state;
    for (int i = 0; i < 3; i++) {
        AUTO_FREE char *first = strdup(script_run(&s->script, "0jjjf<Enter>[]"));
        assert_string_equal(script_run(&s->script, "0jjjf<Enter>[]"), first);
    }
}
