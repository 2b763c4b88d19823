#include "tui/config/config_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/pii/pii.h"
#include "tui/config/config_parts.h"
#include "tui/text/suggest.h"

#define TODO "Correct that line or remove it; `stemma help config` shows every setting."

const char *const config_bools[] = {"no", "yes", "false", "true", "off", "on", NULL};

/* ---- what is wrong ---- */

static int config_fail(struct config_reading *r, size_t line, const char *format, ...)
{
    struct strbuf what = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&what, format, args);
    va_end(args);
    error_set(r->e, ERROR_INVALID, TODO, "%s", what.buf);
    strbuf_release(&what);
    return error_prefix(r->e, "%s line %zu", r->name, line);
}

static int config_no_memory(struct config_reading *r, const char *what)
{
    return error_set(r->e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for %.80s", what);
}

int config_unknown(struct config_reading *r, const char *what, const char *name,
                   const char *const *names, size_t count, size_t stride)
{
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < count; i++)
        suggest_consider(&near, *(const char *const *)((const char *)names + i * stride));
    if (!near.name)
        return config_fail(r, config_line(r), "there is no %s '%.80s'", what, name);
    return config_fail(r, config_line(r), "there is no %s '%.80s'; did you mean '%s'?", what, name,
                       near.name);
}

size_t config_line(const struct config_reading *r)
{
    return r->event.start_mark.line + 1;
}

/* A broken character is reported by its byte, so its line is counted here. */
static size_t broken_line(const yaml_parser_t *p)
{
    size_t line = p->problem_mark.line;
    if (p->error == YAML_READER_ERROR) {
        const char *end = (const char *)p->input.string.start + p->problem_offset;
        line = 0;
        for (const char *s = (const char *)p->input.string.start; s < end; s++)
            line += *s == '\n';
    }
    return line + 1;
}

int config_advance(struct config_reading *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    memset(&r->event, 0, sizeof(r->event));
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return config_no_memory(r, r->name);
    return config_fail(r, broken_line(p), "this is not YAML: %s",
                       p->problem ? p->problem : "no reason given");
}

/* ---- single values ---- */

static bool is_plain(const struct config_reading *r)
{
    return r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* Is nothing said there, or `null`, or `~`? */
static bool config_is_empty(const struct config_reading *r)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return false;
    const char *value = (const char *)r->event.data.scalar.value;
    return !*value || (is_plain(r) && (strcmp(value, "null") == 0 || strcmp(value, "~") == 0));
}

const char *config_scalar(struct config_reading *r, const char *of)
{
    if (r->event.type == YAML_ALIAS_EVENT) {
        config_fail(r, config_line(r),
                    "%s takes a single value, no alias; quote what begins with *", of);
        return NULL;
    }
    if (r->event.type != YAML_SCALAR_EVENT) {
        config_fail(r, config_line(r), "%s takes a single value", of);
        return NULL;
    }
    const char *value = (const char *)r->event.data.scalar.value;
    if (strlen(value) != r->event.data.scalar.length) {
        config_fail(r, config_line(r), "%s has a NUL in it", of);
        return NULL;
    }
    return config_is_empty(r) ? "" : value;
}

int config_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcasecmp(words[i], word) == 0)
            return i;
    return -1;
}

