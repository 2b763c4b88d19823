/*
 * The tools of shared memory as an agent meets them, through a server and by the letter of what they promise: who
 * may, what is valid, what is answered, what is refused and with which details.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../store/entry.h"
#include "../../store/operation.h"
#include "../../store/session.h"
#include "../support/guarded.h"
#include "../support/tool_call.h"

#define ROWS(list) (sizeof(list) / sizeof(*(list)))

static struct guarded g;
static int64_t clock_ms; /* what the store takes for now */

static int64_t now(void)
{
    return __atomic_load_n(&clock_ms, __ATOMIC_ACQUIRE);
}

static void pass(int64_t ms)
{
    __atomic_fetch_add(&clock_ms, ms, __ATOMIC_ACQ_REL);
}

/* A served store whose clock stands still; `p` NULL: by the default rules. */
static void begin_as(struct permissions *p, const char *agent)
{
    struct error e = {0};
    struct permissions usual;
    guarded_open(&g);
    reader_close(g.f.reader);
    store_close(g.f.store);
    clock_ms = FIXTURE_NOW;
    g.f.store = store_open(g.f.path, &(struct store_options){.now = now}, NULL, &e);
    if (!g.f.store || !(g.f.reader = reader_open(g.f.store, &e)))
        fail_msg("%s", e.what);
    permissions_init(&usual);
    guarded_begin(&g, p ? p : &usual, agent);
}

static void begin(struct permissions *p)
{
    begin_as(p, NULL);
}

static const char *const anywhere[] = {"*"};

/* All tools in all namespaces, for good. */
static void grant_all(struct permissions *p)
{
    struct grant all = {.given = true,
                        .namespaces = anywhere,
                        .namespace_count = 1,
                        .operations = ACCESS_READ | ACCESS_WRITE,
                        .max_ttl_seconds = -1};
    permissions_init(p);
    p->grant[MEMORY_TOOL_LIST] = p->grant[MEMORY_TOOL_PUT] = all;
}

/* The answer of a tool, kept until the end; ' stands for " in `format`. */
static const char *ask(const char *tool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *ask(const char *tool, const char *format, ...)
{
    va_list args;
    char *arguments = NULL;
    va_start(args, format);
    assert_true(vasprintf(&arguments, format, args) >= 0);
    va_end(args);
    const char *answer = guarded_tool(&g, tool, arguments);
    free(arguments);
    return arena_strndup(&g.f.arena, answer, strlen(answer));
}

/* The same of what may be no request at all, so that whatever is said next is the answer. */
static const char *say(const char *tool, const char *arguments)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(
        &line,
        "{\"jsonrpc\":\"2.0\",\"id\":9999,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
        "\"arguments\":%s}}",
        tool, arguments);
    for (char *at = line.buf; *at; at++)
        if (*at == '\'')
            *at = '"';
    client_send(&g.client, line.buf);
    strbuf_release(&line);
    const char *answer = client_read(&g.client);
    while (answer && strstr(answer, "\"notifications/message\""))
        answer = client_read(&g.client);
    return answer ? answer : "";
}

static const char *code_of(const char *answer)
{
    return answer_at(answer, "error").ptr ? answer_text(&g.f, answer, "error.code") : "";
}

/* "": it is answered. */
static void expect(const char *code, const char *tool, const char *arguments)
{
    const char *answer = ask(tool, "%s", arguments);
    if (strcmp(code_of(answer), code) != 0)
        fail_msg("%s %.300s: %.600s, not %s", tool, arguments, answer, code);
}

static void put(const char *name, const char *key, const char *value)
{
    const char *answer =
        ask("putMemory", "{'namespace':'%s','key':'%s','value':%s}", name, key, value);
    assert_string_equal(answer, "{\"success\":true}");
}

static const char *get(const char *name, const char *key)
{
    return ask("getMemory", "{'namespace':'%s','key':'%s'}", name, key);
}

static const char *list(const char *name)
{
    return ask("listMemory", "{'namespace':'%s'}", name);
}

/* The keys of a namespace, with a blank between them. */
static const char *keys_of(const char *name)
{
    struct strbuf keys = STRBUF_INIT;
    const char *answer = list(name);
    for (size_t i = 0; i < answer_count(answer, "keys"); i++) {
        char path[32];
        snprintf(path, sizeof(path), "keys.%zu", i);
        strbuf_addf(&keys, "%s%s", i ? " " : "", answer_text(&g.f, answer, path));
    }
    const char *kept = arena_strndup(&g.f.arena, keys.len ? keys.buf : "", keys.len);
    strbuf_release(&keys);
    return kept;
}

