/* The tools of operations: what they answer, leave in the store, and refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/journal/journal.h"
#include "store/mcp/tools/service.h"
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

#define TEXT(answer, path)       answer_text(&f, answer, path)
#define IS(answer, path, wanted) assert_string_equal(TEXT(answer, path), wanted)

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

/* ---- deciding ---- */

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

/* ---- history ---- */

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(agents_have_no_more_than_that),
        TEST(a_change_of_megabytes_is_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
