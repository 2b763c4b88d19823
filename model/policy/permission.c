#include "model/policy/permission.h"

#include <stdio.h>
#include <string.h>

/* ---- agents ---- */

const char *agent_label(struct arena *arena, const char *agent, const char *claimed)
{
    if (!claimed || !agent || strcmp(agent, AGENT_UNNAMED) != 0)
        return agent;
    size_t len = strlen(claimed);
    char *label = arena_alloc(arena, len + 2);
    label[0] = '?';
    memcpy(label + 1, claimed, len + 1);
    return label;
}

/* ---- names ---- */

static const struct {
    const char *name;
    enum access access;
} tools[MEMORY_RATES] = {
    [MEMORY_TOOL_LIST] = {"listMemory", ACCESS_READ},
    [MEMORY_TOOL_CONTEXT] = {"getContext", ACCESS_READ},
    [MEMORY_TOOL_PUT] = {"putMemory", ACCESS_WRITE},
    [MEMORY_TOOL_GET] = {"getMemory", ACCESS_READ},
    [MEMORY_TOOL_DELETE] = {"deleteMemory", ACCESS_WRITE},
    [MEMORY_TOOL_SEARCH] = {"memory_search", ACCESS_READ},
};

const char *memory_tool_name(enum memory_tool tool)
{
    return tools[tool].name;
}

int memory_tool_from_name(const char *name)
{
    for (int t = 0; t < MEMORY_TOOL_COUNT; t++)
        if (*tools[t].name == *name && strcmp(tools[t].name, name) == 0)
            return t;
    return -1;
}

enum access memory_tool_access(enum memory_tool tool)
{
    return tools[tool].access;
}

const char *access_name(enum access access)
{
    return access == ACCESS_WRITE ? "write" : "read";
}

const char *const hidden_names[HIDDEN_COUNT + 1] = {
    [HIDDEN_WEAKENED] = "weakened",     [HIDDEN_UNSUPPORTED] = "unsupported",
    [HIDDEN_CIRCULAR] = "circular",     [HIDDEN_UNSOURCED] = "unsourced",
    [HIDDEN_SUPERSEDED] = "superseded", [HIDDEN_EXPIRED] = "expired",
    [HIDDEN_RETRACTED] = "retracted",   [HIDDEN_FORGOTTEN] = "forgotten",
    [HIDDEN_DELETED] = "deleted",
};

const char *pii_policy_name(enum pii_policy policy)
{
    static const char *const names[] = {
        [PII_MASK] = "mask", [PII_REFUSE] = "refuse", [PII_OFF] = "off"};
    return names[policy];
}

static bool is_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

#define SELF_LEN (sizeof(PATTERN_SELF) - 1)

/* A dot must not be first, last or next to another. In a `pattern` are `*` and {self} too. */
static bool is_dotted(const char *name, size_t len, bool pattern)
{
    for (size_t i = 0; i < len; i++) {
        bool first = i == 0 || name[i - 1] == '.';
        bool word = is_word((unsigned char)name[i]) || (pattern && name[i] == '*');
        if (pattern && len - i >= SELF_LEN && memcmp(name + i, PATTERN_SELF, SELF_LEN) == 0) {
            i += SELF_LEN - 1;
            continue;
        }
        if (!word && (name[i] != '.' || first || i + 1 == len))
            return false;
    }
    return true;
}

bool namespace_is_valid(const char *name, size_t len)
{
    return len > 0 && len <= NAMESPACE_MAX && is_dotted(name, len, false);
}

bool entry_key_is_valid(const char *key, size_t len)
{
    if (len == 0 || len > ENTRY_KEY_MAX)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_word((unsigned char)key[i]) && (!key[i] || !strchr(".:/@", key[i])))
            return false;
    return true;
}

bool namespace_pattern_is_valid(const char *pattern, size_t len)
{
    return len > 0 && len <= NAMESPACE_PATTERN_MAX && is_dotted(pattern, len, true);
}

/* On a mismatch the last `*` takes one more character. Earlier ones never need to. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *taken = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* With a dot in it, a name would reach into what is another agent's. */
static bool is_part(const char *name)
{
    size_t len = 0;
    while (is_word((unsigned char)name[len]))
        len++;
    return len > 0 && !name[len] && len <= NAMESPACE_MAX;
}

bool namespace_pattern_expand(const char *pattern, const char *self, char out[NAMESPACE_FULL_MAX])
{
    _Static_assert(NAMESPACE_PATTERN_MAX / SELF_LEN * NAMESPACE_MAX + NAMESPACE_PATTERN_MAX <
                       NAMESPACE_FULL_MAX,
                   "any pattern fits");
    size_t len = 0;
    const char *at = strstr(pattern, PATTERN_SELF);
    if (at && (!self || !is_part(self)))
        return false;
    for (; at; pattern = at + SELF_LEN, at = strstr(pattern, PATTERN_SELF))
        len += (size_t)snprintf(out + len, NAMESPACE_FULL_MAX - len, "%.*s%s", (int)(at - pattern),
                                pattern, self);
    snprintf(out + len, NAMESPACE_FULL_MAX - len, "%s", pattern);
    return true;
}

bool namespace_matches(const char *pattern, const char *name, const char *self)
{
    char full[NAMESPACE_FULL_MAX];
    if (!strchr(pattern, '{'))
        return matches(pattern, name);
    return namespace_pattern_expand(pattern, self, full) && matches(full, name);
}

/* ---- defaults ---- */

