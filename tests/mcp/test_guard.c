/* What agents see of each other's memories, and what they may change of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../store/operation.h"
#include "../support/guarded.h"

static void fill(struct guarded *g)
{
    guarded_open(g);
    fixture_put(
        &g->f,
        "{\"ref\":\"raw:own1\",\"agent_id\":\"ash\",\"text\":\"heard of "
        "deploy\",\"created_at\":1000}",
        "{\"ref\":\"raw:other1\",\"agent_id\":\"bo\",\"text\":\"secretly "
        "deploy\",\"created_at\":1500}",
        "{\"ref\":\"belief:other2\",\"agent_id\":\"bo\",\"text\":\"others "
        "deploy\",\"created_at\":2000,"
        "\"derived_from\":[\"raw:other1\",\"raw:own1\"],\"tags\":[\"hush\"]}",
        "{\"ref\":\"belief:own2\",\"agent_id\":\"ash\",\"text\":\"we deploy\",\"created_at\":3000,"
        "\"derived_from\":[\"belief:other2\",\"raw:own1\"],\"derivation\":\"all\"}",
        "{\"ref\":\"belief:own3\",\"agent_id\":\"ash\",\"text\":\"then "
        "deploy\",\"created_at\":3500,"
        "\"derived_from\":[\"belief:own2\"]}",
        NULL);
}

/* Of what an answer may not say. */
static void says_nothing(const char *answer)
{
    static const char *const words[] = {"secretly", "others deploy", "hush", "raw:other1"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strstr(answer, words[i]))
            fail_msg("\"%s\" is in %s", words[i], answer);
}

static void has(const char *answer, const char *part)
{
    if (!strstr(answer, part))
        fail_msg("%s is not in %s", part, answer);
}

static void has_not(const char *answer, const char *part)
{
    if (strstr(answer, part))
        fail_msg("%s is in %s", part, answer);
}

static void begin(struct guarded *g, bool share, const char *agent)
{
    struct permissions p;
    fill(g);
    permissions_init(&p);
    p.share = share;
    guarded_begin(g, &p, agent);
}

static void of_another_agent_its_ref_and_owner_are_told(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    assert_string_equal(guarded_tool(&g, "memory_get", "{'ref':'belief:other2'}"),
                        "{\"ref\":\"belief:other2\",\"agent_id\":\"bo\",\"withheld\":true}");
    has(guarded_tool(&g, "memory_get", "{'ref':'belief:othe'}"), "\"NOT_FOUND\"");
    const char *form = guarded_tool(&g, "memory_get", "{'ref':'belief:own2'}");
    has(form, "\"belief:other2\"");
    has(form, "\"label\":\"grounded\"");
    says_nothing(form);
    const char *lineage = guarded_tool(&g, "memory_lineage", "{'ref':'belief:own3'}");
    has(lineage, "{\"ref\":\"belief:other2\",\"depth\":2,\"agent_id\":\"bo\",\"withheld\":true}");
    has(lineage, "\"raw:own1\"");
    says_nothing(lineage);
    lineage = guarded_tool(&g, "memory_lineage", "{'ref':'raw:own1','direction':'descendants'}");
    has_not(lineage, "other2");
    has(lineage, "belief:own3");
    lineage = guarded_tool(&g, "memory_lineage", "{'ref':'belief:other2'}");
    has(lineage, "\"links\":[],\"cut\":0");
    says_nothing(lineage);
    guarded_close(&g);
}

static void lists_and_counts_leave_others_out(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (int i = 0; i < 2; i++) {
        const char *list = guarded_tool(&g, "memory_list", "{}");
        has(list, "\"total\":3");
        has_not(list, "\"ref\":\"belief:other2\",\"agent_id\"");
        says_nothing(list);
        const char *found = guarded_tool(&g, "memory_search", "{'query':'deploy'}");
        has(found, "raw:own1");
        says_nothing(found);
        has(guarded_tool(&g, "memory_search", "{'query':'secretly'}"), "{\"memories\":[]");
        has(guarded_tool(&g, "memory_list", "{'agent_id':'bo'}"), "\"total\":0");
        has(guarded_tool(&g, "memory_list", "{'label':'grounded'}"), "\"total\":3");
        struct permissions p;
        permissions_init(&p);
        p.share = true;
        guarded_rules(&g, &p);
        has(guarded_tool(&g, "memory_list", "{}"), "\"total\":5");
        has(guarded_tool(&g, "memory_search", "{'query':'secretly'}"), "raw:other1");
        permissions_init(&p);
        guarded_rules(&g, &p);
    }
    guarded_close(&g);
}

