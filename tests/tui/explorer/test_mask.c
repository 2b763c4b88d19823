/* :mask: what agents are not shown a person does not see either, in whatever view, until it is ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tui/demo/demo_agents.h"
#include "tests/support/frame.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"

#define TO_KEY "Ojj<Enter>" /* its entries; the first has an address in its key */

/* What is personal in the story's entries, in pieces that a narrow column still shows. */
static const char *const personal[] = {"jane.doe", "555-123", "(415)", "4111 1111", "sk-demo"};
#define PERSONAL (sizeof(personal) / sizeof(personal[0]))

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    script_open_demo(s);
    *state = s;
    return demo_rules_add(&s->config.permissions);
}

/* What of it is on the screen; NULL: nothing. */
static const char *find_personal(const char *frame)
{
    return frame_finds(frame, personal, PERSONAL);
}

/* Each shows something personal where nothing is masked. */
static void what_is_personal_is_not_shown(void **state)
{
    static const char *const views[] = {
        TO_KEY,     TO_KEY "j", TO_KEY "<Enter>", TO_KEY "j<Enter>", TO_KEY "j<Enter>f",
        TO_KEY "f", TO_KEY "w", "OG<Enter>",      "OG<Enter><Enter>"};
    struct script *s = *state;
    struct strbuf keys = STRBUF_INIT;
    size_t shown = 0;
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
            shown += find_personal(script_run(s, views[i])) != NULL;
            strbuf_clear(&keys);
            strbuf_addf(&keys, ":mask<Enter>%s", views[i]);
            const char *frame = script_run(s, keys.buf), *found = find_personal(frame);
            if (found)
                fail_msg("%s shows %s:\n%s", views[i], found, frame);
            assert_has(frame, "masked");
        }
    }
    strbuf_release(&keys);
    assert_true(shown >= FRAME_SIZES * 6);
}

/* The view that is open when it begins, and when it ends. */
static void it_holds_at_once_and_until_it_is_ended(void **state)
{
    struct script *s = *state;
    const char *after =
        script_run(s, TO_KEY "j<Enter><shot:before>:mask<Enter><shot:masked>:mask<Enter>");
    char *before = script_shot(s, "before"), *masked = script_shot(s, "masked");
    assert_has(before, "jane.doe@example.com");
    assert_null(find_personal(masked));
    assert_has(masked, "[redacted-email]");
    assert_has(after, "jane.doe@example.com");
    assert_has(after, "shown as it is");
    assert_lacks(after, "masked");
    free(before);
    free(masked);
}

/* In the list, in the preview and wherever else its memory stands. */
static void a_key_is_shown_as_agents_get_it(void **state)
{
    static const char *const views[] = {TO_KEY, TO_KEY "<Enter>", "0/REDACTED<Enter>", "9",
                                        "@",    TO_KEY "f"};
    struct script *s = *state;
    struct strbuf keys = STRBUF_INIT;
    s->rows = 50;
    s->columns = 200;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, ":mask<Enter>%s", views[i]);
        const char *frame = script_run(s, keys.buf);
        assert_has(frame, "[REDACTED]_");
        assert_lacks(frame, "contact:");
        assert_lacks(frame, "[redacted-email]");
        assert_null(find_personal(frame));
    }
    strbuf_release(&keys);
}

/* What is stored is what counts, masked or not. */
static void a_size_is_of_what_is_stored(void **state)
{
    static const char *const keys[] = {TO_KEY, ":mask<Enter>" TO_KEY};
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < 2; i++) {
        const char *frame = script_run(s, keys[i]);
        assert_has(frame, " 56 B  "); /* in the list */
        assert_has(frame, " 56 B ─"); /* and above the value */
    }
}

