/*
 * Denied data must leave no trace. A store with entries that an agent may not read must answer like
 * one without them, through every tool, resource, completion, prompt and error. And personal data
 * must not leave through any of them.
 */
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/mcp/protocol/service.h"
#include "store/mcp/tools/service.h"
#include "store/ops/operation.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"
#include "tests/support/entry_calls.h"

#define MAIL "jane.doe@example.com"

/* ---- denied entries ---- */

struct question {
    const char *method; /* names with a capital or an underscore are tools */
    const char
        /* @ stands for the id of the denied entry, # for its first eight characters */
        *params;
};

static const struct question questions[] = {
    {"memory_get", "{'ref':'entry:@'}"},
    {"memory_get", "{'ref':'entry:#'}"},
    {"memory_get", "{'ref':'@'}"},
    {"memory_get", "{'ref':'#'}"},
    {"memory_get", "{'ref':'entry:seen'}"},
    {"memory_list", "{}"},
    {"memory_list", "{'kind':'entry'}"},
    {"memory_list", "{'kind':'entry','status':'all','order':'text'}"},
    {"memory_list", "{'limit':1}"},
    {"memory_list", "{'label':'supported'}"},
    {"memory_list", "{'agent_id':'zoe'}"},
    {"memory_list", "{'agent_id':'ash','order':'updated'}"},
    {"memory_search", "{'query':'launchcode'}"},
    {"memory_list", "{'query':'uses:>0'}"},
    {"memory_list", "{'query':'roots:1 -label:unsourced'}"},
    {"memory_list", "{'query':'flag:none -agent:ash confidence:<1 source:a'}"},
    {"memory_list", "{'query':'launchcode status:all'}"},
    {"memory_list", "{'query':'/launch|xyzzy/ tag:none'}"},
    {"memory_search", "{'query':'launchcode -zoe after:2020-01-01'}"},
    {"memory_search", "{'query':'xyzzy'}"},
    {"memory_search", "{'query':'sensitive'}"},
    {"memory_search", "{'query':'deploy'}"},
    {"memory_lineage", "{'ref':'entry:@'}"},
    {"memory_lineage", "{'ref':'belief:b1'}"},
    {"memory_lineage", "{'ref':'raw:r1'}"},
    {"memory_whatif", "{'refs':['entry:@']}"},
    {"memory_whatif", "{'refs':['raw:r1']}"},
    {"memory_orphans", "{}"},
    {"memory_orphans", "{'agent_id':'zoe'}"},
    {"memory_taint", "{'ref':'raw:r1'}"},
    {"memory_why_not", "{'text':'the'}"},
    {"memory_replaced", "{}"},
    {"memory_effects", "{'text':'@3'}"},
    {"memory_duplicates", "{}"},
    {"memory_duplicates", "{'refs':['belief:b1']}"},
    {"memory_conflicts", "{}"},
    {"memory_conflicts", "{'refs':['entry:@']}"},
    {"memory_why", "{'ref':'entry:@'}"},
    {"memory_why", "{'ref':'belief:b1'}"},
    {"memory_blame", "{'ref':'entry:@'}"},
    {"memory_blame", "{'ref':'belief:b1'}"},
    {"memory_roots", "{'ref':'entry:@'}"},
    {"memory_roots", "{'ref':'belief:b1'}"},
    {"memory_confidence", "{'ref':'entry:@'}"},
    {"memory_confidence", "{'ref':'belief:b1'}"},
    {"memory_taint", "{'ref':'entry:@'}"},
    {"memory_taint", "{'ref':'belief:b1'}"},
    {"memory_forensics", "{'ref':'entry:@'}"},
    {"memory_forensics", "{'ref':'belief:b1'}"},
    {"memory_keystones", "{}"},
    {"memory_keystones", "{'refs':['entry:@']}"},
    {"memory_suspects", "{}"},
    {"memory_suspects", "{'refs':['entry:@']}"},
    {"memory_stale", "{}"},
    {"memory_stale", "{'refs':['entry:@']}"},
    {"memory_why_not", "{'text':'launchcode'}"},
    {"memory_resolve", "{'refs':['belief:b1','entry:@']}"},
    {"memory_resolve", "{'refs':['belief:b1']}"},
    {"memory_why", "{'ref':'raw:r1'}"},
    {"memory_blame", "{'ref':'raw:r1'}"},
    {"memory_roots", "{'ref':'raw:r1'}"},
    {"memory_confidence", "{'ref':'raw:r1'}"},
    {"memory_forensics", "{'ref':'raw:r1'}"},
    {"memory_history", "{'ref':'entry:@'}"},
    {"memory_history", "{'ref':'belief:b1'}"},
    {"memory_propagate_confidence", "{'ref':'entry:@'}"},
    {"memory_propagate_confidence", "{'ref':'raw:r1'}"},
    {"get_source_attributions", "{'agent_id':'zoe'}"},
    {"get_citations", "{'conversation_id':'c'}"},
    {"cot_get", "{'chain':'entry:@'}"},
    {"cot_sources", "{'chain':'@'}"},
    {"extract_sources", "{'context_documents':['a document']}"},
    {"memory_update", "{'ref':'entry:@','text':'x'}"},
    {"memory_update", "{'ref':'entry:@','text':'x','expected_version':9}"},
    {"memory_mark", "{'ref':'entry:#','mark':'reviewed'}"},
    {"memory_reinforce", "{'ref':'entry:@'}"},
    {"memory_reinforce", "{'ref':'belief:b1','evidence_source':'entry:@'}"},
    {"memory_consolidate", "{'ref':'belief:b1','evidence':['entry:@']}"},
    {"memory_supersede", "{'ref':'entry:@','statement':'x'}"},
    {"memory_process_raw", "{'ref':'@','as':'note'}"},
    {"memory_revise_from_episode", "{'episode':'@','confirms':['belief:b1'],'contradicts':[]}"},
    {"memory_revise_from_episode",
     "{'episode':'episode:e1','confirms':['entry:@'],'contradicts':['entry:#']}"},
    {"memory_verify", "{'ref':'entry:@'}"},
    {"memory_retract", "{'ref':'entry:@'}"},
    {"memory_restore", "{'ref':'entry:@'}"},
    {"memory_forget", "{'ref':'entry:@'}"},
    {"memory_protect", "{'ref':'entry:@'}"},
    {"memory_seed", "{'statement':'a seed'}"},
    {"memory_add", "{'kind':'entry','text':'launchcode'}"},
    {"memory_raw", "{'blob':'made of it','derived_from':['entry:@']}"},
    {"memory_raw", "{'blob':'made of it','derived_from':['entry:#']}"},
    {"memory_episode", "{'objective':'o','outcome':'o','relates_to':['entry:@']}"},
    {"memory_note", "{'content':'n','derived_from':['@']}"},
    {"memory_belief", "{'statement':'s','derived_from':['entry:@','raw:r1']}"},
    {"log_source_attribution", "{'agent_id':'ash','source_type':'web','retrieval_timestamp':"
                               "1700000000000,'supports':['entry:@']}"},
    {"log_search_attribution",
     "{'agent_id':'ash','query':'q','results_summary':'r','retrieval_timestamp':1700000000000}"},
    {"cot_begin", "{'question':'q'}"},
    {"cot_step", "{'chain':'entry:@','step_number':1,'question':'q'}"},
    {"cot_finish", "{'chain':'entry:@','final_answer':'a'}"},
    {"cot_record", "{'original_question':'q','final_answer':'a','reasoning_steps':[]}"},
    {"cite_sources",
     "{'conversation_id':'c','message_id':'m','sources':[{'documentId':'@','documentName':'n'}]}"},
    {"memory_list", "{'kind':'belief'}"},
    {"memory_lineage", "{'ref':'belief:b1','direction':'ancestors'}"},
    {"memory_orphans", "{}"},
    {"putMemory", "{'namespace':'sensitive.x','key':'launchcode','value':1}"},
    {"getMemory", "{'namespace':'sensitive.x','key':'launchcode'}"},
    {"getMemory", "{'namespace':'sensitive.x','key':'never'}"},
    {"deleteMemory", "{'namespace':'sensitive.x','key':'launchcode'}"},
    {"listMemory", "{'namespace':'sensitive.x'}"},
    {"listMemory", "{'namespace':'sensitive.none'}"},
    {"listMemory", "{'namespace':'public.info'}"},
    {"listMemory", "{'namespace':'sensitive.x','prefix':'launch','limit':1}"},
    {"listMemory", "{'namespace':'sensitive.x','limit':0}"},
    {"listMemory", "{'namespace':'sensitive'}"},
    {"getMemory", "{'namespace':'sensitive.x','key':'[REDACTED]_AAAAAAAAAAAAA'}"},
    {"getMemory", "{'namespace':'public.info','key':'launchcode'}"},
    {"getMemory", "{'namespace':'public.info','key':'deploy_time'}"},
    {"getMemory", "{'namespace':'public.info','key':'@'}"},
    {"putMemory", "{'namespace':'sensitive.x','key':'own','value':1,'ttl_seconds':0}"},
    {"putMemory", "{'namespace':'sensitive.x','key':'own','value':'" MAIL "'}"},
    {"putMemory", "{'namespace':'session.x','key':'launchcode','value':'entry:@'}"},
    {"getMemory", "{'namespace':'session.x','key':'launchcode'}"},
    {"listMemory", "{'namespace':'session.x'}"},
    {"memory_list", "{'kind':'entry'}"},
    {"deleteMemory", "{'namespace':'session.x','key':'launchcode'}"},
    {"deleteMemory", "{'namespace':'sensitive.x','key':'never'}"},
    {"deleteMemory", "{'namespace':'public.info','key':'deploy_time'}"},
    {"getContext", "{'context_type':'agent'}"},
    {"getContext", "{'context_type':'task','include_history':true}"},
    {"getContext", "{'context_type':'none'}"},
    {"resources/list", "{}"},
    {"resources/read", "{'uri':'stemma://entry/@'}"},
    {"resources/read", "{'uri':'stemma://entry/#'}"},
    {"resources/read", "{'uri':'stemma://entry/@/lineage'}"},
    {"resources/read", "{'uri':'stemma://entry/@/lineage.json'}"},
    {"resources/read", "{'uri':'stemma://belief/b1/lineage'}"},
    {"resources/read", "{'uri':'stemma://agent/zoe'}"},
    {"resources/read", "{'uri':'stemma://agent/ash'}"},
    {"resources/subscribe", "{'uri':'stemma://entry/@'}"},
    {"completion/complete",
     "{'ref':{'type':'ref/prompt','name':'why_believed'},'argument':{'name':'ref','value':'#'}}"},
    {"completion/complete", "{'ref':{'type':'ref/prompt','name':'why_believed'},"
                            "'argument':{'name':'ref','value':'entry:'}}"},
    {"completion/complete", "{'ref':{'type':'ref/resource','uri':'stemma://{kind}/{id}'},"
                            "'argument':{'name':'id','value':''}}"},
    {"completion/complete", "{'ref':{'type':'ref/prompt','name':'review_agent'},"
                            "'argument':{'name':'agent','value':''}}"},
    {"prompts/get", "{'name':'why_believed','arguments':{'ref':'entry:@'}}"},
    {"prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:b1'}}"},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'zoe'}}"},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}"},
};

