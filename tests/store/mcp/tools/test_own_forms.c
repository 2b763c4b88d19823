/*
 * Values that stemma itself generates (cursors, times, hashes shown for a key or id) are never masked, whatever the
 * configuration's patterns match. Values of the same form from agents are masked.
 */
#include "store/mcp/tools/service.h"
#include "store/session/session.h"
#include "tests/support/entry_calls.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"
#include "tests/support/test.h"

#define MARK   "[redacted-own]"
#define A_TIME "1970-01-02T00:00:00.000Z"

/* Matches parts of nearly every cursor, shown hash and time. */
#define ANYTHING "[A-Z]{4,}|[0-9]{4}-[0-9]{2}|[A-Z2-7]{2}"

static void begin(const char *pattern, const char *agent)
{
    struct permissions p;
    calls_grant_all(&p);
    p.patterns = arena_array(&p.arena, 1, sizeof(*p.patterns));
    p.patterns[p.pattern_count++] = (struct pii_pattern){"own", pattern};
    calls_begin(&p, agent);
}

static const char *text(const char *answer, const char *path)
{
    return answer_text(&calls_served.f, answer, path);
}

static const char *ask(const char *method, const char *params)
{
    const char *line = guarded_ask(&calls_served, method, params);
    struct json_slice result = json_member(line, strlen(line), "result");
    if (!result.ptr)
        fail_msg("%s", line);
    return arena_strndup(&calls_served.f.arena, result.ptr, result.len);
}

/* Reads all pages of a tool by the cursor of that name. Returns their number. */
static size_t count_pages(const char *tool, const char *arguments, const char *next)
{
    size_t pages = 1;
    const char *answer = calls_ask(tool, "{%s}", arguments);
    for (; answer_at(answer, next).ptr; pages++) {
        answer = calls_ask(tool, "{%s,'cursor':'%s'}", arguments, text(answer, next));
        assert_lacks(answer, "\"error\"");
        assert_true(pages < 100);
    }
    return pages;
}

TEST(pages_follow_one_another)
{
    begin(ANYTHING, NULL);
    char name[16];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof(name), "k%02d", i);
        calls_put("n", name, "1");
        calls_ask("memory_belief", "{'statement':'b %d'}", i);
    }
    assert_int_equal(count_pages("listMemory", "'namespace':'n','limit':1", "cursor"), 12);
    assert_int_equal(count_pages("memory_list", "'kind':'belief','limit':1", "next"), 12);
    assert_int_equal(count_pages("memory_list", "'kind':'belief','limit':1,'order':'text'", "next"),
                     12);
    assert_int_equal(count_pages("memory_orphans", "'limit':1", "next"), 12);
    for (int i = 0; i < 100; i++)
        calls_ask("memory_raw", "{'blob':'r %d'}", i);
    char params[1000];
    const char *page = ask("resources/list", "{}");
    snprintf(params, sizeof(params), "{'cursor':'%s'}", text(page, "nextCursor"));
    assert_int_equal(answer_count(ask("resources/list", params), "resources"), 24);
    calls_end();
}

/* Also in the events before the answer. */
TEST(times_of_events_are_not_masked)
{
    begin("(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}", NULL);
    client_send(&calls_served.client,
                "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"tools/call\",\"params\":{\"name\":"
                "\"cite_sources\",\"arguments\":{\"conversation_id\":\"" A_TIME
                "\",\"message_id\":\"m\",\"sources\":[]}}}");
    const char *event = client_read(&calls_served.client);
    assert_has(event, "\"notifications/message\"");
    assert_has(event, "\"conversationId\":\"" MARK "T");
    assert_lacks(strstr(event, "\"timestamp\":"), MARK);
    assert_non_null(client_read(&calls_served.client));
    calls_end();
}

/* ---- the context ---- */

TEST(history_of_calls_is_limited)
{
    calls_begin(NULL, NULL);
    for (int i = 0; i < SESSION_PAST_MAX + 7; i++)
        calls_ask("getMemory", "{'namespace':'session.h','key':'k%d'}", i);
    const char *all = calls_ask("getContext", "{'include_history':true}");
    assert_int_equal(answer_count(all, "tool_history"), SESSION_PAST_MAX);
    assert_int_equal(answer_number(all, "history_omitted"), 7);
    calls_end();
}

TEST(tokens_are_a_quarter_of_the_bytes)
{
    static const char ask[] = "{'context_type':'session'}", path[] = "memory_usage.tokens_used";
    calls_begin(NULL, NULL);
    int64_t before = answer_number(calls_ask("getContext", ask), path);
    calls_ask("putMemory", "{'namespace':'session.h','key':'k','value':'%s'}",
              calls_chars('x', 40000));
    int64_t used = answer_number(calls_ask("getContext", ask), path) - before;
    assert_in_range(used, 10000, 11000); /* the rest: both calls and their answers */
    calls_end();
}
