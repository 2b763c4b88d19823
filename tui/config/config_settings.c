/* The table of settings, and what is checked of each. config.yaml documents them. */
#include "tui/config/config_internal.h"

#include <string.h>
#include "model/pii/pii.h"
#include "store/mcp/tools/service.h"

/* ---- the schema: settings about agents ---- */

#define COUNT_MAX   9007199254740991 /* 2^53 - 1: exact in all JSON readers */
#define TTL_MAX     1000000000000    /* seconds; about 30,000 years */
#define CALLS_MAX   1000000          /* each call is stored for the length of the window */
#define SECONDS_MAX 31622400.0       /* a year */
#define UID_LARGEST 4294967294.0
#define NAME_MAX    40
#define REGEX_MAX   10000

#define AT(type, member) .offset = offsetof(type, member)
#define MEMBERS(array)   .members = (array), .member_count = COUNT_OF(array)
/* An array in `holder` of `struct element_`; `one` is the setting of an element. */
#define TABLE(holder, array, number, element_, one)                                                \
    .type = SETTING_TABLE, .may_be_empty = true, .offset = offsetof(struct holder, array),         \
    .count = offsetof(struct holder, number), .size = sizeof(struct element_), .members = &(one)
#define OF(tool) (1U << MEMORY_TOOL_##tool)

static int check_pattern(struct config_reading *r, const char *of, const char *pattern,
                         size_t so_far)
{
    (void)of;
    (void)so_far;
    if (namespace_pattern_is_valid(pattern, strlen(pattern)))
        return 0;
    return config_refuse(
        r, config_line(r),
        "'%.80s' can match no namespace: a pattern is letters, digits, _ - . * and {self}, "
        "at most %d bytes, no dot first, last or next to another",
        pattern, NAMESPACE_PATTERN_MAX);
}

/* A policy applies to a namespace, no matter who calls. */
static int check_policy_pattern(struct config_reading *r, const char *of, const char *pattern,
                                size_t so_far)
{
    if (strstr(pattern, PATTERN_SELF))
        return config_refuse(r, config_line(r), "'%.80s': " PATTERN_SELF " stands in grants only",
                             pattern);
    return check_pattern(r, of, pattern, so_far);
}

static const char *const operations[] = {"read", "write", NULL};          /* enum access */
static const char *const contexts[] = {"session", "agent", "task", NULL}; /* enum context_part */
static const struct setting grant_parts[] = {
    {"allowed_namespaces", SETTING_LIST, AT(struct grant, namespaces),
     .count = offsetof(struct grant, namespace_count),
     .tools = OF(LIST) | OF(PUT) | OF(GET) | OF(DELETE), .takes = "a list of patterns",
     .item = check_pattern},
    {"allowed_context_types", SETTING_BITS, AT(struct grant, contexts), .choices = contexts,
     .tools = OF(CONTEXT), .takes = "a list of session, agent and task"},
    {"operations", SETTING_BITS, AT(struct grant, operations), .choices = operations,
     .takes = "a list of read and write"},
    {"max_ttl_seconds", SETTING_WHOLE, AT(struct grant, max_ttl_seconds), .max = TTL_MAX,
     .tools = OF(PUT)},
};
static const struct setting grant = {.type = SETTING_MAP,
                                     MEMBERS(grant_parts),
                                     .what = "part of a grant",
                                     .takes = "a grant; {} grants nothing"};

static int begin_grant(struct config_reading *r, void *array, int tool)
{
    struct grant *g = (struct grant *)array + tool;
    *g = (struct grant){.given = true, .max_ttl_seconds = -1};
    r->tool = tool;
    return 0;
}

#define GRANTS                                                                                     \
    .type = SETTING_TOOLS, .members = &grant, .member_count = MEMORY_TOOL_COUNT,                   \
    .size = sizeof(struct grant), .begin = begin_grant

#define NO_GRANTS                                                                                  \
    "{listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants "     \
    "nothing"
