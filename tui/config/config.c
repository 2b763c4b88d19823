/* The table of settings, single values, and where the file is looked for. */
#include "tui/config/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/config/config_file.h"
#include "tui/config/config_parts.h"

#define TODO "Correct that line or remove it; `stemma help config` shows every setting."

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const asciis[] = {"auto", "yes", "no", NULL};
static const char *const orders[] = {"recorded", "created", "updated", "confidence", "text", NULL};
static const char *const previews[] = {"auto", "right", "below", "off", NULL};
static const char *const graph_styles[] = {"auto", "lr", "lr-box", "tb", "tb-box", "outline", NULL};
static const char *const clipboards[] = {"auto", "osc52", "off", NULL};

#define PART(part, reader, shown, told)                                                            \
    {                                                                                              \
        .name = #part, .type = SETTING_PART, .read = (reader), .fallback = (shown),                \
        .about = (told)                                                                            \
    }
#define MEMBER(member) .name = #member, .offset = offsetof(struct config, member)
static const struct setting settings[] = {
    {MEMBER(actor), .type = SETTING_TEXT, .fallback = "",
     .about = "who you are in the journal; empty: your login name"},
    {MEMBER(store), .type = SETTING_PATH, .fallback = "",
     .about = "the store that opens where none is named; empty: ~/.local/share/stemma/memory.db"},
    {MEMBER(theme), .type = SETTING_PATH, .fallback = "neutral",
     .about = "colours: neutral, mono, or the path of a theme file"},
    {MEMBER(color), .type = SETTING_CHOICE, .choices = colors, .fallback = "auto",
     .about = "auto: on a terminal, unless NO_COLOR is set; always; never"},
    {MEMBER(ascii), .type = SETTING_CHOICE, .choices = asciis, .fallback = "auto",
     .about = "ASCII alone; auto: where LC_ALL or LANG names a charset but UTF-8 (C names none)"},
    {MEMBER(order), .type = SETTING_CHOICE, .choices = orders, .fallback = "recorded",
     .about = "how lists are ordered at first: recorded, created, updated, confidence, text"},
    {MEMBER(preview), .type = SETTING_CHOICE, .choices = previews, .fallback = "auto",
     .about = "where the preview stands: right, below, off; auto: by the width of the terminal"},
    {MEMBER(graph_style), .type = SETTING_CHOICE, .choices = graph_styles, .fallback = "auto",
     .about =
         "how lineage is drawn: lr, lr-box, tb, tb-box, outline; auto: what fits (o switches)"},
    {MEMBER(mouse), .type = SETTING_BOOL, .fallback = "no",
     .about = "take the mouse at the start (M switches); off, the terminal selects text with it"},
    {MEMBER(listen), .type = SETTING_BOOL, .fallback = "yes",
     .about = "the explorer answers agents at the store's own socket while it is open"},
    {MEMBER(http_port), .type = SETTING_INT, .min = 0, .max = 65535, .fallback = "0",
     .about = "and over HTTP at this port of the loopback (\"Over HTTP\" in the README); 0: it "
              "does not"},
    {MEMBER(destructive_tools), .type = SETTING_BOOL, .fallback = "no",
     .about = "agents may verify, retract, restore, forget and protect (MCP); no: people alone"},
    {MEMBER(clipboard), .type = SETTING_CHOICE, .choices = clipboards, .fallback = "auto",
     .about = "how y copies: osc52 (through the terminal, over SSH as well), off; auto: the best"},
    {MEMBER(escape_delay), .type = SETTING_INT, .min = 0, .max = 1000, .fallback = "25",
     .about = "milliseconds that Esc waits for the rest of a key; more on a slow line"},
    {MEMBER(hmac_key), .type = SETTING_PATH, .fallback = "",
     .about = "a key file (mode 0600) that signs the journal; empty: none"},
    {MEMBER(keys), .type = SETTING_PART, .read = config_read_keys, .fallback = "{}",
     .about = "keys of your own, as in {quit: [q, x], mouse: []}; [] is none, ? names the actions"},
    PART(tool_permissions, config_read_grants,
         "\n  listMemory:\n"
         "    allowed_namespaces: [\"session.*\", \"agent.*\", \"public.*\"]\n"
         "    operations: [\"read\"]\n"
         "  getContext:\n"
         "    allowed_context_types: [\"session\", \"agent\", \"task\"]\n"
         "    operations: [\"read\"]\n"
         "  putMemory:\n"
         "    allowed_namespaces: [\"session.*\", \"agent.*\"]\n"
         "    operations: [\"write\"]\n"
         "    max_ttl_seconds: 3600",
         "what agents may do with shared memory (\"What agents may do\" in the README); what no "
         "grant\n"
         "# names is denied; without a grant of their own getMemory has listMemory's and "
         "deleteMemory\n"
         "# putMemory's"),
    PART(agents, config_read_agents, "{}",
         "single agents' grants, each in place of the general one of that tool, as in\n"
         "# {ash: {tool_permissions: {putMemory: {}}}}, which keeps ash from writing where it is "
         "started\n"
         "# with --agent ash; a tool that is not named is as it is for everybody, so who is to be "
         "kept from\n"
         "# all has {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: "
         "{}}"),
    PART(
        namespaces, config_read_namespaces, "{}",
        "what namespaces are held to, by patterns, as in {\"session.*\": {pii: refuse, max_items: "
        "1000,\n"
        "# max_bytes: 1000000, evict: oldest, consistency: strong, rate_limits: {}}}; 0: no limit"),
    PART(
        rate_limits, config_read_rates, "{}",
        "how often a tool may be called in each namespace, as in {putMemory: {window_seconds: 60,\n"
        "# window_calls: 100, per_second: 5, burst: 10}}; of window and bucket one is enough"),
    PART(pii, config_read_pii, "{mask: yes, patterns: {}}",
         "is personal data masked where agents read memories (no: that of entries still is, save "
         "where `pii`\n"
         "# of their namespace is off), and what counts as such besides, as in\n"
         "# {patterns: {badge: 'B-[0-9]{6}'}} (PCRE2)"),
    {.name = "share",
     .offset = offsetof(struct config, permissions.share),
     .type = SETTING_BOOL,
     .fallback = "no",
     .about =
         "agents see each other's memories; no: of another's its ref and whose it is, where an "
         "agent\n# says which it is"},
};
#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