/* Wherever a piece begins and ends, it shows nothing of what is masked in the whole. */
static void pieces_are_cut_from_what_is_masked(void **state)
{
    static const char masked[] = "write to [redacted-email] or not";
    static const char in_detail[] = "{\"captured_by\":\"[redacted-email]\"}";
    (void)state;
    struct guarded g;
    struct permissions p;
    char arguments[128], expected[64];
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"raw:mail\",\"text\":\"write to jane.doe@example.com or not\","
                "\"detail\":{\"captured_by\":\"jane.doe@example.com\"}}",
                NULL);
    permissions_init(&p);
    p.mask = true;
    guarded_begin(&g, &p, "ash");
    for (int offset = 0; offset < (int)sizeof(masked) - 1; offset += 3) {
        snprintf(arguments, sizeof(arguments), "{'ref':'raw:mail','offset':%d,'length':3}", offset);
        snprintf(expected, sizeof(expected), "\"text\":\"%.3s\"", masked + offset);
        has(guarded_tool(&g, "memory_get", arguments), expected);
    }
    has(guarded_tool(&g, "memory_get", "{'ref':'raw:mail','part':'detail','length':26}"),
        "[redacted");
    for (int offset = 0; offset < (int)sizeof(in_detail) - 1; offset++) {
        snprintf(arguments, sizeof(arguments),
                 "{'ref':'raw:mail','part':'detail','offset':%d,'length':9}", offset);
        has_not(guarded_tool(&g, "memory_get", arguments), "ane");
    }
    for (int offset = 0; offset < (int)sizeof(masked) - 1; offset += 3) {
        snprintf(arguments, sizeof(arguments),
                 "{'ref':'raw:mail','seq':1,'part':'after','change':1,'offset':%d,'length':3}",
                 offset);
        snprintf(expected, sizeof(expected), "\"text\":\"%.3s\"", masked + offset);
        has(guarded_tool(&g, "memory_history", arguments), expected);
    }
    for (int offset = 0; offset < 300; offset++) {
        snprintf(arguments, sizeof(arguments), "{'ref':'raw:mail','seq':1,'offset':%d,'length':9}",
                 offset);
        has_not(guarded_tool(&g, "memory_history", arguments), "ane");
    }
    guarded_close(&g);
}

static void a_piece_of_anothers_tells_nothing(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    const char *piece = guarded_tool(&g, "memory_get", "{'ref':'belief:other2','offset':0}");
    has(piece, "\"withheld\":true");
    has(piece, "\"text\":\"\"");
    says_nothing(piece);
    guarded_close(&g);
}

