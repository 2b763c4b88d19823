/*
 * Reads a user's map from a YAML file:
 *
 *   name: my-notes
 *   version: SELECT max(number) FROM versions
 *   ignored: [migrations, cache_*]
 *   selects:
 *     - table: notes
 *       sql: SELECT 'note:' || id AS ref, body AS text FROM notes
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>
#include "model/base/alloc.h"
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "store/db/store_file.h"
#include "store/import/tables/tables_internal.h"

#define MAP_BYTES_MAX (1u << 20)
#define NAME_MAX_LEN  40
#define MAP_TODO      "Correct that line; docs/formats/map.md has an example."

struct map_reading {
    yaml_document_t document;
    struct import_format *format;
    struct table_map *map; /* its tables */
    struct arena *arena;
    const char *path;
    struct error *e;
};

static int refuse(struct map_reading *r, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int refuse(struct map_reading *r, size_t line, const char *format, ...)
{
    AUTO_STRBUF what = STRBUF_INIT;
    STRBUF_VADD(&what, format);
    error_set(r->e, ERROR_INVALID, MAP_TODO, "%s", what.buf);
    return error_prefix(r->e, "%s line %zu", r->path, line);
}

static size_t line_of(const yaml_node_t *node)
{
    return node->start_mark.line + 1;
}

/* Copies a text to the arena. */
static int take_text(struct map_reading *r, const yaml_node_t *node, const char *of,
                     const char **out)
{
    if (node->type != YAML_SCALAR_NODE)
        return refuse(r, line_of(node), "'%s' takes a single text", of);
    const char *text = (const char *)node->data.scalar.value;
    if (strlen(text) != node->data.scalar.length || !*text)
        return refuse(r, line_of(node), "'%s' is empty or has a NUL in it", of);
    *out = arena_strdup(r->arena, text);
    return 0;
}

/* The name stands in the history of each memory and as its agent. */
static int take_name(struct map_reading *r, const yaml_node_t *node, const char **out)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (take_text(r, node, "name", out))
        return -1;
    size_t len = strlen(*out);
    return len <= NAME_MAX_LEN && strspn(*out, letters) == len
               ? 0
               : refuse(r, line_of(node), "a name has letters, digits, - _ and ., %d at most",
                        NAME_MAX_LEN);
}

/* A list of names of tables becomes a text with spaces in between. */
static int take_ignored(struct map_reading *r, const yaml_node_t *node, const char **out)
{
    AUTO_STRBUF all = STRBUF_INIT;
    if (node->type != YAML_SEQUENCE_NODE)
        return refuse(r, line_of(node), "'ignored' takes a list of tables");
    for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top;
         i++) {
        const char *one;
        if (take_text(r, yaml_document_get_node(&r->document, *i), "ignored", &one))
            return -1;
        strbuf_addf(&all, "%s%s", all.len ? " " : "", one);
    }
    *out = arena_strdup(r->arena, all.buf);
    return 0;
}

/* Calls `take` for each key of a mapping. */
typedef int take_key(struct map_reading *r, const char *key, const yaml_node_t *value, size_t line,
                     void *into);
static int each_key(struct map_reading *r, const yaml_node_t *node, const char *of, take_key *take,
                    void *into)
{
    if (node->type != YAML_MAPPING_NODE)
        return refuse(r, line_of(node), "%s takes keys and values", of);
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, p->key);
        const char *name;
        if (take_text(r, key, of, &name) ||
            take(r, name, yaml_document_get_node(&r->document, p->value), line_of(key), into))
            return -1;
    }
    return 0;
}

static int take_select_key(struct map_reading *r, const char *key, const yaml_node_t *value,
                           size_t line, void *into)
{
    struct table_select *s = into;
    if (strcmp(key, "table") == 0)
        return take_text(r, value, key, &s->table);
    if (strcmp(key, "sql") == 0)
        return take_text(r, value, key, &s->sql);
    return refuse(r, line, "'%.80s' is neither 'table' nor 'sql'", key);
}

static int take_selects(struct map_reading *r, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return refuse(r, line_of(node), "'selects' takes a list");
    size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    struct table_select *selects = arena_array(r->arena, count + 1, sizeof(*selects));
    size_t *lines = arena_array(r->arena, count + 1, sizeof(*lines));
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *one =
            yaml_document_get_node(&r->document, node->data.sequence.items.start[i]);
        selects[i] = (struct table_select){.table = NULL};
        lines[i] = line_of(one);
        if (each_key(r, one, "a SELECT", take_select_key, &selects[i]))
            return -1;
        if (!selects[i].table || !selects[i].sql)
            return refuse(r, line_of(one), "a SELECT has a 'table' and an 'sql'");
    }
    r->map->selects = selects;
    r->map->lines = lines;
    r->map->count = count;
    return 0;
}

static int take_map_key(struct map_reading *r, const char *key, const yaml_node_t *value,
                        size_t line, void *into)
{
    (void)into;
    if (strcmp(key, "name") == 0)
        return take_name(r, value, &r->format->name);
    if (strcmp(key, "version") == 0)
        return take_text(r, value, key, &r->map->version);
    if (strcmp(key, "ignored") == 0)
        return take_ignored(r, value, &r->map->ignored);
    if (strcmp(key, "selects") == 0)
        return take_selects(r, value);
    return refuse(r, line, "'%.80s' is no key of a map: name, version, ignored, selects", key);
}

static int read_document(struct map_reading *r)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (!root)
        return refuse(r, 1, "the map is empty");
    if (each_key(r, root, "a map", take_map_key, NULL))
        return -1;
    if (!r->format->name || !r->map->count)
        return refuse(r, line_of(root), "a map has a 'name' and 'selects'");
    r->map->path = arena_strdup(r->arena, r->path);
    return 0;
}

int table_map_parse(struct import_format *format, struct arena *arena, const char *path,
                    const char *text, size_t len, struct error *e)
{
    yaml_parser_t parser;
    struct map_reading r = {.format = format,
                            .map = arena_array(arena, 1, sizeof(*r.map)),
                            .arena = arena,
                            .path = path,
                            .e = e};
    *format =
        (struct import_format)TABLE_FORMAT(r.map, .title = "a database with a table of the map");
    if (!yaml_parser_initialize(&parser))
        alloc_fail();
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    int result = yaml_parser_load(&parser, &r.document)
                     ? read_document(&r)
                     : refuse(&r, parser.problem_mark.line + 1, "this is not YAML: %s",
                              parser.problem ? parser.problem : "no reason given");
    if (parser.error == YAML_NO_ERROR)
        yaml_document_delete(&r.document);
    yaml_parser_delete(&parser);
    return result;
}

int table_map_read(struct import_format *format, struct arena *arena, const char *path,
                   struct error *e)
{
    AUTO_FREE char *text = xmalloc(MAP_BYTES_MAX + 1);
    size_t len = 0;
    ssize_t got = 0;
    int fd = store_file_peek(path);
    while (fd >= 0 && len <= MAP_BYTES_MAX &&
           (got = pread(fd, text + len, MAP_BYTES_MAX + 1 - len, (off_t)len)) > 0)
        len += (size_t)got;
    int failed = errno;
    if (fd >= 0)
        store_file_end_peek(fd);
    if (fd < 0 || got < 0)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", path,
                         strerror(failed));
    if (len > MAP_BYTES_MAX)
        return error_set(e, ERROR_INVALID, "Check the path.", "%s is longer than %u bytes", path,
                         MAP_BYTES_MAX);
    return table_map_parse(format, arena, path, text, len, e);
}