#define QUESTIONS (sizeof(questions) / sizeof(*questions))

static bool is_tool(const char *method)
{
    return !strchr(method, '/');
}

/* Replaces ids, hashes and cursors, which differ in each store. */
static char *normal(const char *answer)
{
    struct strbuf out = STRBUF_INIT;
    while (*answer) {
        size_t run =
            strspn(answer, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-");
        if (run >= 20 || run == 8) {
            strbuf_addch(&out, '*');
            answer += run;
        } else if (run) {
            strbuf_add(&out, answer, run);
            answer += run;
        } else {
            strbuf_addch(&out, *answer++);
        }
    }
    return strbuf_detach(&out, NULL);
}

static char *filled(const char *params, const char *id)
{
    struct strbuf out = STRBUF_INIT;
    for (; *params; params++)
        if (*params == '@')
            strbuf_addstr(&out, id);
        else if (*params == '#')
            strbuf_add(&out, id, 8);
        else
            strbuf_addch(&out, *params);
    return strbuf_detach(&out, NULL);
}

static void fill(struct guarded *g)
{
    guarded_open(g);
    fixture_put(
        &g->f, "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"deploy\",\"created_at\":1000}",
        "{\"ref\":\"episode:e1\",\"agent_id\":\"ash\",\"text\":\"tried\",\"created_at\":2000}",
        "{\"ref\":\"belief:b1\",\"agent_id\":\"ash\",\"text\":\"deploy works\","
        "\"created_at\":3000,\"derived_from\":[\"raw:r1\"]}",
        NULL);
    guarded_put(g, "ash", "public.info", "deploy_time", "\"noon\"");
}

static char **ask_all(struct guarded *g, const char *agent, const char *id)
{
    struct permissions p;
    char **answers = calloc(QUESTIONS, sizeof(*answers));
    permissions_init(&p);
    guarded_begin(g, &p, agent);
    for (size_t i = 0; i < QUESTIONS; i++) {
        AUTO_FREE char *params = filled(questions[i].params, id);
        const char *answer = is_tool(questions[i].method)
                                 ? guarded_tool(g, questions[i].method, params)
                                 : guarded_ask(g, questions[i].method, params);
        answers[i] = normal(answer);
    }
    return answers;
}

static void compare(const char *agent)
{
    struct guarded with, without;
    fill(&with);
    fill(&without);
    const char *ref =
        guarded_put(&with, "zoe", "sensitive.x", "launchcode", "{\"a\":\"xyzzyplugh\"}");
    guarded_put(&with, "ash", "sensitive.x", "own", "\"launchcode deploy\"");
    const char *id = strchr(ref, ':') + 1;
    char **a = ask_all(&with, agent, id), **b = ask_all(&without, agent, id);
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (strcmp(a[i], b[i]) != 0)
            fail_msg("%s %s:\n%s\nis not\n%s", questions[i].method, questions[i].params, a[i],
                     b[i]);
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
    guarded_close(&with);
    guarded_close(&without);
}

TEST(a_denied_entry_leaves_no_trace)
{
    compare("ash");
    compare(NULL);
}

/* ---- withheld memories ---- */

#define PLANTED "plantedxyzzy"

/* The same questions about a belief: no answer has words of what is withheld. */
static void ask_about_planted(struct guarded *g, const char *agent)
{
    struct permissions p;
    permissions_init(&p);
    p.share = true;
    guarded_begin(g, &p, agent);
    for (size_t i = 0; i < QUESTIONS; i++) {
        char *params = filled(questions[i].params, "0badcafe-0000-4000-8000-000000000001");
        for (char *at; (at = strstr(params, "entry:"));) {
            struct strbuf about = STRBUF_INIT;
            strbuf_addf(&about, "%.*sbelief:%s", (int)(at - params), params, at + strlen("entry:"));
            free(params);
            params = strbuf_detach(&about, NULL);
        }
        const char *answer = is_tool(questions[i].method)
                                 ? guarded_tool(g, questions[i].method, params)
                                 : guarded_ask(g, questions[i].method, params);
        if (strstr(answer, PLANTED))
            fail_msg("%s %s:\n%s", questions[i].method, params, answer);
        free(params);
    }
}

#define IS_PLANTED                                                                                 \
    "\"text\":\"" PLANTED "\",\"agent_id\":\"ash\",\"status\":\"quarantined\",\"created_at\":900,"
/* `agent`: NULL for a caller without a name. */
static void is_in_no_answer(enum status status, const char *agent)
{
    static const struct question linked[] = {
        {"memory_get", "{'ref':'belief:b5'}"},
        {"memory_lineage", "{'ref':'belief:b5','direction':'ancestors','format':'json'}"},
        {"memory_lineage", "{'ref':'belief:b5','direction':'ancestors','format':'text'}"},
        {"memory_history", "{'ref':'belief:b5'}"},
        {"memory_list", "{'status':'all','limit':200}"},
        {"memory_orphans", "{}"},
        {"memory_why", "{'ref':'belief:b5'}"},
        {"memory_blame", "{'ref':'belief:b5'}"},
        {"memory_roots", "{'refs':['belief:b5']}"},
    };
    struct guarded g;
    char sql[80];
    fill(&g);
    fixture_put(&g.f,
                "{\"ref\":\"belief:0badcafe-0000-4000-8000-000000000001\"," IS_PLANTED
                "\"source\":\"" PLANTED "\"}",
                "{\"ref\":\"raw:0badcafe-0000-4000-8000-000000000002\"," IS_PLANTED
                "\"tags\":[\"" PLANTED "\"]}",
                "{\"ref\":\"document:0badcafe-0000-4000-8000-000000000003\"," IS_PLANTED
                "\"context\":\"" PLANTED "\"}",
                "{\"ref\":\"attribution:0badcafe-0000-4000-8000-000000000004\"," IS_PLANTED
                "\"source_type\":\"observation\",\"detail\":{\"source_type\":\"web\","
                "\"retrieval_timestamp\":5,\"content_summary\":\"" PLANTED "\"}}",
                "{\"ref\":\"belief:b5\",\"agent_id\":\"ash\",\"text\":\"deploy on both\","
                "\"created_at\":4000,\"derived_from\":[\"raw:r1\","
                "\"belief:0badcafe-0000-4000-8000-000000000001\"]}",
                NULL);
    snprintf(sql, sizeof(sql), "UPDATE memory SET status = %d WHERE status = 8", (int)status);
    fixture_sql(&g.f, sql);
    ask_about_planted(&g, agent);
    for (size_t i = 0; i < sizeof(linked) / sizeof(*linked); i++)
        if (strstr(guarded_tool(&g, linked[i].method, linked[i].params), "0badcafe-0000"))
            fail_msg("%s %s names it", linked[i].method, linked[i].params);
    guarded_close(&g);
}

TEST(a_withheld_memory_is_in_no_answer)
{
    is_in_no_answer(STATUS_QUARANTINED, "ash"); /* who wrote it */
    for (int status = STATUS_QUARANTINED; status < STATUS_COUNT; status++) {
        is_in_no_answer((enum status)status, "bo");
        is_in_no_answer((enum status)status, NULL);
    }
}

/* A new tool must be added to the questions above. */
TEST(every_tool_is_tested)
{
    const struct mcp_service *s = service_of_all();
    for (size_t i = 0; i < s->tool_count; i++) {
        bool asked = false;
        for (size_t k = 0; k < QUESTIONS; k++)
            asked |= strcmp(questions[k].method, s->tools[i]->name) == 0;
        if (!asked)
            fail_msg("nothing is asked of %s", s->tools[i]->name);
    }
}

/* ---- links to denied entries ---- */

static void has(const char *answer, const char *part)
{
    if (!strstr(answer, part))
        fail_msg("%s is not in %s", part, answer);
}

/* Labels, and all answers that depend on them. */
static char *labels_told(struct guarded *g)
{
    static const struct question asked[] = {
        {"memory_get", "{'ref':'belief:b2'}"},
        {"memory_get", "{'ref':'belief:b4'}"},
        {"memory_list", "{'kind':'belief'}"},
        {"memory_list", "{'label':'weakened'}"},
        {"memory_list", "{'label':'unsupported'}"},
        {"memory_search", "{'query':'two'}"},
        {"memory_orphans", "{}"},
        {"memory_lineage", "{'ref':'raw:r1','direction':'descendants'}"},
        {"memory_lineage", "{'ref':'belief:b4','direction':'ancestors'}"},
        {"resources/read", "{'uri':'stemma://belief/b4'}"},
        {"resources/read", "{'uri':'stemma://belief/b4/lineage'}"},
        {"prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:b4'}}"},
        {"prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}"},
    };
    struct strbuf all = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        const char *answer = is_tool(asked[i].method)
                                 ? guarded_tool(g, asked[i].method, asked[i].params)
                                 : guarded_ask(g, asked[i].method, asked[i].params);
        const char *id =
            strncmp(answer, "{\"jsonrpc\"", 10) == 0 ? strstr(answer, "\"id\":") : NULL;
        strbuf_addf(&all, "%s\n", id ? id + 5 + strcspn(id + 5, ",") : answer);
    }
    return strbuf_detach(&all, NULL);
}