static void other_doors_tell_nothing_of_others(void **state)
{
    static const char *const refused[] = {"memory_history", "memory_propagate_confidence"};
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < 2; i++) {
        const char *answer = guarded_tool(&g, refused[i], "{'ref':'belief:other2'}");
        has(answer, "\"PERMISSION_DENIED\"");
        says_nothing(answer);
    }
    const char *whatif = guarded_tool(&g, "memory_whatif", "{'refs':['raw:own1']}");
    has_not(whatif, "other2");
    has(whatif, "belief:own2");
    has(guarded_tool(&g, "memory_whatif", "{'refs':['belief:other2']}"), "PERMISSION_DENIED");
    has_not(guarded_tool(&g, "memory_propagate_confidence", "{'ref':'raw:own1'}"), "other2");
    has_not(guarded_tool(&g, "memory_orphans", "{}"), "other");
    const char *list = guarded_ask(&g, "resources/list", "{}");
    has(list, "belief:own2");
    has_not(list, "other2");
    has(guarded_ask(&g, "resources/read", "{'uri':'stemma://belief/other2'}"), "withheld");
    says_nothing(guarded_ask(&g, "resources/read", "{'uri':'stemma://belief/own3/lineage'}"));
    has(guarded_ask(&g, "prompts/get",
                    "{'name':'why_believed','arguments':{'ref':'belief:other2'}}"),
        "\"code\":-32602,"); /* no fault of the server's */
    has(guarded_ask(&g, "resources/read", "{'uri':'stemma://agent/bo'}"), "no memory is of");
    has(guarded_ask(&g, "prompts/get", "{'name':'review_agent','arguments':{'agent':'bo'}}"),
        "no memory is of");
    static const char complete[] = "{'ref':{'type':'ref/prompt','name':'why_believed'},"
                                   "'argument':{'name':'ref','value':'%s'}}";
    char params[200];
    snprintf(params, sizeof(params), complete, "belief:");
    has_not(guarded_ask(&g, "completion/complete", params), "other2");
    snprintf(params, sizeof(params), complete, "belief:oth");
    has(guarded_ask(&g, "completion/complete", params), "\"values\":[],\"total\":0");
    has(guarded_ask(&g, "completion/complete",
                    "{'ref':{'type':'ref/prompt','name':'review_agent'},"
                    "'argument':{'name':'agent','value':''}}"),
        "\"values\":[\"ash\"],\"total\":1");
    guarded_close(&g);
}

static void what_is_anothers_is_not_changed(void **state)
{
    static const char *const calls[][2] = {
        {"memory_update", "{'ref':'belief:other2','text':'mine now'}"},
        {"memory_update", "{'ref':'belief:other2','text':'mine','expected_version':7}"},
        {"memory_mark", "{'ref':'belief:other2','mark':'reviewed'}"},
        {"memory_reinforce", "{'ref':'belief:other2'}"},
        {"memory_supersede", "{'ref':'belief:other2','statement':'mine'}"},
        {"memory_process_raw", "{'ref':'raw:other1','as':'note'}"},
        {"memory_consolidate", "{'ref':'belief:other2','evidence':['raw:own1']}"},
        {"memory_retract", "{'ref':'belief:other2'}"},
        {"memory_forget", "{'ref':'belief:other2'}"},
        {"memory_verify", "{'ref':'belief:other2'}"},
        {"memory_protect", "{'ref':'belief:other2'}"},
        {"memory_revise_from_episode",
         "{'episode':'raw:own1','confirms':['belief:other2'],'contradicts':[]}"},
        {"log_source_attribution", "{'agent_id':'ash','source_type':'web','retrieval_timestamp':"
                                   "1700000000000,'supports':['belief:other2']}"},
    };
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        const char *answer = guarded_tool(&g, calls[i][0], calls[i][1]);
        if (!strstr(answer, "\"error\""))
            fail_msg("%s: %s", calls[i][0], answer);
        says_nothing(answer);
    }
    struct permissions p;
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    has(guarded_tool(&g, "memory_reinforce", "{'ref':'belief:other2'}"), "\"version\":2");
    guarded_close(&g);
}

