/* What a configuration says of agents: read as it stands, or refused with the line that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "tui/config/config.h"

static struct config c;

static int parse_bytes(const char *text, size_t len, struct error *e)
{
    config_init(&c);
    *e = (struct error){0};
    return config_parse(&c, "test.yaml", text, len, e);
}

static void assert_read(const char *text)
{
    struct error e;
    if (parse_bytes(text, strlen(text), &e))
        fail_msg("%s\n%s", e.what, text);
}

/* Of one that is right it is said here that it is wrong there. */
struct wrong {
    const char *text;
    int line;
    const char *what;
};

static void assert_refused(const struct wrong *w)
{
    struct error e;
    char what[512];
    snprintf(what, sizeof(what), "test.yaml line %d: %s", w->line, w->what);
    assert_int_equal(parse_bytes(w->text, strlen(w->text), &e), -1);
    assert_string_equal(e.what, what);
    assert_int_equal(e.code, ERROR_INVALID);
    assert_true(strlen(e.todo) > 0);
    config_release(&c);
}
#define ALL_REFUSED(list)                                                                          \
    for (size_t at = 0; at < sizeof(list) / sizeof((list)[0]); at++)                               \
    assert_refused(&(list)[at])

/* ---- what is right ---- */

/* Of an agent. */
#define NO_GRANTS "{listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}}"

static void grants_are_read(void **state)
{
    (void)state;
    assert_read("tool_permissions:\n"
                "  listMemory:\n"
                "    allowed_namespaces:\n"
                "      - \"*\"\n"
                "      - notes.*\n"
                "    operations: [READ]\n"
                "  putMemory: {allowed_namespaces: [a], operations: [write, read],\n"
                "              max_ttl_seconds: 0}\n"
                "  getContext: {allowed_context_types: [task], operations: [read]}\n"
                "  deleteMemory: {}\n");
    const struct permissions *p = &c.permissions;
    const struct grant *list = &p->grant[MEMORY_TOOL_LIST], *put = &p->grant[MEMORY_TOOL_PUT];
    assert_int_equal(list->namespace_count, 2);
    assert_string_equal(list->namespaces[0], "*");
    assert_string_equal(list->namespaces[1], "notes.*");
    assert_int_equal(list->operations, ACCESS_READ);
    assert_int_equal(list->max_ttl_seconds, -1);
    assert_int_equal(put->operations, ACCESS_READ | ACCESS_WRITE);
    assert_int_equal(put->max_ttl_seconds, 0);
    assert_int_equal(permission_contexts(p, NULL), CONTEXT_TASK);
    assert_false(p->grant[MEMORY_TOOL_GET].given);
    assert_true(permission_allows(p, NULL, MEMORY_TOOL_GET, "anything", ACCESS_READ));
    assert_false(permission_allows(p, NULL, MEMORY_TOOL_DELETE, "a", ACCESS_WRITE));
    config_release(&c);
}

/* To leave a tool out is to deny it, and so is to leave out what it may do where. */
static void what_is_not_granted_is_denied(void **state)
{
    static const char *const nothing[] = {
        "tool_permissions: {}\n",
        "tool_permissions: {listMemory: {}, getContext: {}, putMemory: {}}\n",
        "tool_permissions: {listMemory: {operations: [read]}, putMemory: {operations: [write]},\n"
        "  getContext: {operations: [read]}}\n",
        "tool_permissions: {listMemory: {allowed_namespaces: ['*']},\n"
        "  putMemory: {allowed_namespaces: ['*']}, getContext: {allowed_context_types: [task]}}\n",
        "tool_permissions: {listMemory: {allowed_namespaces: [], operations: []}}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
        assert_read(nothing[i]);
        for (int t = 0; t < MEMORY_TOOL_COUNT; t++) {
            enum memory_tool tool = (enum memory_tool)t;
            assert_false(permission_allows(&c.permissions, NULL, tool, "session.data",
                                           memory_tool_access(tool)));
        }
        assert_int_equal(permission_contexts(&c.permissions, NULL), 0);
        config_release(&c);
    }
}

