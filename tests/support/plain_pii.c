#include "tests/support/plain_pii.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "model/pii/pii_internal.h"

#define GAP    "[ \\-./]{1,3}"
#define NO_DOT "[ \\-/]{1,3}"
#define ALONE  "(?<![A-Za-z0-9])"
#define NA                                                                                         \
    "(?:\\(\\d{3}\\)[ \\-./]{0,3}(?:\\d{7}|\\d{3}" GAP "\\d{4})(?!\\d)"                            \
    "|(?<!\\d)\\d{3}" GAP "\\d{3}" GAP "\\d{4}(?!\\d)"                                             \
    "|" ALONE "\\d{3}" NO_DOT "\\d{7}(?![A-Za-z0-9])"                                              \
    "|" ALONE "\\d{6}" NO_DOT "\\d{4}(?![A-Za-z0-9]))"
#define DATE  "\\d{4}-\\d{2}-\\d{2}(?!\\d)"
#define LOCAL "[A-Za-z0-9._%+\\-'&~]"

/* Each is matched right at a place. */
enum shape {
    EMAIL,
    SSN,
    NATIONAL,
    PLUS_ONE, /* and a North American number */
    PLUS,
    ZEROS,
    GROUP,
    BETWEEN,
    TRUNK,
    UUID,
    ROW, /* digits and what may stand between those of a card */
    SHAPES
};
static const char *const shapes[SHAPES] = {
    [EMAIL] = "[A-Za-z0-9_]" LOCAL "*@(?:[A-Za-z0-9\\-]+\\.)+"
              "(?:[xX][nN]--[A-Za-z0-9\\-]*[A-Za-z0-9](?!\\-*[A-Za-z0-9])|"
              "[A-Za-z]{2}[A-Za-z0-9]*(?![A-Za-z0-9]))",
    [SSN] = "(?<!\\d)\\d{3}-\\d{2}-\\d{4}(?!\\d)(?<!97[89]-..-....(?=-\\d))"
            "|(?<!\\d)(?<!\\d[ -])(?<!\\d[ -]{2})(?<!\\d[ -]{3})"
            "\\d{3} \\d{2} \\d{4}(?![ -]{0,3}\\d)",
    [NATIONAL] = "(?<!\\d)1(?:" GAP "|(?=\\())" NA "|" NA,
    [PLUS_ONE] = "(?<![\\d+])\\+\\(?(?=1)(?:1(?:" GAP "|(?=\\())" NA "|" NA ")",
    [PLUS] = "(?<![\\d+])\\+\\(?(?=[1-9])",
    [ZEROS] = ALONE "00(?=[1-9]\\d{0,4}[ \\-./()])",
    [GROUP] = "(?!" DATE ")\\d+",
    [BETWEEN] = "[ \\-./()]{1,3}(?=\\d)",
    [TRUNK] = ALONE "(?<!\\d[ \\-./:])(?<!\\d[ \\-./:]{2})(?<!\\d[ \\-./:]{3})0[1-9]\\d{0,3}"
                    "(?:([ \\-])\\d+(?:\\1\\d+)*|([./])\\d+(?:\\2\\d+)+)"
                    "(?![A-Za-z0-9])(?![ \\-./:]{1,3}\\d)",
    [UUID] = ALONE "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![A-Za-z0-9])",
    [ROW] = "(?<!\\d)\\d+(?:[ -]{1,3}\\d+)*",
};

static pcre2_code *compiled(enum shape shape)
{
    static pcre2_code *codes[SHAPES];
    int code;
    size_t place;
    if (!codes[shape])
        codes[shape] = pcre2_compile((PCRE2_SPTR)shapes[shape], PCRE2_ZERO_TERMINATED,
                                     PCRE2_ANCHORED, &code, &place, NULL);
    if (!codes[shape])
        abort();
    return codes[shape];
}

/* Where it ends right from `at` on; 0: it is not there. */
static size_t end_at(enum shape shape, struct pii_text t, size_t at)
{
    size_t end = 0;
    pcre2_match_data *found = pcre2_match_data_create(4, NULL);
    if (pcre2_match(compiled(shape), (PCRE2_SPTR)t.s, t.len, at, 0, found, NULL) > 0)
        end = pcre2_get_ovector_pointer(found)[1];
    pcre2_match_data_free(found);
    return end;
}