#define OWN_GRANTS "tools, each with a grant in place of everybody's; " NO_GRANTS
#define AGENT      "{tool_permissions: …}, socket, token_file or uid; " NO_GRANTS

/* Grants are per tool: without a tool nothing would be restricted, although the author surely meant to. */
static int check_own_grants(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct agent_grants *own = base;
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
        if (own->grant[tool].given)
            return 0;
    return config_refuse(r, line, "'%.80s' takes %s", name, OWN_GRANTS);
}

static int set_by_uid(struct config_reading *r, const char *name, size_t line, void *base)
{
    (void)r;
    (void)name;
    (void)line;
    ((struct agent_grants *)base)->by_uid = true;
    return 0;
}

/* True if both grant their names to the same callers. */
static bool grant_same_callers(const struct agent_grants *a, const struct agent_grants *b)
{
    return (a->socket && same_text(a->socket, b->socket)) ||
           (a->token_file && same_text(a->token_file, b->token_file)) ||
           (a->by_uid && b->by_uid && a->uid == b->uid && !a->socket && !b->socket);
}

static int check_agent(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct permissions *p = &r->c->permissions;
    const struct agent_grants *own = base;
    bool given = own->socket || own->token_file || own->by_uid;
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
        given |= own->grant[tool].given;
    if (!given)
        return config_refuse(r, line, "'%.80s' takes %s", name, AGENT);
    for (size_t i = 0; i < p->agent_count; i++)
        if (&p->agents[i] != own && grant_same_callers(&p->agents[i], own))
            return config_refuse(r, line,
                                 "'%.80s' has the socket, the token or the user of '%.80s'", name,
                                 p->agents[i].agent);
    return 0;
}

static int check_agent_name(struct config_reading *r, const char *of, const char *name,
                            size_t so_far)
{
    (void)of;
    (void)so_far;
    if (!strchr(name, '*') && strcmp(name, AGENT_UNNAMED) != 0)
        return 0;
    if (!strchr(name, '*'))
        return config_refuse(r, config_line(r),
                             "'%s' is what all callers without a name are called", name);
    return config_refuse(
        r, config_line(r),
        "'%.80s' is not an agent's name: patterns are not allowed here, and each agent has a "
        "line of its own",
        name);
}

static const struct setting agent_parts[] = {
    {.name = "tool_permissions",
     GRANTS,
     AT(struct agent_grants, grant),
     .takes = OWN_GRANTS,
     .check = check_own_grants},
    {"socket", SETTING_PATH, AT(struct agent_grants, socket), .fallback = ""},
    {"token_file", SETTING_PATH, AT(struct agent_grants, token_file), .fallback = ""},
    {"uid", SETTING_WHOLE, AT(struct agent_grants, uid), .max = UID_LARGEST, .check = set_by_uid},
};
static const struct setting agent = {.type = SETTING_MAP,
                                     MEMBERS(agent_parts),
                                     .what = "part of an agent",
                                     .takes = AGENT,
                                     .check = check_agent};

/* A window without calls, or a bucket without size, would limit nothing. */
static int check_rate(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct rate_limit *limit = base;
    (void)name;
    if ((limit->window_seconds > 0) != (limit->window_calls > 0))
        return config_refuse(r, line, "'window_seconds' and 'window_calls' go together");
    if ((limit->per_second > 0) != (limit->burst > 0))
        return config_refuse(r, line, "'per_second' and 'burst' go together");
    return 0;
}

static const struct setting rate_parts[] = {
    {"window_seconds", SETTING_REAL, AT(struct rate_limit, window_seconds), .max = SECONDS_MAX},
    {"window_calls", SETTING_WHOLE, AT(struct rate_limit, window_calls), .min = 1,
     .max = CALLS_MAX},
    {"per_second", SETTING_REAL, AT(struct rate_limit, per_second), .max = CALLS_MAX},
    {"burst", SETTING_WHOLE, AT(struct rate_limit, burst), .min = 1, .max = CALLS_MAX},
};
static const struct setting rate = {.type = SETTING_MAP,
                                    MEMBERS(rate_parts),
                                    .what = "part of a rate",
                                    .takes = "a rate; {} is no limit",
                                    .check = check_rate};
