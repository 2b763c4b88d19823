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
    {"getContext", "{'context_type':'session','include_history':true}", .pause = 10, .chance = 60},
    {"putMemory",
     "{'namespace':'session.<service>','key':'step','value':{'doing':'<objective>','step':'drain',"
     "'workers':<count>,'asked_by':'<human>@example.com'},'ttl_seconds':<600-3600>}",
     .pause = 15},
    /* Held so briefly that it is seen expiring. */
    {"putMemory",
     "{'namespace':'session.<service>','key':'lock:<region>','value':{'held_by':'ash',"
     "'since':'<clock>'},'ttl_seconds':<8-20>}",
     .pause = 15},
    {"listMemory", "{'namespace':'session.<service>','limit':20}", .pause = 12},
    {"getMemory", "{'namespace':'agent.oncall','key':'rota'}", .pause = 12, .chance = 60},
    {"putMemory",
     "{'namespace':'session.<service>','key':'canary','value':{'region':'<region>','p99_ms':<ms>,"
     "'healthy':true},'ttl_seconds':<300-900>}",
     .pause = 30},
    {"getMemory", "{'namespace':'session.<service>','key':'canary'}", .pause = 15, .from = KEEP_REF,
     .keep = "canary"},
    {"getMemory", "{'namespace':'session.<service>','key':'step'}", .pause = 10, .from = KEEP_REF,
     .keep = "state"},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-80>,'derived_from':['<$canary>'],"
     "'relates_to':['<$state>'],'source_type':'inference','agent_id':'ash'}",
     .pause = 30, .from = KEEP_REF, .keep = "belief"},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", .pause = 12, .chance = 50},
    {"putMemory",
     "{'namespace':'session.<service>','key':'step','value':{'doing':'<objective>','step':'done',"
     "'minutes':<minutes>},'ttl_seconds':<600-3600>}",
     .pause = 35},
    {"deleteMemory", "{'namespace':'session.<service>','key':'canary'}", .pause = 20, .chance = 40},
    END,
};

/* As long as all that agent.claire takes, whichever are drawn. */
#define FOUR_QUOTES "'<quote>','<quote>','<quote>','<quote>'"

const struct demo_step demo_share_review[] = {
    {"listMemory", "{'namespace':'session.rollout','limit':10}", .pause = 12},
    {"putMemory",
     "{'namespace':'agent.claire','key':'review.current','value':{'pr':<pr>,'says':'<review>'},"
     "'ttl_seconds':<120-600>}",
     .pause = 20},
    {"getMemory", "{'namespace':'agent.claire','key':'review.current'}", .pause = 15,
     .from = KEEP_REF, .keep = "review"},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<45-80>,'derived_from':['<$review>'],"
     "'source_type':'inference','agent_id':'claire'}",
     .pause = 30, .chance = 70},
    /* Not hers, … */
    {"putMemory",
     "{'namespace':'session.rollout','key':'step','value':'stop: <review>','ttl_seconds':300}",
     .pause = 25, .fails = true},
    {"getMemory", "{'namespace':'agent.oncall','key':'rota'}", .pause = 15},
    /* … somebody's address and number, where none are taken, … */
    {"putMemory",
     "{'namespace':'agent.claire','key':'ask','value':{'name':'<human>',"
     "'email':'<human>@example.com','phone':'+1 (415) 555-<1000-9999>'}}",
     .pause = 25, .fails = true},
    {"putMemory", "{'namespace':'agent.claire','key':'ask','value':{'name':'<human>'}}",
     .pause = 15},
    /* … and more than there is room for. */
    {"putMemory",
     "{'namespace':'agent.claire','key':'quotes','value':[" FOUR_QUOTES "," FOUR_QUOTES
     "," FOUR_QUOTES "," FOUR_QUOTES "]}",
     .pause = 30, .fails = true},
    {"putMemory", "{'namespace':'agent.claire','key':'quotes','value':['<quote>']}", .pause = 15,
     .chance = 50},
    {"getContext", "{}", .pause = 10, .chance = 40},
    END,
};

