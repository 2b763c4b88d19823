/* Reads the cells of a Kernle table: texts that may be broken, times, numbers, JSON. Also builds
 * the detail. */
#include <inttypes.h>
#include <stdarg.h>
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/import/kernle/kernle_map.h"

/* ---- cells ---- */

const struct cell *mapping_cell(const struct kernle_mapping *map, enum kernle_field field)
{
    int at = map->row->table->place[field];
    if (at < 0 || map->row->cells[at].type == CELL_NULL)
        return NULL;
    return &map->row->cells[at];
}

void mapping_keep(struct kernle_mapping *map, enum kernle_field field, enum keep keep)
{
    int at = map->row->table->place[field];
    if (at >= 0 && map->keep[at] < keep)
        map->keep[at] = keep;
}

static void add_subject(const struct kernle_mapping *map, struct strbuf *line)
{
    if (map->m->ref.id) {
        ref_add(line, map->m->ref);
        strbuf_addstr(line, ": ");
    } else {
        strbuf_addf(line, "%s, row %" PRId64 ": ", map->row->table->name, map->row->number);
    }
}

void mapping_report(struct kernle_mapping *map, enum kernle_field field, const char *what, ...)
{
    map->report->lines++;
    if (!map->report->line)
        return;
    AUTO_STRBUF line = STRBUF_INIT;
    add_subject(map, &line);
    if (field != FIELD_NONE)
        strbuf_addf(&line, "%s ", map->row->table->columns[map->row->table->place[field]].name);
    STRBUF_VADD(&line, what);
    map->report->line(map->report->arg, line.buf);
}

/* ---- text ---- */

static const char *repaired(struct kernle_mapping *map, enum kernle_field field,
                            const struct cell *cell)
{
    if (utf8_valid(cell->bytes, cell->len))
        return arena_strndup(map->arena, cell->bytes, cell->len);
    struct strbuf text = STRBUF_INIT;
    size_t count = utf8_repair(&text, cell->bytes, cell->len);
    mapping_report(map, field, "holds %zu byte%s no text; kept in base64", count,
                   count == 1 ? " that is" : "s that are");
    mapping_keep(map, field, KEEP_BYTES);
    return arena_take(map->arena, &text);
}

static const char *number_text(struct kernle_mapping *map, const struct cell *cell)
{
    struct strbuf text = STRBUF_INIT;
    if (cell->type == CELL_INTEGER)
        json_add_int(&text, cell->integer);
    else
        json_add_double(&text, cell->real);
    return arena_take(map->arena, &text);
}

const char *mapping_text(struct kernle_mapping *map, enum kernle_field field)
{
    const struct cell *cell = mapping_cell(map, field);
    if (!cell)
        return NULL;
    if (cell->type == CELL_TEXT)
        return repaired(map, field, cell);
    if (cell->type == CELL_BLOB) {
        mapping_report(map, field, "is a blob, not text");
        return repaired(map, field, cell);
    }
    mapping_report(map, field, "is a number, not text");
    return number_text(map, cell);
}

/* ---- numbers ---- */

/* The text of a cell that is short and has no NUL; "" for others. */
struct short_text {
    char text[64];
};
static struct short_text short_text(const struct cell *cell)
{
    struct short_text copy = {""};
    if (cell_is_bytes(cell) && cell->len < sizeof(copy.text) &&
        !memchr(cell->bytes, '\0', cell->len))
        memcpy(copy.text, cell->bytes, cell->len);
    return copy;
}

/* Parses all of a short text as a number. */
static bool text_number(const struct cell *cell, double *out)
{
    struct short_text copy = short_text(cell);
    char *end;
    *out = strtod(copy.text, &end);
    return end != copy.text && !*end;
}

static bool cell_number(const struct cell *cell, double *out)
{
    if (cell->type == CELL_INTEGER)
        *out = (double)cell->integer;
    else if (cell->type == CELL_REAL)
        *out = cell->real;
    else
        return text_number(cell, out);
    return true;
}

