/* `import cot`: chains of thought from files and pipes, and a large one as the commands read it. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tests/support/said.h"
#include "tests/support/story.h"

static char made[300]; /* the store of the test */

static void run(const char *command, const char *id, const char *how)
{
    PROGRAM(&story.p, command, id, "--store", made, how);
}

/* Imports chains, as JSON, into a new store. */
static void cot(const char *name, const char *json)
{
    story_path(made, sizeof(made), name);
    PROGRAM_WITH(&story.p, json, "import", "cot", "-", "--agent", "ash", "--store", made);
}

/* ---- import ---- */

#define STEP(number, sources)                                                                      \
    "{\"step_number\":" number ",\"question\":\"q" number                                          \
    "\",\"context_used\":[],\"intermediate_answer\":\"a" number "\",\"confidence_score\":0.5,"     \
    "\"reasoning_trace\":\"t\",\"execution_time\":0.5,\"source_attributions\":[" sources "]}"
#define CHAIN(question, steps)                                                                     \
    "{\"original_question\":\"" question "\",\"final_answer\":\"f\",\"reasoning_steps\":[" steps   \
    "]}"
#define SOURCE(id, score) "{\"document_id\":\"" id "\",\"relevance_score\":" score "}"

static void chains_are_imported_in_every_shape(void **state)
{
    static const char *const shapes[] = {
        CHAIN("one", STEP("1", SOURCE("d", "0.9"))) CHAIN("two", ""),
        "[" CHAIN("one", STEP("1", SOURCE("d", "0.9"))) "," CHAIN("two", "") "]",
        CHAIN("one", STEP("1", SOURCE("d", "0.9"))) "\n" CHAIN("two", "") "\n",
    };
    char name[32], path[300];
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof(name), "shape%d.db", i);
        cot(name, shapes[i]);
        assert_int_equal(story.p.status, 0);
        STORY_SAYS("read 3 memories: 3 added");
        STORY_SAYS("  2 chains, 1 step\n");
        PROGRAM_WITH(&story.p, shapes[i], "import", "cot", "-", "--agent", "ash", "--store", made);
        STORY_SAYS("0 added, 0 updated, 3 unchanged");
    }
    story_path(path, sizeof(path), "chains.json");
    story_write(path, shapes[1]);
    PROGRAM(&story.p, "import", "cot", path, "--agent", "ash", "--json", "--store", made);
    said_is(said_member(said_answer(), "unchanged"),
            "3"); /* a file says nothing else than a pipe */
    PROGRAM(&story.p, "list", "chain", "--agent", "ash", "--json", "--store", made);
    assert_int_equal(said_count("\n"), 2);
}

static void what_is_wrong_with_a_chain_is_told(void **state)
{
    char path[300];
    (void)state;
    cot("wrong.db", CHAIN("good", STEP("1", SOURCE("d", "0.9") "," SOURCE("e", "1.5")))
                        CHAIN("twice", STEP("1", "") "," STEP("1", "")));
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("chain 1 (line 1): step 1: ");
    STORY_TELLS("relevance_score is 1.5");
    STORY_TELLS("chain 2 (line 1): ");
    STORY_SAYS("read 2 memories: 2 added");
    STORY_SAYS("  2 not understood\n");
    story_path(path, sizeof(path), "nothing.db");
    PROGRAM_WITH(&story.p, CHAIN("x", ""), "import", "cot", "-", "--read-only", "--store", path);
    assert_int_equal(story.p.status, 4);
    PROGRAM_WITH(&story.p, CHAIN("x", STEP("1", "")), "import", "cot", "-", "--dry-run", "--store",
                 path);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("would import 2 memories: 2 added");
    assert_int_not_equal(access(path, F_OK), 0);
    PROGRAM(&story.p, "import", "cot", "/nonexistent", "--store", path);
    assert_int_equal(story.p.status, 3);
    PROGRAM(&story.p, "import", "cott", "-", "--store", path);
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("Did you mean cot?");
}

/* ---- much of it ---- */

#define STEPS 200
#define EACH  10

/* Each step has ten sources; a document of the hundred of a group comes again every tenth step. */
static void two_thousand_sources_are_read(void **state)
{
    struct strbuf json = STRBUF_INIT;
    char ref[64];
    (void)state;
    strbuf_addstr(&json,
                  "{\"original_question\":\"big\",\"final_answer\":\"f\",\"reasoning_steps\":[");
    for (int s = 1; s <= STEPS; s++) {
        strbuf_addf(&json,
                    "%s{\"step_number\":%d,\"question\":\"question %d\",\"intermediate_answer\":"
                    "\"a\",\"confidence_score\":0.5,\"execution_time\":1,\"source_attributions\":[",
                    s > 1 ? "," : "", s, s);
        for (int i = 0; i < EACH; i++)
            strbuf_addf(&json,
                        "%s{\"document_id\":\"doc-%d\",\"relevance_score\":0.%02d,"
                        "\"excerpt\":\"passage\",\"score_origin\":\"measured\"}",
                        i ? "," : "", s % 10 * EACH + i, (s * 7 + i * 13) % 100);
        strbuf_addstr(&json, "]}");
    }
    strbuf_addstr(&json, "]}");
    cot("big.db", json.buf);
    assert_int_equal(story.p.status, 0);
    strbuf_release(&json);
    PROGRAM(&story.p, "list", "chain", "--json", "--store", made);
    struct json_slice value = said_member(said_line(0), "ref");
    snprintf(ref, sizeof(ref), "%.*s", (int)value.len - 2, value.ptr + 1);
    setenv("COLUMNS", "80", 1);
    run("chain", ref, NULL);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("finished, 200 steps, 100 documents");
    assert_int_equal(said_count("\n     "), STEPS * EACH + STEPS); /* the answers as well */
    assert_int_equal(said_count("  20 steps\n"), 100);
    run("sources", ref, NULL);
    assert_int_equal(said_count("\n  step "), STEPS);
    unsetenv("COLUMNS");
    run("sources", ref, "--json");
    struct json_slice all = said_answer();
    said_is(said_member(all, "total_sources"), "100");
    assert_int_equal(said_length(said_member(all, "step_breakdown")), STEPS);
    run("chain", ref, "--json");
    assert_int_equal(said_length(said_member(said_answer(), "reasoning_steps")), STEPS);
    run("cite", ref, NULL);
    assert_int_equal(said_count("\n"), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_imported_in_every_shape),
        cmocka_unit_test(what_is_wrong_with_a_chain_is_told),
        cmocka_unit_test(two_thousand_sources_are_read),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
