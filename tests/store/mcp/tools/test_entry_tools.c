/*
 * The tools of shared memory through a server, checked against their specification: permissions, validation, answers,
 * refusals and their details.
 */
#include "store/ops/operation.h"
#include "tests/support/entry_calls.h"
#include "tests/support/test.h"

/* ---- personal data ---- */

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

TEST(oldest_entry_is_evicted_if_allowed)
{
    static struct namespace_policy policy = {
        .max_items = 3, .max_bytes = 100, .evict_oldest = true};
    begin_with_policy(&policy);
    calls_put("q", "a", "1");
    calls_advance(1);
    calls_expect("", "putMemory", "{'namespace':'q','key':'b','value':1,'ttl_seconds':1}");
    calls_advance(1);
    calls_put("q", "c", "1");
    calls_advance(2000);
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

/* ---- lists ---- */

TEST(a_list_comes_in_pages)
{
    char key[16];
    const char *cursor = NULL;
    size_t pages = 0, seen = 0;
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

/* ---- keys with personal data ---- */

TEST(keys_with_personal_data_are_shown_by_a_hash)
{
    static const char *const personal[] = {
        "user_email",  "email", "PHONE.home",           "a:ssn",   "x/password",
        "my-secret-1", "token", "jane.doe@example.com", "Token_x", "tel/555-123-4567",
    };
    static const char *const plain[] = {"secretary", "tokens_used", "emails", "telephone",
                                        "passwords", "ssn2",        "k"};
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

/* The total does not reveal keys that the configuration's patterns hide, even keys that are older than the pattern,
 * and more than are counted at once. */
TEST(prefix_does_not_reveal_hidden_keys)
{
    static const char format[] = "{'namespace':'session.r','prefix':'%s'}";
    char key[16];
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
    calls_advance(10000);
    assert_int_equal(answer_number(calls_ask("listMemory", format, "open"), "total"), 3);
    calls_end();
}

/* ---- time to live ---- */

TEST(expired_entry_is_gone_at_once)
{
    calls_begin(NULL, NULL);
    calls_expect("", "putMemory",
                 "{'namespace':'session.t','key':'k','value':'plover','ttl_seconds':10}");
    const char *found = calls_get("session.t", "k"),
               *ref = answer_text(&calls_served.f, found, "ref");
    assert_int_equal(answer_number(found, "updated_at"), FIXTURE_NOW);
    assert_int_equal(answer_number(found, "expires_at"), FIXTURE_NOW + 10000);
    calls_advance(9999);
    assert_string_equal(calls_get("session.t", "k"), found);
    assert_non_null(strstr(calls_ask("memory_get", "{'ref':'%s','detail':'full'}", ref), "plover"));
    calls_advance(1);
    assert_string_equal(calls_code(calls_get("session.t", "k")), MISSING);
    assert_string_equal(calls_list("session.t"), "{\"keys\":[],\"total\":0}");
    calls_expect(MISSING, "deleteMemory", "{'namespace':'session.t','key':'k'}");
    assert_null(strstr(calls_ask("memory_get", "{'ref':'%s','detail':'full'}", ref), "plover"));
    assert_null(strstr(calls_ask("memory_history", "{'ref':'%s','format':'json'}", ref), "plover"));
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

TEST(a_time_to_live_is_checked)
{
    static const char *const bad[] = {"-1", "1.5", "'10'", "3601", "1e99", "true", "[]"};
    static const char format[] = "{'namespace':'session.t','key':'k','value':1,'ttl_seconds':%s}";
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
    calls_advance(3599999);
    assert_string_equal(calls_code(calls_get("session.t", "k")), "");
    calls_put("session.t", "k", "1"); /* without ttl_seconds it never expires */
    calls_advance(INT64_C(1000) * 365 * 24 * 3600 * 1000);
    assert_string_equal(calls_code(calls_get("session.t", "k")), "");
    calls_end();
}
