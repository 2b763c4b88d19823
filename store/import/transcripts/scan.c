/* Moves over JSON that was not checked. */
#include "store/import/transcripts/scan.h"

#include <string.h>
#include "model/base/map.h"

struct scan scan_of(struct json_slice value)
{
    const char *at = value.ptr ? value.ptr : "";
    return (struct scan){at, at + (value.ptr ? value.len : 0), false};
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
        s->at++;
}

static void fail(struct scan *s)
{
    s->bad = true;
    s->at = s->end;
}

/* Moves behind the string at s->at. Strings are nearly all of a transcript: memchr finds their quotes, and the
 * backslashes before one tell whether it is the end. */
static void skip_string(struct scan *s)
{
    const char *begin = ++s->at;
    for (;;) {
        const char *quote = s->at < s->end ? memchr(s->at, '"', (size_t)(s->end - s->at)) : NULL;
        size_t slashes = 0;
        if (!quote) {
            fail(s);
            return;
        }
        while (quote - slashes > begin && quote[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        s->at = quote + 1;
        if (slashes % 2 == 0)
            return;
    }
}

/* Moves behind the object or array at s->at; its brackets are counted, not matched. */
static void skip_container(struct scan *s)
{
    size_t depth = 0;
    do {
        char c = *s->at;
        if (c == '"') {
            skip_string(s);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        s->at++;
    } while (depth && s->at < s->end);
    if (depth)
        fail(s);
}

static bool ends_scalar(char c)
{
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n' ||
           c == '"' || c == ':';
}

struct json_slice scan_value(struct scan *s)
{
    skip_space(s);
    const char *begin = s->at;
    if (s->at == s->end)
        fail(s);
    else if (*begin == '"')
        skip_string(s);
    else if (*begin == '{' || *begin == '[')
        skip_container(s);
    else
        while (s->at < s->end && !ends_scalar(*s->at))
            s->at++;
    if (s->at == begin)
        fail(s);
    if (s->bad)
        return (struct json_slice){NULL, 0};
    return (struct json_slice){begin, (size_t)(s->at - begin)};
}

bool scan_open(struct scan *s, char open)
{
    skip_space(s);
    if (s->at < s->end && *s->at == open) {
        s->at++;
        return true;
    }
    scan_value(s);
    return false;
}

/* At the next element, or behind the closing bracket. */
static bool next(struct scan *s, char close)
{
    skip_space(s);
    if (s->at < s->end && *s->at == ',') {
        s->at++;
        skip_space(s);
    }
    if (s->at == s->end) {
        fail(s);
        return false;
    }
    if (*s->at != close)
        return true;
    s->at++;
    return false;
}

bool scan_element(struct scan *s)
{
    return !s->bad && next(s, ']');
}

bool scan_member(struct scan *s, struct json_slice *key)
{
    if (s->bad || !next(s, '}'))
        return false;
    if (*s->at != '"') {
        fail(s);
        return false;
    }
    struct json_slice quoted = scan_value(s);
    skip_space(s);
    if (s->bad || s->at == s->end || *s->at != ':') {
        fail(s);
        return false;
    }
    s->at++;
    *key = (struct json_slice){quoted.ptr + 1, quoted.len - 2};
    skip_space(s);
    return true;
}

struct json_slice scan_find(struct scan *s, const char *name)
{
    struct json_slice key, found = {NULL, 0};
    if (!scan_open(s, '{'))
        return found;
    while (scan_member(s, &key)) {
        struct json_slice value = scan_value(s);
        if (scan_key_is(key, name))
            found = value;
    }
    return found;
}

struct json_slice string_or_none(struct json_slice value)
{
    return value.ptr && *value.ptr == '"' ? value : (struct json_slice){NULL, 0};
}

bool scan_key_is(struct json_slice key, const char *name)
{
    return key.len == strlen(name) && memcmp(key.ptr, name, key.len) == 0;
}

bool scan_is(struct json_slice value, const char *text)
{
    return value.ptr && value.len >= 2 && *value.ptr == '"' &&
           scan_key_is((struct json_slice){value.ptr + 1, value.len - 2}, text);
}

void scan_reset(struct scanned *out, enum scan_type type)
{
    *out = (struct scanned){.type = type, .call = out->call, .call_alloc = out->call_alloc};
}

/* Eight bytes at once: a multiplication for each byte would take longer than the rest of the scan. */
uint64_t scan_hash(const char *bytes, size_t len)
{
    uint64_t word, hash = FNV_BASIS;
    for (; len >= sizeof(word); bytes += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, bytes, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    for (; len; len--)
        hash = (hash ^ (unsigned char)*bytes++) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}
