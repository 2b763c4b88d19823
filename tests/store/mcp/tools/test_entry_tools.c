/*
 * The tools of shared memory as an agent meets them, through a server and by the letter of what they promise: who
 * may, what is valid, what is answered, what is refused and with which details.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/entries/entry.h"
#include "store/ops/operation.h"
#include "tests/support/entry_calls.h"

/* ---- who may ---- */

static void what_is_granted_is_done_and_all_else_denied(void **state)
{
    static const struct expected_call rows[] = {
        {"", "listMemory", "{'namespace':'session.data'}"},
        {"", "listMemory", "{'namespace':'session.a.b'}"},
        {"", "listMemory", "{'namespace':'agent.ash'}"},
        {"", "listMemory", "{'namespace':'public.info'}"},
        {DENIED, "listMemory", "{'namespace':'session'}"},
        {DENIED, "listMemory", "{'namespace':'sessions'}"},
        {DENIED, "listMemory", "{'namespace':'sessionX.data'}"},
        {DENIED, "listMemory", "{'namespace':'Session.data'}"},
        {DENIED, "listMemory", "{'namespace':'x.session.data'}"},
        {DENIED, "listMemory", "{'namespace':'sensitive.x'}"},
        {MISSING, "getMemory", "{'namespace':'public.info','key':'k'}"},
        {DENIED, "getMemory", "{'namespace':'sensitive.x','key':'k'}"},
        {"", "putMemory", "{'namespace':'session.a.b','key':'k','value':1}"},
        {"", "putMemory", "{'namespace':'agent.ash','key':'k','value':1}"},
        {DENIED, "putMemory", "{'namespace':'public.info','key':'k','value':1}"},
        {DENIED, "putMemory", "{'namespace':'session','key':'k','value':1}"},
        {MISSING, "deleteMemory", "{'namespace':'session.x','key':'k'}"},
        {DENIED, "deleteMemory", "{'namespace':'public.info','key':'k'}"},
    };
    (void)state;
    calls_begin(NULL, NULL);
    calls_expect_all(rows, ROWS(rows));
    assert_string_equal(calls_ask("putMemory", "{'namespace':'public.info','key':'k','value':1}"),
                        "{\"type\":\"error\",\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":"
                        "\"Access denied to namespace 'public.info'\",\"details\":{\"namespace\":"
                        "\"public.info\",\"operation\":\"write\"}}}");
    assert_string_equal(calls_get("sensitive.x", "k"),
                        "{\"type\":\"error\",\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":"
                        "\"Access denied to namespace 'sensitive.x'\",\"details\":{\"namespace\":"
                        "\"sensitive.x\",\"operation\":\"read\"}}}");
    calls_end();
}

static void grants_of_their_own_stand_in_place(void **state)
{
    static const char *const exact[] = {"public.info", "a*z.x"};
    static const struct expected_call rows[] = {
        {"", "listMemory", "{'namespace':'public.info'}"},
        {DENIED, "listMemory", "{'namespace':'public.info.x'}"},
        {DENIED, "listMemory", "{'namespace':'Public.info'}"},
        {"", "listMemory", "{'namespace':'az.x'}"},
        {"", "listMemory", "{'namespace':'a.b.z.x'}"},
        {DENIED, "listMemory", "{'namespace':'az.xx'}"},
        {DENIED, "getMemory", "{'namespace':'public.info','key':'k'}"},
        {DENIED, "putMemory", "{'namespace':'public.info','key':'k','value':1}"},
        {MISSING, "deleteMemory", "{'namespace':'public.info','key':'k'}"},
    };
    struct permissions p;
    (void)state;
    permissions_init(&p);
    struct grant own = {
        .given = true, .namespaces = exact, .namespace_count = 2, .max_ttl_seconds = -1};
    p.grant[MEMORY_TOOL_GET] = own; /* no operation: nothing */
    own.operations = ACCESS_READ;
    p.grant[MEMORY_TOOL_LIST] = p.grant[MEMORY_TOOL_PUT] = own; /* the wrong one for a put */
    own.operations = ACCESS_WRITE;
    p.grant[MEMORY_TOOL_DELETE] = own;
    calls_begin(&p, NULL);
    calls_expect_all(rows, ROWS(rows));
    calls_end();
}

/* Who is not to know of a namespace is not told what else would be wrong either. */
static void permission_is_asked_before_validity(void **state)
{
    static const struct expected_call rows[] = {
        {DENIED, "listMemory", "{'namespace':'secret.x','limit':0}"},
        {DENIED, "listMemory", "{'namespace':'secret.x','nonsense':1}"},
        {DENIED, "putMemory", "{'namespace':'public.info'}"},
        {DENIED, "getMemory", "{'namespace':'secret.x','key':7}"},
        {DENIED, "getMemory", "{'namespace':'no name at all','key':'k'}"},
        {INVALID, "listMemory", "{'namespace':'session.x','limit':0}"},
        {INVALID, "listMemory", "{'namespace':7}"},
        {INVALID, "listMemory", "{'namespace':null}"},
        {INVALID, "listMemory", "{'namespace':['session.x']}"},
        {INVALID, "listMemory", "{}"},
        {INVALID, "putMemory", "{'namespace':'session.x','key':'k'}"},
        {INVALID, "putMemory", "{'namespace':'session.x','value':1}"},
        {INVALID, "putMemory", "{'namespace':'session.x','key':null,'value':1}"},
        {INVALID, "deleteMemory", "{'namespace':'session.x'}"},
        {INVALID, "getMemory", "{'namespace':'session.x','key':'k','agent_id':'zoe'}"},
    };
    (void)state;
    calls_begin(NULL, NULL);
    calls_expect_all(rows, ROWS(rows));
    calls_end();
}

