/* The tools of operations: their answers, effects and refusals. */
#include <math.h>
#include "store/journal/journal.h"
#include "store/mcp/tools/service.h"
#include "store/mcp/tools/tools.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

static struct fixture f;

static const char *call(const char *tool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *call(const char *tool, const char *format, ...)
{
    AUTO_STRBUF arguments = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&arguments, format, args);
    va_end(args);
    return tool_answer(&f, tool, arguments.buf);
}

#define TEXT(answer, path)       answer_text(&f, answer, path)
#define IS(answer, path, wanted) assert_string_equal(TEXT(answer, path), wanted)

static int setup(void **state)
{
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
    fixture_close(&f);
    return 0;
}

/* ---- deciding ---- */

FIXTURE(setup, teardown);

/* People have more operations. */
TEST(agents_have_only_these_operations)
{
    static const char *const never[] = {"purge", "unprotect", "fix", "undo", "redo", "unmark"};
    const struct mcp_service *s = service_of_all();
    size_t opt_in = 0;
    for (size_t i = 0; i < s->tool_count; i++) {
        opt_in += s->tools[i]->opt_in;
        assert_true(!s->tools[i]->opt_in || s->tools[i]->hints & HINT_DESTRUCTIVE);
        for (size_t n = 0; n < sizeof(never) / sizeof(never[0]); n++)
            assert_null(strstr(s->tools[i]->name, never[n]));
    }
    assert_int_equal(opt_in, 4);
    assert_true(tool_named("memory_propagate_confidence")->work != WORK_WRITE);
}

/* ---- history ---- */

/* A change with megabytes of text and hundreds of tags is answered by its beginnings and its size. */
TEST(large_change_is_cut)
{
    enum {
        TAGS = 400
    };
    AUTO_STRBUF text = STRBUF_INIT, line = STRBUF_INIT;
    for (int i = 0; i < 120000; i++)
        strbuf_addf(&text, "%d \u00e9\u00df ", i);
    strbuf_addf(&line, "{\"ref\":\"raw:big\",\"agent_id\":\"ash\",\"text\":\"%s\",\"tags\":[",
                text.buf);
    for (int i = 0; i < TAGS; i++)
        strbuf_addf(&line, "%s\"%d %0900d\"", i ? "," : "", i, 7);
    strbuf_addstr(&line, "]}");
    fixture_put(&f, line.buf, NULL);
    call("memory_update", "{\"ref\":\"raw:big\",\"text\":\"small\",\"reason\":\"%s\"}", text.buf);
    const char *answer = call("memory_history", "{\"ref\":\"raw:big\",\"format\":\"json\"}");
    struct json_slice events = answer_at(answer, "events");
    size_t count = 0;
    assert_true(strlen(answer) <= ANSWER_BYTES);
    for (struct json_each it = json_each(events); json_next(&it); count++) {
        const char *event = arena_strndup(&f.arena, it.value.ptr, it.value.len);
        assert_true(answer_number(event, "too_large") > 1 << 20);
        assert_in_range(answer_at(event, "changes").len, 1000, ANSWER_BYTES / 2);
    }
    assert_int_equal(count, 2);
}
