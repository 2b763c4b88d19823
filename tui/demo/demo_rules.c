#include "tui/demo/demo_rules.h"

static const struct namespace_policy policies[] = {
    {.pattern = "session.*", .max_items = 5, .max_bytes = 2000, .evict_oldest = true},
    {.pattern = "agent.oncall", .max_items = 20, .max_bytes = 240},
    {.pattern = "agent.claire", .pii = PII_REFUSE, .max_items = 50, .max_bytes = 600},
    {.pattern = "agent.*", .max_items = 50, .max_bytes = 10000},
    {.pattern = "public.*", .pii = PII_REFUSE, .max_items = 100},
    {.pattern = "vault.*", .strong = true},
};
#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static const char *const claires[] = {"agent.claire"};

int demo_rules_add(struct permissions *p, struct error *e)
{
    if (p->namespace_count > 0 || p->agent_count > 0)
        return 0;
    struct namespace_policy *made = arena_memdup(&p->arena, policies, sizeof(policies));
    struct agent_grants *agent = arena_array(&p->arena, 1, sizeof(*agent));
    if (!made || !agent)
        return error_set(e, ERROR_MEMORY, "Free some memory.", "there is no memory for the demo");
    *agent = (struct agent_grants){.agent = "claire"};
    agent->grant[MEMORY_TOOL_PUT] = (struct grant){.given = true,
                                                   .namespaces = claires,
                                                   .namespace_count = 1,
                                                   .operations = ACCESS_WRITE,
                                                   .max_ttl_seconds = 600};
    p->namespaces = made;
    p->namespace_count = POLICIES;
    p->agents = agent;
    p->agent_count = 1;
    return 0;
}
