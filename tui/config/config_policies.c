/* What namespaces are held to, how often tools may be called, and what is personal data. */
#include "tui/config/config_parts.h"

#include "model/pii/pii.h"

#define COUNT_MAX   9007199254740991 /* 2^53 - 1: what JSON's readers agree on */
#define CALLS_MAX   1000000          /* each is remembered as long as the window is */
#define SECONDS_MAX 31622400.0       /* a year */
#define NAME_MAX    40
#define REGEX_MAX   10000

/* A member that is read by its name. */
struct part {
    const char *name;
    int (*read)(struct config_reading *r, void *into);
};

static int read_part(struct config_reading *r, const char *what, const char *name,
                     const struct part *parts, size_t count, void *into)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].name, name) == 0)
            return config_advance(r) ? -1 : parts[i].read(r, into);
    return config_unknown(r, what, name, &parts[0].name, count, sizeof(parts[0]));
}
#define READ_PART(r, what, name, parts, into)                                                      \
    read_part((r), (what), (name), (parts), sizeof(parts) / sizeof((parts)[0]), (into))

/* ---- rates ---- */

struct tool_rates {
    bool of_namespace; /* where it is read for */
    struct rate_limit rate[MEMORY_TOOL_COUNT];
    bool given[MEMORY_TOOL_COUNT];
};

static int read_window_seconds(struct config_reading *r, void *into)
{
    struct rate_limit *limit = into;
    return config_real(r, "window_seconds", SECONDS_MAX, &limit->window_seconds);
}

static int read_window_calls(struct config_reading *r, void *into)
{
    struct rate_limit *limit = into;
    return config_whole(r, "window_calls", 1, CALLS_MAX, &limit->window_calls);
}

static int read_per_second(struct config_reading *r, void *into)
{
    struct rate_limit *limit = into;
    return config_real(r, "per_second", CALLS_MAX, &limit->per_second);
}

static int read_burst(struct config_reading *r, void *into)
{
    struct rate_limit *limit = into;
    return config_whole(r, "burst", 1, CALLS_MAX, &limit->burst);
}

static int read_limit_part(struct config_reading *r, const char *name, void *into)
{
    static const struct part parts[] = {{"window_seconds", read_window_seconds},
                                        {"window_calls", read_window_calls},
                                        {"per_second", read_per_second},
                                        {"burst", read_burst}};
    return READ_PART(r, "part of a rate", name, parts, into);
}

/* A window without its calls, or a bucket without its size, would limit nothing. */
static int check_limit(struct config_reading *r, size_t line, const struct rate_limit *limit)
{
    if ((limit->window_seconds > 0) != (limit->window_calls > 0))
        return config_fail(r, line, "'window_seconds' and 'window_calls' go together");
    if ((limit->per_second > 0) != (limit->burst > 0))
        return config_fail(r, line, "'per_second' and 'burst' go together");
    return 0;
}

static int read_limit(struct config_reading *r, const char *name, void *into)
{
    struct tool_rates *rates = into;
    size_t line = config_line(r);
    int tool = config_tool(r, name);
    if (tool == MEMORY_TOOL_CONTEXT && rates->of_namespace)
        return config_fail(r, line,
                           "getContext has no namespace: its rate stands in the general "
                           "'rate_limits'");
    if (tool < 0 || config_advance(r))
        return -1;
    struct rate_limit *limit = &rates->rate[tool];
    rates->given[tool] = true;
    if (config_each(r, name, "a rate; {} is no limit", read_limit_part, limit))
        return -1;
    return check_limit(r, line, limit);
}

static int read_rates(struct config_reading *r, struct tool_rates *out)
{
    if (config_is_empty(r))
        return 0;
    return config_each(r, "rate_limits", "tools with their rates", read_limit, out);
}

int config_read_rates(struct config_reading *r)
{
    struct tool_rates rates = {.of_namespace = false};
    if (read_rates(r, &rates))
        return -1;
    memcpy(r->c->permissions.rate, rates.rate, sizeof(rates.rate));
    return 0;
}

/* ---- namespaces ---- */

static int read_pii_policy(struct config_reading *r, void *into)
{
    static const char *const words[] = {"mask", "refuse", "off", NULL}; /* enum pii_policy */
    struct namespace_policy *policy = into;
    int chosen;
    if (config_choice(r, "pii", words, &chosen))
        return -1;
    policy->pii = (enum pii_policy)chosen;
    return 0;
}

static int read_max_items(struct config_reading *r, void *into)
{
    struct namespace_policy *policy = into;
    return config_whole(r, "max_items", 0, COUNT_MAX, &policy->max_items);
}

static int read_max_bytes(struct config_reading *r, void *into)
{
    struct namespace_policy *policy = into;
    return config_whole(r, "max_bytes", 0, COUNT_MAX, &policy->max_bytes);
}

/* The second of two words sets the flag. */
static int read_second(struct config_reading *r, const char *of, const char *const *words,
                       bool *flag)
{
    int chosen;
    if (config_choice(r, of, words, &chosen))
        return -1;
    *flag = chosen == 1;
    return 0;
}

