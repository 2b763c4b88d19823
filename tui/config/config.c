/* The table of settings, the reader that walks the YAML document by it, and the path of the file. */
#include "tui/config/config.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/pii/pii.h"
#include "store/mcp/tools/service.h"
#include "tui/config/config_rules.h"
#include "tui/text/match.h"

#define TODO "Correct that line or remove it; `stemma help config` shows every setting."

/*
 * Reads the events of libyaml. The recursion is no deeper than the schema: unexpected events are refused at once.
 * Aliases are refused too, because a configuration does not need them.
 *
 * All functions return -1 with an error that begins with file and line. The current event is the first event of a
 * value when its reader is called, and its last event when that returns.
 */
struct config_reading {
    yaml_parser_t parser;
    yaml_event_t event;
    struct config *c;
    struct arena *arena; /* for the strings that are read */
    int tool;            /* the tool whose grant is read */
    const char *name;    /* name of the file */
    struct error *e;
};

static size_t line_of(const struct config_reading *r)
{
    return r->event.start_mark.line + 1;
}

static int refuse(struct config_reading *r, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int refuse(struct config_reading *r, size_t line, const char *format, ...)
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

/* The index of a word, ignoring case (YAML accepts Yes, yes and YES). -1 if there is none. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcasecmp(words[i], word) == 0)
            return i;
    return -1;
}

/* ---- the schema: settings about agents ---- */

#define COUNT_MAX   9007199254740991 /* 2^53 - 1: exact in all JSON readers */
#define TTL_MAX     1000000000000    /* seconds; about 30,000 years */
#define CALLS_MAX   1000000          /* each call is stored for the length of the window */
#define SECONDS_MAX 31622400.0       /* a year */
#define UID_LARGEST 4294967294.0
#define NAME_MAX    40
#define REGEX_MAX   10000

#define COUNT_OF(array)  (sizeof(array) / sizeof((array)[0]))
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
    return refuse(
        r, line_of(r),
        "'%.80s' can match no namespace: a pattern is letters, digits, _ - . * and {self}, "
        "at most %d bytes, no dot first, last or next to another",
        pattern, NAMESPACE_PATTERN_MAX);
}

/* A policy is of a namespace, whoever calls. */
static int check_policy_pattern(struct config_reading *r, const char *of, const char *pattern,
                                size_t so_far)
{
    if (strstr(pattern, PATTERN_SELF))
        return refuse(r, line_of(r), "'%.80s': " PATTERN_SELF " stands in grants only", pattern);
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
    .type = SETTING_TOOLS, .members = &grant, .size = sizeof(struct grant), .begin = begin_grant

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
    return refuse(r, line, "'%.80s' takes %s", name, OWN_GRANTS);
}

static int note_uid(struct config_reading *r, const char *name, size_t line, void *base)
{
    (void)r;
    (void)name;
    (void)line;
    ((struct agent_grants *)base)->by_uid = true;
    return 0;
}