static void agents_are_read(void **state)
{
    (void)state;
    assert_read("agents:\n"
                "  ash: {tool_permissions: {putMemory: {}}}\n"
                "  'Claire O.': {tool_permissions: {putMemory: {allowed_namespaces: [public.*],\n"
                "                                  operations: [write]}}}\n"
                "  nobody: {tool_permissions: {getContext: {}}}\n");
    const struct permissions *p = &c.permissions;
    assert_int_equal(p->agent_count, 3);
    assert_false(permission_allows(p, "ash", MEMORY_TOOL_PUT, "session.x", ACCESS_WRITE));
    assert_true(permission_allows(p, "ash", MEMORY_TOOL_LIST, "session.x", ACCESS_READ));
    assert_true(permission_allows(p, "Claire O.", MEMORY_TOOL_PUT, "public.x", ACCESS_WRITE));
    assert_false(permission_allows(p, "Claire O.", MEMORY_TOOL_PUT, "session.x", ACCESS_WRITE));
    assert_true(permission_allows(p, "Claire", MEMORY_TOOL_PUT, "session.x", ACCESS_WRITE));
    assert_true(permission_allows(p, "nobody", MEMORY_TOOL_PUT, "session.x", ACCESS_WRITE));
    config_release(&c);
}

/* As the error says, whatever everybody is granted. */
static void an_agent_is_barred(void **state)
{
    (void)state;
    assert_read("tool_permissions:\n"
                "  listMemory: {allowed_namespaces: ['*'], operations: [read]}\n"
                "  getMemory: {allowed_namespaces: ['*'], operations: [read]}\n"
                "  putMemory: {allowed_namespaces: ['*'], operations: [write]}\n"
                "  deleteMemory: {allowed_namespaces: ['*'], operations: [write]}\n"
                "  getContext: {allowed_context_types: [task], operations: [read]}\n"
                "agents: {ash: {tool_permissions: " NO_GRANTS "}}\n");
    const struct permissions *p = &c.permissions;
    for (int t = 0; t < MEMORY_TOOL_COUNT; t++) {
        enum memory_tool tool = (enum memory_tool)t;
        enum access access = memory_tool_access(tool);
        assert_false(permission_allows(p, "ash", tool, "session.x", access));
        assert_int_equal(permission_allows(p, "claire", tool, "session.x", access),
                         tool != MEMORY_TOOL_CONTEXT);
    }
    assert_int_equal(permission_contexts(p, "ash"), 0);
    assert_int_equal(permission_contexts(p, "claire"), CONTEXT_TASK);
    config_release(&c);
}

static void policies_are_read(void **state)
{
    (void)state;
    assert_read("namespaces:\n"
                "  \"session.*\": {pii: refuse, max_items: 3, max_bytes: 9007199254740991,\n"
                "                evict: oldest, consistency: strong}\n"
                "  public.info:\n"
                "    pii: off\n"
                "    evict: no\n"
                "    rate_limits: {putMemory: {}, listMemory: {per_second: .5, burst: 2}}\n"
                "rate_limits:\n"
                "  putMemory: {window_seconds: 1.5, window_calls: 2, per_second: 2, burst: 3}\n"
                "  getContext: {window_seconds: 60, window_calls: 10}\n"
                "share: yes\n");
    const struct permissions *p = &c.permissions;
    const struct namespace_policy *session = permission_policy(p, "session.x");
    assert_int_equal(session->pii, PII_REFUSE);
    assert_int_equal(session->max_items, 3);
    assert_true(session->max_bytes == 9007199254740991);
    assert_true(session->evict_oldest && session->strong);
    const struct namespace_policy *info = permission_policy(p, "public.info");
    assert_int_equal(info->pii, PII_OFF);
    assert_false(info->evict_oldest || info->strong);
    assert_int_equal(permission_rate(p, MEMORY_TOOL_PUT, "public.info")->burst, 0);
    assert_int_equal(permission_rate(p, MEMORY_TOOL_LIST, "public.info")->burst, 2);
    assert_true(permission_rate(p, MEMORY_TOOL_LIST, "public.info")->per_second == 0.5);
    const struct rate_limit *put = permission_rate(p, MEMORY_TOOL_PUT, "session.x");
    assert_true(put->window_seconds == 1.5 && put->per_second == 2);
    assert_int_equal(put->window_calls, 2);
    assert_int_equal(put->burst, 3);
    assert_int_equal(permission_rate(p, MEMORY_TOOL_CONTEXT, NULL)->window_calls, 10);
    assert_true(p->share);
    config_release(&c);
}