#define DENIED  "PERMISSION_DENIED"
#define INVALID "INVALID_REQUEST"
#define MISSING "NOT_FOUND"

struct row {
    const char *code, *tool, *arguments;
};

static void expect_all(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(rows[i].code, rows[i].tool, rows[i].arguments);
}

/* ---- who may ---- */

static void what_is_granted_is_done_and_all_else_denied(void **state)
{
    static const struct row rows[] = {
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
    begin(NULL);
    expect_all(rows, ROWS(rows));
    assert_string_equal(ask("putMemory", "{'namespace':'public.info','key':'k','value':1}"),
                        "{\"type\":\"error\",\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":"
                        "\"Access denied to namespace 'public.info'\",\"details\":{\"namespace\":"
                        "\"public.info\",\"operation\":\"write\"}}}");
    assert_string_equal(get("sensitive.x", "k"),
                        "{\"type\":\"error\",\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":"
                        "\"Access denied to namespace 'sensitive.x'\",\"details\":{\"namespace\":"
                        "\"sensitive.x\",\"operation\":\"read\"}}}");
    guarded_close(&g);
}

static void grants_of_their_own_stand_in_place(void **state)
{
    static const char *const exact[] = {"public.info", "a*z.x"};
    static const struct row rows[] = {
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
    begin(&p);
    expect_all(rows, ROWS(rows));
    guarded_close(&g);
}

/* Who is not to know of a namespace is not told what else would be wrong either. */
static void permission_is_asked_before_validity(void **state)
{
    static const struct row rows[] = {
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
    begin(NULL);
    expect_all(rows, ROWS(rows));
    guarded_close(&g);
}

/* However a name is written, what is asked for is what was permitted. */
static void a_name_is_one_name_all_along(void **state)
{
    (void)state;
    begin(NULL);
    guarded_put(&g, "zoe", "secret.x", "k", "\"plover\"");
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
        const char *answer = say("getMemory", odd[i]);
        if (!strstr(answer, "\"error\"") || strstr(answer, "plover"))
            fail_msg("%s: %s", odd[i], answer);
    }
    guarded_close(&g);
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
    begin(&p);
    static const char call[] = "{'name':'putMemory','arguments':{'namespace':'session.x','key':"
                               "'k','value':1},'_meta':{'dev.stemma/agent_id':'%s'}}";
    char params[300];
    snprintf(params, sizeof(params), call, "ash");
    assert_non_null(strstr(guarded_ask(&g, "tools/call", params), DENIED));
    snprintf(params, sizeof(params), call, "bo");
    assert_null(strstr(guarded_ask(&g, "tools/call", params), DENIED));
    guarded_close(&g);
}

/* ---- names ---- */

static const char *chars(char c, size_t count)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addchars(&out, c, count);
    const char *text = arena_strndup(&g.f.arena, out.buf, out.len);
    strbuf_release(&out);
    return text;
}

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
    grant_all(&p);
    begin(&p);
    for (size_t i = 0; i < ROWS(good); i++)
        put(good[i], "k", "1");
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = list(bad[i]);
        if (strcmp(code_of(answer), INVALID) != 0)
            fail_msg("namespace %s: %s", bad[i], answer);
    }
    for (size_t i = 0; i < ROWS(good_keys); i++) {
        put("n", good_keys[i], "1");
        assert_string_equal(answer_text(&g.f, get("n", good_keys[i]), "key"), good_keys[i]);
    }
    for (size_t i = 0; i < ROWS(bad_keys); i++) {
        const char *answer =
            ask("putMemory", "{'namespace':'n','key':'%s','value':1}", bad_keys[i]);
        if (strcmp(code_of(answer), INVALID) != 0)
            fail_msg("key %s: %s", bad_keys[i], answer);
        answer = get("n", bad_keys[i]);
        if (strcmp(code_of(answer), INVALID) != 0)
            fail_msg("key %s: %s", bad_keys[i], answer);
    }
    guarded_close(&g);
}

