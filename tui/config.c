/*
 * The table of settings, and its reader on libyaml's events: events carry the line of each value,
 * which a loaded document would have lost, and they need no recursion.
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>
#include "../model/strbuf.h"
#include "suggest.h"

#define FILE_MAX (1024 * 1024)
#define TODO     "Correct that line or remove it; `stemma help config` shows every setting."

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const asciis[] = {"auto", "yes", "no", NULL};
static const char *const orders[] = {"created", "updated", "confidence", "text", NULL};
static const char *const previews[] = {"auto", "right", "below", "off", NULL};
static const char *const graph_styles[] = {"auto", "lr", "lr-box", "tb", "tb-box", "outline", NULL};
static const char *const clipboards[] = {"auto", "osc52", "off", NULL};
static const char *const bools[] = {"no", "yes", "false", "true", "off", "on", NULL};

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
    {MEMBER(order), .type = SETTING_CHOICE, .choices = orders, .fallback = "created",
     .about = "how lists are ordered at first: created, updated, confidence, text"},
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
    {MEMBER(keys), .type = SETTING_KEYS, .fallback = "{}",
     .about = "keys of your own, as in {quit: [q, x], mouse: []}; [] is none, ? names the actions"},
};

const struct setting *config_settings(size_t *count)
{
    *count = sizeof(settings) / sizeof(settings[0]);
    return settings;
}

/* ---- values ---- */

/* Whatever its case: YAML writes Yes, yes and YES. */
static int index_of(const char *const *names, const char *word)
{
    for (int i = 0; names[i]; i++)
        if (strcasecmp(names[i], word) == 0)
            return i;
    return -1;
}

