/* The tools of operations: what they answer, leave in the store, and refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/journal/journal.h"
#include "tests/support/tool_call.h"

static struct fixture f;

static const char *call(const char *tool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *call(const char *tool, const char *format, ...)
{
    struct strbuf arguments = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&arguments, format, args);
    va_end(args);
    const char *answer = tool_answer(&f, tool, arguments.buf);
    strbuf_release(&arguments);
    return answer;
}

static const char *get(const char *ref)
{
    return call("memory_get", "{\"ref\":\"%s\"}", ref);
}

static double number(const char *answer, const char *path)
{
    double value = NAN;
    assert_int_equal(json_double(answer_at(answer, path), &value), 0);
    return value;
}

#define TEXT(answer, path)                   answer_text(&f, answer, path)
#define IS(answer, path, wanted)             assert_string_equal(TEXT(answer, path), wanted)
#define REFUSES(tool, arguments, code, what) tool_refuses(&f, tool, arguments, code, what)

static int setup(void **state)
{
    (void)state;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"raw:one\",\"text\":\"as it came\",\"agent_id\":\"ash\"}",
                "{\"ref\":\"raw:two\",\"text\":\"as it came, too\",\"agent_id\":\"ash\"}",
                "{\"ref\":\"episode:met\",\"text\":\"met Claire\",\"agent_id\":\"ash\"}",
                "{\"ref\":\"belief:a\",\"text\":\"alone\",\"agent_id\":\"ash\",\"confidence\":0.7,"
                "\"derived_from\":[\"raw:one\"],\"tags\":[\"t\"]}",
                "{\"ref\":\"belief:b\",\"text\":\"on top\",\"agent_id\":\"ash\",\"confidence\":0.9,"
                "\"derived_from\":[\"belief:a\"]}",
                NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(&f);
    return 0;
}

/* ---- growing ---- */

static void a_capture_becomes_something(void **state)
{
    (void)state;
    const char *answer =
        call("memory_process_raw", "{\"ref\":\"raw:one\",\"as\":\"belief\",\"relates_to\":"
                                   "[\"met\"],\"derived_from\":[\"raw:two\",\"raw:one\","
                                   "\"context:x\",\"raw:later\"],\"context_tags\":[\"c\"]}");
    assert_int_equal(answer_number(answer, "version"), 1);
    IS(answer, "unresolved.0", "raw:later");
    const char *m = get(TEXT(answer, "ref"));
    IS(m, "text", "as it came");
    IS(m, "source", "raw-processing");
    IS(m, "agent_id", "ash");
    IS(m, "tags.0", "c");
    IS(m, "annotations.0", "context:x");
    assert_int_equal(answer_count(m, "justifications"), 2);
    IS(m, "justifications.0.role", "derived_from");
    assert_int_equal(answer_count(m, "justifications.0.antecedents"), 3);
    IS(m, "justifications.0.antecedents.0.ref", "raw:one");
    IS(m, "justifications.1.role", "evidence");
    IS(get("raw:one"), "relations.0.type", "processed_into");
    IS(get("raw:one"), "relations.0.to", TEXT(answer, "ref"));

    answer = call("memory_process_raw", "{\"ref\":\"raw:one\",\"as\":\"note\",\"text\":\"mine\","
                                        "\"source\":\"told by Claire\",\"agent_id\":\"claire\","
                                        "\"derivation\":\"all\",\"derived_from\":[\"raw:two\"]}");
    m = get(TEXT(answer, "ref"));
    IS(m, "text", "mine");
    IS(m, "source", "told by Claire");
    IS(m, "source_type", "told_by_agent");
    IS(m, "agent_id", "claire");
    IS(m, "justifications.0.reading", "all");
    /* Added to, never overwritten. */
    assert_int_equal(answer_count(get("raw:one"), "relations"), 2);
    REFUSES("memory_process_raw", "{\"ref\":\"belief:a\",\"as\":\"note\"}", ERROR_INVALID,
            "no raw");
}

