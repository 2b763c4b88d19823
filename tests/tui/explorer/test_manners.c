/* Expected behaviour: the cursor after Esc, what counts count, what keys apply to, what a click does. On the demo
 * store, whose first list has 21 beliefs. */
#include "store/open.h"
#include "tests/support/frame.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void shows_not(struct script *s, const char *keys, const char *text)
{
    const char *frame = script_run(s, keys);
    if (strstr(frame, text))
        fail_msg("after %s there is \"%s\" in:\n%s", keys, text, frame);
}

FIXTURE(script_set_up_demo, script_tear_down);

TEST(test_escape_clears_the_filter)
{
    struct script *s = *state;
    frame_after(s, "jjjj\\nothing at all<Enter><Esc>", " 5/21");
    frame_after(s, "jjjj\\nothing at all<Esc>", " 5/21");
    frame_after(s, "jjjj\\deploy<Esc>", " 5/21");
    /* A confirmed filter leaves the cursor on its match. */
    shows_not(s, "jjjj\\deploy<Enter><Esc>", " 5/21");
    shows_not(s, "jjjj\\deploy<Enter>k<Esc>", " 5/21");
    shows_not(s, "jjjj\\deploy<Enter><Enter>q<Esc>", " 5/21");
}

TEST(test_the_number_of_matches_is_shown)
{
    struct script *s = *state;
    frame_after(s, "/the", "16 matches");
    frame_after(s, "/nothing at all", "no match");
    frame_after(s, "/canary", "no match");
    frame_after(s, ":belief:8<Tab>", "belief:8 is too short");
    frame_after(s, ":belief:8<Enter>", "at least 4 characters");
    frame_after(s, ":belief:8a27<Tab>", ":belief:8a2770de-67d0-450f-a29b-b158f6e6f3da");
    shows_not(s, "/the", "complete");
    frame_after(s, ":", "Tab complete");
}

TEST(test_positions_count_memories)
{
    struct script *s = *state;
    frame_after(s, "!", " 1/10\n");
    frame_after(s, "!G", " 10/10\n");
    shows_not(s, "3Gr", "1/13\n");
}

TEST(test_what_if_lists_all_dependents)
{
    struct script *s = *state;
    frame_after(s, "3GwG<C-u>", "would lose an ancestor only ");
    frame_after(s, "3Gw", "raw:19ea6cb7 what if");
    frame_after(s, "<Space><Space><Space>w", "3 selected memories what if");
}

TEST(test_keys_apply_to_the_shown_memory)
{
    struct script *s = *state;
    frame_after(s, "jjjjjjjj<Enter>f", "belief:8a2770de based on");
    frame_after(s, "jjjjjjjj<Enter>w", "belief:8a2770de what if");
    frame_after(s, "jjjjjjjj<Enter>j", "on belief:e745a454");
    frame_after(s, "jjjjjjjj<Enter>jf", "belief:e745a454 based on");
}

TEST(test_every_view_has_bar_and_breadcrumbs)
{
    struct script *s = *state;
    static const char *const views[] = {"", "<Enter>", "f", "r", "w", "!", "?<Esc>", "0"};
    for (s->columns = 40; s->columns <= 160; s->columns += 40) {
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
            frame_after(s, views[i], "  ? help\n");
            assert_memory_equal(script_run(s, views[i]), " stemma › ", 12);
        }
        shows_not(s, "o", "? help");
        frame_after(s, "o", "Enter choose");
    }
}

/* Without room for a frame, a menu shows only its lines. */
TEST(test_menus_fit_few_rows)
{
    struct script *s = *state;
    int rows = s->rows, columns = s->columns;
    for (s->columns = 20; s->columns <= 80; s->columns += 20) {
        for (s->rows = 2; s->rows <= 7; s->rows++) {
            frame_after(s, "o", " > n  recorded");
            frame_after(s, "o", "order");
            frame_after(s, "o<Down>", " > c  created");
            frame_after(s, "o<Down><Down>", " > u  updated");
        }
    }
    s->rows = rows;
    s->columns = columns;
}

/* Parts that a small terminal drops come back in a large one. */
TEST(test_menus_return_after_a_resize)
{
    struct script *s = *state;
    frame_after(s, "o<Down><Down><Down><size:20x6>", " > f  ");
    frame_after(s, "o<Down><Down><Down><size:20x6><size:80x24>", "   n  recorded");
}

/* Numbers are dropped for the name that they belong to. */
TEST(test_names_come_first_on_few_columns)
{
    struct script *s = *state;
    int columns = s->columns;
    for (s->columns = 20; s->columns <= 120; s->columns += 5) {
        frame_after(s, ":namespaces<Enter>", "agent.claire");
        frame_after(s, ":namespaces<Enter>", "namespace");
        frame_after(s, ":permissions<Enter>", "agent.claire");
    }
    s->columns = 40;
    frame_after(s, ":namespaces<Enter>", "1  agent.claire");
    frame_after(s, ":permissions<Enter>", "denied denied denied deploy");
    s->columns = columns;
}

/* The key bar is in the last of 24 rows, a menu above it. */
TEST(test_clicks_choose)
{
    struct script *s = *state;
    frame_after(s, "<click:3,24>", "based on 1 ");
    frame_after(s, "<Enter><click:67,24>", " 1/21");
    frame_after(s, "o<click:8,6>", "by updated");
    frame_after(s, "o<click:60,3>", "  ? help");
    frame_after(s, ":orde<click:8,20>", "newest first");
    frame_after(s, "<click:8,2>", "by confidence");
    frame_after(s, "<click:8,2><click:8,2>", "reversed");
    frame_after(s, "jj<Enter><click:27,1>", " 3/21");
}

TEST(test_moving_ends_following)
{
    struct script *s = *state;
    frame_after(s, "G", " 21/21");
    frame_after(s, "Gk", " 20/21");
    frame_after(s, "<C-f>j", " 2/21");
    shows_not(s, "<C-f>j", "following");
}

FIXTURE(NULL, NULL);

/* A line break in an id or a name is shown as a stand-in, since names may differ only by it. */
TEST(test_line_breaks_in_names_are_visible)
{
    struct script s = {0};
    char *path = scratch_path("names.db");
    struct store *store = scratch_store(path);
    scratch_put(store, "{\"ref\":\"belief:one\\ntwo\",\"agent_id\":\"ag\\nent\","
                       "\"text\":\"a line\",\"created_at\":1000}");
    script_open(&s, store);
    frame_after(&s, "<Enter>", "belief:one\357\277\275two");
    shows_not(&s, "<Enter>", "one two");
    frame_after(&s, "<Enter>", "ag\357\277\275ent");
    frame_after(&s, "A", "ag\357\277\275ent");
    script_close(&s);
    store_close(store);
    free(path);
}
