/*
 * What stemma itself makes for an answer (cursors, times, what is shown in the place of a key or an id) stays whole
 * whatever a configuration's patterns find; what looks like it and was given is masked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/mcp/tools/service.h"
#include "store/session/session.h"
#include "tests/support/entry_calls.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"

#define MARK    "[redacted-own]"
#define A_TIME  "1970-01-02T00:00:00.000Z"
#define MADE_UP "[REDACTED]_ABCDEFGHIJKLM"
#define SEALED  "AAAABBBBCCCCDDDDEEEEFFFFGGGG"

/* Finds something in nearly all of a cursor, in what is shown in place of a key or an id, and in a time. */
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

/* The pages of a tool, one at a time by the cursor of that name, until there is none; how many. */
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

static void pages_follow_one_another(void **state)
{
    (void)state;
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

/* What is shown in place of the key of one. */
static const char *put_one(void)
{
    calls_put("n", "email_of_x", "1");
    return text(calls_list("n"), "keys.0");
}

static void a_shown_key_is_the_same_everywhere(void **state)
{
    char params[200], own[200];
    (void)state;
    begin(ANYTHING, NULL);
    const char *key = put_one();
    assert_memory_equal(key, "[REDACTED]_", 11);
    assert_int_equal(strlen(key), 24);
    const char *got = calls_get("n", key), *ref = text(got, "ref");
    assert_string_equal(text(got, "key"), key);
    assert_memory_equal(ref, "entry:", 6);
    const char *memory = calls_ask("memory_get", "{'ref':'%s'}", ref);
    assert_string_equal(text(memory, "text"), key);
    assert_string_equal(text(memory, "detail.key"), key);
    assert_has(calls_ask("memory_history", "{'ref':'%s'}", ref), key);
    snprintf(own, sizeof(own), "\"title\":\"entry: %s\"", key);
    assert_has(ask("resources/list", "{}"), own);
    snprintf(params, sizeof(params), "{'name':'why_believed','arguments':{'ref':'%s'}}", ref);
    const char *prompt = ask("prompts/get", params);
    assert_has(prompt, key);
    assert_has(prompt, ref);
    assert_lacks(prompt, MARK);
    calls_end();
}

static void times_stay(void **state)
{
    (void)state;
    begin("(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}", NULL);
    calls_ask("memory_raw", "{'blob':'born 1970-01-02'}");
    const char *context = calls_ask("getContext", "{'include_history':true}");
    assert_lacks(context, MARK);
    assert_has(text(context, "tool_history.0.timestamp"), "T");
    const char *cited = calls_ask(
        "cite_sources",
        "{'conversation_id':'c','message_id':'m','sources':[{'documentId':'d','documentName':'D',"
        "'relevanceScore':0.9,'retrievedAt':'2026-01-01T00:00:00Z'}]}");
    assert_lacks(cited, MARK);
    assert_string_equal(text(cited, "sources.0.retrievedAt"), "2026-01-01T00:00:00.000Z");
    assert_string_equal(text(cited, "events.0.source.retrievedAt"), "2026-01-01T00:00:00.000Z");
    const char *list = ask("resources/list", "{}");
    for (int i = 0; i < 3; i++) {
        char path[60];
        snprintf(path, sizeof(path), "resources.%d.annotations.lastModified", i);
        assert_lacks(text(list, path), MARK);
    }
    assert_has(list, "born " MARK);
    const char *changed =
        ask("prompts/get", "{'name':'what_changed','arguments':{'since':'2020-01-01'}}");
    assert_has(changed, "since 2020-01-01T00:00:00.000Z,");
    assert_has(changed, "born " MARK);
    assert_lacks(changed, MARK "T");
    calls_end();
}

/* Also what is told of it on the way. */
static void the_times_of_events_stay(void **state)
{
    (void)state;
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

/* What an agent or a document gave, at places where stemma has its own and elsewhere. */
static void nothing_is_spared_for_its_looks(void **state)
{
    (void)state;
    begin(ANYTHING, "ash");
    static const char looks[] =
        "{'cursor':'" SEALED "','next':'" SEALED "','nextCursor':'" SEALED "','key':'" MADE_UP
        "','keys':['" MADE_UP "'],'timestamp':'" A_TIME "','start_time':'" A_TIME
        "','lastModified':'" A_TIME "','agent_id':'ASHASH','value':{'cursor':'" SEALED "'}}";
    static const char *const given[] = {SEALED, MADE_UP + 11, "1970-01", "ASHASH"};
    calls_ask("putMemory", "{'namespace':'n','key':'k','value':%s}", looks);
    calls_ask("memory_raw", "{'blob':'" MADE_UP "'}");
    calls_ask("memory_raw", "{'blob':'" A_TIME "'}");
    calls_ask("memory_raw", "{'blob':'" SEALED "'}");
    const char *cited = calls_ask(
        "cite_sources",
        "{'conversation_id':'" SEALED "','message_id':'" MADE_UP "','sources':[{'documentId':'d',"
        "'documentName':'" A_TIME "','snippet':'" SEALED "','relevanceScore':0.9}]}");
    const char *const answers[] = {
        cited,
        calls_get("n", "k"),
        calls_ask("memory_list", "{}"),
        calls_ask("memory_search", "{'query':'n'}"),
        ask("resources/list", "{}"),
        ask("prompts/get", "{'name':'what_changed','arguments':{'since':'2020-01-01'}}"),
        ask("prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}"),
        ask("prompts/get",
            "{'name':'record_with_provenance','arguments':{'what':'" SEALED " " MADE_UP "'}}"),
    };
    for (size_t i = 0; i < ROWS(answers); i++)
        for (size_t k = 0; k < ROWS(given); k++)
            assert_lacks(answers[i], given[k]);
    assert_has(answers[7], MARK);
    calls_end();
}

/* One that was shown, of what is hidden by now, is text as any other. */
static void a_shown_key_of_what_is_hidden_is_no_own_form(void **state)
{
    (void)state;
    begin(ANYTHING, NULL);
    const char *key = put_one();
    calls_ask("memory_raw", "{'blob':'%s'}", key);
    assert_has(calls_ask("memory_list", "{'kind':'raw'}"), key);
    struct permissions p;
    permissions_init(&p);
    p.patterns = arena_array(&p.arena, 1, sizeof(*p.patterns));
    p.patterns[p.pattern_count++] = (struct pii_pattern){"own", ANYTHING};
    guarded_rules(&calls_served, &p);
    assert_lacks(calls_ask("memory_list", "{'kind':'raw'}"), key);
    calls_end();
}

/* Its name is the caller's to know, and to give. */
static void ones_own_name_is_told_as_it_is_taken(void **state)
{
    static const char *const names[] = {"claire", "jane@example.com"};
    (void)state;
    for (size_t i = 0; i < ROWS(names); i++) {
        char line[200];
        begin("claire", names[i]);
        const char *refused = calls_ask("get_source_attributions", "{'agent_id':'bo'}");
        snprintf(line, sizeof(line), "agent_id names another agent, and you are %s here", names[i]);
        assert_has(refused, line);
        snprintf(line, sizeof(line), "Give agent_id \\\"%s\\\".", names[i]);
        assert_has(refused, line);
        const char *own = text(calls_ask("getContext", "{}"), "agent_id");
        assert_string_equal(own, names[i]);
        assert_has(calls_ask("get_source_attributions", "{'agent_id':'%s'}", own), "\"total\":0");
        assert_lacks(calls_ask("memory_raw", "{'blob':'it is %s'}", own), "error");
        assert_lacks(calls_ask("memory_list", "{}"), own);
        calls_end();
    }
}

/* ---- What getContext tells ---- */

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

/* ---- What to do next ---- */

static void begin_remedies(struct guarded *g)
{
    struct permissions p;
    guarded_open(g);
    fixture_put(
        &g->f, "{\"ref\":\"raw:one\",\"text\":\"heard\"}",
        "{\"ref\":\"belief:a\",\"text\":\"so it is\",\"derived_from\":[\"raw:one\"]}",
        "{\"ref\":\"step:s\",\"text\":\"why?\",\"derived_from\":[\"raw:none\"]}",
        "{\"ref\":\"entry:e\",\"text\":\"k\",\"detail\":{\"namespace\":\"session.a\",\"key\":\"k\","
        "\"value\":1}}",
        NULL);
    permissions_init(&p);
    guarded_begin(g, &p, NULL);
}

static void an_agent_is_told_what_it_can_do(void **state)
{
    static const struct {
        const char *tool, *arguments, *todo;
    } calls[] = {
        {"cot_get", "{'chain':'belief:a'}", "memory_list of the kind chain lists them."},
        {"memory_mark", "{'ref':'step:s','mark':'rating','value':'document:none relevant'}",
         "memory_get tells what it rests on."},
        {"memory_get", "{'ref':'raw:none'}",
         "memory_lineage with the direction descendants tells who names it."},
        {"memory_forget", "{'ref':'belief:a'}",
         "Ask the person who reviews this memory: only they can unprotect it."},
        {"memory_process_raw", "{'ref':'raw:one','as':'note'}",
         "Restore it first, with memory_restore."},
        {"memory_update", "{'ref':'entry:e','text':'x'}", "Use putMemory or deleteMemory."},
        {"memory_supersede", "{'ref':'entry:e','statement':'x'}", "Use putMemory or deleteMemory."},
        {"memory_process_raw", "{'ref':'entry:e','as':'note'}", "Use putMemory or deleteMemory."},
    };
    (void)state;
    struct guarded g;
    begin_remedies(&g);
    guarded_tool(&g, "memory_protect", "{'ref':'belief:a'}");
    guarded_tool(&g, "memory_retract", "{'ref':'raw:one'}");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        const char *answer = guarded_tool(&g, calls[i].tool, calls[i].arguments);
        if (!strstr(answer, "\"error\"") || !strstr(answer, calls[i].todo))
            fail_msg("%s: %s", calls[i].tool, answer);
    }
    const char *answer = guarded_ask(&g, "resources/read", "{'uri':'stemma://raw/none'}");
    if (!strstr(answer, "memory_lineage with the direction descendants tells who names it."))
        fail_msg("%s", answer);
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_follow_one_another),
        cmocka_unit_test(a_shown_key_is_the_same_everywhere),
        cmocka_unit_test(times_stay),
        cmocka_unit_test(the_times_of_events_stay),
        cmocka_unit_test(nothing_is_spared_for_its_looks),
        cmocka_unit_test(a_shown_key_of_what_is_hidden_is_no_own_form),
        cmocka_unit_test(ones_own_name_is_told_as_it_is_taken),
        cmocka_unit_test(a_context_has_the_part_that_was_asked),
        cmocka_unit_test(parts_that_are_not_granted_are_denied),
        cmocka_unit_test(a_history_has_every_call_of_the_session),
        cmocka_unit_test(many_calls_are_told_of_up_to_a_limit),
        cmocka_unit_test(meta_says_for_whom_a_request_is),
        cmocka_unit_test(an_agent_is_told_what_it_can_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
