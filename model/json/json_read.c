/* Reading checked JSON as slices of its text: members, elements, strings, numbers. */
#include "model/base/arena.h"
#include "model/base/alloc.h"
#include "model/json/json.h"

#include <math.h>
#include "model/json/json_scan.h"
#include "model/base/utf8.h"

/*
 * These functions expect text that json_check has accepted. They stay within bounds on any text, so
 * that a damaged value is misread at worst.
 */

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && json_is_space(*at))
        at++;
    return at;
}

/* A quote ends the string unless an odd number of backslashes precedes it. memchr makes this
 * fast for long strings. */
const char *json_skip_string(const char *at, const char *end)
{
    const char *text = ++at;
    while (at < end && (at = memchr(at, '"', (size_t)(end - at)))) {
        const char *slash = at;
        while (slash > text && slash[-1] == '\\')
            slash--;
        if ((at++ - slash) % 2 == 0)
            return at;
    }
    return end;
}

static const char *skip_container(const char *at, const char *end)
{
    size_t level = 0;
    while (at < end) {
        char c = *at;
        if (c == '"') {
            at = json_skip_string(at, end);
            continue;
        }
        at++;
        if (c == '{' || c == '[')
            level++;
        else if ((c == '}' || c == ']') && --level == 0)
            break;
    }
    return at;
}

const char *json_skip_value(const char *at, const char *end)
{
    if (at == end)
        return end;
    if (*at == '"')
        return json_skip_string(at, end);
    if (*at == '{' || *at == '[')
        return skip_container(at, end);
    while (at < end && !json_is_space(*at) && *at != ',' && *at != '}' && *at != ']')
        at++;
    return at;
}

struct json_slice json_trim(const char *text, size_t len)
{
    const char *end = text + len;
    const char *at = skip_space(text, end);
    while (end > at && json_is_space(end[-1]))
        end--;
    return (struct json_slice){at, (size_t)(end - at)};
}

struct json_each json_each(struct json_slice container)
{
    struct json_each it = {.at = container.ptr, .end = container.ptr};
    if (container.len < 2 || (*container.ptr != '{' && *container.ptr != '['))
        return it;
    it.is_object = *container.ptr == '{';
    it.at = container.ptr + 1;
    it.end = container.ptr + container.len - 1;
    return it;
}

bool json_next(struct json_each *it)
{
    it->at = skip_space(it->at, it->end);
    if (it->at == it->end)
        return false;
    if (it->is_object) {
        const char *key = it->at;
        it->at = json_skip_string(it->at, it->end);
        it->key.ptr = key + 1;
        it->key.len = it->at - key >= 2 ? (size_t)(it->at - key) - 2 : 0;
        it->at = skip_space(it->at, it->end);
        it->at += it->at < it->end; /* the colon */
        it->at = skip_space(it->at, it->end);
    }
    it->value.ptr = it->at;
    it->at = json_skip_value(it->at, it->end);
    it->value.len = (size_t)(it->at - it->value.ptr);
    it->at = skip_space(it->at, it->end);
    it->at += it->at < it->end; /* the comma */
    return true;
}

size_t json_count(struct json_slice container)
{
    size_t count = 0;
    for (struct json_each it = json_each(container); json_next(&it);)
        count++;
    return count;
}

static size_t unescape_unit(char *out, const char *s, size_t len, size_t *used)
{
    int32_t unit = json_escaped(s, len, used);
    if (*used > len)
        *used = len;
    if (unit < 0)
        return 0;
    if (IS_HIGH_SURROGATE(unit) || IS_LOW_SURROGATE(unit)) {
        /* Half of a pair becomes three invalid bytes, so that a later repair finds it. */
        out[0] = (char)0xed;
        out[1] = (char)(0x80 | (unit >> 6 & 0x3f));
        out[2] = (char)(0x80 | (unit & 0x3f));
        return 3;
    }
    return (size_t)utf8_encode((uint32_t)unit, out);
}

/* Resolves the byte or the escape at `s` (len > 0) into at most 4 bytes. *used is how many bytes
 * of `s` it takes. */
static size_t unescape_next(char out[4], const char *s, size_t len, size_t *used)
{
    static const char codes[] = "bfnrt", means[] = "\b\f\n\r\t";
    if (*s != '\\' || len == 1) {
        *used = 1;
        out[0] = *s;
        return 1;
    }
    if (s[1] == 'u') {
        size_t written = unescape_unit(out, s + 2, len - 2, used);
        *used += 2;
        return written;
    }
    const char *code = memchr(codes, s[1], sizeof(codes) - 1);
    *used = 2;
    out[0] = code ? means[code - codes] : s[1];
    return 1;
}

size_t json_unescape(char *out, const char *s, size_t len)
{
    size_t written = 0, used;
    for (size_t i = 0; i < len; i += used) {
        size_t run = json_plain_run(s + i, len - i);
        memmove(out + written, s + i, run);
        written += run;
        i += run;
        used = 0;
        if (i < len)
            written += unescape_next(out + written, s + i, len - i, &used);
    }
    return written;
}

char *json_text(struct arena *a, struct json_slice value, size_t *len)
{
    if (len)
        *len = 0;
    if (!value.ptr || value.len < 2 || value.ptr[0] != '"')
        return NULL;
    char *text = arena_strndup(a, value.ptr + 1, value.len - 2);
    size_t n = json_unescape(text, text, value.len - 2);
    text[n] = '\0';
    if (len)
        *len = n;
    return text;
}