static void reinforcing_answers_both_numbers(void **state)
{
    (void)state;
    const char *answer =
        call("memory_reinforce",
             "{\"ref\":\"belief:a\",\"evidence_source\":\"episode:met\",\"reason\":\"again\"}");
    double expected = 0.7 + 0.05 / 1.1 * (0.99 - 0.7);
    IS(answer, "ref", "belief:a");
    assert_int_equal(answer_number(answer, "version"), 2);
    assert_true(number(answer, "old") == 0.7);
    assert_true(fabs(number(answer, "new") - expected) < 1e-15);
    const char *m = get("belief:a");
    assert_true(number(m, "confidence") == number(answer, "new"));
    IS(m, "history.0.evidence_source", "episode:met");
    answer = call("memory_consolidate", "{\"ref\":\"belief:a\",\"evidence\":[\"raw:two\"],\"date\":"
                                        "\"2026-02-01\"}");
    assert_true(fabs(number(answer, "new") - (expected + 0.05 / 1.2 * (0.99 - expected))) < 1e-15);
    IS(get("belief:a"), "history.1.evidence_source", "consolidation:2026-02-01");
    REFUSES("memory_consolidate",
            "{\"ref\":\"belief:a\",\"evidence\":[\"raw:two\"],\"date\":\"1\"}", ERROR_INVALID,
            "no date");
}

static void a_better_statement_takes_its_place(void **state)
{
    (void)state;
    const char *answer = call("memory_supersede", "{\"ref\":\"belief:b\",\"statement\":\"better\","
                                                  "\"reason\":\"counted\"}");
    const char *m = get(TEXT(answer, "ref"));
    IS(m, "text", "better");
    IS(m, "source_type", "inference");
    assert_true(number(m, "confidence") == 0.9);
    IS(get("belief:b"), "status", "superseded");
    const char *history = call("memory_history", "{\"ref\":\"belief:b\"}");
    IS(history, "versions.0", "belief:b");
    IS(history, "versions.1", TEXT(answer, "ref"));
    REFUSES("memory_supersede", "{\"ref\":\"belief:b\",\"statement\":\"x\"}", ERROR_CONFLICT,
            "superseded already");
}

static void an_episode_revises(void **state)
{
    (void)state;
    const char *answer = call("memory_revise_from_episode",
                              "{\"episode\":\"episode:met\",\"confirms\":[\"belief:a\"],"
                              "\"contradicts\":[\"belief:b\"]}");
    IS(answer, "reinforced.0", "belief:a");
    IS(answer, "for_review.0", "belief:b");
    IS(get("belief:b"), "marks.0.mark", "for_review");
    assert_true(number(get("belief:b"), "confidence") == 0.9);
    REFUSES("memory_revise_from_episode",
            "{\"episode\":\"episode:met\",\"confirms\":[\"belief:a\",\"belief:none\"]}",
            ERROR_NOT_FOUND, "belief:none");
}

/* ---- changing ---- */

static void an_update_changes_what_is_given(void **state)
{
    (void)state;
    const char *answer =
        call("memory_update", "{\"ref\":\"belief:a\",\"text\":\"a\\u0000b\",\"tags\":"
                              "[],\"expected_version\":1,\"reason\":\"r\"}");
    assert_int_equal(answer_number(answer, "version"), 2);
    const char *m = get("belief:a");
    assert_non_null(strstr(TEXT(m, "text"), "\xef\xbf\xbd"));
    assert_null(answer_at(m, "tags").ptr);
    assert_true(number(m, "confidence") == 0.7);
    REFUSES("memory_update", "{\"ref\":\"belief:a\",\"text\":\"x\",\"expected_version\":1}",
            ERROR_CONFLICT, "is at version 2, not 1");
    REFUSES("memory_update", "{\"ref\":\"belief:a\"}", ERROR_INVALID, "what to change");
    answer = call("memory_update", "{\"ref\":\"belief:a\",\"confidence\":0.7}");
    assert_int_equal(answer_count(answer, "left"), 1);
    assert_int_equal(answer_number(answer, "version"), 2);
}