static void names_are_as_long_as_they_may_be(void **state)
{
    struct permissions p;
    (void)state;
    grant_all(&p);
    begin(&p);
    put(chars('n', 100), "k", "1");
    put("n", chars('k', 200), "1");
    assert_string_equal(answer_text(&g.f, get("n", chars('k', 200)), "key"), chars('k', 200));
    assert_string_equal(code_of(list(chars('n', 101))), INVALID);
    assert_string_equal(code_of(list(chars('n', 100000))), INVALID);
    assert_string_equal(code_of(get("n", chars('k', 201))), INVALID);
    assert_string_equal(
        code_of(ask("putMemory", "{'namespace':'n','key':'%s','value':1}", chars('k', 201))),
        INVALID);
    guarded_close(&g);
}

/* ---- values ---- */

static void a_value_is_any_json(void **state)
{
    static const char *const values[] = {
        "null",  "true",   "false", "0",
        "-0",    "-1.5e3", "1e-7",  "123456789012345678901234567890",
        "\"\"",  "[]",     "{}",    "\"\\u0000\\u0001\\ud83d\\udc24\\\"\\\\/\"",
        "\"ü\"", "[[[]]]", "1.10",  "{\"a\":{\"b\":[null,1,\"x\"]},\"\":0}",
    };
    static const char *const none[] = {
        "01",     "1.",  ".5",    "+1",    "NaN",   "tru", "[1,]",    "{\"a\":1,}",
        "\"\t\"", "nul", "[1 2]", "1E400", "{a:1}", "-",   "\"\\x\"", "\"\\ud80\""};
    struct permissions p;
    (void)state;
    grant_all(&p);
    begin(&p);
    for (size_t i = 0; i < ROWS(values); i++) {
        put("n", "k", values[i]);
        struct json_slice value = answer_at(get("n", "k"), "value");
        if (value.len != strlen(values[i]) || memcmp(value.ptr, values[i], value.len) != 0)
            fail_msg("%s came back as %.*s", values[i], (int)value.len, value.ptr);
    }
    assert_int_equal(answer_number(get("n", "k"), "version"), ROWS(values));
    for (size_t i = 0; i < ROWS(none); i++) {
        char arguments[100];
        snprintf(arguments, sizeof(arguments), "{'namespace':'n','key':'k','value':%s}", none[i]);
        const char *answer = say("putMemory", arguments);
        if (!strstr(answer, "\"error\""))
            fail_msg("%s: %s", none[i], answer);
    }
    assert_int_equal(answer_number(get("n", "k"), "version"), ROWS(values));
    put("n", "k", " { 'a' : [ 1 , 'b  c' ] } ");
    assert_non_null(strstr(get("n", "k"), "\"value\":{\"a\":[1,\"b  c\"]}"));
    guarded_close(&g);
}

static const char *put_sized(size_t bytes)
{
    return ask("putMemory", "{'namespace':'n','key':'k','value':  '%s'  }", chars('x', bytes - 2));
}

static void a_value_is_as_large_as_it_may_be(void **state)
{
    struct permissions p;
    (void)state;
    grant_all(&p);
    begin(&p);
    assert_string_equal(put_sized(ENTRY_VALUE_MAX), "{\"success\":true}");
    assert_int_equal(answer_at(get("n", "k"), "value").len, ENTRY_VALUE_MAX);
    const char *answer = put_sized(ENTRY_VALUE_MAX + 1);
    assert_string_equal(code_of(answer), INVALID);
    assert_string_equal(answer_text(&g.f, answer, "error.message"), "Data too large");
    assert_int_equal(answer_number(get("n", "k"), "version"), 1);
    guarded_close(&g);
}

/* ---- lists ---- */

static void a_list_comes_in_pages(void **state)
{
    char key[16];
    const char *cursor = NULL;
    size_t pages = 0, seen = 0;
    (void)state;
    begin(NULL);
    for (int i = 99; i >= 0; i--) {
        snprintf(key, sizeof(key), "k%02d", i);
        put("session.p", key, "1");
    }
    do {
        const char *page =
            cursor ? ask("listMemory", "{'namespace':'session.p','limit':5,'cursor':'%s'}", cursor)
                   : ask("listMemory", "{'namespace':'session.p','limit':5}");
        assert_int_equal(answer_number(page, "total"), 100);
        assert_int_equal(answer_count(page, "keys"), 5);
        for (int i = 0; i < 5; i++, seen++) {
            char path[32];
            snprintf(path, sizeof(path), "keys.%d", i);
            snprintf(key, sizeof(key), "k%02zu", seen);
            assert_string_equal(answer_text(&g.f, page, path), key);
        }
        pages++;
        cursor = answer_at(page, "cursor").ptr ? answer_text(&g.f, page, "cursor") : NULL;
    } while (cursor);
    assert_int_equal(pages, 20);
    assert_int_equal(answer_count(list("session.p"), "keys"), 50);
    assert_int_equal(
        answer_count(ask("listMemory", "{'namespace':'session.p','limit':100}"), "keys"), 100);
    assert_null(
        answer_at(ask("listMemory", "{'namespace':'session.p','limit':100}"), "cursor").ptr);
    const char *some = ask("listMemory", "{'namespace':'session.p','prefix':'k7','cursor':''}");
    assert_int_equal(answer_number(some, "total"), 10);
    assert_string_equal(answer_text(&g.f, some, "keys.0"), "k70");
    guarded_close(&g);
}

