/* The reader that walks the YAML document by the table of settings, and the path of the file. */
#include "tui/config/config_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/pii/pii.h"
#include "tui/config/config_rules.h"
#include "tui/text/match.h"

#define TODO "Correct that line or remove it; `stemma help config` shows every setting."

size_t config_line(const struct config_reading *r)
{
    return r->event.start_mark.line + 1;
}

int config_refuse(struct config_reading *r, size_t line, const char *format, ...)
{
    AUTO_STRBUF what = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&what, format, args);
    va_end(args);
    error_set(r->e, ERROR_INVALID, TODO, "%s", what.buf);
    return error_prefix(r->e, "%s line %zu", r->name, line);
}

int config_find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcasecmp(words[i], word) == 0)
            return i;
    return -1;
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
    AUTO_STRBUF all = STRBUF_INIT;
    *index = config_find_word(words, value);
    if (*index >= 0)
        return 0;
    for (int i = 0; words[i]; i++)
        strbuf_addf(&all, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    error_set(e, ERROR_INVALID, TODO, "'%s' takes %s, not '%.80s'", s->name, all.buf, value);
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
    AUTO_STRBUF path = STRBUF_INIT;
    if (!*value || value == s->fallback)
        return *s->fallback ? s->fallback : NULL;
    if (s->type == SETTING_PATH && strncmp(value, "~/", 2) == 0 && home) {
        strbuf_addstr(&path, home);
        value++;
    }
    strbuf_addstr(&path, value);
    return path.len ? arena_strdup(arena, path.buf) : NULL;
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
    memcpy(c->stale, stale_defaults, sizeof(c->stale));
    permissions_init(&c->permissions);
    size_t count;
    const struct setting *settings = config_settings(&count);
    for (size_t i = 0; i < count; i++)
        if (!SETTING_IS_PART(settings[i].type))
            assign(&settings[i], settings[i].name, c, &c->arena, settings[i].fallback, &none);
}

void config_add_changed(const struct config *c, struct strbuf *out)
{
    struct config defaults;
    size_t count;
    const struct setting *settings = config_settings(&count);
    config_init(&defaults);
    for (size_t i = 0; i < count; i++) {
        const struct setting *s = &settings[i];
        size_t size = s->type == SETTING_CHOICE ? sizeof(int) : sizeof(bool);
        const char *now = (const char *)c + s->offset, *was = (const char *)&defaults + s->offset;
        if ((s->type != SETTING_CHOICE && s->type != SETTING_BOOL) || !memcmp(now, was, size))
            continue;
        int index = s->type == SETTING_CHOICE ? *(const int *)now : *(const bool *)now;
        strbuf_addf(out, "set %s: %s\n", s->name, words_of(s)[index]);
    }
    for (size_t i = 0; i < c->key_count; i++) {
        strbuf_addf(out, "%s%s: [", i ? ", " : "set keys: {", c->keys[i].action);
        for (size_t k = 0; k < c->keys[i].count; k++)
            strbuf_addf(out, "%s'%s%s'", k ? ", " : "", c->keys[i].keys[k],
                        *c->keys[i].keys[k] == '\'' ? "'" : "");
        strbuf_addstr(out, i + 1 < c->key_count ? "]" : "]}\n");
    }
    config_release(&defaults);
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
    return config_refuse(r, broken_line(&r->parser), "this is not YAML: %s",
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
        config_refuse(r, config_line(r),
                      "%s takes a single value, no alias; quote what begins with *", of);
    else if (r->event.type != YAML_SCALAR_EVENT)
        config_refuse(r, config_line(r), "%s takes a single value", of);
    else if (strlen(value) != r->event.data.scalar.length)
        config_refuse(r, config_line(r), "%s has a NUL in it", of);
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
            return error_prefix(r->e, "%s line %zu", r->name, config_line(r));
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
        return config_refuse(r, config_line(r), "'%.80s' takes %s", name, s->takes);
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
        return config_refuse(r, config_line(r), "there is no %s '%.80s'", what, name);
    return config_refuse(r, config_line(r), "there is no %s '%.80s'; did you mean '%s'?", what,
                         name, near.name);
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
        return config_refuse(r, config_line(r), "a grant of %s has no '%s'",
                             memory_tool_name((enum memory_tool)r->tool), name);
    }
    return refuse_unknown(r, s->what, name, &s->members[0].name, s->member_count,
                          sizeof(s->members[0]));
}

static int find_tool(struct config_reading *r, const struct setting *s, const char *name,
                     void *member, struct place *out)
{
    const char *names[MEMORY_RATES];
    int tool = -1;
    for (size_t t = 0; t < s->member_count; t++) {
        names[t] = memory_tool_name((enum memory_tool)t);
        tool = strcmp(names[t], name) == 0 ? (int)t : tool;
    }
    if (tool < 0)
        return refuse_unknown(r, "memory tool", name, names, s->member_count, sizeof(names[0]));
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

/* Keeps the name in the current event. Returns NULL with an error if it is empty or occurs twice in the mapping. */
static const char *new_name(struct config_reading *r, const char *of, struct key_index *seen)
{
    const char *name = scalar(r, of);
    if (!name)
        return NULL;
    if (!*name) {
        config_refuse(r, config_line(r), "a name in '%.80s' is empty", of);
        return NULL;
    }
    size_t before = seen->count;
    if (key_index_add(seen, name, strlen(name)) == before)
        return seen->key[before].text;
    config_refuse(r, config_line(r), "'%.80s' occurs twice here", name);
    return NULL;
}

static int read_entry(struct config_reading *r, const struct setting *s, const char *name,
                      void *base)
{
    struct place place = {NULL, NULL};
    size_t line = config_line(r);
    return find_place(r, s, name, base, &place) || !place.setting || advance(r)
               ? -1
               : read_value(r, place.setting, name, line, place.base);
}

static int read_mapping(struct config_reading *r, const struct setting *s, const char *of,
                        void *base)
{
    struct key_index seen = KEY_INDEX_INIT;
    int result = -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return config_refuse(r, config_line(r), "'%.80s' takes %s", of, s->takes);
    if (s->type == SETTING_TOOLS) /* the new grants replace all earlier ones */
        memset((char *)base + s->offset, 0, s->member_count * s->size);
    while (!advance(r)) {
        if (r->event.type == YAML_MAPPING_END_EVENT) {
            result = 0;
            break;
        }
        const char *name = new_name(r, of, &seen);
        if (!name || read_entry(r, s, name, base))
            break;
    }
    key_index_release(&seen);
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
            return error_prefix(r->e, "%s line %zu", r->name, config_line(r));
    }
    if (s->line)
        *(int *)(void *)((char *)base + s->line) = (int)line;
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
        return config_refuse(r, config_line(r), "settings are lines of 'name: value'");
    if (read_value(r, &config_document, "the configuration", 1, r->c))
        return -1;
    if (advance(r) || advance(r)) /* end of the document and of the stream */
        return -1;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return config_refuse(r, config_line(r), "a second document begins here");
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
    AUTO_STRBUF where = STRBUF_INIT, text = STRBUF_INIT;
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