void config_add_words(struct strbuf *out, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        strbuf_addf(out, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

/* One of the words, of which NULL is the last, whatever its case. */
static int config_choice(struct config_reading *r, const char *of, const char *const *words,
                         int *out)
{
    struct strbuf all = STRBUF_INIT;
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    *out = config_word(words, value);
    if (*out >= 0)
        return 0;
    config_add_words(&all, words);
    config_fail(r, config_line(r), "'%s' takes %s, not '%.80s'", of, all.buf, value);
    strbuf_release(&all);
    return -1;
}

static int config_yes(struct config_reading *r, const char *of, bool *out)
{
    int index;
    if (config_choice(r, of, config_bools, &index))
        return -1;
    *out = index % 2;
    return 0;
}

static int config_whole(struct config_reading *r, const char *of, int64_t min, int64_t max,
                        int64_t *out)
{
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    errno = 0;
    bool digits = *value && !value[strspn(value, "0123456789")];
    *out = digits ? strtoll(value, NULL, 10) : -1;
    if (digits && !errno && *out >= min && *out <= max)
        return 0;
    return config_fail(r, config_line(r),
                       "'%s' takes a whole number from %" PRId64 " to %" PRId64 ", not '%.80s'", of,
                       min, max, value);
}

/* Digits and a point: what strtod reads besides (0x1p3, nan, inf, 1e9) nobody means here. */
static int config_real(struct config_reading *r, const char *of, double max, double *out)
{
    char *end = NULL;
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    bool decimal = *value && !value[strspn(value, "0123456789.")];
    *out = decimal ? strtod(value, &end) : 0;
    if (decimal && !*end && *out > 0 && *out <= max)
        return 0;
    return config_fail(r, config_line(r), "'%s' takes a number above 0 and up to %.0f, not '%.80s'",
                       of, max, value);
}

/* ---- lists and mappings ---- */

static void *config_append(struct config_reading *r, struct arena *arena, struct config_array *a)
{
    if (*a->count == a->room) {
        size_t wanted = a->room ? a->room * 2 : 4;
        char *grown = arena_array(arena, wanted, a->size);
        if (!grown) {
            config_no_memory(r, r->name);
            return NULL;
        }
        if (*a->count)
            memcpy(grown, *a->elements, *a->count * a->size);
        *a->elements = grown;
        a->room = wanted;
    }
    return (char *)*a->elements + (*a->count)++ * a->size;
}

/* A list of single values: calls `entry` with each. */
static int config_list(struct config_reading *r, const char *of, const char *takes,
                       config_entry *entry, void *into)
{
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return config_fail(r, config_line(r), "'%.80s' takes %s", of, takes);
    while (!config_advance(r)) {
        if (r->event.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        const char *value = config_scalar(r, of);
        if (!value || entry(r, value, into))
            return -1;
    }
    return -1;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Nothing is freed with the tree: names are the arena's. */
static void keep(void *name)
{
    (void)name;
}

/* The name that is the event, kept, and new among those seen. */
static const char *new_name(struct config_reading *r, const char *of, void **seen)
{
    const char *name = config_scalar(r, of);
    if (!name)
        return NULL;
    if (!*name) {
        config_fail(r, config_line(r), "a name in '%.80s' is empty", of);
        return NULL;
    }
    char *kept = arena_strdup(&r->c->arena, name);
    char **found = kept ? tsearch(kept, seen, compare) : NULL;
    if (!found)
        config_no_memory(r, r->name);
    else if (*found != kept)
        config_fail(r, config_line(r), "'%.80s' stands here a second time", name);
    return found && *found == kept ? kept : NULL;
}

/*
 * A mapping: calls `entry` at each name, which stays the configuration's; the value is then one config_advance
 * away. A name that stands there twice is refused. `of` is whose mapping it is, `takes` what would be right.
 */
static int config_each(struct config_reading *r, const char *of, const char *takes,
                       config_entry *entry, void *into)
{
    void *seen = NULL;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return config_fail(r, config_line(r), "'%.80s' takes %s", of, takes);
    int result = -1;
    while (!config_advance(r)) {
        if (r->event.type == YAML_MAPPING_END_EVENT) {
            result = 0;
            break;
        }
        const char *name = new_name(r, of, &seen);
        if (!name || entry(r, name, into))
            break;
    }
    tdestroy(seen, keep);
    return result;
}

int config_read_document(struct config_reading *r, config_entry *entry)
{
    if (config_advance(r) || config_advance(r)) /* the stream, the document */
        return -1;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return 0; /* comments alone */
    if (config_advance(r))
        return -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return config_fail(r, config_line(r), "settings are lines of 'name: value'");
    if (config_each(r, "the configuration", "settings", entry, NULL))
        return -1;
    if (config_advance(r) || config_advance(r)) /* the document's end, the stream's */
        return -1;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return config_fail(r, config_line(r), "a second document begins here");
    return 0;
}

/* The keys of a person's own. Which actions and keys there are config_check knows. */

/* Of an action: the array that grows, and whose it is. */
struct binding {
    const char *action;
    struct config_array keys;
};

static int add_key(struct config_reading *r, const char *key, void *into)
{
    struct binding *b = into;
    if (!*key)
        return config_fail(r, config_line(r), "a key of '%.80s' is empty", b->action);
    const char **place = config_append(r, &r->c->arena, &b->keys);
    if (!place)
        return -1;
    *place = arena_strdup(&r->c->arena, key);
    return *place ? 0 : config_no_memory(r, "a key");
}

static int read_binding(struct config_reading *r, const char *action, void *into)
{
    struct config_array *all = into;
    struct config_binding *b = config_append(r, &r->c->arena, all);
    if (!b)
        return -1;
    *b = (struct config_binding){.action = action, .line = (int)config_line(r)};
    void *keys = NULL;
    struct binding binding = {action, {&keys, &b->count, 0, sizeof(const char *)}};
    if (config_advance(r))
        return -1;
    int failed;
    if (r->event.type == YAML_SCALAR_EVENT) {
        const char *key = config_scalar(r, action);
        failed = key ? add_key(r, key, &binding) : -1;
    } else {
        failed = config_list(r, action, "a key or a list of keys", add_key, &binding);
    }
    b->keys = keys;
    return failed;
}

int config_read_keys(struct config_reading *r)
{
    void *keys = NULL;
    struct config_array all = {&keys, &r->c->key_count, 0, sizeof(struct config_binding)};
    if (config_is_empty(r))
        return 0;
    int failed = config_each(r, "keys", "actions with their keys", read_binding, &all);
    r->c->keys = keys;
    return failed;
}

/* tool_permissions: what each tool may do, for everybody and for single agents. */

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
} grant_parts[] = {
    {"allowed_namespaces", OF(LIST) | OF(PUT) | OF(GET) | OF(DELETE), read_namespaces},
    {"allowed_context_types", OF(CONTEXT), read_contexts},
    {"operations", OF(LIST) | OF(CONTEXT) | OF(PUT) | OF(GET) | OF(DELETE), read_operations},
    {"max_ttl_seconds", OF(PUT), read_ttl},
};
#define PARTS (sizeof(grant_parts) / sizeof(grant_parts[0]))

static int read_part(struct config_reading *r, const char *name, void *into)
{
    struct granting *g = into;
    size_t i = 0;
    while (i < PARTS && strcmp(grant_parts[i].name, name) != 0)
        i++;
    if (i == PARTS)
        return config_unknown(r, "part of a grant", name, &grant_parts[0].name, PARTS,
                              sizeof(grant_parts[0]));
    if (!(grant_parts[i].tools >> g->tool & 1))
        return config_fail(r, config_line(r), "a grant of %s has no '%s'",
                           memory_tool_name(g->tool), name);
    return config_advance(r) ? -1 : grant_parts[i].read(r, g->grant);
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

/* What namespaces are held to, how often tools may be called, and what is personal data. */

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

static int config_policies_read_part(struct config_reading *r, const char *what, const char *name,
                                     const struct part *parts, size_t count, void *into)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].name, name) == 0)
            return config_advance(r) ? -1 : parts[i].read(r, into);
    return config_unknown(r, what, name, &parts[0].name, count, sizeof(parts[0]));
}
#define READ_PART(r, what, name, parts, into)                                                      \
    config_policies_read_part((r), (what), (name), (parts), sizeof(parts) / sizeof((parts)[0]),    \
                              (into))

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