double mapping_number(struct kernle_mapping *map, enum kernle_field field)
{
    const struct cell *cell = mapping_cell(map, field);
    double value;
    if (!cell)
        return NAN;
    if (cell_number(cell, &value) && !isnan(value))
        return value;
    mapping_report(map, field, "is no number");
    mapping_keep(map, field, KEEP_CELL);
    return NAN;
}

bool mapping_flag(struct kernle_mapping *map, enum kernle_field field)
{
    const struct cell *cell = mapping_cell(map, field);
    double value;
    if (!cell || (cell_is_bytes(cell) && cell->len == 0))
        return false;
    if (cell_number(cell, &value))
        return value != 0;
    if (cell->len == 4 && memcmp(cell->bytes, "true", 4) == 0)
        return true;
    if (cell->len == 5 && memcmp(cell->bytes, "false", 5) == 0)
        return false;
    mapping_report(map, field, "is neither 0 nor 1; taken as 0");
    mapping_keep(map, field, KEEP_CELL);
    return false;
}

/* ---- times ---- */

/* Years 2000 to 5138 in seconds and in milliseconds; the ranges do not overlap. */
#define LEAST_SECONDS 946684800.0
#define MOST_SECONDS  1e11
#define LEAST_MS      946684800000.0
#define MOST_MS       1e14

static bool number_time(double value, int64_t *ms)
{
    if (value >= LEAST_SECONDS && value < MOST_SECONDS)
        *ms = (int64_t)(value * 1000);
    else if (value >= LEAST_MS && value < MOST_MS)
        *ms = (int64_t)value;
    else
        return false;
    return true;
}

int kernle_cell_time(const struct cell *cell, int64_t *ms)
{
    double value;
    if (cell->type == CELL_NULL || (cell_is_bytes(cell) && cell->len == 0))
        return 0;
    if (clock_parse_iso(short_text(cell).text, ms) == 0)
        return 1;
    return cell_number(cell, &value) && number_time(value, ms) ? 2 : -1;
}

int mapping_time(struct kernle_mapping *map, enum kernle_field field, int64_t *ms)
{
    const struct cell *cell = mapping_cell(map, field);
    int read = cell ? kernle_cell_time(cell, ms) : 0;
    if (read == 0)
        return 0;
    if (read < 0)
        mapping_report(map, field, "is not a readable time");
    else if (read == 2)
        mapping_report(map, field, "is a number; taken as time since 1970");
    else if (clock_is_suspect(*ms, map->now))
        mapping_report(map, field, "is a suspect time: %.*s", (int)cell->len, cell->bytes);
    if (read != 1)
        mapping_keep(map, field, KEEP_CELL);
    return read < 0 ? -1 : 1;
}

/* ---- values that are JSON ---- */

/* Lone surrogates and broken UTF-8 in strings are accepted; reading the string repairs them. */
struct json_slice mapping_json(struct kernle_mapping *map, enum kernle_field field)
{
    const struct json_slice none = {NULL, 0};
    const struct cell *cell = mapping_cell(map, field);
    struct error e;
    if (!cell)
        return none;
    struct json_slice json =
        cell_is_bytes(cell) ? json_trim(cell->bytes, cell->len) : (struct json_slice){"?", 1};
    if (json.len == 0)
        return none;
    if (json_check_lax(json.ptr, json.len, JSON_DEPTH_MAX, &e)) {
        mapping_report(map, field, "is no JSON; treated as absent");
        mapping_keep(map, field, KEEP_CELL);
        return none;
    }
    return slice_is(json, 'n') ? none : json;
}

struct json_slice mapping_array(struct kernle_mapping *map, enum kernle_field field)
{
    struct json_slice json = mapping_json(map, field);
    if (!json.ptr || slice_is(json, '['))
        return json;
    mapping_report(map, field, "is %s, not a list; treated as absent",
                   slice_is(json, '{') ? "an object" : "a single value");
    mapping_keep(map, field, KEEP_CELL);
    return (struct json_slice){NULL, 0};
}

