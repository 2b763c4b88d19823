/* Grants, patterns and policies: fixed cases, and comparison with slow implementations. */
#include "model/policy/permission.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define EACH(list) (size_t at = 0; at < sizeof(list) / sizeof((list)[0]); at++)

/* ---- names ---- */

TEST(tools_have_their_names)
{
    static const char *const names[] = {"listMemory", "getContext", "putMemory", "getMemory",
                                        "deleteMemory"};
    static const enum access access[] = {ACCESS_READ, ACCESS_READ, ACCESS_WRITE, ACCESS_READ,
                                         ACCESS_WRITE};
    for
        EACH(names)
        {
            assert_string_equal(memory_tool_name((enum memory_tool)at), names[at]);
            assert_int_equal(memory_tool_from_name(names[at]), at);
            assert_int_equal(memory_tool_access((enum memory_tool)at), access[at]);
        }
    assert_int_equal(memory_tool_from_name("listmemory"), -1);
    assert_int_equal(memory_tool_from_name(""), -1);
    assert_string_equal(access_name(ACCESS_READ), "read");
    assert_string_equal(access_name(ACCESS_WRITE), "write");
    assert_string_equal(pii_policy_name(PII_MASK), "mask");
    assert_string_equal(pii_policy_name(PII_REFUSE), "refuse");
    assert_string_equal(pii_policy_name(PII_OFF), "off");
}

TEST(namespaces_are_words_separated_by_dots)
{
    static const char *const valid[] = {"a", "session.data", "A-_.9", "a.b.c.d", "-", "0"};
    static const char *const invalid[] = {"",     ".",  "a.",  ".a",  "a..b",     "a b",
                                          "a/b",  "a*", "é",   "a\n", "session.", "a,b",
                                          "a.b.", "..", "a:b", "a@b", "\x7f",     "a\x80"};
    char longest[NAMESPACE_MAX + 2];
    for
        EACH(valid)
    assert_true(namespace_is_valid(valid[at], strlen(valid[at])));
    for
        EACH(invalid)
    assert_false(namespace_is_valid(invalid[at], strlen(invalid[at])));
    assert_false(namespace_is_valid("a\0b", 3));
    memset(longest, 'x', sizeof(longest));
    assert_true(namespace_is_valid(longest, NAMESPACE_MAX));
    assert_false(namespace_is_valid(longest, NAMESPACE_MAX + 1));
}

TEST(keys_have_a_limited_alphabet)
{
    static const char *const valid[] = {"a", "user:42/email@x.y", "..", "/", "A-b_c", "@", "-"};
    static const char *const invalid[] = {"", " ", "a b", "a*", "é", "a\n", "a\"", "a,", "\\"};
    char longest[ENTRY_KEY_MAX + 2];
    for
        EACH(valid)
    assert_true(entry_key_is_valid(valid[at], strlen(valid[at])));
    for
        EACH(invalid)
    assert_false(entry_key_is_valid(invalid[at], strlen(invalid[at])));
    assert_false(entry_key_is_valid("a\0b", 3));
    memset(longest, 'x', sizeof(longest));
    assert_true(entry_key_is_valid(longest, ENTRY_KEY_MAX));
    assert_false(entry_key_is_valid(longest, ENTRY_KEY_MAX + 1));
}

/* ---- patterns ---- */

TEST(a_star_matches_any_run)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"session.*", "session.data", true},
        {"session.*", "session.a.b", true},
        {"session.*", "session", false},
        {"session.*", "sessions", false},
        {"session.*", "sessionX.data", false},
        {"session.*", "Session.data", false},
        {"session.*", "a.session.data", false},
        {"session", "session", true},
        {"session", "session.data", false},
        {"Session", "session", false},
        {"*", "anything.at.all", true},
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"**", "a", true},
        {"*.data", "session.data", true},
        {"*.data", "session.data.more", false},
        {"a*b*c", "aXbXbc", true},
        {"a*b*c", "acb", false},
        {"a?c", "abc", false},
        {"a?c", "a?c", true},
        {"[ab]", "a", false},
        {"a.c", "abc", false},
        {"*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for
        EACH(cases)
    assert_int_equal(namespace_matches(cases[at].pattern, cases[at].name, NULL), cases[at].matches);
}

static bool matches_slowly(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return matches_slowly(pattern + 1, name) || (*name && matches_slowly(pattern, name + 1));
    if (!*pattern || !*name)
        return *pattern == *name;
    return *pattern == *name && matches_slowly(pattern + 1, name + 1);
}

static void letters(struct random *r, char *out, uint32_t most, const char *of, uint32_t count)
{
    uint32_t len = random_below(r, most);
    for (uint32_t i = 0; i < len; i++)
        out[i] = of[random_below(r, count)];
    out[len] = '\0';
}