static const char *const default_readable[] = {"session.*", "agent." PATTERN_SELF,
                                               "agent." PATTERN_SELF ".*", "public.*"};
static const char *const default_writable[] = {"session.*", "agent." PATTERN_SELF,
                                               "agent." PATTERN_SELF ".*"};
static const struct grant default_grants[MEMORY_TOOL_COUNT] = {
    [MEMORY_TOOL_LIST] = {.given = true,
                          .namespaces = default_readable,
                          .namespace_count = 4,
                          .operations = ACCESS_READ,
                          .max_ttl_seconds = -1},
    [MEMORY_TOOL_CONTEXT] = {.given = true,
                             .contexts = CONTEXT_SESSION | CONTEXT_AGENT | CONTEXT_TASK,
                             .operations = ACCESS_READ,
                             .max_ttl_seconds = -1},
    [MEMORY_TOOL_PUT] = {.given = true,
                         .namespaces = default_writable,
                         .namespace_count = 3,
                         .operations = ACCESS_WRITE,
                         .max_ttl_seconds = 3600},
};

void permissions_init(struct permissions *p)
{
    *p = (struct permissions){.mask = true, .arena = ARENA_INIT};
    memcpy(p->grant, default_grants, sizeof(p->grant));
}

void permissions_release(struct permissions *p)
{
    arena_release(&p->arena);
    *p = (struct permissions){.mask = true, .arena = ARENA_INIT};
}

/* ---- questions ---- */

static const struct grant *own_or_general(const struct permissions *p,
                                          const struct agent_grants *own, enum memory_tool tool)
{
    if (own && own->grant[tool].given)
        return &own->grant[tool];
    return p->grant[tool].given ? &p->grant[tool] : NULL;
}

const struct grant *permission_grant(const struct permissions *p, const char *agent,
                                     enum memory_tool tool)
{
    static const enum memory_tool instead[MEMORY_TOOL_COUNT] = {
        [MEMORY_TOOL_LIST] = MEMORY_TOOL_LIST,  [MEMORY_TOOL_CONTEXT] = MEMORY_TOOL_CONTEXT,
        [MEMORY_TOOL_PUT] = MEMORY_TOOL_PUT,    [MEMORY_TOOL_GET] = MEMORY_TOOL_LIST,
        [MEMORY_TOOL_DELETE] = MEMORY_TOOL_PUT,
    };
    const struct agent_grants *own = NULL;
    for (size_t i = 0; agent && !own && i < p->agent_count; i++)
        if (strcmp(p->agents[i].agent, agent) == 0)
            own = &p->agents[i];
    const struct grant *g = own_or_general(p, own, tool);
    return g ? g : own_or_general(p, own, instead[tool]);
}

const struct gate *permission_gate(const struct permissions *p, const char *agent)
{
    const struct gate *others = NULL;
    for (size_t i = 0; i < p->gate_count; i++) {
        if (strcmp(p->gates[i].agent, agent) == 0)
            return &p->gates[i];
        if (strcmp(p->gates[i].agent, GATE_OTHERS) == 0)
            others = &p->gates[i];
    }
    return others;
}

enum gate_tier gate_tier(const struct gate *gate, enum kind kind)
{
    bool own = gate->given & KIND_BIT(kind);
    return (enum gate_tier)(own ? gate->tier[kind] : gate->others);
}

const char *permission_agent_of_uid(const struct permissions *p, int64_t uid)
{
    for (size_t i = 0; i < p->agent_count; i++)
        if (p->agents[i].by_uid && !p->agents[i].socket && p->agents[i].uid == uid)
            return p->agents[i].agent;
    return NULL;
}

bool permission_allows(const struct permissions *p, const char *agent, enum memory_tool tool,
                       const char *name, enum access access)
{
    const struct grant *g = permission_grant(p, agent, tool);
    if (!g || !(g->operations & access))
        return false;
    for (size_t i = 0; i < g->namespace_count; i++)
        if (namespace_matches(g->namespaces[i], name, agent))
            return true;
    return false;
}

bool permission_reads(const struct permissions *p, const char *agent, const char *name,
                      enum entry_access how)
{
    return permission_allows(p, agent, MEMORY_TOOL_GET, name, ACCESS_READ) &&
           (how == ENTRY_BY_REF ||
            permission_allows(p, agent, MEMORY_TOOL_LIST, name, ACCESS_READ));
}

unsigned permission_contexts(const struct permissions *p, const char *agent)
{
    const struct grant *g = permission_grant(p, agent, MEMORY_TOOL_CONTEXT);
    return g && (g->operations & ACCESS_READ) ? g->contexts : 0;
}

const struct namespace_policy *permission_policy(const struct permissions *p, const char *name)
{
    static const struct namespace_policy none = {.pattern = "*", .pii = PII_MASK};
    const struct namespace_policy *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; name && i < p->namespace_count; i++) {
        const struct namespace_policy *at = &p->namespaces[i];
        if (strcmp(at->pattern, name) == 0)
            return at;
        size_t len = strlen(at->pattern);
        if ((!best || len > longest) && matches(at->pattern, name)) {
            best = at;
            longest = len;
        }
    }
    return best ? best : &none;
}

const struct rate_limit *permission_rate(const struct permissions *p, enum memory_tool tool,
                                         const char *name)
{
    const struct namespace_policy *policy = permission_policy(p, name);
    return policy->has_rate[tool] ? &policy->rate[tool] : &p->rate[tool];
}
