/* `document`: who used one, its versions and retrievals; `retrievals`: the log in groups. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tests/support/said.h"
#include "tests/support/story.h"

#define SUPERVISOR "document:worker-supervisor" /* of the story: a passage of it changed */

static char made[300]; /* the store of the test */

/* ---- a document ---- */

static void a_document_says_who_used_it(void **state)
{
    (void)state;
    STORY("document", SUPERVISOR);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS(SUPERVISOR "\n│ Worker supervisor, drain and registry\n");
    STORY_SAYS("\nstate        ● grounded, active\n");
    STORY_SAYS("\nuri          git:main:worker/supervisor.c\n");
    STORY_SAYS("\nused by      3 steps of 2 chains, 2 citations\n");
    STORY_SAYS("\ncarries      2 beliefs\n");
    STORY_SAYS("\n  ● chain:3589b33b  How much does one canary show before the fleet follows?\n");
    STORY_SAYS("\n  ● chain:c6120492  How can ledger_entries get a column without stopping the "
               "queue?\n");
    STORY_SAYS("step 3  chunk 14  changed since\n");
    STORY_SAYS("step 2  chunk 14\n");
    assert_int_equal(said_count("\n  ● attribution:"), 2);
    assert_int_equal(said_count("\n  ● belief:"), 2);
    STORY_SAYS_NOT("\n      │ "); /* an excerpt */
    STORY("document", SUPERVISOR, "--excerpts");
    STORY_SAYS(
        "\n      │ drain() returns once the queue is empty and every worker in the registry");
}

static void its_versions_are_told_apart(void **state)
{
    (void)state;
    STORY("document", SUPERVISOR);
    const char *versions = strstr(story.p.out, "\nversions\n");
    assert_non_null(versions);
    const char *old = strstr(versions, "  changed since  2 uses   2026-11-01\n");
    assert_non_null(old);
    assert_non_null(strstr(old, "  latest         1 use    2026-11-14\n"));
    assert_int_equal(said_count("\n  chunk 14  "), 2);
    assert_int_equal(said_count("\n  chunk 15  "), 1);
}

static void a_document_is_json(void **state)
{
    (void)state;
    STORY("document", SUPERVISOR, "--json");
    struct json_slice all = said_line(0);
    said_is(said_member(all, "ref"), "\"" SUPERVISOR "\"");
    said_is(said_member(all, "label"), "\"grounded\"");
    said_is(said_member(all, "counts"), "{\"steps\":3,\"chains\":2,\"citations\":2,\"others\":0,"
                                        "\"beliefs\":2,\"bounded\":false}");
    assert_int_equal(said_length(said_member(all, "steps")), 3);
    size_t further = 0; /* one of them used two passages, and the other one is told with it */
    for (int i = 0; i < 3; i++) {
        struct json_slice step = said_element(said_member(all, "steps"), i);
        if (json_member(step.ptr, step.len, "further").ptr)
            further += (size_t)said_length(said_member(step, "further"));
    }
    assert_int_equal(further, 1);
    struct json_slice newest = said_element(said_member(all, "steps"), 0);
    said_is(said_member(newest, "chain"), "\"chain:3589b33b-13d1-4f34-a5f3-878d95b5c2ee\"");
    said_is(said_member(newest, "changed_since"), "false");
    said_is(said_member(said_element(said_member(all, "steps"), 2), "changed_since"), "true");
    assert_null(json_member(newest.ptr, newest.len, "excerpt").ptr);
    assert_int_equal(said_length(said_member(all, "versions")), 3);
    said_is(said_member(said_element(said_member(all, "versions"), 0), "latest"), "false");
    said_is(said_member(said_element(said_member(all, "retrievals"), 0), "source_type"),
            "\"git_show\"");
    said_is(said_member(said_element(said_member(all, "retrievals"), 0), "recorded"), "true");
    assert_int_equal(said_length(said_member(all, "beliefs")), 2);
    said_is(said_member(all, "more"), "[]");
    STORY("document", SUPERVISOR, "--json", "--excerpts");
    said_member(said_element(said_member(said_line(0), "steps"), 0), "excerpt");
}

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    STORY("document", SUPERVISOR, "--limit", "1");
    assert_int_equal(said_count("\n  and more: --limit says how many are shown\n"), 5);
    STORY_SAYS("3 steps of 2 chains"); /* the counts are of all */
    STORY("document", SUPERVISOR, "--limit", "1", "--json");
    said_is(said_member(said_line(0), "more"),
            "[\"steps\",\"citations\",\"versions\",\"retrievals\",\"beliefs\"]");
}

static void what_is_no_document_is_told(void **state)
{
    (void)state;
    story_store(made, sizeof(made), "named.db",
                "{\"ref\":\"belief:b\",\"text\":\"b\",\"derived_from\":[\"document:never\"]}\n");
    PROGRAM(&story.p, "document", "belief:b", "--store", made);
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("is no document but a memory of kind belief");
    PROGRAM(&story.p, "document", "document:nothing", "--store", made);
    assert_int_equal(story.p.status, 1);
    /* One that is only named was used all the same. */
    PROGRAM(&story.p, "document", "document:never", "--store", made);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("\nstate        × missing\n");
    STORY_SAYS("\nused by      0 steps of 0 chains, 0 citations\ncarries      1 belief\n");
    STORY_SAYS("\nused otherwise\n");
    PROGRAM(&story.p, "document", "document:never", "--json", "--store", made);
    said_is(said_member(said_line(0), "status"), "\"missing\"");
    PROGRAM(&story.p, "document", "document:never", "--limit", "0", "--store", made);
    assert_int_equal(story.p.status, 2);
}

