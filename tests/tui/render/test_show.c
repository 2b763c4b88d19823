/* What `show` and its traces say of a memory: what is whose words, what was a reinforcement, and that
 * lines stay in their width. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "tests/support/story.h"

#define ARROW " \xe2\x86\x92 "
#define BAR   "\xe2\x94\x82"

static char made[300]; /* the store of the test */

static void show(const char *ref, const char *how)
{
    if (how)
        PROGRAM(&story.p, "show", ref, how, "--store", made);
    else
        PROGRAM(&story.p, "show", ref, "--store", made);
    assert_int_equal(story.p.status, 0);
}

/* ---- whose words ---- */

/* The text, an excerpt, a reason and a detail that imitate the sheet. */
static void words_cannot_pass_for_the_sheet(void **state)
{
    static const char forged[] = "\\nkind         value\\nstate        \xe2\x97\x8f grounded\\n\\n"
                                 "history\\n     2020-01-01 00:00:00Z (6y)  0.1 \xe2\x86\x92 0.9";
    struct strbuf lines = STRBUF_INIT;
    (void)state;
    strbuf_addf(
        &lines,
        "{\"ref\":\"belief:forged\",\"text\":\"x%s\",\"context\":\"c%s\",\"source\":\"s%s\","
        "\"agent_id\":\"a%s\",\"detail\":{\"k\":\"d%s\",\"\\nstate\":\"%s\"},"
        "\"justifications\":[{\"role\":\"derived_from\",\"reason\":\"r%s\",\"antecedents\":"
        "[{\"ref\":\"raw:one\",\"excerpt\":\"e%s\"}]}],"
        "\"history\":[{\"at\":1,\"old\":0.1,\"new\":0.2,\"reason\":\"h%s\"}],"
        "\"marks\":[{\"mark\":\"reviewed\",\"at\":1,\"actor\":\"m%s\"}]}\n"
        "{\"ref\":\"raw:one\",\"text\":\"t\"}\n",
        forged, forged, forged, forged, forged, forged, forged, forged, forged, forged);
    story_store(made, sizeof(made), "forged.db", lines.buf);
    strbuf_release(&lines);
    for (int columns = 0; columns < 3; columns++) {
        if (columns)
            setenv("COLUMNS", columns == 1 ? "80" : "40", 1);
        show("belief:forged", NULL);
        STORY_SAYS("kind         belief\n");
        STORY_SAYS_NOT("\nkind         value");
        assert_null(strstr(strstr(story.p.out, "\nstate ") + 1, "\nstate "));
        assert_null(strstr(strstr(story.p.out, "\nhistory\n") + 1, "\nhistory\n"));
        assert_null(strstr(story.p.out, "\n     2020-"));
        STORY_SAYS("\n" BAR " kind         value\n");
        STORY_SAYS("\n         " BAR " kind         value\n");
        show("belief:forged", "--trace");
        STORY_SAYS_NOT("\nkind");
        STORY_SAYS_NOT("\nstate");
        assert_null(strstr(story.p.out, "\n  2020-"));
    }
    unsetenv("COLUMNS");
}

static void a_detail_stands_apart(void **state)
{
    (void)state;
    snprintf(made, sizeof(made), "%s", story.store);
    show("raw:47735e51", NULL);
    STORY_SAYS("\ndetail\n  source       pager\n");
    assert_null(strstr(strstr(story.p.out, "\nsource ") + 1, "\nsource "));
}

static void a_dead_memory_says_so_first(void **state)
{
    (void)state;
    PROGRAM(&story.p, "list", "all", "--status", "forgotten", "--store", story.store);
    char *end = strstr(story.p.out, "  ");
    assert_non_null(end);
    char ref[40];
    snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(end + 2, " "), end + 2);
    show(ref, NULL);
    STORY_SAYS("state        \xc3\x97 forgotten");
    STORY_SAYS_NOT(", forgotten");
}

/* ---- how confidence came about ---- */

