/*
 * Both agents reason: Ash step by step, so that a chain is seen growing, Claire by the record of what she
 * did, and by reading what Ash did. They cite what they used.
 */
#include "tui/demo/demo_scene.h"

#define END                                                                                        \
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
    END,
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
    END,
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
    END,
};