static void patterns_of_personal_data_are_read(void **state)
{
    (void)state;
    assert_read("pii:\n"
                "  mask: no\n"
                "  patterns:\n"
                "    badge: 'B-[0-9]{6}'\n"
                "    de_iban: \"DE\\\\d{20}\"\n");
    const struct permissions *p = &c.permissions;
    assert_false(p->mask);
    assert_int_equal(p->pattern_count, 2);
    assert_string_equal(p->patterns[0].name, "badge");
    assert_string_equal(p->patterns[0].pattern, "B-[0-9]{6}");
    assert_string_equal(p->patterns[1].pattern, "DE\\d{20}");
    assert_int_equal(c.pattern_line[0], 4);
    assert_int_equal(c.pattern_line[1], 5);
    config_release(&c);
}

static void what_is_empty_changes_nothing(void **state)
{
    (void)state;
    assert_read("agents:\nnamespaces: ~\nrate_limits: null\npii:\n");
    assert_true(c.permissions.mask);
    assert_true(permission_allows(&c.permissions, NULL, MEMORY_TOOL_PUT, "agent.x", ACCESS_WRITE));
    config_release(&c);
    assert_read("pii: {patterns: }\nnamespaces: {a: {rate_limits: }}\n");
    assert_true(c.permissions.mask);
    config_release(&c);
}

/* ---- what is wrong ---- */

#define PATTERN_WRONG                                                                              \
    " can match no namespace: a pattern is letters, digits, _ - . and *, at most 200 of them, "    \
    "no dot first, last or beside another"