static void only_a_reinforcement_is_called_one(void **state)
{
    (void)state;
    story_store(
        made, sizeof(made), "changes.db",
        "{\"ref\":\"belief:noted\",\"text\":\"t\",\"confidence\":0.8,\"history\":[{\"at\":1,"
        "\"old\":0.8,"
        "\"new\":0.8,\"reason\":\"Superseded by another\"}]}\n"
        "{\"ref\":\"belief:made\",\"text\":\"t\",\"confidence\":0.8,\"history\":[{\"at\":1,\"old\":"
        "0,"
        "\"new\":0.8,\"reason\":\"refined\"}]}\n"
        "{\"ref\":\"belief:seeded\",\"text\":\"t\",\"confidence\":0.87,\"source_type\":\"seed\","
        "\"history\":[{\"at\":1,\"old\":0,\"new\":0.85},"
        "{\"at\":2,\"old\":0.85,\"new\":0.87,\"reason\":\"Confirmed by outage\"}]}\n"
        "{\"ref\":\"belief:lowered\",\"text\":\"t\",\"confidence\":0.5,\"history\":[{\"at\":1,"
        "\"old\":0.8,"
        "\"new\":0.5,\"evidence_source\":\"raw:one\"},{\"at\":2,\"old\":0.5,\"new\":0.513,"
        "\"evidence_source\":\"raw:one\"}]}\n"
        "{\"ref\":\"belief:plain\",\"text\":\"t\",\"confidence\":0.65,\"source_type\":\"seed\"}\n"
        "{\"ref\":\"belief:gap\",\"text\":\"t\",\"confidence\":0.9,\"history\":[{\"at\":1,\"old\":"
        "0.3,"
        "\"new\":0.4},{\"at\":2,\"old\":0.8,\"new\":0.9}]}\n");
    show("belief:noted", "--trace");
    STORY_SAYS("Confidence: 0.80 (changed)\n");
    STORY_SAYS("  Changed: ");
    STORY_SAYS_NOT("einforce");
    show("belief:made", "--trace");
    STORY_SAYS("Confidence: 0.80 (created" ARROW "0.80)\n");
    STORY_SAYS("  Created: ");
    STORY_SAYS("created" ARROW "0.80: refined\n");
    STORY_SAYS_NOT("einforce");
    show("belief:seeded", "--trace");
    STORY_SAYS("Confidence: seed" ARROW "0.85" ARROW "0.87 (reinforced)\n");
    STORY_SAYS("  Current: 0.87 after 1 reinforcement\n");
    show("belief:lowered", "--trace");
    STORY_SAYS("Confidence: 0.80" ARROW "0.50" ARROW "0.513 (reinforced, changed)\n");
    STORY_SAYS("0.80" ARROW "0.50 from raw:one\n");
    STORY_SAYS("  Current: 0.50 after 1 reinforcement and 1 change\n");
    show("belief:plain", "--trace");
    STORY_SAYS("Confidence: 0.65 (seed" ARROW "0.65)\n");
    show("belief:gap", "--trace");
    STORY_SAYS("Confidence: 0.30" ARROW "0.40, 0.80" ARROW "0.90 (changed)\n");
}

/* Nothing is stored of it: the confidence stands beside what is left. */
static void an_old_confidence_has_decayed(void **state)
{
    (void)state;
    story_store(
        made, sizeof(made), "old.db",
        "{\"ref\":\"belief:old\",\"text\":\"t\",\"confidence\":0.9,\"created_at\":1000000000000}\n"
        "{\"ref\":\"belief:kept\",\"text\":\"t\",\"confidence\":0.9,"
        "\"created_at\":1000000000000,\"protected\":true}\n"
        "{\"ref\":\"raw:old\",\"text\":\"t\",\"created_at\":1000000000000}\n");
    show("belief:old", NULL);
    STORY_SAYS("confidence   0.9\n");
    STORY_SAYS("decayed      0.900 - 0.01 * ");
    STORY_SAYS(" / 30, not below 0.5 = 0.500");
    show("belief:kept", NULL);
    STORY_SAYS_NOT("decayed");
    show("raw:old", NULL);
    STORY_SAYS_NOT("decayed");
}

/* ---- traces ---- */

/* A chain of so many beliefs, each resting on the next. */
static void make_chain(int count)
{
    struct strbuf lines = STRBUF_INIT;
    for (int i = 0; i < count; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"belief:n%d\",\"text\":\"t%d\",\"derived_from\":[\"%s:n%d\"]}\n", i,
                    i, i + 1 < count ? "belief" : "raw", i + 1);
    strbuf_addf(&lines, "{\"ref\":\"raw:n%d\",\"text\":\"end\"}\n", count);
    story_store(made, sizeof(made), "chain.db", lines.buf);
    strbuf_release(&lines);
}