/* However a name is written, what is asked for is what was permitted. */
static void a_name_is_one_name_all_along(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    guarded_put(&calls_served, "zoe", "secret.x", "k", "\"plover\"");
    static const char *const odd[] = {
        "{'namespace':'session.x','namespace':'secret.x','key':'k'}",
        "{'namespace':'secret.x','namespace':'session.x','key':'k'}",
        "{'namesp\\u0061ce':'secret.x','namespace':'session.x','key':'k'}",
        "{'namespace':'session.x','namesp\\u0061ce':'secret.x','key':'k'}",
        "{'namespace':'s\\u0065cret.x','key':'k'}",
        "{'namespace':'secret.x\\u0000','key':'k'}",
        "{'namespace':'session.x\\u0000secret.x','key':'k'}",
    };
    for (size_t i = 0; i < ROWS(odd); i++) {
        const char *answer = calls_say("getMemory", odd[i]);
        if (!strstr(answer, "\"error\"") || strstr(answer, "plover"))
            fail_msg("%s: %s", odd[i], answer);
    }
    calls_end();
}

static void an_agent_has_its_own_grants(void **state)
{
    struct permissions p;
    static struct agent_grants ash = {.agent = "ash"};
    (void)state;
    permissions_init(&p);
    ash.grant[MEMORY_TOOL_PUT].given = true; /* of nothing */
    p.agents = &ash;
    p.agent_count = 1;
    calls_begin(&p, NULL);
    static const char call[] = "{'name':'putMemory','arguments':{'namespace':'session.x','key':"
                               "'k','value':1},'_meta':{'dev.stemma/agent_id':'%s'}}";
    char params[300];
    snprintf(params, sizeof(params), call, "ash");
    assert_non_null(strstr(guarded_ask(&calls_served, "tools/call", params), DENIED));
    snprintf(params, sizeof(params), call, "bo");
    assert_null(strstr(guarded_ask(&calls_served, "tools/call", params), DENIED));
    calls_end();
}

/* ---- names ---- */

static void names_are_what_they_may_be(void **state)
{
    static const char *const good[] = {"a", "a.b", "A-_9.z.0", "-", "_"};
    static const char *const bad[] = {
        "",     ".",        ".a",      "a.", "a..b", "a b",      "\\u00e4",        "a/b",    "a:b",
        "a\\n", "a\\u0000", "\\u0000", "a*", "*",    "a\\u200b", "\\ud83d\\udc24", "\\ud800"};
    static const char *const good_keys[] = {"a", "0", "a_b.c:d/e@f-g", ".", "..", "/", "-", "@"};
    static const char *const bad_keys[] = {"",
                                           "a b",
                                           "\\u00e4",
                                           "a\\u0000b",
                                           "\\u0000",
                                           "a*",
                                           "a,b",
                                           "a\\tb",
                                           "[REDACTED]_",
                                           "[x]",
                                           "[REDACTED]_0",
                                           "[REDACTED]_a b",
                                           "(a)",
                                           "a\\\\b",
                                           "\\ud800",
                                           "[REDACTED]_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    calls_begin(&p, NULL);
    for (size_t i = 0; i < ROWS(good); i++)
        calls_put(good[i], "k", "1");
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = calls_list(bad[i]);
        if (strcmp(calls_code(answer), INVALID) != 0)
            fail_msg("namespace %s: %s", bad[i], answer);
    }
    for (size_t i = 0; i < ROWS(good_keys); i++) {
        calls_put("n", good_keys[i], "1");
        assert_string_equal(answer_text(&calls_served.f, calls_get("n", good_keys[i]), "key"),
                            good_keys[i]);
    }
    for (size_t i = 0; i < ROWS(bad_keys); i++) {
        const char *answer =
            calls_ask("putMemory", "{'namespace':'n','key':'%s','value':1}", bad_keys[i]);
        if (strcmp(calls_code(answer), INVALID) != 0)
            fail_msg("key %s: %s", bad_keys[i], answer);
        answer = calls_get("n", bad_keys[i]);
        if (strcmp(calls_code(answer), INVALID) != 0)
            fail_msg("key %s: %s", bad_keys[i], answer);
    }
    calls_end();
}

/* ---- values ---- */

static void a_value_is_any_json(void **state)
{
    static const char *const values[] = {
        "null",  "true",   "false", "0",
        "-0",    "-1.5e3", "1e-7",  "123456789012345678901234567890",
        "\"\"",  "[]",     "{}",    "\"\\u0000\\u0001🐤\\\"\\\\/\"",
        "\"ü\"", "[[[]]]", "1.10",  "{\"a\":{\"b\":[null,1,\"x\"]},\"\":0}",
    };
    static const char *const none[] = {
        "01",     "1.",  ".5",    "+1",    "NaN",   "tru", "[1,]",    "{\"a\":1,}",
        "\"\t\"", "nul", "[1 2]", "1E400", "{a:1}", "-",   "\"\\x\"", "\"\\ud80\""};
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    calls_begin(&p, NULL);
    for (size_t i = 0; i < ROWS(values); i++) {
        calls_put("n", "k", values[i]);
        struct json_slice value = answer_at(calls_get("n", "k"), "value");
        if (value.len != strlen(values[i]) || memcmp(value.ptr, values[i], value.len) != 0)
            fail_msg("%s came back as %.*s", values[i], (int)value.len, value.ptr);
    }
    assert_int_equal(answer_number(calls_get("n", "k"), "version"), ROWS(values));
    for (size_t i = 0; i < ROWS(none); i++) {
        char arguments[100];
        snprintf(arguments, sizeof(arguments), "{'namespace':'n','key':'k','value':%s}", none[i]);
        const char *answer = calls_say("putMemory", arguments);
        if (!strstr(answer, "\"error\""))
            fail_msg("%s: %s", none[i], answer);
    }
    assert_int_equal(answer_number(calls_get("n", "k"), "version"), ROWS(values));
    calls_put("n", "k", " { 'a' : [ 1 , 'b  c' ] } ");
    assert_non_null(strstr(calls_get("n", "k"), "\"value\":{\"a\":[1,\"b  c\"]}"));
    calls_end();
}

