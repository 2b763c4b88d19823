/* The built-in rules: numbers, e-mail addresses, and the values of secrets. */
#include "model/pii/pii_internal.h"

#include <strings.h>
#include "model/base/utf8.h"
#include "model/json/json_scan.h"

/* ---- telephone numbers, social security numbers and cards ---- */

#define GAP_MAX     3  /* signs between two groups of one number: "555 - 123" */
#define PHONE_MIN   8  /* digits of an international number with nothing between them */
#define PHONE_SHORT 7  /* of one in groups */
#define PHONE_MAX   15 /* E.164 */

/* How many digits stand at `i`; one more than `most` says that there are more. */
static size_t digits(struct pii_text t, size_t i, size_t most)
{
    size_t n = 0;
    while (n <= most && pii_is_digit(t, i + n))
        n++;
    return n;
}

static bool is_one_of(struct pii_text t, size_t i, const char *set)
{
    return i < t.len && t.s[i] && strchr(set, t.s[i]);
}

/* How many of the signs in `set` stand at `i`, GAP_MAX at most. */
static size_t gap(struct pii_text t, size_t i, const char *set)
{
    size_t n = 0;
    while (n < GAP_MAX && is_one_of(t, i + n, set))
        n++;
    return n;
}

static bool has_sign(struct pii_text t, size_t i, size_t n, char sign)
{
    return memchr(t.s + i, sign, n) != NULL;
}

static bool is_alphanumeric(struct pii_text t, size_t i)
{
    return pii_is_digit(t, i) || pii_is_letter(t, i);
}

static bool is_hex(struct pii_text t, size_t i)
{
    return pii_is_digit(t, i) || (i < t.len && (t.s[i] | 0x20) >= 'a' && (t.s[i] | 0x20) <= 'f');
}

/* Do digits end right before `i` or before a gap there: is what begins at `i` the rest of a longer row? */
static bool goes_on_from(struct pii_text t, size_t i, const char *set)
{
    for (size_t n = 0; n <= GAP_MAX && i > n; n++) {
        if (pii_is_digit(t, i - n - 1))
            return true;
        if (!is_one_of(t, i - n - 1, set))
            return false;
    }
    return false;
}

static bool goes_on_to(struct pii_text t, size_t end, const char *set)
{
    return pii_is_digit(t, end + gap(t, end, set));
}

/*
 * UUIDs: 8-4-4-4-12.
 */

/* Without a branch, as answers are full of them. */
static unsigned count_hex(const char *at, size_t len)
{
    unsigned char n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)at[i];
        n = (unsigned char)(n + (((unsigned char)((c | 0x20) - 'a') < 6) |
                                 ((unsigned char)(c - '0') < 10)));
    }
    return n;
}

#define UUID_HEX   32
#define UUID_BLOCK 16 /* looked at as one where the compiler can */

bool pii_is_uuid(struct pii_text t, size_t start)
{
    if (t.len < PII_UUID_LEN || start > t.len - PII_UUID_LEN)
        return false;
    const char *at = t.s + start;
    if (at[8] != '-' || at[13] != '-' || at[18] != '-' || at[23] != '-')
        return false;
    unsigned hex = count_hex(at, UUID_BLOCK) + count_hex(at + UUID_BLOCK, UUID_BLOCK) +
                   count_hex(at + 2 * UUID_BLOCK, PII_UUID_LEN - 2 * UUID_BLOCK);
    return hex == UUID_HEX && !(start > 0 && is_alphanumeric(t, start - 1)) &&
           !is_alphanumeric(t, start + PII_UUID_LEN);
}

static bool is_in_uuid(struct pii_text t, size_t i)
{
    for (size_t back = 0; back < 36 && back <= i; back++)
        if (pii_is_uuid(t, i - back))
            return true;
    return false;
}

/* 2024-01-15 */
static bool is_date(struct pii_text t, size_t i)
{
    return digits(t, i, 4) == 4 && pii_is(t, i + 4, '-') && digits(t, i + 5, 2) == 2 &&
           pii_is(t, i + 7, '-') && digits(t, i + 8, 2) == 2;
}

/*
 * Telephone numbers. Each returns where the number ends, or 0.
 */

static const char phone_signs[] = " -./";