/* What-ifs are answered as if the links did not exist, before and after the entry is removed. */
TEST(hidden_links_are_not_counted)
{
    struct guarded g;
    struct permissions p;
    char line[400];
    fill(&g);
    const char *hidden = guarded_put(&g, "zoe", "sensitive.x", "launchcode", "1");
    const char *shown = guarded_put(&g, "zoe", "public.x", "noon", "1");
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:b2\",\"agent_id\":\"ash\",\"text\":\"two\",\"created_at\":4000,"
             "\"derived_from\":[\"%s\",\"raw:r1\"]}",
             hidden);
    fixture_put(&g.f, line, NULL);
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:b3\",\"agent_id\":\"ash\",\"text\":\"three\",\"created_at\":5000,"
             "\"derived_from\":[\"raw:r1\",\"%s\",\"%s\"]}",
             shown, hidden);
    fixture_put(&g.f, line, NULL);
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:b4\",\"agent_id\":\"ash\",\"text\":\"four\",\"created_at\":6000,"
             "\"derived_from\":[\"%s\"]}",
             hidden);
    fixture_put(&g.f, line, NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    AUTO_FREE char *before = labels_told(&g);
    assert_null(strstr(before, "weakened\""));
    static const char told[] =
        "{\"loses_all_support\":[\"belief:b1\",\"belief:b2\"],\"weakened\":[{\"ref\":"
        "\"belief:b3\",\"before\":2,"
        "\"after\":1}],\"descends\":0}";
    assert_string_equal(guarded_tool(&g, "memory_whatif", "{'ref':'raw:r1','format':'json'}"),
                        told);
    calls_grant_all(&p);
    guarded_rules(&g, &p);
    assert_non_null(strstr(guarded_tool(&g, "memory_whatif", "{'ref':'raw:r1','format':'json'}"),
                           "\"loses_all_support\":[\"belief:b1\"]"));
    assert_string_equal(
        guarded_tool(&g, "deleteMemory", "{'namespace':'sensitive.x','key':'launchcode'}"),
        "{\"success\":true}");
    permissions_init(&p);
    guarded_rules(&g, &p);
    assert_string_equal(guarded_tool(&g, "memory_whatif", "{'ref':'raw:r1','format':'json'}"),
                        told);
    AUTO_FREE char *after = labels_told(&g);
    assert_string_equal(after, before);
    guarded_close(&g);
}

