#include "model/base/utf8.h"

#include <string.h>
#include <utf8proc.h>
#include "model/base/strbuf.h"

#define BRAILLE_BLANK 0x2800

int utf8_decode(const char *s, size_t len, uint32_t *code_point)
{
    const unsigned char *u = (const unsigned char *)s;
    uint32_t c = u[0];
    if (c < 0x80) {
        *code_point = c;
        return 1;
    }
    int n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || len < (size_t)n)
        return 0;
    c &= 0xffu >> (n + 1);
    for (int i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (u[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code_point = c;
    return n;
}

int utf8_encode(uint32_t c, char out[4])
{
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        c = 0xfffd;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    out[0] = (char)((0xf00u >> n) | c);
    return n;
}

/* How many bytes at `s` are ASCII and not NUL; eight at a time. */
static size_t plain_run(const char *s, size_t len)
{
    size_t i = 0;
    for (; len - i >= 8; i += 8) {
        uint64_t word;
        memcpy(&word, s + i, 8);
        /* A byte that is 0 borrows, one above 0x7f has its high bit. */
        if (((word - UINT64_C(0x0101010101010101)) | word) & UINT64_C(0x8080808080808080))
            break;
    }
    while (i < len && s[i] > 0 && (unsigned char)s[i] < 0x80)
        i++;
    return i;
}

bool utf8_valid(const char *s, size_t len)
{
    size_t i = 0;
    while ((i += plain_run(s + i, len - i)) < len) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        if (n == 0 || c == 0)
            return false;
        i += (size_t)n;
    }
    return true;
}

static bool begins_code_point(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* How many of the eight bytes at `s` begin a code point: those that go on have their high bit and not the next. */
static size_t begun_in_eight(const char *s)
{
    uint64_t word;
    memcpy(&word, s, sizeof(word));
    uint64_t going_on = word & ~(word << 1) & UINT64_C(0x8080808080808080);
    return 8 - (size_t)((going_on >> 7) * UINT64_C(0x0101010101010101) >> 56);
}

size_t utf8_count_in(const char *s, size_t len)
{
    size_t count = 0, i = 0;
    for (; len - i >= 8; i += 8)
        count += begun_in_eight(s + i);
    for (; i < len; i++)
        count += begins_code_point(s[i]);
    return count;
}

size_t utf8_count(const char *s)
{
    return utf8_count_in(s, strlen(s));
}

size_t utf8_prefix(const char *s, size_t count)
{
    size_t i = 0, len = strnlen(s, count < SIZE_MAX / 4 ? 4 * count : SIZE_MAX);
    for (; count >= 8 && len - i >= 8; i += 8)
        count -= begun_in_eight(s + i);
    for (; s[i]; i++) {
        if (begins_code_point(s[i]) && count-- == 0)
            break;
    }
    return i;
}

size_t utf8_fit(const char *s, size_t len, size_t most)
{
    size_t fit = len < most ? len : most;
    while (fit < len && fit > 0 && !begins_code_point(s[fit]))
        fit--;
    return fit;
}

bool utf8_is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

bool utf8_is_bidi(uint32_t c)
{
    if (c < 0x61c)
        return false;
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

bool utf8_is_ignorable(uint32_t c)
{
    return c >= 0xad && utf8proc_get_property((utf8proc_int32_t)c)->ignorable;
}

bool utf8_is_space(uint32_t c)
{
    if (c < 0x1680)
        return c == ' ' || (c >= 0x9 && c <= 0xd) || c == 0x85 || c == 0xa0;
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

size_t utf8_space(const char *s, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        if (n == 0 || !utf8_is_space(c))
            break;
        i += (size_t)n;
    }
    return i;
}

bool utf8_is_blank(const char *s)
{
    size_t len = s ? strlen(s) : 0;
    for (size_t i = 0; i < len;) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        if (n == 0 || !(utf8_is_space(c) || utf8_is_ignorable(c) || c == BRAILLE_BLANK))
            return false;
        i += (size_t)n;
    }
    return true;
}

size_t utf8_repair(struct strbuf *out, const char *bytes, size_t len)
{
    size_t replaced = 0;
    size_t i = 0;
    while (i < len) {
        size_t run = plain_run(bytes + i, len - i);
        uint32_t c = 0;
        int n = run < len - i ? utf8_decode(bytes + i + run, len - i - run, &c) : 0;
        if (n > 0 && c != 0)
            run += (size_t)n;
        strbuf_add(out, bytes + i, run);
        i += run;
        if (i < len && (n == 0 || c == 0)) {
            strbuf_add(out, "\xef\xbf\xbd", 3);
            replaced++;
            i++;
        }
    }
    return replaced;
}
