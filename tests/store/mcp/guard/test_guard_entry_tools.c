/* The tools of entries, by tool, namespace, what is granted there and what becomes of personal data; and no other changes
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/granted.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"

struct entry_case {
    const char *space;
    unsigned access; /* what is granted in open.*; nothing is in shut.* */
    bool bound;
};

static bool is_open(const struct entry_case *c, unsigned access)
{
    return strncmp(c->space, "open", 4) == 0 && c->access & access;
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), tail = strlen(end);
    return len >= tail && strcmp(text + len - tail, end) == 0;
}

/* The answer, which is a denial that says no more than what was asked for, unless it is allowed. */
static const char *allowed_or_denied(struct guarded *g, const struct entry_case *c, unsigned access,
                                     const char *tool, const char *rest)
{
    char arguments[300], denial[300];
    snprintf(arguments, sizeof(arguments), "{'namespace':'%s'%s}", c->space, rest);
    snprintf(denial, sizeof(denial),
             "{\"type\":\"error\",\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":\"Access "
             "denied to namespace '%s'\",\"details\":{\"namespace\":\"%s\",\"operation\":\"%s\"}}}",
             c->space, c->space, access_name(access));
    const char *answer = guarded_tool(g, tool, arguments);
    if ((strcmp(answer, denial) == 0) == is_open(c, access))
        fail_msg("%s %s with %u: %s", tool, arguments, c->access, answer);
    return answer;
}

static void check_reads(struct guarded *g, const struct entry_case *c)
{
    const char *rest = ",'key':'home_email'";
    bool off = ends_with(c->space, ".off");
    const char *answer = allowed_or_denied(g, c, ACCESS_READ, "getMemory", rest);
    if (is_open(c, ACCESS_READ)) {
        assert_has(answer, off ? "jane.doe" : "[redacted-email]");
        assert_has(answer, off ? "\"home_email\"" : "[REDACTED]_");
    }
    if (!is_open(c, ACCESS_READ) || !off)
        assert_lacks(answer, "jane.doe");
    answer = allowed_or_denied(g, c, ACCESS_READ, "listMemory", "");
    if (is_open(c, ACCESS_READ))
        assert_has(answer, off ? "[\"home_email\"]" : "[\"[REDACTED]_");
    answer = allowed_or_denied(g, c, ACCESS_READ, "getMemory", ",'key':'never'");
    if (is_open(c, ACCESS_READ))
        assert_has(answer, "NOT_FOUND");
}

static void check_writes(struct guarded *g, const struct entry_case *c)
{
    const char *answer = allowed_or_denied(g, c, ACCESS_WRITE, "putMemory",
                                           ",'key':'w','value':{'to':'jane.doe@example.com'}");
    bool refused = ends_with(c->space, ".refuse");
    assert_lacks(answer, "jane.doe");
    if (is_open(c, ACCESS_WRITE))
        assert_has(answer, refused ? "\"redacted_fields\":[\"email\"]" : "{\"success\":true}");
    answer = allowed_or_denied(g, c, ACCESS_WRITE, "deleteMemory", ",'key':'w'");
    if (is_open(c, ACCESS_WRITE))
        assert_has(answer, refused ? "NOT_FOUND" : "{\"success\":true}");
}

static void each_tool_of_entries_does_what_is_granted(void **state)
{
    struct guarded g;
    (void)state;
    guarded_open(&g);
    for (size_t i = 0; i < GRANTED_SPACES; i++)
        guarded_put(&g, "zoe", granted_spaces[i], "home_email", "\"jane.doe@example.com\"");
    for (unsigned n = 0; n < 8; n++) {
        struct permissions p;
        struct entry_case c = {.access = n & (ACCESS_READ | ACCESS_WRITE), .bound = n & 4};
        granted(&p);
        p.agent_count = 0;
        p.grant[MEMORY_TOOL_LIST].operations = c.access;
        p.grant[MEMORY_TOOL_GET].given = false;
        p.grant[MEMORY_TOOL_PUT] = p.grant[MEMORY_TOOL_LIST];
        guarded_begin(&g, &p, c.bound ? "ash" : NULL);
        for (size_t i = 0; i < GRANTED_SPACES; i++) {
            c.space = granted_spaces[i];
            check_reads(&g, &c);
            check_writes(&g, &c);
        }
        guarded_end(&g);
    }
    guarded_close(&g);
}

static void entries_are_changed_by_their_own_tools_alone(void **state)
{
    static const char *const calls[][2] = {
        {"memory_update", "{'ref':'%s','text':'x'}"},
        {"memory_mark", "{'ref':'%s','mark':'reviewed'}"},
        {"memory_reinforce", "{'ref':'%s'}"},
        {"memory_retract", "{'ref':'%s'}"},
        {"memory_forget", "{'ref':'%s'}"},
        {"memory_verify", "{'ref':'%s'}"},
        {"memory_protect", "{'ref':'%s'}"},
        {"memory_revise_from_episode",
         "{'episode':'episode:e','confirms':['%s'],'contradicts':[]}"},
        {"memory_revise_from_episode",
         "{'episode':'episode:e','confirms':[],'contradicts':['%s']}"},
        {"memory_add", "{'kind':'entry','text':'%s'}"},
        {"log_source_attribution", "{'agent_id':'ash','source_type':'web',"
                                   "'retrieval_timestamp':1700000000000,'supports':['%s']}"},
    };
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"episode:e\",\"agent_id\":\"ash\",\"text\":\"e\"}", NULL);
    const char *ref = guarded_put(&g, "ash", "open.mask", "key", "1");
    granted(&p);
    guarded_begin(&g, &p, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        char params[300];
        snprintf(params, sizeof(params), calls[i][1], ref);
        const char *answer = guarded_tool(&g, calls[i][0], params);
        if (!strstr(answer, "PERMISSION_DENIED"))
            fail_msg("%s: %s", calls[i][0], answer);
    }
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'entry:'}"), "\"error\"");
    char params[300];
    snprintf(params, sizeof(params), "{'statement':'of it','derived_from':['%s']}", ref);
    assert_has(guarded_tool(&g, "memory_belief", params), "\"version\":1");
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tool_of_entries_does_what_is_granted),
        cmocka_unit_test(entries_are_changed_by_their_own_tools_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
