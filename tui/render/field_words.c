#include "tui/render/field_words.h"

#include <string.h>
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "tui/render/kind_fields.h"

static bool is_of_entry(enum kind kind, const char *name, const char *field)
{
    return (kind == KIND_ENTRY || kind == KIND_COUNT) && strcmp(name, field) == 0;
}

static void add_words(struct strbuf *out, const char *value)
{
    struct error not_json;
    size_t len = strlen(value);
    if (len == 0)
        strbuf_addstr(out, "null");
    else if (json_check(value, len, JSON_DEPTH_MAX, &not_json) == 0)
        json_minify(out, value, len);
    else
        json_add_string(out, value);
}

/* Words that can begin no JSON need no quotes for a shell to take away. */
static bool is_plain(const char *value)
{
    return *value && !strchr("{[\"", *value);
}

static int add_value(struct strbuf *out, enum kind kind, const char *name, const char *value,
                     int64_t now, struct error *e)
{
    bool json = is_of_entry(kind, name, "value") && !is_plain(value);
    bool time = is_of_entry(kind, name, "expires_at");
    bool text = is_of_entry(kind, name, "namespace") || is_of_entry(kind, name, "key");
    if (!json && !time && !text) {
        add_words(out, value);
        return 0;
    }
    if (value_read(out, json ? VALUE_JSON : time ? VALUE_TIME : VALUE_TEXT, value, now, e) == 0)
        return 0;
    error_prefix(e, "the field %s", name);
    e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code;
    return -1;
}

static int add_field(struct invocation *i, enum kind kind, const char *field, struct json_object *o,
                     struct error *e)
{
    const char *sign = strchr(field, '=');
    if (!sign || sign == field)
        return error_set(e, ERROR_USAGE, "Write --field NAME=VALUE.",
                         "'%.60s' is not a field and its value", field);
    if (!utf8_valid(field, strlen(field)))
        return error_set(e, ERROR_USAGE, "Write it in UTF-8.", "a field is not valid UTF-8");
    const char *name = arena_strndup(&i->arena, field, (size_t)(sign - field));
    if (!name)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    json_key(o, name);
    return add_value(o->out, kind, name, sign + 1, i->out.now, e);
}

int field_words(struct invocation *i, enum kind kind, const char **json, struct error *e)
{
    size_t count;
    const char **fields = option_list(i, "field", &count);
    struct strbuf all = STRBUF_INIT;
    struct json_object o = json_begin(&all, '{');
    int result = 0;
    for (size_t n = 0; n < count && !result; n++)
        result = add_field(i, kind, fields[n], &o, e);
    json_end(&o);
    *json = count && !all.failed ? arena_strndup(&i->arena, all.buf, all.len) : NULL;
    if (!result && count && !*json)
        result = error_set(e, ERROR_MEMORY, "", "memory ran out");
    strbuf_release(&all);
    return result;
}