TEST(matching_agrees_with_a_slow_matcher)
{
    struct random r = {11};
    int matched = 0;
    for (int round = 0; round < 100000; round++) {
        char pattern[10], name[14];
        letters(&r, pattern, sizeof(pattern), "ab.**", 5);
        letters(&r, name, sizeof(name), "ab.", 3);
        bool expected = matches_slowly(pattern, name);
        assert_int_equal(namespace_matches(pattern, name, NULL), expected);
        matched += expected;
    }
    assert_in_range(matched, 5000, 95000);
}

TEST(a_long_pattern_is_matched_fast)
{
    char pattern[NAMESPACE_PATTERN_MAX + 1], name[NAMESPACE_MAX + 1];
    for (size_t i = 0; i < NAMESPACE_PATTERN_MAX; i++)
        pattern[i] = i % 2 ? 'a' : '*';
    pattern[NAMESPACE_PATTERN_MAX - 2] = 'b'; /* what backtracking would search for without end */
    pattern[NAMESPACE_PATTERN_MAX] = '\0';
    memset(name, 'a', NAMESPACE_MAX);
    name[NAMESPACE_MAX] = '\0';
    for (int n = 0; n < 1000; n++)
        assert_false(namespace_matches(pattern, name, NULL));
}

TEST(a_pattern_must_be_able_to_match)
{
    static const char *const valid[] = {"*",  "a",     "session.*", "*.x-_9",
                                        "**", "*.*.*", "a.*.b",     "s*.w"};
    static const char *const invalid[] = {"",   "a b", "a/b",  "a?", "[a]", "é",  "a\n", "{a,b}",
                                          "..", ".",   "a..b", "a.", ".a",  "*.", ".*",  "a..*"};
    char longest[NAMESPACE_PATTERN_MAX + 2];
    for
        EACH(valid)
    assert_true(namespace_pattern_is_valid(valid[at], strlen(valid[at])));
    for
        EACH(invalid)
    assert_false(namespace_pattern_is_valid(invalid[at], strlen(invalid[at])));
    memset(longest, '*', sizeof(longest));
    assert_true(namespace_pattern_is_valid(longest, NAMESPACE_PATTERN_MAX));
    assert_false(namespace_pattern_is_valid(longest, NAMESPACE_PATTERN_MAX + 1));
}

TEST(self_is_the_name_of_the_caller)
{
    static const struct {
        const char *pattern, *name, *self;
        bool matches;
    } cases[] = {
        {"agent.{self}.*", "agent.ash.x", "ash", true},
        {"agent.{self}.*", "agent.claire.x", "ash", false},
        {"agent.{self}", "agent.ash", "ash", true},
        {"agent.{self}.*", "agent.ash.x", NULL, false},
        {"{self}.{self}", "ash.ash", "ash", true},
        {"*", "agent.ash.x", NULL, true},
        /* A name that is no part of a namespace has none of its own, nor reaches into another's. */
        {"agent.{self}.*", "agent.claire.x", "*", false},
        {"agent.{self}.*", "agent.a.b.x", "a.b", false},
        {"agent.{self}.*", "agent..x", "", false},
        {"agent.{self}.*", "agent.{self}.x", "{self}", false},
    };
    for
        EACH(cases)
    assert_int_equal(namespace_matches(cases[at].pattern, cases[at].name, cases[at].self),
                     cases[at].matches);
    assert_true(namespace_pattern_is_valid("agent.{self}.*", 14));
    assert_false(namespace_pattern_is_valid("agent.{sel}.*", 13));
    assert_false(namespace_pattern_is_valid("agent.{self", 11));
}

/* The sign is in front, so that no cut label looks like a granted name. */
TEST(a_claimed_name_is_marked)
{
    AUTO_ARENA arena = ARENA_INIT;
    assert_string_equal(agent_label(&arena, AGENT_UNNAMED, "claire"), "?claire");
    assert_string_equal(agent_label(&arena, AGENT_UNNAMED, NULL), AGENT_UNNAMED);
    assert_string_equal(agent_label(&arena, "ash", "claire"), "ash");
    assert_null(agent_label(&arena, NULL, "claire"));
}

/* ---- grants ---- */

TEST(an_agent_writes_only_what_is_its_own)
{
    struct permissions p;
    permissions_init(&p);
    const enum memory_tool tools[] = {MEMORY_TOOL_PUT, MEMORY_TOOL_DELETE};
    for
        EACH(tools)
        {
            assert_true(permission_allows(&p, "ash", tools[at], "agent.ash", ACCESS_WRITE));
            assert_true(permission_allows(&p, "ash", tools[at], "agent.ash.x", ACCESS_WRITE));
            assert_false(permission_allows(&p, "ash", tools[at], "agent.boss", ACCESS_WRITE));
            assert_false(permission_allows(&p, "ash", tools[at], "agent.boss.x", ACCESS_WRITE));
        }
    assert_false(permission_reads(&p, "ash", "agent.boss.x", ENTRY_BY_REF));
    permissions_release(&p);
}