/* ---- personal data ---- */

#define CALL "555-123-4567"

static const struct question given[] = {
    {"memory_raw", "{'blob':'write to " MAIL " or " CALL "','source':'" MAIL
                   "','source_entity':'human:" MAIL "','context':'" CALL "'}"},
    {"memory_episode", "{'objective':'met " MAIL "','outcome':'" CALL "','lessons':['" MAIL
                       "'],'tags':['" MAIL "']}"},
    {"memory_note", "{'content':'" MAIL "','speaker':'" MAIL "','reason':'" CALL "'}"},
    {"memory_belief",
     "{'statement':'deploys are told to " MAIL "','derived_from':['raw:" MAIL "']}"},
    {"memory_add", "{'kind':'document','text':'" MAIL "','detail':{'uri':'mailto:" MAIL "'}}"},
    {"log_source_attribution",
     "{'agent_id':'ash','source_type':'web','retrieval_timestamp':1700000000000,'source_uri':'"
     "mailto:" MAIL "','content_summary':'" CALL
     "','full_content_json':{'password':'hunter2hunter2','to':'" MAIL "'}}"},
    {"cot_record",
     "{'original_question':'who is " MAIL "?','final_answer':'" CALL
     "','reasoning_steps':[{'step_number':1,'question':'" MAIL "','intermediate_answer':'" CALL
     "','reasoning_trace':'" MAIL "','source_attributions':[{'document_id':'" MAIL
     "','document_title':'" MAIL "','relevance_score':0.9,'excerpt':'" CALL "'}]}]}"},
    {"cite_sources",
     "{'conversation_id':'" MAIL "','message_id':'m','sources':[{'documentId':'" MAIL
     "','documentName':'" MAIL "','snippet':'" CALL "'}]}"},
    {"memory_raw", "{'blob':'long, and only then: " MAIL "'}"},
    {"putMemory", "{'namespace':'session.p','key':'" MAIL "','value':{'to':'" MAIL
                  "','password':'hunter2hunter2','call':['" CALL "']}}"},
};

static const struct question doors[] = {
    {"memory_list", "{'status':'all','limit':200}"},
    {"memory_list", "{'order':'text','limit':1}"},
    {"memory_search", "{'query':'deploys'}"},
    {"memory_search", "{'query':'jane.doe'}"},
    {"memory_search", "{'query':'example'}"},
    {"memory_search", "{'query':'hunter'}"},
    {"memory_orphans", "{}"},
    {"get_source_attributions", "{'agent_id':'ash'}"},
    {"get_citations", "{'conversation_id':'" MAIL "'}"},
    {"resources/list", "{}"},
    {"resources/read", "{'uri':'stemma://agent/ash'}"},
    {"resources/read", "{'uri':'stemma://agent/jane.doe%40example.com'}"},
    {"resources/read", "{'uri':'stemma://raw/jane.doe%40example.com'}"},
    {"resources/subscribe", "{'uri':'stemma://raw/never.jane.doe%40example.com'}"},
    {"memory_get", "{'ref':'raw:" MAIL "x'}"},
    {"memory_get", "{'ref':'" MAIL "'}"},
    {"memory_get", "{'ref':'raw:jane'}"},
    {"memory_update", "{'ref':'" MAIL "','text':'x'}"},
    {"completion/complete",
     "{'ref':{'type':'ref/"
     "prompt','name':'why_believed'},'argument':{'name':'ref','value':'raw:'}}"},
    {"completion/complete", "{'ref':{'type':'ref/prompt','name':'why_believed'},"
                            "'argument':{'name':'ref','value':'jane'}}"},
    {"completion/complete", "{'ref':{'type':'ref/prompt','name':'review_agent'},"
                            "'argument':{'name':'agent','value':'jane'}}"},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}"},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'never." MAIL "'}}"},
    {"memory_belief", "{'statement':'again','derived_from':['raw:" MAIL "']}"},
    {"memory_note", "{'content':'x','type':'" MAIL "'}"},
    {"listMemory", "{'namespace':'session.p'}"},
    {"getMemory", "{'namespace':'session.p','key':'" MAIL "'}"},
    {"getMemory", "{'namespace':'session.p','key':'never." MAIL "'}"},
    {"getMemory", "{'namespace':'sensitive." CALL "','key':'k'}"},
    {"putMemory", "{'namespace':'sensitive." CALL "','key':'" MAIL "','value':1}"},
    {"putMemory", "{'namespace':'session.p','key':'" MAIL " x','value':'" MAIL "'}"},
    {"deleteMemory", "{'namespace':'session.p','key':'never." MAIL "'}"},
    {"listMemory", "{'namespace':'session.p','prefix':'jane'}"},
    {"getContext", "{'include_history':true}"},
};

static void has_none(const struct question *q, const char *answer)
{
    static const char *const words[] = {"jane.doe", "555-123",    "hunter2",
                                        "@example", "%40example", "123-4567"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strstr(answer, words[i]))
            fail_msg("\"%s\" leaves by %s %s: %s", words[i], q->method, q->params, answer);
}

/* The answer in each form that the tool has. */
static const char *ask_tool(struct guarded *g, const char *tool, const char *params)
{
    static struct strbuf all, other;
    static const char *const forms[] = {"'detail':'full'", "'format':'json'"};
    strbuf_clear(&all);
    strbuf_addstr(&all, guarded_tool(g, tool, params));
    for (const struct field *f = tool_named(tool)->arguments; f->name; f++) {
        const char *form = strcmp(f->name, "detail") == 0 && f->choice ? forms[0]
                           : strcmp(f->name, "format") == 0            ? forms[1]
                                                                       : NULL;
        if (!form)
            continue;
        strbuf_clear(&other);
        strbuf_addf(&other, "%.*s%s%s}", (int)strlen(params) - 1, params,
                    strcmp(params, "{}") == 0 ? "" : ",", form);
        strbuf_addstr(&all, guarded_tool(g, tool, other.buf));
    }
    return all.buf;
}

static const char *ask(struct guarded *g, const struct question *q)
{
    return is_tool(q->method) ? ask_tool(g, q->method, q->params)
                              : guarded_ask(g, q->method, q->params);
}

/* Reads each memory through every tool that can show it. */
static void look_at_all(struct guarded *g)
{
    static const char *const forms[][2] = {
        {"memory_get", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s','direction':'descendants'}"},
        {"memory_history", "{'ref':'%s'}"},
        {"memory_propagate_confidence", "{'ref':'%s'}"},
        {"memory_whatif", "{'refs':['%s']}"},
        {"prompts/get", "{'name':'why_believed','arguments':{'ref':'%s'}}"},
        {"cot_get", "{'chain':'%s'}"},
        {"cot_sources", "{'chain':'%s'}"},
    };
    struct error e;
    int64_t rows = 0;
    if (db_int(reader_db(g->f.reader), &rows, 0, &e, "SELECT max(id) FROM memory", ""))
        fail_msg("%s", e.what);
    for (int64_t row = 1; row <= rows; row++)
        for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
            char params[400];
            snprintf(params, sizeof(params), forms[i][1], fixture_ref(&g->f, row));
            struct question q = {forms[i][0], params};
            has_none(&q, ask(g, &q));
        }
}

