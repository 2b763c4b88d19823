#include "kernle_map.h"

#include <nettle/base64.h>
#include <strings.h>
#include "../model/json.h"
#include "../model/utf8.h"

/* The declared default of a column, and does the cell have it? */
static bool is_quoted(const char *sql, size_t len)
{
    return len >= 2 && sql[0] == '\'' && sql[len - 1] == '\'';
}

static bool has_default(const struct kernle_column *column, const struct cell *cell)
{
    const char *sql = column->fallback;
    if (!sql)
        return false;
    size_t len = strlen(sql);
    if (cell->type == CELL_TEXT || cell->type == CELL_BLOB)
        return is_quoted(sql, len) && cell->len == len - 2 &&
               memcmp(cell->bytes, sql + 1, len - 2) == 0;
    char *end;
    double value = strtod(sql, &end);
    return *sql && !*end && value == (cell->type == CELL_REAL ? cell->real : (double)cell->integer);
}

static void add_base64(struct strbuf *out, const struct cell *cell)
{
    size_t len = BASE64_ENCODE_RAW_LENGTH(cell->len);
    strbuf_addch(out, '"');
    if (strbuf_grow(out, len)) {
        base64_encode_raw(out->buf + out->len, cell->len, (const uint8_t *)cell->bytes);
        out->len += len;
        out->buf[out->len] = '\0';
    }
    strbuf_addch(out, '"');
}

/* A number as it is, a text as valid UTF-8. JSON has no infinity: that is written as text. */
static void add_scalar(struct kernle_mapping *map, struct strbuf *out, const struct cell *cell)
{
    if (cell->type == CELL_INTEGER) {
        json_add_int(out, cell->integer);
    } else if (cell->type == CELL_REAL && isfinite(cell->real)) {
        json_add_double(out, cell->real);
    } else if (cell->type == CELL_REAL) {
        json_add_string(out, cell->real < 0 ? "-inf" : "inf");
    } else {
        struct strbuf text = STRBUF_INIT;
        utf8_repair(&text, cell->bytes, cell->len);
        json_add_string_len(out, text.buf, text.len);
        map->failed |= text.failed;
        strbuf_release(&text);
    }
}

/* Is there nothing in it to keep: NULL, "", an empty list, null? */
static bool is_nothing(const struct kernle_column *column, const struct cell *cell)
{
    if (cell->type == CELL_NULL)
        return true;
    if (cell->type != CELL_TEXT && cell->type != CELL_BLOB)
        return false;
    return cell->len == 0 || (column->json && cell->len == 2 && !memcmp(cell->bytes, "[]", 2)) ||
           (column->json && cell->len == 4 && !memcmp(cell->bytes, "null", 4));
}

static void add_key(struct strbuf *out, const char *prefix, const char *name)
{
    struct strbuf key = STRBUF_INIT, clean = STRBUF_INIT;
    strbuf_addf(&key, "%s%s", prefix, name);
    utf8_repair(&clean, key.buf, key.len);
    strbuf_addch(out, out->len > 1 ? ',' : ' ');
    if (out->len == 2) /* the first member stands right behind the brace */
        strbuf_cut(out, 1);
    json_add_string(out, clean.buf);
    strbuf_addch(out, ':');
    strbuf_release(&key);
    strbuf_release(&clean);
}

/* A list (or object, where one may stand) that is well formed is kept as JSON, else as text. */
static void add_json(struct kernle_mapping *map, struct strbuf *out,
                     const struct kernle_column *column, const struct cell *cell)
{
    bool replaced;
    const char *text = kernle_json_text(map, cell->bytes, cell->len, &replaced);
    if (!text || map->failed) {
        if (column->field == FIELD_NONE)
            mapping_report(map, FIELD_NONE, "%s is no JSON; kept as text", column->name);
        add_scalar(map, out, cell);
        return;
    }
    size_t start = strspn(text, " \t\r\n");
    if (column->field == FIELD_NONE && column->list && text[start] != '[')
        mapping_report(map, FIELD_NONE, "%s is not a list; kept as it is", column->name);
    json_minify(out, text, strlen(text));
}

static void add_cell(struct kernle_mapping *map, struct strbuf *out, size_t at)
{
    const struct kernle_column *column = &map->row->table->columns[at];
    const struct cell *cell = &map->row->cells[at];
    bool bytes = cell->type == CELL_TEXT || cell->type == CELL_BLOB;
    add_key(out, "", column->name);
    if (column->json && bytes)
        add_json(map, out, column, cell);
    else
        add_scalar(map, out, cell);
}

/* The text's own original is `original`, as everywhere; that of another column has its name. */
static void add_original(struct kernle_mapping *map, struct strbuf *out, size_t at)
{
    const struct kernle_column *column = &map->row->table->columns[at];
    bool is_text = column->field == FIELD_TEXT && !column->in_detail;
    add_key(out, is_text ? "original" : "original_", is_text ? "" : column->name);
    add_base64(out, &map->row->cells[at]);
}

static bool belongs(const struct kernle_mapping *map, size_t at)
{
    const struct kernle_column *column = &map->row->table->columns[at];
    const struct cell *cell = &map->row->cells[at];
    if (is_nothing(column, cell))
        return false;
    if (map->keep[at] == KEEP_CELL)
        return true;
    return column->in_detail && (column->always || !has_default(column, cell));
}

/* Two columns whose names differ by case alone would be one key to some readers, and none are in a
 * file that SQLite made; `original` could be a column's own name. */
static bool is_reserved(const char *name)
{
    return strncasecmp(name, "original", 8) == 0;
}

void mapping_detail(struct kernle_mapping *map)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addch(&out, '{');
    for (size_t i = 0; i < map->row->table->count; i++) {
        const struct cell *cell = &map->row->cells[i];
        bool bytes = cell->type == CELL_TEXT || cell->type == CELL_BLOB;
        if (is_reserved(map->row->table->columns[i].name))
            continue;
        bool stays = belongs(map, i);
        if (stays)
            add_cell(map, &out, i);
        if (map->keep[i] == KEEP_BYTES || (stays && bytes && !utf8_valid(cell->bytes, cell->len)))
            add_original(map, &out, i);
    }
    strbuf_addch(&out, '}');
    map->failed |= out.failed;
    if (out.len > 2)
        map->m->detail = mapping_copy(map, out.buf, out.len);
    strbuf_release(&out);
}