static void wrong_grants_are_refused(void **state)
{
    static const struct wrong wrong[] = {
        {"tool_permissions:\n  listmemory: {}", 2,
         "there is no memory tool 'listmemory'; did you mean 'listMemory'?"},
        {"tool_permissions:\n  zzz: {}", 2, "there is no memory tool 'zzz'"},
        {"tool_permissions:\n", 1,
         "'tool_permissions' takes tools with their grants; {} grants nothing"},
        {"tool_permissions: [listMemory]", 1,
         "'tool_permissions' takes tools with their grants; {} grants nothing"},
        {"tool_permissions: yes", 1,
         "'tool_permissions' takes tools with their grants; {} grants nothing"},
        {"tool_permissions:\n  putMemory:", 2, "'putMemory' takes a grant; {} grants nothing"},
        {"tool_permissions:\n  putMemory: [write]", 2,
         "'putMemory' takes a grant; {} grants nothing"},
        {"tool_permissions:\n  putMemory: {}\n  listMemory: {}\n  putMemory: {}", 4,
         "'putMemory' stands here a second time"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespace: [a]", 3,
         "there is no part of a grant 'allowed_namespace'; did you mean 'allowed_namespaces'?"},
        {"tool_permissions:\n  putMemory:\n    operations: [write]\n    operations: []", 4,
         "'operations' stands here a second time"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: a", 3,
         "'allowed_namespaces' takes a list of patterns"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces:", 3,
         "'allowed_namespaces' takes a list of patterns"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: {a: b}", 3,
         "'allowed_namespaces' takes a list of patterns"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [a,\n      '']", 4,
         "''" PATTERN_WRONG},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [~]", 3, "''" PATTERN_WRONG},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [a/b]", 3,
         "'a/b'" PATTERN_WRONG},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [session.]", 3,
         "'session.'" PATTERN_WRONG},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: ['session..*']", 3,
         "'session..*'" PATTERN_WRONG},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [[a]]", 3,
         "allowed_namespaces takes a single value"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces: [\"a\\0b\"]", 3,
         "allowed_namespaces has a NUL in it"},
        {"tool_permissions:\n  putMemory:\n    allowed_namespaces:\n      - *a", 4,
         "allowed_namespaces takes a single value, no alias; quote what begins with *"},
        {"tool_permissions:\n  listMemory: &x {}\n  putMemory: *x", 3,
         "'putMemory' takes a grant; {} grants nothing"},
        {"tool_permissions:\n  putMemory:\n    <<: {operations: [write]}", 3,
         "there is no part of a grant '<<'"},
        {"tool_permissions:\n  putMemory:\n    operations: [write,\n    delete]", 4,
         "'operations' takes read or write, not 'delete'"},
        {"tool_permissions:\n  putMemory:\n    operations: write", 3,
         "'operations' takes a list of read and write"},
        {"tool_permissions:\n  listMemory:\n    max_ttl_seconds: 5", 3,
         "a grant of listMemory has no 'max_ttl_seconds'"},
        {"tool_permissions:\n  getContext:\n    allowed_namespaces: [a]", 3,
         "a grant of getContext has no 'allowed_namespaces'"},
        {"tool_permissions:\n  putMemory:\n    allowed_context_types: [task]", 3,
         "a grant of putMemory has no 'allowed_context_types'"},
        {"tool_permissions:\n  getContext:\n    allowed_context_types: [all]", 3,
         "'allowed_context_types' takes session, agent or task, not 'all'"},
        {"tool_permissions: {? {a: b} : c}", 1, "tool_permissions takes a single value"},
        {"tool_permissions: {'': {}}", 1, "a name in 'tool_permissions' is empty"},
        {"tool_permission: {}", 1,
         "there is no setting 'tool_permission'; did you mean 'tool_permissions'?"},
        {"share: no\ntool_permissions: {}\nshare: no", 3, "'share' stands here a second time"},
    };
    (void)state;
    ALL_REFUSED(wrong);
}

#define OWN_GRANTS_WRONG                                                                           \
    "'tool_permissions' takes tools, each with a grant in place of everybody's; " NO_GRANTS        \
    " grants nothing"
#define OF_ONE      "{tool_permissions: {putMemory: {}}}"
#define AGENT_WRONG "'ash' takes {tool_permissions: …}, of which " NO_GRANTS " grants nothing"

static void wrong_agents_are_refused(void **state)
{
    static const struct wrong wrong[] = {
        {"agents: [ash]", 1, "'agents' takes agents with what is theirs"},
        {"agents:\n  ash:", 2, AGENT_WRONG},
        {"agents: {ash: {}}", 1, AGENT_WRONG},
        {"agents:\n  claire: " OF_ONE "\n  ash: {}", 3, AGENT_WRONG},
        {"agents:\n  ash:\n    putMemory: {}", 3, "there is no part of an agent 'putMemory'"},
        {"agents:\n  ash:\n    tool_permission: {}", 3,
         "there is no part of an agent 'tool_permission'; did you mean 'tool_permissions'?"},
        {"agents:\n  ash:\n    tool_permissions:", 3, OWN_GRANTS_WRONG},
        {"agents:\n  ash:\n    tool_permissions: {}\n  claire: {}", 3, OWN_GRANTS_WRONG},
        {"agents:\n  ash:\n    tool_permissions: [putMemory]", 3, OWN_GRANTS_WRONG},
        {"agents:\n  as*: {tool_permissions: {putMemory: {}}}", 2,
         "'as*' is no agent's name: names are no patterns here, and each agent has a line of its "
         "own"},
        {"agents:\n  ash: " OF_ONE "\n  claire: " OF_ONE "\n  ash: " OF_ONE, 4,
         "'ash' stands here a second time"},
        {"agents: {'': {}}", 1, "a name in 'agents' is empty"},
        {"agents: {~: {}}", 1, "a name in 'agents' is empty"},
    };
    (void)state;
    ALL_REFUSED(wrong);
}