TEST(no_tool_reveals_personal_data)
{
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"belief:of-another\",\"text\":\"of another\",\"agent_id\":\"" MAIL "\"}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
        const char *answer = ask(&g, &given[i]);
        if (strstr(answer, "\"error\""))
            fail_msg("%s: %s", given[i].method, answer);
        has_none(&given[i], answer);
    }
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++)
        has_none(&doors[i], ask(&g, &doors[i]));
    look_at_all(&g);
    assert_non_null(strstr(ask(&g, &(struct question){"memory_search", "{'query':'jane.doe'}"}),
                           "{\"memories\":[]"));
    assert_non_null(strstr(ask(&g, &(struct question){"memory_search", "{'query':'deploys'}"}),
                           "[redacted-email]"));
    /* The stored data is complete. */
    guarded_end(&g);
    int64_t kept = 0;
    struct error e;
    db_int(reader_db(g.f.reader), &kept, 0, &e, "SELECT count(*) FROM memory WHERE text = ?", "s",
           "write to " MAIL " or " CALL);
    assert_int_equal(kept, 1);
    guarded_close(&g);
}

/* A text is masked before it is truncated: half an address is not recognised. */
TEST(texts_are_masked_before_they_are_truncated)
{
    struct guarded g;
    struct permissions p;
    static const int lengths[] = {60,  65,  70,  75,  78,  180, 185, 190,  195,  198,
                                  580, 585, 590, 595, 985, 990, 995, 1985, 1990, 1995};
    guarded_open(&g);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        AUTO_STRBUF put = STRBUF_INIT;
        strbuf_addstr(&put, "{'blob':'");
        strbuf_addchars(&put, 'x', (size_t)lengths[i]);
        strbuf_addstr(&put, " " MAIL " deploy'}");
        guarded_tool(&g, "memory_raw", put.buf);
    }
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++)
        has_none(&doors[i], ask(&g, &doors[i]));
    has_none(&doors[0], ask(&g, &(struct question){"memory_search", "{'query':'xxxxx'}"}));
    has_none(&doors[0], ask(&g, &(struct question){"memory_search", "{'query':'deploy'}"}));
    look_at_all(&g);
    guarded_close(&g);
}

/* ---- errors ---- */

static void check_error(const char *what, const char *answer)
{
    if (!strstr(answer, "\"error\"") || strstr(answer, "jane") || strstr(answer, "doe@") ||
        strstr(answer, "867"))
        fail_msg("%s: %s", what, answer);
}

/* Errors quote and truncate their input. */
TEST(errors_are_masked_before_they_are_truncated)
{
    struct guarded g;
    struct permissions p;
    char quoted[200], params[600];
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"raw:j\",\"text\":\"j\",\"created_at\":1}", NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (int pad = 0; pad < 110; pad++) {
        memset(quoted, 'x', (size_t)pad);
        snprintf(quoted + pad, sizeof(quoted) - (size_t)pad, " %s",
                 pad % 2 ? MAIL " tail" : "555-867-5309 tail");
        snprintf(params, sizeof(params), "{'ref':'raw:j','evidence':['raw:j'],'date':'%s'}",
                 quoted);
        check_error("date", guarded_tool(&g, "memory_consolidate", params));
        snprintf(params, sizeof(params), "{'blob':'b','%s':1}", quoted);
        check_error("argument", guarded_tool(&g, "memory_raw", params));
        snprintf(params, sizeof(params), "{'name':'%s','arguments':{}}", quoted);
        check_error("tool", guarded_ask(&g, "tools/call", params));
        snprintf(params, sizeof(params),
                 "{'name':'why_believed','arguments':{'ref':'raw:j','%s':'x'}}", quoted);
        check_error("prompt", guarded_ask(&g, "prompts/get", params));
        check_error("method", guarded_ask(&g, quoted, "{}"));
    }
    guarded_close(&g);
}

/* The same for percent-encoded input. */
TEST(uris_are_masked_before_they_are_truncated)
{
    struct guarded g;
    struct permissions p;
    static const char *const around[][2] = {{"raw/", "/x"}, {"agent/", ""}, {"raw/", ""}};
    static const char *const methods[] = {"resources/read", "resources/subscribe"};
    guarded_open(&g);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (size_t pad = 40; pad < 200; pad++) {
        AUTO_STRBUF params = STRBUF_INIT;
        const char *const *way = around[pad % 3];
        strbuf_addf(&params, "{'uri':'stemma://%s", way[0]);
        strbuf_addchars(&params, 'x', pad);
        strbuf_addf(&params, "%s%s", pad % 2 ? "%20jane.doe%40example.com" : "%20555%2D867%2d5309",
                    pad % 3 == 2 ? "%20" : "");
        if (pad % 3 == 2)
            strbuf_addchars(&params, 'y', 250);
        strbuf_addf(&params, "%s'}", way[1]);
        check_error(params.buf, guarded_ask(&g, methods[pad % 3 != 1 && pad / 3 % 2], params.buf));
    }
    guarded_close(&g);
}

/* ---- sort order ---- */

static void put_texts(struct guarded *g, const char *mail)
{
    static const char *const around[] = {"aaa", "zqa", "zqj",   "zqj.a", "zqj.w",           "zqj.x",
                                         "zqk", "[",   "[\xe2", "zzz",   "[redacted-email]"};
    char line[200];
    for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++) {
        if (i == 3 || i == 7) {
            snprintf(line, sizeof(line), "{\"ref\":\"%s:m%zu\",\"text\":\"%s\",\"created_at\":%zu}",
                     i == 3 ? "raw" : "note", i, mail, i);
            fixture_put(&g->f, line, NULL);
        }
        snprintf(line, sizeof(line), "{\"ref\":\"%s:t%zu\",\"text\":\"%s\",\"created_at\":%zu}",
                 i % 2 ? "raw" : "note", i, i == 8 ? "[ b" : around[i], i);
        fixture_put(&g->f, line, NULL);
    }
}

/* Adds the refs of a list sorted by text, in pages of `limit`. */
static void add_listed(struct guarded *g, int limit, struct strbuf *refs)
{
    char cursor[300] = "", params[400];
    do {
        snprintf(params, sizeof(params), "{'order':'text','limit':%d%s%s%s}", limit,
                 *cursor ? ",'cursor':'" : "", cursor, *cursor ? "'" : "");
        const char *answer = guarded_tool(g, "memory_list", params), *at = answer;
        while ((at = strstr(at, "{\"ref\":\""))) {
            at += strlen("{\"ref\":\"");
            strbuf_add(refs, at, strcspn(at, "\""));
            strbuf_addch(refs, ' ');
        }
        const char *next = strstr(answer, "\"next\":\"");
        *cursor = '\0';
        if (next)
            snprintf(cursor, sizeof(cursor), "%.*s", (int)strcspn(next + 8, "\""), next + 8);
    } while (*cursor);
}

/* The sort position of a text reveals the text, so masked texts come last. */
TEST(sort_order_does_not_reveal_masked_texts)
{
    static const char *const mails[] = {"zqj.wvk@example.com", "abc@example.com",
                                        "call 555-123-4567", "zzzz@example.com"};
    AUTO_STRBUF first = STRBUF_INIT, refs = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(mails) / sizeof(*mails); i++)
        for (int limit = 1; limit < 20; limit += 5) {
            struct guarded g;
            struct permissions p;
            guarded_open(&g);
            put_texts(&g, mails[i]);
            permissions_init(&p);
            guarded_begin(&g, &p, "ash");
            strbuf_clear(&refs);
            add_listed(&g, limit, &refs);
            if (first.len == 0)
                strbuf_addstr(&first, refs.buf);
            assert_string_equal(refs.buf, first.buf);
            guarded_close(&g);
        }
    assert_non_null(strstr(first.buf, "raw:m3 note:m7 "));
    assert_int_equal(strlen(strstr(first.buf, "raw:m3")), strlen("raw:m3 note:m7 "));
    assert_non_null(strstr(first.buf, "t9"));
}