/* As Python's json.dumps writes it: what was meant is kept, counted and found. */
static void what_a_client_escaped_is_kept_as_text(void **state)
{
    static const char text[] = "{\"名前\":\"記憶帳 😀 naïve\",\"n\":12345678901234567890.50}";
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    calls_begin(&p, NULL);
    calls_put("n", "k",
              "{ '\\u540d\\u524d': '\\u8A18\\u61b6\\u5e33 \\ud83d\\ude00 na\\u00efve', "
              "'n': 12345678901234567890.50 }");
    struct json_slice value = answer_at(calls_get("n", "k"), "value");
    assert_int_equal(value.len, strlen(text));
    assert_memory_equal(value.ptr, text, value.len);
    const char *found = calls_ask("memory_search", "{'query':'記憶帳'}");
    assert_int_equal(answer_count(found, "memories"), 1);
    calls_put("n", "k", "'\\u202e\\u0085\\u0007'"); /* nothing of it leaves unescaped */
    value = answer_at(calls_get("n", "k"), "value");
    assert_memory_equal(value.ptr, "\"\\u202e\\u0085\\u0007\"", value.len);
    calls_end();
}

/* Six bytes that a client writes for each of two count as two. */
static void what_is_stored_is_what_counts(void **state)
{
    static struct namespace_policy most = {.pattern = "n", .max_bytes = 100};
    struct strbuf escaped = STRBUF_INIT;
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    p.namespaces = &most;
    p.namespace_count = 1;
    calls_begin(&p, NULL);
    strbuf_addch(&escaped, '\'');
    for (int i = 0; i < 49; i++)
        strbuf_addstr(&escaped, "\\u00e9");
    calls_put("n", "k", (strbuf_addch(&escaped, '\''), escaped.buf));
    strbuf_cut(&escaped, escaped.len - 1);
    strbuf_addstr(&escaped, "x'");
    assert_string_equal(
        calls_code(calls_ask("putMemory", "{'namespace':'n','key':'k','value':%s}", escaped.buf)),
        "QUOTA_EXCEEDED");
    strbuf_release(&escaped);
    calls_end();
}

static const char *put_sized(size_t bytes)
{
    return calls_ask("putMemory", "{'namespace':'n','key':'k','value':  '%s'  }",
                     calls_chars('x', bytes - 2));
}

static void a_value_is_as_large_as_it_may_be(void **state)
{
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    calls_begin(&p, NULL);
    assert_string_equal(put_sized(ENTRY_VALUE_MAX), "{\"success\":true}");
    assert_int_equal(answer_at(calls_get("n", "k"), "value").len, ENTRY_VALUE_MAX);
    const char *answer = put_sized(ENTRY_VALUE_MAX + 1);
    assert_string_equal(calls_code(answer), INVALID);
    assert_string_equal(answer_text(&calls_served.f, answer, "error.message"), "Data too large");
    assert_int_equal(answer_number(calls_get("n", "k"), "version"), 1);
    calls_end();
}

static const char *put_nested(size_t levels)
{
    return calls_ask("putMemory", "{'namespace':'n','key':'k','value':%s%s}",
                     calls_chars('[', levels), calls_chars(']', levels));
}

/* It is JSON, and is told so. */
static void a_value_has_so_many_levels(void **state)
{
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    calls_begin(&p, NULL);
    assert_string_equal(put_nested(63), "{\"success\":true}");
    assert_int_equal(answer_at(calls_get("n", "k"), "value").len, 126);
    const char *answer = put_nested(64);
    assert_string_equal(calls_code(answer), INVALID);
    assert_string_equal(answer_text(&calls_served.f, answer, "error.message"),
                        "value: JSON nested deeper than 63 levels at byte 64");
    calls_end();
}

/* ---- personal data ---- */

static struct namespace_policy policies[] = {
    {.pattern = "n.mask", .pii = PII_MASK},
    {.pattern = "n.refuse", .pii = PII_REFUSE},
    {.pattern = "n.off", .pii = PII_OFF},
};

#define PERSONAL                                                                                   \
    "{\"to\":\"x@y.com,z@w.org\",\"password\":{\"a\":1},\"call\":[\"+1 (415) 555-1234\"],"         \
    "\"n\":5551234567,\"card\":\"4111-1111-1111-1111\",\"id\":\"123-45-6789\"}"

