/* The built-in rules in plain C without patterns: slow, and only for ASCII without quotes and
 * backslashes. */
#include "model/base/alloc.h"
#include "tests/support/plain_pii.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct text {
    const char *s;
    size_t len;
};

static bool one_of(struct text t, size_t i, const char *set)
{
    return i < t.len && t.s[i] && strchr(set, t.s[i]);
}

static bool has_one_of(struct text t, size_t start, size_t end, const char *set)
{
    while (start < end && !one_of(t, start, set))
        start++;
    return start < end;
}

static bool digit(struct text t, size_t i)
{
    return one_of(t, i, "0123456789");
}

static bool letter(struct text t, size_t i)
{
    return i < t.len && isalpha((unsigned char)t.s[i]);
}

static bool joins(struct text t, size_t i)
{
    return digit(t, i) || letter(t, i);
}

/* The number of bytes of the set at `i`, at most `most`; the next function counts those before
 * `i`. */
static size_t run(struct text t, size_t i, const char *set, size_t most)
{
    size_t n = 0;
    while (n < most && one_of(t, i + n, set))
        n++;
    return n;
}

static size_t run_before(struct text t, size_t i, const char *set, size_t most)
{
    size_t n = 0;
    while (n < most && n < i && one_of(t, i - n - 1, set))
        n++;
    return n;
}

static size_t digits(struct text t, size_t i)
{
    return run(t, i, "0123456789", SIZE_MAX);
}

static bool goes_on(struct text t, size_t end, const char *signs)
{
    return digit(t, end + run(t, end, signs, 3));
}

static bool came_from(struct text t, size_t start, const char *signs)
{
    size_t n = run_before(t, start, signs, 3);
    return start > n && digit(t, start - n - 1);
}

/* The length of what is between two groups; 0 if that is none. */
static size_t gap(struct text t, size_t i, const char *signs)
{
    return run(t, i, "+", 3) == 2 ? 2 : run(t, i, signs, 3);
}

static size_t gap_before(struct text t, size_t i, const char *signs)
{
    return run_before(t, i, "+", 3) == 2 ? 2 : run_before(t, i, signs, 3);
}

static bool stands_alone(struct text t, size_t start, size_t end)
{
    return !(start > 0 && joins(t, start - 1)) && !joins(t, end);
}

/* ---- telephone numbers: the end of one, or 0 ---- */

#define SPACE " \t\n\v\f\r"

static size_t four_after(struct text t, size_t i, const char *signs)
{
    size_t n = strchr(signs, '.') ? gap(t, i, signs) : run(t, i, signs, 3);
    return n > 0 && digits(t, i + n) == 4 ? i + n + 4 : 0;
}

static size_t ten(struct text t, size_t i)
{
    bool bracket = one_of(t, i, "(");
    size_t area = i + bracket, n = digits(t, area), end;
    if (n == 6 && !bracket) {
        end = four_after(t, area + 6, SPACE "-/");
        return end && stands_alone(t, i, end) ? end : 0;
    }
    size_t next = area + 3 + bracket,
           between = bracket ? run(t, next, SPACE "-./", 3) : gap(t, next, SPACE "-./");
    if (n != 3 || (bracket ? !one_of(t, area + 3, ")") : between == 0))
        return 0;
    if (digits(t, next + between) == 3)
        return four_after(t, next + between + 3, SPACE "-./");
    end = digits(t, next + between) == 7 ? next + between + 7 : 0;
    bool plain = !bracket && (run(t, next, SPACE "-/", 3) < between || !stands_alone(t, i, end));
    return end && !plain ? end : 0;
}

static size_t national(struct text t, size_t i)
{
    size_t n = gap(t, i + 1, SPACE "-./");
    if (one_of(t, i, "1") && (n > 0 || one_of(t, i + 1, "(")))
        return one_of(t, i + 1, "+") && one_of(t, i + 1 + n, "(") ? 0 : ten(t, i + 1 + n);
    return ten(t, i);
}

static bool is_date(struct text t, size_t i)
{
    return digits(t, i) == 4 && one_of(t, i + 4, "-") && digits(t, i + 5) == 2 &&
           one_of(t, i + 7, "-") && digits(t, i + 8) == 2;
}

static size_t groups(struct text t, size_t i)
{
    size_t count = 0, end = 0, taken = 0;
    for (;;) {
        size_t n = digits(t, i);
        if (n == 0 || count + n > 15 || is_date(t, i))
            break;
        count += n;
        taken++;
        end = i + n;
        i = end + gap(t, end, SPACE "-./()");
        if (i == end)
            break;
    }
    return count >= (taken > 1 ? 7 : 8) ? end : 0;
}