static void a_mark_and_a_seed(void **state)
{
    (void)state;
    const char *answer =
        call("memory_mark", "{\"ref\":\"raw:two\",\"mark\":\"rating\",\"value\":\"3\"}");
    assert_int_equal(answer_number(answer, "version"), 2);
    IS(get("raw:two"), "marks.0.actor", "client");
    answer = call("memory_mark", "{\"ref\":\"raw:two\",\"mark\":\"rating\",\"value\":\"3\"}");
    assert_int_equal(answer_number(answer, "version"), 2);
    assert_int_equal(answer_count(answer, "left"), 1);
    const char *m = get(
        TEXT(call("memory_seed", "{\"statement\":\"care\",\"confidence\":0.5,\"tags\":[\"v\"]}"),
             "ref"));
    IS(m, "source_type", "seed");
    IS(m, "annotations.0", "kernle:seed-beliefs");
    IS(m, "agent_id", "client");
    IS(m, "tags.0", "v");
    m = get(TEXT(call("memory_add", "{\"kind\":\"goal\",\"text\":\"g\",\"detail\":{\"why\":1}}"),
                 "ref"));
    IS(m, "text", "g");
    assert_int_equal(answer_number(m, "detail.why"), 1);
    tool_objects(&f, "memory_add", "{'kind':'attribution','text':'x','detail':{'foo':1}}",
                 ERROR_INVALID, "no field foo in a detail of the kind attribution");
}

/* ---- deciding ---- */

static void decisions_are_told_as_they_are(void **state)
{
    (void)state;
    call("memory_verify", "{\"ref\":\"belief:a\",\"reason\":\"looked\"}");
    assert_true(fabs(number(get("belief:a"), "confidence") - 0.8) < 1e-15);
    const char *answer = call("memory_retract", "{\"ref\":\"raw:one\"}");
    assert_int_equal(answer_number(answer, "version"), 2);
    IS(get("belief:a"), "label", "ungrounded");
    assert_int_equal(answer_count(call("memory_retract", "{\"ref\":\"raw:one\"}"), "left"), 1);
    call("memory_restore", "{\"ref\":\"raw:one\"}");
    IS(get("belief:a"), "label", "grounded");
    call("memory_forget", "{\"ref\":\"raw:one\"}");
    IS(get("raw:one"), "status", "forgotten");
    IS(get("belief:a"), "marks.0.mark", "for_review");
    call("memory_protect", "{\"ref\":\"belief:b\"}");
    REFUSES("memory_forget", "{\"ref\":\"belief:b\"}", ERROR_REFUSED, "protected");
}

/* Whatever the tool. */
static void what_a_person_decided_stands(void **state)
{
    static const struct {
        const char *tool, *arguments;
    } tools[] = {
        {"memory_update", "{\"ref\":\"belief:a\",\"text\":\"x\"}"},
        {"memory_reinforce", "{\"ref\":\"belief:a\"}"},
        {"memory_supersede", "{\"ref\":\"belief:a\",\"statement\":\"x\"}"},
        {"memory_consolidate", "{\"ref\":\"belief:a\",\"evidence\":[\"raw:two\"]}"},
        {"memory_mark", "{\"ref\":\"belief:a\",\"mark\":\"rating\"}"},
        {"memory_revise_from_episode",
         "{\"episode\":\"episode:met\",\"confirms\":[\"belief:b\",\"belief:a\"]}"},
        {"memory_verify", "{\"ref\":\"belief:a\"}"},
        {"memory_retract", "{\"ref\":\"belief:a\"}"},
        {"memory_forget", "{\"ref\":\"belief:a\"}"},
    };
    static const struct {
        enum operation decides, takes_back;
        const char *mark, *what;
    } decisions[] = {
        {OPERATION_PROTECT, OPERATION_UNPROTECT, NULL, "protected"},
        {OPERATION_MARK, OPERATION_UNMARK, "quarantined", "quarantined by a person"},
        {OPERATION_VERIFY, OPERATION_COUNT, NULL, "verified by a person"},
    };
    (void)state;
    for (size_t d = 0; d < sizeof(decisions) / sizeof(decisions[0]); d++) {
        person_does(&f, decisions[d].decides, "belief:a", decisions[d].mark);
        for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
            REFUSES(tools[i].tool, tools[i].arguments, ERROR_REFUSED, decisions[d].what);
        if (decisions[d].takes_back != OPERATION_COUNT)
            person_does(&f, decisions[d].takes_back, "belief:a", decisions[d].mark);
    }
    person_does(&f, OPERATION_RETRACT, "belief:b", NULL);
    REFUSES("memory_restore", "{\"ref\":\"belief:b\"}", ERROR_REFUSED, "retracted by a person");
}

