/*
 * Views of documents, retrievals and strategies: who used a document and how, later changes, times of retrievals, and
 * differences between chains on the same question.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/style.h"
#include "tui/term/paint.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

#define OLD_HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NEW_HASH "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* ---- the story ---- */

static void put_documents(struct fixture *f)
{
    fixture_put(
        f,
        "{\"ref\":\"attribution:logged-1\",\"agent_id\":\"ash\",\"text\":\"The chapter on locks\","
        "\"created_at\":1794000000000,\"detail\":{\"source_type\":\"web_scrape\",\"source_uri\":"
        "\"https://pg.example/locking\",\"retrieval_timestamp\":1794000000000}}",
        "{\"ref\":\"attribution:logged-2\",\"agent_id\":\"claire\",\"text\":\"The same page, "
        "again\",\"created_at\":1794500000000,\"detail\":{\"source_type\":\"web_scrape\","
        "\"source_uri\":\"https://pg.example/locking\",\"retrieval_timestamp\":1794500000000}}",
        "{\"ref\":\"attribution:logged-3\",\"agent_id\":\"ash\",\"text\":\"In seconds\","
        "\"created_at\":1794600000000,\"detail\":{\"source_type\":\"tavily_search\",\"source_uri\":"
        "\"how long is a lock\",\"retrieval_timestamp\":1794600000}}",
        "{\"ref\":\"attribution:logged-4\",\"agent_id\":\"ash\",\"text\":\"A search\","
        "\"created_at\":1794700000000,\"detail\":{\"source_type\":\"tavily_search\","
        "\"retrieval_timestamp\":1794700000000}}",
        "{\"ref\":\"document:pg16-locking\",\"agent_id\":\"ash\",\"text\":\"PostgreSQL 16, "
        "Explicit "
        "Locking\",\"created_at\":1794000000000,\"detail\":{\"document_id\":\"pg16-locking\","
        "\"uri\":\"https://pg.example/locking\"},\"justifications\":[{\"role\":\"derived_from\","
        "\"antecedents\":[\"attribution:logged-1\"]}]}",
        "{\"ref\":\"document:incident\",\"agent_id\":\"claire\",\"text\":\"Incident report, 3 "
        "February\",\"created_at\":1794000000000}",
        "{\"ref\":\"document:supervisor\",\"agent_id\":\"ash\",\"text\":\"Worker supervisor\","
        "\"created_at\":1794000000000}",
        NULL);
}

#define STEP(id, number, chain, at, text, sources)                                                 \
    "{\"ref\":\"step:" id "\",\"agent_id\":\"ash\",\"text\":\"" text "\",\"confidence\":0.9,"      \
    "\"created_at\":" at ",\"detail\":{\"step_number\":" number ",\"intermediate_answer\":"        \
    "\"Answer of " id "\",\"execution_time\":0.8},\"relations\":[{\"type\":\"part_of\",\"to\":"    \
    "\"chain:" chain "\"}],\"justifications\":[{\"role\":\"source\",\"reading\":\"any\","          \
    "\"antecedents\":[" sources "]}]}"
#define CHAIN(id, question, answer, strategy, steps)                                               \
    "{\"ref\":\"chain:" id "\",\"agent_id\":\"ash\",\"text\":\"" question                          \
    "\",\"confidence\":0.85,"                                                                      \
    "\"created_at\":1794100000000,\"detail\":{" answer "\"strategy\":\"" strategy "\","            \
    "\"total_time\":4.2}" steps "}"
#define RESTS_ON(steps)                                                                            \
    ",\"justifications\":[{\"role\":\"step\",\"reading\":\"all\",\"antecedents\":[" steps "]}]"
#define QUESTION "Why did the deploy stop the queue?"

static void put_chains(struct fixture *f)
{
    fixture_put(
        f,
        STEP("first-1", "1", "first", "1794100000000", "What was locked?",
             "{\"ref\":\"document:pg16-locking\",\"relevance\":0.95,\"score\":\"measured\","
             "\"excerpt\":\"ACCESS EXCLUSIVE conflicts with every mode.\",\"chunk\":14,\"rank\":1,"
             "\"version_hash\":\"" OLD_HASH "\"},{\"ref\":\"document:incident\",\"relevance\":0.6,"
             "\"score\":\"heuristic\",\"label\":\"context_doc_1\"}"),
        STEP("first-2", "2", "first", "1794100060000", "Who waited?",
             "{\"ref\":\"document:incident\",\"relevance\":0.5,\"score\":\"default\"}"),
        CHAIN("first", QUESTION,
              "\"final_answer\":\"The migration held a lock while nine workers waited.\",",
              "step_by_step", RESTS_ON("\"step:first-1\",\"step:first-2\"")),
        STEP("second-1", "1", "second", "1794200000000", "Which lock was it?",
             "{\"ref\":\"document:pg16-locking\",\"relevance\":0.7,\"score\":\"asserted\","
             "\"excerpt\":\"ACCESS EXCLUSIVE waits for every mode.\",\"chunk\":14,"
             "\"version_hash\":\"" NEW_HASH "\",\"title\":\"The manual\"}"),
        CHAIN("second", "  why did the DEPLOY stop the queue?",
              "\"final_answer\":\"The migration held a lock while three workers waited.\",",
              "decomposition", RESTS_ON("\"step:second-1\"")),
        STEP("third-1", "1", "third", "1794300000000", "What does a worker hold?",
             "{\"ref\":\"document:supervisor\",\"relevance\":0.83,\"score\":\"measured\"}"),
        CHAIN("third", QUESTION, "", "tree", ""),
        CHAIN("other", "Something else?", "\"final_answer\":\"No.\",", "tree", ""), NULL);
}

