/* Files of chains of thought, well formed and not. */
#include "tests/support/kernle_fixture.h"
#include "tests/support/reasoned.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "store/ops/operation.h"

#define STEP(n, question, answer, sources)                                                         \
    "{\"step_number\":" n ",\"question\":\"" question "\",\"intermediate_answer\":\"" answer       \
    "\",\"confidence_score\":0.8,\"source_attributions\":[" sources "]}"
#define SOURCE(id, score) "{\"document_id\":\"" id "\",\"relevance_score\":" score "}"
#define CHAIN(question, steps)                                                                     \
    "{\"original_question\":\"" question "\",\"final_answer\":\"so\",\"reasoning_steps\":[" steps  \
    "]}"
#define ONE                                                                                        \
    CHAIN("one?",                                                                                  \
          STEP("1", "a", "x", SOURCE("d", "0.9")) "," STEP("2", "b", "y", SOURCE("e", "0.4")))
#define TWO   CHAIN("two?", STEP("1", "c", "z", SOURCE("d", "0.3")))
#define THREE CHAIN("three?", "")

static struct imported import;

/* Imports the text as a file of that name. */
static void take_as(const char *name, const char *text, const struct import_options *options)
{
    char *path = scratch_path(name);
    scratch_write(path, text, strlen(text));
    imported_release(&import);
    import_chains_from(&import, reasoned.store, path, options);
    free(path);
}

static void take(const char *text)
{
    static const struct import_options as_ash = {.agent = "ash"};
    take_as("chains.json", text, &as_ash);
}

static int finish(void **state)
{
    imported_release(&import);
    import = (struct imported){.result = 0};
    return reasoned_close(state);
}

static void expect(int64_t read, int64_t added, int64_t unchanged, int64_t not_understood)
{
    const struct import_summary *s = &import.summary;
    if (s->read != read || s->added != added || s->unchanged != unchanged ||
        s->not_understood != not_understood)
        fail_msg("%lld read, %lld added, %lld unchanged, %lld not understood: %s",
                 (long long)s->read, (long long)s->added, (long long)s->unchanged,
                 (long long)s->not_understood, import.lines.buf);
}

static int64_t count_kind(enum kind kind)
{
    char sql[120];
    snprintf(sql, sizeof(sql), "SELECT count(*) FROM memory WHERE kind = %d AND status < 7", kind);
    return reasoned_count(sql);
}

/* The chain of that question. */
static struct chain chain_of(const char *question)
{
    char sql[200];
    snprintf(sql, sizeof(sql), "SELECT id FROM memory WHERE kind = 11 AND text = '%s'", question);
    return reasoned_read(reasoned_count(sql));
}

/* ---- again ---- */

static void the_same_again_is_there_already(void **state)
{
    (void)state;
    take("[" ONE "," TWO "]");
    expect(5, 5, 0, 0);
    int64_t events = reasoned_count("SELECT max(seq) FROM event");
    take("[" ONE "," TWO "]");
    expect(5, 0, 5, 0);
    /* As lines, with white space elsewhere, under another name, and with one more. */
    take(TWO "\n" ONE "\n");
    expect(5, 0, 5, 0);
    static const struct import_options as_ash = {.agent = "ash"}, as_bo = {.agent = "bo"};
    take_as("copy.json", "[ " ONE " ]", &as_ash);
    expect(3, 0, 3, 0);
    assert_int_equal(reasoned_count("SELECT max(seq) FROM event"), events);
    take("[" ONE "," TWO "," THREE "]");
    expect(6, 1, 5, 0);
    /* Another agent's are others. */
    take_as("bo.json", ONE, &as_bo);
    expect(3, 3, 0, 0);
    assert_int_equal(count_kind(KIND_CHAIN), 4);
    /* Twice in one file it is once. */
    take_as("twice.json", CHAIN("four?", "") CHAIN("four?", ""), &as_ash);
    expect(2, 1, 1, 0);
    assert_int_equal(reasoned_faults(), 0);
}

static void undo_last(void)
{
    struct error e;
    struct plan done;
    struct request q = REQUEST_INIT;
    static const struct actor sean = {ACTOR_PERSON, "sean", NULL, "command", NULL, 0};
    int64_t seq = reasoned_count("SELECT max(seq) FROM event");
    q.seqs = &seq;
    q.seq_count = 1;
    if (operation_run_now(reasoned.store, &sean, OPERATION_UNDO, &q, &reasoned.arena, &done, &e))
        fail_msg("%s %s", e.what, e.todo);
}

static void an_import_is_one_undo(void **state)
{
    (void)state;
    static const struct import_options replace = {.agent = "ash", .replace = true};
    take("[" ONE "," TWO "]");
    assert_int_equal(reasoned_count("SELECT count(DISTINCT correlation) FROM event"), 1);
    undo_last();
    assert_int_equal(reasoned_count("SELECT count(*) FROM memory WHERE status < 7"), 0);
    assert_int_equal(reasoned_faults(), 0);
    /* What was taken back stays so, unless it is asked for. */
    take("[" ONE "," TWO "]");
    expect(5, 0, 5, 0);
    take_as("chains.json", "[" ONE "," TWO "]", &replace);
    expect(5, 5, 0, 0);
    assert_int_equal(chain_of("one?").step_count, 2);
    assert_int_equal(reasoned_faults(), 0);
}