static size_t trunk(struct text t, size_t i)
{
    size_t first = digits(t, i), count = first, at = i + first, taken = 1;
    char sign[2] = {one_of(t, at, SPACE "-./") ? t.s[at] : '\0', '\0'};
    if (first < 2 || first > 5 || (first < 3 && one_of(t, i + first, "\n\v\f\r")) ||
        one_of(t, i + 1, "0") || came_from(t, i, " -./:"))
        return 0;
    for (; *sign && one_of(t, at, sign) && digit(t, at + 1); taken++) {
        count += digits(t, at + 1);
        at += 1 + digits(t, at + 1);
    }
    bool enough = taken > (*sign == '.' || *sign == '/' ? 2 : 1);
    return enough && count >= 10 && count <= 11 && stands_alone(t, i, at) &&
                   !goes_on(t, at, " -./:")
               ? at
               : 0;
}

static size_t phone(struct text t, size_t i)
{
    size_t end = 0, n = digits(t, i);
    if (one_of(t, i, "+")) {
        size_t first = i + run(t, i, "+", SIZE_MAX);
        first += one_of(t, first, "(");
        if ((i > 0 && (digit(t, i - 1) || t.s[i - 1] == '+')) || !one_of(t, first, "123456789"))
            return 0;
        end = one_of(t, first, "1") ? national(t, first) : 0;
        return end ? end : groups(t, first);
    }
    if (!one_of(t, i, "(") && (n == 0 || (i > 0 && digit(t, i - 1))))
        return 0;
    end = national(t, i);
    if (end || !one_of(t, i, "0"))
        return end;
    if (!one_of(t, i + 1, "0"))
        return trunk(t, i);
    if (n >= 3 && n <= 7 && t.s[i + 2] != '0' && one_of(t, i + n, SPACE "-./()"))
        end = groups(t, i + 2);
    return end > i + n && stands_alone(t, i, end) ? end : 0;
}

/* The length of a tab or the end of a line. */
static size_t broken(struct text t, size_t i)
{
    return one_of(t, i, "\t\n") ? 1 : one_of(t, i, "\r") && one_of(t, i + 1, "\n") ? 2 : 0;
}

/* The length of a dash, which may stand at the end or the beginning of a line, or of two plus signs;
 * 0 if it is neither. */
static size_t joint(struct text t, size_t i)
{
    size_t dash = i + broken(t, i);
    return one_of(t, dash, "-")     ? dash + 1 + broken(t, dash + 1) - i
           : run(t, i, "+", 3) == 2 ? 2
                                    : 0;
}

static size_t ssn_dashed(struct text t, size_t i)
{
    size_t middle = i + 3 + joint(t, i + 3), last;
    bool book = strncmp(t.s + i, "978", 3) == 0 || strncmp(t.s + i, "979", 3) == 0;
    if (!joint(t, i + 3) || digits(t, middle) != 2 || !joint(t, middle + 2))
        return 0;
    last = middle + 2 + joint(t, middle + 2);
    book = book && last == i + 7 && one_of(t, i + 11, "-") && digit(t, i + 12);
    return digits(t, last) == 4 && !book ? last + 4 : 0;
}

static size_t ssn(struct text t, size_t i)
{
    if ((i > 0 && digit(t, i - 1)) || digits(t, i) != 3)
        return 0;
    size_t dashed = ssn_dashed(t, i);
    if (dashed || digits(t, i + 4) != 2 || digits(t, i + 7) != 4)
        return dashed;
    for (const char *const *signs = (const char *const[]){" ", SPACE, NULL}; *signs; signs++) {
        char around[sizeof(SPACE) + 1];
        snprintf(around, sizeof(around), "%s-", *signs);
        if (one_of(t, i + 3, *signs) && one_of(t, i + 6, *signs) && !came_from(t, i, around) &&
            !goes_on(t, i + 11, around))
            return i + 11;
    }
    return 0;
}

/* ---- cards ---- */

static size_t count_digits(struct text t, size_t start, size_t end)
{
    size_t count = 0;
    for (size_t i = start; i < end; i++)
        count += digit(t, i);
    return count;
}

static bool passes_luhn(struct text t, size_t start, size_t end)
{
    int sum = 0, place = 0;
    for (size_t i = end; i > start; i--) {
        if (!digit(t, i - 1))
            continue;
        int d = t.s[i - 1] - '0';
        d = place++ % 2 ? 2 * d : d;
        sum += d / 10 + d % 10;
    }
    return sum % 10 == 0;
}