/* Whoever says that it is another, where agents are kept apart. */
static void nobody_writes_in_anothers_name(void **state)
{
    static const char *const calls[][2] = {
        {"memory_raw", "{'blob':'b'%s}"},
        {"memory_belief", "{'statement':'s'%s}"},
        {"memory_add", "{'kind':'note','text':'n'%s}"},
        {"cot_begin", "{'question':'q'%s}"},
        {"cot_record", "{'original_question':'q','final_answer':'a','reasoning_steps':[],"
                       "'total_confidence':0.5%s}"},
        {"cite_sources", "{'response_text':'It is so.','passages':[{'document_id':'d',"
                         "'content':'It is so.'}]%s}"},
        {"log_source_attribution", "{'source_type':'web','retrieval_timestamp':1700000000000%s}"},
        {"log_search_attribution",
         "{'query':'q','results_summary':'r','retrieval_timestamp':1700000000000%s}"},
        {"get_source_attributions", "{'limit':1%s}"},
    };
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        static const char *const others[] = {"bo", "nobody"}; /* one is refused as the other */
        bool is_required = strstr(calls[i][0], "_attribution") != NULL;
        for (size_t k = 0; k < 2; k++) {
            char params[300], agent[40];
            snprintf(agent, sizeof(agent), ",'agent_id':'%s'", others[k]);
            snprintf(params, sizeof(params), calls[i][1], agent);
            const char *answer = guarded_tool(&g, calls[i][0], params);
            has(answer, "\"PERMISSION_DENIED\"");
            has(answer, "\"agent_id names another agent, and you are ash here\"");
            has(answer, is_required ? "\"Give agent_id \\\"ash\\\".\""
                                    : "\"Leave agent_id out, or give \\\"ash\\\".\"");
        }
    }
    has(guarded_tool(&g, "get_source_attributions", "{'agent_id':'ash'}"), "\"total\":");
    has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'ash'}"), "\"version\":1");
    has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':''}"), "agent_id");
    const char *told = guarded_ask(&g, "tools/call",
                                   "{'name':'memory_raw','arguments':{'blob':'b','agent_id':'bo'},"
                                   "'_meta':{'dev.stemma/agent_id':'ash'}}");
    has(told, "PERMISSION_DENIED");
    struct permissions p;
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'bo'}"), "\"version\":1");
    guarded_close(&g);
    begin(&g, false, NULL);
    has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'bo'}"), "\"version\":1");
    guarded_close(&g);
}

/* Before its first call an agent is told by which name it goes; one that is not bound goes by any. */
static void who_is_bound_is_told_its_name(void **state)
{
    static const char began[] = "{'protocolVersion':'2025-11-25','capabilities':{},"
                                "'clientInfo':{'name':'c','version':'1'}}";
    static const char line[] = "\"instructions\":\"You are %s here: an agent_id that you give is "
                               "that.\\nstemma is your";
    static const char *const meta =
        "{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
        "'io.modelcontextprotocol/clientCapabilities':{}%s}}";
    char params[300], told[200];
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    snprintf(told, sizeof(told), line, "ash");
    has(guarded_ask(&g, "initialize", began), told);
    snprintf(params, sizeof(params), meta, "");
    has(guarded_ask(&g, "server/discover", params), told);
    guarded_close(&g);
    begin(&g, false, NULL);
    has(guarded_ask(&g, "initialize", began), "\"instructions\":\"stemma is your");
    has(guarded_ask(&g, "server/discover", params), "\"instructions\":\"stemma is your");
    snprintf(params, sizeof(params), meta, ",'dev.stemma/agent_id':'x@example.com'");
    snprintf(told, sizeof(told), line, "[redacted-email]");
    has(guarded_ask(&g, "server/discover", params), told);
    guarded_close(&g);
    char long_name[150] = {0};
    memset(long_name, 'n', sizeof(long_name) - 1);
    begin(&g, false, long_name);
    has(guarded_ask(&g, "initialize", began), "\"instructions\":\"stemma is your");
    guarded_close(&g);
}

static void who_is_not_bound_sees_all_memories(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, NULL);
    has(guarded_tool(&g, "memory_list", "{}"), "\"total\":5");
    has(guarded_tool(&g, "memory_get", "{'ref':'raw:other1'}"), "secretly");
    const char *bound = guarded_ask(&g, "tools/call",
                                    "{'name':'memory_get','arguments':{'ref':'raw:other1'},"
                                    "'_meta':{'dev.stemma/agent_id':'ash'}}");
    has(bound, "withheld");
    has_not(bound, "secretly");
    guarded_close(&g);
}

/* ---- entries ---- */

static const char *const open_names[] = {"open.*"};
static const char *const shut_names[] = {"shut.*"};
static struct namespace_policy policies[] = {
    {.pattern = "*.mask", .pii = PII_MASK},
    {.pattern = "*.refuse", .pii = PII_REFUSE},
    {.pattern = "*.off", .pii = PII_OFF},
};