const char *mapping_member(struct kernle_mapping *map, struct json_slice object, const char *name)
{
    const char *text = json_get_text(map->arena, object, name);
    return text && *text ? text : NULL;
}

const char *mapping_leftover(struct kernle_mapping *map, struct json_slice object,
                             const char *const *known)
{
    struct strbuf rest = STRBUF_INIT;
    struct json_each it = json_each(object);
    while (json_next(&it)) {
        if (json_key_is_any(it.key, known) || slice_is(it.value, 'n'))
            continue;
        strbuf_addstr(&rest, rest.len ? ",\"" : "{\"");
        utf8_repair(&rest, it.key.ptr, it.key.len);
        strbuf_addstr(&rest, "\":");
        AUTO_STRBUF clean = STRBUF_INIT;
        utf8_repair(&clean, it.value.ptr, it.value.len);
        json_minify(&rest, clean.buf, clean.len);
    }
    if (rest.len == 0)
        return NULL;
    strbuf_addch(&rest, '}');
    return arena_take(map->arena, &rest);
}

/* ---- lists ---- */

/* Returns an element as text; a number by its digits. NULL for anything else. */
static const char *item_text(struct kernle_mapping *map, struct json_slice item)
{
    if (slice_is(item, '"'))
        return json_text_repaired(map->arena, item);
    return item.len && strchr("-0123456789", *item.ptr)
               ? arena_strndup(map->arena, item.ptr, item.len)
               : NULL;
}

struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field)
{
    struct json_slice array = mapping_array(map, field);
    struct kernle_list list = {arena_array(map->arena, json_count(array), sizeof(*list.items)), 0};
    size_t odd = 0;
    for (struct json_each it = json_each(array); list.items && json_next(&it);) {
        const char *text = item_text(map, it.value);
        if (text)
            list.items[list.count++] = text;
        else
            odd += !slice_is(it.value, 'n');
    }
    if (odd) {
        mapping_report(map, field, "has %zu item%s no text; left out", odd,
                       odd == 1 ? " that is" : "s that are");
        mapping_keep(map, field, KEEP_CELL);
    }
    return list;
}

void kernle_list_unique(struct kernle_mapping *map, struct kernle_list *list)
{
    struct unique_key *keys = arena_array(map->arena, list->count, sizeof(*keys));
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        keys[i] = (struct unique_key){.text = list->items[i]};
    unique_find(keys, list->count);
    for (size_t i = 0; i < list->count; i++)
        if (!keys[i].again)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* ---- the detail ---- */

/* ---- default values of columns ---- */
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
    strbuf_addch(out, '"');
    base64_add(out, cell->bytes, cell->len);
    strbuf_addch(out, '"');
}

static void add_text(struct strbuf *out, const struct cell *cell)
{
    AUTO_STRBUF text = STRBUF_INIT;
    utf8_repair(&text, cell->bytes, cell->len);
    json_add_string_len(out, text.buf, text.len);
}

/* Adds a number, or a text as valid UTF-8. JSON has no infinity, so that becomes text. */
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

/* Returns true if the value need not be kept: NULL, "", an empty list, null. */
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

/* Adds the column's name as a key. For bytes in base64 it ends with _original, repeated if the
 * table has a column of that name. */
static void add_key(struct kernle_mapping *map, struct strbuf *out, const char *column, bool bytes)
{
    AUTO_STRBUF key = STRBUF_INIT;
    strbuf_addstr(&key, column);
    while (bytes) {
        strbuf_addstr(&key, "_original");
        bytes = kernle_has_name(map->row->table, key.buf);
    }
    if (out->len > 1)
        strbuf_addch(out, ',');
    json_add_string(out, key.buf);
    strbuf_addch(out, ':');
}

/* Adds a valid list (or object, where allowed) as JSON, anything else as text. It is nested one
 * level deep in the detail. */
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

/* Returns true if the original of a repaired text must be kept in base64. Not for the memory's own
 * text, which is kept elsewhere. */
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
    const char *detail = arena_take(map->arena, &out);
    map->m->detail = any ? detail : NULL;
}