static bool is_hash(struct text t, size_t start, size_t end)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    bool beside = (start > 0 && letter(t, start - 1)) || letter(t, end);
    size_t low = start - run_before(t, start, hex, 32), high = end + run(t, end, hex, 32);
    bool word = (low > 0 && letter(t, low - 1) && !one_of(t, low - 1, hex)) ||
                (letter(t, high) && !one_of(t, high, hex));
    return beside && high - low >= 16 && !word;
}

static bool card_goes_on(struct text t, size_t end)
{
    return digit(t, end + gap(t, end, SPACE "-"));
}

static bool card_came_from(struct text t, size_t start)
{
    size_t n = gap_before(t, start, SPACE "-");
    return start > n && digit(t, start - n - 1);
}

/* Are the groups of digits those of a card? */
static bool is_grouped(struct text t, size_t start, size_t end)
{
    bool last = !card_goes_on(t, end), small = false, space = false, dash = false, plus = false;
    for (size_t i = start, n = 0; i <= end; i++) {
        if (i < end && digit(t, i)) {
            n++;
            continue;
        }
        small |= n > 0 && n < 3 && !(i == end && last);
        n = 0;
        space |= i < end && one_of(t, i, SPACE);
        dash |= i < end && t.s[i] == '-';
        plus |= i < end && t.s[i] == '+';
    }
    return !small || (last && !card_came_from(t, start) && space + dash + plus < 2);
}

static bool is_card(struct text t, size_t start, size_t end)
{
    size_t count = count_digits(t, start, end);
    bool fraction =
        count == end - start && start > 1 && t.s[start - 1] == '.' && digit(t, start - 2);
    return count >= 13 && count <= 19 && digit(t, end - 1) && !digit(t, end) &&
           one_of(t, start, "3456") && (count > 13 || t.s[start] == '4') &&
           passes_luhn(t, start, end) && is_grouped(t, start, end) && !fraction &&
           (has_one_of(t, start, end, SPACE) || !is_hash(t, start, end));
}

static size_t card(struct text t, size_t at)
{
    size_t end = at;
    if (!digit(t, at) || (at > 0 && digit(t, at - 1)))
        return 0;
    while (card_goes_on(t, end))
        end += gap(t, end, SPACE "-") + digits(t, end + gap(t, end, SPACE "-"));
    while (end > at && !is_card(t, at, end))
        end--;
    return end > at ? end : 0;
}

/* ---- e-mail addresses ---- */

static const char signs[] = ".%+-'&~";

static bool is_local(struct text t, size_t i)
{
    return joins(t, i) || one_of(t, i, signs) || one_of(t, i, "_");
}

/* The end of a top-level domain that begins at `i`. */
static size_t top_level(struct text t, size_t i)
{
    size_t end = i;
    while (joins(t, end) || one_of(t, end, "-"))
        end++;
    if (end - i > 4 && one_of(t, i, "xX") && one_of(t, i + 1, "nN") && one_of(t, i + 2, "-") &&
        one_of(t, i + 3, "-")) {
        end -= run_before(t, end, "-", SIZE_MAX);
        if (end > i + 4)
            return end;
    }
    for (end = i; joins(t, end);)
        end++;
    return letter(t, i) && letter(t, i + 1) ? end : 0;
}

static size_t domain(struct text t, size_t i)
{
    size_t end = 0;
    for (;;) {
        size_t label = i;
        while (joins(t, i) || one_of(t, i, "-"))
            i++;
        if (i == label || !one_of(t, i, "."))
            return end;
        i++;
        end = top_level(t, i) ? top_level(t, i) : end;
    }
}

/* The same, if lines were broken at its points. */
static size_t broken_domain(struct text t, size_t i)
{
    size_t end = 0;
    for (;;) {
        size_t label = i;
        while (joins(t, i) || one_of(t, i, "-"))
            i++;
        size_t point = i + broken(t, i);
        if (i == label || !one_of(t, point, "."))
            return end;
        i = point + 1 + broken(t, point + 1);
        end = top_level(t, i) ? top_level(t, i) : end;
    }
}

static bool is_label(struct text t, size_t i)
{
    return joins(t, i) || one_of(t, i, "-");
}

/* The end of a common top-level domain at `i`, with a line broken after its first letter at most. */
static size_t common_end(struct text t, size_t i)
{
    static const char *const ends[] = {"com", "org", "net", "edu", "gov"};
    size_t rest = i + 1 + broken(t, i + 1);
    for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++)
        if (rest + 2 <= t.len && tolower((unsigned char)t.s[i]) == ends[k][0] &&
            strncasecmp(t.s + rest, ends[k] + 1, 2) == 0 && !is_label(t, rest + 2))
            return rest + 2;
    return 0;
}

