/*
 * A glance at JSON as it stands, without resolving anything: may there be personal data in it, also in JSON that
 * stands in its strings? What holds any is never passed; what is passed wrongly costs the close look.
 */
#include "model/pii/pii_scan.h"

#include "model/base/utf8.h"

enum glance {
    PLAIN = 0,
    DIGIT,
    AT,
    ESCAPE,
    QUOTE,
    PERCENT,
    HIGH
};

#define NEAR                                                                                       \
    6 /* bytes between a digit and what may join it to another: signs, and one of three bytes */

/* Where what is looked at begins: after the quote or the escape that came last. */
struct glancing {
    struct pii_text t;
    size_t piece;
    size_t
        letter; /* the same where the letter after a backslash is a letter of the text; else `piece` */
};

static bool is_secret_word(struct pii_text t, size_t at)
{
    size_t end = pii_secret_word(t, at);
    return end > 0 && (pii_is(t, end, '"') || pii_is(t, end, '\\'));
}

/* By its first two letters most words are the name of no secret. */
static bool may_be_secret(const char *word)
{
    const unsigned char *letter = (const unsigned char *)word;
    switch ((letter[0] | 0x20) << 8 | (letter[1] | 0x20)) {
    case 'p' << 8 | 'a':
    case 's' << 8 | 'e':
    case 's' << 8 | 's':
    case 't' << 8 | 'o':
    case 'a' << 8 | 'p':
    case 'c' << 8 | 'r':
        return true;
    default:
        return false;
    }
}

/* A quote: what it opens may be the name of a secret. */
static bool at_quote(struct glancing *g, size_t i)
{
    g->piece = g->letter = i + 1;
    return i + 2 < g->t.len && may_be_secret(g->t.s + i + 1) && is_secret_word(g->t, i + 1);
}

/* Backslashes: of this string, and of strings within it. */
static bool at_escape(struct glancing *g, size_t *i)
{
    size_t end = *i;
    while (pii_is(g->t, end, '\\'))
        end++;
    bool deeper = end - *i > 1;
    *i = end;
    g->piece = g->letter = end;
    if (end == g->t.len)
        return false;
    if (g->t.s[end] == 'u' || g->t.s[end] == '/')
        return true;
    if (g->t.s[end] == '"') {
        *i = end + 1;
        return at_quote(g, end);
    }
    if (pii_is_letter(g->t, end)) {
        *i = end + 1;
        g->piece = end + 1;
        g->letter = deeper ? end : end + 1;
    }
    return false;
}

/* Can no number begin with these digits, from what they are and what stands beside them alone? */
static bool is_harmless(struct pii_text t, size_t i, size_t n, size_t piece)
{
    char before = i > piece ? t.s[i - 1] : '\0', after = i + n < t.len ? t.s[i + n] : '\0';
    char first = t.s[i];
    if (before == '+' || before == '(')
        return false;
    if (n > PII_CARD_DIGITS)
        return true;
    bool row = after == ' ' || after == '-' || after == '.' || after == '/' || after == '(';
    if (row && (pii_is_letter(t, i + n + 1) || pii_is(t, i + n + 1, '"'))) {
        row = false; /* no digits follow the sign: a part of a UUID, the end of a sentence */
        after = '\0';
    }
    if (n == 3 || n == 6 || n == 1 || first == '0')
        return !row;
    return first < '3' || first > '6' || (n < 13 && after != ' ' && after != '-');
}

static bool is_number(const struct glancing *g, size_t piece, size_t i)
{
    struct pii_span found;
    struct pii_text t = {g->t.s + piece, g->t.len - piece};
    return pii_digits_at(t, i - piece, 0, &found);
}

#define UUID_FIRST 8 /* digits before its first dash */

/* Where the UUID ends whose first digit that is no letter stands at `i`; 0: there is none. */
static size_t past_uuid(struct pii_text t, size_t i)
{
    size_t start = i;
    while (start > 0 && i - start < UUID_FIRST && (t.s[start - 1] | 0x20) >= 'a' &&
           (t.s[start - 1] | 0x20) <= 'f')
        start--;
    return pii_is(t, start + UUID_FIRST, '-') && pii_is_uuid(t, start) ? start + PII_UUID_LEN : 0;
}

static bool at_digit(const struct glancing *g, size_t *i)
{
    size_t start = *i, end = past_uuid(g->t, start);
    if (end > 0) {
        *i = end;
        return false;
    }
    end = start;
    while (pii_is_digit(g->t, end))
        end++;
    *i = end;
    if (is_harmless(g->t, start, end - start, g->piece))
        return false;
    return is_number(g, g->piece, start) ||
           (g->letter != g->piece && is_number(g, g->letter, start));
}

