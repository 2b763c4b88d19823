/* :mask: what memories, agents and namespaces are called is shown as agents get it, wherever it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/frame.h"
#include "tests/support/has.h"
#include "tests/support/masked.h"
#include "tests/support/scratch.h"

/* Each a piece that a narrow column still shows. */
static const char *const personal[] = {"zqj", "zqk", "corp.exam", "555-123"};
#define PERSONAL (sizeof(personal) / sizeof(personal[0]))

#define AGENT "\"agent_id\":\"zqk@corp.example\""
#define LINK(role, ref)                                                                            \
    "\"justifications\":[{\"role\":\"" role "\",\"reading\":\"any\",\"recorded\":\"recorded\","    \
    "\"at\":1,\"antecedents\":[{\"ref\":\"" ref "\"}]}]"

static const char *const lines[] = {
    "{\"ref\":\"attribution:zqj@corp.example\"," AGENT
    ",\"text\":\"a page\",\"source_type\":\"observation\",\"detail\":{\"source_type\":"
    "\"web_scrape\",\"source_uri\":\"u\",\"retrieval_timestamp\":1600000000000}}",
    "{\"ref\":\"document:doc-zqj@corp.example\"," AGENT
    ",\"text\":\"a document\",\"source_type\":\"external\","
    "\"detail\":{\"document_id\":\"doc-zqj@corp.example\",\"uri\":\"u\"}," LINK(
        "derived_from", "attribution:zqj@corp.example") "}",
    "{\"ref\":\"document:zqj@corp.example-of-the-other-kind\"," AGENT ",\"text\":\"\"}",
    "{\"ref\":\"step:zqj@corp.example\"," AGENT
    ",\"text\":\"a step\",\"detail\":{\"step_number\":1}," LINK(
        "source", "document:doc-zqj@corp.example") "}",
    "{\"ref\":\"chain:zqj@corp.example\"," AGENT
    ",\"text\":\"a chain\",\"detail\":{\"final_answer\":\"yes\"}," LINK(
        "step", "step:zqj@corp.example") "}",
    "{\"ref\":\"citation:zqj@corp.example\"," AGENT
    ",\"text\":\"said\",\"detail\":{\"document_id\":\"doc-zqj@corp.example\","
    "\"conversation_id\":\"zqj@corp.example\",\"message_id\":\"m\"}," LINK(
        "citation", "document:doc-zqj@corp.example") "}",
    "{\"ref\":\"note:zqj@corp.example\"," AGENT ",\"text\":\"a note\","
    "\"source\":\"note:zqj2@corp.example\",\"relations\":[{\"type\":\"supersedes\","
    "\"to\":\"note:zqj2@corp.example\"}]}",
    "{\"ref\":\"belief:zqj@corp.example\"," AGENT
    ",\"text\":\"a belief\",\"confidence\":0.5," LINK("derived_from", "note:zqj@corp.example") "}",
    "{\"ref\":\"entry:zqj@corp.example\"," AGENT
    ",\"text\":\"k\",\"detail\":{\"namespace\":\"user.555-123-4567\",\"key\":\"k\",\"value\":1}}",
    "{\"ref\":\"entry:other\",\"agent_id\":\"ash\",\"text\":\"k\","
    "\"detail\":{\"namespace\":\"ns1\",\"key\":\"password\",\"value\":1}}",
};

static int set_up(void **state)
{
    return masked_set_up(state, lines, sizeof(lines) / sizeof(lines[0]));
}

static const char *find_personal(const char *frame)
{
    return frame_finds(frame, personal, PERSONAL);
}

static void no_view_shows_what_is_masked(void **state)
{
    static const char *const views[] = {
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "0",
        "@",
        "O",
        "#",
        "OG",
        "O<Enter>",
        "OG<Enter>",
        "#G",
        "0<Enter>",
        "0j<Enter>",
        "0jj<Enter>",
        "0jjj<Enter>",
        "0jjjj<Enter>",
        "0jjjjj<Enter>",
        "0jjjjjj<Enter>",
        "0jjjjjjj<Enter>",
        "0jjjjjjjj<Enter>",
        "0jjjjjjjjj<Enter>",
        "0h",
        "0jI",
        "0jjI",
        "0f",
        "0jf",
        "0jjf",
        "0jjjf",
        "0jjjjf",
        "0w",
        "0jjw",
        "0jjjw",
        "0jjjjw",
        "7<Enter>",
        "7w",
        "@<Enter>",
        "@j<Enter>",
        "9<Enter>",
        "9j<Enter>",
        "Sbelief<Enter>",
        "Snote<Enter>",

        "0jjjj<Enter>w",
        "!",
        "0jjj=",
        "6<Enter>",
        "6<Enter><Enter>",
        "6=",
        ":citations<Enter><Enter>",
        ":steps<Enter><Enter>",
        "6<Enter>l<Enter>",
        ":sessions<Enter>",
        ":retrievals<Enter>",
        ":diff @0 @9<Enter>",
        ":diff @0 @9<Enter><Enter>",
        "0jr",
        "0jjr",
        "0jjjr",
        "0jjjjr",
        "0jjjjjr",
        "0jjjjjjjr",
        "0j,",
        "0jf,",
        "0jjf,",
        "0jjjf,",
        "7s",
        "8<Enter>",
        "6c",
        "7c",
        "6s",
        "6I",
        "7I",
        "1f",
        "4r",
        "4b",
        "1b",
        "6b",
        "6bZ",
        "6b.",
        "7r",
        ":agent zqk@corp.example<Enter>",
        "A2O",
        "A2#",
        "A2:retrievals<Enter>",
        "@=",
        "?",

        "6#",
        "!<Enter>",
        "!j<Enter>",
    };
    struct script *s = *state;
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
            masked_hides(s, views[i], personal, PERSONAL, false);
    }
}

