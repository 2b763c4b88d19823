/* Ash ships: deploys, alerts, what is to be learned from them. Speaks the era of the handshake. */
#include "tui/demo/demo_scene.h"

#define END                                                                                        \
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
    END,
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
    END,
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
    END,
};

static const struct demo_step remember[] = {
    {"memory_list", "{'kind':'belief','agent_id':'ash','order':'created','limit':20}", 15, 0,
     KEEP_ANY, "belief", false},
    {"memory_get", "{'ref':'<$belief>'}", 12, 0, KEEP_NOTHING, NULL, false},
    {"memory_lineage", "{'ref':'<$belief>','direction':'ancestors','depth':4}", 10, 0, KEEP_NOTHING,
     NULL, false},
    {"resources/read", "'uri':'<@belief>'", 10, 40, KEEP_NOTHING, NULL, false},
    {"ping", "", 8, 50, KEEP_NOTHING, NULL, false},
    END,
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
    END,
};

static const struct demo_step be_too_sure[] = {
    {"memory_belief",
     "{'statement':'<finding>','confidence':1.<2-6>,'source_type':'inference','agent_id':'ash'}",
     25, 0, KEEP_NOTHING, NULL, true},
    {"memory_belief",
     "{'statement':'<finding>','confidence':0.9<0-8>,'source_type':'inference','agent_id':'ash'}",
     15, 0, KEEP_REF, "belief", false},
    {"memory_remember", "{'text':'<finding>'}", 20, 40, KEEP_NOTHING, NULL, true},
    END,
};

static const struct demo_scene scenes[] = {
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

const struct demo_agent demo_ash = {"ash", "1.8.0", false, scenes,
                                    sizeof(scenes) / sizeof(*scenes)};
