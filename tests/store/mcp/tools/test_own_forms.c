/*
 * What stemma itself makes for an answer (cursors, times, what is shown in the place of a key or an id) stays whole
 * whatever a configuration's patterns find; what looks like it and was given is masked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/entry_calls.h"
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
