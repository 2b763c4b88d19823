/*
 * The frontmatter of a text: YAML between two lines of dashes. It becomes JSON, in which every scalar is a string
 * or null, and then fields. Events are read instead of a document, so that neither depth nor aliases can grow
 * beyond the limits.
 */
#include "store/import/markdown/markdown.h"

#include <string.h>
#include <yaml.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"

#define MEMBERS_MAX 1000 /* of a mapping, as each is compared with the others */

struct value {
    const char *json; /* in the arena */
    size_t len;
    int levels; /* within it: 0 for a scalar */
};

struct anchor {
    const char *name;
    struct value value;
};

struct reading {
    struct arena *arena;
    yaml_parser_t parser;
    yaml_event_t event;
    struct anchor *anchors;
    size_t anchor_count, anchor_alloc;
    const char *fault;
};

static bool fail(struct reading *r, size_t line, const char *what)
{
    /* The line of the dashes is the first one. */
    r->fault = arena_format(r->arena, "line %zu of its frontmatter: %s", line + 2, what);
    return false;
}

static bool advance(struct reading *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return true;
    memset(&r->event, 0, sizeof(r->event));
    return fail(r, r->parser.problem_mark.line,
                r->parser.problem ? r->parser.problem : "this is no YAML");
}

static size_t line_of(const struct reading *r)
{
    return r->event.start_mark.line;
}

static bool take_text(struct reading *r, struct strbuf *json, struct value *out)
{
    if (json->len > MARKDOWN_JSON_MAX)
        return fail(r, line_of(r), "aliases make it longer than 256 KiB");
    out->len = json->len;
    out->json = arena_strndup(r->arena, json->buf, json->len);
    return true;
}

static bool read_scalar(struct reading *r, struct value *out)
{
    AUTO_STRBUF json = STRBUF_INIT;
    const char *text = (const char *)r->event.data.scalar.value;
    size_t len = r->event.data.scalar.length;
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && (len == 0 || strcmp(text, "null") == 0 || strcmp(text, "~") == 0))
        strbuf_addstr(&json, "null");
    else
        json_add_string(&json, utf8_repaired(r->arena, text, len));
    return take_text(r, &json, out);
}

static bool read_value(struct reading *r, int depth, struct value *out);

static bool read_list(struct reading *r, int depth, struct value *out)
{
    AUTO_STRBUF json = STRBUF_INIT;
    struct json_object list = json_begin(&json, '[');
    struct value item;
    while (advance(r) && r->event.type != YAML_SEQUENCE_END_EVENT) {
        if (!read_value(r, depth, &item))
            return false;
        json_item(&list);
        strbuf_add(&json, item.json, item.len);
        if (out->levels <= item.levels)
            out->levels = item.levels + 1;
        if (!take_text(r, &json, out))
            return false;
    }
    json_end(&list);
    return !r->fault && take_text(r, &json, out);
}

struct member {
    const char *key;
    struct value value;
};

/* Sets the member; the last one of a name counts. */
static void set_member(struct reading *r, struct member **members, size_t *count, size_t *alloc,
                       const struct member *member)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*members)[i].key, member->key) == 0) {
            (*members)[i] = *member;
            return;
        }
    *ARENA_ADD(r->arena, *members, *count, *alloc) = *member;
}

static bool write_mapping(struct reading *r, const struct member *members, size_t count,
                          struct value *out)
{
    AUTO_STRBUF json = STRBUF_INIT;
    struct json_object object = json_begin(&json, '{');
    for (size_t i = 0; i < count; i++) {
        json_key(&object, members[i].key);
        strbuf_add(&json, members[i].value.json, members[i].value.len);
        if (out->levels <= members[i].value.levels)
            out->levels = members[i].value.levels + 1;
    }
    json_end(&object);
    return take_text(r, &json, out);
}

static bool read_mapping(struct reading *r, int depth, struct value *out)
{
    struct member *members = NULL, member;
    size_t count = 0, alloc = 0, bytes = 0;
    while (advance(r) && r->event.type != YAML_MAPPING_END_EVENT) {
        if (r->event.type != YAML_SCALAR_EVENT || count == MEMBERS_MAX)
            return fail(r, line_of(r),
                        count == MEMBERS_MAX ? "it has more than 1000 keys" : "a key is no text");
        member.key = utf8_repaired(r->arena, (const char *)r->event.data.scalar.value,
                                   r->event.data.scalar.length);
        if (!advance(r) || !read_value(r, depth, &member.value))
            return false;
        bytes += member.value.len;
        if (bytes > MARKDOWN_JSON_MAX)
            return fail(r, line_of(r), "aliases make it longer than 256 KiB");
        set_member(r, &members, &count, &alloc, &member);
    }
    return !r->fault && write_mapping(r, members, count, out);
}

