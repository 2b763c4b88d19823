/* What those who read JSON as bytes share: bytes of a string that stand for themselves, \u escapes, where values
 * end. */
#ifndef STEMMA_JSON_SCAN_H
#define STEMMA_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Eight bytes at a time: 0x80 in each byte of the word that is zero or has that property. */
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

/* How many bytes from `s` on are printable ASCII that a JSON string holds as it is. */
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

/* The value of four hex digits, of which `len` bytes are there; -1: they are not. */
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

/* From an opening quote past the closing one, or to the end. */
const char *json_skip_string(const char *at, const char *end);
/* From the first byte of a value past its last. */
const char *json_skip_value(const char *at, const char *end);

#define IS_HIGH_SURROGATE(u) ((u) >= 0xd800 && (u) <= 0xdbff)
#define IS_LOW_SURROGATE(u)  ((u) >= 0xdc00 && (u) <= 0xdfff)

/*
 * The code unit, or the pair of them, whose first four digits are at `s`; *used is how many bytes from
 * `s` on they take (4, or 10). A surrogate without its partner comes back as it is; -1: no digits.
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