/* Claire reviews: what Ash concluded, what it rests on, what people said. Needs no handshake. */

static const struct demo_step review[] = {
    {"memory_list", "{'kind':'belief','agent_id':'ash','order':'created','limit':8}", .pause = 20,
     .from = KEEP_ANY, .keep = "belief"},
    {"memory_get", "{'ref':'<$belief>'}", .pause = 15},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", .pause = 15},
    {"memory_note",
     "{'content':'<review>','type':'observation','relates_to':['<$belief>'],'tags':['review'],"
     "'agent_id':'claire'}",
     .pause = 45, .from = KEEP_REF, .keep = "note"},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<45-85>,'derived_from':['<$belief>','<$note>'],"
     "'source_type':'inference','agent_id':'claire'}",
     .pause = 35, .chance = 45},
    END,
};

static const struct demo_step ask_what_falls[] = {
    {"memory_list", "{'kind':'episode','order':'created','limit':12}", .pause = 20,
     .from = KEEP_ANY, .keep = "episode"},
    {"memory_whatif", "{'refs':['<$episode>']}", .pause = 15},
    {"memory_lineage", "{'ref':'<$episode>','direction':'descendants'}", .pause = 12, .chance = 70},
    {"memory_note",
     "{'content':'<doubt>','type':'insight','relates_to':['<$episode>'],'tags':['what-if'],"
     "'agent_id':'claire'}",
     .pause = 40, .chance = 60},
    END,
};

static const struct demo_step sweep[] = {
    {"memory_orphans", "{}", .pause = 25},
    {"memory_list", "{'label':'ungrounded','limit':10}", .pause = 15, .from = KEEP_ANY,
     .keep = "loose"},
    {"memory_get", "{'ref':'<$loose>'}", .pause = 12},
    {"memory_note",
     "{'content':'<doubt>','type':'observation','relates_to':['<$loose>'],'tags':['review'],"
     "'agent_id':'claire'}",
     .pause = 35, .chance = 50},
    END,
};

static const struct demo_step listen_to_people[] = {
    {"memory_raw",
     "{'blob':'<chat>','source_type':'told_by_human','source_entity':'human:<human>',"
     "'agent_id':'claire'}",
     .pause = 30, .from = KEEP_REF, .keep = "said"},
    {"memory_note",
     "{'content':'<quote>','type':'quote','speaker':'<human>','derived_from':['<$said>'],"
     "'source_type':'told_by_human','source_entity':'human:<human>','agent_id':'claire'}",
     .pause = 30, .from = KEEP_REF, .keep = "note"},
    {"memory_search", "{'query':'<topic>','kind':'belief','limit':5}", .pause = 15, .chance = 60,
     .from = KEEP_ANY, .keep = "belief"},
    {"memory_note",
     "{'content':'<decision>','type':'decision','derived_from':['<$note>'],"
     "'relates_to':['<$belief>'],'agent_id':'claire'}",
     .pause = 35, .chance = 50},
    END,
};

static const struct demo_step read_up[] = {
    {"log_source_attribution",
     "{'agent_id':'claire','source_type':'document','source_uri':'<page>',"
     "'retrieval_timestamp':<now>,'content_summary':'<page-summary>'}",
     .pause = 30, .from = KEEP_ATTRIBUTION, .keep = "page"},
    {"memory_note",
     "{'content':'<page-summary>','type':'observation','derived_from':['<$page>'],"
     "'source_type':'external','agent_id':'claire'}",
     .pause = 30, .from = KEEP_REF, .keep = "note"},
    {"memory_belief",
     "{'statement':'<weighed>','confidence':0.<50-80>,'derived_from':['<$note>'],"
     "'derivation':'all','source_type':'inference','agent_id':'claire'}",
     .pause = 35, .chance = 50},
    {"get_source_attributions", "{'agent_id':'claire','source_type':'document','limit':5}",
     .pause = 12, .chance = 40},
    END,
};