static size_t count_digits(struct pii_text t, size_t start, size_t end)
{
    size_t count = 0;
    for (size_t i = start; i < end; i++)
        count += pii_is_digit(t, i);
    return count;
}

/* ---- telephone numbers ---- */

/* The most groups from `at` on that are fifteen digits at most. */
static size_t groups_end(struct pii_text t, size_t at)
{
    size_t end = 0, taken = 0, next = at;
    for (;;) {
        size_t stop = end_at(GROUP, t, next);
        if (stop == 0 || count_digits(t, at, stop) > 15)
            break;
        end = stop;
        taken++;
        next = end_at(BETWEEN, t, stop);
        if (next == 0)
            break;
    }
    return taken > 0 && count_digits(t, at, end) >= (taken > 1 ? 7 : 8) ? end : 0;
}

static size_t after_zeros(struct pii_text t, size_t at)
{
    size_t zeros = end_at(ZEROS, t, at), first = at;
    if (zeros == 0)
        return 0;
    while (pii_is_digit(t, first))
        first++;
    size_t end = groups_end(t, zeros);
    return end > first && !pii_is_letter(t, end) && !pii_is_digit(t, end) ? end : 0;
}

static size_t phone_end(struct pii_text t, size_t at)
{
    size_t end = end_at(PLUS_ONE, t, at), plus = end_at(PLUS, t, at);
    if (end || plus)
        return end ? end : groups_end(t, plus);
    if (pii_is(t, at, '(') || (pii_is_digit(t, at) && (at == 0 || !pii_is_digit(t, at - 1))))
        end = end_at(NATIONAL, t, at);
    if (!end && (end = end_at(TRUNK, t, at))) {
        size_t count = count_digits(t, at, end);
        end = count == 10 || count == 11 ? end : 0;
    }
    return end ? end : after_zeros(t, at);
}

/* ---- cards ---- */

static bool passes_luhn(struct pii_text t, size_t start, size_t end)
{
    int sum = 0, place = 0;
    for (size_t i = end; i > start; i--) {
        if (!pii_is_digit(t, i - 1))
            continue;
        int d = t.s[i - 1] - '0';
        d = place++ % 2 ? 2 * d : d;
        sum += d / 10 + d % 10;
    }
    return sum % 10 == 0;
}

static bool is_hex(struct pii_text t, size_t i)
{
    return i < t.len && t.s[i] && strchr("0123456789abcdefABCDEF", t.s[i]);
}

static bool is_hash(struct pii_text t, size_t start, size_t end)
{
    size_t low = start, high = end;
    while (low > 0 && start - low < 32 && is_hex(t, low - 1))
        low--;
    while (high - end < 32 && is_hex(t, high))
        high++;
    bool beside = (start > 0 && pii_is_letter(t, start - 1)) || pii_is_letter(t, end);
    bool word = (low > 0 && pii_is_letter(t, low - 1) && !is_hex(t, low - 1)) ||
                (pii_is_letter(t, high) && !is_hex(t, high));
    return beside && high - low >= 16 && !word;
}

static bool goes_on(struct pii_text t, size_t end)
{
    size_t signs = 0;
    while (signs < 3 && (pii_is(t, end + signs, ' ') || pii_is(t, end + signs, '-')))
        signs++;
    return pii_is_digit(t, end + signs);
}

static bool came_from(struct pii_text t, size_t start)
{
    size_t signs = 0;
    while (signs < 3 && start > signs && strchr(" -", t.s[start - signs - 1]) &&
           t.s[start - signs - 1])
        signs++;
    return start > signs && pii_is_digit(t, start - signs - 1);
}

/* Is that row of digits in such groups as a card's are? */
static bool is_grouped(struct pii_text t, size_t start, size_t end)
{
    bool last = !goes_on(t, end), small = false, space = false, dash = false;
    for (size_t i = start, n = 0; i <= end; i++) {
        if (i < end && pii_is_digit(t, i)) {
            n++;
            continue;
        }
        small |= n > 0 && n < 3 && !(i == end && last);
        n = 0;
        space |= i < end && t.s[i] == ' ';
        dash |= i < end && t.s[i] == '-';
    }
    return !small || (last && !came_from(t, start) && !(space && dash));
}