static void each_namespace_has_its_policy(void **state)
{
    struct permissions p;
    (void)state;
    calls_grant_all(&p);
    p.namespaces = policies;
    p.namespace_count = ROWS(policies);
    calls_begin(&p, NULL);
    calls_put("n.mask", "k", PERSONAL);
    const char *found = calls_get("n.mask", "k");
    assert_string_equal(answer_text(&calls_served.f, found, "value.to"),
                        "[redacted-email],[redacted-email]");
    answer_is(found, "value.password", "'[redacted]'");
    answer_is(found, "value.call", "['[redacted-phone]']");
    answer_is(found, "value.n", "5551234567");
    answer_is(found, "value.card", "'************1111'");
    answer_is(found, "value.id", "'[redacted-ssn]'");
    calls_put("n.off", "user_email", PERSONAL);
    assert_non_null(strstr(calls_get("n.off", "user_email"), "\"value\":" PERSONAL));
    assert_string_equal(calls_keys("n.off"), "user_email");
    const char *ref = answer_text(&calls_served.f, calls_get("n.off", "user_email"), "ref");
    assert_null(strstr(calls_ask("memory_get", "{'ref':'%s'}", ref), "x@y.com"));
    assert_string_equal(
        calls_ask("putMemory",
                  "{'namespace':'n.refuse','key':'k','value':['jane.doe@example.com']}"),
        "{\"type\":\"error\",\"error\":{\"code\":\"PII_DETECTED\",\"message\":"
        "\"PII detected in memory operation\",\"details\":{\"redacted_fields\":[\"email\"]}}}");
    const char *refused =
        calls_ask("putMemory", "{'namespace':'n.refuse','key':'k','value':%s}", PERSONAL);
    assert_string_equal(calls_code(refused), "PII_DETECTED");
    for (size_t i = 0; i < 4; i++)
        assert_non_null(
            strstr(refused, (const char *[]){"\"email\"", "\"phone\"", "\"ssn\"", "\"card\""}[i]));
    assert_null(strstr(refused, "x@y"));
    calls_expect("PII_DETECTED", "putMemory",
                 "{'namespace':'n.refuse','key':'jane.doe@example.com','value':1}");
    calls_expect("PII_DETECTED", "putMemory",
                 "{'namespace':'n.refuse','key':'k','value':{'a':'{\\'to\\':\\'x@y.com\\'}'}}");
    assert_string_equal(calls_list("n.refuse"), "{\"keys\":[],\"total\":0}");
    calls_put("n.refuse", "k", "{\"n\":5551234567,\"at\":\"1678886400000\"}");
    calls_end();
}

/* ---- quota ---- */

static void begin_with_policy(struct namespace_policy *policy)
{
    struct permissions p;
    calls_grant_all(&p);
    policy->pattern = "q";
    p.namespaces = policy;
    p.namespace_count = 1;
    calls_begin(&p, NULL);
}

static void what_does_not_fit_is_refused(void **state)
{
    static struct namespace_policy policy = {.max_items = 3, .max_bytes = 10};
    (void)state;
    begin_with_policy(&policy);
    calls_put("q", "a", "1");
    calls_put("q", "b", "1");
    calls_put("q", "c", "1");
    const char *refused = calls_ask("putMemory", "{'namespace':'q','key':'d','value':1}");
    assert_string_equal(calls_code(refused), "QUOTA_EXCEEDED");
    answer_is(refused, "error.details.namespace", "'q'");
    answer_is(refused, "error.details.max_items", "3");
    answer_is(refused, "error.details.max_bytes", "10");
    calls_put("q", "c", "12345678"); /* in the place of itself, up to the last byte */
    calls_expect("QUOTA_EXCEEDED", "putMemory", "{'namespace':'q','key':'c','value':123456789}");
    assert_string_equal(calls_keys("q"), "a b c");
    answer_is(calls_get("q", "c"), "value", "12345678");
    assert_string_equal(calls_ask("deleteMemory", "{'namespace':'q','key':'a'}"),
                        "{\"success\":true}");
    calls_put("q", "d", "1");
    assert_string_equal(calls_keys("q"), "b c d");
    calls_end();
}

static void the_oldest_gives_way_where_it_may(void **state)
{
    static struct namespace_policy policy = {
        .max_items = 3, .max_bytes = 100, .evict_oldest = true};
    (void)state;
    begin_with_policy(&policy);
    calls_put("q", "a", "1");
    calls_pass(1);
    calls_expect("", "putMemory", "{'namespace':'q','key':'b','value':1,'ttl_seconds':1}");
    calls_pass(1);
    calls_put("q", "c", "1");
    calls_pass(2000);
    calls_put("q", "d", "1");
    assert_string_equal(calls_keys("q"), "a c d");
    calls_put("q", "e", "1");
    assert_string_equal(calls_keys("q"), "c d e");
    assert_string_equal(calls_code(calls_get("q", "a")), MISSING);
    assert_string_equal(
        calls_code(calls_ask("putMemory", "{'namespace':'q','key':'f','value':'%s'}",
                             calls_chars('x', 99))),
        "QUOTA_EXCEEDED");
    assert_string_equal(calls_keys("q"), "c d e");
    calls_end();
}

/* ---- how often ---- */

static void refused_as_too_often(const char *answer, int64_t most)
{
    assert_string_equal(calls_code(answer), "RATE_LIMITED");
    int64_t wait = answer_number(answer, "error.details.retry_after_ms");
    assert_true(wait > 0 && wait <= most);
    struct json_slice details = answer_at(answer, "error.details");
    assert_int_equal(strcspn(details.ptr + 1, ",}"), details.len - 2); /* nothing else */
}

