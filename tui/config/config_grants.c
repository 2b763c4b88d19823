/* tool_permissions: what each tool may do, for everybody and for single agents. */
#include "tui/config/config_parts.h"

#define TTL_MAX 1000000000000 /* seconds; about 30,000 years */

int config_tool(struct config_reading *r, const char *name)
{
    const char *names[MEMORY_TOOL_COUNT];
    int tool = memory_tool_from_name(name);
    for (int t = 0; t < MEMORY_TOOL_COUNT; t++)
        names[t] = memory_tool_name((enum memory_tool)t);
    if (tool < 0)
        config_unknown(r, "memory tool", name, names, MEMORY_TOOL_COUNT, sizeof(names[0]));
    return tool;
}

int config_pattern(struct config_reading *r, const char *pattern)
{
    if (namespace_pattern_is_valid(pattern, strlen(pattern)))
        return 0;
    return config_fail(r, config_line(r),
                       "'%.80s' can match no namespace: a pattern is letters, digits, _ - . and *, "
                       "at most %d of them, no dot first, last or beside another",
                       pattern, NAMESPACE_PATTERN_MAX);
}

/* ---- a grant ---- */

struct granting {
    enum memory_tool tool;
    struct grant *grant;
};

static int add_namespace(struct config_reading *r, const char *pattern, void *into)
{
    struct arena *arena = &r->c->permissions.arena;
    if (config_pattern(r, pattern))
        return -1;
    const char **place = config_append(r, arena, into);
    if (!place)
        return -1;
    *place = arena_strdup(arena, pattern);
    return *place ? 0 : config_no_memory(r, "a pattern");
}

static int read_namespaces(struct config_reading *r, struct grant *g)
{
    void *namespaces = NULL;
    struct config_array all = {&namespaces, &g->namespace_count, 0, sizeof(const char *)};
    int failed = config_list(r, "allowed_namespaces", "a list of patterns", add_namespace, &all);
    g->namespaces = namespaces;
    return failed;
}

/* One of the words sets the bit of its place. */
static int add_bit(struct config_reading *r, const char *of, const char *const *words,
                   unsigned *bits)
{
    int bit;
    if (config_choice(r, of, words, &bit))
        return -1;
    *bits |= 1U << bit;
    return 0;
}

static int add_operation(struct config_reading *r, const char *word, void *into)
{
    static const char *const words[] = {"read", "write", NULL}; /* ACCESS_READ, ACCESS_WRITE */
    (void)word;
    return add_bit(r, "operations", words, into);
}

static int add_context(struct config_reading *r, const char *word, void *into)
{
    static const char *const words[] = {"session", "agent", "task", NULL}; /* as context_part */
    (void)word;
    return add_bit(r, "allowed_context_types", words, into);
}

static int read_operations(struct config_reading *r, struct grant *g)
{
    return config_list(r, "operations", "a list of read and write", add_operation, &g->operations);
}

static int read_contexts(struct config_reading *r, struct grant *g)
{
    return config_list(r, "allowed_context_types", "a list of session, agent and task", add_context,
                       &g->contexts);
}

static int read_ttl(struct config_reading *r, struct grant *g)
{
    return config_whole(r, "max_ttl_seconds", 0, TTL_MAX, &g->max_ttl_seconds);
}

#define OF(tool) (1U << MEMORY_TOOL_##tool)
static const struct {
    const char *name;
    unsigned tools; /* that have it */
    int (*read)(struct config_reading *r, struct grant *g);
} parts[] = {
    {"allowed_namespaces", OF(LIST) | OF(PUT) | OF(GET) | OF(DELETE), read_namespaces},
    {"allowed_context_types", OF(CONTEXT), read_contexts},
    {"operations", OF(LIST) | OF(CONTEXT) | OF(PUT) | OF(GET) | OF(DELETE), read_operations},
    {"max_ttl_seconds", OF(PUT), read_ttl},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static int read_part(struct config_reading *r, const char *name, void *into)
{
    struct granting *g = into;
    size_t i = 0;
    while (i < PARTS && strcmp(parts[i].name, name) != 0)
        i++;
    if (i == PARTS)
        return config_unknown(r, "part of a grant", name, &parts[0].name, PARTS, sizeof(parts[0]));
    if (!(parts[i].tools >> g->tool & 1))
        return config_fail(r, config_line(r), "a grant of %s has no '%s'",
                           memory_tool_name(g->tool), name);
    return config_advance(r) ? -1 : parts[i].read(r, g->grant);
}

/* `into` is a grant for each tool. */
static int read_grant(struct config_reading *r, const char *name, void *into)
{
    int tool = config_tool(r, name);
    if (tool < 0 || config_advance(r))
        return -1;
    struct granting g = {(enum memory_tool)tool, (struct grant *)into + tool};
    *g.grant = (struct grant){.given = true, .max_ttl_seconds = -1};
    return config_each(r, name, "a grant; {} grants nothing", read_part, &g);
}

/* Whatever was granted before is no longer. */
int config_read_grants(struct config_reading *r)
{
    struct grant *grant = r->c->permissions.grant;
    memset(grant, 0, MEMORY_TOOL_COUNT * sizeof(*grant));
    return config_each(r, "tool_permissions", "tools with their grants; {} grants nothing",
                       read_grant, grant);
}

/* ---- agents ---- */

#define NO_GRANTS                                                                                  \
    "{listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants "     \
    "nothing"

static bool grants_any(const struct grant own[MEMORY_TOOL_COUNT])
{
    bool any = false;
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
        any |= own[tool].given;
    return any;
}

/* Tool by tool: where none is named nothing is taken away, and whoever wrote that meant it to be. */
static int read_own_grants(struct config_reading *r, struct grant own[MEMORY_TOOL_COUNT])
{
    static const char takes[] = "tools, each with a grant in place of everybody's; " NO_GRANTS;
    size_t line = config_line(r);
    if (config_each(r, "tool_permissions", takes, read_grant, own))
        return -1;
    return grants_any(own) ? 0 : config_fail(r, line, "'tool_permissions' takes %s", takes);
}

static int read_agent_part(struct config_reading *r, const char *name, void *into)
{
    static const char *const names[] = {"tool_permissions"};
    if (strcmp(name, names[0]) != 0)
        return config_unknown(r, "part of an agent", name, names, 1, sizeof(names[0]));
    return config_advance(r) ? -1 : read_own_grants(r, into);
}

static int read_agent(struct config_reading *r, const char *name, void *into)
{
    static const char takes[] = "{tool_permissions: …}, of which " NO_GRANTS;
    struct arena *arena = &r->c->permissions.arena;
    size_t line = config_line(r);
    if (strchr(name, '*'))
        return config_fail(r, line,
                           "'%.80s' is no agent's name: names are no patterns here, and each "
                           "agent has a line of its own",
                           name);
    struct agent_grants *agent = config_append(r, arena, into);
    if (!agent)
        return -1;
    agent->agent = arena_strdup(arena, name);
    if (!agent->agent)
        return config_no_memory(r, "an agent");
    if (config_advance(r) || config_each(r, name, takes, read_agent_part, agent->grant))
        return -1;
    return grants_any(agent->grant) ? 0 : config_fail(r, line, "'%.80s' takes %s", name, takes);
}

int config_read_agents(struct config_reading *r)
{
    struct permissions *p = &r->c->permissions;
    void *agents = NULL;
    struct config_array all = {&agents, &p->agent_count, 0, sizeof(*p->agents)};
    if (config_is_empty(r))
        return 0;
    int failed = config_each(r, "agents", "agents with what is theirs", read_agent, &all);
    p->agents = agents;
    return failed;
}