static void wrong_numbers_are_refused(void **state)
{
    static const char *const wholes[] = {"-1",
                                         "1.5",
                                         "1e3",
                                         "0x10",
                                         "nan",
                                         ".inf",
                                         "''",
                                         "~",
                                         "9007199254740992",
                                         "99999999999999999999999999",
                                         "+1",
                                         "' 5'",
                                         "5 5",
                                         "yes",
                                         "1_000",
                                         "\"\\u0663\""};
    static const char *const reals[] = {"-1",
                                        "0",
                                        "0.0",
                                        "nan",
                                        ".nan",
                                        "inf",
                                        ".inf",
                                        "1e3",
                                        "0x1p3",
                                        "''",
                                        "1.2.3",
                                        ".",
                                        "1,5",
                                        "' 1'",
                                        "+1",
                                        "31622401",
                                        "99999999999999999999999999999999999999"};
    char text[200];
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
        snprintf(text, sizeof(text), "namespaces:\n  a:\n    max_items: %s", wholes[i]);
        assert_int_equal(parse_bytes(text, strlen(text), &e), -1);
        assert_non_null(strstr(e.what, "test.yaml line 3: 'max_items' takes a whole number from 0 "
                                       "to 9007199254740991, not '"));
        config_release(&c);
    }
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        snprintf(text, sizeof(text), "rate_limits:\n  putMemory:\n    window_seconds: %s",
                 reals[i]);
        assert_int_equal(parse_bytes(text, strlen(text), &e), -1);
        assert_non_null(strstr(e.what, "test.yaml line 3: 'window_seconds' takes a number above 0 "
                                       "and up to 31622400, not '"));
        config_release(&c);
    }
}

static void wrong_policies_are_refused(void **state)
{
    static const struct wrong wrong[] = {
        {"namespaces: [a]", 1, "'namespaces' takes patterns with what they are held to"},
        {"namespaces:\n  a b: {}", 2, "'a b'" PATTERN_WRONG},
        {"namespaces:\n  session..w: {}", 2, "'session..w'" PATTERN_WRONG},
        {"namespaces:\n  session.w.: {}", 2, "'session.w.'" PATTERN_WRONG},
        {"namespaces:\n  '': {}", 2, "a name in 'namespaces' is empty"},
        {"namespaces:\n  a: {}\n  'a': {}", 3, "'a' stands here a second time"},
        {"namespaces:\n  a: mask", 2, "'a' takes what it is held to, as in {pii: refuse}"},
        {"namespaces:\n  a:\n    pii: maks", 3, "'pii' takes mask, refuse or off, not 'maks'"},
        {"namespaces:\n  a:\n    pii: {}", 3, "pii takes a single value"},
        {"namespaces:\n  a:\n    evict: newest", 3, "'evict' takes no or oldest, not 'newest'"},
        {"namespaces:\n  a:\n    consistency: weak", 3,
         "'consistency' takes eventual or strong, not 'weak'"},
        {"namespaces:\n  a:\n    max_item: 1", 3,
         "there is no part of a namespace 'max_item'; did you mean 'max_items'?"},
        {"namespaces:\n  a:\n    rate_limits:\n      getContext: {}", 4,
         "getContext has no namespace: its rate stands in the general 'rate_limits'"},
        {"namespaces:\n  a:\n    rate_limits:\n      putmemory: {}", 4,
         "there is no memory tool 'putmemory'; did you mean 'putMemory'?"},
        {"rate_limits: 5", 1, "'rate_limits' takes tools with their rates"},
        {"rate_limits:\n  putMemory: 5", 2, "'putMemory' takes a rate; {} is no limit"},
        {"rate_limits:\n  putMemory:\n    calls: 5", 3, "there is no part of a rate 'calls'"},
        {"rate_limits:\n  putMemory:\n    window_call: 5", 3,
         "there is no part of a rate 'window_call'; did you mean 'window_calls'?"},
        {"rate_limits:\n  putMemory:\n    window_calls: 0", 3,
         "'window_calls' takes a whole number from 1 to 1000000, not '0'"},
        {"rate_limits:\n  putMemory:\n    window_calls: 5", 2,
         "'window_seconds' and 'window_calls' go together"},
        {"rate_limits:\n  putMemory:\n    window_seconds: 5", 2,
         "'window_seconds' and 'window_calls' go together"},
        {"rate_limits:\n  putMemory: {per_second: 5}", 2, "'per_second' and 'burst' go together"},
        {"rate_limits:\n  putMemory: {burst: 5}", 2, "'per_second' and 'burst' go together"},
    };
    (void)state;
    ALL_REFUSED(wrong);
}

