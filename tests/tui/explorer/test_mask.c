/*
 * :mask hides from the person what is hidden from agents, in every view, until it is turned off: in texts, in
 * details, and in names of memories, agents and namespaces.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"
#include "tui/demo/demo.h"
#include "tests/support/frame.h"
#include "tests/support/has.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

/* Parts that even a narrow column shows. */
static const char *const personal[] = {"jane.doe", "555-123",   "(415)",     "4111 1111",
                                       "sk-demo",  "zqj",       "zqk",       "415-555",
                                       "415) 555", "corp.exam", "4111-1111", "078-05"};
#define PERSONAL (sizeof(personal) / sizeof(personal[0]))

static const char *find_personal(const char *frame)
{
    return frame_finds(frame, personal, PERSONAL);
}

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

#define AGENT "\"agent_id\":\"zqk@corp.example\""
#define NAMED_LINK(role, ref)                                                                      \
    "\"justifications\":[{\"role\":\"" role "\",\"reading\":\"any\",\"recorded\":\"recorded\","    \
    "\"at\":1,\"antecedents\":[{\"ref\":\"" ref "\"}]}]"

/* Memories of every kind, with personal data in each of their texts, and in their names. */
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
    "{\"ref\":\"attribution:zqj@corp.example\"," AGENT
    ",\"text\":\"a page\",\"source_type\":\"observation\",\"detail\":{\"source_type\":"
    "\"web_scrape\",\"source_uri\":\"u\",\"retrieval_timestamp\":1600000000000}}",
    "{\"ref\":\"document:doc-zqj@corp.example\"," AGENT
    ",\"text\":\"a document\",\"source_type\":\"external\","
    "\"detail\":{\"document_id\":\"doc-zqj@corp.example\",\"uri\":\"u\"}," NAMED_LINK(
        "derived_from", "attribution:zqj@corp.example") "}",
    "{\"ref\":\"document:zqj@corp.example-of-the-other-kind\"," AGENT ",\"text\":\"\"}",
    "{\"ref\":\"step:zqj@corp.example\"," AGENT
    ",\"text\":\"a step\",\"detail\":{\"step_number\":1}," NAMED_LINK(
        "source", "document:doc-zqj@corp.example") "}",
    "{\"ref\":\"chain:zqj@corp.example\"," AGENT
    ",\"text\":\"a chain\",\"detail\":{\"final_answer\":\"yes\"}," NAMED_LINK(
        "step", "step:zqj@corp.example") "}",
    "{\"ref\":\"citation:zqj@corp.example\"," AGENT
    ",\"text\":\"said\",\"detail\":{\"document_id\":\"doc-zqj@corp.example\","
    "\"conversation_id\":\"zqj@corp.example\",\"message_id\":\"m\"}," NAMED_LINK(
        "citation", "document:doc-zqj@corp.example") "}",
    "{\"ref\":\"note:zqj@corp.example\"," AGENT ",\"text\":\"a note\","
    "\"source\":\"note:zqj2@corp.example\",\"relations\":[{\"type\":\"supersedes\","
    "\"to\":\"note:zqj2@corp.example\"}]}",
    "{\"ref\":\"belief:zqj@corp.example\"," AGENT
    ",\"text\":\"a belief\",\"confidence\":0.5," NAMED_LINK("derived_from",
                                                            "note:zqj@corp.example") "}",
    "{\"ref\":\"entry:zqj@corp.example\"," AGENT
    ",\"text\":\"k\",\"detail\":{\"namespace\":\"user.555-123-4567\",\"key\":\"k\",\"value\":"
    "\"jane.doe@example.com\"}}",
    "{\"ref\":\"entry:other\",\"agent_id\":\"ash\",\"text\":\"k\","
    "\"detail\":{\"namespace\":\"ns1\",\"key\":\"password\",\"value\":1}}",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

static struct script *open_lines(const char *const *list, size_t count)
{
    struct script *s = calloc(1, sizeof(*s));
    AUTO_FREE char *path = scratch_path("masked.db");
    struct store *store = scratch_store(path);
    for (size_t i = 0; i < count; i++)
        scratch_put(store, list[i]);
    script_open(s, store);
    return s;
}

static int set_up_lines(void **state)
{
    *state = open_lines(lines, LINES);
    return 0;
}

/* ---- in every view ---- */

/* Masks before and after a view is opened. Returns whether the view shows personal data without masks. */
static bool hides(struct script *s, const char *keys)
{
    char typed[200];
    for (size_t i = 0; i < 2; i++) {
        snprintf(typed, sizeof(typed), i ? "%s:mask<Enter>" : ":mask<Enter>%s", keys);
        const char *frame = script_run(s, typed), *found = find_personal(frame);
        if (found)
            fail_msg("%s shows %s:\n%s", typed, found, frame);
    }
    return find_personal(script_run(s, keys));
}

