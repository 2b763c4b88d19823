#include "tests/support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/story.h"

struct json_slice said_line(size_t index)
{
    struct error e;
    const char *at = story.p.out;
    for (; index && at; index--)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at || !strchr(at, '\n'))
        fail_msg("there are fewer lines: %s", story.p.out);
    struct json_slice line = {at, strcspn(at, "\n")};
    if (json_check(line.ptr, line.len, JSON_DEPTH_MAX, &e))
        fail_msg("%s", e.what);
    return line;
}

struct json_slice said_answer(void)
{
    struct json_slice line = said_line(0);
    assert_int_equal(line.len + 1, story.p.out_len);
    return line;
}

struct json_slice said_member(struct json_slice of, const char *name)
{
    struct json_slice value = json_member(of.ptr, of.len, name);
    if (!value.ptr)
        fail_msg("there is no %s in %.*s", name, (int)of.len, of.ptr);
    return value;
}

struct json_slice said_element(struct json_slice list, size_t index)
{
    struct json_each it = json_each(list);
    for (size_t i = 0; json_next(&it); i++)
        if (i == index)
            return it.value;
    fail_msg("there is no element %zu", index);
    return list;
}

size_t said_length(struct json_slice list)
{
    size_t count = 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        count++;
    return count;
}

void said_is(struct json_slice value, const char *text)
{
    if (value.len != strlen(text) || memcmp(value.ptr, text, value.len) != 0)
        fail_msg("it is %.*s and not %s", (int)value.len, value.ptr, text);
}

size_t said_count(const char *text)
{
    size_t count = 0;
    for (const char *at = story.p.out; (at = strstr(at, text)); at += strlen(text))
        count++;
    return count;
}
