/* What getContext tells: the parts that were asked for and granted, and what went through a session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/session/session.h"
#include "tests/support/entry_calls.h"

/* ---- the context ---- */

static void a_context_has_the_part_that_was_asked(void **state)
{
    (void)state;
    calls_begin(NULL, "ash");
    assert_string_equal(calls_ask("getContext", "{'context_type':'agent'}"),
                        "{\"agent_id\":\"ash\"}");
    assert_string_equal(calls_ask("getContext", "{'context_type':'task'}"), "{}");
    const char *session = calls_ask("getContext", "{'context_type':'session'}");
    assert_null(answer_at(session, "agent_id").ptr);
    assert_null(answer_at(session, "tool_history").ptr);
    assert_true(answer_number(session, "memory_usage.tokens_used") > 0);
    answer_is(session, "memory_usage.tokens_estimated", "true");
    answer_is(session, "memory_usage.usd_spent", "0");
    assert_int_equal(strlen(answer_text(&calls_served.f, session, "session_id")), 36);
    assert_int_equal(strlen(answer_text(&calls_served.f, session, "start_time")), 24);
    const char *all = calls_ask("getContext", "{}");
    answer_is(all, "agent_id", "'ash'");
    assert_string_equal(answer_text(&calls_served.f, all, "session_id"),
                        answer_text(&calls_served.f, session, "session_id"));
    assert_true(answer_number(all, "memory_usage.tokens_used") >
                answer_number(session, "memory_usage.tokens_used"));
    calls_expect(INVALID, "getContext", "{'context_type':'Session'}");
    calls_expect(INVALID, "getContext", "{'context_type':7}");
    calls_expect(INVALID, "getContext", "{'context_type':''}");
    calls_expect(INVALID, "getContext", "{'include_history':1}");
    calls_end();
}

static void parts_that_are_not_granted_are_denied(void **state)
{
    struct permissions p;
    (void)state;
    permissions_init(&p);
    p.grant[MEMORY_TOOL_CONTEXT].contexts = CONTEXT_AGENT;
    calls_begin(&p, "ash");
    assert_string_equal(calls_ask("getContext", "{}"), "{\"agent_id\":\"ash\"}");
    calls_expect("", "getContext", "{'context_type':'agent'}");
    calls_expect(DENIED, "getContext", "{'context_type':'session'}");
    calls_expect(DENIED, "getContext", "{'context_type':'task','include_history':7}");
    calls_expect(INVALID, "getContext", "{'context_type':'none'}");
    permissions_init(&p);
    p.grant[MEMORY_TOOL_CONTEXT].contexts = 0;
    guarded_rules(&calls_served, &p);
    calls_expect(DENIED, "getContext", "{}");
    calls_end();
}

static void a_history_has_every_call_of_the_session(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.h", "k", "1");
    calls_expect(DENIED, "getMemory", "{'namespace':'secret.x','key':'k'}");
    calls_expect("", "memory_raw", "{'blob':'r'}");
    calls_expect(INVALID, "memory_raw", "{}");
    const char *all = calls_ask("getContext", "{'include_history':true}");
    static const char *const expected[][2] = {
        {"'putMemory'", "true"},
        {"'getMemory'", "false"},
        {"'memory_raw'", "true"},
        {"'memory_raw'", "false"},
    };
    assert_int_equal(answer_count(all, "tool_history"), ROWS(expected));
    for (size_t i = 0; i < ROWS(expected); i++) {
        char path[40];
        snprintf(path, sizeof(path), "tool_history.%zu.tool_name", i);
        answer_is(all, path, expected[i][0]);
        snprintf(path, sizeof(path), "tool_history.%zu.success", i);
        answer_is(all, path, expected[i][1]);
        snprintf(path, sizeof(path), "tool_history.%zu.timestamp", i);
        assert_int_equal(strlen(answer_text(&calls_served.f, all, path)), 24);
    }
    calls_end();
}

static void many_calls_are_told_of_up_to_a_limit(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    for (int i = 0; i < SESSION_PAST_MAX + 7; i++)
        calls_ask("getMemory", "{'namespace':'session.h','key':'k%d'}", i);
    const char *all = calls_ask("getContext", "{'include_history':true}");
    assert_int_equal(answer_count(all, "tool_history"), SESSION_PAST_MAX);
    assert_int_equal(answer_number(all, "history_omitted"), 7);
    calls_end();
}

/* What a request's _meta says holds for it alone, whichever era it is of. */
static void meta_says_for_whom_a_request_is(void **state)
{
    static const char *const eras[] = {
        "",
        "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
        "'io.modelcontextprotocol/clientCapabilities':{},"
        "'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},",
    };
    static const char *const wrong[] = {
        "'dev.stemma/agent_id':''",  "'dev.stemma/agent_id':7",    "'dev.stemma/task_id':[]",
        "'dev.stemma/usd_spent':-1", "'dev.stemma/usd_spent':'1'",
    };
    char params[600];
    (void)state;
    calls_begin(NULL, NULL);
    for (size_t i = 0; i < ROWS(eras); i++) {
        snprintf(params, sizeof(params),
                 "{'name':'getContext','arguments':{},'_meta':{%s'dev.stemma/agent_id':'bo',"
                 "'dev.stemma/task_id':'t 1','dev.stemma/usd_spent':%zu.5,'traceparent':"
                 "'00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'}}",
                 eras[i], i);
        const char *line = guarded_ask(&calls_served, "tools/call", params);
        answer_is(line, "result.structuredContent.agent_id", "'bo'");
        answer_is(line, "result.structuredContent.task_id", "'t 1'");
        answer_is(line, "result.structuredContent.memory_usage.usd_spent", i ? "1.5" : "0.5");
        for (size_t k = 0; k < ROWS(wrong); k++) {
            snprintf(params, sizeof(params), "{'name':'getContext','arguments':{},'_meta':{%s%s}}",
                     eras[i], wrong[k]);
            line = guarded_ask(&calls_served, "tools/call", params);
            if (!strstr(line, "-32602"))
                fail_msg("%s: %s", wrong[k], line);
        }
        snprintf(params, sizeof(params), "{'name':'getContext','arguments':{},'_meta':{%s'x':1}}",
                 eras[i]);
        line = guarded_ask(&calls_served, "tools/call", params);
        assert_null(answer_at(line, "result.structuredContent.agent_id").ptr);
        assert_null(answer_at(line, "result.structuredContent.task_id").ptr);
    }
    calls_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_has_the_part_that_was_asked),
        cmocka_unit_test(parts_that_are_not_granted_are_denied),
        cmocka_unit_test(a_history_has_every_call_of_the_session),
        cmocka_unit_test(many_calls_are_told_of_up_to_a_limit),
        cmocka_unit_test(meta_says_for_whom_a_request_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