FIXTURE(set_up_lines, script_tear_down);

TEST(no_view_shows_personal_data)
{
    static const char views[] =
        "1|2|3|4|5|6|7|8|9|0|@|@=|:namespaces<Enter>|:namespaces<Enter>G|:permissions<Enter>|:"
        "permissions<Enter>G|!|?|:namespaces<Enter><Enter>|:namespaces<Enter>G<Enter>|:namespaces<"
        "Enter>G<Enter><Enter>|@<Enter>|"
        "@j<Enter>|9<Enter>|9j<Enter>|Sbelief<Enter>|Snote<Enter>|!<Enter>|!j<Enter>|"
        "8<Enter>|6z|6s|6:strategies<Enter>|6c|6b|6bZ|6b.|6fl|6fj|6<Enter>l|6<Enter>%|6<Enter>l<"
        "Enter>|"
        "6<Enter><Enter>|6<Space>j<Space>=|:sources<Enter>|:steps<Enter>|"
        ":steps<Enter><Enter>|:citations<Enter>|:citations<Enter><Enter>|:sessions<Enter>|7z|"
        "7s|7c|7fj|7fl|5ogo|5ogoj<Enter>|5ogo<Enter>|:retrievals<Enter>|:retrievals<Enter>o|"
        ":diff @0 @9<Enter>|:diff @0 @9<Enter><Enter>|:agent "
        "zqk@corp.example<Enter>|A2:namespaces<Enter>|A2:permissions<Enter>|"
        "A2:retrievals<Enter>|0<Space>j<Space><C-e>|0:compare @2<Enter>|0<Enter>:compare @2<Enter>";
    static const size_t sizes[] = {0, FRAME_SIZES - 1};
    struct script *s = *state;
    size_t shown = 0, count = 0;
    /* With a sanitizer each view is opened at one of the sizes. */
    for (size_t size = 0; size < 2; size++) {
        char list[sizeof(views)], *rest = list, *keys;
        memcpy(list, views, sizeof(views));
        frame_resize(s, sizes[size]);
        for (size_t i = size; (keys = strsep(&rest, "|")); i++)
            if (RANDOM_ROUNDS(2) == 2 || i % 2 == 0) {
                shown += hides(s, keys);
                count++;
            }
    }
    assert_true(shown >= count / 2); /* otherwise the test would prove nothing */
}

/* Every memory of the list in full, and every view of it. */
TEST(no_page_of_a_memory_shows_personal_data)
{
    static const char *const ways[] = {"<Enter>", "f", "r", "f,", "w", "I", "="};
    struct script *s = *state;
    size_t shown = 0;
    frame_resize(s, 1);
    for (size_t i = 0; i < LINES; i++)
        for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++) {
            char keys[100];
            snprintf(keys, sizeof(keys), "0%.*s%s", (int)i, "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj",
                     ways[k]);
            shown += hides(s, keys);
        }
    assert_true(shown >= LINES * 3);
}

/* Masked data is looked up by its stored form. */
TEST(masked_data_is_still_found)
{
    struct script *s = *state;
    s->rows = 50;
    s->columns = 200;
    assert_has(script_run(s, ":show document:d1<Enter>"), "by URI");
    assert_has(script_run(s, ":mask<Enter>:show document:d1<Enter>"), "by URI");
    assert_has(script_run(s, ":mask<Enter>5ogo<Enter>"), "a page");
}

/* An entry that was not put by the tools may have a text that differs from its key. */
TEST(an_entry_with_another_text_shows_its_key)
{
    static const char *const views[] = {":namespaces<Enter><Enter>",
                                        ":namespaces<Enter><Enter><Enter>", "0<Enter>",
                                        ":namespaces<Enter><Enter>f"};
    struct script *s = *state;
    AUTO_STRBUF keys = STRBUF_INIT;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, ":mask<Enter>%s", views[i]);
        assert_lacks(script_run(s, keys.buf), "password");
    }
    assert_has(script_run(s, ":namespaces<Enter><Enter>"), "password");
    assert_has(script_run(s, ":mask<Enter>:namespaces<Enter><Enter>"), " [REDACTED]_");
    assert_has(script_run(s, ":mask<Enter>:namespaces<Enter><Enter><Enter>"), "[REDACTED]_");
}

