#include "store/import/kernle/kernle_map.h"

#include <inttypes.h>
#include <stdarg.h>
#include "model/base/clock.h"
#include "model/base/utf8.h"

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

void *mapping_alloc(struct kernle_mapping *map, size_t count, size_t size)
{
    void *at = arena_array(map->arena, count, size);
    return at;
}

const char *mapping_copy(struct kernle_mapping *map, const char *s, size_t len)
{
    const char *copy = arena_strndup(map->arena, s, len);
    return copy;
}

const char *mapping_take(struct kernle_mapping *map, struct strbuf *sb)
{
    const char *text = arena_strndup(map->arena, sb->buf, sb->len);
    if (!text)
        map->failed = true;
    strbuf_release(sb);
    return text;
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
    struct strbuf line = STRBUF_INIT;
    add_subject(map, &line);
    if (field != FIELD_NONE)
        strbuf_addf(&line, "%s ", map->row->table->columns[map->row->table->place[field]].name);
    va_list args;
    va_start(args, what);
    strbuf_vaddf(&line, what, args);
    va_end(args);
    map->report->line(map->report->arg, line.buf);
    strbuf_release(&line);
}

/* ---- text ---- */

static const char *repaired(struct kernle_mapping *map, enum kernle_field field,
                            const struct cell *cell)
{
    if (utf8_valid(cell->bytes, cell->len))
        return mapping_copy(map, cell->bytes, cell->len);
    struct strbuf text = STRBUF_INIT;
    size_t count = utf8_repair(&text, cell->bytes, cell->len);
    mapping_report(map, field, "holds %zu byte%s no text; kept in base64", count,
                   count == 1 ? " that is" : "s that are");
    mapping_keep(map, field, KEEP_BYTES);
    return mapping_take(map, &text);
}

static const char *number_text(struct kernle_mapping *map, const struct cell *cell)
{
    struct strbuf text = STRBUF_INIT;
    if (cell->type == CELL_INTEGER)
        json_add_int(&text, cell->integer);
    else
        json_add_double(&text, cell->real);
    return mapping_take(map, &text);
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

/* The whole of a short text as a number. */
static bool text_number(const struct cell *cell, double *out)
{
    char copy[64];
    if (cell->len == 0 || cell->len >= sizeof(copy) || memchr(cell->bytes, '\0', cell->len))
        return false;
    memcpy(copy, cell->bytes, cell->len);
    copy[cell->len] = '\0';
    char *end;
    *out = strtod(copy, &end);
    return end == copy + cell->len;
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

/* From 2000 to 5138, in seconds and in milliseconds: the ranges do not meet. */
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

static bool iso_time(const struct cell *cell, int64_t *ms)
{
    char copy[64];
    if (!cell_is_bytes(cell) || cell->len >= sizeof(copy) || memchr(cell->bytes, '\0', cell->len))
        return false;
    memcpy(copy, cell->bytes, cell->len);
    copy[cell->len] = '\0';
    return clock_parse_iso(copy, ms) == 0;
}

int kernle_cell_time(const struct cell *cell, int64_t *ms)
{
    double value;
    if (cell->type == CELL_NULL || (cell_is_bytes(cell) && cell->len == 0))
        return 0;
    if (iso_time(cell, ms))
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
        mapping_report(map, field, "is no time that can be read");
    else if (read == 2)
        mapping_report(map, field, "is a number; taken as time since 1970");
    else if (clock_is_suspect(*ms, map->now))
        mapping_report(map, field, "is a suspect time: %.*s", (int)cell->len, cell->bytes);
    if (read != 1)
        mapping_keep(map, field, KEEP_CELL);
    return read < 0 ? -1 : 1;
}