/* Everybody reads open.*, bo shut.* alone, cy nothing; di only gets there what it names, and ed only lists keys. */
static void grant(struct permissions *p, bool mask)
{
    static struct agent_grants agents[4];
    struct grant grant = {.given = true, .operations = ACCESS_READ, .max_ttl_seconds = -1};
    permissions_init(p);
    agents[0].agent = "bo";
    agents[1].agent = "cy";
    agents[2].agent = "di";
    agents[3].agent = "ed";
    agents[1].grant[MEMORY_TOOL_GET] = agents[1].grant[MEMORY_TOOL_LIST] = grant;
    agents[2].grant[MEMORY_TOOL_LIST] = agents[3].grant[MEMORY_TOOL_GET] = grant;
    grant.namespace_count = 1;
    grant.namespaces = (const char **)open_names;
    p->grant[MEMORY_TOOL_GET] = p->grant[MEMORY_TOOL_LIST] = grant;
    grant.namespaces = (const char **)shut_names;
    agents[0].grant[MEMORY_TOOL_GET] = agents[0].grant[MEMORY_TOOL_LIST] = grant;
    p->agents = agents;
    p->agent_count = 4;
    p->namespaces = policies;
    p->namespace_count = sizeof(policies) / sizeof(*policies);
    p->mask = mask;
}

static const char *const spaces[] = {"open.mask", "open.refuse", "open.off",
                                     "shut.mask", "shut.refuse", "shut.off"};
#define SPACES (sizeof(spaces) / sizeof(*spaces))

/* The parameters with the ref for %r, its id for %i, its beginning for %b, and a word of its value for %w. */
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
        enum meeting met;
    } doors[] = {
        {"memory_get", "{'ref':'%r'}", MET_BY_REF},
        {"memory_get", "{'ref':'%b'}", MET_IN_LIST}, /* the beginning of one finds among others */
        {"memory_search", "{'query':'%w'}", MET_IN_LIST},
        {"memory_list", "{'kind':'entry','status':'all'}", MET_IN_LIST},
        {"memory_list", "{'label':'grounded'}", MET_IN_LIST},
        {"memory_list", "{'agent_id':'zoe','order':'text'}", MET_IN_LIST},
        {"memory_history", "{'ref':'%r'}", MET_BY_REF},
        {"memory_lineage", "{'ref':'%r'}", MET_BY_REF},
        {"resources/list", "{}", MET_IN_LIST},
        {"resources/read", "{'uri':'stemma://entry/%i'}", MET_BY_REF},
        {"resources/read", "{'uri':'stemma://agent/zoe'}", MET_IN_LIST},
        {"prompts/get", "{'name':'why_believed','arguments':{'ref':'%r'}}", MET_BY_REF},
        {"prompts/get", "{'name':'review_agent','arguments':{'agent':'zoe'}}", MET_IN_LIST},
        {"prompts/get", "{'name':'what_changed','arguments':{'since':'1970-01-02'}}", MET_IN_LIST},
        {"completion/complete",
         "{'ref':{'type':'ref/prompt','name':'why_believed'},"
         "'argument':{'name':'ref','value':'%r'}}",
         MET_IN_LIST},
        {"completion/complete",
         "{'ref':{'type':'ref/prompt','name':'why_believed'},"
         "'argument':{'name':'ref','value':'entry:'}}",
         MET_IN_LIST},
    };
    const char *id = strchr(ref, ':') + 1;
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++) {
        bool allowed = doors[i].met == MET_BY_REF ? by_ref : listed;
        struct strbuf params = STRBUF_INIT;
        fill_in(&params, doors[i].params, ref, space);
        bool tool = !strchr(doors[i].name, '/');
        const char *answer = tool ? guarded_tool(g, doors[i].name, params.buf)
                                  : guarded_ask(g, doors[i].name, params.buf);
        const char *result = strstr(answer, "\"result\"");
        bool failed = strstr(answer, "\"error\"") != NULL;
        const char *told = tool ? answer : result ? result : "";
        bool named = strstr(failed ? "" : told, id) != NULL;
        if (named != allowed)
            fail_msg("%s %s of %s: %s", doors[i].name, params.buf, spaces[space], answer);
        if (strstr(answer, "jane.doe") && !(off && strcmp(doors[i].name, "memory_get") == 0))
            fail_msg("%s %s of %s: %s", doors[i].name, params.buf, spaces[space], answer);
        strbuf_release(&params);
    }
}