/* A person has more. */
static void agents_have_no_more_than_that(void **state)
{
    static const char *const never[] = {"purge", "unprotect", "fix", "undo", "redo", "unmark"};
    const struct mcp_service *s = stemma_service(true), *without = stemma_service(false);
    size_t by_leave = 0;
    (void)state;
    assert_true(s->leave && !without->leave);
    for (size_t i = 0; i < s->tool_count; i++) {
        by_leave += s->tools[i]->by_leave;
        assert_true(!s->tools[i]->by_leave || s->tools[i]->hints & HINT_DESTRUCTIVE);
        for (size_t n = 0; n < sizeof(never) / sizeof(never[0]); n++)
            assert_null(strstr(s->tools[i]->name, never[n]));
    }
    assert_int_equal(by_leave, 5);
    assert_true(tool_named("memory_propagate_confidence")->work != WORK_WRITE);
}

static void a_propagation_is_only_shown(void **state)
{
    (void)state;
    int64_t before = event_count(&f);
    const char *answer = call("memory_propagate_confidence", "{\"ref\":\"belief:a\"}");
    IS(answer, "changes.0.ref", "belief:b");
    assert_true(number(answer, "changes.0.before.confidence") == 0.9);
    assert_true(number(answer, "changes.0.after.confidence") == 0.7);
    person_does(&f, OPERATION_PROTECT, "belief:b", NULL);
    answer = call("memory_propagate_confidence", "{\"ref\":\"belief:a\"}");
    assert_int_equal(answer_count(answer, "changes"), 1);
    assert_int_equal(event_count(&f), before + 1);
}

/* ---- history ---- */

static void a_history_is_told_in_pages(void **state)
{
    char before[40] = "";
    size_t told = 0;
    (void)state;
    for (int i = 0; i < 7; i++)
        call("memory_update", "{\"ref\":\"belief:a\",\"text\":\"text %d\",\"reason\":\"why %d\"}",
             i, i);
    for (int page = 0; page < 4; page++) {
        const char *answer = call("memory_history", "{\"ref\":\"belief:a\",\"limit\":2%s}", before);
        size_t count = answer_count(answer, "events");
        for (size_t i = 0; i < count; i++, told++) {
            char path[40], wanted[40];
            snprintf(path, sizeof(path), "events.%zu.reason", i);
            snprintf(wanted, sizeof(wanted), "why %zu", 6 - told);
            if (told < 7)
                IS(answer, path, wanted);
        }
        if (page < 3)
            snprintf(before, sizeof(before), ",\"before\":%lld",
                     (long long)answer_number(answer, "older"));
        else
            assert_null(answer_at(answer, "older").ptr);
    }
    assert_int_equal(told, 8);
    const char *answer = call("memory_history", "{\"ref\":\"belief:a\",\"limit\":1}");
    IS(answer, "events.0.class", "agent");
    IS(answer, "events.0.changes.0.field", "text");
    IS(answer, "events.0.changes.0.before", "text 5");
    IS(answer, "events.0.changes.0.after", "text 6");
    assert_int_equal(answer_number(answer, "events.0.version"), 8);
    assert_int_equal(answer_number(answer, "events.0.seq"), 8); /* of the memory, not of all */
}

/* All pieces of a part of that event, one after another; released by the caller. */
static char *in_pieces(const char *ref, int seq, const char *part, int length)
{
    struct strbuf all = STRBUF_INIT;
    int64_t offset = 0, characters;
    for (bool more = true; more;) {
        const char *piece =
            call("memory_history", "{\"ref\":\"%s\",\"seq\":%d,%s,\"offset\":%lld,\"length\":%d}",
                 ref, seq, part, (long long)offset, length);
        IS(piece, "ref", ref);
        assert_int_equal(answer_number(piece, "seq"), seq);
        assert_int_equal(answer_number(piece, "version"), seq);
        assert_null(answer_at(piece, "events").ptr);
        strbuf_addstr(&all, TEXT(piece, "text"));
        characters = answer_number(piece, "characters");
        more = answer_at(piece, "next").ptr != NULL;
        offset = more ? answer_number(piece, "next") : characters;
    }
    assert_int_equal(offset, characters);
    return strbuf_detach(&all, NULL);
}

static void assert_pieces(const char *ref, int seq, const char *part, const char *whole, int length)
{
    char *all = in_pieces(ref, seq, part, length);
    assert_true(strcmp(all, whole) == 0);
    free(all);
}

