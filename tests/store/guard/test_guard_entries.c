/* Entries that an agent sees: every tool answers only by the grants of the namespace. */
#include "model/base/strbuf.h"
#include "store/ops/operation.h"
#include "tests/support/granted.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"
#include "tests/support/test.h"

/* Replaces in the parameters: %r by the ref, %i by its id, %b by a prefix of it, %w by a word of
 * the value. */
static void fill_in(struct strbuf *out, const char *params, const char *ref, size_t space)
{
    for (const char *at = params; *at; at++)
        if (*at != '%')
            strbuf_addch(out, *at);
        else if (*++at == 'b')
            strbuf_addf(out, "%.16s", ref);
        else if (*at == 'w')
            strbuf_addf(out, "plover%zu", space);
        else
            strbuf_addstr(out, *at == 'r' ? ref : strchr(ref, ':') + 1);
}

static void check_door(struct guarded *g, size_t space, bool by_ref, bool listed, bool off,
                       const char *ref)
{
    static const struct {
        const char *name, *params;
        enum entry_access met;
    } doors[] = {
        {"memory_get", "{'ref':'%r','detail':'full'}", ENTRY_BY_REF},
        {"memory_get", "{'ref':'%b','detail':'full'}",
         ENTRY_IN_LIST}, /* resolving a prefix searches a list */
        {"memory_search", "{'query':'%w'}", ENTRY_IN_LIST},
        {"memory_list", "{'kind':'entry','status':'all'}", ENTRY_IN_LIST},
        {"memory_list", "{'label':'supported'}", ENTRY_IN_LIST},
        {"memory_list", "{'agent_id':'zoe','order':'text'}", ENTRY_IN_LIST},
        {"memory_history", "{'ref':'%r','format':'json'}", ENTRY_BY_REF},
        {"memory_lineage", "{'ref':'%r'}", ENTRY_BY_REF},
        {"resources/list", "{}", ENTRY_IN_LIST},
        {"resources/read", "{'uri':'stemma://entry/%i'}", ENTRY_BY_REF},
        {"resources/read", "{'uri':'stemma://agent/zoe'}", ENTRY_IN_LIST},
        {"prompts/get", "{'name':'why_believed','arguments':{'ref':'%r'}}", ENTRY_BY_REF},
        {"prompts/get", "{'name':'review_agent','arguments':{'agent':'zoe'}}", ENTRY_IN_LIST},
        {"prompts/get", "{'name':'what_changed','arguments':{'since':'1970-01-02'}}",
         ENTRY_IN_LIST},
        {"completion/complete",
         "{'ref':{'type':'ref/prompt','name':'why_believed'},"
         "'argument':{'name':'ref','value':'%r'}}",
         ENTRY_IN_LIST},
        {"completion/complete",
         "{'ref':{'type':'ref/prompt','name':'why_believed'},"
         "'argument':{'name':'ref','value':'entry:'}}",
         ENTRY_IN_LIST},
    };
    char id[9]; /* as an answer names it at least */
    snprintf(id, sizeof(id), "%s", strchr(ref, ':') + 1);
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++) {
        bool allowed = doors[i].met == ENTRY_BY_REF ? by_ref : listed;
        AUTO_STRBUF params = STRBUF_INIT;
        fill_in(&params, doors[i].params, ref, space);
        bool tool = !strchr(doors[i].name, '/');
        const char *answer = tool ? guarded_tool(g, doors[i].name, params.buf)
                                  : guarded_ask(g, doors[i].name, params.buf);
        const char *result = strstr(answer, "\"result\"");
        bool failed = strstr(answer, "\"error\"") != NULL;
        const char *told = tool ? answer : result ? result : "";
        bool named = strstr(failed ? "" : told, id) != NULL;
        if (named != allowed)
            fail_msg("%s %s of %s: %s", doors[i].name, params.buf, granted_spaces[space], answer);
        if (strstr(answer, "jane.doe") && !(off && strcmp(doors[i].name, "memory_get") == 0))
            fail_msg("%s %s of %s: %s", doors[i].name, params.buf, granted_spaces[space], answer);
    }
}