/* After the area: three and four digits, or seven; *gaps counts what separates them. */
static size_t local_number(struct pii_text t, size_t i, int *gaps)
{
    size_t n = digits(t, i, 7);
    if (n == 7)
        return i + 7;
    size_t between = n == 3 ? gap(t, i + 3, phone_signs) : 0;
    if (!between || digits(t, i + 3 + between, 4) != 4)
        return 0;
    ++*gaps;
    return i + 3 + between + 4;
}

/* A point alone makes no telephone number: 122.4194155 is one of many other things. */
static size_t stands_alone(struct pii_text t, size_t start, size_t end)
{
    bool joined = (start > 0 && is_alphanumeric(t, start - 1)) || is_alphanumeric(t, end);
    return joined || has_sign(t, start, end - start, '.') ? 0 : end;
}

/* 555-123-4567, (555) 123-4567, 555 1234567: with something between its parts. */
static size_t three_three_four(struct pii_text t, size_t i)
{
    bool bracket = pii_is(t, i, '(');
    size_t area = i + bracket, n = digits(t, area, 6);
    int gaps = 0;
    if (bracket) {
        if (n != 3 || !pii_is(t, area + 3, ')'))
            return 0;
        return local_number(t, area + 4 + gap(t, area + 4, phone_signs), &gaps);
    }
    if (n == 6) {
        size_t between = gap(t, area + 6, phone_signs);
        bool whole = between && digits(t, area + 6 + between, 4) == 4;
        return whole ? stands_alone(t, i, area + 6 + between + 4) : 0;
    }
    size_t between = n == 3 ? gap(t, area + 3, phone_signs) : 0;
    size_t end = between ? local_number(t, area + 3 + between, &gaps) : 0;
    return end && gaps == 0 ? stands_alone(t, i, end) : end;
}

/* The same, perhaps with the country's 1 before it. */
static size_t north_american(struct pii_text t, size_t i)
{
    if (pii_is(t, i, '1') && !pii_is_digit(t, i + 1)) {
        size_t between = gap(t, i + 1, phone_signs);
        if (between || pii_is(t, i + 1, '('))
            return three_three_four(t, i + 1 + between);
        return 0;
    }
    return three_three_four(t, i);
}

/* Digits in groups from `i` on as long as they are one number, of which `count` are there already. */
static size_t groups(struct pii_text t, size_t i, size_t count)
{
    static const char signs[] = " -./()";
    size_t end = 0, groups_taken = 0;
    for (;;) {
        size_t n = digits(t, i, PHONE_MAX);
        if (n == 0 || count + n > PHONE_MAX || is_date(t, i))
            break;
        count += n;
        groups_taken++;
        end = i + n;
        i = end + gap(t, end, signs);
        if (i == end)
            break;
    }
    return count >= (groups_taken > 1 ? PHONE_SHORT : PHONE_MIN) ? end : 0;
}

/* +44 20 7946 0958: what follows a plus. */
static size_t international(struct pii_text t, size_t plus)
{
    size_t i = plus + 1;
    if (plus > 0 && (pii_is_digit(t, plus - 1) || t.s[plus - 1] == '+'))
        return 0;
    i += pii_is(t, i, '(');
    if (!pii_is_digit(t, i) || t.s[i] == '0')
        return 0;
    size_t end = t.s[i] == '1' ? north_american(t, i) : 0;
    return end ? end : groups(t, i, 0);
}

/* 0044 20 7946 0958: after two zeros the country, with something between the groups. */
static size_t after_zeros(struct pii_text t, size_t i)
{
    size_t n = digits(t, i, PHONE_MAX);
    if (n < 3 || n > 7 || t.s[i + 1] != '0' || t.s[i + 2] == '0' || !gap(t, i + n, " -./()"))
        return 0;
    size_t end = groups(t, i + 2, 0);
    bool joined = (i > 0 && is_alphanumeric(t, i - 1)) || is_alphanumeric(t, end);
    return end > i + n && !joined ? end : 0;
}

/* 020 7946 0958, 01.23.45.67.89: ten or eleven digits that begin with a zero, one sign between all groups. */
static size_t trunk(struct pii_text t, size_t i)
{
    size_t first = digits(t, i, 5), count = first, at = i + first, taken = 1;
    if (first < 2 || first > 5 || t.s[i + 1] == '0' || goes_on_from(t, i, " -./:"))
        return 0;
    char sign = is_one_of(t, at, " -./") ? t.s[at] : '\0';
    while (sign && pii_is(t, at, sign) && pii_is_digit(t, at + 1) && count <= 11) {
        size_t n = digits(t, at + 1, 11);
        count += n;
        at += 1 + n;
        taken++;
    }
    bool enough = taken > (sign == '.' || sign == '/' ? 2 : 1);
    bool joined = (i > 0 && is_alphanumeric(t, i - 1)) || is_alphanumeric(t, at);
    if (!enough || joined || count < 10 || count > 11 || goes_on_to(t, at, " -./:"))
        return 0;
    return at;
}

