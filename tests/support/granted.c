#include "tests/support/granted.h"

const char *const granted_spaces[GRANTED_SPACES] = {"open.mask", "open.refuse", "open.off",
                                                    "shut.mask", "shut.refuse", "shut.off"};

static const char *const open_names[] = {"open.*"};
static const char *const shut_names[] = {"shut.*"};
static struct namespace_policy policies[] = {
    {.pattern = "*.mask", .pii = PII_MASK},
    {.pattern = "*.refuse", .pii = PII_REFUSE},
    {.pattern = "*.off", .pii = PII_OFF},
};

void granted(struct permissions *p)
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
    p->mask = true;
}