/* By no way of looking for it, whether it was looked for before or after. */
static void what_is_hidden_is_not_found(void **state)
{
    static const struct {
        const char *keys, *nothing;
    } ways[] = {
        {":mask<Enter>Sexample.com<Enter>", "nothing was found"},
        {"Sexample.com<Enter>:mask<Enter>", "nothing was found"},
        {":mask<Enter>0\\jane.doe<Enter>", "nothing matches the filter"},
        {"0\\jane.doe<Enter>:mask<Enter>", "nothing matches the filter"},
        {":mask<Enter>@\\jane.doe<Enter>", "nothing matches the filter"},
        {":mask<Enter>9\\jane.doe<Enter>", "nothing matches the filter"},
        {":mask<Enter>0/jane.doe<Enter>", "nothing here matches"},
        {":mask<Enter>0/sk-demo<Enter>", "nothing here matches"},
        {":mask<Enter>" TO_KEY "/example.com<Enter>", "nothing here matches"},
        {TO_KEY "/example.com<Enter>:mask<Enter>n", "nothing here matches"},
    };
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        assert_has(script_run(s, ways[i].keys), ways[i].nothing);
    /* in the value of an entry, which lists of memories look through as well */
    assert_lacks(script_run(s, "0/sk-demo<Enter>"), "nothing here matches");
    assert_has(script_run(s, "0\\sk-demo<Enter>"), "entry:");
    /* and is again, of the same store, once it is shown */
    assert_lacks(script_run(s, "Sexample.com<Enter>:mask<Enter>:mask<Enter>"), "nothing was found");
    assert_has(script_run(s, ":mask<Enter>Sagent.oncall<Enter>"), "[REDACTED]_");
}

/* How much was copied. */
static int copied(struct script *s, const char *keys)
{
    const char *at = strstr(script_run(s, keys), "copied the ");
    int bytes = 0;
    at = at ? strchr(at, '(') : NULL;
    if (!at || sscanf(at, "(%d bytes", &bytes) != 1)
        fail_msg("%s copies nothing", keys);
    return bytes;
}

static void what_is_copied_is_masked(void **state)
{
    struct script *s = *state;
    s->rows = 36;
    s->columns = 160;
    scratch_put(s->store, "{\"ref\":\"raw:told\",\"text\":\"one\"}");
    scratch_replace(s->store, "{\"ref\":\"raw:told\",\"text\":\"other\"}",
                    "jane.doe@example.com told me");
    int address = (int)strlen("jane.doe@example.com") - (int)strlen("[redacted-email]");
    assert_int_equal(copied(s, ":mask<Enter>" TO_KEY "yy"), strlen("[REDACTED]_ABCDEFGHIJKLM"));
    assert_int_equal(copied(s, ":mask<Enter>" TO_KEY "Y"), strlen("[REDACTED]_ABCDEFGHIJKLM"));
    assert_true(copied(s, ":mask<Enter>" TO_KEY "yj") < copied(s, TO_KEY "yj"));
    assert_int_equal(copied(s, ":mask<Enter>@yj"), copied(s, "@yj") - address);
    assert_int_equal(copied(s, ":mask<Enter>9yy"), strlen("other"));
}

/* What is typed over masked text would be kept. */
static void nothing_is_changed_meanwhile(void **state)
{
    static const char *const changes[] = {"e", "d", "D", "B"};
    struct script *s = *state;
    struct strbuf keys = STRBUF_INIT;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, TO_KEY "j:mask<Enter>%s", changes[i]);
        assert_has(script_run(s, keys.buf), "nothing is changed here until :mask");
    }
    strbuf_clear(&keys);
    assert_lacks(script_run(s, TO_KEY "j:mask<Enter>"), " e edit");
    assert_has(script_run(s, TO_KEY "j"), " e edit");
    strbuf_addstr(&keys, TO_KEY "j:mask<Enter>:mask<Enter>e");
    assert_lacks(script_run(s, keys.buf), "nothing is changed here");
    assert_has(script_run(s, keys.buf), "Enter save");
    strbuf_release(&keys);
}

/* They are read from the journal, where nothing is masked. */
static void former_versions_are_not_shown(void **state)
{
    struct script *s = *state;
    s->columns = 120;
    const char *frame = script_run(s, TO_KEY "j:mask<Enter>I");
    assert_null(find_personal(frame));
    assert_has(frame, "masked");
}

/* All of the message is read at 80 columns: it says how it ends. */
static void a_narrow_terminal_says_how_it_ends(void **state)
{
    struct script *s = *state;
    assert_has(script_run(s, TO_KEY ":mask<Enter>"), ":mask ends it");
    assert_has(script_run(s, TO_KEY "<Enter>:mask<Enter>"), ":mask ends it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_personal_is_not_shown, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(it_holds_at_once_and_until_it_is_ended, set_up,
                                        script_tear_down),
        cmocka_unit_test_setup_teardown(a_key_is_shown_as_agents_get_it, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(a_size_is_of_what_is_stored, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(what_is_hidden_is_not_found, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(what_is_copied_is_masked, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_changed_meanwhile, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(former_versions_are_not_shown, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(a_narrow_terminal_says_how_it_ends, set_up,
                                        script_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