const struct setting *config_settings(size_t *count)
{
    *count = SETTINGS;
    return settings;
}

/* ---- values ---- */

static int wrong_choice(const struct setting *s, const char *const *names, const char *value,
                        struct error *e)
{
    struct strbuf all = STRBUF_INIT;
    config_add_words(&all, names);
    error_set(e, ERROR_INVALID, TODO, "'%s' takes %s, not '%.80s'", s->name, all.buf, value);
    strbuf_release(&all);
    return -1;
}

static int set_int(const struct setting *s, const char *value, int *member, struct error *e)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < s->min || n > s->max)
        return error_set(e, ERROR_INVALID, TODO,
                         "'%s' takes a whole number from %d to %d, not '%.80s'", s->name, s->min,
                         s->max, value);
    *member = (int)n;
    return 0;
}

/* The text in the arena, with `~/` replaced in a path. "" is the default, which may be NULL. */
static int set_text(struct config *c, const struct setting *s, const char *value,
                    const char **member, struct error *e)
{
    const char *home = getenv("HOME");
    struct strbuf path = STRBUF_INIT;
    if (!*value || value == s->fallback) {
        *member = *s->fallback ? s->fallback : NULL;
        return 0;
    }
    if (s->type == SETTING_PATH && strncmp(value, "~/", 2) == 0 && home) {
        strbuf_addstr(&path, home);
        value++;
    }
    strbuf_addstr(&path, value);
    *member = path.len ? arena_strdup(&c->arena, path.buf) : NULL;
    bool failed = path.failed || (path.len && !*member);
    strbuf_release(&path);
    return failed ? error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                              "there is no memory for '%s'", s->name)
                  : 0;
}

/* Sets the member of a setting from its text: a default and a line of a file go the same way. */
static int assign(struct config *c, const struct setting *s, const char *value, struct error *e)
{
    void *member = (char *)c + s->offset;
    const char *const *names = s->type == SETTING_BOOL ? config_bools : s->choices;
    int choice;
    switch (s->type) {
    case SETTING_TEXT:
    case SETTING_PATH:
        return set_text(c, s, value, member, e);
    case SETTING_INT:
        return set_int(s, value, member, e);
    case SETTING_CHOICE:
    case SETTING_BOOL:
        choice = config_word(names, value);
        if (choice < 0)
            return wrong_choice(s, names, value, e);
        if (s->type == SETTING_BOOL)
            *(bool *)member = choice % 2;
        else
            *(int *)member = choice;
        return 0;
    case SETTING_PART:
        break;
    }
    return 0;
}

void config_init(struct config *c)
{
    struct error none;
    *c = (struct config){.arena = ARENA_INIT};
    permissions_init(&c->permissions);
    for (size_t i = 0; i < SETTINGS; i++)
        assign(c, &settings[i], settings[i].fallback, &none);
}

void config_release(struct config *c)
{
    permissions_release(&c->permissions);
    arena_release(&c->arena);
}

/* ---- reading YAML ---- */

static const struct setting *find_setting(struct config_reading *r, const char *name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    config_unknown(r, "setting", name, &settings[0].name, SETTINGS, sizeof(settings[0]));
    return NULL;
}

/* A setting's name is the event; reads its value. */
static int read_setting(struct config_reading *r, const char *name, void *unused)
{
    (void)unused;
    const struct setting *s = find_setting(r, name);
    if (!s || config_advance(r))
        return -1;
    if (s->type == SETTING_PART)
        return s->read(r);
    const char *value = config_scalar(r, s->name);
    if (!value)
        return -1;
    if (assign(r->c, s, value, r->e))
        return error_prefix(r->e, "%s line %zu", r->name, config_line(r));
    if (s->offset == offsetof(struct config, theme))
        r->c->theme_line = (int)config_line(r);
    return 0;
}

int config_parse(struct config *c, const char *name, const char *text, size_t len, struct error *e)
{
    struct config_reading r = {.c = c, .name = name, .e = e};
    if (!yaml_parser_initialize(&r.parser))
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory to read %s", name);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    int failed = config_read_document(&r, read_setting);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return failed;
}

/* ---- files ---- */

/* Where the configuration is looked for; empty where not even HOME is known. */
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
        result = c->place ? config_file_read(where.buf, &text, &c->stamp, e)
                          : error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                                      "there is no memory for the configuration");
    }
    if (result == 0 && where.len > 0) {
        c->path = c->place;
        result = config_parse(c, where.buf, text.buf, text.len, e);
    } else if (result > 0 && path) {
        result =
            error_set(e, ERROR_STORE, "Give the path of a configuration, or leave --config out.",
                      "there is no file %s", path);
    }
    strbuf_release(&where);
    strbuf_release(&text);
    return result < 0 ? -1 : 0;
}