static void calls_are_counted_by_tool_and_namespace(void **state)
{
    struct permissions p;
    (void)state;
    permissions_init(&p);
    p.rate[MEMORY_TOOL_LIST] = (struct rate_limit){.window_seconds = 1e6, .window_calls = 2};
    p.rate[MEMORY_TOOL_PUT] = (struct rate_limit){.per_second = 1e-6, .burst = 3};
    p.rate[MEMORY_TOOL_CONTEXT] = (struct rate_limit){.window_seconds = 1e6, .window_calls = 1};
    calls_begin(&p, NULL);
    for (int i = 0; i < 9; i++) { /* denied and invalid calls take nothing of it */
        calls_expect(DENIED, "listMemory", "{'namespace':'secret.x'}");
        calls_expect(INVALID, "listMemory", "{'namespace':'session.a','limit':0}");
        calls_expect(INVALID, "putMemory", "{'namespace':'session.a','key':'k k','value':1}");
        calls_expect(INVALID, "putMemory",
                     "{'namespace':'session.a','key':'k','value':1,'ttl_seconds':9999}");
        calls_expect(INVALID, "getContext", "{'context_type':'none'}");
    }
    calls_expect("", "listMemory", "{'namespace':'session.a'}");
    calls_expect("", "listMemory", "{'namespace':'session.a'}");
    refused_as_too_often(calls_list("session.a"), INT64_C(1000000000));
    calls_expect("", "listMemory", "{'namespace':'session.b'}");
    for (int i = 0; i < 3; i++)
        calls_put("session.a", "k", "1");
    refused_as_too_often(calls_ask("putMemory", "{'namespace':'session.a','key':'k','value':1}"),
                         INT64_C(1000000000));
    assert_string_equal(calls_code(calls_get("session.a", "k")), "");
    calls_put("session.b", "k", "1");
    calls_expect("", "getContext", "{}");
    refused_as_too_often(calls_ask("getContext", "{}"), INT64_C(1000000000));
    calls_end();
}

/* ---- what a person decided ---- */

static void what_a_person_protected_stays(void **state)
{
    static const struct actor person = {
        .class = ACTOR_PERSON, .name = "claire", .origin = "explorer"};
    struct error e = {0};
    static const struct expected_call writes[] = {
        {DENIED, "putMemory", "{'namespace':'session.x','key':'k','value':2}"},
        {DENIED, "deleteMemory", "{'namespace':'session.x','key':'k'}"},
    };
    struct request q = REQUEST_INIT;
    struct permissions blind;
    struct plan plan;
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.x", "k", "1");
    const char *ref = answer_text(&calls_served.f, calls_get("session.x", "k"), "ref");
    q.refs = &ref;
    q.ref_count = 1;
    if (operation_run_now(calls_served.f.store, &person, OPERATION_PROTECT, &q,
                          &calls_served.f.arena, &plan, &e))
        fail_msg("%s", e.what);
    calls_expect_all(writes, ROWS(writes));
    answer_is(calls_ask("deleteMemory", "{'namespace':'session.x','key':'k'}"), "error.details",
              "{'namespace':'session.x','operation':'write'}");
    answer_is(calls_get("session.x", "k"), "value", "1");
    permissions_init(&blind);
    blind.grant[MEMORY_TOOL_LIST].namespace_count = 0;
    guarded_rules(&calls_served, &blind); /* who does not read there learns no ref from it */
    for (size_t i = 0; i < ROWS(writes); i++)
        assert_string_equal(answer_text(&calls_served.f,
                                        calls_ask(writes[i].tool, "%s", writes[i].arguments),
                                        "error.message"),
                            "the entry k of session.x is protected. Ask the person; they change "
                            "it, or take that back, in the explorer.");
    calls_end();
}

static void what_is_made_of_an_entry_rests_on_it(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.x", "k", "1");
    const char *ref = answer_text(&calls_served.f, calls_get("session.x", "k"), "ref");
    const char *belief = answer_text(
        &calls_served.f, calls_ask("memory_belief", "{'statement':'s','derived_from':['%s']}", ref),
        "ref");
    assert_non_null(strstr(calls_ask("memory_lineage", "{'ref':'%s'}", belief), ref));
    assert_non_null(strstr(calls_ask("memory_whatif", "{'refs':['%s']}", ref), belief));
    calls_end();
}

/* ---- Shared memory as it is listed ---- */

/* ---- lists ---- */

static void a_list_comes_in_pages(void **state)
{
    char key[16];
    const char *cursor = NULL;
    size_t pages = 0, seen = 0;
    (void)state;
    calls_begin(NULL, NULL);
    for (int i = 99; i >= 0; i--) {
        snprintf(key, sizeof(key), "k%02d", i);
        calls_put("session.p", key, "1");
    }
    do {
        const char *page =
            cursor ? calls_ask("listMemory", "{'namespace':'session.p','limit':5,'cursor':'%s'}",
                               cursor)
                   : calls_ask("listMemory", "{'namespace':'session.p','limit':5}");
        assert_int_equal(answer_number(page, "total"), 100);
        assert_int_equal(answer_count(page, "keys"), 5);
        for (int i = 0; i < 5; i++, seen++) {
            char path[32];
            snprintf(path, sizeof(path), "keys.%d", i);
            snprintf(key, sizeof(key), "k%02zu", seen);
            assert_string_equal(answer_text(&calls_served.f, page, path), key);
        }
        pages++;
        cursor =
            answer_at(page, "cursor").ptr ? answer_text(&calls_served.f, page, "cursor") : NULL;
    } while (cursor);
    assert_int_equal(pages, 20);
    assert_int_equal(answer_count(calls_list("session.p"), "keys"), 50);
    assert_int_equal(
        answer_count(calls_ask("listMemory", "{'namespace':'session.p','limit':100}"), "keys"),
        100);
    assert_null(
        answer_at(calls_ask("listMemory", "{'namespace':'session.p','limit':100}"), "cursor").ptr);
    const char *some =
        calls_ask("listMemory", "{'namespace':'session.p','prefix':'k7','cursor':''}");
    assert_int_equal(answer_number(some, "total"), 10);
    assert_string_equal(answer_text(&calls_served.f, some, "keys.0"), "k70");
    calls_end();
}