/* ---- texts that are JSON ---- */

/* Masked only because it is JSON: by a secret key inside a string, by an escape, inside a list. */
static const char *const shapes[] = {
    "{\"a\":\"{\\\"password\\\": \\\"hunter2hunter2\\\", \\\"f\\\": \\\"%s\\\"}\"}",
    "{\"a\":\"jane.doe\\u0040example.com\",\"f\":\"%s\"}",
    "[\"{\\\"ssn\\\": \\\"hunter2hunter2\\\"}\", \"%s\"]",
    " {\"f\":\"%s\",\"token\":[\"hunter2hunter2\",{\"v\":\"hunter2\"}]}",
};

/* Each @ stands for the text, as a JSON string. */
static const struct question json_given[] = {
    {"memory_raw", "{'blob':@,'source':@,'context':@}"},
    {"memory_note", "{'content':@,'reason':@,'tags':[@],'derived_from':['raw:j']}"},
    {"memory_belief", "{'statement':@,'derived_from':['raw:j']}"},
    {"memory_mark", "{'ref':'belief:j','mark':'for_review','value':@,'reason':@}"},
    {"memory_update", "{'ref':'belief:j','text':@,'reason':@}"},
    {"memory_supersede", "{'ref':'belief:j','statement':'again','reason':@}"},
    {"log_source_attribution",
     "{'agent_id':'ash','source_type':'web','retrieval_timestamp':1700000000000,'source_uri':'u',"
     "'content_summary':@,'full_content_json':@}"},
    {"cot_record",
     "{'original_question':@,'final_answer':@,'reasoning_steps':[{'step_number':1,'question':@,"
     "'intermediate_answer':@,'reasoning_trace':@,'source_attributions':[{'document_id':'d',"
     "'document_title':@,'relevance_score':0.9}]}]}"},
    {"cite_sources",
     "{'conversation_id':'c','message_id':'m','sources':[{'documentId':'e','documentName':@,"
     "'snippet':@}]}"},
    {"putMemory", "{'namespace':'session.p','key':'k','value':@}"},
};

static const struct question json_doors[] = {
    {"memory_list", "{'status':'all','limit':200}"},
    {"memory_search", "{'query':'fill'}"},
    {"memory_search", "{'query':'password'}"},
    {"memory_orphans", "{}"},
    {"get_source_attributions", "{'agent_id':'ash'}"},
    {"get_citations", "{'conversation_id':'c'}"},
    {"resources/list", "{}"},
    {"resources/read", "{'uri':'stemma://agent/ash'}"},
    {"resources/read", "{'uri':'stemma://belief/j/lineage'}"},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}"},
    {"prompts/get", "{'name':'review_belief','arguments':{'ref':'belief:j'}}"},
    {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}"},
    {"getMemory", "{'namespace':'session.p','key':'k'}"},
};

static void give_json(struct guarded *g, const char *text)
{
    AUTO_STRBUF string = STRBUF_INIT, params = STRBUF_INIT;
    json_add_string(&string, text);
    for (size_t i = 0; i < sizeof(json_given) / sizeof(*json_given); i++) {
        strbuf_clear(&params);
        for (const char *at = json_given[i].params; *at; at++)
            if (*at == '@')
                strbuf_addstr(&params, string.buf);
            else
                strbuf_addch(&params, *at);
        const char *answer = guarded_tool(g, json_given[i].method, params.buf);
        /* Some fields take at most 1,000 characters. */
        if (strstr(answer, "\"error\":") && !strstr(answer, "too long"))
            fail_msg("%s: %s", json_given[i].method, answer);
        has_none(&json_given[i], answer);
    }
}

/* The text is masked in the same way alone, searched, truncated, or as a part of a longer text. */
TEST(json_texts_are_masked_as_json_everywhere)
{
    static const int lengths[] = {10, 150, 620, 3100};
    for (size_t shape = 0; shape < sizeof(shapes) / sizeof(*shapes); shape++)
        for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
            char fill[4000], text[4400];
            struct guarded g;
            struct permissions p;
            for (int k = 0; k < lengths[i]; k++)
                fill[k] = "fill "[k % 5];
            fill[lengths[i]] = '\0';
            snprintf(text, sizeof(text), shapes[shape], fill);
            guarded_open(&g);
            fixture_put(&g.f, "{\"ref\":\"raw:j\",\"text\":\"j\",\"created_at\":1}", NULL);
            fixture_put(&g.f,
                        "{\"ref\":\"belief:j\",\"text\":\"j\",\"created_at\":2,"
                        "\"derived_from\":[\"raw:j\"]}",
                        NULL);
            permissions_init(&p);
            guarded_begin(&g, &p, "ash");
            give_json(&g, text);
            for (size_t k = 0; k < sizeof(json_doors) / sizeof(*json_doors); k++)
                has_none(&json_doors[k], ask(&g, &json_doors[k]));
            look_at_all(&g);
            static const char *const words[] = {"hunt", "unter2h", "jane"};
            for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
                char query[64];
                snprintf(query, sizeof(query), "{'query':'%s'}", words[k]);
                const char *answer = guarded_tool(&g, "memory_search", query);
                if (!strstr(answer, "{\"memories\":[]"))
                    fail_msg("found by %s: %s", words[k], answer);
            }
            guarded_close(&g);
        }
}

/* ---- a value that is only the ref or URI of a hidden entry is removed everywhere ---- */

static const char *const doors_names[][2] = {
    {"memory_get", "{'ref':'attribution:a1'}"},
    {"memory_get", "{'ref':'attribution:a2'}"},
    {"memory_get", "{'ref':'note:n1'}"},
    {"memory_history", "{'ref':'attribution:a1'}"},
    {"memory_history", "{'ref':'attribution:a2'}"},
    {"memory_history", "{'ref':'note:n1'}"},
    {"memory_list", "{}"},
    {"memory_list", "{'kind':'attribution'}"},
    {"memory_search", "{'query':'stemma'}"},
    {"memory_search", "{'query':'%.8s'}"},
    {"memory_lineage", "{'ref':'belief:b1'}"},
    {"memory_orphans", "{}"},
    {"get_source_attributions", "{'agent_id':'ash'}"},
    {"resources/list", "{}"},
    {"resources/read", "{'uri':'stemma://agent/ash'}"},
    {"resources/read", "{'uri':'stemma://belief/b1/lineage'}"},
    {"resources/read", "{'uri':'stemma://belief/b1/lineage.json'}"},
    {"prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:b1'}}"},
    {"prompts/get", "{'name':'review_belief','arguments':{'ref':'attribution:a2'}}"},
    {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}"},
};

static const char *ask_names(struct guarded *g, size_t door, const char *id)
{
    char params[300];
    const char *rest = strstr(doors_names[door][1], "%.8s");
    snprintf(params, sizeof(params), "%.*s%.8s%s",
             rest ? (int)(rest - doors_names[door][1]) : (int)strlen(doors_names[door][1]),
             doors_names[door][1], rest ? id : "", rest ? rest + strlen("%.8s") : "");
    return strchr(doors_names[door][0], '/') ? guarded_ask(g, doors_names[door][0], params)
                                             : guarded_tool(g, doors_names[door][0], params);
}

/* @ in the line stands for the name. */
static void put(struct guarded *g, const char *format, const char *name)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (const char *at = format; *at; at++)
        if (*at == '@')
            strbuf_addstr(&line, name);
        else
            strbuf_addch(&line, *at == '\'' ? '"' : *at);
    fixture_put(&g->f, line.buf, NULL);
}