/* What comes and goes between two pages makes no other key come twice or be skipped. */
static void a_page_goes_on_where_the_one_before_ended(void **state)
{
    (void)state;
    begin(NULL);
    for (char c = 'b'; c <= 'g'; c++)
        put("session.p", (char[]){c, '\0'}, "1");
    const char *page = ask("listMemory", "{'namespace':'session.p','limit':3}");
    const char *cursor = answer_text(&g.f, page, "cursor");
    put("session.p", "a", "1");
    put("session.p", "dd", "1");
    assert_string_equal(ask("deleteMemory", "{'namespace':'session.p','key':'d'}"),
                        "{\"success\":true}");
    page = ask("listMemory", "{'namespace':'session.p','limit':9,'cursor':'%s'}", cursor);
    answer_is(page, "keys", "['dd','e','f','g']");
    assert_int_equal(answer_number(page, "total"), 7);
    assert_string_equal(
        code_of(ask("listMemory", "{'namespace':'session.q','cursor':'%s'}", cursor)), INVALID);
    assert_string_equal(
        code_of(ask("listMemory", "{'namespace':'session.p','prefix':'d','cursor':'%s'}", cursor)),
        INVALID);
    guarded_close(&g);
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
    begin(NULL);
    put("session.p", "k", "1");
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = ask("listMemory", "{'namespace':'session.p',%s}", bad[i]);
        if (strcmp(code_of(answer), INVALID) != 0)
            fail_msg("%s: %s", bad[i], answer);
    }
    assert_string_equal(ask("listMemory", "{'namespace':'session.p','prefix':'','limit':1}"),
                        "{\"keys\":[\"k\"],\"total\":1}");
    assert_string_equal(ask("listMemory", "{'namespace':'session.p','prefix':'%%'}"),
                        "{\"keys\":[],\"total\":0}");
    guarded_close(&g);
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
    begin(NULL);
    for (size_t i = 0; i < ROWS(personal); i++) {
        put("session.r", personal[i], "7");
        const char *shown = answer_text(&g.f, list("session.r"), "keys.0");
        if (strncmp(shown, "[REDACTED]_", 11) != 0 ||
            strspn(shown + 11, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ234567") !=
                13 ||
            strlen(shown) != 24)
            fail_msg("%s is shown as %s", personal[i], shown);
        assert_string_equal(answer_text(&g.f, list("session.r"), "keys.0"), shown);
        const char *whole = get("session.r", personal[i]), *by = get("session.r", shown);
        assert_string_equal(whole, by);
        assert_string_equal(answer_text(&g.f, by, "key"), shown);
        assert_int_equal(answer_number(by, "value"), 7);
        put("session.r", shown, "8");
        assert_int_equal(answer_number(get("session.r", personal[i]), "version"), 2);
        assert_int_equal(answer_number(list("session.r"), "total"), 1);
        assert_string_equal(get("session.other", shown),
                            get("session.other", "[REDACTED]_AAAAAAAAAAAAA"));
        assert_string_equal(ask("deleteMemory", "{'namespace':'session.r','key':'%s'}", shown),
                            "{\"success\":true}");
        assert_string_equal(code_of(get("session.r", personal[i])), MISSING);
    }
    for (size_t i = 0; i < ROWS(plain); i++) {
        put("session.s", plain[i], "7");
        assert_string_equal(answer_text(&g.f, get("session.s", plain[i]), "key"), plain[i]);
        assert_non_null(strstr(keys_of("session.s"), plain[i]));
    }
    guarded_close(&g);
}

