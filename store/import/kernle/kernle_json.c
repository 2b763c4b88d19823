#include "store/import/kernle/kernle_map.h"

#include "model/base/utf8.h"

/* Half a surrogate pair and broken UTF-8 in a string pass: its text is repaired when it is read. */
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
        map->failed |= e.code == ERROR_MEMORY;
        mapping_report(map, field, "is no JSON; taken as none");
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
    mapping_report(map, field, "is %s, not a list; taken as none",
                   slice_is(json, '{') ? "an object" : "a single value");
    mapping_keep(map, field, KEEP_CELL);
    return (struct json_slice){NULL, 0};
}

const char *mapping_string(struct kernle_mapping *map, struct json_slice value)
{
    if (!slice_is(value, '"') || value.len < 2)
        return NULL;
    char *text = mapping_alloc(map, value.len, 1);
    if (!text)
        return NULL;
    size_t len = json_unescape(text, value.ptr + 1, value.len - 2);
    text[len] = '\0';
    if (utf8_valid(text, len))
        return text;
    struct strbuf repaired = STRBUF_INIT;
    utf8_repair(&repaired, text, len);
    return mapping_take(map, &repaired);
}

const char *mapping_member(struct kernle_mapping *map, struct json_slice object, const char *name)
{
    const char *text = mapping_string(map, json_member(object.ptr, object.len, name));
    return text && *text ? text : NULL;
}

static bool is_known(struct json_slice key, const char *const *known)
{
    for (; *known; known++)
        if (json_key_is(key, *known))
            return true;
    return false;
}

const char *mapping_leftover(struct kernle_mapping *map, struct json_slice object,
                             const char *const *known)
{
    struct strbuf rest = STRBUF_INIT;
    struct json_each it = json_each(object);
    while (json_next(&it)) {
        if (is_known(it.key, known) || slice_is(it.value, 'n'))
            continue;
        strbuf_addstr(&rest, rest.len ? ",\"" : "{\"");
        utf8_repair(&rest, it.key.ptr, it.key.len);
        strbuf_addstr(&rest, "\":");
        struct strbuf clean = STRBUF_INIT;
        utf8_repair(&clean, it.value.ptr, it.value.len);
        json_minify(&rest, clean.buf, clean.len);
        strbuf_release(&clean);
    }
    if (rest.len == 0)
        return NULL;
    strbuf_addch(&rest, '}');
    return mapping_take(map, &rest);
}

/* ---- lists ---- */

/* An item of a list as text, a number by its digits. NULL for what is neither. */
static const char *item_text(struct kernle_mapping *map, struct json_slice item)
{
    if (slice_is(item, '"'))
        return mapping_string(map, item);
    return item.len && strchr("-0123456789", *item.ptr) ? mapping_copy(map, item.ptr, item.len)
                                                        : NULL;
}

static size_t array_count(struct json_slice array)
{
    size_t count = 0;
    for (struct json_each it = json_each(array); json_next(&it);)
        count++;
    return count;
}

struct kernle_list mapping_list(struct kernle_mapping *map, enum kernle_field field)
{
    struct json_slice array = mapping_array(map, field);
    struct kernle_list list = {mapping_alloc(map, array_count(array), sizeof(*list.items)), 0};
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