static bool read_alias(struct reading *r, int depth, struct value *out)
{
    const char *name = (const char *)r->event.data.alias.anchor;
    for (size_t i = r->anchor_count; i > 0; i--) {
        if (strcmp(r->anchors[i - 1].name, name) != 0)
            continue;
        *out = r->anchors[i - 1].value;
        return depth + out->levels <= MARKDOWN_DEPTH_MAX
                   ? true
                   : fail(r, line_of(r), "it has more than 16 levels");
    }
    return fail(r, line_of(r), "an alias names nothing that stands before it");
}

/* Reads the value that begins with the current event; its last event is the current one then. */
static bool read_value(struct reading *r, int depth, struct value *out)
{
    yaml_event_type_t type = r->event.type;
    const yaml_char_t *name =
        type == YAML_SCALAR_EVENT           ? r->event.data.scalar.anchor
        : type == YAML_SEQUENCE_START_EVENT ? r->event.data.sequence_start.anchor
        : type == YAML_MAPPING_START_EVENT  ? r->event.data.mapping_start.anchor
                                            : NULL;
    const char *anchor = name ? arena_strdup(r->arena, (const char *)name) : NULL;
    *out = (struct value){.levels = 0};
    if (depth >= MARKDOWN_DEPTH_MAX)
        return fail(r, line_of(r), "it has more than 16 levels");
    bool good = type == YAML_ALIAS_EVENT            ? read_alias(r, depth, out)
                : type == YAML_SEQUENCE_START_EVENT ? read_list(r, depth + 1, out)
                : type == YAML_MAPPING_START_EVENT  ? read_mapping(r, depth + 1, out)
                                                    : read_scalar(r, out);
    if (good && anchor)
        *ARENA_ADD(r->arena, r->anchors, r->anchor_count, r->anchor_alloc) =
            (struct anchor){anchor, *out};
    return good;
}

/* ---- fields ---- */

static void add_fields(struct markdown *m, size_t *alloc, struct arena *arena, const char *prefix,
                       struct json_slice object)
{
    for (struct json_each it = json_each(object); json_next(&it);) {
        char *name = arena_strndup(arena, it.key.ptr, it.key.len);
        name[json_unescape(name, it.key.ptr, it.key.len)] = '\0';
        const char *key = *prefix ? arena_format(arena, "%s.%s", prefix, name) : name;
        if (*it.value.ptr == '{') {
            add_fields(m, alloc, arena, key, it.value);
            continue;
        }
        bool is_list = *it.value.ptr == '[';
        const char *text = is_list                ? arena_strndup(arena, it.value.ptr, it.value.len)
                           : *it.value.ptr == '"' ? json_text(arena, it.value, NULL)
                                                  : "";
        *ARENA_ADD(arena, m->fields, m->field_count, *alloc) =
            (struct markdown_field){key, text, is_list};
    }
}

/* Is it a mapping? A rule above and below a paragraph looks like a frontmatter, too. */
static bool read_document(struct reading *r, struct value *root)
{
    *root = (struct value){.json = NULL};
    if (!advance(r) || !advance(r)) /* the stream, the document */
        return false;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!advance(r) || r->event.type != YAML_MAPPING_START_EVENT)
        return false;
    return read_value(r, 0, root);
}

/* Reads YAML. Returns false if it is none, with r->fault, or no mapping. */
static bool read_yaml(struct reading *r, const char *yaml, size_t len, struct value *root)
{
    if (!yaml_parser_initialize(&r->parser))
        alloc_fail();
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)yaml, len);
    bool good = read_document(r, root);
    yaml_event_delete(&r->event);
    yaml_parser_delete(&r->parser);
    return good;
}

/* Does a value begin with a sign of YAML itself? {{date}} and [[A]], [[B]] are Obsidian's. */
static bool is_yaml_value(const char *value, size_t len)
{
    if (len > 2 && (*value == '[' || *value == '{') && value[1] == *value && value[2] != *value)
        return false;
    return strchr("\"'[{|>&*!#-\r", *value) != NULL;
}

