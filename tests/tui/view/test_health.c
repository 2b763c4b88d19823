/* The health view: each problem with its fix, which opens a preview. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/lineage/orphans.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    fixture_put(
        &s->fixture,
        "{\"ref\":\"raw:good-1\",\"agent_id\":\"ash\",\"text\":\"A "
        "source\",\"created_at\":1794990000000}",
        "{\"ref\":\"raw:wrong-2\",\"agent_id\":\"ash\",\"text\":\"A wrong "
        "one\",\"status\":\"retracted\","
        "\"created_at\":1794990000000}",
        "{\"ref\":\"belief:fell-3\",\"agent_id\":\"ash\",\"text\":\"It fell\",\"created_at\":"
        "1794990000000,\"derived_from\":[\"raw:wrong-2\"]}",
        "{\"ref\":\"belief:fell-4\",\"agent_id\":\"ash\",\"text\":\"It fell too\",\"created_at\":"
        "1794990000000,\"derived_from\":[\"raw:wrong-2\"]}",
        "{\"ref\":\"belief:bare-5\",\"agent_id\":\"ash\",\"text\":\"From nowhere\",\"created_at\":"
        "1794990000000}",
        "{\"ref\":\"note:seconds-6\",\"agent_id\":\"ash\",\"text\":\"In seconds\",\"created_at\":"
        "1794990000,\"derived_from\":[\"raw:good-1\"]}",
        "{\"ref\":\"belief:lost-7\",\"agent_id\":\"claire\",\"text\":\"Its source is not here\","
        "\"created_at\":1794990000000,\"derived_from\":[\"raw:nowhere-8\",\"raw:good-1\"]}",
        NULL);
    *state = s;
    return 0;
}

static void test_frames_match(void **state)
{
    static const struct golden_view views[] = {
        {"fix", "!j"},
        {"fix-menu", "!jX"},
        {"fix-preview", "!jX3"},
    };
    struct viewed *s = *state;
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

struct counted {
    enum problem problem;
    size_t count;
};

static int count_one(void *arg, const struct orphan *orphan)
{
    struct counted *c = arg;
    c->count += orphan->problem == c->problem;
    return 0;
}

static size_t problems(struct viewed *s, enum problem problem)
{
    struct counted c = {.problem = problem};
    struct error e = {0};
    if (orphans_find(s->fixture.reader, &(struct orphan_query){0}, count_one, &c, &e))
        fail_msg("%s", e.what);
    return c.count;
}

/* The fix is shown and confirmed first. Then the list refreshes itself. */
static void test_one_problem_is_fixed(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    assert_int_equal(problems(s, PROBLEM_UNSUPPORTED), 2);
    viewed_shows(s, "!j", "fixes: ");
    viewed_shows(s, "!jX2", "what confirms it?");
    viewed_shows(s, "!jX2<Esc>", "cancelled");
    viewed_shows(s, "!jX2raw:good-1<Enter>",
                 "nothing has changed yet: Enter on the first line does it, q cancels");
    assert_int_equal(problems(s, PROBLEM_UNSUPPORTED), 2);
    const char *frame =
        viewed_shows(s, "!jX2raw:good-1<Enter><Enter><C-g><shot:x>", "unsupported 1");
    assert_int_equal(problems(s, PROBLEM_UNSUPPORTED), 1);
    /* The cursor moved to the next memory with that problem. */
    const char *cursor = strstr(frame, "\n > ");
    assert_non_null(cursor);
    assert_non_null(strstr(cursor, "It fell too"));
    viewed_shows(s, "u<C-g><shot:x>!", "unsupported 2");
}

/* One change fixes all selected memories with the problem. */
static void test_selected_problems_are_fixed_together(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    viewed_shows(s, "!j  kX3<Enter><C-g><shot:x>", "problem");
    assert_int_equal(problems(s, PROBLEM_UNSUPPORTED), 0);
    viewed_shows(s, ":audit operation:retract<Enter>", "one of 2 changes made together");
    viewed_shows(s, "!  X", "problem under the cursor");
    viewed_shows(s, "u<C-g><shot:x>!", "unsupported 2");
    assert_int_equal(problems(s, PROBLEM_UNSUPPORTED), 2);
}

/* If the right time is known, the fix sets it; otherwise it asks. */
static void test_a_time_is_fixed(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    assert_int_equal(problems(s, PROBLEM_SUSPECT_TIME), 2);
    viewed_shows(s, "!/seconds<Enter>", "fixes: ");
    viewed_shows(s, "!/seconds<Enter>X1",
                 "nothing has changed yet: Enter on the first line does it, q cancels");
    viewed_shows(s, "!/seconds<Enter>X1<Enter><C-g><shot:x>", "problem");
    assert_true(problems(s, PROBLEM_SUSPECT_TIME) < 2);
}

/* If no operation fixes the problem, the view says what does. A read-only store has no fixes. */
static void test_it_says_why_there_is_no_fix(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    viewed_shows(s, "!", "A ref that it names is not in this store");
    viewed_shows(s, "!x", "A ref that it names is not in this store");
}

/* Changes of others refresh the list, and the cursor stays on its problem. */
static void at_shot(struct script *script, const char *name)
{
    struct viewed *s = (struct viewed *)script;
    if (!strcmp(name, "news"))
        fixture_put(&s->fixture,
                    "{\"ref\":\"belief:new-9\",\"agent_id\":\"ash\",\"text\":\"Also from "
                    "nowhere\",\"created_at\":1794990000000}",
                    NULL);
}

static void test_changes_of_others_keep_the_cursor(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    s->script.at_shot = at_shot;
    script_run(&s->script, "!/nowhere<Enter><shot:news><C-g><shot:after>");
    char *after = script_shot(&s->script, "after");
    assert_non_null(strstr(after, "unrecorded 2"));
    const char *cursor = strstr(after, "\n > ");
    assert_non_null(cursor);
    assert_non_null(strstr(cursor, "From nowhere"));
    assert_true((size_t)(strstr(cursor, "From nowhere") - cursor) < strcspn(cursor + 1, "\n"));
    free(after);
}

static void test_hostile_text_is_safe(void **state)
{
    struct viewed *s = *state;
    script_put_hostile(s->fixture.store, 11);
    fixture_put(&s->fixture,
                "{\"ref\":\"belief:evil\\nid\",\"agent_id\":\"x\",\"text\":\"\\u001b]52;c;x\\u0007 "
                "a\\nb\\u202ed\",\"created_at\":1,\"derived_from\":[\"raw:evil\\u001b[31m\\n\"]}",
                NULL);
    script_run(&s->script,
               "!<size:1x1>jjj<size:80x24>X<Esc>!<size:30x8>GX1<Esc><size:200x50>kkX2<Esc>");
    for (const char *at = s->script.frames.buf; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_match, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_one_problem_is_fixed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_selected_problems_are_fixed_together, set_up,
                                        viewed_close),
        cmocka_unit_test_setup_teardown(test_a_time_is_fixed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_it_says_why_there_is_no_fix, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_changes_of_others_keep_the_cursor, set_up,
                                        viewed_close),
        cmocka_unit_test_setup_teardown(test_hostile_text_is_safe, set_up, viewed_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