static void a_prefix_does_not_guess_at_personal_data(void **state)
{
    static const char format[] = "{'namespace':'session.r','prefix':'%s'}";
    (void)state;
    begin(NULL);
    put("session.r", "a", "1");
    put("session.r", "m.jane.doe@example.com", "1");
    put("session.r", "z", "1");
    const char *all = list("session.r"); /* in its place */
    answer_is(all, "keys.0", "'a'");
    assert_memory_equal(answer_text(&g.f, all, "keys.1"), "[REDACTED]_", 11);
    answer_is(all, "keys.2", "'z'");
    assert_string_equal(ask("listMemory", format, "m.jane"), ask("listMemory", format, "m.john"));
    assert_string_equal(ask("listMemory", format, "m.jane.doe@example.com"),
                        ask("listMemory", format, "m.jane.dof@example.com"));
    assert_int_equal(answer_number(ask("listMemory", format, "n"), "total"), 0);
    guarded_close(&g);
}

/* ---- time to live ---- */

static void what_expires_is_gone_at_that_instant(void **state)
{
    (void)state;
    begin(NULL);
    expect("", "putMemory",
           "{'namespace':'session.t','key':'k','value':'plover','ttl_seconds':10}");
    const char *found = get("session.t", "k"), *ref = answer_text(&g.f, found, "ref");
    assert_int_equal(answer_number(found, "updated_at"), FIXTURE_NOW);
    assert_int_equal(answer_number(found, "expires_at"), FIXTURE_NOW + 10000);
    pass(9999);
    assert_string_equal(get("session.t", "k"), found);
    assert_non_null(strstr(ask("memory_get", "{'ref':'%s'}", ref), "plover"));
    pass(1);
    assert_string_equal(code_of(get("session.t", "k")), MISSING);
    assert_string_equal(list("session.t"), "{\"keys\":[],\"total\":0}");
    expect(MISSING, "deleteMemory", "{'namespace':'session.t','key':'k'}");
    put("session.t", "k", "2");
    found = get("session.t", "k");
    assert_string_equal(answer_text(&g.f, found, "ref"), ref);
    assert_null(answer_at(found, "expires_at").ptr);
    assert_string_equal(ask("deleteMemory", "{'namespace':'session.t','key':'k'}"),
                        "{\"success\":true}");
    put("session.t", "k", "3");
    found = get("session.t", "k");
    assert_string_not_equal(answer_text(&g.f, found, "ref"), ref);
    assert_int_equal(answer_number(found, "version"), 1);
    guarded_close(&g);
}

static void a_time_to_live_is_checked(void **state)
{
    static const char *const bad[] = {"-1", "1.5", "'10'", "3601", "1e99", "true", "[]"};
    static const char format[] = "{'namespace':'session.t','key':'k','value':1,'ttl_seconds':%s}";
    (void)state;
    begin(NULL);
    for (size_t i = 0; i < ROWS(bad); i++) {
        const char *answer = ask("putMemory", format, bad[i]);
        if (strcmp(code_of(answer), INVALID) != 0)
            fail_msg("%s: %s", bad[i], answer);
    }
    assert_non_null(strstr(ask("putMemory", format, "3601"), "3600"));
    assert_string_equal(ask("putMemory", format, "0"), "{\"success\":true}");
    assert_string_equal(code_of(get("session.t", "k")), MISSING);
    assert_string_equal(ask("putMemory", format, "3600"), "{\"success\":true}");
    pass(3599999);
    assert_string_equal(code_of(get("session.t", "k")), "");
    put("session.t", "k", "1"); /* without one it never does */
    pass(INT64_C(1000) * 365 * 24 * 3600 * 1000);
    assert_string_equal(code_of(get("session.t", "k")), "");
    guarded_close(&g);
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
    grant_all(&p);
    p.namespaces = policies;
    p.namespace_count = ROWS(policies);
    begin(&p);
    put("n.mask", "k", PERSONAL);
    const char *found = get("n.mask", "k");
    assert_string_equal(answer_text(&g.f, found, "value.to"), "[redacted-email],[redacted-email]");
    answer_is(found, "value.password", "'[redacted]'");
    answer_is(found, "value.call", "['[redacted-phone]']");
    answer_is(found, "value.n", "5551234567");
    answer_is(found, "value.card", "'************1111'");
    answer_is(found, "value.id", "'[redacted-ssn]'");
    put("n.off", "user_email", PERSONAL);
    assert_non_null(strstr(get("n.off", "user_email"), "\"value\":" PERSONAL));
    assert_string_equal(keys_of("n.off"), "user_email");
    const char *ref = answer_text(&g.f, get("n.off", "user_email"), "ref");
    assert_null(strstr(ask("memory_get", "{'ref':'%s'}", ref), "x@y.com"));
    assert_string_equal(
        ask("putMemory", "{'namespace':'n.refuse','key':'k','value':['jane.doe@example.com']}"),
        "{\"type\":\"error\",\"error\":{\"code\":\"PII_DETECTED\",\"message\":"
        "\"PII detected in memory operation\",\"details\":{\"redacted_fields\":[\"email\"]}}}");
    const char *refused =
        ask("putMemory", "{'namespace':'n.refuse','key':'k','value':%s}", PERSONAL);
    assert_string_equal(code_of(refused), "PII_DETECTED");
    for (size_t i = 0; i < 4; i++)
        assert_non_null(
            strstr(refused, (const char *[]){"\"email\"", "\"phone\"", "\"ssn\"", "\"card\""}[i]));
    assert_null(strstr(refused, "x@y"));
    expect("PII_DETECTED", "putMemory",
           "{'namespace':'n.refuse','key':'jane.doe@example.com','value':1}");
    expect("PII_DETECTED", "putMemory",
           "{'namespace':'n.refuse','key':'k','value':{'a':'{\\'to\\':\\'x@y.com\\'}'}}");
    assert_string_equal(list("n.refuse"), "{\"keys\":[],\"total\":0}");
    put("n.refuse", "k", "{\"n\":5551234567,\"at\":\"1678886400000\"}");
    guarded_close(&g);
}

