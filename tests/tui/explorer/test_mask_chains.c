/* :mask: what chains of thought, documents and retrievals say is masked as memories are, in the views of their own. */
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
static const char *const personal[] = {"zqj@",     "zqk@",      "zqj.zqk",   "415-555",
                                       "415) 555", "4111 1111", "4111-1111", "078-05"};
#define PERSONAL (sizeof(personal) / sizeof(personal[0]))

#define LINK(role, antecedents)                                                                    \
    ",\"justifications\":[{\"role\":\"" role "\",\"reading\":\"any\",\"recorded\":\"recorded\","   \
    "\"at\":1,\"antecedents\":[" antecedents "]}]"
#define USE(of, excerpt, title, label)                                                             \
    "{\"ref\":\"" of "\",\"relevance\":0.9,\"score\":\"asserted\",\"excerpt\":\"" excerpt          \
    "\",\"section\":\"078-05-1120\",\"title\":\"" title "\",\"label\":\"" label "\"}"
#define CHAIN(id, step)                                                                            \
    "{\"ref\":\"chain:" id "\",\"text\":\"zqj@corp.example: who?\",\"detail\":{\"final_answer\":"  \
    "\"zqk@corp.example it is\",\"strategy\":\"zqj.zqk@corp.example\"}" LINK(                      \
        "step", "{\"ref\":\"step:" step "\"}") "}"

static const char *const lines[] = {
    "{\"ref\":\"attribution:a1\",\"text\":\"a page\",\"source_type\":\"observation\",\"detail\":"
    "{\"source_type\":\"web_scrape\",\"source_uri\":\"mailto:zqj@corp.example\","
    "\"retrieval_timestamp\":1600000000000}}",
    "{\"ref\":\"document:d1\",\"text\":\"4111 1111 1111 1111\",\"source_type\":\"external\","
    "\"detail\":{\"document_id\":\"d1\",\"uri\":\"mailto:zqj@corp.example\"}}",
    "{\"ref\":\"document:d2\",\"text\":\"d2\",\"source_type\":\"external\","
    "\"detail\":{\"document_id\":\"d2\"}}",
    "{\"ref\":\"step:s1\",\"text\":\"415-555-0134 is whose?\",\"detail\":{\"step_number\":1,"
    "\"intermediate_answer\":\"zqj@corp.example\"}" LINK(
        "source", USE("document:d1", "says zqk@corp.example there", "zqj@corp.example's",
                      "zqj.zqk@corp.example")) "}",
    "{\"ref\":\"step:s2\",\"text\":\"415-555-0134 is whose?\",\"detail\":{\"step_number\":1,"
    "\"intermediate_answer\":\"zqk@corp.example\"}" LINK(
        "source", USE("document:d1", "and (415) 555-0134", "4111-1111-1111-1111", "d1") "," USE(
                      "document:d2", "zqj@corp.example", "zqj@corp.example", "d2")) "}",
    CHAIN("c1", "s1"),
    CHAIN("c2", "s2"),
    "{\"ref\":\"citation:q1\",\"text\":\"said zqj@corp.example\",\"detail\":{\"document_id\":"
    "\"d1\",\"document_name\":\"zqj@corp.example\",\"conversation_id\":\"zqj@corp.example\","
    "\"message_id\":\"m\"}" LINK(
        "citation", USE("document:d1", "zqk@corp.example", "zqj@corp.example", "d1")) "}",
    "{\"ref\":\"belief:b1\",\"text\":\"a belief\",\"confidence\":0.5,\"marks\":[{\"mark\":"
    "\"for_review\",\"at\":1,\"actor\":\"zqk@corp.example\",\"reason\":\"ask "
    "zqj@corp.example\"}]" LINK("derived_from", "{\"ref\":\"chain:c1\"}") "}",
};

static int set_up(void **state)
{
    return masked_set_up(state, lines, sizeof(lines) / sizeof(lines[0]));
}

static const char *find_personal(const char *frame)
{
    return frame_finds(frame, personal, PERSONAL);
}

/* Each shows something personal on a large screen where nothing is masked. */
static void no_view_of_reasoning_shows_it(void **state)
{
    static const char *const views[] = {
        "6",
        "6z",
        "6s",
        "6=",
        "6<Enter>",
        "6<Enter>l",
        "6<Enter>x",
        "6<Enter>l<Enter>",
        "6<Enter><Enter>",
        "6<Space>j<Space>=",
        "6c",
        ":steps<Enter>",
        ":steps<Enter><Enter>",
        ":sources<Enter>",
        ":citations<Enter>",
        ":citations<Enter><Enter>",
        "7",
        "7z",
        "7<Enter>",
        "7j<Enter>",
        "7w",
        "5##",
        "5##j<Enter>",
        "5##<Enter>",
        ":retrievals<Enter>#",
        "8",
        "8<Enter>",
    };
    struct script *s = *state;
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
            const char *bare = script_run(s, views[i]);
            if (size == FRAME_SIZES - 1 && !find_personal(bare))
                fail_msg("%s shows nothing personal:\n%s", views[i], bare);
            masked_hides(s, views[i], personal, PERSONAL, true);
        }
    }
}

/* Where they are named among others. */
static void no_other_view_shows_it(void **state)
{
    static const char *const views[] = {"6f",          "6r",
                                        "6b",          "6bZ",
                                        "6b.",         "1f",
                                        "1r",          "1b",
                                        "5f",          "5r",
                                        "7f",          "7r",
                                        "7b",          "4",
                                        "@",           "#",
                                        "@<Enter>",    "9",
                                        "6I",          "7I",
                                        "6h",          "6,",
                                        "7,",          "6w",
                                        "1w",          "0=",
                                        "9<Enter>",    ":diff @0 @9<Enter>",
                                        "6fl",         "6fj",
                                        "7fj",         "7fl",
                                        "Swho<Enter>", "Sbelief<Enter>"};
    struct script *s = *state;
    frame_resize(s, FRAME_SIZES - 1);
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
        masked_hides(s, views[i], personal, PERSONAL, true);
}

/* What is masked is looked up as it is stored. */
static void what_belongs_together_is_found_still(void **state)
{
    struct script *s = *state;
    s->rows = 50;
    s->columns = 200;
    assert_has(script_run(s, "7j<Enter>"), "matched");
    assert_has(script_run(s, ":mask<Enter>7j<Enter>"), "matched");
    assert_has(script_run(s, ":mask<Enter>5##<Enter>"), "a page");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_view_of_reasoning_shows_it, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(no_other_view_shows_it, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(what_belongs_together_is_found_still, set_up,
                                        script_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