static size_t phone(struct pii_text t, size_t start)
{
    if (t.s[start] == '+')
        return international(t, start);
    size_t end = north_american(t, start);
    if (!end && t.s[start] == '0')
        end = pii_is(t, start + 1, '0') ? after_zeros(t, start) : trunk(t, start);
    return end && !pii_is_digit(t, end) ? end : 0;
}

/* Where a number that has its first digit at `i` may begin: with a plus or a bracket before it. */
static size_t phone_start(struct pii_text t, size_t i, size_t from)
{
    size_t start = i;
    if (start > from && t.s[start - 1] == '(')
        start--;
    if (start > from && t.s[start - 1] == '+')
        start--;
    return start;
}

/*
 * 123-45-6789; with spaces where no more digits stand around it. A book's number goes on after 978-93-5268.
 */
static size_t ssn(struct pii_text t, size_t i)
{
    if (digits(t, i, 3) != 3 || digits(t, i + 4, 2) != 2 || digits(t, i + 7, 4) != 4)
        return 0;
    char sign = t.s[i + 3];
    if (t.s[i + 6] != sign || (sign != '-' && sign != ' '))
        return 0;
    size_t end = i + 11;
    bool more = goes_on_from(t, i, " -") || goes_on_to(t, end, " -");
    if (sign == ' ' && more)
        return 0;
    bool book = t.s[i] == '9' && t.s[i + 1] == '7' && t.s[i + 2] >= '8';
    return book && pii_is(t, end, '-') && pii_is_digit(t, end + 1) ? 0 : end;
}

/*
 * Cards.
 */

/* The digits so far, and the sums by Luhn for an even and for an odd count of them. */
struct card_row {
    size_t count;
    unsigned even, odd;
    char first;
    bool small_group; /* one of less than three digits before the last */
    bool space, dash; /* what stood between them */
};

static void take_digit(struct card_row *row, char c)
{
    static const unsigned char doubled[] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};
    unsigned d = (unsigned)(c - '0');
    bool at_even = row->count % 2 == 0;
    row->even += at_even ? doubled[d] : d;
    row->odd += at_even ? d : doubled[d];
    if (row->count++ == 0)
        row->first = c;
}

static bool is_card(const struct card_row *row)
{
    if (row->count < 13 || row->count > PII_CARD_DIGITS || row->first < '3' || row->first > '6')
        return false;
    if (row->count == 13 && row->first != '4')
        return false;
    return (row->count % 2 == 0 ? row->even : row->odd) % 10 == 0;
}

#define HASH_LOOK 32 /* bytes beside a number that are looked at */

/* Of hexadecimal digits with a letter among them, long enough for a hash or an id? */
static bool is_in_hash(struct pii_text t, size_t start, size_t end)
{
    size_t low = start, high = end;
    if (!(start > 0 && pii_is_letter(t, start - 1)) && !pii_is_letter(t, end))
        return false;
    while (low > 0 && start - low < HASH_LOOK && is_hex(t, low - 1))
        low--;
    while (high - end < HASH_LOOK && is_hex(t, high))
        high++;
    bool word = (low > 0 && pii_is_letter(t, low - 1) && !is_hex(t, low - 1)) ||
                (pii_is_letter(t, high) && !is_hex(t, high));
    return high - low >= 16 && !word;
}

/* 0.4111111111111111 */
static bool is_fraction(struct pii_text t, size_t i)
{
    return i > 1 && t.s[i - 1] == '.' && pii_is_digit(t, i - 2);
}

/*
 * The longest from `i` on. A row that is nothing but it may be in any groups; within a longer one they are of three
 * digits or more (the last may be less where the row ends), or every list of numbers would hold one.
 */
