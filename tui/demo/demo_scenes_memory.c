/*
 * Both agents use shared memory: Ash keeps the state of a deploy where others find it, Claire what she is
 * reviewing. What comes back is masked, and not all that she tries is hers to do.
 */
#include "tui/demo/demo_scene.h"

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
