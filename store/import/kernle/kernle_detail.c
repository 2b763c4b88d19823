#include "store/import/kernle/kernle_map.h"

#include <nettle/base64.h>
#include <strings.h>
#include "model/json/json.h"
#include "model/base/utf8.h"

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
    if (cell_is_bytes(cell))
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

static void add_text(struct strbuf *out, const struct cell *cell)
{
    struct strbuf text = STRBUF_INIT;
    utf8_repair(&text, cell->bytes, cell->len);
    json_add_string_len(out, text.buf, text.len);
    out->failed |= text.failed;
    strbuf_release(&text);
}

/* A number as it is, a text as valid UTF-8. JSON has no infinity: that is written as text. */
static void add_scalar(struct strbuf *out, const struct cell *cell)
{
    if (cell->type == CELL_INTEGER)
        json_add_int(out, cell->integer);
    else if (cell->type == CELL_REAL && isfinite(cell->real))
        json_add_double(out, cell->real);
    else if (cell->type == CELL_REAL)
        json_add_string(out, cell->real < 0 ? "-inf" : "inf");
    else
        add_text(out, cell);
}

/* Is there nothing in it to keep: NULL, "", an empty list, null? */
static bool is_nothing(const struct kernle_column *column, const struct cell *cell)
{
    if (cell->type == CELL_NULL)
        return true;
    if (!cell_is_bytes(cell))
        return false;
    struct json_slice text = json_trim(cell->bytes, cell->len);
    return cell->len == 0 ||
           (column->json && ((text.len == 2 && memcmp(text.ptr, "[]", 2) == 0) ||
                             (text.len == 4 && memcmp(text.ptr, "null", 4) == 0) || text.len == 0));
}

static bool has_column(const struct kernle_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->columns[i].name, name) == 0)
            return true;
    return false;
}

/* The column's name; that of its bytes in base64 ends with _original, and with more of it where the
 * table has a column of that name. */
static void add_key(struct kernle_mapping *map, struct strbuf *out, const char *column, bool bytes)
{
    struct strbuf key = STRBUF_INIT;
    strbuf_addstr(&key, column);
    while (bytes && !key.failed) {
        strbuf_addstr(&key, "_original");
        bytes = has_column(map->row->table, key.buf);
    }
    if (out->len > 1)
        strbuf_addch(out, ',');
    json_add_string(out, key.buf);
    strbuf_addch(out, ':');
    map->failed |= key.failed;
    strbuf_release(&key);
}

/* A list (or object, where one may stand) that is well formed is kept as JSON, anything else as
 * text. It lies one level deep there. */
static void add_json(struct kernle_mapping *map, struct strbuf *out,
                     const struct kernle_column *column, const struct cell *cell)
{
    struct error e;
    struct json_slice json = json_trim(cell->bytes, cell->len);
    bool formed = json_check(json.ptr, json.len, JSON_DEPTH_MAX - 1, &e) == 0;
    if (column->field == FIELD_NONE && !formed)
        mapping_report(map, FIELD_NONE, "%s is no JSON; kept as text", column->name);
    else if (column->field == FIELD_NONE && column->list && *json.ptr != '[')
        mapping_report(map, FIELD_NONE, "%s is not a list; kept as it is", column->name);
    if (formed)
        json_minify(out, json.ptr, json.len);
    else
        add_scalar(out, cell);
}

static void add_cell(struct kernle_mapping *map, struct strbuf *out, size_t at)
{
    const struct kernle_column *column = &map->row->table->columns[at];
    const struct cell *cell = &map->row->cells[at];
    add_key(map, out, column->name, false);
    if (column->json && cell_is_bytes(cell))
        add_json(map, out, column, cell);
    else
        add_scalar(out, cell);
}

static void add_bytes(struct kernle_mapping *map, struct strbuf *out, size_t at)
{
    add_key(map, out, map->row->table->columns[at].name, true);
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

/* Text that had to be repaired is kept in base64 as well; that of the memory's text is not ours. */
static bool is_broken(struct kernle_mapping *map, size_t at, bool stays)
{
    const struct cell *cell = &map->row->cells[at];
    if (cell == map->broken_text)
        return false;
    if (map->keep[at] == KEEP_BYTES)
        return true;
    if (!stays || !cell_is_bytes(cell) || utf8_valid(cell->bytes, cell->len))
        return false;
    mapping_report(map, FIELD_NONE, "%s holds bytes that are no text; kept in base64",
                   map->row->table->columns[at].name);
    return true;
}

void mapping_detail(struct kernle_mapping *map)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addch(&out, '{');
    for (size_t i = 0; i < map->row->table->count; i++) {
        bool stays = belongs(map, i);
        if (stays)
            add_cell(map, &out, i);
        if (is_broken(map, i, stays))
            add_bytes(map, &out, i);
    }
    strbuf_addch(&out, '}');
    bool any = out.len > 2;
    const char *detail = mapping_take(map, &out);
    map->m->detail = any ? detail : NULL;
}