static void wrong_personal_data_is_refused(void **state)
{
    static const struct wrong wrong[] = {
        {"pii: mask", 1, "'pii' takes mask and patterns"},
        {"pii: {mask: maybe}", 1, "'mask' takes no, yes, false, true, off or on, not 'maybe'"},
        {"pii:\n  masks: no", 2, "there is no part of pii 'masks'; did you mean 'mask'?"},
        {"pii:\n  patterns: ['a']", 2, "'patterns' takes names with regular expressions"},
        {"pii:\n  patterns:\n    a: ''", 3, "'a' takes a regular expression of 1 to 10000 bytes"},
        {"pii:\n  patterns:\n    a: [b]", 3, "a takes a single value"},
        {"pii:\n  patterns:\n    a: \"x\\0\"", 3, "a has a NUL in it"},
        {"pii:\n  patterns:\n    a: b\n    a: c", 4, "'a' stands here a second time"},
        {"pii:\n  patterns:\n    email: b", 3,
         "'email' is built in; give the pattern another name"},
        {"pii:\n  patterns:\n    a\"b: c", 3,
         "'a\"b' cannot name a pattern: a-z, 0-9, _ and -, at most 40"},
    };
    (void)state;
    ALL_REFUSED(wrong);
}

static void too_many_patterns_are_refused(void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct error e;
    (void)state;
    strbuf_addstr(&text, "pii:\n  patterns:\n");
    for (int i = 0; i < PII_KINDS_MAX - PII_CUSTOM; i++)
        strbuf_addf(&text, "    p%d: x\n", i);
    assert_read(text.buf);
    assert_int_equal(c.permissions.pattern_count, PII_KINDS_MAX - PII_CUSTOM);
    config_release(&c);
    strbuf_addstr(&text, "    more: x\n");
    assert_int_equal(parse_bytes(text.buf, text.len, &e), -1);
    assert_non_null(strstr(e.what, "line 62: there are more than 59 patterns"));
    config_release(&c);
    strbuf_release(&text);
}

/* ---- hostile ones ---- */

static void however_deep_it_goes_it_is_refused_at_once(void **state)
{
    static const char *const into[] = {
        "", "tool_permissions: ", "namespaces: {a: ",
        "agents: {a: {tool_permissions: {putMemory: {operations: ", "pii: {patterns: {a: "};
    static const char *const levels[] = {"[", "{", "{a: ", "- ", "? "};
    (void)state;
    for (size_t i = 0; i < sizeof(into) / sizeof(into[0]); i++)
        for (size_t l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
            struct strbuf text = STRBUF_INIT;
            struct error e;
            strbuf_addstr(&text, into[i]);
            while (text.len < 200000)
                strbuf_addstr(&text, levels[l]);
            assert_int_equal(parse_bytes(text.buf, text.len, &e), -1);
            assert_non_null(strstr(e.what, "test.yaml line 1: "));
            config_release(&c);
            strbuf_release(&text);
        }
}