static void put_rest(struct fixture *f)
{
    fixture_put(
        f,
        "{\"ref\":\"citation:quoted-1\",\"agent_id\":\"claire\",\"text\":\"Every mode conflicts.\","
        "\"created_at\":1794400000000,\"detail\":{\"document_id\":\"pg16-locking\","
        "\"document_name\":\"PostgreSQL manual\",\"page\":12,\"section\":\"Table-level locks\","
        "\"conversation_id\":\"chat-7\",\"message_id\":\"m-3\"},\"justifications\":[{\"role\":"
        "\"citation\",\"antecedents\":[{\"ref\":\"document:pg16-locking\",\"relevance\":0.88,"
        "\"score\":\"measured\",\"page\":12,\"section\":\"Table-level locks\"}]}]}",
        "{\"ref\":\"note:direct-1\",\"agent_id\":\"ash\",\"text\":\"Read the chapter on locks\","
        "\"created_at\":1794410000000,\"derived_from\":[\"document:pg16-locking\"]}",
        "{\"ref\":\"belief:concluded-1\",\"agent_id\":\"ash\",\"text\":\"A migration needs a lock "
        "timeout\",\"created_at\":1794420000000,\"derived_from\":[\"step:first-1\"]}",
        NULL);
}

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    put_documents(&s->fixture);
    put_chains(&s->fixture);
    put_rest(&s->fixture);
    s->script.columns = 120;
    s->script.rows = 50;
    *state = s;
    return 0;
}

#define DOCUMENT   ":goto document:pg16-locking<Enter>"
#define RETRIEVALS ":retrievals<Enter>"
#define STRATEGIES ":goto chain:first<Enter>:strategies<Enter>"

/* ---- frames ---- */

/* Every colour has an equivalent word or sign. */
static void test_without_colour(void **state)
{
    struct viewed *s = *state;
    static const char *const keys[] = {DOCUMENT, RETRIEVALS, STRATEGIES, "7", "6"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        s->script.no_colour = false;
        char *coloured = strdup(script_run(&s->script, keys[i]));
        s->script.no_colour = true;
        assert_string_equal(script_run(&s->script, keys[i]), coloured);
        free(coloured);
    }
}

/* ---- any terminal, any text ---- */

static const char hostile[] = "\\u001b]52;c;x\\u0007 a\\nb\\r\\tc \\u202ed \\u0301\\u0301 "
                              "\\ud83d\\udc69\\u200d\\ud83d\\udcbb "
                              "\\u8a9e\\u8a9e \\u009b31m";

static void put_hostile(struct fixture *f)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line,
                "{\"ref\":\"attribution:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\","
                "\"detail\":{\"source_type\":\"%s\",\"source_uri\":\"%s\",\"retrieval_timestamp\":"
                "-99999999999999}}",
                hostile, hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    strbuf_clear(&line);
    strbuf_addf(&line,
                "{\"ref\":\"document:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                "\"uri\":\"%s\",\"document_id\":7},\"derived_from\":[\"attribution:evil\\nid\"]}",
                hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    for (int i = 0; i < 3; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"step:evil\\n%d\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                    "\"step_number\":%d,\"intermediate_answer\":[],\"execution_time\":1e300},"
                    "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:evil\\n%d\"}],"
                    "\"justifications\":[{\"role\":\"source\",\"recorded\":\"heuristic\","
                    "\"antecedents\":[{\"ref\":\"document:evil\\nid\",\"relevance\":0.5,\"score\":"
                    "\"asserted\",\"excerpt\":\"%s\",\"section\":\"%s\",\"label\":\"%s\",\"title\":"
                    "\"%s\",\"chunk\":%d,\"version_hash\":\"%s\"}]}]}",
                    i, hostile, hostile, i, i, hostile, hostile, hostile, hostile, i,
                    i ? OLD_HASH : NEW_HASH);
        fixture_put(f, line.buf, NULL);
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"chain:evil\\n%d\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                    "\"final_answer\":\"%s %d\",\"strategy\":\"%s\",\"total_time\":-1}}",
                    i, hostile, hostile, hostile, i, hostile);
        fixture_put(f, line.buf, NULL);
    }
    strbuf_clear(&line);
    strbuf_addf(&line,
                "{\"ref\":\"citation:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                "\"document_name\":\"%s\",\"section\":\"%s\",\"page\":-3},\"justifications\":[{"
                "\"role\":\"citation\",\"antecedents\":[{\"ref\":\"document:evil\\nid\"}]}]}",
                hostile, hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    strbuf_release(&line);
}