TEST(the_defaults_are_as_documented)
{
    static const struct {
        enum memory_tool tool;
        const char *name;
        bool allowed;
    } cases[] = {
        {MEMORY_TOOL_LIST, "session.data", true},     {MEMORY_TOOL_LIST, "session.a.b", true},
        {MEMORY_TOOL_LIST, "agent.x", false},         {MEMORY_TOOL_LIST, "public.info", true},
        {MEMORY_TOOL_LIST, "session", false},         {MEMORY_TOOL_LIST, "sessions", false},
        {MEMORY_TOOL_LIST, "sessionX.data", false},   {MEMORY_TOOL_LIST, "sensitive", false},
        {MEMORY_TOOL_GET, "public.info", true},       {MEMORY_TOOL_GET, "sensitive.x", false},
        {MEMORY_TOOL_PUT, "session.data", true},      {MEMORY_TOOL_PUT, "agent.x", false},
        {MEMORY_TOOL_PUT, "public.info", false},      {MEMORY_TOOL_PUT, "Session.data", false},
        {MEMORY_TOOL_DELETE, "agent.x", false},       {MEMORY_TOOL_DELETE, "public.info", false},
        {MEMORY_TOOL_CONTEXT, "session.data", false},
    };
    struct permissions p;
    permissions_init(&p);
    for
        EACH(cases)
        {
            enum memory_tool tool = cases[at].tool;
            enum access needed = memory_tool_access(tool);
            enum access other = needed == ACCESS_READ ? ACCESS_WRITE : ACCESS_READ;
            assert_int_equal(permission_allows(&p, NULL, tool, cases[at].name, needed),
                             cases[at].allowed);
            assert_int_equal(permission_allows(&p, "ash", tool, cases[at].name, needed),
                             cases[at].allowed);
            assert_false(permission_allows(&p, NULL, tool, cases[at].name, other));
        }
    assert_int_equal(permission_grant(&p, NULL, MEMORY_TOOL_PUT)->max_ttl_seconds, 3600);
    assert_int_equal(permission_grant(&p, NULL, MEMORY_TOOL_DELETE)->max_ttl_seconds, 3600);
    assert_int_equal(permission_grant(&p, NULL, MEMORY_TOOL_LIST)->max_ttl_seconds, -1);
    assert_int_equal(permission_contexts(&p, NULL), CONTEXT_SESSION | CONTEXT_AGENT | CONTEXT_TASK);
    assert_true(p.mask);
    assert_false(p.share);
    permissions_release(&p);
}

TEST(released_permissions_grant_nothing)
{
    struct permissions p;
    permissions_init(&p);
    permissions_release(&p);
    for (int t = 0; t < MEMORY_TOOL_COUNT; t++)
        assert_null(permission_grant(&p, NULL, (enum memory_tool)t));
    assert_int_equal(permission_contexts(&p, NULL), 0);
    assert_false(permission_allows(&p, NULL, MEMORY_TOOL_LIST, "session.x", ACCESS_READ));
    assert_true(p.mask);
}

/* Entries in a list need permission to read and list; entries by ref only to read. */
TEST(entries_in_lists_need_list_and_read)
{
    static const char *const here[] = {"here.*"};
    for (unsigned given = 0; given < 4; given++) {
        struct permissions p = {.share = true};
        struct grant some = {.given = true, .namespaces = here, .namespace_count = 1};
        some.operations = given & 1 ? ACCESS_READ : ACCESS_WRITE;
        p.grant[MEMORY_TOOL_GET] = some;
        some.operations = given & 2 ? ACCESS_READ : ACCESS_WRITE;
        p.grant[MEMORY_TOOL_LIST] = some;
        assert_int_equal(permission_reads(&p, "ash", "here.x", ENTRY_BY_REF), given & 1);
        assert_int_equal(permission_reads(&p, "ash", "here.x", ENTRY_IN_LIST), given == 3);
        assert_false(permission_reads(&p, "ash", "there.x", ENTRY_BY_REF));
        assert_false(permission_reads(&p, "ash", "there.x", ENTRY_IN_LIST));
    }
}

/*
 * All combinations of given grants for the general list, general get, agent's list and agent's get:
 * which grant a getMemory uses. The same for putMemory and deleteMemory.
 */