static void as_many_names_as_fit_are_told_apart(void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct error e;
    (void)state;
    strbuf_addstr(&text, "namespaces:\n");
    for (int i = 0; i < 60000; i++)
        strbuf_addf(&text, "  n%d: {}\n", i);
    assert_read(text.buf);
    assert_int_equal(c.permissions.namespace_count, 60000);
    config_release(&c);
    strbuf_addstr(&text, "  n17: {}\n");
    assert_int_equal(parse_bytes(text.buf, text.len, &e), -1);
    assert_non_null(strstr(e.what, "line 60002: 'n17' stands here a second time"));
    config_release(&c);
    strbuf_release(&text);
}

static void aliases_multiply_nothing(void **state)
{
    static const char laughs[] = "pii: &a {mask: yes}\n"
                                 "agents: &b {x: *a, y: *a}\n"
                                 "namespaces: {a: *b, b: *b}\n";
    struct error e;
    (void)state;
    assert_int_equal(parse_bytes(laughs, strlen(laughs), &e), -1);
    assert_non_null(strstr(e.what, "line 2: 'x' takes"));
    config_release(&c);
}

/* What is right, with a byte changed, left out, said twice or cut off: read, or refused at a line that is there. */
static void whatever_is_changed_it_is_read_or_refused(void **state)
{
    static const char right[] =
        "tool_permissions:\n"
        "  putMemory: {allowed_namespaces: [\"a.*\"], operations: [write], max_ttl_seconds: 9}\n"
        "  getContext: {allowed_context_types: [task], operations: [read]}\n"
        "agents: {ash: {tool_permissions: {putMemory: {}}}}\n"
        "namespaces: {\"a.*\": {pii: off, max_items: 1, rate_limits: {getMemory: {burst: 1,\n"
        "  per_second: 2.5}}}}\n"
        "pii: {mask: no, patterns: {p: 'x+'}}\nshare: no\n";
    static const char bytes[] = "{}[]:,-*&'\"\n a1\xff#!|>%@\t";
    struct error e;
    int read = 0, refused = 0;
    (void)state;
    for (size_t at = 0; at < sizeof(right) - 1; at++)
        for (size_t how = 0; how < sizeof(bytes) + 2; how++) {
            char text[sizeof(right) + 1];
            size_t len = sizeof(right) - 1;
            memcpy(text, right, sizeof(right));
            if (how < sizeof(bytes))
                text[at] = bytes[how];
            else if (how == sizeof(bytes))
                memmove(text + at, right + at + 1, --len - at);
            else
                len = at;
            int failed = parse_bytes(text, len, &e);
            if (failed)
                assert_true(strncmp(e.what, "test.yaml line ", 15) == 0);
            read += !failed;
            refused += failed != 0;
            config_release(&c);
        }
    assert_true(read > 300 && refused > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grants_are_read),
        cmocka_unit_test(what_is_not_granted_is_denied),
        cmocka_unit_test(agents_are_read),
        cmocka_unit_test(an_agent_is_barred),
        cmocka_unit_test(policies_are_read),
        cmocka_unit_test(patterns_of_personal_data_are_read),
        cmocka_unit_test(what_is_empty_changes_nothing),
        cmocka_unit_test(wrong_grants_are_refused),
        cmocka_unit_test(wrong_agents_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(wrong_policies_are_refused),
        cmocka_unit_test(wrong_personal_data_is_refused),
        cmocka_unit_test(too_many_patterns_are_refused),
        cmocka_unit_test(however_deep_it_goes_it_is_refused_at_once),
        cmocka_unit_test(as_many_names_as_fit_are_told_apart),
        cmocka_unit_test(aliases_multiply_nothing),
        cmocka_unit_test(whatever_is_changed_it_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