static void each_namespace_is_seen_by_whom_it_is_granted(void **state)
{
    static const struct {
        const char *agent, *reads, *lists; /* namespaces that begin so */
        const char *total;
    } cases[] = {
        {"ash", "open", "open", "\"total\":3"}, {"bo", "shut", "shut", "\"total\":3"},
        {"cy", "none", "none", "\"total\":0"},  {"di", "open", "none", "\"total\":0"},
        {"ed", "none", "none", "\"total\":0"},  {NULL, "open", "open", "\"total\":3"},
    };
    (void)state;
    struct guarded g;
    const char *ref[SPACES];
    guarded_open(&g);
    for (size_t i = 0; i < SPACES; i++) {
        char value[100];
        snprintf(value, sizeof(value), "{\"mail\":\"jane.doe@example.com\",\"w\":\"plover%zu\"}",
                 i);
        ref[i] = guarded_put(&g, "zoe", spaces[i], "key", value);
    }
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct permissions p;
        grant(&p, true);
        guarded_begin(&g, &p, cases[c].agent);
        for (size_t i = 0; i < SPACES; i++)
            check_door(&g, i, strncmp(spaces[i], cases[c].reads, 4) == 0,
                       strncmp(spaces[i], cases[c].lists, 4) == 0, false, ref[i]);
        has(guarded_tool(&g, "memory_list", "{'kind':'entry'}"), cases[c].total);
        guarded_end(&g);
    }
    guarded_close(&g);
}

/* ---- the tools of entries, by tool, namespace, what is granted there and what becomes of personal data ---- */

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
        has(answer, off ? "jane.doe" : "[redacted-email]");
        has(answer, off ? "\"home_email\"" : "[REDACTED]_");
    }
    if (!is_open(c, ACCESS_READ) || !off)
        has_not(answer, "jane.doe");
    answer = allowed_or_denied(g, c, ACCESS_READ, "listMemory", "");
    if (is_open(c, ACCESS_READ))
        has(answer, off ? "[\"home_email\"]" : "[\"[REDACTED]_");
    answer = allowed_or_denied(g, c, ACCESS_READ, "getMemory", ",'key':'never'");
    if (is_open(c, ACCESS_READ))
        has(answer, "NOT_FOUND");
}

static void check_writes(struct guarded *g, const struct entry_case *c)
{
    const char *answer = allowed_or_denied(g, c, ACCESS_WRITE, "putMemory",
                                           ",'key':'w','value':{'to':'jane.doe@example.com'}");
    bool refused = ends_with(c->space, ".refuse");
    has_not(answer, "jane.doe");
    if (is_open(c, ACCESS_WRITE))
        has(answer, refused ? "\"redacted_fields\":[\"email\"]" : "{\"success\":true}");
    answer = allowed_or_denied(g, c, ACCESS_WRITE, "deleteMemory", ",'key':'w'");
    if (is_open(c, ACCESS_WRITE))
        has(answer, refused ? "NOT_FOUND" : "{\"success\":true}");
}