/* A text of megabytes with its number in each line, and so much else besides that no answer has it all. */
static void a_change_of_megabytes_is_read_in_pieces(void **state)
{
    enum {
        TAGS = 400
    };
    (void)state;
    struct strbuf text = STRBUF_INIT, line = STRBUF_INIT, tag = STRBUF_INIT;
    for (int i = 0; i < 120000; i++)
        strbuf_addf(&text, "%d \u00e9\u00df ", i);
    strbuf_addf(&line, "{\"ref\":\"raw:big\",\"agent_id\":\"ash\",\"text\":\"%s\",\"tags\":[",
                text.buf);
    for (int i = 0; i < TAGS; i++)
        strbuf_addf(&line, "%s\"%d %0900d\"", i ? "," : "", i, 7);
    strbuf_addstr(&line, "]}");
    fixture_put(&f, line.buf, NULL);
    call("memory_update", "{\"ref\":\"raw:big\",\"text\":\"small\",\"reason\":\"%s\"}", text.buf);
    assert_pieces("raw:big", 2, "\"part\":\"before\"", text.buf, 400000);
    assert_pieces("raw:big", 2, "\"part\":\"after\"", "small", 2);
    assert_pieces("raw:big", 2, "\"part\":\"reason\"", text.buf, 400000);
    assert_pieces("raw:big", 1, "\"part\":\"reason\"", "", 10);
    assert_pieces("raw:big", 1, "\"part\":\"before\"", "", 10); /* it was not there */

    char *changes = in_pieces("raw:big", 1, "\"part\":\"changes\"", 400000);
    struct json_slice all = {changes, strlen(changes)};
    size_t place = 0, tags = 0;
    for (struct json_each it = json_each(all); json_next(&it); place++) {
        const char *field =
            answer_text(&f, arena_strndup(&f.arena, it.value.ptr, it.value.len), "field");
        if (strcmp(field, "tags") == 0 && tags++ == TAGS - 1) {
            char part[60];
            snprintf(part, sizeof(part), "\"part\":\"after\",\"change\":%zu", place);
            strbuf_addf(&tag, "%d %0900d", TAGS - 1, 7);
            assert_pieces("raw:big", 1, part, tag.buf, 400);
        }
    }
    assert_int_equal(tags, TAGS);
    free(changes);
    strbuf_release(&text);
    strbuf_release(&line);
    strbuf_release(&tag);
}

static void a_piece_of_what_is_not_there_is_refused(void **state)
{
    (void)state;
#define OF_A "{\"ref\":\"belief:a\","
    const char *piece = call("memory_history", OF_A "\"seq\":1}");
    assert_int_equal(strncmp(TEXT(piece, "text"), "[{\"field\":", 10), 0);
    assert_null(answer_at(piece, "next").ptr);
    IS(call("memory_history", OF_A "\"seq\":1,\"offset\":9007199254740991}"), "text", "");
    REFUSES("memory_history", OF_A "\"seq\":2}", ERROR_NOT_FOUND, "no event 2 of that memory");
    REFUSES("memory_history", OF_A "\"seq\":9007199254740991}", ERROR_NOT_FOUND, "no event");
    REFUSES("memory_history", OF_A "\"seq\":1,\"part\":\"after\",\"change\":99}", ERROR_INVALID,
            "none at 99");
    REFUSES("memory_history", OF_A "\"offset\":0}", ERROR_INVALID, "none is named");
    REFUSES("memory_history", OF_A "\"part\":\"before\"}", ERROR_INVALID, "none is named");
    REFUSES("memory_history", OF_A "\"seq\":1,\"part\":\"text\"}", ERROR_INVALID, "part is none");
    REFUSES("memory_history", OF_A "\"seq\":1,\"limit\":5}", ERROR_INVALID,
            "limit says which events, and seq names one");
    REFUSES("memory_history", OF_A "\"seq\":1,\"before\":2,\"part\":\"reason\"}", ERROR_INVALID,
            "before says which events, and seq names one");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_capture_becomes_something),
        TEST(reinforcing_answers_both_numbers),
        TEST(a_better_statement_takes_its_place),
        TEST(an_episode_revises),
        TEST(an_update_changes_what_is_given),
        TEST(a_mark_and_a_seed),
        TEST(decisions_are_told_as_they_are),
        TEST(what_a_person_decided_stands),
        TEST(agents_have_no_more_than_that),
        TEST(a_propagation_is_only_shown),
        TEST(a_history_is_told_in_pages),
        TEST(a_change_of_megabytes_is_read_in_pieces),
        TEST(a_piece_of_what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