#define RATES                                                                                      \
    .type = SETTING_TOOLS, .may_be_empty = true, .members = &rate, .member_count = MEMORY_RATES,   \
    .size = sizeof(struct rate_limit), .takes = "tools with their rates"

/* The tool's rate in this namespace replaces the general one. */
static int begin_own_rate(struct config_reading *r, void *array, int tool)
{
    struct namespace_policy *policy =
        (void *)((char *)array - offsetof(struct namespace_policy, rate));
    policy->has_rate[tool] = true;
    if (tool != MEMORY_TOOL_CONTEXT && tool != MEMORY_TOOL_SEARCH)
        return 0;
    return config_refuse(r, config_line(r),
                         "%s has no namespace: its rate stands in the general 'rate_limits'",
                         memory_tool_name((enum memory_tool)tool));
}

static const char *const pii_policies[] = {"mask", "refuse", "off", NULL}; /* enum pii_policy */
static const char *const evictions[] = {"no", "oldest", NULL};
static const char *const consistencies[] = {"eventual", "strong", NULL};
static const struct setting policy_parts[] = {
    {"pii", SETTING_CHOICE, AT(struct namespace_policy, pii), .choices = pii_policies},
    {"max_items", SETTING_WHOLE, AT(struct namespace_policy, max_items), .max = COUNT_MAX},
    {"max_bytes", SETTING_WHOLE, AT(struct namespace_policy, max_bytes), .max = COUNT_MAX},
    {"evict", SETTING_BOOL, AT(struct namespace_policy, evict_oldest), .choices = evictions},
    {"consistency", SETTING_BOOL, AT(struct namespace_policy, strong), .choices = consistencies},
    {.name = "rate_limits", RATES, AT(struct namespace_policy, rate), .begin = begin_own_rate},
};
static const struct setting policy = {.type = SETTING_MAP,
                                      MEMBERS(policy_parts),
                                      .what = "part of a namespace",
                                      .takes = "limits, as in {pii: refuse}"};