/* ---- quota ---- */

static void begin_with_policy(struct namespace_policy *policy)
{
    struct permissions p;
    grant_all(&p);
    policy->pattern = "q";
    p.namespaces = policy;
    p.namespace_count = 1;
    begin(&p);
}

static void what_does_not_fit_is_refused(void **state)
{
    static struct namespace_policy policy = {.max_items = 3, .max_bytes = 10};
    (void)state;
    begin_with_policy(&policy);
    put("q", "a", "1");
    put("q", "b", "1");
    put("q", "c", "1");
    const char *refused = ask("putMemory", "{'namespace':'q','key':'d','value':1}");
    assert_string_equal(code_of(refused), "QUOTA_EXCEEDED");
    answer_is(refused, "error.details.namespace", "'q'");
    answer_is(refused, "error.details.max_items", "3");
    answer_is(refused, "error.details.max_bytes", "10");
    put("q", "c", "12345678"); /* in the place of itself, up to the last byte */
    expect("QUOTA_EXCEEDED", "putMemory", "{'namespace':'q','key':'c','value':123456789}");
    assert_string_equal(keys_of("q"), "a b c");
    answer_is(get("q", "c"), "value", "12345678");
    assert_string_equal(ask("deleteMemory", "{'namespace':'q','key':'a'}"), "{\"success\":true}");
    put("q", "d", "1");
    assert_string_equal(keys_of("q"), "b c d");
    guarded_close(&g);
}

static void the_oldest_gives_way_where_it_may(void **state)
{
    static struct namespace_policy policy = {
        .max_items = 3, .max_bytes = 100, .evict_oldest = true};
    (void)state;
    begin_with_policy(&policy);
    put("q", "a", "1");
    pass(1);
    expect("", "putMemory", "{'namespace':'q','key':'b','value':1,'ttl_seconds':1}");
    pass(1);
    put("q", "c", "1");
    pass(2000);
    put("q", "d", "1");
    assert_string_equal(keys_of("q"), "a c d");
    put("q", "e", "1");
    assert_string_equal(keys_of("q"), "c d e");
    assert_string_equal(code_of(get("q", "a")), MISSING);
    assert_string_equal(
        code_of(ask("putMemory", "{'namespace':'q','key':'f','value':'%s'}", chars('x', 99))),
        "QUOTA_EXCEEDED");
    assert_string_equal(keys_of("q"), "c d e");
    guarded_close(&g);
}

/* ---- how often ---- */