static int read_evict(struct config_reading *r, void *into)
{
    static const char *const words[] = {"no", "oldest", NULL};
    struct namespace_policy *policy = into;
    return read_second(r, "evict", words, &policy->evict_oldest);
}

static int read_consistency(struct config_reading *r, void *into)
{
    static const char *const words[] = {"eventual", "strong", NULL};
    struct namespace_policy *policy = into;
    return read_second(r, "consistency", words, &policy->strong);
}

static int read_policy_rates(struct config_reading *r, void *into)
{
    struct namespace_policy *policy = into;
    struct tool_rates rates = {.of_namespace = true};
    if (read_rates(r, &rates))
        return -1;
    memcpy(policy->rate, rates.rate, sizeof(rates.rate));
    memcpy(policy->has_rate, rates.given, sizeof(rates.given));
    return 0;
}

static int read_policy_part(struct config_reading *r, const char *name, void *into)
{
    static const struct part parts[] = {
        {"pii", read_pii_policy},          {"max_items", read_max_items},
        {"max_bytes", read_max_bytes},     {"evict", read_evict},
        {"consistency", read_consistency}, {"rate_limits", read_policy_rates}};
    return READ_PART(r, "part of a namespace", name, parts, into);
}

static int read_policy(struct config_reading *r, const char *pattern, void *into)
{
    struct arena *arena = &r->c->permissions.arena;
    if (config_pattern(r, pattern))
        return -1;
    struct namespace_policy *policy = config_append(r, arena, into);
    if (!policy)
        return -1;
    policy->pattern = arena_strdup(arena, pattern);
    if (!policy->pattern)
        return config_no_memory(r, "a namespace");
    return config_advance(r) ? -1
                             : config_each(r, pattern, "what it is held to, as in {pii: refuse}",
                                           read_policy_part, policy);
}

int config_read_namespaces(struct config_reading *r)
{
    struct permissions *p = &r->c->permissions;
    void *policies = NULL;
    struct config_array all = {&policies, &p->namespace_count, 0, sizeof(*p->namespaces)};
    if (config_is_empty(r))
        return 0;
    int failed =
        config_each(r, "namespaces", "patterns with what they are held to", read_policy, &all);
    p->namespaces = policies;
    return failed;
}

/* ---- personal data ---- */

static int check_pattern_name(struct config_reading *r, const char *name)
{
    static const char *const built_in[] = {"email", "phone", "ssn", "card", "secret", NULL};
    if (strlen(name) > NAME_MAX || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")])
        return config_fail(r, config_line(r),
                           "'%.80s' cannot name a pattern: a-z, 0-9, _ and -, at most %d", name,
                           NAME_MAX);
    if (config_word(built_in, name) >= 0)
        return config_fail(r, config_line(r), "'%s' is built in; give the pattern another name",
                           name);
    return 0;
}

static int read_pattern(struct config_reading *r, const char *name, void *into)
{
    struct permissions *p = &r->c->permissions;
    struct config_array *all = into;
    if (check_pattern_name(r, name))
        return -1;
    if (*all->count == PII_KINDS_MAX - PII_CUSTOM)
        return config_fail(r, config_line(r), "there are more than %d patterns",
                           PII_KINDS_MAX - PII_CUSTOM);
    struct pii_pattern *pattern = config_append(r, &p->arena, all);
    if (!pattern || config_advance(r))
        return -1;
    const char *regex = config_scalar(r, name);
    if (!regex)
        return -1;
    if (!*regex || strlen(regex) > REGEX_MAX)
        return config_fail(r, config_line(r), "'%s' takes a regular expression of 1 to %d bytes",
                           name, REGEX_MAX);
    r->c->pattern_line[*all->count - 1] = (int)config_line(r);
    pattern->name = arena_strdup(&p->arena, name);
    pattern->pattern = arena_strdup(&p->arena, regex);
    return pattern->name && pattern->pattern ? 0 : config_no_memory(r, "a pattern");
}

static int read_patterns(struct config_reading *r, void *into)
{
    struct permissions *p = into;
    void *patterns = NULL;
    struct config_array all = {&patterns, &p->pattern_count, 0, sizeof(*p->patterns)};
    if (config_is_empty(r))
        return 0;
    int failed = config_each(r, "patterns", "names with regular expressions", read_pattern, &all);
    p->patterns = patterns;
    return failed;
}

static int read_mask(struct config_reading *r, void *into)
{
    struct permissions *p = into;
    return config_yes(r, "mask", &p->mask);
}

static int read_pii_part(struct config_reading *r, const char *name, void *into)
{
    static const struct part parts[] = {{"mask", read_mask}, {"patterns", read_patterns}};
    return READ_PART(r, "part of pii", name, parts, into);
}

int config_read_pii(struct config_reading *r)
{
    if (config_is_empty(r))
        return 0;
    return config_each(r, "pii", "mask and patterns", read_pii_part, &r->c->permissions);
}