static size_t card(struct pii_text t, size_t i)
{
    struct card_row row = {0};
    size_t best = 0, at = i;
    if (t.s[i] < '3' || t.s[i] > '6')
        return 0;
    bool first = !goes_on_from(t, i, " -");
    while (row.count < PII_CARD_DIGITS) {
        size_t n = digits(t, at, PII_CARD_DIGITS), end = at + n;
        if (n > PII_CARD_DIGITS - row.count)
            break;
        for (size_t k = 0; k < n; k++)
            take_digit(&row, t.s[at + k]);
        size_t between = gap(t, end, " -");
        bool last = !pii_is_digit(t, end + between);
        bool even_groups = !row.small_group && (n >= 3 || last);
        bool whole = first && last && !(row.space && row.dash);
        if ((even_groups || whole) && is_card(&row) && (row.space || !is_in_hash(t, i, end)) &&
            !(row.count == n && is_fraction(t, i)))
            best = end;
        if (last || between == 0)
            break;
        row.small_group |= n < 3;
        row.space |= has_sign(t, end, between, ' ');
        row.dash |= has_sign(t, end, between, '-');
        at = end + between;
    }
    return best;
}

static void take_longer(struct pii_span *best, size_t start, size_t end, int kind)
{
    if (end == 0 ||
        (best->end > 0 && (start > best->start || (start == best->start && end <= best->end))))
        return;
    *best = (struct pii_span){start, end, kind};
}

static struct pii_span longest(struct pii_text t, size_t i, size_t from)
{
    struct pii_span best = {0, 0, 0};
    for (size_t start = phone_start(t, i, from); start <= i; start++)
        take_longer(&best, start, phone(t, start), PII_PHONE);
    take_longer(&best, i, ssn(t, i), PII_SSN);
    take_longer(&best, i, card(t, i), PII_CARD);
    return best;
}

/*
 * 555-123-4567 4111 1111 1111 1111: the longest find may take the beginning of a card with it, so that the rest of
 * that is none any more. Where the row goes on behind it with what is no find, it gives way to a shorter one that ends
 * before the card; where there is none, both are one.
 */
static struct pii_span set_apart(struct pii_text t, size_t i, size_t from, struct pii_span best)
{
    size_t next = best.end + gap(t, best.end, " -");
    if (!pii_is_digit(t, next) || longest(t, next, best.end).end)
        return best;
    struct pii_span over = {0, best.end, PII_CARD};
    for (size_t at = i + 1; at < best.end; at++) {
        bool begins = pii_is_digit(t, at) && !pii_is_digit(t, at - 1);
        size_t end = begins ? card(t, at) : 0;
        if (end > over.end && !is_in_uuid(t, at))
            over = (struct pii_span){at, end, PII_CARD};
    }
    if (over.start == 0)
        return best;
    struct pii_span shorter = longest((struct pii_text){t.s, over.start}, i, from);
    return shorter.end ? shorter : (struct pii_span){best.start, over.end, PII_CARD};
}

bool pii_digits_at(struct pii_text t, size_t i, size_t from, struct pii_span *out)
{
    struct pii_span best = longest(t, i, from);
    if (best.end == 0 || is_in_uuid(t, i))
        return false;
    *out = set_apart(t, i, from, best);
    return true;
}

/* ---- e-mail addresses ---- */

#define QUOTED_MAX 64 /* bytes of a quoted local part: "jane doe"@example.com */

/* What a code point is to an address. */
enum letter {
    NO_LETTER = 0,
    SPACED,  /* a letter or digit of a script that sets words apart */
    UNSPACED /* of one that does not, so that only the '@' tells where an address begins and ends */
};

static enum letter letter_of(uint32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ? SPACED : 0;
    enum fold_class class = fold_class(c);
    if (class != FOLD_WORD && class != FOLD_EXTENDS)
        return NO_LETTER;
    return c >= 0xe00 ? UNSPACED : SPACED;
}

static size_t read_at(struct pii_text t, size_t i, uint32_t *c)
{
    int n = utf8_decode(t.s + i, t.len - i, c);
    if (n == 0)
        *c = 0xfffd;
    return n ? (size_t)n : 1;
}

/* The code point that ends right before `i` (i > 0), and how many bytes it takes. */
static size_t read_before(struct pii_text t, size_t i, uint32_t *c)
{
    size_t n = 1;
    while (n < 4 && n < i && ((unsigned char)t.s[i - n] & 0xc0) == 0x80)
        n++;
    return utf8_decode(t.s + i - n, n, c) == (int)n ? n : read_at(t, i - 1, c);
}

