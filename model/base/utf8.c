#include "model/base/utf8.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>
#include "model/base/arena.h"
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

/* How many bytes from `s` on are ASCII and not NUL. Tests eight at a time. */
static size_t plain_run(const char *s, size_t len)
{
    size_t i = 0;
    for (; len - i >= 8; i += 8) {
        uint64_t word;
        memcpy(&word, s + i, 8);
        /* A zero byte borrows; a byte above 0x7f has its high bit set. */
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

static bool starts_code_point(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* How many of the eight bytes at `s` begin a code point. Continuation bytes are 10xxxxxx. */
static size_t starts_in_eight(const char *s)
{
    uint64_t word;
    memcpy(&word, s, sizeof(word));
    uint64_t continuation = word & ~(word << 1) & UINT64_C(0x8080808080808080);
    return 8 - (size_t)((continuation >> 7) * UINT64_C(0x0101010101010101) >> 56);
}

size_t utf8_count_in(const char *s, size_t len)
{
    size_t count = 0, i = 0;
    for (; len - i >= 8; i += 8)
        count += starts_in_eight(s + i);
    for (; i < len; i++)
        count += starts_code_point(s[i]);
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
        count -= starts_in_eight(s + i);
    for (; s[i]; i++) {
        if (starts_code_point(s[i]) && count-- == 0)
            break;
    }
    return i;
}

size_t utf8_fit(const char *s, size_t len, size_t most)
{
    size_t fit = len < most ? len : most;
    while (fit < len && fit > 0 && !starts_code_point(s[fit]))
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

bool utf8_is_invisible(uint32_t c)
{
    return utf8_is_ignorable(c) || (c >= 0xfff9 && c <= 0xfffb);
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

char *utf8_repaired(struct arena *a, const char *bytes, size_t len)
{
    struct strbuf text = STRBUF_INIT;
    if (utf8_valid(bytes, len))
        return arena_strndup(a, bytes, len);
    utf8_repair(&text, bytes, len);
    return arena_take(a, &text);
}

/* SQLite folds by Unicode 6.1. Letters that got an other case in a later version stay unchanged. */
static const struct {
    uint32_t first, last;
} unfolded[] = {
    {0x0130, 0x0130},   {0x037f, 0x037f},   {0x0528, 0x052f},   {0x13f8, 0x13fd},
    {0x1c80, 0x1cbf},   {0x2c2f, 0x2c2f},   {0xa698, 0xa69b},   {0xa796, 0xa79f},
    {0xa7ab, 0xa7f6},   {0xab70, 0xabbf},   {0x104b0, 0x104d3}, {0x10570, 0x10595},
    {0x10c80, 0x10cb2}, {0x118a0, 0x118bf}, {0x16e40, 0x16e5f}, {0x1e900, 0x1e921},
};

static bool is_unfolded(uint32_t c)
{
    for (size_t i = 0; i < sizeof(unfolded) / sizeof(*unfolded); i++)
        if (c >= unfolded[i].first && c <= unfolded[i].last)
            return true;
    return false;
}

uint32_t fold_code_point(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    if (is_unfolded(c))
        return c;
    utf8proc_int32_t folded[8];
    int boundary = UTF8PROC_BOUNDCLASS_START;
    utf8proc_ssize_t count =
        utf8proc_decompose_char((utf8proc_int32_t)c, folded, 8, UTF8PROC_CASEFOLD, &boundary);
    /* A code point that folds to several (ß) becomes its lower case, to stay one code point. */
    return (uint32_t)(count == 1 ? folded[0] : utf8proc_tolower((utf8proc_int32_t)c));
}

/* Folds the code point at `text` into `out`, which has room for four bytes. Returns the bytes
 * written. */
static size_t fold_one(char *out, const char *text, size_t len, size_t *taken)
{
    uint32_t c = 0xfffd;
    int n = utf8_decode(text, len, &c);
    *taken = n ? (size_t)n : 1;
    return (size_t)utf8_encode(fold_code_point(c), out);
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Folds eight bytes of ASCII. The first sum has the high bit of a byte set from 'A' on, the
 * second from past 'Z' on. For the letters between them, a quarter of that bit (0x20) makes the
 * lower case. */
static uint64_t fold_eight(uint64_t word)
{
    uint64_t letters = (word + EACH(0x80 - 'A')) & ~(word + EACH(0x80 - 'Z' - 1)) & EACH(0x80);
    return word + (letters >> 2);
}

/* Folds the ASCII at the start of `text`. Returns how many bytes that is. */
static size_t fold_ascii(char *restrict out, const char *restrict text, size_t len)
{
    size_t at = 0;
    for (uint64_t word; len - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, text + at, sizeof(word));
        if (word & EACH(0x80))
            break;
        word = fold_eight(word);
        memcpy(out + at, &word, sizeof(word));
    }
    for (; at < len && (unsigned char)text[at] < 0x80; at++)
        out[at] = (char)fold_code_point((unsigned char)text[at]);
    return at;
}

void fold_text(struct strbuf *out, const char *text, size_t len)
{
    strbuf_grow(out, len);
    for (size_t at = 0; at < len;) {
        strbuf_grow(out, len - at + 4);
        char *to = out->buf + out->len;
        size_t taken = fold_ascii(to, text + at, len - at);
        size_t folded = taken ? taken : fold_one(to, text + at, len - at, &taken);
        out->len += folded;
        at += taken;
    }
    out->buf[out->len] = '\0';
}

enum fold_class fold_class(uint32_t c)
{
    if (c < 0x80) {
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        return letter || (c >= '0' && c <= '9') ? FOLD_WORD : FOLD_OTHER;
    }
    if (c == 0x200c || c == 0x200d || (c >= 0x1f3fb && c <= 0x1f3ff))
        return FOLD_EXTENDS;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return FOLD_WORD;
    case UTF8PROC_CATEGORY_SO:
        return FOLD_SYMBOL;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return FOLD_EXTENDS;
    default:
        return FOLD_OTHER;
    }
}

int hex_digit(uint32_t c)
{
    return c >= '0' && c <= '9'   ? (int)(c - '0')
           : c >= 'a' && c <= 'f' ? (int)(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? (int)(c - 'A' + 10)
                                  : -1;
}

bool percent_decode(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++, to++) {
        int high = *at == '%' ? hex_digit((unsigned char)at[1]) : -1,
            low = high < 0 ? -1 : hex_digit((unsigned char)at[2]);
        *to = low < 0 ? *at : (char)(high * 16 + low);
        at += low < 0 ? 0 : 2;
        if (!*to)
            return false;
    }
    *to = '\0';
    return true;
}
