/* Shared by all code that reads JSON as bytes: plain characters of a string, \u escapes, the end
 * of a value. */
#ifndef STEMMA_JSON_SCAN_H
#define STEMMA_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Test eight bytes at a time. The result is 0 if no byte of the word has the property. Otherwise its
 * lowest 0x80 is in the first such byte; higher ones may be wrong, because a borrow passes on. */
#define JSON_ONES        UINT64_C(0x0101010101010101)
#define JSON_HIGH        UINT64_C(0x8080808080808080)
#define JSON_ZERO(w)     (((w)-JSON_ONES) & ~(w)&JSON_HIGH)
#define JSON_IS(w, c)    JSON_ZERO((w) ^ (JSON_ONES * (c)))
#define JSON_BELOW_20(w) (((w)-JSON_ONES * 0x20) & ~(w)&JSON_HIGH)

static inline int json_is_plain(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 0x20 && u < 0x7f && u != '"' && u != '\\';
}

/* How many bytes from `s` on are printable ASCII that needs no escape in a JSON string. */
static inline size_t json_plain_run(const char *s, size_t len)
{
    size_t i = 0;
    for (; len - i >= 8; i += 8) {
        uint64_t w;
        __builtin_memcpy(&w, s + i, 8);
        if ((w & JSON_HIGH) | JSON_BELOW_20(w) | JSON_IS(w, '"') | JSON_IS(w, '\\') |
            JSON_IS(w, 0x7f))
            break;
    }
    while (i < len && json_is_plain(s[i]))
        i++;
    return i;
}

static inline int json_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The value of four hex digits at `s`, where `len` bytes are left. Returns -1 if they are not
 * four hex digits. */
static inline int32_t json_hex4(const char *s, size_t len)
{
    int32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = i < len ? s[i] : 0;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* From an opening quote: returns the position after the closing one, or `end`. */
const char *json_skip_string(const char *at, const char *end);
/* From the first byte of a value: returns the position after its last. */
const char *json_skip_value(const char *at, const char *end);

#define IS_HIGH_SURROGATE(u) ((u) >= 0xd800 && (u) <= 0xdbff)
#define IS_LOW_SURROGATE(u)  ((u) >= 0xdc00 && (u) <= 0xdfff)

/*
 * Reads a \u escape, or a surrogate pair of two, whose first four digits are at `s`. *used is how
 * many bytes from `s` on it takes: 4 or 10. A lone surrogate is returned as it is. Returns -1 if
 * there are no four hex digits.
 */
static inline int32_t json_escaped(const char *s, size_t len, size_t *used)
{
    int32_t unit = json_hex4(s, len);
    *used = 4;
    if (!IS_HIGH_SURROGATE(unit) || len < 10 || s[4] != '\\' || s[5] != 'u')
        return unit;
    int32_t low = json_hex4(s + 6, len - 6);
    if (!IS_LOW_SURROGATE(low))
        return unit;
    *used = 10;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

#endif