/* Of ash: a retrieval by its ref and one by its URI, a belief that is based on them, and a note. */
static const char *fill_names(struct guarded *g)
{
    const char *ref = guarded_put(g, "ash", "sensitive.x", "launchcode", "1");
    char uri[200];
    snprintf(uri, sizeof(uri), "stemma://entry/%s", strchr(ref, ':') + 1);
    put(g,
        "{'ref':'attribution:a1','agent_id':'ash','text':'@','created_at':1000,'detail':"
        "{'source_type':'db','source_uri':'@','retrieval_timestamp':1700000000000}}",
        ref);
    put(g,
        "{'ref':'attribution:a2','agent_id':'ash','text':'@','created_at':2000,'detail':"
        "{'source_type':'db','source_uri':'@','retrieval_timestamp':1700000000001}}",
        uri);
    put(g,
        "{'ref':'belief:b1','agent_id':'ash','text':'rests on both','created_at':3000,"
        "'derived_from':['attribution:a1','attribution:a2']}",
        ref);
    put(g, "{'ref':'note:n1','agent_id':'ash','text':'@','source':'@','created_at':4000}", ref);
    return ref;
}

TEST(names_of_hidden_entries_are_removed_everywhere)
{
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = fill_names(&g), *id = strchr(ref, ':') + 1;
    char brief[9];
    snprintf(brief, sizeof(brief), "%s", id);
    permissions_init(&p);
    p.share = true;
    guarded_begin(&g, &p, "bob");
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < ROWS(doors_names); i++) {
            const char *answer = ask_names(&g, i, id);
            if (strstr(answer, brief))
                fail_msg("%s %s: %s", doors_names[i][0], doors_names[i][1], answer);
        }
    const char *told = guarded_tool(&g, "get_source_attributions", "{'agent_id':'ash'}");
    assert_int_equal(answer_count(told, "attributions"), 2);
    assert_true(answer_is_null(told, "attributions.0.source_uri"));
    answer_is_text(&g.f, guarded_tool(&g, "memory_get", "{'ref':'attribution:a1'}"), "text",
                   "attribution");
    guarded_close(&g);
}

/* ---- support by a hidden entry is answered as if the entry had never been named ---- */

#define MADE 16

/* A call; $a stands for the ref of the first result, $b for that of the second, and so on. */
struct call {
    const char *tool;
    const char *arguments; /* with the entry, whose ref is @ */
    const char *without;   /* the same without the entry; NULL if it is not named */
};

static const struct call given_support[] = {
    {"memory_episode", "{'objective':'ep','outcome':'o'}", NULL}, /* a */
    {"memory_belief", "{'statement':'base'}", NULL},
    {"memory_belief", "{'statement':'made','derived_from':['@']}", "{'statement':'made'}"},
    {"memory_belief", "{'statement':'of that','derived_from':['$c']}", NULL}, /* d */
    {"memory_belief", "{'statement':'any','derived_from':['@','$b']}",
     "{'statement':'any','derived_from':['$b']}"},
    {"memory_belief", "{'statement':'all','derived_from':['$b','@'],'derivation':'all'}",
     "{'statement':'all','derived_from':['$b'],'derivation':'all'}"},
    {"memory_belief", "{'statement':'together','relates_to':['@','$a']}", /* g */
     "{'statement':'together','relates_to':['$a']}"},
    {"memory_belief", "{'statement':'hidden first','derived_from':['@']}",
     "{'statement':'hidden first'}"},
    {"memory_belief", "{'statement':'hidden alone'}", NULL}, /* i */
    {"memory_belief", "{'statement':'hidden later'}", NULL},
    {"memory_belief", "{'statement':'stood','relates_to':['$a']}", NULL}, /* k */
    {"memory_raw", "{'blob':'raw','derived_from':['@']}", "{'blob':'raw'}"},
};

static const struct call later[] = {
    {"memory_reinforce", "{'ref':'$c','evidence_source':'$a'}", NULL},
    {"memory_reinforce", "{'ref':'$h','evidence_source':'$b'}", NULL},
    {"memory_reinforce", "{'ref':'$i','evidence_source':'@'}", "{'ref':'$i'}"},
    {"memory_reinforce", "{'ref':'$j','evidence_source':'@'}", "{'ref':'$j'}"},
    {"memory_reinforce", "{'ref':'$k','evidence_source':'@'}", "{'ref':'$k'}"},
};

static const struct call last[] = {
    {"memory_reinforce", "{'ref':'$j','evidence_source':'$a'}", NULL},
    {"memory_reinforce", "{'ref':'$g','evidence_source':'$b'}", NULL},
};

/* For each memory that was made. */
static const struct call of_each[] = {
    {"memory_get", "{'ref':'$'}", NULL},
    {"memory_lineage", "{'ref':'$','direction':'ancestors'}", NULL},
    {"memory_lineage", "{'ref':'$','direction':'descendants'}", NULL},
    {"memory_history", "{'ref':'$'}", NULL},
    {"memory_whatif", "{'ref':'$'}", NULL},
    {"memory_propagate_confidence", "{'ref':'$'}", NULL},
};

static const struct call of_all[] = {
    {"memory_list", "{'kind':'belief'}", NULL},
    {"memory_list", "{'label':'weakened'}", NULL},
    {"memory_list", "{'label':'unsupported'}", NULL},
    {"memory_list", "{'label':'unsourced'}", NULL},
    {"memory_list", "{'label':'supported'}", NULL},
    {"memory_search", "{'query':'hidden'}", NULL},
    {"memory_orphans", "{}", NULL},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

struct story {
    const char *entry; /* NULL if there is none */
    const char *made[MADE];
    size_t count;
};

static const char *ask_support(const struct story *s, const char *tool, const char *arguments,
                               const char *about)
{
    AUTO_STRBUF filled = STRBUF_INIT;
    for (const char *at = arguments; *at; at++)
        if (*at == '@')
            strbuf_addstr(&filled, s->entry);
        else if (*at == '$')
            strbuf_addstr(&filled, about ? about : s->made[*++at - 'a']);
        else
            strbuf_addch(&filled, *at);
    return calls_ask(tool, "%s", filled.buf);
}

static void call_all(struct story *s, const struct call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool leaves = !s->entry && calls[i].without;
        const char *answer =
            ask_support(s, calls[i].tool, leaves ? calls[i].without : calls[i].arguments, NULL);
        if (strstr(answer, "\"error\""))
            fail_msg("%s %s: %s", calls[i].tool, calls[i].arguments, answer);
        if (calls == given_support)
            s->made[s->count++] = answer_text(&calls_served.f, answer, "ref");
    }
}

/* Ids, hashes and correlations differ in each store: memories are numbered in order of creation. */
static void add_normal(const struct story *s, const char *answer, struct strbuf *out)
{
    static const char id[] = "0123456789abcdef-";
    while (*answer) {
        size_t run = strspn(answer, id), which = s->count;
        for (size_t i = 0; run >= 8 && i < s->count; i++) {
            const char *made = strchr(s->made[i], ':') + 1; /* a short id */
            if (strncmp(made, answer, strlen(made)) == 0)
                which = i;
        }
        if (which < s->count)
            strbuf_addf(out, "<%c>", (char)('a' + which));
        else
            strbuf_add(out, answer, run == 64 || run == 12 ? 0 : run ? run : 1);
        answer += run ? run : 1;
    }
    strbuf_addch(out, '\n');
}