/* What comes and goes between two pages makes no other key come twice or be skipped. */
static void a_page_goes_on_where_the_one_before_ended(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    for (char c = 'b'; c <= 'g'; c++)
        calls_put("session.p", (char[]){c, '\0'}, "1");
    const char *page = calls_ask("listMemory", "{'namespace':'session.p','limit':3}");
    const char *cursor = answer_text(&calls_served.f, page, "cursor");
    calls_put("session.p", "a", "1");
    calls_put("session.p", "dd", "1");
    assert_string_equal(calls_ask("deleteMemory", "{'namespace':'session.p','key':'d'}"),
                        "{\"success\":true}");
    page = calls_ask("listMemory", "{'namespace':'session.p','limit':9,'cursor':'%s'}", cursor);
    answer_is(page, "keys", "['dd','e','f','g']");
    assert_int_equal(answer_number(page, "total"), 7);
    assert_string_equal(
        calls_code(calls_ask("listMemory", "{'namespace':'session.q','cursor':'%s'}", cursor)),
        INVALID);
    assert_string_equal(
        calls_code(calls_ask("listMemory", "{'namespace':'session.p','prefix':'d','cursor':'%s'}",
                             cursor)),
        INVALID);
    calls_end();
}

static void limits_and_cursors_are_checked(void **state)
{
    static const char *const bad[] = {
        "'limit':0",          "'limit':101",
        "'limit':-1",         "'limit':1.5",
        "'limit':'5'",        "'limit':1e99",
        "'cursor':'x'",       "'cursor':7",
        "'cursor':'AAAA'",    "'prefix':7",
        "'limit':[1]",        "'cursor':'0'",
        "'cursor':'\\u0000'", "'cursor':'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'"};
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.p", "k", "1");
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = calls_ask("listMemory", "{'namespace':'session.p',%s}", bad[i]);
        if (strcmp(calls_code(answer), INVALID) != 0)
            fail_msg("%s: %s", bad[i], answer);
    }
    assert_string_equal(calls_ask("listMemory", "{'namespace':'session.p','prefix':'','limit':1}"),
                        "{\"keys\":[\"k\"],\"total\":1}");
    assert_string_equal(calls_ask("listMemory", "{'namespace':'session.p','prefix':'%%'}"),
                        "{\"keys\":[],\"total\":0}");
    calls_end();
}

/* ---- keys with personal data ---- */

