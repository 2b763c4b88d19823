#include "kernle_map.h"

#include "../model/alloc.h"
#include "../model/json.h"

/* Does a \u0000 escape begin at `s`? A backslash before it was stepped over with what it escapes. */
static bool is_nul_escape(const char *s, size_t len)
{
    return len >= 6 && memcmp(s, "\\u0000", 6) == 0;
}

const char *kernle_json_text(struct kernle_mapping *map, const char *text, size_t len,
                             bool *replaced)
{
    struct error e;
    if (replaced)
        *replaced = false;
    if (json_check(text, len, JSON_DEPTH_MAX, &e))
        return NULL;
    char *copy = arena_strndup(map->arena, text, len);
    if (!copy) {
        map->failed = true;
        return NULL;
    }
    for (size_t i = 0; i + 1 < len; i++) {
        if (copy[i] != '\\')
            continue;
        if (is_nul_escape(copy + i, len - i)) {
            memcpy(copy + i, "\\ufffd", 6);
            if (replaced)
                *replaced = true;
        }
        i++;
    }
    return copy;
}

static bool is_blank(const struct cell *cell)
{
    for (size_t i = 0; i < cell->len; i++)
        if (!strchr(" \t\r\n", cell->bytes[i]) || !cell->bytes[i])
            return false;
    return true;
}

cJSON *mapping_json(struct kernle_mapping *map, enum kernle_field field)
{
    const struct cell *cell = mapping_cell(map, field);
    if (!cell || (cell->type >= CELL_TEXT && is_blank(cell)))
        return NULL;
    bool replaced;
    const char *text =
        cell->type < CELL_TEXT ? NULL : kernle_json_text(map, cell->bytes, cell->len, &replaced);
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    if (json && cJSON_IsNull(json)) {
        cJSON_Delete(json);
        return NULL;
    }
    if (!json) {
        mapping_report(map, field, "is no JSON; taken as none");
        mapping_keep(map, field, KEEP_CELL);
    } else if (replaced) {
        mapping_report(map, field, "holds a NUL, which was replaced");
        mapping_keep(map, field, KEEP_CELL);
    }
    return json;
}

/* An item of a list as text: a number by its digits. NULL for what is neither. */
static const char *item_text(struct kernle_mapping *map, const cJSON *item)
{
    if (cJSON_IsString(item))
        return mapping_copy(map, item->valuestring, strlen(item->valuestring));
    if (!cJSON_IsNumber(item))
        return NULL;
    struct strbuf text = STRBUF_INIT;
    json_add_double(&text, item->valuedouble);
    const char *copy = mapping_copy(map, text.buf, text.len);
    strbuf_release(&text);
    return copy;
}

static void take_items(struct kernle_mapping *map, enum kernle_field field, const cJSON *array,
                       struct kernle_list *list)
{
    size_t count = 0, odd = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) count++;
    list->items = mapping_alloc(map, count, sizeof(*list->items));
    if (!list->items)
        return;
    cJSON_ArrayForEach(item, array)
    {
        const char *text = item_text(map, item);
        if (text)
            list->items[list->count++] = text;
        else if (!cJSON_IsNull(item))
            odd++;
    }
    if (odd) {
        mapping_report(map, field, "has %zu items that are no text; left out", odd);
        mapping_keep(map, field, KEEP_CELL);
    }
}

struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field)
{
    struct kernle_list list = {NULL, 0};
    cJSON *json = mapping_json(map, field);
    if (cJSON_IsArray(json)) {
        take_items(map, field, json, &list);
    } else if (json) {
        mapping_report(map, field, "is %s, not a list; taken as none",
                       cJSON_IsObject(json) ? "an object" : "a single value");
        mapping_keep(map, field, KEEP_CELL);
    }
    cJSON_Delete(json);
    return list;
}

struct numbered {
    const char *text;
    size_t at;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

void kernle_list_unique(struct kernle_mapping *map, struct kernle_list *list)
{
    struct numbered *sorted = mapping_alloc(map, list->count, sizeof(*sorted));
    if (!sorted || list->count < 2)
        return;
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = (struct numbered){list->items[i], i};
    qsort(sorted, list->count, sizeof(*sorted), compare_numbered);
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(sorted[i].text, sorted[i - 1].text) == 0)
            list->items[sorted[i].at] = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static bool is_known(const char *name, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

const char *mapping_leftover(struct kernle_mapping *map, const cJSON *object,
                             const char *const *known)
{
    cJSON *rest = cJSON_CreateObject();
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        if (is_known(item->string, known) || cJSON_IsNull(item))
            continue;
        cJSON *copy = cJSON_Duplicate(item, true);
        if (!rest || !copy || !cJSON_AddItemToObject(rest, item->string, copy)) {
            cJSON_Delete(copy);
            map->failed = true;
        }
    }
    const char *text = "";
    char *printed = rest && rest->child ? cJSON_PrintUnformatted(rest) : NULL;
    if (printed)
        text = mapping_copy(map, printed, strlen(printed));
    else if (rest && rest->child)
        map->failed = true;
    cJSON_free(printed);
    cJSON_Delete(rest);
    return text ? text : "";
}