static bool is_local(uint32_t c, bool unspaced)
{
    if (c < 0x80 && c != 0 && strchr("._%+-'&~", (int)c))
        return true;
    enum letter letter = letter_of(c);
    return letter == SPACED || (letter == UNSPACED && unspaced);
}

static size_t local_start(struct pii_text t, size_t at)
{
    uint32_t c = 0;
    size_t i = at;
    size_t n = i > 0 ? read_before(t, i, &c) : 0;
    bool unspaced = letter_of(c) == UNSPACED;
    while (n > 0 && is_local(c, unspaced)) {
        i -= n;
        n = i > 0 ? read_before(t, i, &c) : 0;
    }
    return i;
}

/* From the letter or digit or `_` that the local part begins with; `at` where there is none. */
static size_t trim(struct pii_text t, size_t start, size_t at)
{
    uint32_t c;
    for (size_t n; start < at; start += n) {
        n = read_at(t, start, &c);
        if (c == '_' || letter_of(c))
            break;
    }
    return start;
}

static size_t quoted_start(struct pii_text t, size_t at)
{
    for (size_t i = at - 1; i > 0 && at - i < QUOTED_MAX && t.s[i - 1] != '@'; i--)
        if (t.s[i - 1] == '"')
            return i - 1;
    return at;
}

static size_t label_end(struct pii_text t, size_t i, bool unspaced)
{
    uint32_t c;
    for (size_t n; i < t.len; i += n) {
        n = read_at(t, i, &c);
        enum letter letter = letter_of(c);
        if (c != '-' && letter != SPACED && !(letter == UNSPACED && unspaced))
            break;
    }
    return i;
}

/* Where the top-level domain that the label begins with ends: two letters, and letters and digits; 0: none. */
static size_t top_level_end(struct pii_text t, size_t start, size_t end)
{
    uint32_t c;
    size_t letters = 0, i = start;
    if (end - start > 4 && (t.s[start] | 0x20) == 'x' && (t.s[start + 1] | 0x20) == 'n' &&
        t.s[start + 2] == '-' && t.s[start + 3] == '-') {
        while (t.s[end - 1] == '-')
            end--;
        return end;
    }
    for (size_t n; i < end; i += n) {
        n = read_at(t, i, &c);
        if (c == '-')
            break;
        letters += letters < 2 && !(c >= '0' && c <= '9');
        if (letters < 2 && c >= '0' && c <= '9')
            return 0;
    }
    return letters >= 2 ? i : 0;
}

/* Where the domain at `start` ends, with one point at least and the last of its parts that can be the last; 0: none. */
static size_t domain_end(struct pii_text t, size_t start)
{
    uint32_t c = 0;
    size_t end = 0, label = start;
    if (start < t.len)
        read_at(t, start, &c);
    bool unspaced = letter_of(c) == UNSPACED;
    for (;;) {
        size_t stop = label_end(t, label, unspaced);
        if (stop == label)
            return end;
        size_t top = label > start ? top_level_end(t, label, stop) : 0;
        if (top)
            end = top;
        if (!pii_is(t, stop, '.'))
            return end;
        label = stop + 1;
    }
}

void pii_mail_init(struct pii_mail *m, struct pii_text text)
{
    *m = (struct pii_mail){.text = text, .last.at = SIZE_MAX};
}

static void look_at(struct pii_mail *m, size_t at)
{
    struct pii_text t = m->text;
    m->last = (struct pii_address){at, at, 0};
    if (at == 0)
        return;
    bool quoted = t.s[at - 1] == '"';
    m->last.start = quoted ? quoted_start(t, at) : trim(t, local_start(t, at), at);
    if (m->last.start < at)
        m->last.end = domain_end(t, at + 1);
}

bool pii_mail_at(struct pii_mail *m, size_t at, size_t from, struct pii_span *out)
{
    if (m->last.at != at)
        look_at(m, at);
    size_t start = m->last.start;
    if (start < from)
        start = trim(m->text, from, at);
    if (m->last.end == 0 || start >= at)
        return false;
    *out = (struct pii_span){start, m->last.end, PII_EMAIL};
    return true;
}

