#include "model/base/fold.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

/* SQLite folds by Unicode 6.1: letters whose other case came later stay as they are. */
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
    /* One that becomes several (ß) keeps its own place: by its lower case. */
    return (uint32_t)(count == 1 ? folded[0] : utf8proc_tolower((utf8proc_int32_t)c));
}

/* Folds the code point at `text` into `out`, which has room for four bytes; returns how many it has. */
static size_t fold_one(char *out, const char *text, size_t len, size_t *taken)
{
    uint32_t c = 0xfffd;
    int n = utf8_decode(text, len, &c);
    *taken = n ? (size_t)n : 1;
    return (size_t)utf8_encode(fold_code_point(c), out);
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes of ASCII: a sum has its high bit where the byte is at least 'A', the other where it is past 'Z', and
 * the letters between them differ from the small ones by a quarter of that bit. */
static uint64_t fold_eight(uint64_t word)
{
    uint64_t letters = (word + EACH(0x80 - 'A')) & ~(word + EACH(0x80 - 'Z' - 1)) & EACH(0x80);
    return word + (letters >> 2);
}

/* Folds the ASCII that `text` begins with; returns how many bytes that are. */
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
    if (out->failed || !strbuf_grow(out, len))
        return;
    for (size_t at = 0; at < len;) {
        if (!strbuf_grow(out, len - at + 4))
            return;
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