/* Things go wrong, and she goes on. */
static const struct demo_step mistype[] = {
    {"log_source_attribution",
     "{'agent_id':'claire','source_type':'document','retrieval_timestamp':<now>.5}", .pause = 25,
     .fails = true},
    {"memory_get", "{'ref':'belief:<uuid>'}", .pause = 15, .chance = 60, .fails = true},
    {"memory_list", "{'kind':'beleif'}", .pause = 12, .chance = 50, .fails = true},
    {"tools/list", "", .pause = 10, .chance = 60},
    {"memory_list", "{'kind':'note','agent_id':'claire','limit':5}", .pause = 12, .from = KEEP_ANY,
     .keep = "note"},
    {"resources/templates/list", "", .pause = 10, .chance = 30},
    END,
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
     .pause = 15, .chance = 60, .from = KEEP_ATTRIBUTION, .keep = "search"},
    {"cot_begin", "{'question':'<why>','strategy':'decomposition','agent_id':'ash'}", .pause = 20,
     .from = KEEP_REF, .keep = "chain"},
    {"cot_step",
     "{'chain':'<$chain>','step_number':1,'question':'<ask-when>','intermediate_answer':'<when>',"
     "'reasoning_trace':'<trace>','confidence_score':0.<60-95>,'execution_time':<1-9>.<0-9>,"
     "'retrieved_documents':[" RUNBOOK "," PANEL "],'context_used':null}",
     .pause = 40, .from = KEEP_REF, .keep = "step"},
    /* A number out of range: what is wrong is said, and it goes on. */
    {"cot_step",
     "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>','confidence_score':1.<1-5>}",
     .pause = 25, .chance = 15, .fails = true},
    {"cot_step",
     "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>',"
     "'intermediate_answer':'<finding>','reasoning_trace':'<trace>','confidence_score':0.<35-85>,"
     "'execution_time':<2-20>.<0-9>,'context_used':['<when>','id:pr-<pr> <pr-passage>',"
     "'<measure-log>']}",
     .pause = 45, .from = KEEP_REF, .keep = "step"},
    {"cot_step", "{'chain':'<$chain>','step_number':2,'question':'<ask-cause>'}", .pause = 15,
     .chance = 20, .fails = true},
    {"cot_step",
     "{'chain':'<$chain>','step_number':3,'question':'<ask-check>',"
     "'intermediate_answer':'<checked>','reasoning_trace':'<trace>','confidence_score':0.<50-90>,"
     "'execution_time':<1-9>.<0-9>,'retrieved_documents':[" PANEL "," DISCUSSION
     ",{'document_id':'runbook-<service>','score':<2-7>,'content':'<runbook-passage>'}]}",
     .pause = 45, .chance = 70, .from = KEEP_REF, .keep = "step"},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-85>,'derived_from':['<$step>'],"
     "'source_type':'inference','agent_id':'ash'}",
     .pause = 30, .chance = 70, .from = KEEP_REF, .keep = "belief"},
    {"cot_finish", "{'chain':'<$chain>','final_answer':'<conclusion>'}", .pause = 35, .chance = 85,
     .from = KEEP_REF, .keep = "finished"},
    {"cot_step", "{'chain':'<$finished>','step_number':9,'question':'<ask-check>'}", .pause = 20,
     .chance = 15, .fails = true},
    {"cite_sources",
     "{'conversation_id':'ops-<region>','message_id':'m-<uuid>','agent_id':'ash','sources':["
     "{'documentId':'runbook-<service>','documentName':'Runbook of <service>',"
     "'location':{'section':'Draining'},'snippet':'<runbook-passage>','relevanceScore':0.<70-97>,"
     "'retrievedAt':null},"
     "{'documentId':'pr-<pr>','documentName':'PR <pr>','location':{'page':<1-4>},"
     "'snippet':'<pr-passage>','relevanceScore':0.<40-80>},"
     "{'documentId':'pr-<pr>','documentName':'PR <pr>','relevanceScore':0.<20-60>}]}",
     .pause = 20, .chance = 60},
    END,
};

