#include "tui/demo/demo_scene.h"

/*
 * Both agents use shared memory: Ash keeps the state of a deploy where others find it, Claire what she is
 * reviewing. What comes back is masked, and not all that she tries is hers to do.
 */

#define END                                                                                        \
    {                                                                                              \
        0                                                                                          \
    }

const struct demo_step demo_share_state[] = {
    {"getContext", "{'context_type':'session','include_history':true}", 10, 60, KEEP_NOTHING, NULL,
     false},
    {"putMemory",
     "{'namespace':'session.<service>','key':'step','value':{'doing':'<objective>','step':'drain',"
     "'workers':<count>,'asked_by':'<human>@example.com'},'ttl_seconds':<600-3600>}",
     15, 0, KEEP_NOTHING, NULL, false},
    /* Held so briefly that it is seen expiring. */
    {"putMemory",
     "{'namespace':'session.<service>','key':'lock:<region>','value':{'held_by':'ash',"
     "'since':'<clock>'},'ttl_seconds':<8-20>}",
     15, 0, KEEP_NOTHING, NULL, false},
    {"listMemory", "{'namespace':'session.<service>','limit':20}", 12, 0, KEEP_NOTHING, NULL,
     false},
    {"getMemory", "{'namespace':'agent.oncall','key':'rota'}", 12, 60, KEEP_NOTHING, NULL, false},
    {"putMemory",
     "{'namespace':'session.<service>','key':'canary','value':{'region':'<region>','p99_ms':<ms>,"
     "'healthy':true},'ttl_seconds':<300-900>}",
     30, 0, KEEP_NOTHING, NULL, false},
    {"getMemory", "{'namespace':'session.<service>','key':'canary'}", 15, 0, KEEP_REF, "canary",
     false},
    {"getMemory", "{'namespace':'session.<service>','key':'step'}", 10, 0, KEEP_REF, "state",
     false},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-80>,'derived_from':['<$canary>'],"
     "'relates_to':['<$state>'],'source_type':'inference','agent_id':'ash'}",
     30, 0, KEEP_REF, "belief", false},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", 12, 50, KEEP_NOTHING, NULL,
     false},
    {"putMemory",
     "{'namespace':'session.<service>','key':'step','value':{'doing':'<objective>','step':'done',"
     "'minutes':<minutes>},'ttl_seconds':<600-3600>}",
     35, 0, KEEP_NOTHING, NULL, false},
    {"deleteMemory", "{'namespace':'session.<service>','key':'canary'}", 20, 40, KEEP_NOTHING, NULL,
     false},
    END,
};

/* As long as all that agent.claire takes, whichever are drawn. */
#define FOUR_QUOTES "'<quote>','<quote>','<quote>','<quote>'"

const struct demo_step demo_share_review[] = {
    {"listMemory", "{'namespace':'session.rollout','limit':10}", 12, 0, KEEP_NOTHING, NULL, false},
    {"putMemory",
     "{'namespace':'agent.claire','key':'review.current','value':{'pr':<pr>,'says':'<review>'},"
     "'ttl_seconds':<120-600>}",
     20, 0, KEEP_NOTHING, NULL, false},
    {"getMemory", "{'namespace':'agent.claire','key':'review.current'}", 15, 0, KEEP_REF, "review",
     false},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<45-80>,'derived_from':['<$review>'],"
     "'source_type':'inference','agent_id':'claire'}",
     30, 70, KEEP_NOTHING, NULL, false},
    /* Not hers, … */
    {"putMemory",
     "{'namespace':'session.rollout','key':'step','value':'stop: <review>','ttl_seconds':300}", 25,
     0, KEEP_NOTHING, NULL, true},
    {"getMemory", "{'namespace':'agent.oncall','key':'rota'}", 15, 0, KEEP_NOTHING, NULL, false},
    /* … somebody's address and number, where none are taken, … */
    {"putMemory",
     "{'namespace':'agent.claire','key':'ask','value':{'name':'<human>',"
     "'email':'<human>@example.com','phone':'+1 (415) 555-<1000-9999>'}}",
     25, 0, KEEP_NOTHING, NULL, true},
    {"putMemory", "{'namespace':'agent.claire','key':'ask','value':{'name':'<human>'}}", 15, 0,
     KEEP_NOTHING, NULL, false},
    /* … and more than there is room for. */
    {"putMemory",
     "{'namespace':'agent.claire','key':'quotes','value':[" FOUR_QUOTES "," FOUR_QUOTES
     "," FOUR_QUOTES "," FOUR_QUOTES "]}",
     30, 0, KEEP_NOTHING, NULL, true},
    {"putMemory", "{'namespace':'agent.claire','key':'quotes','value':['<quote>']}", 15, 50,
     KEEP_NOTHING, NULL, false},
    {"getContext", "{}", 10, 40, KEEP_NOTHING, NULL, false},
    END,
};