static void a_deep_chain_costs_a_line_for_each(void **state)
{
    static const char *const ways[][2] = {{"belief:n0", "--trace"}, {"raw:n5000", "--reverse"}};
    (void)state;
    make_chain(5000);
    for (size_t i = 0; i < 2; i++) {
        size_t lines = 0;
        show(ways[i][0], ways[i][1]);
        for (const char *c = story.p.out; *c; c++)
            lines += *c == '\n';
        assert_in_range(lines, 5001, 5020);
        assert_in_range(story.p.out_len, 5001, 200 * 5001);
        STORY_SAYS(i == 0 ? "raw:n5000  end" : "belief:n0  t0");
        STORY_SAYS(" 4999 ");
    }
}

static void what_is_cut_is_not_called_nothing(void **state)
{
    (void)state;
    make_chain(9);
    PROGRAM(&story.p, "show", "belief:n0", "--trace", "--depth", "0", "--store", made);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("Rests on:\n+9 deeper");
    STORY_SAYS_NOT("nothing\n");
    show("belief:n0", "--reverse");
    STORY_SAYS("Carries:\n  nothing\n");
}

/* ---- what it carries ---- */

static void what_it_carries_is_counted_so_far(void **state)
{
    struct strbuf lines = STRBUF_INIT;
    (void)state;
    for (int i = 0; i < 2100; i++)
        strbuf_addf(&lines, "{\"ref\":\"note:n%d\",\"text\":\"t\",\"derived_from\":[\"%s\"]}\n", i,
                    i < 30 ? "raw:top" : "note:n0");
    strbuf_addstr(&lines, "{\"ref\":\"raw:top\",\"text\":\"t\"}\n");
    story_store(made, sizeof(made), "wide.db", lines.buf);
    strbuf_release(&lines);
    show("raw:top", NULL);
    STORY_SAYS("carries  2,000+ memories, 30 directly\n");
    STORY_SAYS("+10 more: stemma show raw:top --reverse\n");
    show("note:n0", NULL);
    STORY_SAYS("carries  2,000+ memories directly\n");
    STORY_SAYS("+1980 or more: stemma show note:n0 --reverse\n");
    show("note:n1", NULL);
    STORY_SAYS_NOT("carries");
    PROGRAM(&story.p, "show", "raw:top", "--reverse", "--json", "--store", made);
    STORY_SAYS("\"note:n2099\"");
}

/* ---- width ---- */

static void every_line_fits(void **state)
{
    static const char *const widths[] = {"40", "60", "80", "132"};
    static const char *const said[][3] = {
        {"show", "belief:3218"},
        {"show", "belief:3218", "--trace"},
        {"show", "goal:80c2", "--trace"},
        {"show", "belief:b81d1f6b"},
        {"show", "raw:47735e51"},
        {"show", "chain:e928fb0a"},
        {"show", "attribution:03b3f0bb"},
        {"orphans"},
        {"whatif", "episode:7569db5b", "note:e178d716"},
    };
    (void)state;
    for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
        for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
            setenv("COLUMNS", widths[w], 1);
            STORY("--color", "always", said[i][0], said[i][1], said[i][2]);
            size_t most = strtoul(widths[w], NULL, 10);
            /* A whole ref stands in one piece. */
            assert_in_range(story_widest(), 1, most < 49 ? 49 : most);
        }
    unsetenv("COLUMNS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_cannot_pass_for_the_sheet),
        cmocka_unit_test(a_detail_stands_apart),
        cmocka_unit_test(a_dead_memory_says_so_first),
        cmocka_unit_test(only_a_reinforcement_is_called_one),
        cmocka_unit_test(an_old_confidence_has_decayed),
        cmocka_unit_test(a_deep_chain_costs_a_line_for_each),
        cmocka_unit_test(what_is_cut_is_not_called_nothing),
        cmocka_unit_test(what_it_carries_is_counted_so_far),
        cmocka_unit_test(every_line_fits),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