/* A long id is shortened to its unique part. The stand-in for a masked id has no unique part and is shown whole. */
TEST(masked_ids_are_not_shortened)
{
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    static const char *const views[] = {"0jjjjjjj", ":show document:zqj@corp.example-of<Enter>"};
    for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
        char keys[100];
        snprintf(keys, sizeof(keys), ":mask<Enter>%s", views[i]);
        const char *shown = strstr(script_run(s, keys), "document:[REDACTED]_");
        assert_non_null(shown);
        assert_int_equal(strspn(strchr(shown, '_') + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), 26);
    }
}

/* A person who types a masked name gets the memory, masked. */
TEST(a_masked_name_opens_its_memory)
{
    struct script *s = *state;
    const char *frame = script_run(s, ":mask<Enter>:show note:zqj@<Enter>");
    assert_has(frame, "note:[REDACTED]_");
    assert_null(find_personal(frame));
    assert_has(script_run(s, ":mask<Enter>:show note:zqj@<Tab>"), ":show note:[REDACTED]_");
    assert_has(script_run(s, ":show note:zqj@<Tab>"), "note:zqj@corp.example");
    assert_has(script_run(s, ":mask<Enter>:namespaces<Enter>G<Enter>"), "1 entry");
}

/* A choice by its masked name works. */
TEST(agents_are_chosen_by_their_masked_names)
{
    struct script *s = *state;
    const char *frame = script_run(s, "0:mask<Enter>A<shot:menu>jj<Enter>");
    AUTO_FREE char *menu = script_shot(s, "menu");
    assert_has(menu, "[redacted-email]");
    assert_null(find_personal(menu));
    assert_null(find_personal(frame));
    assert_has(frame, "only the memories of [redacted-email]");
    assert_has(frame, "a belief");
    assert_null(find_personal(script_run(s, ":mask<Enter>:agent z")));
}

/* ---- files ---- */

/* A masked memory that is based on two others with equal masked names. */
static const char *const alike[] = {
    "{\"ref\":\"belief:zqj@corp.example\",\"text\":\"\",\"confidence\":0.5," NAMED_LINK(
        "derived_from", "raw:zqk@corp.example\"},{\"ref\":\"raw:zqj@corp.example") "}",
};

static int set_up_alike(void **state)
{
    *state = open_lines(alike, 1);
    return 0;
}

static char *exported(struct script *s, const char *format)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    AUTO_FREE char *path = scratch_path("drawn");
    size_t len;
    strbuf_addf(&keys, ":mask<Enter>1f:export %s %s<Enter>", format, path);
    assert_has(script_run(s, keys.buf), "wrote the drawing");
    char *text = scratch_read(path, &len);
    assert_int_equal(remove(path), 0);
    assert_null(find_personal(text));
    return text;
}

/* Expects both after `before`, with different names. */
static void expect_two(const char *text, const char *before)
{
    const char *first = strstr(text, before);
    const char *second = first ? strstr(first + 1, before) : NULL;
    if (!second || strncmp(first, second, strlen(before) + 26) == 0)
        fail_msg("there are no two after %s in %s", before, text);
}

FIXTURE(set_up_alike, script_tear_down);

TEST(an_exported_drawing_is_masked)
{
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    free(exported(s, "text"));
    AUTO_FREE char *dot = exported(s, "dot");
    expect_two(dot, "\n  \"raw:[REDACTED]_");
    AUTO_FREE char *json = exported(s, "json");
    assert_has(json, "\"focus\":\"belief:[REDACTED]_");
    expect_two(json, "\"ref\":\"raw:[REDACTED]_");
    expect_two(json, "\"to\":\"raw:[REDACTED]_");
}

/* ---- the story's entries ---- */

#define TO_KEY ":namespaces<Enter>jj<Enter>" /* entries; the first key has an address */

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    script_open_demo(s);
    *state = s;
    demo_rules_add(&s->config.permissions);
    return 0;
}

FIXTURE(set_up, script_tear_down);

/* The view that is open when masks are turned on and off. */
TEST(masks_apply_at_once_until_turned_off)
{
    struct script *s = *state;
    const char *after =
        script_run(s, TO_KEY "j<Enter><shot:before>:mask<Enter><shot:masked>:mask<Enter>");
    AUTO_FREE char *before = script_shot(s, "before"), *masked = script_shot(s, "masked");
    assert_has(before, "jane.doe@example.com");
    assert_null(find_personal(masked));
    assert_has(masked, "[redacted-email]");
    assert_has(after, "jane.doe@example.com");
    assert_has(after, "personal data is shown");
    assert_lacks(after, "masked");
}