static void refused_as_too_often(const char *answer, int64_t most)
{
    assert_string_equal(code_of(answer), "RATE_LIMITED");
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
    begin(&p);
    for (int i = 0; i < 9; i++) { /* denied and invalid calls take nothing of it */
        expect(DENIED, "listMemory", "{'namespace':'secret.x'}");
        expect(INVALID, "listMemory", "{'namespace':'session.a','limit':0}");
        expect(INVALID, "putMemory", "{'namespace':'session.a','key':'k k','value':1}");
        expect(INVALID, "putMemory",
               "{'namespace':'session.a','key':'k','value':1,'ttl_seconds':9999}");
        expect(INVALID, "getContext", "{'context_type':'none'}");
    }
    expect("", "listMemory", "{'namespace':'session.a'}");
    expect("", "listMemory", "{'namespace':'session.a'}");
    refused_as_too_often(list("session.a"), INT64_C(1000000000));
    expect("", "listMemory", "{'namespace':'session.b'}");
    for (int i = 0; i < 3; i++)
        put("session.a", "k", "1");
    refused_as_too_often(ask("putMemory", "{'namespace':'session.a','key':'k','value':1}"),
                         INT64_C(1000000000));
    assert_string_equal(code_of(get("session.a", "k")), "");
    put("session.b", "k", "1");
    expect("", "getContext", "{}");
    refused_as_too_often(ask("getContext", "{}"), INT64_C(1000000000));
    guarded_close(&g);
}

/* ---- the context ---- */

static void a_context_has_the_part_that_was_asked(void **state)
{
    (void)state;
    begin_as(NULL, "ash");
    assert_string_equal(ask("getContext", "{'context_type':'agent'}"), "{\"agent_id\":\"ash\"}");
    assert_string_equal(ask("getContext", "{'context_type':'task'}"), "{}");
    const char *session = ask("getContext", "{'context_type':'session'}");
    assert_null(answer_at(session, "agent_id").ptr);
    assert_null(answer_at(session, "tool_history").ptr);
    assert_true(answer_number(session, "memory_usage.tokens_used") > 0);
    answer_is(session, "memory_usage.tokens_estimated", "true");
    answer_is(session, "memory_usage.usd_spent", "0");
    assert_int_equal(strlen(answer_text(&g.f, session, "session_id")), 36);
    assert_int_equal(strlen(answer_text(&g.f, session, "start_time")), 24);
    const char *all = ask("getContext", "{}");
    answer_is(all, "agent_id", "'ash'");
    assert_string_equal(answer_text(&g.f, all, "session_id"),
                        answer_text(&g.f, session, "session_id"));
    assert_true(answer_number(all, "memory_usage.tokens_used") >
                answer_number(session, "memory_usage.tokens_used"));
    expect(INVALID, "getContext", "{'context_type':'Session'}");
    expect(INVALID, "getContext", "{'context_type':7}");
    expect(INVALID, "getContext", "{'context_type':''}");
    expect(INVALID, "getContext", "{'include_history':1}");
    guarded_close(&g);
}

static void parts_that_are_not_granted_are_denied(void **state)
{
    struct permissions p;
    (void)state;
    permissions_init(&p);
    p.grant[MEMORY_TOOL_CONTEXT].contexts = CONTEXT_AGENT;
    begin_as(&p, "ash");
    assert_string_equal(ask("getContext", "{}"), "{\"agent_id\":\"ash\"}");
    expect("", "getContext", "{'context_type':'agent'}");
    expect(DENIED, "getContext", "{'context_type':'session'}");
    expect(DENIED, "getContext", "{'context_type':'task','include_history':7}");
    expect(INVALID, "getContext", "{'context_type':'none'}");
    permissions_init(&p);
    p.grant[MEMORY_TOOL_CONTEXT].contexts = 0;
    guarded_rules(&g, &p);
    expect(DENIED, "getContext", "{}");
    guarded_close(&g);
}

static void a_history_has_every_call_of_the_session(void **state)
{
    (void)state;
    begin(NULL);
    put("session.h", "k", "1");
    expect(DENIED, "getMemory", "{'namespace':'secret.x','key':'k'}");
    expect("", "memory_raw", "{'blob':'r'}");
    expect(INVALID, "memory_raw", "{}");
    const char *all = ask("getContext", "{'include_history':true}");
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
        assert_int_equal(strlen(answer_text(&g.f, all, path)), 24);
    }
    guarded_close(&g);
}

