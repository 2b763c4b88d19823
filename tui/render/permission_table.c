#include "tui/render/permission_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const enum memory_tool permission_tool[PERMISSION_TOOLS] = {
    MEMORY_TOOL_LIST,
    MEMORY_TOOL_GET,
    MEMORY_TOOL_PUT,
    MEMORY_TOOL_DELETE,
};

/* ---- one rule ---- */

/* Finds the agent and the tool of the grant. */
static void find_owner(const struct permissions *p, struct permission_rule *rule)
{
    for (size_t i = 0; i < p->agent_count; i++)
        for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
            if (rule->grant == &p->agents[i].grant[tool]) {
                rule->agent = p->agents[i].agent;
                rule->of = (enum memory_tool)tool;
            }
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++)
        if (rule->grant == &p->grant[tool])
            rule->of = (enum memory_tool)tool;
}

/* A pattern matches everything that another pattern matches if it matches it letter by letter, with the other's `*`
 * by its own. */
struct permission_rule permission_explain(const struct permissions *p, const char *agent,
                                          enum memory_tool tool, const char *name)
{
    struct permission_rule rule = {.grant = permission_grant(p, agent, tool), .of = tool};
    if (!rule.grant)
        return rule;
    find_owner(p, &rule);
    rule.operation = (rule.grant->operations & memory_tool_access(tool)) != 0;
    for (size_t i = 0; i < rule.grant->namespace_count && !rule.pattern; i++)
        if (namespace_matches(rule.grant->namespaces[i], name, agent) ||
            strcmp(rule.grant->namespaces[i], name) == 0)
            rule.pattern = rule.grant->namespaces[i];
    rule.allowed = rule.operation && rule.pattern;
    return rule;
}

static void add_owner(const struct permission_rule *rule, struct strbuf *out)
{
    if (rule->agent)
        strbuf_addf(out, "%s's own grant of %s", rule->agent, memory_tool_name(rule->of));
    else
        strbuf_addf(out, "all agents' grant of %s", memory_tool_name(rule->of));
}

void permission_rule_describe(const struct permission_rule *rule, struct strbuf *out)
{
    if (!rule->grant) {
        strbuf_addstr(out, "no agent has a grant for it");
        return;
    }
    if (rule->allowed) {
        strbuf_addf(out, "%s in ", rule->pattern);
        add_owner(rule, out);
        return;
    }
    add_owner(rule, out);
    if (!rule->operation) {
        strbuf_addstr(out, rule->grant->operations ? " does not allow that operation"
                                                   : " allows no operation");
        return;
    }
    if (rule->grant->namespace_count == 0) {
        strbuf_addstr(out, " allows no namespace");
        return;
    }
    strbuf_addstr(out, " allows only ");
    for (size_t i = 0; i < rule->grant->namespace_count; i++)
        strbuf_addf(out, "%s%s", i ? ", " : "", rule->grant->namespaces[i]);
}

static bool has_own_grants(const struct permissions *p, const char *agent)
{
    size_t i = 0;
    while (i < p->agent_count && strcmp(p->agents[i].agent, agent) != 0)
        i++;
    return i < p->agent_count;
}

void permission_agents_describe(const struct permissions *p, enum memory_tool tool,
                                const char *name, struct strbuf *out)
{
    enum access access = memory_tool_access(tool);
    bool any = permission_allows(p, NULL, tool, name, access);
    AUTO_STRBUF others = STRBUF_INIT;
    for (size_t i = 0; i < p->agent_count; i++)
        if (permission_allows(p, p->agents[i].agent, tool, name, access) != any)
            strbuf_addf(&others, ", %s", p->agents[i].agent);
    /* A pattern with {self} concerns an agent that a part of the namespace names. */
    for (const char *at = name; *at; at += *at == '.') {
        char part[NAMESPACE_MAX + 1];
        size_t length = strcspn(at, ".");
        snprintf(part, sizeof(part), "%.*s", (int)length, at);
        at += length;
        if (!has_own_grants(p, part) && permission_allows(p, part, tool, name, access) != any)
            strbuf_addf(&others, ", %s", part);
    }
    if (others.len == 0)
        strbuf_addstr(out, any ? "any agent" : "no agent");
    else
        strbuf_addf(out, "%s %s", any ? "any agent but" : "only", others.buf + 2);
}

