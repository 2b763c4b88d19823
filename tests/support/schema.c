#include "tests/support/schema.h"

#include <stdio.h>
#include <string.h>

struct validation {
    char *why;
    size_t size;
    char path[512];
};

static bool wrong(struct validation *v, const char *how)
{
    snprintf(v->why, v->size, "%s %s", *v->path ? v->path : "it", how);
    return false;
}

static struct json_slice of(struct json_slice object, const char *key)
{
    return json_member(object.ptr, object.len, key);
}

static bool is_string(struct json_slice value, const char *text)
{
    return value.len == strlen(text) + 2 && memcmp(value.ptr + 1, text, value.len - 2) == 0;
}

static bool is_type(struct json_slice type, struct json_slice value)
{
    int64_t whole;
    char c = value.ptr[0];
    if (is_string(type, "string"))
        return c == '"';
    if (is_string(type, "object"))
        return c == '{';
    if (is_string(type, "array"))
        return c == '[';
    if (is_string(type, "boolean"))
        return c == 't' || c == 'f';
    if (is_string(type, "null"))
        return c == 'n';
    if (is_string(type, "integer"))
        return json_integer(value, &whole) == 0;
    return is_string(type, "number") && (c == '-' || (c >= '0' && c <= '9'));
}

static bool fits_type(struct json_slice type, struct json_slice value)
{
    if (!type.ptr || type.ptr[0] == '"')
        return !type.ptr || is_type(type, value);
    for (struct json_each it = json_each(type); json_next(&it);)
        if (is_type(it.value, value))
            return true;
    return false;
}

static bool fits_enum(struct json_slice choices, struct json_slice value)
{
    if (!choices.ptr)
        return true;
    for (struct json_each it = json_each(choices); json_next(&it);)
        if (it.value.len == value.len && memcmp(it.value.ptr, value.ptr, value.len) == 0)
            return true;
    return false;
}

static size_t count_of(struct json_slice value)
{
    size_t count = 0;
    for (struct json_each it = json_each(value); json_next(&it);)
        count++;
    return value.ptr[0] == '"' ? value.len - 2 : count;
}

static bool fits_bounds(struct json_slice schema, struct json_slice value)
{
    static const struct {
        const char *keyword;
        bool counts, most;
    } bounds[] = {{"minimum", false, false},
                  {"maximum", false, true},
                  {"minItems", true, false},
                  {"maxItems", true, true},
                  {"minLength", true, false}};
    for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
        struct json_slice bound = of(schema, bounds[i].keyword);
        double limit, number = 0;
        if (!bound.ptr || json_double(bound, &limit))
            continue;
        if (bounds[i].counts)
            number = (double)count_of(value);
        else if (json_double(value, &number))
            continue;
        if (bounds[i].most ? number > limit : number < limit)
            return false;
    }
    return true;
}

static bool knows_keywords(struct validation *v, struct json_slice schema)
{
    static const char *const known[] = {"type",       "description",
                                        "enum",       "minimum",
                                        "maximum",    "minItems",
                                        "maxItems",   "items",
                                        "minLength",  "default",
                                        "properties", "required",
                                        "nullable",   "additionalProperties",
                                        "maxLength",  "if",
                                        "then",       "else"};
    for (struct json_each it = json_each(schema); json_next(&it);) {
        bool found = false;
        for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
            found |= json_key_is(it.key, known[i]);
        if (!found)
            return wrong(v, "has a schema with a keyword that is not known");
    }
    return true;
}

static bool fits(struct validation *v, struct json_slice schema, struct json_slice value);

static bool fits_below(struct validation *v, const char *name, size_t len, struct json_slice schema,
                       struct json_slice value)
{
    size_t was = strlen(v->path);
    snprintf(v->path + was, sizeof(v->path) - was, ".%.*s", (int)len, name);
    bool good = fits(v, schema, value);
    v->path[was] = '\0';
    return good;
}

static bool fits_members(struct validation *v, struct json_slice schema, struct json_slice value)
{
    struct json_slice properties = of(schema, "properties");
    struct json_slice more = of(schema, "additionalProperties");
    for (struct json_each it = json_each(value); json_next(&it);) {
        struct json_slice member = {NULL, 0};
        for (struct json_each p = json_each(properties); properties.ptr && json_next(&p);)
            if (p.key.len == it.key.len && memcmp(p.key.ptr, it.key.ptr, p.key.len) == 0)
                member = p.value;
        if (!member.ptr && more.ptr && more.ptr[0] == 'f')
            return wrong(v, "has a member that is not allowed");
        if (member.ptr && !fits_below(v, it.key.ptr, it.key.len, member, it.value))
            return false;
    }
    struct json_slice required = of(schema, "required");
    for (struct json_each it = json_each(required); required.ptr && json_next(&it);) {
        char name[128];
        snprintf(name, sizeof(name), "%.*s", (int)it.value.len - 2, it.value.ptr + 1);
        if (!of(value, name).ptr)
            return wrong(v, "lacks a member that is required");
    }
    return true;
}

static bool fits(struct validation *v, struct json_slice schema, struct json_slice value)
{
    if (!knows_keywords(v, schema))
        return false;
    struct json_slice nullable = of(schema, "nullable");
    if (nullable.ptr && nullable.ptr[0] == 't' && value.ptr[0] == 'n')
        return true;
    if (!fits_type(of(schema, "type"), value))
        return wrong(v, "is of another type");
    if (!fits_enum(of(schema, "enum"), value))
        return wrong(v, "is not an allowed value");
    if (!fits_bounds(schema, value))
        return wrong(v, "is out of bounds");
    if (value.ptr[0] == '{' && !fits_members(v, schema, value))
        return false;
    if (of(schema, "if").ptr) /* for an answer: is it a failure? */
        return fits(v, of(schema, of(value, "error").ptr ? "then" : "else"), value);
    struct json_slice items = of(schema, "items");
    for (struct json_each it = json_each(value);
         value.ptr[0] == '[' && items.ptr && json_next(&it);)
        if (!fits_below(v, "[]", 2, items, it.value))
            return false;
    return true;
}

bool schema_fits(struct json_slice schema, struct json_slice value, char *why, size_t size)
{
    struct validation v = {.why = why, .size = size};
    return fits(&v, schema, value);
}
