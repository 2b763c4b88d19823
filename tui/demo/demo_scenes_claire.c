/* Claire reviews: what Ash concluded, what it rests on, what people said. Needs no handshake. */
#include "tui/demo/demo_scene.h"

#define END                                                                                        \
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
    END,
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
    END,
};

static const struct demo_step sweep[] = {
    {"memory_orphans", "{}", 25, 0, KEEP_NOTHING, NULL, false},
    {"memory_list", "{'label':'ungrounded','limit':10}", 15, 0, KEEP_ANY, "loose", false},
    {"memory_get", "{'ref':'<$loose>'}", 12, 0, KEEP_NOTHING, NULL, false},
    {"memory_note",
     "{'content':'<doubt>','type':'observation','relates_to':['<$loose>'],'tags':['review'],"
     "'agent_id':'claire'}",
     35, 50, KEEP_NOTHING, NULL, false},
    END,
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
    END,
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
    END,
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