char *json_text_repaired(struct arena *a, struct json_slice value)
{
    size_t len;
    char *text = json_text(a, value, &len);
    return text && !utf8_valid(text, len) ? utf8_repaired(a, text, len) : text;
}

char *json_get_text(struct arena *a, struct json_slice object, const char *key)
{
    return json_text_repaired(a, json_get(object, key));
}

void json_add_plain(struct strbuf *out, struct json_slice value)
{
    if (value.len < 2 || *value.ptr != '"') {
        strbuf_add(out, value.ptr, value.len);
        return;
    }
    strbuf_grow(out, value.len);
    out->len += json_unescape(out->buf + out->len, value.ptr + 1, value.len - 2);
    out->buf[out->len] = '\0';
}

bool json_key_is(struct json_slice key, const char *name)
{
    size_t len = strlen(name), used;
    /* An escape is longer than its character, so a shorter key cannot match. */
    if (!key.ptr || key.len < len || (key.len == len && memcmp(key.ptr, name, len) != 0))
        return false;
    if (memchr(key.ptr, '\\', key.len) == NULL)
        return key.len == len;
    for (size_t i = 0; i < key.len; i += used) {
        char bytes[4];
        size_t written = unescape_next(bytes, key.ptr + i, key.len - i, &used);
        if (written > len || memcmp(bytes, name, written) != 0)
            return false;
        name += written;
        len -= written;
    }
    return len == 0;
}

bool json_key_is_any(struct json_slice key, const char *const *names)
{
    while (*names && !json_key_is(key, *names))
        names++;
    return *names != NULL;
}

struct json_slice json_member(const char *text, size_t len, const char *key)
{
    struct json_each it = json_each(json_trim(text, len));
    while (it.is_object && json_next(&it))
        if (json_key_is(it.key, key))
            return it.value;
    return (struct json_slice){NULL, 0};
}

struct json_slice json_get(struct json_slice object, const char *key)
{
    struct json_slice value = object.ptr ? json_member(object.ptr, object.len, key) : object;
    return value.ptr && *value.ptr != 'n' ? value : (struct json_slice){NULL, 0};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Was nothing rounded away? If the result is 0, no digit may be nonzero; without an exponent,
 * none after the point. */
static bool is_exact(struct json_slice value, double number)
{
    size_t mantissa = 0;
    while (mantissa < value.len && (value.ptr[mantissa] | 0x20) != 'e')
        mantissa++;
    const char *end = value.ptr + mantissa, *point = memchr(value.ptr, '.', mantissa);
    const char *at = number == 0 ? value.ptr : mantissa == value.len && point ? point : end;
    while (at < end && (*at < '1' || *at > '9'))
        at++;
    return at == end;
}

int json_integer(struct json_slice value, int64_t *out)
{
    double number;
    uint64_t total = 0;
    size_t i = value.len > 0 && *value.ptr == '-';
    size_t digits = i;
    for (; i < value.len && is_digit(value.ptr[i]); i++)
        if (__builtin_mul_overflow(total, 10u, &total) ||
            __builtin_add_overflow(total, (uint64_t)(value.ptr[i] - '0'), &total))
            return -1;
    if (i == value.len && i > digits) {
        bool negative = digits == 1;
        if (total > (uint64_t)INT64_MAX + negative)
            return -1;
        *out = negative ? (int64_t)(0 - total) : (int64_t)total;
        return 0;
    }
    /* 1e3 and 5.0 are whole numbers too, if a double holds them exactly. */
    if (json_double(value, &number) || number != floor(number) || !is_exact(value, number) ||
        fabs(number) > 0x1p53)
        return -1;
    *out = (int64_t)number;
    return 0;
}

static int parse_copy(struct json_slice value, double *out)
{
    char few[64];
    char *copy = value.len < sizeof(few) ? few : xmalloc(value.len + 1);
    memcpy(copy, value.ptr, value.len);
    copy[value.len] = '\0';
    char *end;
    *out = strtod(copy, &end);
    int bad = *end || end == copy || !isfinite(*out);
    if (copy != few)
        free(copy);
    return bad ? -1 : 0;
}

int json_double(struct json_slice value, double *out)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (value.len == 0 || !strchr("-0123456789", *value.ptr))
        return -1;
    /* Up to 15 digits and a power of ten are exact in a double, so their quotient is rounded once. */
    int64_t digits = 0;
    size_t i = *value.ptr == '-', count = 0, after = 0;
    bool point = false;
    for (; i < value.len && count < 16; i++) {
        if (value.ptr[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            break;
        digits = digits * 10 + (value.ptr[i] - '0');
        count++;
        after += point;
    }
    if (i < value.len || count == 0 || count > 15)
        return parse_copy(value, out);
    double magnitude = (double)digits / powers[after];
    *out = *value.ptr == '-' ? -magnitude : magnitude;
    return 0;
}

static bool is_amount(struct json_slice value)
{
    double number;
    return json_double(value, &number) == 0 && number >= 0;
}

bool json_is_amounts(struct json_slice value)
{
    bool all = value.len > 0 && *value.ptr == '{';
    for (struct json_each it = json_each(value); all && json_next(&it);)
        all = is_amount(it.value);
    return all || is_amount(value);
}