static void a_file_that_was_moved_is_known(void **state)
{
    (void)state;
    static const struct import_options as_ash = {.agent = "ash"};
    char *path = scratch_path("was.json"), *moved = scratch_path("is.json");
    scratch_write(path, ONE, strlen(ONE));
    import_chains_from(&import, reasoned.store, path, &as_ash);
    assert_int_equal(rename(path, moved), 0);
    imported_release(&import);
    import_chains_from(&import, reasoned.store, moved, &as_ash);
    expect(3, 0, 3, 0);
    assert_int_equal(imported_said(&import, "taken for"), 1);
    assert_int_equal(reasoned_count("SELECT count(*) FROM origin"), 1);
    free(path);
    free(moved);
}

/* ---- what cannot be taken ---- */

static void broken_text_is_mended_and_what_is_too_deep_refused(void **state)
{
    (void)state;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, CHAIN("q \xff?", STEP("1", "a\\u0000b", "\\ud800x", SOURCE("d", "0.5"))));
    strbuf_addstr(&text, "\n{\"original_question\":\"deep\",\"final_answer\":\"a\",\"more\":");
    strbuf_addchars(&text, '[', 70);
    strbuf_addchars(&text, ']', 70);
    strbuf_addstr(&text, "}\n{\"original_question\":\"deeper\",\"final_answer\":\"a\",\"more\":");
    strbuf_addchars(&text, '[', 100000);
    strbuf_addchars(&text, ']', 100000);
    strbuf_addstr(&text, "}\n" ONE "\n");
    take(text.buf);
    strbuf_release(&text);
    expect(5, 5, 0, 2);
    assert_int_equal(imported_said(&import, "chain 2 (line 2): more cannot be kept"), 1);
    struct chain c = reasoned_read(reasoned_count("SELECT min(id) FROM memory WHERE kind = 12"));
    assert_string_equal(c.question, "q \xef\xbf\xbd?");
    assert_string_equal(c.step[0].question, "a\xef\xbf\xbd"
                                            "b");
    assert_int_equal(reasoned_faults(), 0);
}

static void many_chains_go_in_slices(void **state)
{
    (void)state;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "[");
    for (int i = 0; i < 300; i++)
        strbuf_addf(&text,
                    "%s{\"original_question\":\"q %d\",\"final_answer\":\"a\",\"reasoning_steps\":"
                    "[{\"step_number\":1,\"question\":\"a\",\"context_used\":[\"id:d%d x\"]}]}",
                    i ? "," : "", i, i % 7);
    strbuf_addstr(&text, "]");
    take(text.buf);
    expect(600, 600, 0, 0);
    assert_int_equal(count_kind(KIND_CHAIN), 300);
    assert_int_equal(count_kind(KIND_DOCUMENT), 7);
    take(text.buf);
    expect(600, 0, 600, 0);
    assert_int_equal(reasoned_faults(), 0);
    strbuf_release(&text);
}

static int stop_at_once(void *arg, int64_t done, int64_t total)
{
    (void)arg, (void)done, (void)total;
    return 1;
}

static void it_can_be_interrupted(void **state)
{
    (void)state;
    static const struct import_options stopped = {.agent = "ash", .progress = stop_at_once};
    take_as("chains.json", ONE TWO, &stopped);
    assert_int_equal(import.result, -1);
    assert_int_equal(import.error.code, ERROR_INTERRUPTED);
    take(ONE TWO);
    expect(5, 5, 0, 0);
}

static void it_is_looked_at_beforehand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int is;
    } cases[] = {{ONE, 1},  {"7\n" ONE, 1}, {"[{}," ONE "]", 1},         {"", 0},
                 {"[]", 1}, {"7", 0},       {"{\"a\":1}\n{\"b\":2}", 0}, {"some words", 0}};
    char *path = scratch_path("look.json");
    struct error e;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        scratch_write(path, cases[i].text, strlen(cases[i].text));
        assert_int_equal(import_cot_check(path, &e), cases[i].is);
    }
    scratch_write(path, "{\"ref\":\"raw:a\",\"text\":\"b\"}\n", 27);
    assert_int_equal(import_cot_check(path, &e), -1);
    assert_non_null(strstr(e.todo, "import jsonl"));
    unlink(path);
    assert_int_equal(import_cot_check(path, &e), -1);
    assert_int_equal(import_cot_check("-", &e), 1);
    free(path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, reasoned_open, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_again_is_there_already),
        TEST(an_import_is_one_undo),
        TEST(a_file_that_was_moved_is_known),
        TEST(broken_text_is_mended_and_what_is_too_deep_refused),
        TEST(many_chains_go_in_slices),
        TEST(it_can_be_interrupted),
        TEST(it_is_looked_at_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