bool pii_mail_over(struct pii_mail *m, size_t start, size_t from, struct pii_span *out)
{
    struct pii_text t = m->text;
    if (start >= m->run_end) {
        uint32_t c;
        size_t i = start;
        for (size_t n; i < t.len; i += n) {
            n = read_at(t, i, &c);
            if (!is_local(c, true))
                break;
        }
        m->run_end = i;
    }
    return pii_is(t, m->run_end, '@') && pii_mail_at(m, m->run_end, from, out) &&
           out->start <= start;
}

/* ---- keys whose value is secret, and such a pair in a text that is not JSON as a whole ---- */

size_t pii_secret_word(struct pii_text t, size_t at)
{
    static const struct {
        const char *word;
        size_t len;
    } words[] = {{"password", 8}, {"secret", 6},  {"token", 5},
                 {"ssn", 3},      {"api_key", 7}, {"credit_card", 11}};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (t.len - at >= words[i].len && (t.s[at] | 0x20) == words[i].word[0] &&
            strncasecmp(t.s + at, words[i].word, words[i].len) == 0)
            return at + words[i].len;
    return 0;
}

static size_t skip_space(struct pii_text t, size_t i)
{
    while (i < t.len && json_is_space(t.s[i]))
        i++;
    return i;
}

static bool is_hidden(struct pii_text t, size_t start, size_t end)
{
    size_t len = strlen(PII_SECRET_MASK);
    return end - start == len && memcmp(t.s + start, PII_SECRET_MASK, len) == 0;
}

/* How many backslashes stand before `i`: so deep is JSON in a string. */
static size_t depth_at(struct pii_text t, size_t i)
{
    size_t n = 0;
    while (n < i && t.s[i - n - 1] == '\\')
        n++;
    return n;
}

/* Past a quote with so many backslashes before it, which stand at `i`; 0: it does not stand there. */
static size_t past_quote(struct pii_text t, size_t i, size_t depth)
{
    size_t n = 0;
    while (n < depth && pii_is(t, i + n, '\\'))
        n++;
    return n == depth && pii_is(t, i + n, '"') ? i + n + 1 : 0;
}

/* What a quote or backslashes at `i` are for a value so deep: where it goes on, or `i`: the string around it ends. */
static size_t past_signs(struct pii_text t, size_t i, size_t depth, bool *in_string)
{
    size_t at = i;
    while (pii_is(t, at, '\\'))
        at++;
    if (!pii_is(t, at, '"'))
        return at;
    if (at - i < depth)
        return i;
    *in_string ^= at - i == depth;
    return at + 1;
}

/* Where a value ends whose strings have quotes with so many backslashes. */
static size_t escaped_end(struct pii_text t, size_t start, size_t depth)
{
    size_t level = 0;
    bool in_string = false;
    for (size_t i = start, next; i < t.len; i = next) {
        char c = t.s[i];
        next = i + 1;
        if (c == '\\' || c == '"') {
            bool was_in = in_string;
            next = past_signs(t, i, depth, &in_string);
            if (next == i || (level == 0 && was_in && !in_string))
                return next;
        } else if (in_string) {
            continue;
        } else if (c == '{' || c == '[') {
            level++;
        } else if (c == '}' || c == ']') {
            if (level < 2)
                return i + level;
            level--;
        } else if (level == 0 && (c == ',' || json_is_space(c))) {
            return i;
        }
    }
    return t.len;
}

/*
 * Between the quotes of a string, the whole of anything else; to the end of the text where it is cut off. Where JSON
 * stands in a string of JSON that is none as a whole, quotes have backslashes.
 */
bool pii_secret_at(struct pii_text t, size_t quote, struct pii_span *out)
{
    size_t word = quote + 1 < t.len ? pii_secret_word(t, quote + 1) : 0;
    if (word == 0)
        return false;
    size_t depth = depth_at(t, quote), close = past_quote(t, word, depth);
    size_t colon = close ? skip_space(t, close) : 0;
    if (!close || !pii_is(t, colon, ':'))
        return false;
    size_t start = skip_space(t, colon + 1), open = past_quote(t, start, depth);
    size_t end = depth ? escaped_end(t, start, depth)
                       : (size_t)(json_skip_value(t.s + start, t.s + t.len) - t.s);
    if (open) {
        start = open;
        bool closed = end > start + depth && past_quote(t, end - depth - 1, depth) == end;
        end -= closed ? depth + 1 : 0;
    }
    *out = (struct pii_span){start, end, PII_SECRET};
    return end > start && !is_hidden(t, start, end);
}