/* True if both grant their names to the same callers. */
static bool share_a_tie(const struct agent_grants *a, const struct agent_grants *b)
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
        return refuse(r, line, "'%.80s' takes %s", name, AGENT);
    for (size_t i = 0; i < p->agent_count; i++)
        if (&p->agents[i] != own && share_a_tie(&p->agents[i], own))
            return refuse(r, line, "'%.80s' has the socket, the token or the user of '%.80s'", name,
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
        return refuse(r, line_of(r), "'%s' is what all callers without a name are called", name);
    return refuse(
        r, line_of(r),
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
    {"uid", SETTING_WHOLE, AT(struct agent_grants, uid), .max = UID_LARGEST, .check = note_uid},
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
        return refuse(r, line, "'window_seconds' and 'window_calls' go together");
    if ((limit->per_second > 0) != (limit->burst > 0))
        return refuse(r, line, "'per_second' and 'burst' go together");
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
    .type = SETTING_TOOLS, .may_be_empty = true, .members = &rate,                                 \
    .size = sizeof(struct rate_limit), .takes = "tools with their rates"

/* The tool's rate in this namespace replaces the general one. */
static int begin_own_rate(struct config_reading *r, void *array, int tool)
{
    struct namespace_policy *policy =
        (void *)((char *)array - offsetof(struct namespace_policy, rate));
    policy->has_rate[tool] = true;
    if (tool != MEMORY_TOOL_CONTEXT && tool != MEMORY_TOOL_SEARCH)
        return 0;
    return refuse(r, line_of(r),
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
        return refuse(r, line_of(r), "'%.80s' cannot name a pattern: a-z, 0-9, _ and -, at most %d",
                      name, NAME_MAX);
    if (find_word(built_in, name) >= 0)
        return refuse(r, line_of(r), "'%s' is built in; give the pattern another name", name);
    if (so_far == PII_KINDS_MAX - PII_CUSTOM)
        return refuse(r, line_of(r), "there are more than %d patterns", PII_KINDS_MAX - PII_CUSTOM);
    return 0;
}

static int check_regex(struct config_reading *r, const char *name, size_t line, void *base)
{
    const struct pii_pattern *pattern = base;
    if (!pattern->pattern || strlen(pattern->pattern) > REGEX_MAX)
        return refuse(r, line, "'%s' takes a regular expression of 1 to %d bytes", name, REGEX_MAX);
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

static const struct setting mcp_parts[] = {
    {"tools", SETTING_BITS, AT(struct config, toolsets), .choices = toolset_names,
     .takes = "a list of sets of tools: " TOOLSET_NAMES},
    {"strict", SETTING_BOOL, AT(struct config, strict)},
    {"hide", SETTING_BITS, AT(struct config, permissions.hide), .choices = hidden_names,
     .takes = "a list of labels and statuses, as in [unsupported, retracted]"},
};

/* config_check validates the names of keys and actions. */
static int check_key(struct config_reading *r, const char *of, const char *key, size_t so_far)
{
    (void)so_far;
    return *key ? 0 : refuse(r, line_of(r), "a key of '%.80s' is empty", of);
}

static int note_line(struct config_reading *r, const char *name, size_t line, void *base)
{
    (void)r;
    (void)name;
    ((struct config_binding *)base)->line = (int)line;
    return 0;
}

static int note_theme(struct config_reading *r, const char *name, size_t line, void *base)
{
    (void)r;
    (void)name;
    ((struct config *)base)->theme_line = (int)line;
    return 0;
}

static const struct setting binding = {.type = SETTING_LIST,
                                       .or_one = true,
                                       AT(struct config_binding, keys),
                                       .count = offsetof(struct config_binding, count),
                                       .takes = "a key or a list of keys",
                                       .item = check_key,
                                       .check = note_line};

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

/* ---- the settings ---- */

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const asciis[] = {"auto", "yes", "no", NULL};
static const char *const orders[] = {"recorded", "created", "updated",   "confidence",
                                     "text",     "trust",   "retrieved", NULL};
static const char *const previews[] = {"auto", "right", "below", "off", NULL};
static const char *const graph_styles[] = {"auto", "lr", "lr-box", "tb", "tb-box", "outline", NULL};
static const char *const clipboards[] = {"auto", "osc52", "off", NULL};

#define MEMBER(member) .name = #member, .offset = offsetof(struct config, member)
/* config.yaml documents each setting. */
static const struct setting settings[] = {
    {MEMBER(actor), .type = SETTING_TEXT, .fallback = ""},
    {MEMBER(store), .type = SETTING_PATH, .fallback = ""},
    {MEMBER(theme), .type = SETTING_PATH, .fallback = "neutral", .check = note_theme},
    {MEMBER(color), .type = SETTING_CHOICE, .choices = colors, .fallback = "auto"},
    {MEMBER(ascii), .type = SETTING_CHOICE, .choices = asciis, .fallback = "auto"},
    {MEMBER(order), .type = SETTING_CHOICE, .choices = orders, .fallback = "recorded"},
    {MEMBER(preview), .type = SETTING_CHOICE, .choices = previews, .fallback = "auto"},
    {MEMBER(graph_style), .type = SETTING_CHOICE, .choices = graph_styles, .fallback = "auto"},
    {MEMBER(mouse), .type = SETTING_BOOL, .fallback = "no"},
    {MEMBER(listen), .type = SETTING_BOOL, .fallback = "yes"},
    {MEMBER(http_port), .type = SETTING_INT, .min = 0, .max = 65535, .fallback = "0"},
    {MEMBER(destructive_tools), .type = SETTING_BOOL, .fallback = "no"},
    {MEMBER(clipboard), .type = SETTING_CHOICE, .choices = clipboards, .fallback = "auto"},
    {MEMBER(escape_delay), .type = SETTING_INT, .min = 0, .max = 1000, .fallback = "25"},
    {MEMBER(hmac_key), .type = SETTING_PATH, .fallback = ""},
    {MEMBER(runtime_dir), .type = SETTING_PATH, .fallback = ""},
    {MEMBER(decay), .type = SETTING_BOOL, .fallback = "no"},
    {.name = "trust",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct config, trust),
     MEMBERS(trust_parts),
     .what = "part of trust",
     .takes = "cap, source_types and source_entities"},
    {.name = "keys",
     TABLE(config, keys, key_count, config_binding, binding),
     .takes = "actions with their keys"},
    {.name = "tool_permissions",
     GRANTS,
     AT(struct config, permissions.grant),
     .takes = "tools with their grants; {} grants nothing"},
    {.name = "agents",
     TABLE(config, permissions.agents, permissions.agent_count, agent_grants, agent),
     .takes = "agents with what is theirs",
     .item = check_agent_name},
    {.name = "namespaces",
     TABLE(config, permissions.namespaces, permissions.namespace_count, namespace_policy, policy),
     .takes = "patterns with their limits",
     .item = check_policy_pattern},
    {.name = "rate_limits", RATES, AT(struct config, permissions.rate)},
    {.name = "pii",
     .type = SETTING_MAP,
     .may_be_empty = true,
     AT(struct config, permissions),
     MEMBERS(pii_parts),
     .what = "part of pii",
     .takes = "mask and patterns"},
    {.name = "mcp",
     .type = SETTING_MAP,
     .may_be_empty = true,
     MEMBERS(mcp_parts),
     .what = "part of mcp",
     .takes = "tools, strict and hide"},
    {.name = "share", AT(struct config, permissions.share), .type = SETTING_BOOL, .fallback = "no"},
};
#define SETTINGS COUNT_OF(settings)

static const struct setting document = {
    .type = SETTING_MAP, MEMBERS(settings), .what = "setting", .takes = "settings"};

const struct setting *config_settings(size_t *count)
{
    *count = SETTINGS;
    return settings;
}

/* ---- single values ---- */

static const char *const *words_of(const struct setting *s)
{
    static const char *const bools[] = {"no", "yes", "false", "true", "off", "on", NULL};
    return s->choices ? s->choices : bools;
}

/* Finds the index of one of the setting's words. */
static int take_word(const struct setting *s, const char *value, int *index, struct error *e)
{
    const char *const *words = words_of(s);
    struct strbuf all = STRBUF_INIT;
    *index = find_word(words, value);
    if (*index >= 0)
        return 0;
    for (int i = 0; words[i]; i++)
        strbuf_addf(&all, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    error_set(e, ERROR_INVALID, TODO, "'%s' takes %s, not '%.80s'", s->name, all.buf, value);
    strbuf_release(&all);
    return -1;
}

static int take_whole(const struct setting *s, const char *value, int64_t *out, struct error *e)
{
    errno = 0;
    bool digits = *value && !value[strspn(value, "0123456789")];
    *out = digits ? strtoll(value, NULL, 10) : -1;
    if (digits && !errno && *out >= (int64_t)s->min && *out <= (int64_t)s->max)
        return 0;
    return error_set(e, ERROR_INVALID, TODO,
                     "'%s' takes a whole number from %.0f to %.0f, not '%.80s'", s->name, s->min,
                     s->max, value);
}

/* Only digits and a point: other forms that strtod accepts (0x1p3, nan, inf, 1e9) are mistakes here. */
static int take_real(const struct setting *s, const char *name, const char *value, double *out,
                     struct error *e)
{
    char *end = NULL;
    bool unit = s->type == SETTING_UNIT;
    bool decimal = *value && !value[strspn(value, "0123456789.")];
    double number = decimal ? strtod(value, &end) : 0;
    if (decimal && !*end && (unit ? number <= 1 : number > 0 && number <= s->max)) {
        *out = number;
        return 0;
    }
    if (unit)
        return error_set(e, ERROR_INVALID, TODO, "'%.80s' takes a number from 0 to 1, not '%.80s'",
                         name, value);
    return error_set(e, ERROR_INVALID, TODO,
                     "'%s' takes a number above 0 and up to %.0f, not '%.80s'", s->name, s->max,
                     value);
}

/* Copies the text to the arena, with `~/` expanded in a path. "" gives the default, which may be NULL. */
static const char *take_text(const struct setting *s, const char *value, struct arena *arena)
{
    const char *home = getenv("HOME");
    struct strbuf path = STRBUF_INIT;
    if (!*value || value == s->fallback)
        return *s->fallback ? s->fallback : NULL;
    if (s->type == SETTING_PATH && strncmp(value, "~/", 2) == 0 && home) {
        strbuf_addstr(&path, home);
        value++;
    }
    strbuf_addstr(&path, value);
    const char *text = path.len ? arena_strdup(arena, path.buf) : NULL;
    strbuf_release(&path);
    return text;
}

/* Sets a member from its text, both for defaults and for values from a file. */
static int assign(const struct setting *s, const char *name, void *base, struct arena *arena,
                  const char *value, struct error *e)
{
    void *member = (char *)base + s->offset;
    int64_t whole = 0;
    int index = 0, result = 0;
    switch (s->type) {
    case SETTING_CHOICE:
    case SETTING_BOOL:
        result = take_word(s, value, &index, e);
        if (!result && s->type == SETTING_BOOL)
            *(bool *)member = index % 2;
        else if (!result)
            *(int *)member = index;
        return result;
    case SETTING_INT:
    case SETTING_WHOLE:
        result = take_whole(s, value, &whole, e);
        if (!result && s->type == SETTING_INT)
            *(int *)member = (int)whole;
        else if (!result)
            *(int64_t *)member = whole;
        return result;
    case SETTING_REAL:
    case SETTING_UNIT:
        return take_real(s, name, value, member, e);
    default:
        *(const char **)member = take_text(s, value, arena);
        return 0;
    }
}

void config_init(struct config *c)
{
    struct error none;
    *c = (struct config){.trust = trust_defaults, .arena = ARENA_INIT};
    permissions_init(&c->permissions);
    for (size_t i = 0; i < SETTINGS; i++)
        if (!SETTING_IS_PART(settings[i].type))
            assign(&settings[i], settings[i].name, c, &c->arena, settings[i].fallback, &none);
}

void config_release(struct config *c)
{
    permissions_release(&c->permissions);
    arena_release(&c->arena);
}

/* ---- walking the document ---- */

/* libyaml reports an invalid character by its byte offset, so the line is counted here. */
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

static int advance(struct config_reading *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    memset(&r->event, 0, sizeof(r->event));
    return refuse(r, broken_line(&r->parser), "this is not YAML: %s",
                  r->parser.problem ? r->parser.problem : "no reason given");
}

/* True for an empty value, `null` or `~`. */
static bool is_empty(const struct config_reading *r)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return false;
    const char *value = (const char *)r->event.data.scalar.value;
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return !*value || (plain && (strcmp(value, "null") == 0 || strcmp(value, "~") == 0));
}

/* The text of a single value, valid until the next event; "" if empty. NULL with an error if it is not a single
 * value. */
static const char *scalar(struct config_reading *r, const char *of)
{
    const char *value = (const char *)r->event.data.scalar.value;
    if (r->event.type == YAML_ALIAS_EVENT)
        refuse(r, line_of(r), "%s takes a single value, no alias; quote what begins with *", of);
    else if (r->event.type != YAML_SCALAR_EVENT)
        refuse(r, line_of(r), "%s takes a single value", of);
    else if (strlen(value) != r->event.data.scalar.length)
        refuse(r, line_of(r), "%s has a NUL in it", of);
    else
        return is_empty(r) ? "" : value;
    return NULL;
}

/* Appends a zeroed element to an array in the arena. The array doubles when the number is a power of two. */
static void *append(struct arena *arena, void *array, size_t *count, size_t size)
{
    char **elements = array;
    size_t n = (*count)++;
    if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
        char *grown = arena_array(arena, n ? 2 * n : 4, size);
        if (n)
            memcpy(grown, *elements, n * size);
        *elements = grown;
    }
    return *elements + n * size;
}

static int read_value(struct config_reading *r, const struct setting *s, const char *name,
                      size_t line, void *base);

/* Reads an item of a list: sets the bit of a word, or appends a string. */
static int read_item(struct config_reading *r, const struct setting *s, const char *name,
                     void *base)
{
    char *at = base;
    size_t *count = (size_t *)(void *)(at + s->count);
    const char *value = scalar(r, name);
    int bit;
    if (!value)
        return -1;
    if (s->type == SETTING_BITS) {
        if (take_word(s, value, &bit, r->e))
            return error_prefix(r->e, "%s line %zu", r->name, line_of(r));
        *(unsigned *)(void *)(at + s->offset) |= 1U << bit;
        return 0;
    }
    if (s->item(r, name, value, *count))
        return -1;
    const char **place = append(r->arena, at + s->offset, count, sizeof(*place));
    *place = arena_strdup(r->arena, value);
    return 0;
}

static int read_list(struct config_reading *r, const struct setting *s, const char *name,
                     void *base)
{
    if (s->or_one && r->event.type == YAML_SCALAR_EVENT)
        return read_item(r, s, name, base);
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return refuse(r, line_of(r), "'%.80s' takes %s", name, s->takes);
    while (!advance(r)) {
        if (r->event.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        if (read_item(r, s, name, base))
            return -1;
    }
    return -1;
}

/* Reports an unknown name, and suggests one of the `count` names, `stride` bytes apart. */
static int refuse_unknown(struct config_reading *r, const char *what, const char *name,
                          const char *const *names, size_t count, size_t stride)
{
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < count; i++)
        suggest_consider(&near,
                         *(const char *const *)(const void *)((const char *)names + i * stride));
    if (!near.name)
        return refuse(r, line_of(r), "there is no %s '%.80s'", what, name);
    return refuse(r, line_of(r), "there is no %s '%.80s'; did you mean '%s'?", what, name,
                  near.name);
}

/* The setting of a name in a mapping, and the base of its member. */
struct place {
    const struct setting *setting;
    void *base;
};

static int find_member(struct config_reading *r, const struct setting *s, const char *name,
                       void *member, struct place *out)
{
    for (size_t i = 0; i < s->member_count; i++) {
        const struct setting *m = &s->members[i];
        if (strcmp(m->name, name) != 0)
            continue;
        *out = (struct place){m, member};
        if (!m->tools || (m->tools >> r->tool & 1))
            return 0;
        return refuse(r, line_of(r), "a grant of %s has no '%s'",
                      memory_tool_name((enum memory_tool)r->tool), name);
    }
    return refuse_unknown(r, s->what, name, &s->members[0].name, s->member_count,
                          sizeof(s->members[0]));
}

static int tools_of(const struct setting *s)
{
    return s->members == &rate ? MEMORY_RATES : MEMORY_TOOL_COUNT;
}

static int find_tool(struct config_reading *r, const struct setting *s, const char *name,
                     void *member, struct place *out)
{
    const char *names[MEMORY_RATES];
    int tool = -1, count = tools_of(s);
    for (int t = 0; t < count; t++) {
        names[t] = memory_tool_name((enum memory_tool)t);
        tool = strcmp(names[t], name) == 0 ? t : tool;
    }
    if (tool < 0)
        return refuse_unknown(r, "memory tool", name, names, (size_t)count, sizeof(names[0]));
    *out = (struct place){s->members, (char *)member + (size_t)tool * s->size};
    return s->begin ? s->begin(r, member, tool) : 0;
}

static int add_element(struct config_reading *r, const struct setting *s, const char *name,
                       void *base, struct place *out)
{
    char *at = base;
    size_t *count = (size_t *)(void *)(at + s->count);
    if (s->item && s->item(r, s->name, name, *count))
        return -1;
    *out = (struct place){s->members, append(r->arena, at + s->offset, count, s->size)};
    *(const char **)out->base = arena_strdup(r->arena, name);
    return 0;
}

static int find_place(struct config_reading *r, const struct setting *s, const char *name,
                      void *base, struct place *out)
{
    void *member = (char *)base + s->offset;
    return s->type == SETTING_MAP     ? find_member(r, s, name, member, out)
           : s->type == SETTING_TOOLS ? find_tool(r, s, name, member, out)
                                      : add_element(r, s, name, base, out);
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Copies the name in the current event. Returns NULL with an error if it is empty or occurs twice in the mapping. */
static const char *new_name(struct config_reading *r, const char *of, void **seen)
{
    const char *name = scalar(r, of);
    if (!name)
        return NULL;
    if (!*name) {
        refuse(r, line_of(r), "a name in '%.80s' is empty", of);
        return NULL;
    }
    char *kept = arena_strdup(&r->c->arena, name);
    char **found = tsearch(kept, seen, compare);
    if (found && *found == kept)
        return kept;
    refuse(r, line_of(r), "'%.80s' occurs twice here", name);
    return NULL;
}

static int read_entry(struct config_reading *r, const struct setting *s, const char *name,
                      void *base)
{
    struct place place = {NULL, NULL};
    size_t line = line_of(r);
    return find_place(r, s, name, base, &place) || !place.setting || advance(r)
               ? -1
               : read_value(r, place.setting, name, line, place.base);
}

static int read_mapping(struct config_reading *r, const struct setting *s, const char *of,
                        void *base)
{
    void *seen = NULL;
    int result = -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return refuse(r, line_of(r), "'%.80s' takes %s", of, s->takes);
    if (s->type == SETTING_TOOLS) /* the new grants replace all earlier ones */
        memset((char *)base + s->offset, 0, (size_t)tools_of(s) * s->size);
    while (!advance(r)) {
        if (r->event.type == YAML_MAPPING_END_EVENT) {
            result = 0;
            break;
        }
        const char *name = new_name(r, of, &seen);
        if (!name || read_entry(r, s, name, base))
            break;
    }
    while (seen) /* the names belong to the arena */
        tdelete(*(char **)seen, &seen, compare);
    return result;
}

/* The arena that is released together with the setting's member. */
static struct arena *arena_for(struct config *c, const struct setting *s)
{
    bool permission = s->offset >= offsetof(struct config, permissions) &&
                      s->offset < offsetof(struct config, permissions) + sizeof(c->permissions);
    return permission ? &c->permissions.arena : &c->arena;
}

/* Reads the value of a setting or of a part of it; `name` is its name in the document, at `line`. */
static int read_value(struct config_reading *r, const struct setting *s, const char *name,
                      size_t line, void *base)
{
    int result = 0;
    if (base == r->c)
        r->arena = arena_for(r->c, s);
    if (s->may_be_empty && is_empty(r))
        return 0;
    if (s->type == SETTING_BITS || s->type == SETTING_LIST)
        result = read_list(r, s, name, base);
    else if (SETTING_IS_PART(s->type))
        result = read_mapping(r, s, name, base);
    else {
        const char *value = scalar(r, name);
        if (!value)
            return -1;
        if (assign(s, name, base, r->arena, value, r->e))
            return error_prefix(r->e, "%s line %zu", r->name, line_of(r));
    }
    return result ? -1 : s->check ? s->check(r, name, line, base) : 0;
}

/* Reads one document that is a mapping, or nothing. */
static int read_document(struct config_reading *r)
{
    if (advance(r) || advance(r)) /* start of the stream and of the document */
        return -1;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return 0; /* only comments */
    if (advance(r))
        return -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return refuse(r, line_of(r), "settings are lines of 'name: value'");
    if (read_value(r, &document, "the configuration", 1, r->c))
        return -1;
    if (advance(r) || advance(r)) /* end of the document and of the stream */
        return -1;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return refuse(r, line_of(r), "a second document begins here");
    return 0;
}

int config_parse(struct config *c, const char *name, const char *text, size_t len, struct error *e)
{
    struct config_reading r = {.c = c, .name = name, .e = e};
    if (!yaml_parser_initialize(&r.parser))
        alloc_fail();
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    int failed = read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return failed;
}

/* ---- files ---- */

/* The default path; empty if HOME is not set. */
static void default_path(struct strbuf *out)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base && *base == '/')
        strbuf_addf(out, "%s/stemma/config.yaml", base);
    else if (home && *home)
        strbuf_addf(out, "%s/.config/stemma/config.yaml", home);
}

int config_load(struct config *c, const char *path, struct error *e)
{
    struct strbuf where = STRBUF_INIT, text = STRBUF_INIT;
    int result = 0;
    config_init(c);
    if (path)
        strbuf_addstr(&where, path);
    else
        default_path(&where);
    if (where.len > 0) {
        c->place = arena_strdup(&c->arena, where.buf);
        result = config_file_read(where.buf, &text, &c->file, e);
    }
    if (result == 0 && where.len > 0) {
        c->path = c->place;
        result = config_parse(c, where.buf, text.buf, text.len, e);
    } else if (result > 0 && path) {
        result = error_set(e, ERROR_STORE, "Give the path of a configuration, or omit --config.",
                           "there is no file %s", path);
    }
    strbuf_release(&where);
    strbuf_release(&text);
    return result < 0 ? -1 : 0;
}

int config_check_patterns(const struct config *c, struct error *e)
{
    const struct permissions *p = &c->permissions;
    for (size_t i = 0; i < p->pattern_count; i++) {
        struct pii *one = pii_new(&p->patterns[i], 1, e);
        if (!one && e->code == ERROR_INVALID)
            return error_prefix(e, "%s line %d", c->path, c->pattern_line[i]);
        if (!one)
            return -1;
        pii_free(one);
    }
    return 0;
}