/* An entry that was put by another way than the tools may have another text than its key. */
static void a_key_that_is_not_the_text_is_shown_as_lists_have_it(void **state)
{
    static const char *const views[] = {"O<Enter>", "O<Enter><Enter>", "0<Enter>", "O<Enter>f"};
    struct script *s = *state;
    struct strbuf keys = STRBUF_INIT;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, ":mask<Enter>%s", views[i]);
        assert_lacks(script_run(s, keys.buf), "password");
    }
    strbuf_release(&keys);
    assert_has(script_run(s, "O<Enter>"), "password");
    assert_has(script_run(s, ":mask<Enter>O<Enter>"), " [REDACTED]_");
    assert_has(script_run(s, ":mask<Enter>O<Enter><Enter>"), "[REDACTED]_");
}

/* An id that is long is cut to what tells it apart; what stands for one that is masked tells nothing apart, and is
 * whole. */
static void what_stands_for_an_id_is_not_cut(void **state)
{
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    static const char *const views[] = {"0jjjjjjj", ":open document:zqj@corp.example-of<Enter>"};
    for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
        char keys[100];
        snprintf(keys, sizeof(keys), ":mask<Enter>%s", views[i]);
        const char *shown = strstr(script_run(s, keys), "document:[REDACTED]_");
        assert_non_null(shown);
        assert_int_equal(strspn(strchr(shown, '_') + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), 26);
    }
}

/* A person who types what is masked gets it, masked. */
static void what_is_masked_is_opened_by_its_name(void **state)
{
    struct script *s = *state;
    const char *frame = script_run(s, ":mask<Enter>:open note:zqj@<Enter>");
    assert_has(frame, "note:[REDACTED]_");
    assert_null(find_personal(frame));
    assert_has(script_run(s, ":mask<Enter>:open note:zqj@<Tab>"), ":open note:[REDACTED]_");
    assert_has(script_run(s, ":open note:zqj@<Tab>"), "note:zqj@corp.example");
    assert_has(script_run(s, ":mask<Enter>O"
                             "G<Enter>"),
               "1 entry");
}

/* What is chosen by its masked name is meant all the same. */
static void agents_are_chosen_by_their_masked_names(void **state)
{
    struct script *s = *state;
    const char *frame = script_run(s, "0:mask<Enter>A<shot:menu>j<Enter>");
    char *menu = script_shot(s, "menu");
    assert_has(menu, "[redacted-email]");
    assert_null(find_personal(menu));
    assert_null(find_personal(frame));
    assert_has(frame, "only what [redacted-email] holds");
    assert_has(frame, "a belief");
    assert_null(find_personal(script_run(s, ":mask<Enter>:agent z")));
    free(menu);
}

/* ---- files ---- */

/* It rests on two that are named alike once they are masked, and is itself masked. */
static const char *const alike[] = {
    "{\"ref\":\"belief:zqj@corp.example\",\"text\":\"\",\"confidence\":0.5," LINK(
        "derived_from", "raw:zqk@corp.example\"},{\"ref\":\"raw:zqj@corp.example") "}",
};

static int set_up_alike(void **state)
{
    return masked_set_up(state, alike, sizeof(alike) / sizeof(alike[0]));
}

static char *exported(struct script *s, const char *format)
{
    struct strbuf keys = STRBUF_INIT;
    char *path = scratch_path("drawn");
    size_t len;
    strbuf_addf(&keys, ":mask<Enter>1f:export %s %s<Enter>", format, path);
    assert_has(script_run(s, keys.buf), "wrote the drawing");
    char *text = scratch_read(path, &len);
    assert_int_equal(remove(path), 0);
    assert_null(find_personal(text));
    strbuf_release(&keys);
    free(path);
    return text;
}

/* Both stand there behind that, each as another. */
static void expect_two(const char *text, const char *before)
{
    const char *first = strstr(text, before);
    const char *second = first ? strstr(first + 1, before) : NULL;
    if (!second || strncmp(first, second, strlen(before) + 26) == 0)
        fail_msg("there are no two after %s in %s", before, text);
}

static void a_drawing_is_written_as_it_is_shown(void **state)
{
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    free(exported(s, "text"));
    char *dot = exported(s, "dot");
    expect_two(dot, "\" -> \"raw:[REDACTED]_");
    free(dot);
    char *json = exported(s, "json");
    assert_has(json, "\"focus\":\"belief:[REDACTED]_");
    expect_two(json, "\"ref\":\"raw:[REDACTED]_");
    expect_two(json, "\"to\":\"raw:[REDACTED]_");
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_view_shows_what_is_masked, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(a_key_that_is_not_the_text_is_shown_as_lists_have_it,
                                        set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(what_stands_for_an_id_is_not_cut, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(what_is_masked_is_opened_by_its_name, set_up,
                                        script_tear_down),
        cmocka_unit_test_setup_teardown(agents_are_chosen_by_their_masked_names, set_up,
                                        script_tear_down),
        cmocka_unit_test_setup_teardown(a_drawing_is_written_as_it_is_shown, set_up_alike,
                                        script_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