void permission_contexts_describe(const struct permissions *p, const char *agent,
                                  struct strbuf *out)
{
    static const struct {
        unsigned part;
        const char *name;
    } parts[] = {{CONTEXT_SESSION, "session"}, {CONTEXT_AGENT, "agent"}, {CONTEXT_TASK, "task"}};
    unsigned allowed = permission_contexts(p, agent);
    bool any = false;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (allowed & parts[i].part) {
            strbuf_addf(out, "%s%s", any ? ", " : "", parts[i].name);
            any = true;
        }
    if (!any)
        strbuf_addstr(out, "none");
}

void permission_context_describe(const struct permissions *p, const char *agent, struct strbuf *out)
{
    AUTO_STRBUF rate = STRBUF_INIT;
    permission_contexts_describe(p, agent, out);
    rate_limit_describe(permission_rate(p, MEMORY_TOOL_CONTEXT, NULL), &rate);
    if (rate.len > 0)
        strbuf_addf(out, "; %s", rate.buf);
    strbuf_clear(&rate);
    rate_limit_describe(permission_rate(p, MEMORY_TOOL_SEARCH, NULL), &rate);
    if (rate.len > 0)
        strbuf_addf(out, "; memory_search %s", rate.buf);
}

/* ---- texts ---- */

void format_bytes(char *out, size_t size, int64_t bytes)
{
    static const char units[] = "KMGTP";
    double n = (double)bytes;
    int unit = -1;
    while (n >= 999.95 && unit < 4) {
        n /= 1000;
        unit++;
    }
    if (unit < 0)
        snprintf(out, size, "%lld B", (long long)bytes);
    else
        snprintf(out, size, n < 9.95 ? "%.1f %cB" : "%.0f %cB", n, units[unit]);
}

static const struct {
    int64_t seconds;
    char unit;
} units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};

void format_seconds(char *out, size_t size, int64_t seconds)
{
    size_t i = 0;
    if (seconds < 0)
        seconds = 0;
    while (i < 3 && seconds < units[i].seconds)
        i++;
    snprintf(out, size, "%lld%c", (long long)(seconds / units[i].seconds), units[i].unit);
}

/* Appends the exact duration: "90m", "100s", "6d 23h 59m 59s". */
static void add_duration(int64_t seconds, struct strbuf *out)
{
    size_t i = 0, begin = out->len;
    while (i < 3 && (seconds == 0 || seconds % units[i].seconds != 0))
        i++;
    if (i == 0 || seconds / units[i].seconds < 1000) { /* one unit is easier to read */
        strbuf_addf(out, "%lld%c", (long long)(seconds / units[i].seconds), units[i].unit);
        return;
    }
    for (i = 0; i < 4; i++) {
        int64_t count = seconds / units[i].seconds;
        seconds %= units[i].seconds;
        if (count > 0)
            strbuf_addf(out, "%s%lld%c", out->len > begin ? " " : "", (long long)count,
                        units[i].unit);
    }
}

void namespace_policy_describe(const struct namespace_policy *policy, struct strbuf *out)
{
    static const char *const pii[] = {[PII_MASK] = "personal data masked",
                                      [PII_REFUSE] = "personal data refused",
                                      [PII_OFF] = "personal data not masked"};
    char size[32];
    strbuf_addstr(out, pii[policy->pii]);
    if (policy->max_items > 0)
        strbuf_addf(out, ", %lld item%s", (long long)policy->max_items,
                    policy->max_items == 1 ? "" : "s");
    if (policy->max_bytes > 0) {
        format_bytes(size, sizeof(size), policy->max_bytes);
        strbuf_addf(out, ", %s", size);
    }
    if (policy->evict_oldest)
        strbuf_addstr(out, ", the oldest is removed");
    if (policy->strong)
        strbuf_addstr(out, ", strong");
}