static void many_calls_are_told_of_up_to_a_limit(void **state)
{
    (void)state;
    begin(NULL);
    for (int i = 0; i < SESSION_PAST_MAX + 7; i++)
        ask("getMemory", "{'namespace':'session.h','key':'k%d'}", i);
    const char *all = ask("getContext", "{'include_history':true}");
    assert_int_equal(answer_count(all, "tool_history"), SESSION_PAST_MAX);
    assert_int_equal(answer_number(all, "history_omitted"), 7);
    guarded_close(&g);
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
    begin(NULL);
    for (size_t i = 0; i < ROWS(eras); i++) {
        snprintf(params, sizeof(params),
                 "{'name':'getContext','arguments':{},'_meta':{%s'dev.stemma/agent_id':'bo',"
                 "'dev.stemma/task_id':'t 1','dev.stemma/usd_spent':%zu.5,'traceparent':"
                 "'00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'}}",
                 eras[i], i);
        const char *line = guarded_ask(&g, "tools/call", params);
        answer_is(line, "result.structuredContent.agent_id", "'bo'");
        answer_is(line, "result.structuredContent.task_id", "'t 1'");
        answer_is(line, "result.structuredContent.memory_usage.usd_spent", i ? "1.5" : "0.5");
        for (size_t k = 0; k < ROWS(wrong); k++) {
            snprintf(params, sizeof(params), "{'name':'getContext','arguments':{},'_meta':{%s%s}}",
                     eras[i], wrong[k]);
            line = guarded_ask(&g, "tools/call", params);
            if (!strstr(line, "-32602"))
                fail_msg("%s: %s", wrong[k], line);
        }
        snprintf(params, sizeof(params), "{'name':'getContext','arguments':{},'_meta':{%s'x':1}}",
                 eras[i]);
        line = guarded_ask(&g, "tools/call", params);
        assert_null(answer_at(line, "result.structuredContent.agent_id").ptr);
        assert_null(answer_at(line, "result.structuredContent.task_id").ptr);
    }
    guarded_close(&g);
}

/* ---- what a person decided ---- */

static void what_a_person_protected_stays(void **state)
{
    static const struct actor person = {
        .class = ACTOR_PERSON, .name = "claire", .origin = "explorer"};
    struct error e = {0};
    struct request q = REQUEST_INIT;
    struct plan plan;
    (void)state;
    begin(NULL);
    put("session.x", "k", "1");
    const char *ref = answer_text(&g.f, get("session.x", "k"), "ref");
    q.refs = &ref;
    q.ref_count = 1;
    if (operation_run_now(g.f.store, &person, OPERATION_PROTECT, &q, &g.f.arena, &plan, &e))
        fail_msg("%s", e.what);
    expect(DENIED, "putMemory", "{'namespace':'session.x','key':'k','value':2}");
    expect(DENIED, "deleteMemory", "{'namespace':'session.x','key':'k'}");
    answer_is(get("session.x", "k"), "value", "1");
    guarded_close(&g);
}

static void what_is_made_of_an_entry_rests_on_it(void **state)
{
    (void)state;
    begin(NULL);
    put("session.x", "k", "1");
    const char *ref = answer_text(&g.f, get("session.x", "k"), "ref");
    const char *belief = answer_text(
        &g.f, ask("memory_belief", "{'statement':'s','derived_from':['%s']}", ref), "ref");
    assert_non_null(strstr(ask("memory_lineage", "{'ref':'%s'}", belief), ref));
    assert_non_null(strstr(ask("memory_whatif", "{'refs':['%s']}", ref), belief));
    guarded_close(&g);
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
        cmocka_unit_test(names_are_as_long_as_they_may_be),
        cmocka_unit_test(a_value_is_any_json),
        cmocka_unit_test(a_value_is_as_large_as_it_may_be),
        cmocka_unit_test(a_list_comes_in_pages),
        cmocka_unit_test(a_page_goes_on_where_the_one_before_ended),
        cmocka_unit_test(limits_and_cursors_are_checked),
        cmocka_unit_test(keys_with_personal_data_are_shown_by_a_hash),
        cmocka_unit_test(a_prefix_does_not_guess_at_personal_data),
        cmocka_unit_test(what_expires_is_gone_at_that_instant),
        cmocka_unit_test(a_time_to_live_is_checked),
        cmocka_unit_test(each_namespace_has_its_policy),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_oldest_gives_way_where_it_may),
        cmocka_unit_test(calls_are_counted_by_tool_and_namespace),
        cmocka_unit_test(a_context_has_the_part_that_was_asked),
        cmocka_unit_test(parts_that_are_not_granted_are_denied),
        cmocka_unit_test(a_history_has_every_call_of_the_session),
        cmocka_unit_test(many_calls_are_told_of_up_to_a_limit),
        cmocka_unit_test(meta_says_for_whom_a_request_is),
        cmocka_unit_test(what_a_person_protected_stays),
        cmocka_unit_test(what_is_made_of_an_entry_rests_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