const struct demo_step demo_answer_from_documents[] = {
    {"extract_sources", "{'context_documents':[],'search_results':[" RUNBOOK "," DISCUSSION "]}",
     .pause = 15, .chance = 50},
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
     .pause = 60, .from = KEEP_REF, .keep = "chain"},
    {"cot_sources", "{'chain':'<$chain>','include_excerpts':false}", .pause = 12},
    /* One of these has a score that is none: it is refused by itself. */
    {"cite_sources",
     "{'conversation_id':'review-<human>','message_id':'m-<uuid>','agent_id':'claire','sources':["
     "{'documentId':'runbook-<service>','documentName':'Runbook of <service>',"
     "'snippet':'<runbook-passage>','relevanceScore':0.<70-95>,"
     "'location':{'page':<1-9>,'section':'Rollback'}},"
     "{'documentName':'<human>, in the channel','snippet':'<quote>','relevanceScore':<1-2>.4}]}",
     .pause = 20},
    {"get_citations", "{'document_id':'runbook-<service>','limit':20}", .pause = 10, .chance = 50},
    {"cite_sources", "{'conversation_id':'review-<human>','sources':[]}", .pause = 12, .chance = 15,
     .fails = true},
    END,
};

const struct demo_step demo_check_reasoning[] = {
    {"memory_list", "{'kind':'chain','agent_id':'ash','order':'created','limit':6}", .pause = 15,
     .from = KEEP_ANY, .keep = "chain"},
    {"cot_get", "{'chain':'<$chain>'}", .pause = 20, .from = KEEP_SOURCE, .keep = "step"},
    {"memory_mark",
     "{'ref':'<$step>','mark':'rating','value':'<$source> <relevant-or-not>','reason':'<review>'}",
     .pause = 35, .chance = 80},
    {"memory_mark", "{'ref':'<$step>','mark':'faithful','value':'<yes-or-no>','reason':'<review>'}",
     .pause = 25, .chance = 60},
    {"memory_lineage", "{'ref':'<$step>','direction':'ancestors'}", .pause = 12, .chance = 60},
    {"cot_get", "{'chain':'chain:<uuid>'}", .pause = 10, .chance = 20, .fails = true},
    END,
};

/* Ash ships: deploys, alerts, what is to be learned from them. Speaks the era of the handshake. */

static const struct demo_step deploy[] = {
    {"memory_raw",
     "{'blob':'<deploy-log>','source_type':'direct_experience','context':'deploy <service>',"
     "'agent_id':'ash'}",
     .pause = 30, .from = KEEP_REF, .keep = "log"},
    {"memory_raw",
     "{'blob':'<chat>','source_type':'told_by_human','source_entity':'human:<human>',"
     "'agent_id':'ash'}",
     .pause = 25, .chance = 50, .from = KEEP_REF, .keep = "chat"},
    {"memory_search", "{'query':'<topic>','limit':5}", .pause = 15, .chance = 70, .from = KEEP_ANY,
     .keep = "found"},
    {"memory_episode",
     "{'objective':'<objective>','outcome':'<outcome>','outcome_type':'success',"
     "'lessons':['<lesson>'],'tags':['deploy','<service>'],'derived_from':['<$log>'],"
     "'source':'raw-processing','source_type':'processing','agent_id':'ash'}",
     .pause = 35, .from = KEEP_REF, .keep = "episode"},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<55-90>,'derived_from':['<$episode>'],"
     "'source_type':'inference','context_tags':['<service>'],'agent_id':'ash'}",
     .pause = 30, .chance = 60, .from = KEEP_REF, .keep = "belief"},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors'}", .pause = 15, .chance = 40},
    END,
};