/* Claire reviews: what Ash concluded, what it rests on, what people said. Needs no handshake. */

#define DEMO_SCENES_CLAIRE_END                                                                     \
    {                                                                                              \
        0                                                                                          \
    }

static const struct demo_step review[] = {
    {"memory_list", "{'kind':'belief','agent_id':'ash','order':'created','limit':8}", 20, 0,
     KEEP_ANY, "belief", false},
    {"memory_get", "{'ref':'<$belief>'}", 15, 0, KEEP_NOTHING, NULL, false},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", 15, 0, KEEP_NOTHING, NULL,
     false},
    {"memory_note",
     "{'content':'<review>','type':'observation','relates_to':['<$belief>'],'tags':['review'],"
     "'agent_id':'claire'}",
     45, 0, KEEP_REF, "note", false},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<45-85>,'derived_from':['<$belief>','<$note>'],"
     "'source_type':'inference','agent_id':'claire'}",
     35, 45, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

static const struct demo_step ask_what_falls[] = {
    {"memory_list", "{'kind':'episode','order':'created','limit':12}", 20, 0, KEEP_ANY, "episode",
     false},
    {"memory_whatif", "{'refs':['<$episode>']}", 15, 0, KEEP_NOTHING, NULL, false},
    {"memory_lineage", "{'ref':'<$episode>','direction':'descendants'}", 12, 70, KEEP_NOTHING, NULL,
     false},
    {"memory_note",
     "{'content':'<doubt>','type':'insight','relates_to':['<$episode>'],'tags':['what-if'],"
     "'agent_id':'claire'}",
     40, 60, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

static const struct demo_step sweep[] = {
    {"memory_orphans", "{}", 25, 0, KEEP_NOTHING, NULL, false},
    {"memory_list", "{'label':'ungrounded','limit':10}", 15, 0, KEEP_ANY, "loose", false},
    {"memory_get", "{'ref':'<$loose>'}", 12, 0, KEEP_NOTHING, NULL, false},
    {"memory_note",
     "{'content':'<doubt>','type':'observation','relates_to':['<$loose>'],'tags':['review'],"
     "'agent_id':'claire'}",
     35, 50, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

static const struct demo_step listen_to_people[] = {
    {"memory_raw",
     "{'blob':'<chat>','source_type':'told_by_human','source_entity':'human:<human>',"
     "'agent_id':'claire'}",
     30, 0, KEEP_REF, "said", false},
    {"memory_note",
     "{'content':'<quote>','type':'quote','speaker':'<human>','derived_from':['<$said>'],"
     "'source_type':'told_by_human','source_entity':'human:<human>','agent_id':'claire'}",
     30, 0, KEEP_REF, "note", false},
    {"memory_search", "{'query':'<topic>','kind':'belief','limit':5}", 15, 60, KEEP_ANY, "belief",
     false},
    {"memory_note",
     "{'content':'<decision>','type':'decision','derived_from':['<$note>'],"
     "'relates_to':['<$belief>'],'agent_id':'claire'}",
     35, 50, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

static const struct demo_step read_up[] = {
    {"log_source_attribution",
     "{'agent_id':'claire','source_type':'document','source_uri':'<page>',"
     "'retrieval_timestamp':<now>,'content_summary':'<page-summary>'}",
     30, 0, KEEP_ATTRIBUTION, "page", false},
    {"memory_note",
     "{'content':'<page-summary>','type':'observation','derived_from':['<$page>'],"
     "'source_type':'external','agent_id':'claire'}",
     30, 0, KEEP_REF, "note", false},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<50-80>,'derived_from':['<$note>'],"
     "'derivation':'all','source_type':'inference','agent_id':'claire'}",
     35, 50, KEEP_NOTHING, NULL, false},
    {"get_source_attributions", "{'agent_id':'claire','source_type':'document','limit':5}", 12, 40,
     KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

/* Things go wrong, and she goes on. */
static const struct demo_step mistype[] = {
    {"log_source_attribution",
     "{'agent_id':'claire','source_type':'document','retrieval_timestamp':<now>.5}", 25, 0,
     KEEP_NOTHING, NULL, true},
    {"memory_get", "{'ref':'belief:<uuid>'}", 15, 60, KEEP_NOTHING, NULL, true},
    {"memory_list", "{'kind':'beleif'}", 12, 50, KEEP_NOTHING, NULL, true},
    {"tools/list", "", 10, 60, KEEP_NOTHING, NULL, false},
    {"memory_list", "{'kind':'note','agent_id':'claire','limit':5}", 12, 0, KEEP_ANY, "note",
     false},
    {"resources/templates/list", "", 10, 30, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_CLAIRE_END,
};

static const struct demo_scene scenes[] = {
    {"share a review", demo_share_review},
    {"review", review},
    {"answer from documents", demo_answer_from_documents},
    {"ask what falls", ask_what_falls},
    {"sweep", sweep},
    {"check reasoning", demo_check_reasoning},
    {"listen to people", listen_to_people},
    {"review", review},
    {"share a review", demo_share_review},
    {"read up", read_up},
    {"mistype", mistype},
    {"listen to people", listen_to_people},
};

const struct demo_agent demo_claire = {"claire", "3.2.1", true, scenes,
                                       sizeof(scenes) / sizeof(*scenes)};

/*
 * Both agents reason: Ash step by step, so that a chain is seen growing, Claire by the record of what she
 * did, and by reading what Ash did. They cite what they used.
 */

#define DEMO_SCENES_REASONING_END                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

/* Ids come again in other chains: a runbook is one document whoever reads it, and changes now and then. */
#define RUNBOOK                                                                                    \
    "{'document_id':'runbook-<service>','title':'Runbook of <service>','score':0.<71-97>,"         \
    "'content':'<runbook-passage>','chunk_index':<0-3>,'uri':'wiki://runbooks/<service>'}"
#define PANEL                                                                                      \
    "{'document_id':'panel-<service>-<region>','title':'Dashboard of <service>, <region>',"        \
    "'score':0.<55-90>,'content':'<panel-passage>','chunk_index':null}"
#define DISCUSSION                                                                                 \
    "{'document_id':'pr-<pr>','title':'PR <pr>','score':0.<40-80>,'content':'<pr-passage>'}"

const struct demo_step demo_reason[] = {
    {"log_search_attribution",
     "{'agent_id':'ash','query':'<question>','results_summary':'<answer-summary>',"
     "'retrieval_timestamp':<now>}",
     15, 60, KEEP_ATTRIBUTION, "search", false},
    {"cot_begin", "{'question':'<why>','strategy':'decomposition','agent_id':'ash'}", 20, 0,
     KEEP_REF, "chain", false},
    {"cot_step",
     "{'chain':'<$chain>','step_number':1,'question':'<ask-when>','intermediate_answer':'<when>',"
     "'reasoning_trace':'<trace>','confidence_score':0.<60-95>,'execution_time':<1-9>.<0-9>,"
     "'retrieved_documents':[" RUNBOOK "," PANEL "],'context_used':null}",
     40, 0, KEEP_REF, "step", false},
    /* A number out of range: what is wrong is said, and it goes on. */
    {"cot_step",
     "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>','confidence_score':1.<1-5>}", 25,
     15, KEEP_NOTHING, NULL, true},
    {"cot_step",
     "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>',"
     "'intermediate_answer':'<finding>','reasoning_trace':'<trace>','confidence_score':0.<35-85>,"
     "'execution_time':<2-20>.<0-9>,'context_used':['<when>','id:pr-<pr> <pr-passage>',"
     "'<measure-log>']}",
     45, 0, KEEP_REF, "step", false},
    {"cot_step", "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>'}", 15, 20,
     KEEP_NOTHING, NULL, true},
    {"cot_step",
     "{'chain':'<$chain>','step_number':3,'question':'<ask-check>',"
     "'intermediate_answer':'<checked>','reasoning_trace':'<trace>','confidence_score':0.<50-90>,"
     "'execution_time':<1-9>.<0-9>,'retrieved_documents':[" PANEL "," DISCUSSION
     ",{'document_id':'runbook-<service>','score':<2-7>,'content':'<runbook-passage>'}]}",
     45, 70, KEEP_REF, "step", false},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-85>,'derived_from':['<$step>'],"
     "'source_type':'inference','agent_id':'ash'}",
     30, 70, KEEP_REF, "belief", false},
    {"cot_finish", "{'chain':'<$chain>','final_answer':'<conclusion>'}", 35, 85, KEEP_REF,
     "finished", false},
    {"cot_step", "{'chain':'<$finished>','step_number':9,'question':'<ask-check>'}", 20, 15,
     KEEP_NOTHING, NULL, true},
    {"cite_sources",
     "{'conversation_id':'ops-<region>','message_id':'m-<uuid>','agent_id':'ash','sources':["
     "{'documentId':'runbook-<service>','documentName':'Runbook of <service>',"
     "'location':{'section':'Draining'},'snippet':'<runbook-passage>','relevanceScore':0.<70-97>,"
     "'retrievedAt':null},"
     "{'documentId':'pr-<pr>','documentName':'PR <pr>','location':{'page':<1-4>},"
     "'snippet':'<pr-passage>','relevanceScore':0.<40-80>},"
     "{'documentId':'pr-<pr>','documentName':'PR <pr>','relevanceScore':0.<20-60>}]}",
     20, 60, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_REASONING_END,
};

const struct demo_step demo_answer_from_documents[] = {
    {"extract_sources", "{'context_documents':[],'search_results':[" RUNBOOK "," DISCUSSION "]}",
     15, 50, KEEP_NOTHING, NULL, false},
    {"cot_record",
     "{'original_question':'<why>','final_answer':'<conclusion>','reasoning_strategy':'iterative',"
     "'agent_id':'claire','total_execution_time':<4-40>.<0-9>,'token_usage':<400-9000>,"
     "'reasoning_steps':["
     "{'step_number':1,'question':'<ask-when>','intermediate_answer':'<when>',"
     "'reasoning_trace':'<trace>','confidence_score':0.<60-95>,'execution_time':<1-9>.<0-9>,"
     "'context_used':[],'token_usage':null,'source_attributions':["
     "{'document_id':'runbook-<service>','document_title':'Runbook of <service>',"
     "'relevance_score':0.<50-95>,'excerpt':'<runbook-passage>','chunk_index':1,"
     "'retrieval_rank':1},"
     "{'document_id':'panel-<service>-<region>','document_title':null,'relevance_score':0.<30-80>,"
     "'excerpt':null,'chunk_index':null,'retrieval_rank':2}]},"
     "{'step_number':2,'question':'<ask-cause>','intermediate_answer':'<finding>',"
     "'confidence_score':0.<40-80>,'context_used':['<when>','id:pr-<pr> <pr-passage>']}]}",
     60, 0, KEEP_REF, "chain", false},
    {"cot_sources", "{'chain':'<$chain>','include_excerpts':false}", 12, 0, KEEP_NOTHING, NULL,
     false},
    /* One of these has a score that is none: it is refused by itself. */
    {"cite_sources",
     "{'conversation_id':'review-<human>','message_id':'m-<uuid>','agent_id':'claire','sources':["
     "{'documentId':'runbook-<service>','documentName':'Runbook of <service>',"
     "'snippet':'<runbook-passage>','relevanceScore':0.<70-95>,"
     "'location':{'page':<1-9>,'section':'Rollback'}},"
     "{'documentName':'<human>, in the channel','snippet':'<quote>','relevanceScore':<1-2>.4}]}",
     20, 0, KEEP_NOTHING, NULL, false},
    {"get_citations", "{'document_id':'runbook-<service>','limit':20}", 10, 50, KEEP_NOTHING, NULL,
     false},
    {"cite_sources", "{'conversation_id':'review-<human>','sources':[]}", 12, 15, KEEP_NOTHING,
     NULL, true},
    DEMO_SCENES_REASONING_END,
};

const struct demo_step demo_check_reasoning[] = {
    {"memory_list", "{'kind':'chain','agent_id':'ash','order':'created','limit':6}", 15, 0,
     KEEP_ANY, "chain", false},
    {"cot_get", "{'chain':'<$chain>'}", 20, 0, KEEP_SOURCE, "step", false},
    {"memory_mark",
     "{'ref':'<$step>','mark':'rating','value':'<$source> <relevant-or-not>','reason':'<review>'}",
     35, 80, KEEP_NOTHING, NULL, false},
    {"memory_mark", "{'ref':'<$step>','mark':'faithful','value':'<yes-or-no>','reason':'<review>'}",
     25, 60, KEEP_NOTHING, NULL, false},
    {"memory_lineage", "{'ref':'<$step>','direction':'ancestors'}", 12, 60, KEEP_NOTHING, NULL,
     false},
    {"cot_get", "{'chain':'chain:<uuid>'}", 10, 20, KEEP_NOTHING, NULL, true},
    DEMO_SCENES_REASONING_END,
};

/* Ash ships: deploys, alerts, what is to be learned from them. Speaks the era of the handshake. */

#define DEMO_SCENES_ASH_END                                                                        \
    {                                                                                              \
        0                                                                                          \
    }

static const struct demo_step deploy[] = {
    {"memory_raw",
     "{'blob':'<deploy-log>','source_type':'direct_experience','context':'deploy <service>',"
     "'agent_id':'ash'}",
     30, 0, KEEP_REF, "log", false},
    {"memory_raw",
     "{'blob':'<chat>','source_type':'told_by_human','source_entity':'human:<human>',"
     "'agent_id':'ash'}",
     25, 50, KEEP_REF, "chat", false},
    {"memory_search", "{'query':'<topic>','limit':5}", 15, 70, KEEP_ANY, "found", false},
    {"memory_episode",
     "{'objective':'<objective>','outcome':'<outcome>','outcome_type':'success',"
     "'lessons':['<lesson>'],'tags':['deploy','<service>'],'derived_from':['<$log>'],"
     "'source':'raw-processing','source_type':'processing','agent_id':'ash'}",
     35, 0, KEEP_REF, "episode", false},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<55-90>,'derived_from':['<$episode>'],"
     "'source_type':'inference','context_tags':['<service>'],'agent_id':'ash'}",
     30, 60, KEEP_REF, "belief", false},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", 15, 40, KEEP_NOTHING, NULL,
     false},
    DEMO_SCENES_ASH_END,
};

static const struct demo_step alert[] = {
    {"memory_raw",
     "{'blob':'<alert-log>','source_type':'observation','context':'alert <service>',"
     "'agent_id':'ash'}",
     15, 0, KEEP_REF, "alert", false},
    {"memory_search", "{'query':'<topic>','kind':'episode','limit':8}", 10, 0, KEEP_ANY, "similar",
     false},
    {"memory_get", "{'ref':'<$similar>'}", 10, 0, KEEP_NOTHING, NULL, false},
    {"memory_raw",
     "{'blob':'<measure-log>','source_type':'direct_experience','relates_to':['<$alert>'],"
     "'agent_id':'ash'}",
     30, 0, KEEP_REF, "measured", false},
    {"memory_episode",
     "{'objective':'<trouble-objective>','outcome':'<trouble-outcome>','outcome_type':'partial',"
     "'lessons':['<lesson>'],'tags':['alert','<service>'],"
     "'derived_from':['<$alert>','<$measured>'],'derivation':'all','source_type':'processing',"
     "'agent_id':'ash'}",
     40, 0, KEEP_REF, "episode", false},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<40-75>,'derived_from':['<$episode>'],"
     "'relates_to':['<$similar>'],'source_type':'inference','agent_id':'ash'}",
     30, 70, KEEP_REF, "belief", false},
    {"memory_note",
     "{'content':'<decision>','type':'decision','derived_from':['<$episode>'],'tags':['<service>'],"
     "'agent_id':'ash'}",
     30, 40, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_ASH_END,
};

static const struct demo_step look_up[] = {
    {"log_search_attribution",
     "{'agent_id':'ash','query':'<question>','results_summary':'<answer-summary>',"
     "'retrieval_timestamp':<now>}",
     25, 0, KEEP_ATTRIBUTION, "search", false},
    {"log_source_attribution",
     "{'agent_id':'ash','source_type':'web_scrape','source_uri':'<page>',"
     "'retrieval_timestamp':<now>,'content_summary':'<page-summary>'}",
     25, 60, KEEP_ATTRIBUTION, "page", false},
    {"get_source_attributions", "{'agent_id':'ash','limit':10}", 10, 30, KEEP_NOTHING, NULL, false},
    {"memory_note",
     "{'content':'<doubt>','type':'insight','derived_from':['<$search>'],'source_type':'external',"
     "'agent_id':'ash'}",
     30, 0, KEEP_REF, "note", false},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<35-60>,'derived_from':['<$note>'],"
     "'source_type':'inference','agent_id':'ash'}",
     30, 30, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_ASH_END,
};

static const struct demo_step remember[] = {
    {"memory_list", "{'kind':'belief','agent_id':'ash','order':'created','limit':20}", 15, 0,
     KEEP_ANY, "belief", false},
    {"memory_get", "{'ref':'<$belief>'}", 12, 0, KEEP_NOTHING, NULL, false},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors','depth':4}", 10, 0, KEEP_NOTHING,
     NULL, false},
    {"resources/read", "'uri':'<@belief>'", 10, 40, KEEP_NOTHING, NULL, false},
    {"ping", "", 8, 50, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_ASH_END,
};

/* Things go wrong, and it goes on. */
static const struct demo_step forget_a_link[] = {
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-70>,'derived_from':['raw:<uuid>'],"
     "'source_type':'inference','agent_id':'ash'}",
     25, 0, KEEP_REF, "belief", false},
    {"memory_get", "{'ref':'raw:<uuid>'}", 15, 0, KEEP_NOTHING, NULL, true},
    {"memory_search", "{'query':'<topic>','kind':'raw'}", 10, 0, KEEP_ANY, "raw", false},
    {"memory_note",
     "{'content':'<doubt>','type':'observation','relates_to':['<$belief>'],'agent_id':'ash'}", 25,
     60, KEEP_NOTHING, NULL, false},
    DEMO_SCENES_ASH_END,
};

static const struct demo_step be_too_sure[] = {
    {"memory_belief",
     "{'statement':'<finding>','confidence':1.<2-6>,'source_type':'inference','agent_id':'ash'}",
     25, 0, KEEP_NOTHING, NULL, true},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.9<0-8>,'source_type':'inference','agent_id':'ash'}",
     15, 0, KEEP_REF, "belief", false},
    {"memory_remember", "{'text':'<finding>'}", 20, 40, KEEP_NOTHING, NULL, true},
    DEMO_SCENES_ASH_END,
};

static const struct demo_scene demo_scenes_ash_scenes[] = {
    {"reason", demo_reason},
    {"share state", demo_share_state},
    {"deploy", deploy},
    {"alert", alert},
    {"look up", look_up},
    {"remember", remember},
    {"reason", demo_reason},
    {"deploy", deploy},
    {"forget a link", forget_a_link},
    {"alert", alert},
    {"be too sure", be_too_sure},
};

const struct demo_agent demo_ash = {"ash", "1.8.0", false, demo_scenes_ash_scenes,
                                    sizeof(demo_scenes_ash_scenes) /
                                        sizeof(*demo_scenes_ash_scenes)};