/* The same, if each label, too, may be broken once. */
static size_t wrapped_domain(struct text t, size_t i)
{
    for (size_t end = 0;;) {
        size_t label = i;
        while (is_label(t, i))
            i++;
        if (i > label && broken(t, i) && is_label(t, i + broken(t, i)))
            for (i += broken(t, i); is_label(t, i);)
                i++;
        size_t point = i + broken(t, i);
        if (i == label || !one_of(t, point, "."))
            return end;
        i = point + 1 + broken(t, point + 1);
        end = common_end(t, i) ? common_end(t, i) : end;
    }
}

/* Text before `from` was found already. */
static size_t email(struct text t, size_t from, size_t at)
{
    size_t i = at;
    while (i > from && one_of(t, i - 1, signs))
        i--;
    if ((i > from && is_local(t, i - 1)) || !(joins(t, at) || one_of(t, at, "_")))
        return 0;
    for (i = at; is_local(t, i);)
        i++;
    i += broken(t, i);
    if (!one_of(t, i, "@"))
        return 0;
    i += 1 + broken(t, i + 1);
    size_t end = domain(t, i) ? domain(t, i) : broken_domain(t, i);
    return end ? end : wrapped_domain(t, i);
}

/* ---- all of them ---- */

static bool is_uuid(struct text t, size_t i)
{
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    for (size_t k = 0; shape[k]; k++)
        if (!one_of(t, i + k, shape[k] == 'x' ? "0123456789abcdefABCDEF" : "-"))
            return false;
    return stands_alone(t, i, i + sizeof(shape) - 1);
}

static bool is_in_uuid(struct text t, size_t i)
{
    i += run(t, i, "+(", SIZE_MAX);
    for (size_t at = i > 35 ? i - 35 : 0; at <= i; at++)
        if (is_uuid(t, at))
            return true;
    return false;
}

static void take(struct pii_span *best, size_t start, size_t end, int kind)
{
    if (end > best->end)
        *best = (struct pii_span){start, end, kind};
}

static struct pii_span longest_at(struct text t, size_t from, size_t at)
{
    struct pii_span best = {at, 0, 0};
    take(&best, at, email(t, from, at), PII_EMAIL);
    if (is_in_uuid(t, at))
        return best;
    take(&best, at, phone(t, at), PII_PHONE);
    take(&best, at, ssn(t, at), PII_SSN);
    take(&best, at, card(t, at), PII_CARD);
    return best;
}

/* The same, but if it includes the beginning of a card that continues after it, the find ends
 * before that card, or includes it. */
static struct pii_span found_at(struct text t, size_t from, size_t at)
{
    struct pii_span best = longest_at(t, from, at);
    size_t next = best.end + gap(t, best.end, SPACE "-"), farthest = best.end, begins = 0;
    if (best.end == 0 || !digit(t, next) || longest_at(t, next, next).end)
        return best;
    for (size_t i = best.start + 1; i < best.end; i++) {
        size_t end = is_in_uuid(t, i) ? 0 : card(t, i);
        begins = end > farthest ? i : begins;
        farthest = end > farthest ? end : farthest;
    }
    if (begins == 0)
        return best;
    struct pii_span shorter = longest_at((struct text){t.s, begins}, at, at);
    return shorter.end ? shorter : (struct pii_span){best.start, farthest, PII_CARD};
}

static bool find_read(struct text t, size_t from, struct pii_span *out)
{
    for (size_t at = from; at < t.len; at++) {
        *out = found_at(t, from, at);
        if (out->end)
            return true;
    }
    return false;
}

/* The printable character encoded by three bytes (%XX), or 0. */
static char coded_at(const char *text, size_t len, size_t i)
{
    static const char hex[] = "0123456789abcdef0123456789ABCDEF";
    const char *high =
        text[i] == '%' && len - i > 2 && text[i + 1] ? strchr(hex, text[i + 1]) : NULL;
    const char *low = high && text[i + 2] ? strchr(hex, text[i + 2]) : NULL;
    long value = low ? (high - hex) % 16 * 16 + (low - hex) % 16 : 0;
    return (char)(value >= ' ' && value <= '~' ? value : 0);
}

bool plain_pii_find(const char *text, size_t len, size_t from, struct pii_span *out)
{
    AUTO_FREE char *read = malloc(len + 1);
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
    bool found = find_read((struct text){read, count}, begin, out);
    if (found)
        *out = (struct pii_span){at[out->start], at[out->end], out->kind};
    free(at);
    return found;
}