static const struct demo_step alert[] = {
    {"memory_raw",
     "{'blob':'<alert-log>','source_type':'observation','context':'alert <service>',"
     "'agent_id':'ash'}",
     .pause = 15, .from = KEEP_REF, .keep = "alert"},
    {"memory_search", "{'query':'<topic>','kind':'episode','limit':8}", .pause = 10,
     .from = KEEP_ANY, .keep = "similar"},
    {"memory_get", "{'ref':'<$similar>'}", .pause = 10},
    {"memory_raw",
     "{'blob':'<measure-log>','source_type':'direct_experience','relates_to':['<$alert>'],"
     "'agent_id':'ash'}",
     .pause = 30, .from = KEEP_REF, .keep = "measured"},
    {"memory_episode",
     "{'objective':'<trouble-objective>','outcome':'<trouble-outcome>','outcome_type':'partial',"
     "'lessons':['<lesson>'],'tags':['alert','<service>'],"
     "'derived_from':['<$alert>','<$measured>'],'derivation':'all','source_type':'processing',"
     "'agent_id':'ash'}",
     .pause = 40, .from = KEEP_REF, .keep = "episode"},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<40-75>,'derived_from':['<$episode>'],"
     "'relates_to':['<$similar>'],'source_type':'inference','agent_id':'ash'}",
     .pause = 30, .chance = 70, .from = KEEP_REF, .keep = "belief"},
    {"memory_note",
     "{'content':'<decision>','type':'decision','derived_from':['<$episode>'],'tags':['<service>'],"
     "'agent_id':'ash'}",
     .pause = 30, .chance = 40},
    END,
};

static const struct demo_step look_up[] = {
    {"log_search_attribution",
     "{'agent_id':'ash','query':'<question>','results_summary':'<answer-summary>',"
     "'retrieval_timestamp':<now>}",
     .pause = 25, .from = KEEP_ATTRIBUTION, .keep = "search"},
    {"log_source_attribution",
     "{'agent_id':'ash','source_type':'web_scrape','source_uri':'<page>',"
     "'retrieval_timestamp':<now>,'content_summary':'<page-summary>'}",
     .pause = 25, .chance = 60, .from = KEEP_ATTRIBUTION, .keep = "page"},
    {"get_source_attributions", "{'agent_id':'ash','limit':10}", .pause = 10, .chance = 30},
    {"memory_note",
     "{'content':'<doubt>','type':'insight','derived_from':['<$search>'],'source_type':'external',"
     "'agent_id':'ash'}",
     .pause = 30, .from = KEEP_REF, .keep = "note"},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<35-60>,'derived_from':['<$note>'],"
     "'source_type':'inference','agent_id':'ash'}",
     .pause = 30, .chance = 30},
    END,
};

static const struct demo_step remember[] = {
    {"memory_list", "{'kind':'belief','agent_id':'ash','order':'created','limit':20}", .pause = 15,
     .from = KEEP_ANY, .keep = "belief"},
    {"memory_get", "{'ref':'<$belief>'}", .pause = 12},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors','depth':4}", .pause = 10},
    {"resources/read", "'uri':'<@belief>'", .pause = 10, .chance = 40},
    {"ping", "", .pause = 8, .chance = 50},
    END,
};

/* Things go wrong, and it goes on. */
static const struct demo_step forget_a_link[] = {
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.<50-70>,'derived_from':['raw:<uuid>'],"
     "'source_type':'inference','agent_id':'ash'}",
     .pause = 25, .from = KEEP_REF, .keep = "belief"},
    {"memory_get", "{'ref':'raw:<uuid>'}", .pause = 15, .fails = true},
    {"memory_search", "{'query':'<topic>','kind':'raw'}", .pause = 10, .from = KEEP_ANY,
     .keep = "raw"},
    {"memory_note",
     "{'content':'<doubt>','type':'observation','relates_to':['<$belief>'],'agent_id':'ash'}",
     .pause = 25, .chance = 60},
    END,
};

static const struct demo_step be_too_sure[] = {
    {"memory_belief",
     "{'statement':'<finding>','confidence':1.<2-6>,'source_type':'inference','agent_id':'ash'}",
     .pause = 25, .fails = true},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.9<0-8>,'source_type':'inference','agent_id':'ash'}",
     .pause = 15, .from = KEEP_REF, .keep = "belief"},
    {"memory_remember", "{'text':'<finding>'}", .pause = 20, .chance = 40, .fails = true},
    END,
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
