/* The SQL functions that the SELECTs of a map may use. */
#include <math.h>
#include <stdlib.h>
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "store/import/tables/tables_internal.h"

static struct json_slice text_of(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    return (struct json_slice){text, text ? (size_t)sqlite3_value_bytes(value) : 0};
}

static void result_text(sqlite3_context *to, const char *text, size_t len)
{
    sqlite3_result_text64(to, text, len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* ---- times ---- */

#define SECONDS_END 1e11 /* the year 5138 */
#define MS_END      1e14
#define US_END      1e17

bool table_time_of_number(double number, int64_t *ms)
{
    double size = fabs(number);
    double as_ms = size < SECONDS_END ? number * 1000
                   : size < MS_END    ? number
                   : size < US_END    ? number / 1e3
                                      : number / 1e6;
    if (!isfinite(number) || fabs(as_ms) >= MS_END)
        return false;
    *ms = (int64_t)round(as_ms);
    return true;
}

bool table_time_of_text(const char *text, size_t len, int64_t *ms)
{
    char *end;
    if (!text || len == 0 || strlen(text) != len)
        return false;
    double number = strtod(text, &end);
    if (!*end && !text[strspn(text, "+-.0123456789eE")])
        return table_time_of_number(number, ms);
    return clock_parse_iso(text, ms) == 0;
}

/* ms(TIME) */
static void sql_ms(sqlite3_context *to, int count, sqlite3_value **value)
{
    int64_t ms;
    int type = sqlite3_value_type(*value);
    struct json_slice text = {NULL, 0};
    (void)count;
    if (type == SQLITE_TEXT)
        text = text_of(*value);
    bool is_time = type == SQLITE_TEXT ? table_time_of_text(text.ptr, text.len, &ms)
                   : type == SQLITE_INTEGER || type == SQLITE_FLOAT
                       ? table_time_of_number(sqlite3_value_double(*value), &ms)
                       : false;
    if (is_time)
        sqlite3_result_int64(to, ms);
}

/* ---- ids and hashes ---- */

/* make_id(TEXT…): the id that import_make_id makes of the texts. NULL counts as "". */
static void sql_make_id(sqlite3_context *to, int count, sqlite3_value **value)
{
    struct digest_run run;
    struct digest hash;
    char id[37];
    digest_run_begin(&run);
    for (int i = 0; i < count; i++) {
        struct json_slice text = text_of(value[i]);
        digest_run_add(&run, text.ptr ? text.ptr : "", text.len);
        digest_run_add(&run, "", 1);
    }
    digest_run_end(&run, &hash);
    digest_uuid(id, &hash);
    result_text(to, id, strlen(id));
}

/* sha256(X): in hex; NULL of NULL */
static void sql_sha256(sqlite3_context *to, int count, sqlite3_value **value)
{
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    struct json_slice text = text_of(*value);
    (void)count;
    if (!text.ptr)
        return;
    digest_bytes(&hash, text.ptr, text.len);
    digest_hex(hex, &hash);
    result_text(to, hex, strlen(hex));
}

/* ---- JSON that may be none: SQLite's own functions end a SELECT at such a value ---- */

static bool is_json(struct json_slice text, char open)
{
    struct error ignored;
    text = json_trim(text.ptr ? text.ptr : "", text.len);
    return text.len && *text.ptr == open &&
           json_check(text.ptr, text.len, JSON_DEPTH_MAX, &ignored) == 0;
}

/* json_list(X): a JSON list as it is; any other text as the only element; [] of NULL and "" */
static void sql_json_list(sqlite3_context *to, int count, sqlite3_value **value)
{
    struct json_slice text = text_of(*value);
    AUTO_STRBUF list = STRBUF_INIT;
    (void)count;
    if (is_json(text, '[')) {
        result_text(to, text.ptr, text.len);
        return;
    }
    strbuf_addch(&list, '[');
    if (text.len)
        json_add_string_len(&list, text.ptr, text.len);
    strbuf_addch(&list, ']');
    result_text(to, list.buf, list.len);
}

/* json_map(X): a JSON object as it is; an empty one for anything else */
static void sql_json_map(sqlite3_context *to, int count, sqlite3_value **value)
{
    struct json_slice text = text_of(*value);
    (void)count;
    if (is_json(text, '{'))
        result_text(to, text.ptr, text.len);
    else
        result_text(to, "{}", 2);
}

/* ---- texts ---- */

/* lines(TEXT…): those that are not empty, each on a line */
static void sql_lines(sqlite3_context *to, int count, sqlite3_value **value)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (int i = 0; i < count; i++) {
        struct json_slice text = text_of(value[i]);
        if (text.len && all.len)
            strbuf_addch(&all, '\n');
        strbuf_add(&all, text.ptr, text.len);
    }
    result_text(to, all.buf, all.len);
}

/* A name that the rule accepts: the text itself, or its characters that are accepted with a part of its hash, so that
 * different texts stay different. */
static void result_name(sqlite3_context *to, struct json_slice text, const char *others,
                        bool (*is_valid)(const char *, size_t))
{
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    AUTO_STRBUF name = STRBUF_INIT;
    if (!text.ptr || is_valid(text.ptr, text.len)) {
        result_text(to, text.ptr, text.len);
        return;
    }
    for (size_t i = 0; i < text.len && i < 80; i++) {
        char c = text.ptr[i];
        bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        bool is_dot =
            c == '.' && (i == 0 || text.ptr[i - 1] == '.'); /* none at an edge or doubled */
        strbuf_addch(&name, (is_word || (c && strchr(others, c))) && !is_dot ? c : '_');
    }
    digest_bytes(&hash, text.ptr, text.len);
    digest_hex(hex, &hash);
    strbuf_addf(&name, "_%.8s", hex);
    result_text(to, name.buf, name.len);
}

static void sql_namespace(sqlite3_context *to, int count, sqlite3_value **value)
{
    (void)count;
    result_name(to, text_of(*value), "_-.", namespace_is_valid);
}

static void sql_entry_key(sqlite3_context *to, int count, sqlite3_value **value)
{
    (void)count;
    result_name(to, text_of(*value), "_-.:/@", entry_key_is_valid);
}

int table_functions_register(sqlite3 *handle, const char *path, struct error *e)
{
    static const struct {
        const char *name;
        int count;
        void (*run)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"ms", 1, sql_ms},
        {"make_id", -1, sql_make_id},
        {"sha256", 1, sql_sha256},
        {"json_list", 1, sql_json_list},
        {"json_map", 1, sql_json_map},
        {"lines", -1, sql_lines},
        {"entry_namespace", 1, sql_namespace},
        {"entry_key", 1, sql_entry_key},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (sqlite3_create_function_v2(handle, functions[i].name, functions[i].count,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[i].run,
                                       NULL, NULL, NULL) != SQLITE_OK)
            return error_set(e, ERROR_STORE, "Report it.", "cannot use %s: %s", path,
                             sqlite3_errmsg(handle));
    return 0;
}