static bool is_card(struct pii_text t, size_t start, size_t end)
{
    size_t count = count_digits(t, start, end);
    bool fraction =
        count == end - start && start > 1 && t.s[start - 1] == '.' && pii_is_digit(t, start - 2);
    return count >= 13 && count <= 19 && pii_is_digit(t, end - 1) && !pii_is_digit(t, end) &&
           t.s[start] >= '3' && t.s[start] <= '6' && (count > 13 || t.s[start] == '4') &&
           passes_luhn(t, start, end) && is_grouped(t, start, end) && !fraction &&
           (memchr(t.s + start, ' ', end - start) || !is_hash(t, start, end));
}

static size_t card_end(struct pii_text t, size_t at)
{
    size_t end = end_at(ROW, t, at);
    while (end > at && !is_card(t, at, end))
        end--;
    return end > at ? end : 0;
}

/* ---- all of them ---- */

static bool is_in_uuid(struct pii_text t, size_t i)
{
    for (size_t at = i > 35 ? i - 35 : 0; at <= i; at++)
        if (end_at(UUID, t, at) > i)
            return true;
    return false;
}

static void take(struct pii_span *best, size_t start, size_t end, int kind)
{
    if (end > best->end)
        *best = (struct pii_span){start, end, kind};
}

static struct pii_span longest_number(struct pii_text t, size_t at)
{
    struct pii_span best = {0, 0, 0};
    take(&best, at, phone_end(t, at), PII_PHONE);
    take(&best, at, end_at(SSN, t, at), PII_SSN);
    take(&best, at, card_end(t, at), PII_CARD);
    return best;
}

/* The same, unless a card of which it has the beginning goes on behind it: then what ends before that card, or both. */
static struct pii_span number_at(struct pii_text t, size_t at, size_t digit)
{
    struct pii_span best = longest_number(t, at);
    size_t next = best.end;
    if (best.end == 0 || !goes_on(t, best.end))
        return best;
    while (!pii_is_digit(t, next))
        next++;
    if (longest_number(t, next).end)
        return best;
    size_t farthest = best.end, begins = 0;
    for (size_t i = digit + 1; i < best.end; i++) {
        size_t end = pii_is_digit(t, i) && !pii_is_digit(t, i - 1) ? card_end(t, i) : 0;
        if (end <= farthest || is_in_uuid(t, i))
            continue;
        farthest = end;
        begins = i;
    }
    if (begins == 0)
        return best;
    struct pii_span shorter = longest_number((struct pii_text){t.s, begins}, at);
    return shorter.end ? shorter : (struct pii_span){best.start, farthest, PII_CARD};
}

static struct pii_span longest_at(struct pii_text t, size_t at)
{
    struct pii_span best = {0, 0, 0};
    size_t digit = at;
    while (pii_is(t, digit, '+') || pii_is(t, digit, '('))
        digit++;
    if (pii_is_digit(t, digit) && !is_in_uuid(t, digit))
        best = number_at(t, at, digit);
    take(&best, at, end_at(EMAIL, t, at), PII_EMAIL);
    return best;
}

static bool find_read(struct pii_text t, size_t from, struct pii_span *out)
{
    for (size_t at = from; at < t.len; at++) {
        *out = longest_at(t, at);
        if (out->end)
            return true;
    }
    return false;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The printable character that three bytes stand for in a URI; 0: none. */
static char coded_at(const char *text, size_t len, size_t i)
{
    if (text[i] != '%' || len - i < 3 || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0)
        return 0;
    int value = hex(text[i + 1]) * 16 + hex(text[i + 2]);
    return (char)(value >= ' ' && value <= '~' ? value : 0);
}

bool plain_pii_find(const char *text, size_t len, size_t from, struct pii_span *out)
{
    char *read = malloc(len + 1);
    size_t *at = calloc(len + 1, sizeof(*at)), count = 0, begin = 0;
    if (!read || !at)
        abort();
    for (size_t i = 0; i < len; i += coded_at(text, len, i) ? 3 : 1) {
        char coded = coded_at(text, len, i);
        begin += i < from;
        at[count] = i;
        read[count++] = coded ? coded : text[i];
    }
    at[count] = len;
    bool found = find_read((struct pii_text){read, count}, begin, out);
    if (found)
        *out = (struct pii_span){at[out->start], at[out->end], out->kind};
    free(read);
    free(at);
    return found;
}