TEST(grants_decide_which_namespaces_are_visible)
{
    static const struct {
        const char *agent, *reads, *lists; /* prefixes of namespaces */
        unsigned listed;
    } cases[] = {
        {"ash", "open", "open", 3}, {"bo", "shut", "shut", 3}, {"cy", "none", "none", 0},
        {"di", "open", "none", 0},  {"ed", "none", "none", 0}, {NULL, "open", "open", 3},
    };
    struct guarded g;
    const char *ref[GRANTED_SPACES];
    guarded_open(&g);
    for (size_t i = 0; i < GRANTED_SPACES; i++) {
        char value[100];
        snprintf(value, sizeof(value), "{\"mail\":\"jane.doe@example.com\",\"w\":\"plover%zu\"}",
                 i);
        ref[i] = guarded_put(&g, "zoe", granted_spaces[i], "key", value);
    }
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct permissions p;
        granted(&p);
        guarded_begin(&g, &p, cases[c].agent);
        for (size_t i = 0; i < GRANTED_SPACES; i++)
            check_door(&g, i, strncmp(granted_spaces[i], cases[c].reads, 4) == 0,
                       strncmp(granted_spaces[i], cases[c].lists, 4) == 0, false, ref[i]);
        assert_times(guarded_tool(&g, "memory_list", "{'kind':'entry'}"),
                     "\"agent_id\":", cases[c].listed);
        guarded_end(&g);
    }
    guarded_close(&g);
}

/* An agent without the grant to list the entry sees it only by its ref: neither its problems nor
 * its changes appear elsewhere. What was subscribed to last would be notified first. */
TEST(unlisted_entries_are_visible_by_ref)
{
    static const char *const agents[] = {"ash", "di"};
    static const char *const told_first[] = {"stemma://agent/zoe", "stemma://entry/e"};
    struct guarded g;
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"zoe\",\"text\":\"e\"}", NULL);
    fixture_put(&g.f,
                "{\"ref\":\"entry:e\",\"agent_id\":\"zoe\",\"text\":\"k\",\"created_at\":5,"
                "\"detail\":{\"namespace\":\"open.mask\",\"key\":\"k\",\"value\":1}}",
                NULL);
    for (int i = 0; i < 2; i++) {
        struct permissions p;
        granted(&p);
        guarded_begin(&g, &p, agents[i]);
        const char *orphans = guarded_tool(&g, "memory_orphans", "{'problem':'suspect-time'}");
        (i == 0 ? assert_has : assert_lacks)(orphans, "entry:e");
        guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://entry/e'}");
        guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://agent/zoe'}");
        guarded_put(&g, "zoe", "open.mask", "k", i == 0 ? "2" : "3");
        assert_has(client_read(&g.client), told_first[i]);
        guarded_end(&g);
    }
    guarded_close(&g);
}

/* A notification would come first, because it was subscribed to last. */
TEST(hidden_entries_send_no_notifications)
{
    struct guarded g;
    struct permissions p;
    char params[200];
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"e\"}", NULL);
    const char *ref = guarded_put(&g, "ash", "open.mask", "key", "1");
    granted(&p);
    guarded_begin(&g, &p, "ash");
    guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://raw/r'}");
    guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://agent/zoe'}");
    snprintf(params, sizeof(params), "{'uri':'stemma://entry/%s'}", strchr(ref, ':') + 1);
    assert_has(guarded_ask(&g, "resources/subscribe", params), "\"result\"");
    permissions_init(&p); /* open.* is granted to nobody */
    guarded_rules(&g, &p);
    guarded_put(&g, "ash", "open.mask", "key", "2");
    guarded_put(&g, "zoe", "open.mask", "other", "3");
    fixture_put(&g.f, "{\"ref\":\"raw:z\",\"agent_id\":\"zoe\",\"text\":\"z\"}", NULL);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"f\"}", NULL);
    const char *first = client_read(&g.client);
    while (first && strstr(first, "agent/zoe")) /* one of many, followed by raw:r */
        first = client_read(&g.client);
    assert_has(first, "stemma://raw/r");
    guarded_close(&g);
}

/* ---- the entry tools, by tool, namespace, grants and configuration ---- */

struct entry_case {
    const char *space;
    unsigned access; /* granted in open.*; nothing is granted in shut.* */
    bool bound;
};

static bool is_open(const struct entry_case *c, unsigned access)
{
    return strncmp(c->space, "open", 4) == 0 && c->access & access;
}

/* Returns the answer. Unless it is allowed, it must be a denial that reveals nothing beyond the
 * request. */
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
    bool off = text_ends_with(c->space, ".off");
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
    bool refused = text_ends_with(c->space, ".refuse");
    assert_lacks(answer, "jane.doe");
    if (is_open(c, ACCESS_WRITE))
        assert_has(answer, refused ? "\"redacted_fields\":[\"email\"]" : "{\"success\":true}");
    answer = allowed_or_denied(g, c, ACCESS_WRITE, "deleteMemory", ",'key':'w'");
    if (is_open(c, ACCESS_WRITE))
        assert_has(answer, refused ? "NOT_FOUND" : "{\"success\":true}");
}

TEST(grants_decide_what_entry_tools_do)
{
    struct guarded g;
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
