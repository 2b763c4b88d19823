#include "store/db/column.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

static const char *repaired(struct arena *a, const char *bytes, size_t len)
{
    struct strbuf sb = STRBUF_INIT;
    utf8_repair(&sb, bytes, len);
    const char *text = arena_strndup(a, sb.buf, sb.len);
    strbuf_release(&sb);
    return text;
}

const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return NULL;
    const char *bytes = (const char *)sqlite3_column_text(stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt, column);
    return !bytes                   ? NULL
           : utf8_valid(bytes, len) ? arena_strndup(a, bytes, len)
                                    : repaired(a, bytes, len);
}

int column_texts(struct arena *a, struct query rows, const char ***out, size_t *count)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    while (db_next(&rows)) {
        const char *text = column_utf8(a, rows.stmt, 0);
        if (text)
            *ARENA_ADD(a, *out, *count, alloc) = text;
    }
    return db_end(&rows);
}

/* An element that is no string is kept as its JSON. */
static const char *element_text(struct arena *a, const cJSON *element)
{
    if (cJSON_IsString(element))
        return arena_strdup(a, element->valuestring);
    char *printed = cJSON_PrintUnformatted(element);
    const char *text = printed ? arena_strdup(a, printed) : NULL;
    cJSON_free(printed);
    return text;
}

/* An escaped NUL; a backslash that is escaped itself makes none of what follows it. */
static bool holds_nul(const char *json)
{
    for (; *json; json++)
        if (*json == '\\') {
            if (strncmp(json + 1, "u0000", 5) == 0)
                return true;
            json += json[1] != '\0';
        }
    return false;
}

/* cJSON would cut a string at a NUL, which no memory holds. */
static cJSON *parse_array(const char *text)
{
    cJSON *array = holds_nul(text) ? NULL : cJSON_ParseWithOpts(text, NULL, 1);
    if (cJSON_IsArray(array))
        return array;
    cJSON_Delete(array);
    return NULL;
}

const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count)
{
    *count = 0;
    const char *text = column_utf8(a, stmt, column);
    if (!text)
        return NULL;
    cJSON *array = parse_array(text);
    const cJSON *element;
    const char **strings =
        arena_array(a, array ? (size_t)cJSON_GetArraySize(array) : 1, sizeof(*strings));
    if (!array)
        strings[(*count)++] = text;
    cJSON_ArrayForEach(element, array) strings[(*count)++] = element_text(a, element);
    cJSON_Delete(array);
    return *count ? strings : NULL;
}

int column_enum(sqlite3_stmt *stmt, int column, int count)
{
    int64_t value = sqlite3_column_int64(stmt, column);
    return value >= 0 && value < count ? (int)value : -1;
}