/* Appends a line; the value of "key: value" in quotes, unless it is written in YAML. */
static void quote_value(struct strbuf *out, const char *line, size_t len)
{
    size_t key = 0, value;
    while (key < len && line[key] != ':' && line[key] != '\'' && line[key] != '"')
        key++;
    for (value = key + 1; value < len && line[value] == ' ';)
        value++;
    bool quotes = key < len && line[key] == ':' && value > key + 1 && value < len && line[value] &&
                  !is_yaml_value(line + value, len - value);
    strbuf_add(out, line, quotes ? value : len);
    if (!quotes)
        return;
    strbuf_addch(out, '\'');
    for (size_t i = value; i < len && line[i] != '\r'; i++)
        strbuf_addf(out, line[i] == '\'' ? "''" : "%c", line[i]);
    strbuf_addch(out, '\'');
}

/* What models write is often no YAML for one colon: "description: Rule: never push". It is read again with values in
 * quotes, and said. */
static bool read_mended(struct reading *r, const char *yaml, size_t len, struct value *root)
{
    AUTO_STRBUF mended = STRBUF_INIT;
    const char *fault = r->fault;
    for (size_t at = 0; at < len;) {
        const char *end = memchr(yaml + at, '\n', len - at);
        size_t own = end ? (size_t)(end - yaml) - at : len - at;
        quote_value(&mended, yaml + at, own);
        strbuf_addch(&mended, '\n');
        at += own + 1;
    }
    *r = (struct reading){.arena = r->arena};
    bool good = read_yaml(r, mended.buf, mended.len, root) && root->json;
    r->fault = good ? arena_format(r->arena, "%s; read with its values in quotes", fault) : fault;
    return good;
}

bool frontmatter_read(struct markdown *m, struct arena *arena, const char *yaml, size_t len)
{
    struct reading r = {.arena = arena};
    struct value root;
    size_t alloc = 0;
    if (len > MARKDOWN_YAML_MAX)
        m->fault = "its frontmatter is longer than 64 KiB";
    if (m->fault)
        return false;
    bool good = read_yaml(&r, yaml, len, &root) || (r.fault && read_mended(&r, yaml, len, &root));
    m->fault = r.fault;
    if (!good || !root.json)
        return good;
    m->json = root.json;
    add_fields(m, &alloc, arena, "", (struct json_slice){root.json, root.len});
    return true;
}

static bool is_dashes(const char *line, size_t len)
{
    size_t dashes = 0;
    while (dashes < len && line[dashes] == '-')
        dashes++;
    for (size_t i = dashes; i < len; i++)
        if (!strchr(" \t\r", line[i]) || !line[i])
            return false;
    return dashes >= 3;
}

size_t frontmatter_find(const char *text, size_t len, size_t *begin, size_t *end)
{
    size_t at = 0, lines = 0;
    *begin = *end = 0;
    while (at < len && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    for (; at < len; lines++) {
        const char *line_end = memchr(text + at, '\n', len - at);
        size_t own = line_end ? (size_t)(line_end - text) - at : len - at;
        bool dashes = is_dashes(text + at, own);
        if (lines == 0 && !dashes)
            return 0;
        if (lines > 0 && dashes) {
            *end = at;
            return at + own;
        }
        at += own + (line_end != NULL);
        if (lines == 0)
            *begin = at;
    }
    return 0;
}

/* ---- asking ---- */

const char *markdown_field(const struct markdown *m, const char *key)
{
    for (size_t i = 0; i < m->field_count; i++)
        if (strcmp(m->fields[i].key, key) == 0)
            return *m->fields[i].text ? m->fields[i].text : NULL;
    return NULL;
}

/* Adds the parts of "a, #b". */
static void add_parts(struct arena *arena, const char *text, const char ***list, size_t *count,
                      size_t *alloc)
{
    while (*text) {
        size_t len = strcspn(text, ",");
        const char *at = text;
        text += len + (text[len] == ',');
        while (len && strchr(" \t\n", *at))
            at++, len--;
        while (len && strchr(" \t\n", at[len - 1]))
            len--;
        while (len && *at == '#')
            at++, len--;
        if (len)
            *ARENA_ADD(arena, *list, *count, *alloc) = arena_strndup(arena, at, len);
    }
}

size_t markdown_field_list(const struct markdown *m, const char *key, struct arena *arena,
                           const char ***out)
{
    size_t count = 0, alloc = 0;
    *out = NULL;
    for (size_t i = 0; i < m->field_count; i++) {
        const struct markdown_field *f = &m->fields[i];
        if (strcmp(f->key, key) != 0)
            continue;
        struct json_slice all = {f->text, strlen(f->text)};
        if (!f->is_list)
            add_parts(arena, f->text, out, &count, &alloc);
        for (struct json_each it = json_each(all); f->is_list && json_next(&it);)
            if (*it.value.ptr == '"')
                add_parts(arena, json_text(arena, it.value, NULL), out, &count, &alloc);
    }
    return count;
}