TEST(the_most_specific_grant_counts)
{
    static const enum memory_tool pairs[][2] = {{MEMORY_TOOL_GET, MEMORY_TOOL_LIST},
                                                {MEMORY_TOOL_DELETE, MEMORY_TOOL_PUT}};
    for
        EACH(pairs)
        {
            enum memory_tool tool = pairs[at][0], instead = pairs[at][1];
            for (unsigned given = 0; given < 16; given++) {
                struct agent_grants ash = {.agent = "ash"};
                struct permissions p = {.agents = &ash, .agent_count = 1};
                struct grant *nearest[] = {&ash.grant[tool], &p.grant[tool], &ash.grant[instead],
                                           &p.grant[instead]};
                const struct grant *hers = NULL, *others = NULL;
                for (int n = 3; n >= 0; n--) {
                    nearest[n]->given = given >> n & 1;
                    hers = nearest[n]->given ? nearest[n] : hers;
                    others = nearest[n]->given && n % 2 ? nearest[n] : others;
                }
                assert_ptr_equal(permission_grant(&p, "ash", tool), hers);
                assert_ptr_equal(permission_grant(&p, "claire", tool), others);
                assert_ptr_equal(permission_grant(&p, "Ash", tool), others);
                assert_ptr_equal(permission_grant(&p, NULL, tool), others);
            }
        }
}

TEST(an_empty_grant_grants_nothing)
{
    static const char *const all[] = {"*"};
    struct agent_grants ash = {.agent = "ash", .grant[MEMORY_TOOL_PUT].given = true};
    struct permissions p = {.agents = &ash, .agent_count = 1};
    p.grant[MEMORY_TOOL_PUT] = (struct grant){.given = true,
                                              .namespaces = all,
                                              .namespace_count = 1,
                                              .operations = ACCESS_READ | ACCESS_WRITE};
    p.grant[MEMORY_TOOL_CONTEXT] = (struct grant){.given = true, .contexts = CONTEXT_TASK};
    assert_true(permission_allows(&p, "claire", MEMORY_TOOL_PUT, "x", ACCESS_WRITE));
    assert_false(permission_allows(&p, "ash", MEMORY_TOOL_PUT, "x", ACCESS_WRITE));
    assert_false(permission_allows(&p, "ash", MEMORY_TOOL_DELETE, "x", ACCESS_WRITE));
    assert_false(permission_allows(&p, NULL, MEMORY_TOOL_LIST, "x", ACCESS_READ));
    assert_int_equal(permission_contexts(&p, NULL), 0); /* it must not read */
}

/* ---- policies ---- */

TEST(the_closest_policy_counts)
{
    struct namespace_policy policies[] = {
        {.pattern = "*"},          {.pattern = "session.*"}, {.pattern = "*.secret"},
        {.pattern = "session.ab"}, {.pattern = "*.sicret"},  {.pattern = "sess*.*.*"},
    };
    static const struct {
        const char *name, *pattern;
    } cases[] = {
        {"anything", "*"},
        {"session.x", "session.*"},
        {"session.ab", "session.ab"},
        {"session.abc", "session.*"},
        {"x.secret", "*.secret"},
        {"session.secret", "session.*"}, /* longer than *.secret */
        {"session.a.b", "session.*"},    /* of equal length, so the first */
    };
    struct permissions p = {.namespaces = policies,
                            .namespace_count = sizeof(policies) / sizeof(policies[0])};
    struct permissions none = {0};
    for
        EACH(cases)
    assert_string_equal(permission_policy(&p, cases[at].name)->pattern, cases[at].pattern);
    const struct namespace_policy *at_first = permission_policy(&none, "x");
    assert_int_equal(at_first->pii, PII_MASK);
    assert_int_equal(at_first->max_items, 0);
    assert_int_equal(at_first->max_bytes, 0);
    assert_false(at_first->evict_oldest);
    assert_ptr_equal(permission_policy(&p, NULL), at_first);
}

TEST(a_namespace_may_have_its_own_rates)
{
    struct namespace_policy policies[] = {{.pattern = "a.*"}, {.pattern = "b.*"}};
    struct permissions p = {.namespaces = policies, .namespace_count = 2};
    p.rate[MEMORY_TOOL_PUT].burst = 5;
    policies[0].has_rate[MEMORY_TOOL_PUT] = true; /* none at all */
    policies[1].has_rate[MEMORY_TOOL_LIST] = true;
    policies[1].rate[MEMORY_TOOL_LIST].burst = 7;
    assert_int_equal(permission_rate(&p, MEMORY_TOOL_PUT, "a.x")->burst, 0);
    assert_int_equal(permission_rate(&p, MEMORY_TOOL_PUT, "b.x")->burst, 5);
    assert_int_equal(permission_rate(&p, MEMORY_TOOL_LIST, "b.x")->burst, 7);
    assert_int_equal(permission_rate(&p, MEMORY_TOOL_LIST, "a.x")->burst, 0);
    assert_int_equal(permission_rate(&p, MEMORY_TOOL_PUT, NULL)->burst, 5);
}