void rate_limit_describe(const struct rate_limit *limit, struct strbuf *out)
{
    size_t begin = out->len;
    if (!limit)
        return;
    if (limit->window_calls > 0)
        strbuf_addf(out, "%lld call%s in %g s", (long long)limit->window_calls,
                    limit->window_calls == 1 ? "" : "s", limit->window_seconds);
    if (limit->burst > 0)
        strbuf_addf(out, "%s%lld at once, %g a second", out->len > begin ? ", " : "",
                    (long long)limit->burst, limit->per_second);
}

/* The limit for a write of an entry; -1 if there is no limit or writing is not allowed. */
static int64_t longest_ttl(const struct permission_row *row, size_t tool)
{
    const struct permission_rule *rule = &row->rule[tool];
    return permission_tool[tool] == MEMORY_TOOL_PUT && rule->allowed ? rule->grant->max_ttl_seconds
                                                                     : -1;
}

void permission_cell_describe(const struct permission_row *row, size_t tool, struct strbuf *out)
{
    int64_t ttl = longest_ttl(row, tool);
    strbuf_addstr(out, row->rule[tool].allowed
                           ? access_name(memory_tool_access(permission_tool[tool]))
                           : "denied");
    if (ttl < 0)
        return;
    strbuf_addch(out, ' ');
    add_duration(ttl, out);
}

void namespace_limits_describe(const struct permissions *p, const struct permission_row *row,
                               struct strbuf *out)
{
    namespace_policy_describe(permission_policy(p, row->name), out);
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        int64_t ttl = longest_ttl(row, i);
        if (ttl < 0)
            continue;
        strbuf_addf(out, "; ttl_seconds %lld at most (", (long long)ttl);
        add_duration(ttl, out);
        strbuf_addch(out, ')');
    }
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        const struct rate_limit *limit = permission_rate(p, permission_tool[i], row->name);
        if (limit->window_calls == 0 && limit->burst == 0)
            continue;
        strbuf_addf(out, "; %s ", memory_tool_name(permission_tool[i]));
        rate_limit_describe(limit, out);
    }
}

/* ---- rows ---- */

static int by_name(const void *a, const void *b)
{
    const struct permission_row *one = a, *other = b;
    return one->pattern != other->pattern ? one->pattern - other->pattern
                                          : strcmp(one->name, other->name);
}

/* Removes duplicates from sorted rows. A pattern without `*` that equals an existing namespace is dropped. */
static size_t remove_duplicates(struct permission_row *row, size_t count)
{
    size_t kept = 0, names = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && row[kept - 1].pattern == row[i].pattern &&
            !strcmp(row[kept - 1].name, row[i].name))
            continue;
        if (row[i].pattern && bsearch(&(struct permission_row){.name = row[i].name}, row, names,
                                      sizeof(*row), by_name))
            continue;
        row[kept++] = row[i];
        names += !row[i].pattern;
    }
    return kept;
}

void permission_table(const struct permissions *p, const char *agent,
                      const struct namespace_row *names, size_t count, struct arena *arena,
                      struct permission_row **out, size_t *rows)
{
    size_t made = 0, alloc = count + 1;
    struct permission_row *row = arena_array(arena, alloc, sizeof(*row));
    for (size_t i = 0; i < count; i++)
        row[made++] = (struct permission_row){.name = names[i].name};
    /* Two tools may share a grant. */
    for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++) {
        const struct grant *grant = permission_grant(p, agent, (enum memory_tool)tool);
        for (size_t i = 0; grant && i < grant->namespace_count; i++) {
            char full[NAMESPACE_FULL_MAX];
            const char *name = grant->namespaces[i];
            if (agent && namespace_pattern_expand(name, agent, full))
                name = arena_strdup(arena, full);
            *ARENA_ADD(arena, row, made, alloc) =
                (struct permission_row){.name = name, .pattern = true};
        }
    }
    for (size_t i = 0; i < p->namespace_count; i++)
        *ARENA_ADD(arena, row, made, alloc) =
            (struct permission_row){.name = p->namespaces[i].pattern, .pattern = true};
    qsort(row, made, sizeof(*row), by_name);
    made = remove_duplicates(row, made);
    for (size_t i = 0; i < made; i++)
        for (size_t tool = 0; tool < PERMISSION_TOOLS; tool++)
            row[i].rule[tool] = permission_explain(p, agent, permission_tool[tool], row[i].name);
    *out = row;
    *rows = made;
}
