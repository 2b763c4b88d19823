#include "store/record/detail_member.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

struct json_slice detail_json(const char *detail)
{
    struct error ignored;
    size_t len = detail ? strlen(detail) : 0;
    if (len == 0 || json_check(detail, len, JSON_DEPTH_MAX, &ignored))
        return (struct json_slice){NULL, 0};
    return json_trim(detail, len);
}

struct json_slice detail_of(const struct memory *m)
{
    return detail_json(m->detail);
}

struct json_slice detail_member(const struct memory *m, const char *name)
{
    struct json_slice detail = detail_of(m);
    return detail.ptr ? json_member(detail.ptr, detail.len, name) : detail;
}

void detail_string(struct json_slice value, struct arena *arena, const char **out)
{
    *out = NULL;
    if (!value.ptr || value.len < 2 || value.ptr[0] != '"')
        return;
    char *text = arena_strndup(arena, value.ptr + 1, value.len - 2);
    size_t len = json_unescape(text, text, value.len - 2);
    text[len] = '\0';
    if (utf8_valid(text, len))
        *out = text;
}

void detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out)
{
    struct json_slice detail = detail_json(m->detail);
    *out = NULL;
    if (detail.ptr)
        detail_string(json_member(detail.ptr, detail.len, name), arena, out);
}

int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise)
{
    int64_t whole;
    struct json_slice value = detail_member(m, name);
    return value.ptr && json_integer(value, &whole) == 0 ? whole : otherwise;
}

void detail_drop(const char **detail, const char *member, struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    bool any = false;
    struct json_slice object = detail_json(*detail);
    if (!object.ptr)
        return;
    strbuf_addch(&out, '{');
    for (struct json_each it = json_each(object); json_next(&it);) {
        if (json_key_is(it.key, member))
            continue;
        strbuf_addstr(&out, any ? ",\"" : "\"");
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        strbuf_add(&out, it.value.ptr, it.value.len);
        any = true;
    }
    strbuf_addch(&out, '}');
    *detail = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
}