static void ask_all_support(const struct story *s, struct strbuf *out)
{
    for (size_t i = 0; i < COUNT(of_all); i++)
        add_normal(s, ask_support(s, of_all[i].tool, of_all[i].arguments, NULL), out);
    for (size_t n = 0; n < s->count; n++)
        for (size_t i = 0; i < COUNT(of_each); i++) {
            strbuf_addf(out, "%s %c: ", of_each[i].tool, (char)('a' + n));
            add_normal(s, ask_support(s, of_each[i].tool, of_each[i].arguments, s->made[n]), out);
        }
}

/* All answers, before and after the episode is removed. */
static char *tell(bool with)
{
    struct permissions p;
    struct story s = {.count = 0};
    struct strbuf told = STRBUF_INIT;
    calls_grant_all(&p);
    calls_begin(&p, "ash");
    if (with)
        s.entry = guarded_put(&calls_served, "ash", "sensitive.x", "launchcode", "1");
    call_all(&s, given_support, COUNT(given_support));
    calls_advance(1000);
    call_all(&s, later, COUNT(later));
    calls_advance(1000);
    call_all(&s, last, COUNT(last));
    calls_advance(1000);
    permissions_init(&p);
    guarded_rules(&calls_served, &p);
    ask_all_support(&s, &told);
    const char *gone = ask_support(&s, "memory_forget", "{'ref':'$a'}", NULL);
    if (strstr(gone, "\"error\""))
        fail_msg("%s", gone);
    ask_all_support(&s, &told);
    calls_end();
    return strbuf_detach(&told, NULL);
}

static void fail_where_they_differ(const char *a, const char *b)
{
    while (*a && *b) {
        size_t x = strcspn(a, "\n"), y = strcspn(b, "\n");
        if (x != y || memcmp(a, b, x) != 0)
            fail_msg("%.*s\nis not\n%.*s", (int)x, a, (int)y, b);
        a += x + (a[x] == '\n');
        b += y + (b[y] == '\n');
    }
    assert_string_equal(a, b);
}

TEST(support_by_hidden_entries_leaves_no_trace)
{
    AUTO_FREE char *with = tell(true), *without = tell(false);
    assert_null(strstr(with, "\"error\""));
    assert_non_null(strstr(with, "\"label\":\"weakened\""));
    assert_non_null(strstr(with, "\"label\":\"unsupported\""));
    fail_where_they_differ(with, without);
}

/* ---- earlier states of a memory that the caller could not see then stay hidden ---- */

struct edit {
    const char *ref, *fields, *reason;
};

static int edit_in(struct txn *t, void *arg, struct error *e)
{
    static const struct actor person = {.class = ACTOR_PERSON, .name = "ann"};
    struct edit *edit = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct plan p;
    q.refs = &edit->ref;
    q.ref_count = 1;
    q.fields = edit->fields;
    q.reason = edit->reason;
    return operation_in(t, &person, OPERATION_EDIT, &q, &arena, &p, e);
}

static void edit(struct guarded *g, const char *ref, const char *fields, const char *reason)
{
    struct error e;
    struct edit done = {ref, fields, reason};
    if (store_run(g->f.store, edit_in, &done, &e))
        fail_msg("%s", e.what);
}

/* Asks each tool that shows the history of a memory and searches the answers for the secrets. */
static void look_behind(struct guarded *g, const char *ref, const char *const *secrets)
{
    static const char *const asked[][2] = {
        {"memory_history", "{'ref':'%s'}"},
        {"memory_history", "{'ref':'%s','limit':1}"},
        {"memory_history", "{'ref':'%s','before':3}"},
        {"memory_get", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s'}"},
        {"memory_update", "{'ref':'%s','text':'x','expected_version':1}"},
        {"memory_update", "{'ref':'%s','text':'x','expected_version':2}"},
        {"prompts/get", "{'name':'review_belief','arguments':{'ref':'%s'}}"},
        {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}"},
    };
    for (size_t i = 0; i < ROWS(asked); i++) {
        const char *rest = strstr(asked[i][1], "%s");
        char params[300];
        snprintf(params, sizeof(params), "%.*s%s%s",
                 rest ? (int)(rest - asked[i][1]) : (int)strlen(asked[i][1]), asked[i][1],
                 rest ? ref : "", rest ? rest + 2 : "");
        const char *answer = strchr(asked[i][0], '/') ? guarded_ask(g, asked[i][0], params)
                                                      : ask_tool(g, asked[i][0], params);
        for (size_t k = 0; secrets[k]; k++)
            if (strstr(answer, secrets[k]))
                fail_msg("%s %s tells %s: %s", asked[i][0], params, secrets[k], answer);
    }
}

static const char *history(struct guarded *g, const char *ref)
{
    char params[200];
    snprintf(params, sizeof(params), "{'ref':'%s','format':'json'}", ref);
    return guarded_tool(g, "memory_history", params);
}

TEST(history_starts_when_the_entry_became_visible)
{
    static const char *const secrets[] = {"plugh1", "plugh2",     "launchcode", "sensitive",
                                          "why it", "not before", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "sensitive.x", "launchcode", "\"plugh1\"");
    guarded_put(&g, "ash", "sensitive.x", "launchcode", "\"plugh2\"");
    edit(&g, ref, "{\"value\":\"plugh1 again\"}", "not before it is public");
    edit(&g, ref, "{\"namespace\":\"public.x\",\"key\":\"moved\",\"value\":\"open\"}",
         "why it left sensitive.x");
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    look_behind(&g, ref, secrets);
    const char *told = history(&g, ref);
    assert_int_equal(answer_count(told, "events"), 1);
    assert_true(answer_is_null(told, "events.0.before"));
    has(told, "{\"field\":\"detail.value\",\"before\":null,\"after\":\"open\"}");
    edit(&g, ref, "{\"value\":\"wider\"}", "seen");
    told = history(&g, ref);
    assert_int_equal(answer_count(told, "events"), 2);
    has(told, "\"reason\":\"seen\"");
    has(told, "{\"field\":\"detail.value\",\"before\":\"open\",\"after\":\"wider\"}");
    look_behind(&g, ref, secrets);
    guarded_close(&g);
}

/* A memory that was visible, then hidden, then visible again shows only its history since then. */
TEST(states_while_hidden_stay_hidden)
{
    static const char *const secrets[] = {"plugh", "sensitive", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "public.x", "key", "\"first\"");
    edit(&g, ref, "{\"namespace\":\"sensitive.x\"}", "to sensitive.x");
    edit(&g, ref, "{\"value\":\"plugh\"}", NULL);
    edit(&g, ref, "{\"namespace\":\"public.x\",\"value\":\"last\"}", "from sensitive.x");
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    look_behind(&g, ref, secrets);
    assert_int_equal(answer_count(history(&g, ref), "events"), 1);
    calls_grant_all(&p);
    guarded_rules(&g, &p);
    has(history(&g, ref), "plugh");
    guarded_close(&g);
}

TEST(history_starts_when_the_memory_became_visible)
{
    static const char *const secrets[] = {"private of ash", "ash", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(
        &g.f,
        "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"private of ash\",\"created_at\":1}",
        NULL);
    fixture_put(&g.f,
                "{\"ref\":\"belief:b\",\"agent_id\":\"bob\",\"text\":\"of bob\",\"created_at\":1,"
                "\"version\":2}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    const char *told = history(&g, "belief:b");
    assert_int_equal(answer_count(told, "events"), 1);
    has(told, "{\"field\":\"text\",\"before\":null,\"after\":\"of bob\"}");
    look_behind(&g, "belief:b", secrets);
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    has(history(&g, "belief:b"), "private of ash");
    guarded_close(&g);
}