static int wrong_choice(const struct setting *s, const char *const *names, const char *value,
                        struct error *e)
{
    struct strbuf all = STRBUF_INIT;
    for (int i = 0; names[i]; i++)
        strbuf_addf(&all, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
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
    if (!*value)
        value = s->fallback;
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
    const char *const *names = s->type == SETTING_BOOL ? bools : s->choices;
    int choice;
    switch (s->type) {
    case SETTING_TEXT:
    case SETTING_PATH:
        return set_text(c, s, value, member, e);
    case SETTING_INT:
        return set_int(s, value, member, e);
    case SETTING_CHOICE:
    case SETTING_BOOL:
        choice = index_of(names, value);
        if (choice < 0)
            return wrong_choice(s, names, value, e);
        if (s->type == SETTING_BOOL)
            *(bool *)member = choice % 2;
        else
            *(int *)member = choice;
        return 0;
    case SETTING_KEYS:
        break;
    }
    return 0;
}

void config_init(struct config *c)
{
    struct error none;
    *c = (struct config){.arena = ARENA_INIT};
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        assign(c, &settings[i], settings[i].fallback, &none);
}

void config_release(struct config *c)
{
    arena_release(&c->arena);
}

/* ---- reading YAML ---- */

struct reading {
    yaml_parser_t parser;
    yaml_event_t event;
    struct config *c;
    const char *name;
    struct error *e;
};

static int fail(struct reading *r, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Fills the error with what is wrong there; returns -1. */
static int fail(struct reading *r, size_t line, const char *format, ...)
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

static size_t line_of(const struct reading *r)
{
    return r->event.start_mark.line + 1;
}

/* To the next event. A broken character is reported by its byte, so its line is counted here. */
static int advance(struct reading *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    memset(&r->event, 0, sizeof(r->event));
    const yaml_parser_t *p = &r->parser;
    size_t line = p->problem_mark.line;
    if (p->error == YAML_READER_ERROR) {
        const char *end = (const char *)p->input.string.start + p->problem_offset;
        line = 0;
        for (const char *s = (const char *)p->input.string.start; s < end; s++)
            line += *s == '\n';
    }
    return fail(r, line + 1, "this is not YAML: %s", p->problem ? p->problem : "no reason given");
}

/* The scalar's text, without a NUL inside; NULL with an error for anything else. A plain `null`,
 * `~` or nothing is "". */
static const char *scalar(struct reading *r, const char *of)
{
    if (r->event.type != YAML_SCALAR_EVENT) {
        fail(r, line_of(r), "%s takes a single value", of);
        return NULL;
    }
    const char *value = (const char *)r->event.data.scalar.value;
    if (strlen(value) != r->event.data.scalar.length) {
        fail(r, line_of(r), "%s has a NUL in it", of);
        return NULL;
    }
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return plain && (strcmp(value, "null") == 0 || strcmp(value, "~") == 0) ? "" : value;
}

/* Adds the key that is the event to the keys of an action. */
static int add_key(struct reading *r, struct config_binding *b, size_t *room)
{
    const char *key = scalar(r, "a key");
    if (!key)
        return -1;
    if (!*key)
        return fail(r, line_of(r), "a key of '%s' is empty", b->action);
    if (b->count == *room) {
        size_t wanted = *room ? *room * 2 : 4;
        const char **grown = arena_array(&r->c->arena, wanted, sizeof(*grown));
        if (!grown)
            return error_set(r->e, ERROR_MEMORY, "Ask for less, or free some memory.",
                             "there is no memory for the keys");
        if (b->count)
            memcpy(grown, b->keys, b->count * sizeof(*grown));
        b->keys = grown;
        *room = wanted;
    }
    b->keys[b->count] = arena_strdup(&r->c->arena, key);
    return b->keys[b->count++] ? 0
                               : error_set(r->e, ERROR_MEMORY, "Ask for less, or free some memory.",
                                           "there is no memory for a key");
}

/* The value of an action: one key, or a list of them. */
static int read_binding(struct reading *r, struct config_binding *b)
{
    size_t room = 0;
    if (r->event.type == YAML_SCALAR_EVENT)
        return add_key(r, b, &room);
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return fail(r, line_of(r), "'%s' takes a key or a list of keys", b->action);
    while (!advance(r)) {
        if (r->event.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        if (add_key(r, b, &room))
            return -1;
    }
    return -1;
}

/* A place for the keys of that action; NULL where it has one already. */
static struct config_binding *new_binding(struct reading *r, const char *action, size_t *room)
{
    struct config *c = r->c;
    for (size_t i = 0; i < c->key_count; i++)
        if (strcmp(c->keys[i].action, action) == 0) {
            fail(r, line_of(r), "the action '%.80s' stands here a second time", action);
            return NULL;
        }
    if (c->key_count == *room) {
        size_t wanted = *room ? *room * 2 : 16;
        struct config_binding *grown = arena_array(&c->arena, wanted, sizeof(*grown));
        if (grown && c->key_count)
            memcpy(grown, c->keys, c->key_count * sizeof(*grown));
        c->keys = grown ? grown : c->keys;
        *room = grown ? wanted : *room;
    }
    char *copy = c->key_count < *room ? arena_strdup(&c->arena, action) : NULL;
    if (!copy) {
        error_set(r->e, ERROR_MEMORY, "Ask for less, or free some memory.",
                  "there is no memory for the keys");
        return NULL;
    }
    c->keys[c->key_count] = (struct config_binding){copy, NULL, 0, (int)line_of(r)};
    return &c->keys[c->key_count++];
}

/* The mapping of actions to keys, which is the event. */
static int read_keys(struct reading *r)
{
    size_t room = 0;
    if (r->event.type == YAML_SCALAR_EVENT && scalar(r, "'keys'") && !*scalar(r, "'keys'"))
        return 0;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail(r, line_of(r), "'keys' takes actions with their keys");
    while (!advance(r)) {
        if (r->event.type == YAML_MAPPING_END_EVENT)
            return 0;
        const char *action = scalar(r, "an action");
        struct config_binding *b = action ? new_binding(r, action, &room) : NULL;
        if (!b || advance(r) || read_binding(r, b))
            return -1;
    }
    return -1;
}

static int unknown_setting(struct reading *r, const char *name)
{
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        suggest_consider(&near, settings[i].name);
    if (!near.name)
        return fail(r, line_of(r), "there is no setting '%.80s'", name);
    return fail(r, line_of(r), "there is no setting '%.80s'; did you mean '%s'?", name, near.name);
}

/* A setting's name is the event; reads its value. `seen` is a bit for each setting. */
static int read_setting(struct reading *r, uint64_t *seen)
{
    const char *name = scalar(r, "a setting's name");
    if (!name)
        return -1;
    size_t i = 0, count = sizeof(settings) / sizeof(settings[0]);
    while (i < count && strcmp(settings[i].name, name) != 0)
        i++;
    if (i == count)
        return unknown_setting(r, name);
    if (*seen >> i & 1)
        return fail(r, line_of(r), "'%s' stands here a second time", name);
    *seen |= (uint64_t)1 << i;
    if (advance(r))
        return -1;
    if (settings[i].type == SETTING_KEYS)
        return read_keys(r);
    const char *value = scalar(r, settings[i].name);
    if (!value)
        return -1;
    if (assign(r->c, &settings[i], value, r->e))
        return error_prefix(r->e, "%s line %zu", r->name, line_of(r));
    if (settings[i].offset == offsetof(struct config, theme))
        r->c->theme_line = (int)line_of(r);
    return 0;
}

/* A stream of one document that is a mapping, or of none at all. */
static int read_document(struct reading *r)
{
    uint64_t seen = 0;
    if (advance(r) || advance(r)) /* the stream, the document */
        return -1;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return 0; /* comments alone */
    if (advance(r))
        return -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail(r, line_of(r), "settings are lines of 'name: value'");
    for (;;) {
        if (advance(r))
            return -1;
        if (r->event.type == YAML_MAPPING_END_EVENT)
            break;
        if (read_setting(r, &seen))
            return -1;
    }
    if (advance(r) || advance(r)) /* the document's end, the stream's */
        return -1;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return fail(r, line_of(r), "a second document begins here");
    return 0;
}

int config_parse(struct config *c, const char *name, const char *text, size_t len, struct error *e)
{
    struct reading r = {.c = c, .name = name, .e = e};
    if (!yaml_parser_initialize(&r.parser))
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory to read %s", name);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    int failed = read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return failed;
}

/* ---- files ---- */

/* Appends the whole file. 1 where there is none. */
static int read_file(const char *path, struct strbuf *out, struct error *e)
{
    char block[16384];
    size_t got;
    FILE *f = fopen(path, "re");
    if (!f && (errno == ENOENT || errno == ENOTDIR))
        return 1;
    if (!f)
        return error_set(e, ERROR_STORE, "Check its permissions.", "%s cannot be read: %s", path,
                         strerror(errno));
    while (out->len <= FILE_MAX && (got = fread(block, 1, sizeof(block), f)) > 0)
        strbuf_add(out, block, got);
    int failed = ferror(f) ? errno : 0;
    fclose(f);
    if (failed)
        return error_set(e, ERROR_STORE, "Give another with --config.", "%s cannot be read: %s",
                         path, strerror(failed));
    if (out->len > FILE_MAX)
        return error_set(e, ERROR_INVALID, "Give another with --config.",
                         "%s is larger than a configuration can be", path);
    return out->failed ? error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                                   "there is no memory to read %s", path)
                       : 0;
}

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
    if (where.len > 0)
        result = read_file(where.buf, &text, e);
    if (result == 0 && where.len > 0) {
        c->path = arena_strdup(&c->arena, where.buf);
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