static void keys_with_personal_data_are_shown_by_a_hash(void **state)
{
    static const char *const personal[] = {
        "user_email",  "email", "PHONE.home",           "a:ssn",   "x/password",
        "my-secret-1", "token", "jane.doe@example.com", "Token_x", "tel/555-123-4567",
    };
    static const char *const plain[] = {"secretary", "tokens_used", "emails", "telephone",
                                        "passwords", "ssn2",        "k"};
    (void)state;
    calls_begin(NULL, NULL);
    for (size_t i = 0; i < ROWS(personal); i++) {
        calls_put("session.r", personal[i], "7");
        const char *shown = answer_text(&calls_served.f, calls_list("session.r"), "keys.0");
        if (strncmp(shown, "[REDACTED]_", 11) != 0 ||
            strspn(shown + 11, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ234567") !=
                13 ||
            strlen(shown) != 24)
            fail_msg("%s is shown as %s", personal[i], shown);
        assert_string_equal(answer_text(&calls_served.f, calls_list("session.r"), "keys.0"), shown);
        const char *whole = calls_get("session.r", personal[i]),
                   *by = calls_get("session.r", shown);
        assert_string_equal(whole, by);
        assert_string_equal(answer_text(&calls_served.f, by, "key"), shown);
        assert_int_equal(answer_number(by, "value"), 7);
        calls_put("session.r", shown, "8");
        assert_int_equal(answer_number(calls_get("session.r", personal[i]), "version"), 2);
        assert_int_equal(answer_number(calls_list("session.r"), "total"), 1);
        assert_string_equal(calls_get("session.other", shown),
                            calls_get("session.other", "[REDACTED]_AAAAAAAAAAAAA"));
        assert_string_equal(
            calls_ask("deleteMemory", "{'namespace':'session.r','key':'%s'}", shown),
            "{\"success\":true}");
        assert_string_equal(calls_code(calls_get("session.r", personal[i])), MISSING);
    }
    for (size_t i = 0; i < ROWS(plain); i++) {
        calls_put("session.s", plain[i], "7");
        assert_string_equal(answer_text(&calls_served.f, calls_get("session.s", plain[i]), "key"),
                            plain[i]);
        assert_non_null(strstr(calls_keys("session.s"), plain[i]));
    }
    calls_end();
}

static void a_prefix_does_not_guess_at_personal_data(void **state)
{
    static const char format[] = "{'namespace':'session.r','prefix':'%s'}";
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.r", "a", "1");
    calls_put("session.r", "m.jane.doe@example.com", "1");
    calls_put("session.r", "z", "1");
    const char *all = calls_list("session.r"); /* in its place */
    answer_is(all, "keys.0", "'a'");
    assert_memory_equal(answer_text(&calls_served.f, all, "keys.1"), "[REDACTED]_", 11);
    answer_is(all, "keys.2", "'z'");
    assert_string_equal(calls_ask("listMemory", format, "m.jane"),
                        calls_ask("listMemory", format, "m.john"));
    assert_string_equal(calls_ask("listMemory", format, "m.jane.doe@example.com"),
                        calls_ask("listMemory", format, "m.jane.dof@example.com"));
    assert_int_equal(answer_number(calls_ask("listMemory", format, "n"), "total"), 0);
    calls_end();
}

/* Nor does the total tell of what the configuration's own patterns hide: keys put before there was the pattern, and
 * more than are counted at once. */
static void a_prefix_does_not_guess_at_what_a_pattern_hides(void **state)
{
    static const char format[] = "{'namespace':'session.r','prefix':'%s'}";
    char key[16];
    (void)state;
    calls_begin(NULL, NULL);
    for (int i = 0; i < 300; i++) {
        snprintf(key, sizeof(key), "e%03d", i);
        calls_put("session.r", key, "1");
    }
    for (int i = 0; i < 3; i++) {
        snprintf(key, sizeof(key), "open%d", i);
        calls_put("session.r", key, "1");
    }
    calls_expect("", "putMemory",
                 "{'namespace':'session.r','key':'open9','value':1,'ttl_seconds':10}");
    struct permissions p;
    permissions_init(&p);
    p.patterns = arena_array(&p.arena, 1, sizeof(*p.patterns));
    p.patterns[p.pattern_count++] = (struct pii_pattern){"badge", "e[0-9]{3}"};
    guarded_rules(&calls_served, &p);
    static const char *const guesses[] = {"e", "e0", "e29", "e299", "e300", "f"};
    for (size_t i = 0; i < ROWS(guesses); i++)
        assert_string_equal(calls_ask("listMemory", format, guesses[i]),
                            "{\"keys\":[],\"total\":0}");
    assert_int_equal(answer_number(calls_ask("listMemory", format, "open"), "total"), 4);
    assert_int_equal(answer_number(calls_list("session.r"), "total"), 304);
    calls_pass(10000);
    assert_int_equal(answer_number(calls_ask("listMemory", format, "open"), "total"), 3);
    calls_end();
}

/* Names that stemma itself writes are no personal data, whatever the pattern. */
static void a_pattern_masks_no_name_of_an_answer(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.r", "a", "{'status':{'mine':1}}");
    struct permissions p;
    permissions_init(&p);
    p.patterns = arena_array(&p.arena, 1, sizeof(*p.patterns));
    p.patterns[p.pattern_count++] = (struct pii_pattern){"all", "[a-z]+"};
    guarded_rules(&calls_served, &p);
    const char *got = calls_get("session.r", "a");
    answer_is(got, "value", "{'status':{'[redacted-all]':1}}");
    assert_int_equal(answer_number(got, "version"), 1);
    const char *list = calls_ask("memory_list", "{}");
    assert_int_equal(answer_count(list, "memories"), 1);
    assert_int_equal(answer_number(list, "memories.0.version"), 1);
    assert_non_null(strstr(calls_get("session.q", "x"), "\"code\":"));
    calls_end();
}

/* ---- time to live ---- */

static void what_expires_is_gone_at_that_instant(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    calls_expect("", "putMemory",
                 "{'namespace':'session.t','key':'k','value':'plover','ttl_seconds':10}");
    const char *found = calls_get("session.t", "k"),
               *ref = answer_text(&calls_served.f, found, "ref");
    assert_int_equal(answer_number(found, "updated_at"), FIXTURE_NOW);
    assert_int_equal(answer_number(found, "expires_at"), FIXTURE_NOW + 10000);
    calls_pass(9999);
    assert_string_equal(calls_get("session.t", "k"), found);
    assert_non_null(strstr(calls_ask("memory_get", "{'ref':'%s'}", ref), "plover"));
    calls_pass(1);
    assert_string_equal(calls_code(calls_get("session.t", "k")), MISSING);
    assert_string_equal(calls_list("session.t"), "{\"keys\":[],\"total\":0}");
    calls_expect(MISSING, "deleteMemory", "{'namespace':'session.t','key':'k'}");
    assert_null(strstr(calls_ask("memory_get", "{'ref':'%s'}", ref), "plover"));
    assert_null(strstr(calls_ask("memory_history", "{'ref':'%s'}", ref), "plover"));
    assert_null(strstr(calls_ask("memory_search", "{'query':'plover'}"), ref));
    calls_put("session.t", "k", "2");
    found = calls_get("session.t", "k");
    assert_string_equal(answer_text(&calls_served.f, found, "ref"), ref);
    assert_null(answer_at(found, "expires_at").ptr);
    assert_string_equal(calls_ask("deleteMemory", "{'namespace':'session.t','key':'k'}"),
                        "{\"success\":true}");
    calls_put("session.t", "k", "3");
    found = calls_get("session.t", "k");
    assert_string_not_equal(answer_text(&calls_served.f, found, "ref"), ref);
    assert_int_equal(answer_number(found, "version"), 1);
    calls_end();
}

static void a_time_to_live_is_checked(void **state)
{
    static const char *const bad[] = {"-1", "1.5", "'10'", "3601", "1e99", "true", "[]"};
    static const char format[] = "{'namespace':'session.t','key':'k','value':1,'ttl_seconds':%s}";
    (void)state;
    calls_begin(NULL, NULL);
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = calls_ask("putMemory", format, bad[i]);
        if (strcmp(calls_code(answer), INVALID) != 0)
            fail_msg("%s: %s", bad[i], answer);
    }
    assert_non_null(strstr(calls_ask("putMemory", format, "3601"), "3600"));
    assert_string_equal(calls_ask("putMemory", format, "0"), "{\"success\":true}");
    assert_string_equal(calls_code(calls_get("session.t", "k")), MISSING);
    assert_string_equal(calls_ask("putMemory", format, "3600"), "{\"success\":true}");
    calls_pass(3599999);
    assert_string_equal(calls_code(calls_get("session.t", "k")), "");
    calls_put("session.t", "k", "1"); /* without one it never does */
    calls_pass(INT64_C(1000) * 365 * 24 * 3600 * 1000);
    assert_string_equal(calls_code(calls_get("session.t", "k")), "");
    calls_end();
}