static int check_pattern_name(struct config_reading *r, const char *of, const char *name,
                              size_t so_far)
{
    static const char *const built_in[] = {"email", "phone", "ssn", "card", "secret", NULL};
    (void)of;
    if (strlen(name) > NAME_MAX || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")])
        return config_refuse(r, config_line(r),
                             "'%.80s' cannot name a pattern: a-z, 0-9, _ and -, at most %d", name,
                             NAME_MAX);
    if (config_find_word(built_in, name) >= 0)
        return config_refuse(r, config_line(r), "'%s' is built in; give the pattern another name",
                             name);
    if (so_far == PII_KINDS_MAX - PII_CUSTOM)
        return config_refuse(r, config_line(r), "there are more than %d patterns",
                             PII_KINDS_MAX - PII_CUSTOM);
    return 0;
}

static int check_regex(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct pii_pattern *pattern = base;
    if (!pattern->pattern || strlen(pattern->pattern) > REGEX_MAX)
        return config_refuse(r, line, "'%s' takes a regular expression of 1 to %d bytes", name,
                             REGEX_MAX);
    r->c->pattern_line[pattern - r->c->permissions.patterns] = (int)line;
    return 0;
}

static const struct setting regex = {
    .type = SETTING_TEXT, AT(struct pii_pattern, pattern), .fallback = "", .check = check_regex};
static const struct setting pii_parts[] = {
    {"mask", SETTING_BOOL, AT(struct permissions, mask)},
    {.name = "patterns",
     TABLE(permissions, patterns, pattern_count, pii_pattern, regex),
     .takes = "names with regular expressions",
     .item = check_pattern_name},
};

/* ---- when a change is taken ---- */

#define AT_START(reason) .taken = TAKEN_AT_START, .why = (reason)
#define SERVED           AT_START("agents are served by it")
#define COMPUTED         AT_START("the open store is read by it")

static const struct setting mcp_parts[] = {
    {"tools", SETTING_BITS, AT(struct config, toolsets), .choices = toolset_names,
     .takes = "a list of sets of tools: " TOOLSET_NAMES, SERVED},
    {"strict", SETTING_BOOL, AT(struct config, strict), SERVED},
    {"hide", SETTING_BITS, AT(struct config, permissions.hide), .choices = hidden_names,
     .takes = "a list of labels and statuses, as in [unsupported, retracted]",
     .taken = TAKEN_BY_ALL},
};

/* ---- the schema: the gate ---- */

static int check_gated(struct config_reading *r, const char *of, const char *name, size_t so_far)
{
    (void)of;
    (void)so_far;
    return strchr(name, '*') ? config_refuse(r, config_line(r),
                                             "'%.80s' is not an agent's name; " GATE_OTHERS
                                             " is every other agent",
                                             name)
                             : 0;
}

static int set_tier(struct config_reading *r, const char *name, size_t line, void *base)
{
    (void)r;
    (void)line;
    ((struct gate *)base)->given |= KIND_BIT(kind_from_name(name, strlen(name)));
    return 0;
}

static const char *const tiers[] = {"no", "risky", "yes", NULL}; /* enum gate_tier */
#define TIER(name_, kind_)                                                                         \
    {                                                                                              \
        name_, SETTING_CHOICE, AT(struct gate, tier[KIND_##kind_]), .choices = tiers,              \
                                                                    .check = set_tier              \
    }
/* Not the kinds that record what was read, reasoned and cited; entries have grants. */
static const struct setting gate_parts[] = {
    TIER("raw", RAW),
    TIER("episode", EPISODE),
    TIER("belief", BELIEF),
    TIER("note", NOTE),
    TIER("value", VALUE),
    TIER("goal", GOAL),
    TIER("drive", DRIVE),
    TIER("relationship", RELATIONSHIP),
    TIER("suggestion", SUGGESTION),
    {GATE_OTHERS, SETTING_CHOICE, AT(struct gate, others), .choices = tiers},
    {"ask", SETTING_BOOL, AT(struct gate, ask)},
};
static const struct setting gate = {.type = SETTING_MAP,
                                    MEMBERS(gate_parts),
                                    .what = "kind of memory that a gate stops",
                                    .takes = "kinds with no, risky or yes, as in {belief: risky}"};

/* config_check validates the names of keys and actions. */
static int check_key(struct config_reading *r, const char *of, const char *key, size_t so_far)
{
    (void)so_far;
    return *key ? 0 : config_refuse(r, config_line(r), "a key of '%.80s' is empty", of);
}

static const struct setting binding = {.type = SETTING_LIST,
                                       .or_one = true,
                                       AT(struct config_binding, keys),
                                       .count = offsetof(struct config_binding, count),
                                       .takes = "a key or a list of keys",
                                       .item = check_key,
                                       .line = offsetof(struct config_binding, line)};

#define WEIGHT(name_, type_)                                                                       \
    {                                                                                              \
        name_, SETTING_UNIT, .offset = SOURCE_##type_ * sizeof(double)                             \
    }
static const struct setting source_types[] = {
    WEIGHT("direct_experience", DIRECT_EXPERIENCE),
    WEIGHT("observation", OBSERVATION),
    WEIGHT("processing", PROCESSING),
    WEIGHT("seed", SEED),
    WEIGHT("inference", INFERENCE),
    WEIGHT("consolidation", CONSOLIDATION),
    WEIGHT("told_by_human", TOLD_BY_HUMAN),
    WEIGHT("told_by_agent", TOLD_BY_AGENT),
    WEIGHT("external", EXTERNAL),
    WEIGHT("unknown", UNKNOWN),
};
static const struct setting source_entity = {.type = SETTING_UNIT, AT(struct trust_entity, trust)};
static const struct setting trust_parts[] = {
    {"cap", SETTING_BOOL, AT(struct trust_rules, cap)},
    {.name = "source_types",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct trust_rules, source_type),
     MEMBERS(source_types),
     .what = "source type",
     .takes = "source types with their trust, as in {external: 0.6}"},
    {.name = "source_entities",
     TABLE(trust_rules, entities, entity_count, trust_entity, source_entity),
     .takes = "who told something, with their trust, as in {claire: 0.6}"},
};

#define DAYS(name_, kind_)                                                                         \
    {                                                                                              \
        name_, SETTING_WHOLE, .offset = KIND_##kind_ * sizeof(int64_t), .min = 0, .max = 36500     \
    }
static const struct setting stale_kinds[] = {
    DAYS("raw", RAW),           DAYS("episode", EPISODE),
    DAYS("belief", BELIEF),     DAYS("note", NOTE),
    DAYS("value", VALUE),       DAYS("goal", GOAL),
    DAYS("drive", DRIVE),       DAYS("relationship", RELATIONSHIP),
    DAYS("document", DOCUMENT), DAYS("step", STEP),
    DAYS("chain", CHAIN),       DAYS("citation", CITATION),
};

/* ---- the schema: stores ---- */

/* The place of a colour is its number in a terminal. */
static const char *const colours[] = {"none",    "red",  "green", "yellow", "blue",
                                      "magenta", "cyan", "white", NULL};

static int check_store_name(struct config_reading *r, const char *of, const char *name,
                            size_t so_far)
{
    (void)of;
    (void)so_far;
    return strchr(name, '/')
               ? config_refuse(r, config_line(r), "'%.80s' is no name for a store: a name has no /",
                               name)
               : 0;
}

static int check_store(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct config_store *store = base;
    return store->path ? 0 : config_refuse(r, line, "'%.80s' has no 'path'", name);
}

static const struct setting store_parts[] = {
    {"path", SETTING_PATH, AT(struct config_store, path), .fallback = ""},
    {"colour", SETTING_CHOICE, AT(struct config_store, colour), .choices = colours},
};
static const struct setting store = {.type = SETTING_MAP,
                                     MEMBERS(store_parts),
                                     .what = "part of a store",
                                     .takes = "{path: FILE, colour: red}",
                                     .check = check_store};

/* ---- the settings ---- */

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const asciis[] = {"auto", "yes", "no", NULL};
static const char *const orders[] = {"recorded", "created",   "updated",   "confidence", "text",
                                     "trust",    "retrieved", "keystones", NULL};
static const char *const previews[] = {"auto", "right", "below", "off", NULL};
static const char *const zones[] = {"utc", "local", NULL};
static const char *const graph_styles[] = {"auto", "lr", "lr-box", "tb", "tb-box", "outline", NULL};
static const char *const clipboards[] = {"auto", "osc52", "off", NULL};
static const char *const links[] = {"auto", "yes", "no", NULL};

#define MEMBER(member) .name = #member, .offset = offsetof(struct config, member)
/* config.yaml documents each setting. */
static const struct setting settings[] = {
    {MEMBER(actor), .type = SETTING_TEXT, .fallback = "",
     AT_START("this run is in the journal under one name")},
    {MEMBER(store), .type = SETTING_PATH, .fallback = "", AT_START(":open opens another store")},
    {.name = "stores",
     TABLE(config, stores, store_count, config_store, store),
     .takes = "names with the paths of stores, as in {test: {path: ~/test.db}}",
     .item = check_store_name},
    {MEMBER(theme), .type = SETTING_PATH, .fallback = "auto",
     .line = offsetof(struct config, theme_line)},
    {MEMBER(color), .type = SETTING_CHOICE, .choices = colors, .fallback = "auto",
     AT_START("--color and NO_COLOR count, too")},
    {MEMBER(ascii), .type = SETTING_CHOICE, .choices = asciis, .fallback = "auto"},
    {MEMBER(order), .type = SETTING_CHOICE, .choices = orders, .fallback = "recorded"},
    {MEMBER(preview), .type = SETTING_CHOICE, .choices = previews, .fallback = "auto"},
    {MEMBER(preview_size), .type = SETTING_INT, .min = 0, .max = 90, .fallback = "0"},
    {MEMBER(times), .type = SETTING_CHOICE, .choices = zones, .fallback = "utc"},
    {MEMBER(graph_style), .type = SETTING_CHOICE, .choices = graph_styles, .fallback = "auto"},
    {MEMBER(mouse), .type = SETTING_BOOL, .fallback = "yes"},
    {MEMBER(screen_reader), .type = SETTING_BOOL, .fallback = "no"},
    {MEMBER(listen), .type = SETTING_BOOL, .fallback = "yes", SERVED},
    {MEMBER(http_port), .type = SETTING_INT, .min = 0, .max = 65535, .fallback = "0", SERVED},
    {MEMBER(destructive_tools), .type = SETTING_BOOL, .fallback = "no", SERVED},
    {MEMBER(clipboard), .type = SETTING_CHOICE, .choices = clipboards, .fallback = "auto"},
    {MEMBER(links), .type = SETTING_CHOICE, .choices = links, .fallback = "auto"},
    {MEMBER(escape_delay), .type = SETTING_INT, .min = 0, .max = 1000, .fallback = "25"},
    {MEMBER(hmac_key), .type = SETTING_PATH, .fallback = "",
     AT_START("the open store is signed by it")},
    {MEMBER(runtime_dir), .type = SETTING_PATH, .fallback = "", SERVED},
    {MEMBER(decay), .type = SETTING_BOOL, .fallback = "no", COMPUTED},
    {.name = "trust",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct config, trust),
     MEMBERS(trust_parts),
     .what = "part of trust",
     .takes = "cap, source_types and source_entities",
     COMPUTED},
    {.name = "stale",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct config, stale),
     MEMBERS(stale_kinds),
     .what = "kind that gets stale",
     .takes = "kinds with their days, as in {belief: 180}",
     COMPUTED},
    {.name = "keys",
     TABLE(config, keys, key_count, config_binding, binding),
     .takes = "actions with their keys"},
    {.name = "tool_permissions",
     GRANTS,
     AT(struct config, permissions.grant),
     .takes = "tools with their grants; {} grants nothing",
     .taken = TAKEN_BY_ALL},
    {.name = "agents",
     TABLE(config, permissions.agents, permissions.agent_count, agent_grants, agent),
     .takes = "agents with what is theirs",
     .taken = TAKEN_BY_ALL,
     .item = check_agent_name},
    {.name = "namespaces",
     TABLE(config, permissions.namespaces, permissions.namespace_count, namespace_policy, policy),
     .takes = "patterns with their limits",
     .taken = TAKEN_BY_ALL,
     .item = check_policy_pattern},
    {.name = "gate",
     TABLE(config, permissions.gates, permissions.gate_count, gate, gate),
     .takes = "agents with what waits for a person, as in {ash: {belief: risky}}",
     .taken = TAKEN_BY_ALL,
     .item = check_gated},
    {.name = "rate_limits", RATES, AT(struct config, permissions.rate), .taken = TAKEN_BY_ALL},
    {.name = "pii",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct config, permissions),
     MEMBERS(pii_parts),
     .what = "part of pii",
     .takes = "mask and patterns",
     .taken = TAKEN_BY_ALL},
    {.name = "mcp",
     .type = SETTING_MAP,
     .may_be_empty = true,
     MEMBERS(mcp_parts),
     .what = "part of mcp",
     .takes = "tools, strict and hide"},
    {.name = "share",
     AT(struct config, permissions.share),
     .type = SETTING_BOOL,
     .fallback = "no",
     .taken = TAKEN_BY_ALL},
};

const struct setting config_document = {
    .type = SETTING_MAP, MEMBERS(settings), .what = "setting", .takes = "settings"};

const struct setting *config_settings(size_t *count)
{
    *count = COUNT_OF(settings);
    return settings;
}