static bool is_near_digit(struct pii_text t, size_t start, size_t end)
{
    for (size_t n = 1; n <= NEAR && n <= start; n++)
        if (pii_is_digit(t, start - n))
            return true;
    return pii_is_digit(t, end) || pii_is(t, end, '(');
}

/* What is not ASCII matters where it reads as something else, beside what it could be a part of. */
static bool at_high(const struct glancing *g, size_t *i)
{
    uint32_t c;
    struct pii_text t = g->t;
    size_t start = *i;
    int n = utf8_decode(t.s + start, t.len - start, &c);
    *i = start + (n ? (size_t)n : 1);
    uint32_t as = n ? pii_view_reads(c) : c;
    if (n == 0 || as == c)
        return false;
    if (as == '@' || as == '"' || (as >= '0' && as <= '9') ||
        ((as | 0x20) >= 'a' && (as | 0x20) <= 'z') || as == '_')
        return true;
    bool in_word = as == PII_NOTHING &&
                   (pii_is_letter(t, *i) || pii_is(t, *i, '_') ||
                    (start > 0 && (pii_is_letter(t, start - 1) || t.s[start - 1] == '_')));
    return in_word || is_near_digit(t, start, *i);
}

/* What a byte is; built into the program. */
#define ALL_HIGH(n)                                                                                \
    [n] = HIGH, [(n) + 1] = HIGH, [(n) + 2] = HIGH, [(n) + 3] = HIGH, [(n) + 4] = HIGH,            \
    [(n) + 5] = HIGH, [(n) + 6] = HIGH, [(n) + 7] = HIGH
static const unsigned char glances[256] = {
    ['0'] = DIGIT,  ['1'] = DIGIT,   ['2'] = DIGIT,  ['3'] = DIGIT,   ['4'] = DIGIT,
    ['5'] = DIGIT,  ['6'] = DIGIT,   ['7'] = DIGIT,  ['8'] = DIGIT,   ['9'] = DIGIT,
    ['@'] = AT,     ['\\'] = ESCAPE, ['"'] = QUOTE,  ['%'] = PERCENT, ALL_HIGH(0x80),
    ALL_HIGH(0x88), ALL_HIGH(0x90),  ALL_HIGH(0x98), ALL_HIGH(0xa0),  ALL_HIGH(0xa8),
    ALL_HIGH(0xb0), ALL_HIGH(0xb8),  ALL_HIGH(0xc0), ALL_HIGH(0xc8),  ALL_HIGH(0xd0),
    ALL_HIGH(0xd8), ALL_HIGH(0xe0),  ALL_HIGH(0xe8), ALL_HIGH(0xf0),  ALL_HIGH(0xf8)};

#ifdef __SSE2__
#include <emmintrin.h>

/* Of sixteen bytes those that are not plain, a bit for each. */
static unsigned signs_of(const char *at)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)at);
    __m128i from_zero = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero);
    __m128i at_sign = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('@'));
    __m128i escape = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i percent = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('%'));
    __m128i any = _mm_or_si128(_mm_or_si128(_mm_or_si128(digit, at_sign), percent),
                               _mm_or_si128(escape, quote));
    return (unsigned)_mm_movemask_epi8(
        _mm_or_si128(any, bytes)); /* what is high has its high bit */
}

static size_t skip_sixteens(const char *json, size_t i, size_t len)
{
    for (; len - i >= sizeof(__m128i); i += sizeof(__m128i)) {
        unsigned signs = signs_of(json + i);
        if (signs)
            return i + (size_t)__builtin_ctz(signs);
    }
    return i;
}
#else
static size_t skip_sixteens(const char *json, size_t i, size_t len)
{
    (void)json;
    (void)len;
    return i;
}
#endif

/* The next byte that is not plain; `len` where none is. */
static size_t skip_plain(const char *json, size_t i, size_t len)
{
    i = skip_sixteens(json, i, len);
    while (i < len && glances[(unsigned char)json[i]] == PLAIN)
        i++;
    return i;
}

bool pii_glance(const char *json, size_t len)
{
    struct glancing g = {.t = {json, len}};
    bool may = false;
    for (size_t i = 0; !may;) {
        i = skip_plain(json, i, len);
        if (i == len)
            return false;
        switch (glances[(unsigned char)json[i]]) {
        case DIGIT:
            may = at_digit(&g, &i);
            break;
        case AT:
            return true;
        case ESCAPE:
            may = at_escape(&g, &i);
            break;
        case QUOTE:
            may = at_quote(&g, i++);
            break;
        case PERCENT:
            may = pii_view_percent(json + i, len - i);
            i++;
            break;
        default:
            may = at_high(&g, &i);
        }
    }
    return may;
}
