#include "canonical.h"

#include <string.h>
#include "../model/json.h"

/* In the order of their code points. */
static const struct member {
    const char *name;
    size_t offset;
    bool is_text;
} members[] = {
#define TEXT(key, field)                                                                           \
    {                                                                                              \
        key, offsetof(struct canonical, field), true                                               \
    }
#define NUMBER(key, field)                                                                         \
    {                                                                                              \
        key, offsetof(struct canonical, field), false                                              \
    }
    TEXT("actor", actor),
    TEXT("after", after),
    TEXT("agent", agent),
    NUMBER("at", at),
    TEXT("before", before),
    TEXT("class", class_name),
    TEXT("correlation", correlation),
    TEXT("operation", operation),
    TEXT("origin", origin),
    TEXT("patch", patch),
    TEXT("ref", ref),
    NUMBER("seq", seq),
    NUMBER("session", session),
#undef TEXT
#undef NUMBER
};
#define MEMBER_COUNT (sizeof(members) / sizeof(members[0]))

void canonical_write(struct strbuf *out, const struct canonical *c)
{
    struct json_object o = json_begin(out, '{');
    for (const struct member *m = members; m < members + MEMBER_COUNT; m++) {
        const void *field = (const char *)c + m->offset;
        if (m->is_text ? !*(const char *const *)field : !*(const int64_t *)field)
            continue;
        json_key(&o, m->name);
        if (m->is_text)
            json_add_ascii(out, *(const char *const *)field);
        else
            json_add_int(out, *(const int64_t *)field);
    }
    json_end(&o);
}

static int read_member(void *field, bool is_text, struct arena *arena, struct json_slice value)
{
    if (!is_text)
        return json_integer(value, field);
    if (value.ptr[0] != '"')
        return -1;
    char *text = arena_alloc(arena, value.len);
    if (!text)
        return -1;
    text[json_unescape(text, value.ptr + 1, value.len - 2)] = '\0';
    *(const char **)field = text;
    return 0;
}

int canonical_read(struct canonical *out, struct arena *arena, const char *text, size_t len)
{
    struct error ignored;
    *out = (struct canonical){0};
    if (!text || !len || text[0] != '{' || json_check(text, len, 1, &ignored))
        return -1;
    for (struct json_each it = json_each((struct json_slice){text, len}); json_next(&it);) {
        const struct member *m = members;
        while (m < members + MEMBER_COUNT && !json_key_is(it.key, m->name))
            m++;
        if (m == members + MEMBER_COUNT ||
            read_member((char *)out + m->offset, m->is_text, arena, it.value))
            return -1;
    }
    return out->actor && out->operation && out->seq ? 0 : -1;
}
