/* The view of a text that patterns match: digits of other scripts, full-width forms, %40 and
 * JSON escapes are decoded, zero-width characters removed. */
#include "model/pii/pii_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/json/json_scan.h"

#define REPLACEMENT 0xfffd

struct range {
    uint32_t first, last;
};

static bool is_within(const struct range *ranges, size_t count, uint32_t c)
{
    for (size_t i = 0; i < count && c >= ranges[i].first; i++)
        if (c <= ranges[i].last)
            return true;
    return false;
}

/* Characters without width, which can hide between two digits. */
static bool has_no_width(uint32_t c)
{
    static const struct range ranges[] = {
        {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},   {0x115f, 0x1160}, {0x17b4, 0x17b5},
        {0x180b, 0x180f},   {0x200b, 0x200f},  {0x202a, 0x202e}, {0x2060, 0x206f}, {0x20e3, 0x20e3},
        {0x3164, 0x3164},   {0xfe00, 0xfe0f},  {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    return is_within(ranges, sizeof(ranges) / sizeof(*ranges), c);
}

static bool is_dash(uint32_t c)
{
    static const struct range ranges[] = {
        {0x2010, 0x2015}, {0x2043, 0x2043}, {0x2212, 0x2212}, {0xfe58, 0xfe58}, {0xfe63, 0xfe63}};
    return is_within(ranges, sizeof(ranges) / sizeof(*ranges), c);
}

/* The ASCII digit for a decimal digit of another script, or 0 if it is none. */
static uint32_t as_digit(uint32_t c)
{
    static const uint32_t zeros[] = {0x660, 0x6f0,  0x7c0,  0x966,  0x9e6,  0xa66,  0xae6,
                                     0xb66, 0xbe6,  0xc66,  0xce6,  0xd66,  0xe50,  0xed0,
                                     0xf20, 0x1040, 0x17e0, 0x1810, 0xff10, 0x1fbf0};
    for (size_t i = 0; i < sizeof(zeros) / sizeof(*zeros) && c >= zeros[i]; i++)
        if (c < zeros[i] + 10)
            return '0' + c - zeros[i];
    return c >= 0x1d7ce && c <= 0x1d7ff ? '0' + (c - 0x1d7ce) % 10 : 0;
}

/* All code points in this range are read as themselves. */
#define ITSELF_FIRST 0x3165
#define ITSELF_LAST  0xfdff

uint32_t pii_reads_as(uint32_t c)
{
    if (c < 0x80 || (c >= ITSELF_FIRST && c <= ITSELF_LAST))
        return c;
    uint32_t digit = as_digit(c);
    if (digit)
        return digit;
    if (c >= 0xff01 && c <= 0xff5e)
        return c - 0xff01 + '!';
    if (has_no_width(c))
        return PII_NOTHING;
    if (is_dash(c))
        return '-';
    if (c == 0xfe6b)
        return '@';
    if (c == 0x3002 || c == 0xff61) /* full stops that names of hosts may have */
        return '.';
    if (c == 0x85 || c == 0x2028 || c == 0x2029)
        return '\n';
    return utf8_is_space(c) ? ' ' : c;
}

/* Decodes the escape at `s` (len > 0). Returns its length. */
static size_t escape_at(const char *s, size_t len, uint32_t *code_point)
{
    static const char codes[] = "bfnrt", means[] = "\b\f\n\r\t";
    if (len < 2 || (unsigned char)s[1] >= 0x80) {
        *code_point = '\\';
        return 1;
    }
    if (s[1] == 'u') {
        size_t used;
        int32_t unit = json_escaped(s + 2, len - 2, &used);
        bool whole = unit >= 0 && !IS_HIGH_SURROGATE(unit) && !IS_LOW_SURROGATE(unit);
        *code_point = whole ? (uint32_t)unit : REPLACEMENT;
        return 2 + (used < len - 2 ? used : len - 2);
    }
    const char *code = memchr(codes, s[1], sizeof(codes) - 1);
    *code_point = code ? (unsigned char)means[code - codes] : (unsigned char)s[1];
    return 2;
}

#define DEEPEST 16 /* the most backslashes before the u of an escape */

/* \\u0040: an escape within a string within a string. Returns its length, or 0 if there is none. */
static size_t deep_escape_at(const char *s, size_t len, uint32_t *code_point)
{
    size_t n = 0, used;
    while (n < len && n < DEEPEST && s[n] == '\\')
        n++;
    if (n == len || s[n] != 'u')
        return 0;
    int32_t unit = json_escaped(s + n + 1, len - n - 1, &used);
    if (unit < ' ' || used != 4 || IS_HIGH_SURROGATE(unit) || IS_LOW_SURROGATE(unit))
        return 0;
    *code_point = (uint32_t)unit;
    return n + 5;
}

/* Decodes one code point, escapes included. Returns its length. */
static size_t unit_at(const char *s, size_t len, bool escaped, uint32_t *code_point)
{
    size_t deep = *s == '\\' ? deep_escape_at(s, len, code_point) : 0;
    if (deep)
        return deep;
    if (escaped && *s == '\\')
        return escape_at(s, len, code_point);
    int n = utf8_decode(s, len, code_point);
    if (n == 0)
        *code_point = REPLACEMENT;
    return n ? (size_t)n : 1;
}

/* Decodes the two hex digits after a percent sign. Returns their length, or 0 if they do not
 * encode a printable ASCII character. */
static size_t percent_at(const char *s, size_t len, bool escaped, uint32_t *code_point)
{
    size_t used = 0;
    int value = 0;
    for (int digits = 0; digits < 2;) {
        uint32_t c;
        if (used >= len)
            return 0;
        used += unit_at(s + used, len - used, escaped, &c);
        c = pii_reads_as(c);
        if (c == PII_NOTHING)
            continue;
        if (hex_digit(c) < 0)
            return 0;
        value = value * 16 + hex_digit(c);
        digits++;
    }
    if (value < ' ' || value > '~')
        return 0;
    *code_point = (uint32_t)value;
    return used;
}

/* Reads one code point of the view. Returns its length in the raw text. */
static size_t reading_at(const char *s, size_t len, bool escaped, uint32_t *code_point)
{
    size_t used = unit_at(s, len, escaped, code_point);
    *code_point = pii_reads_as(*code_point);
    return *code_point == '%' ? used + percent_at(s + used, len - used, escaped, code_point) : used;
}

static bool is_plain(const char *s, size_t len, bool escaped)
{
    unsigned char high = 0;
    for (size_t i = 0; i < len; i++)
        high |= (unsigned char)s[i];
    return high < 0x80 && !memchr(s, '%', len) &&
           !(escaped ? memchr(s, '\\', len) : memmem(s, len, "\\u", 2));
}

/* An invalid byte becomes three bytes; all else does not get longer. */
static void make_room(struct pii_view *v)
{
    if (v->raw_len > SIZE_MAX / 3 / sizeof(*v->at))
        alloc_fail();
    v->own = xmalloc(3 * v->raw_len);
    v->at = xmalloc(3 * v->raw_len * sizeof(*v->at));
}

void pii_view_open(struct pii_view *v, const char *raw, size_t len, bool escaped)
{
    *v = (struct pii_view){.text = raw, .len = len, .raw = raw, .raw_len = len, .escaped = escaped};
    if (is_plain(raw, len, escaped))
        return;
    make_room(v);
    size_t written = 0;
    for (size_t i = 0, used; i < len; i += used) {
        uint32_t c;
        used = reading_at(raw + i, len - i, escaped, &c);
        if (c == PII_NOTHING)
            continue;
        int n = utf8_encode(c, v->own + written);
        for (int k = 0; k < n; k++)
            v->at[written++] = i;
    }
    v->text = v->own;
    v->len = written;
}

void pii_view_close(struct pii_view *v)
{
    free(v->own);
    free(v->at);
    v->own = NULL;
    v->at = NULL;
}

size_t pii_view_start(const struct pii_view *v, size_t i)
{
    if (!v->at)
        return i;
    return i < v->len ? v->at[i] : v->raw_len;
}

size_t pii_view_end(const struct pii_view *v, size_t i)
{
    uint32_t c;
    if (!v->at)
        return i;
    size_t at = v->at[i - 1];
    return at + reading_at(v->raw + at, v->raw_len - at, v->escaped, &c);
}

size_t pii_view_place(const struct pii_view *v, size_t from)
{
    if (!v->at)
        return from < v->len ? from : v->len;
    size_t low = 0, high = v->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->at[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
