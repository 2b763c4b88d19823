/* JSON as the text of a JSON string: every answer of a tool is told twice, so that this runs over each byte of them. */
#include "model/json/json.h"

#include <string.h>
#include "model/json/json_scan.h"

/* Of eight bytes without a quote or a backslash as they are, of others each by itself; returns where it ends. */
static char *add_scalar(char *to, const char *text, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint64_t w;
        while (len - i >= sizeof(w)) {
            memcpy(&w, text + i, sizeof(w));
            if (JSON_IS(w, '"') | JSON_IS(w, '\\'))
                break;
            memcpy(to, &w, sizeof(w));
            to += sizeof(w);
            i += sizeof(w);
        }
        size_t stop = len - i > sizeof(w) ? i + sizeof(w) : len;
        for (; i < stop; i++) {
            *to = '\\';
            to += text[i] == '"' || text[i] == '\\';
            *to++ = text[i];
        }
    }
    return to;
}

#ifdef __x86_64__
#include <tmmintrin.h>

/*
 * Eight bytes of which a set of bits says which get a backslash before them: which byte comes where, SL being the
 * backslash. Mula's and Lemire's way of moving bytes apart by a table of shuffles, which has what each half of the set makes of
 * its four bytes, one behind the other.
 */
#define SL 8
#define LOW(...)                                                                                   \
    {0, 1, 2, 3, __VA_ARGS__}, {SL, 0, 1, 2, 3, __VA_ARGS__}, {0, SL, 1, 2, 3, __VA_ARGS__},       \
        {SL, 0, SL, 1, 2, 3, __VA_ARGS__}, {0, 1, SL, 2, 3, __VA_ARGS__},                          \
        {SL, 0, 1, SL, 2, 3, __VA_ARGS__}, {0, SL, 1, SL, 2, 3, __VA_ARGS__},                      \
        {SL, 0, SL, 1, SL, 2, 3, __VA_ARGS__}, {0, 1, 2, SL, 3, __VA_ARGS__},                      \
        {SL, 0, 1, 2, SL, 3, __VA_ARGS__}, {0, SL, 1, 2, SL, 3, __VA_ARGS__},                      \
        {SL, 0, SL, 1, 2, SL, 3, __VA_ARGS__}, {0, 1, SL, 2, SL, 3, __VA_ARGS__},                  \
        {SL, 0, 1, SL, 2, SL, 3, __VA_ARGS__}, {0, SL, 1, SL, 2, SL, 3, __VA_ARGS__},              \
    {                                                                                              \
        SL, 0, SL, 1, SL, 2, SL, 3, __VA_ARGS__                                                    \
    }
static const uint8_t apart[256][16] = {
    LOW(4, 5, 6, 7),
    LOW(SL, 4, 5, 6, 7),
    LOW(4, SL, 5, 6, 7),
    LOW(SL, 4, SL, 5, 6, 7),
    LOW(4, 5, SL, 6, 7),
    LOW(SL, 4, 5, SL, 6, 7),
    LOW(4, SL, 5, SL, 6, 7),
    LOW(SL, 4, SL, 5, SL, 6, 7),
    LOW(4, 5, 6, SL, 7),
    LOW(SL, 4, 5, 6, SL, 7),
    LOW(4, SL, 5, 6, SL, 7),
    LOW(SL, 4, SL, 5, 6, SL, 7),
    LOW(4, 5, SL, 6, SL, 7),
    LOW(SL, 4, 5, SL, 6, SL, 7),
    LOW(4, SL, 5, SL, 6, SL, 7),
    LOW(SL, 4, SL, 5, SL, 6, SL, 7),
};

/* The eight bytes in the lower half of `bytes`; it writes up to eight bytes past what it returns. */
__attribute__((target("ssse3,popcnt"))) static inline char *add_eight(char *to, __m128i bytes,
                                                                      unsigned found)
{
    __m128i order = _mm_loadu_si128((const __m128i *)apart[found]);
    __m128i from = _mm_unpacklo_epi64(bytes, _mm_set1_epi8('\\'));
    _mm_storeu_si128((__m128i *)to, _mm_shuffle_epi8(from, order));
    return to + 8 + __builtin_popcount(found);
}

/* Sixteen bytes at a time; *at is how far it came. It writes up to eight bytes past what it returns. */
__attribute__((target("ssse3,popcnt"))) static char *add_sixteens(char *to, const char *text,
                                                                  size_t len, size_t *at)
{
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    for (; len - *at >= 16; *at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + *at));
        unsigned found = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)));
        if (!found) {
            _mm_storeu_si128((__m128i *)to, bytes);
            to += 16;
            continue;
        }
        to = add_eight(to, bytes, found & 255);
        to = add_eight(to, _mm_unpackhi_epi64(bytes, bytes), found >> 8);
    }
    return to;
}

static char *add(char *to, const char *text, size_t len)
{
    size_t at = 0;
    if (__builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
        to = add_sixteens(to, text, len, &at);
    return add_scalar(to, text + at, len - at);
}
#else
#define add add_scalar
#endif

void json_add_text(struct strbuf *out, const char *json, size_t len)
{
    if (!strbuf_grow(out, 2 * len + 8))
        return;
    char *end = add(out->buf + out->len, json, len);
    out->len = (size_t)(end - out->buf);
    out->buf[out->len] = '\0';
}