/* As it was before the passage changed. */
static void a_document_is_read_as_of_then(void **state)
{
    (void)state;
    story_store(made, sizeof(made), "then.db",
                "{\"ref\":\"document:d\",\"text\":\"D\"}\n"
                "{\"ref\":\"step:1\",\"text\":\"first\",\"justifications\":[{\"role\":\"source\","
                "\"antecedents\":[{\"ref\":\"document:d\",\"relevance\":0.9,\"chunk\":1,"
                "\"version_hash\":\"aa\"}]}]}\n");
    PROGRAM_WITH(&story.p,
                 "{\"ref\":\"step:2\",\"text\":\"second\",\"justifications\":[{\"role\":\"source\","
                 "\"antecedents\":[{\"ref\":\"document:d\",\"relevance\":0.9,\"chunk\":1,"
                 "\"version_hash\":\"bb\"}]}]}\n",
                 "import", "jsonl", "-", "--store", made);
    PROGRAM(&story.p, "document", "document:d", "--store", made);
    STORY_SAYS("chunk 1  changed since\n");
    STORY_SAYS("\n  of no chain\n");
    PROGRAM(&story.p, "document", "document:d", "--as-of", "@2", "--store", made);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("used by      1 step of ");
    STORY_SAYS_NOT("changed since");
}

/* ---- the log in groups ---- */

static void retrievals_are_grouped(void **state)
{
    (void)state;
    STORY("retrievals");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(said_count("\n"), 6);
    STORY_SAYS("web_scrape               10  2026-10-13  ");
    STORY_SAYS("user_input                2  2026-10-30  █······················█  2026-10-31\n");
    STORY("retrievals", "--by", "agent");
    assert_int_equal(said_count("\n"), 3);
    STORY_SAYS("claire                 8  2026-10-30  ");
    STORY("retrievals", "--by", "uri");
    STORY_SAYS("(none)  ");    /* what was only thought */
    STORY_SAYS("  suspect\n"); /* given in seconds */
    STORY("retrievals", "--by", "uri", "--agent", "claire");
    assert_int_equal(said_count("\n"), 8);
}

static void retrievals_are_json(void **state)
{
    int64_t sum = 0, one, all = 0;
    (void)state;
    STORY("retrievals", "--json");
    for (size_t i = 0; i < 6; i++) {
        struct json_slice group = said_line(i);
        int64_t count;
        assert_int_equal(json_integer(said_member(group, "count"), &count), 0);
        all += count;
        assert_int_equal(said_length(said_member(group, "timeline")), 24);
        for (struct json_each it = json_each(said_member(group, "timeline")); json_next(&it);) {
            assert_int_equal(json_integer(it.value, &one), 0);
            sum += one;
        }
    }
    assert_int_equal(all, 29);
    assert_int_equal(sum, 28); /* one of them is suspect */
    STORY("retrievals", "--json", "--limit", "2");
    said_is(said_line(2), "{\"more\":4}");
    STORY("retrievals", "--by", "uri", "--agent", "ash", "--json");
    assert_int_equal(said_count("\"group\":null,"), 1);
}

static void where_there_are_none_it_says_so(void **state)
{
    (void)state;
    STORY("retrievals", "--agent", "bob");
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("there is no agent 'bob'");
    story_store(made, sizeof(made), "empty.db", "{\"ref\":\"raw:r\",\"text\":\"r\"}\n");
    PROGRAM(&story.p, "retrievals", "--store", made);
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("no retrieval was logged");
    STORY("retrievals", "--by", "colour");
    assert_int_equal(story.p.status, 2);
}

/* ---- both ---- */

static void every_line_fits(void **state)
{
    static const char *const widths[] = {"40", "60", "80", "120", "200"};
    static const char *const said[][4] = {
        {"document", SUPERVISOR, "--excerpts"},
        {"document", "document:incident-report-payments-queue"},
        {"retrievals"},
        {"retrievals", "--by", "uri"},
    };
    (void)state;
    for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
        for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
            size_t columns = strtoul(widths[w], NULL, 10);
            setenv("COLUMNS", widths[w], 1);
            STORY("--color", "always", said[i][0], said[i][1], said[i][2], said[i][3]);
            assert_int_equal(story.p.status, 0);
            assert_in_range(story_widest(), 1, columns < 49 ? 49 : columns);
            for (const char *c = story.p.out; *c; c++)
                assert_false(c[0] == ' ' && c[1] == '\n');
        }
    unsetenv("COLUMNS");
}

static void without_utf8_it_is_ascii(void **state)
{
    (void)state;
    setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
    STORY("document", SUPERVISOR, "--excerpts");
    for (const char *c = story.p.out; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    STORY("retrievals");
    for (const char *c = story.p.out; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    STORY_SAYS("user_input                2  2026-10-30  9......................9  2026-10-31\n");
    setenv("LC_ALL", "C.UTF-8", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_says_who_used_it),
        cmocka_unit_test(its_versions_are_told_apart),
        cmocka_unit_test(a_document_is_json),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(what_is_no_document_is_told),
        cmocka_unit_test(a_document_is_read_as_of_then),
        cmocka_unit_test(retrievals_are_grouped),
        cmocka_unit_test(retrievals_are_json),
        cmocka_unit_test(where_there_are_none_it_says_so),
        cmocka_unit_test(every_line_fits),
        cmocka_unit_test(without_utf8_it_is_ascii),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