/* In the list, in the preview and wherever its memory is shown. */
TEST(a_key_is_shown_as_agents_see_it)
{
    static const char *const views[] = {TO_KEY, TO_KEY "<Enter>", "0/REDACTED<Enter>", "9",
                                        "@",    TO_KEY "f"};
    struct script *s = *state;
    AUTO_STRBUF keys = STRBUF_INIT;
    s->rows = 50;
    s->columns = 200;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, ":mask<Enter>%s", views[i]);
        const char *frame = script_run(s, keys.buf);
        assert_has(frame, "[REDACTED]_");
        assert_lacks(frame, "contact:");
        assert_lacks(frame, ":[redacted-email]"); /* values have it between quotes */
        assert_null(find_personal(frame));
    }
}

/* Sizes are those of the stored data, masked or not. */
TEST(sizes_are_those_of_the_stored_data)
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

/* No search finds it, whether started before or after. */
TEST(hidden_text_is_not_found)
{
    static const struct {
        const char *keys, *nothing;
    } ways[] = {
        {":mask<Enter>Sexample.com<Enter>",
         "no memory has all these words; try fewer or shorter words"},
        {"Sexample.com<Enter>:mask<Enter>",
         "no memory has all these words; try fewer or shorter words"},
        {":mask<Enter>0\\jane.doe<Enter>", "nothing matches the filter"},
        {"0\\jane.doe<Enter>:mask<Enter>", "nothing matches the filter"},
        {":mask<Enter>@\\jane.doe<Enter>", "nothing matches the filter"},
        {":mask<Enter>9\\jane.doe<Enter>", "nothing matches the filter"},
        {":mask<Enter>0/jane.doe<Enter>", "no match here"},
        {":mask<Enter>0/sk-demo<Enter>", "no match here"},
        {":mask<Enter>" TO_KEY "/example.com<Enter>", "no match here"},
        {TO_KEY "/example.com<Enter>:mask<Enter>n", "no match here"},
    };
    struct script *s = *state;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        assert_has(script_run(s, ways[i].keys), ways[i].nothing);
    /* in the value of an entry, which lists of memories search as well */
    assert_lacks(script_run(s, "0/sk-demo<Enter>"), "no match here");
    assert_has(script_run(s, "0\\sk-demo<Enter>"), "entry:");
    /* the same store finds it again once masks are off */
    assert_lacks(script_run(s, "Sexample.com<Enter>:mask<Enter>:mask<Enter>"),
                 "no memory has all these words; try fewer or shorter words");
    assert_has(script_run(s, ":mask<Enter>Sagent.oncall<Enter>"), "[REDACTED]_");
}

/* Returns how much was copied. */
static int copied(struct script *s, const char *keys)
{
    const char *at = strstr(script_run(s, keys), "copied the ");
    int bytes = 0;
    at = at ? strchr(at, '(') : NULL;
    if (!at || sscanf(at, "(%d bytes", &bytes) != 1)
        fail_msg("%s copies nothing", keys);
    return bytes;
}

TEST(copied_text_is_masked)
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

/* Text typed over masked text would be saved. */
TEST(nothing_can_be_changed_while_masked)
{
    static const char *const changes[] = {"e", "d", "D", "B"};
    struct script *s = *state;
    AUTO_STRBUF keys = STRBUF_INIT;
    s->rows = 36;
    s->columns = 120;
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, TO_KEY "j:mask<Enter>%s", changes[i]);
        assert_has(script_run(s, keys.buf), "nothing can be changed here until :mask");
    }
    strbuf_clear(&keys);
    assert_lacks(script_run(s, TO_KEY "j:mask<Enter>"), " e edit");
    assert_has(script_run(s, TO_KEY "j"), " e edit");
    strbuf_addstr(&keys, TO_KEY "j:mask<Enter>:mask<Enter>e");
    assert_lacks(script_run(s, keys.buf), "nothing is changed here");
    assert_has(script_run(s, keys.buf), "Enter save");
}

/* They come from the journal, which is not masked. */
TEST(former_versions_are_hidden)
{
    struct script *s = *state;
    s->columns = 120;
    const char *frame = script_run(s, TO_KEY "j:mask<Enter>I");
    assert_null(find_personal(frame));
    assert_has(frame, "masked");
}

/* At 80 columns the whole message is visible: it tells how to turn masks off. */
TEST(a_narrow_terminal_says_how_to_turn_masks_off)
{
    struct script *s = *state;
    assert_has(script_run(s, TO_KEY ":mask<Enter>"), ":mask shows it");
    assert_has(script_run(s, TO_KEY "<Enter>:mask<Enter>"), ":mask shows it");
}
