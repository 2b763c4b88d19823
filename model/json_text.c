/* JSON as the text of a JSON string: every answer of a tool is told twice, so that this runs over each byte of them. */
#include "json.h"

#include <string.h>
#include "json_scan.h"

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
 * Four bytes of which a set of bits says which get a backslash before them: which byte comes where (NO: none), the
 * backslashes, and how many there are then. Mula's and Lemire's way of moving bytes apart by a table of shuffles, with
 * so small a table that it stays in the nearest cache.
 */
#define NO 0x80
#define SL '\\'
static const struct apart {
    uint8_t from[8], slash[8];
} apart[16] = {
    {{0, 1, 2, 3, NO, NO, NO, NO}, {0}},
    {{NO, 0, 1, 2, 3, NO, NO, NO}, {SL}},
    {{0, NO, 1, 2, 3, NO, NO, NO}, {0, SL}},
    {{NO, 0, NO, 1, 2, 3, NO, NO}, {SL, 0, SL}},
    {{0, 1, NO, 2, 3, NO, NO, NO}, {0, 0, SL}},
    {{NO, 0, 1, NO, 2, 3, NO, NO}, {SL, 0, 0, SL}},
    {{0, NO, 1, NO, 2, 3, NO, NO}, {0, SL, 0, SL}},
    {{NO, 0, NO, 1, NO, 2, 3, NO}, {SL, 0, SL, 0, SL}},
    {{0, 1, 2, NO, 3, NO, NO, NO}, {0, 0, 0, SL}},
    {{NO, 0, 1, 2, NO, 3, NO, NO}, {SL, 0, 0, 0, SL}},
    {{0, NO, 1, 2, NO, 3, NO, NO}, {0, SL, 0, 0, SL}},
    {{NO, 0, NO, 1, 2, NO, 3, NO}, {SL, 0, SL, 0, 0, SL}},
    {{0, 1, NO, 2, NO, 3, NO, NO}, {0, 0, SL, 0, SL}},
    {{NO, 0, 1, NO, 2, NO, 3, NO}, {SL, 0, 0, SL, 0, SL}},
    {{0, NO, 1, NO, 2, NO, 3, NO}, {0, SL, 0, SL, 0, SL}},
    {{NO, 0, NO, 1, NO, 2, NO, 3}, {SL, 0, SL, 0, SL, 0, SL}},
};
static const uint8_t grown[16] = {4, 5, 5, 6, 5, 6, 6, 7, 5, 6, 6, 7, 6, 7, 7, 8};

/* Sixteen bytes at a time; *at is how far it came. It writes up to eight bytes past what it returns. */
__attribute__((target("ssse3"))) static char *add_sixteens(char *to, const char *text, size_t len,
                                                           size_t *at)
{
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    for (; len - *at >= 16; *at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + *at));
        int found = _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)));
        if (!found) {
            _mm_storeu_si128((__m128i *)to, bytes);
            to += 16;
            continue;
        }
        for (char part = 0; part < 16; part += 4, found >>= 4) {
            const struct apart *a = &apart[found & 15];
            __m128i from =
                _mm_add_epi8(_mm_loadl_epi64((const __m128i *)a->from), _mm_set1_epi8(part));
            __m128i slashes = _mm_loadl_epi64((const __m128i *)a->slash);
            _mm_storel_epi64((__m128i *)to, _mm_or_si128(_mm_shuffle_epi8(bytes, from), slashes));
            to += grown[found & 15];
        }
    }
    return to;
}

static char *add(char *to, const char *text, size_t len)
{
    size_t at = 0;
    if (__builtin_cpu_supports("ssse3"))
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