static void each_tool_of_entries_does_what_is_granted(void **state)
{
    struct guarded g;
    (void)state;
    guarded_open(&g);
    for (size_t i = 0; i < SPACES; i++)
        guarded_put(&g, "zoe", spaces[i], "home_email", "\"jane.doe@example.com\"");
    for (unsigned n = 0; n < 8; n++) {
        struct permissions p;
        struct entry_case c = {.access = n & (ACCESS_READ | ACCESS_WRITE), .bound = n & 4};
        grant(&p, true);
        p.agent_count = 0;
        p.grant[MEMORY_TOOL_LIST].operations = c.access;
        p.grant[MEMORY_TOOL_GET].given = false;
        p.grant[MEMORY_TOOL_PUT] = p.grant[MEMORY_TOOL_LIST];
        guarded_begin(&g, &p, c.bound ? "ash" : NULL);
        for (size_t i = 0; i < SPACES; i++) {
            c.space = spaces[i];
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
    grant(&p, true);
    guarded_begin(&g, &p, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        char params[300];
        snprintf(params, sizeof(params), calls[i][1], ref);
        const char *answer = guarded_tool(&g, calls[i][0], params);
        if (!strstr(answer, "PERMISSION_DENIED"))
            fail_msg("%s: %s", calls[i][0], answer);
    }
    has(guarded_tool(&g, "memory_get", "{'ref':'entry:'}"), "\"error\"");
    char params[300];
    snprintf(params, sizeof(params), "{'statement':'of it','derived_from':['%s']}", ref);
    has(guarded_tool(&g, "memory_belief", params), "\"version\":1");
    guarded_close(&g);
}

static void a_key_with_personal_data_is_not_told(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "open.mask", "home_phone_of.anna", "\"x\"");
    grant(&p, true);
    guarded_begin(&g, &p, "ash");
    static const char *const doors[][2] = {
        {"memory_list", "{'kind':'entry','order':'text','limit':1}"},
        {"memory_get", "{'ref':'%s'}"},
        {"memory_history", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s'}"},
        {"memory_search", "{'query':'open.mask'}"},
    };
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++) {
        char params[200];
        snprintf(params, sizeof(params), doors[i][1], ref);
        const char *answer = guarded_tool(&g, doors[i][0], params);
        has(answer, "[REDACTED]_");
        has_not(answer, "anna");
    }
    has(guarded_tool(&g, "memory_search", "{'query':'anna'}"), "{\"memories\":[]");
    has_not(guarded_ask(&g, "resources/list", "{}"), "anna");
    guarded_close(&g);
}

/* Who may not list it is told of it by its ref, and neither of what is wrong with it nor of its changes but by that:
 * what was subscribed to last would be told first. */
static void what_is_not_listed_is_told_by_its_ref(void **state)
{
    static const char *const agents[] = {"ash", "di"};
    static const char *const told_first[] = {"stemma://agent/zoe", "stemma://entry/e"};
    (void)state;
    struct guarded g;
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"zoe\",\"text\":\"e\"}", NULL);
    fixture_put(&g.f,
                "{\"ref\":\"entry:e\",\"agent_id\":\"zoe\",\"text\":\"k\",\"created_at\":5,"
                "\"detail\":{\"namespace\":\"open.mask\",\"key\":\"k\",\"value\":1}}",
                NULL);
    for (int i = 0; i < 2; i++) {
        struct permissions p;
        grant(&p, true);
        guarded_begin(&g, &p, agents[i]);
        const char *orphans = guarded_tool(&g, "memory_orphans", "{'problem':'suspect-time'}");
        (i == 0 ? has : has_not)(orphans, "entry:e");
        guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://entry/e'}");
        guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://agent/zoe'}");
        guarded_put(&g, "zoe", "open.mask", "k", i == 0 ? "2" : "3");
        has(client_read(&g.client), told_first[i]);
        guarded_end(&g);
    }
    guarded_close(&g);
}

/* Were it told, it would be told first: it was subscribed to last. */
static void what_is_hidden_is_not_told_of(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    char params[200];
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"e\"}", NULL);
    const char *ref = guarded_put(&g, "ash", "open.mask", "key", "1");
    grant(&p, true);
    guarded_begin(&g, &p, "ash");
    guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://raw/r'}");
    guarded_ask(&g, "resources/subscribe", "{'uri':'stemma://agent/zoe'}");
    snprintf(params, sizeof(params), "{'uri':'stemma://entry/%s'}", strchr(ref, ':') + 1);
    has(guarded_ask(&g, "resources/subscribe", params), "\"result\"");
    permissions_init(&p); /* open.* is granted to nobody */
    guarded_rules(&g, &p);
    guarded_put(&g, "ash", "open.mask", "key", "2");
    guarded_put(&g, "zoe", "open.mask", "other", "3");
    fixture_put(&g.f, "{\"ref\":\"raw:z\",\"agent_id\":\"zoe\",\"text\":\"z\"}", NULL);
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"f\"}", NULL);
    const char *first = client_read(&g.client);
    while (first && strstr(first, "agent/zoe")) /* of many, of which raw:r is one */
        first = client_read(&g.client);
    has(first, "stemma://raw/r");
    guarded_close(&g);
}