static const char *const ways[] = {
    "7<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12><Enter>",
    "7/evil<Enter><Enter><size:1x1>j<size:9x4>jjj<size:20x5><Tab><Tab>G<size:200x50>T<size:60x"
    "12>gjj<Enter>",
    RETRIEVALS "<Enter><size:1x1>jjj<size:20x6>o<size:200x50>T<Enter>oo<size:70x30>"
               "j",
    "6/"
    "evil<Enter>:strategies<Enter><size:1x1>lj<size:12x4>ljj<size:33x7><Tab><Tab><size:200x50>Th<"
    "size:100x30>",
    "6<size:30x8>j<size:200x50>j",
    ":steps<Enter><size:44x9>jj",
    ":citations<Enter><size:44x9>j<size:160x40>",
    "5<size:44x9>j<size:160x40>",
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void test_hostile_text_is_safe(void **state)
{
    struct viewed *s = *state;
    put_hostile(&s->fixture);
    for (size_t i = 0; i < WAYS; i++) {
        script_run(&s->script, ways[i]);
        for (const char *at = s->script.frames.buf; *at; at++)
            assert_true((unsigned char)*at >= ' ' || *at == '\n');
        assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
        assert_null(strstr(s->script.frames.buf, "\xc2\x9b"));
    }
}

static void test_ascii(void **state)
{
    struct viewed *s = *state;
    put_hostile(&s->fixture);
    s->script.config.ascii = ASCII_YES;
    for (size_t i = 0; i < WAYS; i++) {
        script_run(&s->script, ways[i]);
        for (const char *at = s->script.frames.buf; *at; at++)
            if ((unsigned char)*at >= 0x80)
                fail_msg("after %s:\n%s", ways[i], s->script.frames.buf);
    }
    s->script.rows = 24;
    s->script.columns = 80;
    golden_check(&s->script, "docs-ascii-document", script_run(&s->script, DOCUMENT));
    golden_check(&s->script, "docs-ascii-retrievals", script_run(&s->script, RETRIEVALS "j"));
    golden_check(&s->script, "docs-ascii-strategies", script_run(&s->script, STRATEGIES));
}

/* ---- parts ---- */

static void test_times_in_seconds_are_marked(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.0 s"},       {0.01, "0.01 s"},    {0.84, "0.8 s"}, {9.94, "9.9 s"},
                 {9.96, "10 s"},     {119.4, "119 s"},    {120, "2m 00s"}, {200.7, "3m 20s"},
                 {7199, "119m 59s"}, {7500, "2h 05m"},    {-1, ""},        {1e300, ""},
                 {0.0 / 0.0, ""},    {1e9, "277777h 46m"}};
    char text[24];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        seconds_text(text, cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
}

/* As exact as the width allows, and nothing without room. */
static void test_ranges_fit_their_width(void **state)
{
    static const struct {
        int64_t first, last;
        int width;
        const char *text;
    } cases[] = {
        {1794000000000, 1795000000000, 40, "2026-11-06 - 2026-11-18"},
        {1794000000000, 1795000000000, 22, "2026-11 - 2026-11"},
        {1794000000000, 1795000000000, 10, ""},
        {1794000000000, 1794003600000, 40, "2026-11-06 21:20 - 2026-11-06 22:20"},
        {1794000000000, 1794003600000, 30, "21:20 - 22:20"},
        {1794000000000, 1794000000000, 13, "21:20 - 21:20"},
        {INT64_MIN / 2, INT64_MAX / 2, 80, ""},
        {5, 4, 80, ""},
    };
    struct screen screen = {.utf8 = false};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strbuf text = STRBUF_INIT;
        timeline_add_range(&screen, cases[i].first, cases[i].last, cases[i].width, &text);
        assert_string_equal(text.buf, cases[i].text);
        strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_colour, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_hostile_text_is_safe, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_ascii, set_up, viewed_close),
        cmocka_unit_test(test_times_in_seconds_are_marked),
        cmocka_unit_test(test_ranges_fit_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