static const char *ask_of(const char *method, const char *format, const char *ref)
{
    char params[200];
    snprintf(params, sizeof(params), format, ref);
    return strchr(method, '/') ? guarded_ask(&calls_served, method, params)
                               : guarded_tool(&calls_served, method, params);
}

/* So many doors tell what it says, which has "plover" in all its versions. */
static size_t doors_that_tell(const char *ref)
{
    static const char *const doors[][2] = {
        {"memory_get", "{'ref':'%s'}"},
        {"memory_get", "{'refs':['%s']}"},
        {"memory_history", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s'}"},
        {"memory_list", "{'kind':'entry','status':'active'}"},
        {"memory_list", "{'kind':'entry','status':'deleted'}"},
        {"memory_list", "{'kind':'entry','status':'all'}"},
        {"memory_search", "{'query':'quux','kind':'entry'}"},
        {"memory_search", "{'query':'quux','kind':'entry','status':'all'}"},
        {"memory_search", "{'query':'quux','status':'deleted'}"},
        {"prompts/get", "{'name':'why_believed','arguments':{'ref':'%s'}}"},
        {"getMemory", "{'namespace':'session.t','key':'k'}"},
    };
    size_t tell = 0;
    char uri[120];
    for (size_t i = 0; i < ROWS(doors); i++)
        tell += strstr(ask_of(doors[i][0], doors[i][1], ref), "plover") != NULL;
    snprintf(uri, sizeof(uri), "{'uri':'stemma://entry/%s'}", strchr(ref, ':') + 1);
    tell += strstr(guarded_ask(&calls_served, "resources/read", uri), "plover") != NULL;
    return tell;
}

static void a_person_reads(const char *ref)
{
    struct fixture *f = &calls_served.f;
    struct memory m;
    struct error e;
    assert_int_equal(memory_read(f->reader, &f->arena, fixture_row(f, ref), &m, &e), 0);
    assert_non_null(strstr(m.detail, "plover"));
}

/* Of what was deleted no agent reads what it said, in no version, nor finds it by that; a person does. */
static void what_was_deleted_is_read_by_no_agent(void **state)
{
    (void)state;
    calls_begin(NULL, NULL);
    calls_put("session.t", "k", "'quux plover'");
    calls_put("session.t", "k", "'quux plover again'");
    const char *ref = answer_text(&calls_served.f, calls_get("session.t", "k"), "ref");
    assert_true(doors_that_tell(ref) > 5);
    calls_expect("", "deleteMemory", "{'namespace':'session.t','key':'k'}");
    for (int round = 0; round < 2; round++) {
        assert_int_equal(doors_that_tell(ref), 0);
        a_person_reads(ref);
    }
    assert_null(strstr(calls_ask("memory_search", "{'query':'quux','status':'deleted'}"), ref));
    assert_non_null(strstr(calls_ask("memory_get", "{'ref':'%s'}", ref), "\"deleted\""));
    calls_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_granted_is_done_and_all_else_denied),
        cmocka_unit_test(grants_of_their_own_stand_in_place),
        cmocka_unit_test(permission_is_asked_before_validity),
        cmocka_unit_test(a_name_is_one_name_all_along),
        cmocka_unit_test(an_agent_has_its_own_grants),
        cmocka_unit_test(names_are_what_they_may_be),
        cmocka_unit_test(a_value_is_any_json),
        cmocka_unit_test(what_a_client_escaped_is_kept_as_text),
        cmocka_unit_test(what_is_stored_is_what_counts),
        cmocka_unit_test(a_value_is_as_large_as_it_may_be),
        cmocka_unit_test(a_value_has_so_many_levels),
        cmocka_unit_test(each_namespace_has_its_policy),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_oldest_gives_way_where_it_may),
        cmocka_unit_test(calls_are_counted_by_tool_and_namespace),
        cmocka_unit_test(what_a_person_protected_stays),
        cmocka_unit_test(what_is_made_of_an_entry_rests_on_it),
        cmocka_unit_test(a_list_comes_in_pages),
        cmocka_unit_test(a_page_goes_on_where_the_one_before_ended),
        cmocka_unit_test(limits_and_cursors_are_checked),
        cmocka_unit_test(keys_with_personal_data_are_shown_by_a_hash),
        cmocka_unit_test(a_prefix_does_not_guess_at_personal_data),
        cmocka_unit_test(a_prefix_does_not_guess_at_what_a_pattern_hides),
        cmocka_unit_test(a_pattern_masks_no_name_of_an_answer),
        cmocka_unit_test(what_expires_is_gone_at_that_instant),
        cmocka_unit_test(what_was_deleted_is_read_by_no_agent),
        cmocka_unit_test(a_time_to_live_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