static int rename_key(struct txn *t, void *arg, struct error *e)
{
    static const struct actor person = {.class = ACTOR_PERSON, .name = "ann"};
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct plan p;
    q.refs = arg;
    q.ref_count = 1;
    q.fields = "{\"key\":\"home\"}";
    int result = operation_in(t, &person, OPERATION_EDIT, &q, &arena, &p, e);
    arena_release(&arena);
    return result;
}

/* A history says each side of a change by the key that the entry had then. */
static void a_former_key_is_masked(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    struct error e;
    char params[200];
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "public.x", "home_email", "1");
    if (store_run(g.f.store, rename_key, &ref, &e))
        fail_msg("%s", e.what);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    snprintf(params, sizeof(params), "{'ref':'%s'}", ref);
    const char *told = guarded_tool(&g, "memory_history", params);
    has(told, "\"field\":\"detail.key\",\"before\":\"[REDACTED]_");
    has(told, "\"after\":\"home\"");
    if (strstr(told, "home_email"))
        fail_msg("%s", told);
    guarded_close(&g);
}

/* What was found of a store without such links holds no longer than that. */
static void an_entry_that_is_linked_later_is_left_out(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    char line[400], question[300];
    fill(&g);
    const char *ref = guarded_put(&g, "zoe", "shut.mask", "key", "1");
    grant(&p, true);
    guarded_begin(&g, &p, NULL);
    has(guarded_tool(&g, "memory_lineage", "{'ref':'belief:own3'}"), "\"belief:own2\"");
    has(guarded_tool(&g, "memory_whatif", "{'refs':['raw:own1']}"), "belief:own2");
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:late\",\"agent_id\":\"ash\",\"text\":\"late\","
             "\"derived_from\":[\"belief:own3\",\"%s\"]}",
             ref);
    fixture_put(&g.f, line, NULL);
    for (int i = 0; i < 2; i++) {
        const char *lineage = guarded_tool(&g, "memory_lineage", "{'ref':'belief:late'}");
        has(lineage, "belief:own3");
        has_not(lineage, "entry:");
        has_not(lineage, "shut.mask");
    }
    snprintf(question, sizeof(question), "{'ref':'%s','direction':'descendants'}", ref);
    has(guarded_tool(&g, "memory_lineage", question), "\"NOT_FOUND\"");
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_another_agent_its_ref_and_owner_are_told),
        cmocka_unit_test(lists_and_counts_leave_others_out),
        cmocka_unit_test(pieces_are_cut_from_what_is_masked),
        cmocka_unit_test(a_piece_of_anothers_tells_nothing),
        cmocka_unit_test(other_doors_tell_nothing_of_others),
        cmocka_unit_test(what_is_anothers_is_not_changed),
        cmocka_unit_test(nobody_writes_in_anothers_name),
        cmocka_unit_test(who_is_bound_is_told_its_name),
        cmocka_unit_test(who_is_not_bound_sees_all_memories),
        cmocka_unit_test(each_namespace_is_seen_by_whom_it_is_granted),
        cmocka_unit_test(each_tool_of_entries_does_what_is_granted),
        cmocka_unit_test(entries_are_changed_by_their_own_tools_alone),
        cmocka_unit_test(a_key_with_personal_data_is_not_told),
        cmocka_unit_test(what_is_not_listed_is_told_by_its_ref),
        cmocka_unit_test(what_is_hidden_is_not_told_of),
        cmocka_unit_test(a_former_key_is_masked),
        cmocka_unit_test(an_entry_that_is_linked_later_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
