#include "tui/text/member.h"

#include <string.h>
#include "model/base/arena.h"

struct json_slice member_of(const struct memory *m, const char *key)
{
    return m->detail ? json_member(m->detail, strlen(m->detail), key) : (struct json_slice){0};
}

const char *member_text(const struct memory *m, const char *key, struct arena *arena)
{
    struct json_slice value = member_of(m, key);
    if (!value.ptr || value.len < 2 || value.ptr[0] != '"')
        return NULL;
    char *text = arena_alloc(arena, value.len);
    if (text)
        text[json_unescape(text, value.ptr + 1, value.len - 2)] = '\0';
    return text && *text ? text : NULL;
}

int64_t member_int(const struct memory *m, const char *key, int64_t otherwise)
{
    int64_t number;
    struct json_slice value = member_of(m, key);
    return value.ptr && json_integer(value, &number) == 0 ? number : otherwise;
}
