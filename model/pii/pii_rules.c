/*
 * The built-in rules: PCRE2 patterns, each with a check of what a pattern cannot express. No
 * pattern backtracks over what it took (possessive and bounded repeats), so the time is linear in
 * the length of any text.
 */
#include "model/pii/pii_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/json/json_scan.h"

/* ---- e-mail addresses ---- */

/* Scripts without spaces between words: only the '@' tells where an address in them begins and
 * ends. */
#define UNSPACED                                                                                   \
    "\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Hangul}\\p{Thai}\\p{Lao}\\p{Khmer}\\p{Myanmar}"         \
    "\\p{Tibetan}"
#define FOREIGN                                                                                    \
    "(?![\\x00-\\x7f" UNSPACED "])[\\p{L}\\p{M}\\p{N}]" /* a letter of any other script */
#define SIGNS  ".%+\\-'&~"
#define LETTER "(?:[A-Za-z]|" FOREIGN ")"
#define LABEL  "A-Za-z0-9\\-"
#define LOCAL  "A-Za-z0-9_" SIGNS
#define ONE(s) "(?:[" s "]|" FOREIGN ")"
#define RUN(s) "(?:[" s "]++|" FOREIGN ")++" /* ASCII in one step */
#define TOP_LEVEL(label, letter)                                                                   \
    "(?:[xX][nN]--" ONE(label) "*(?<!-)|" letter "{2}(?:(?!-)" ONE(label) ")*+)"
/* Where a line was broken within an address; in a domain only if it is none without. */
#define BROKEN                "(?:\\t|\\r?+\\n)?+"
#define DOMAIN(label, letter) "(?:" RUN(label) "\\.)+" TOP_LEVEL(label, letter)
#define BROKEN_DOMAIN(label, letter)                                                               \
    "(?:" RUN(label) BROKEN "\\." BROKEN ")+" TOP_LEVEL(label, letter)
/* A line was broken within a label: only before a common end, as many a line begins with a word
 * and a point ("x@y\nself.z = 1"). */
#define WRAPPED(label)                                                                             \
    "(?:" RUN(label) "(?:(?:\\t|\\r?+\\n)" RUN(label) ")?+" BROKEN "\\." BROKEN ")+"
#define COMMON_END            "(?i:c" BROKEN "om|o" BROKEN "rg|n" BROKEN "et|e" BROKEN "du|g" BROKEN "ov)"
#define WRAPPED_DOMAIN(label) WRAPPED(label) COMMON_END "(?!" ONE(label) ")"

#define ANY_LETTER     "(?:[A-Za-z" UNSPACED "]|" FOREIGN ")"
#define FOREIGN_DOMAIN "(?=[" UNSPACED "])" DOMAIN(LABEL UNSPACED, ANY_LETTER)
#define LOCAL_PART(s)  "(?:\\G|(?<!" ONE(s) "))[" SIGNS "]*+\\K" RUN(s)
#define ASCII_PART     LOCAL_PART(LOCAL)
#define FOREIGN_PART   LOCAL_PART(LOCAL UNSPACED) "(?<=[" UNSPACED "])"
#define EMAIL                                                                                      \
    "(?:" ASCII_PART "|" FOREIGN_PART "|\"[^\"@]{0,62}+\")" BROKEN "@" BROKEN "(?:" FOREIGN_DOMAIN \
    "|" DOMAIN(LABEL, LETTER) "|" BROKEN_DOMAIN(LABEL, LETTER) "|" WRAPPED_DOMAIN(LABEL) ")"

/* ---- telephone numbers ---- */

#define SPACE " \\t-\\r" /* tabs and line breaks, too */
#define GAP   "(?:[" SPACE "\\-./]{1,3}|\\+\\+)"
#define NO_DOT                                                                                     \
    "[" SPACE "\\-/]{1,3}" /* without a point: 122.4194155 is usually not a telephone number */
#define BEGINS "(?<!\\d)"
#define ENDS   "(?!\\d)"
#define APART  "(?<![A-Za-z])"
#define LONE   "(?![A-Za-z0-9])"

/* 555-123-4567, 555 1234567, 555123 4567; (555) 123-4567; each optionally with the country code
 * 1 before it */
#define PLAIN                                                                                      \
    "(?:\\d{3}" GAP "\\d{3}" GAP "\\d{4}" ENDS "|" APART "(?:\\d{3}" NO_DOT "\\d{7}|\\d{6}" NO_DOT \
    "\\d{4})" LONE ")"
#define BRACKET  "\\(\\d{3}\\)[" SPACE "\\-./]{0,3}(?:\\d{7}|\\d{3}" GAP "\\d{4})" ENDS
#define NATIONAL "(?:1(?:" GAP PLAIN "|[" SPACE "\\-./]{0,3}" BRACKET ")|" PLAIN ")"
/* Seven to fifteen digits (E.164) in groups; no group may begin a date */
#define DATE "\\d{4}-\\d{2}-\\d{2}" ENDS
#define GROUPS                                                                                     \
    "(?>(?!" DATE ")\\d(?:(?:[" SPACE "\\-./()]{0,3}|\\+\\+)(?!" BEGINS DATE ")\\d){6,14}" ENDS ")"

/* A two-digit group at the end of a line begins a list. */
#define ROW "\\d{1,9}+" /* eleven digits at most, checked later */

#define PHONE                                                                                               \
    /* +44 20 7946 0958 */                                                                                  \
    "(?<![\\d+])\\+++\\(?(?=[1-9])(?:(?=1)" NATIONAL "|" GROUPS ")|" BRACKET "|" BEGINS                     \
    "(?:" NATIONAL "|" APART /* 0044 20 7946 0958 */                                                        \
    "(?:00(?=[1-9]\\d{0,4}[" SPACE "\\-./()])" GROUPS                                                       \
        LONE /* 020 7946 0958, 01.23.45.67.89: one sign between all groups, and no more digits around it */ \
    "|(?<!\\d[ \\-./:])(?<!\\d[ \\-./:]{2})(?<!\\d[ \\-./:]{3})0[1-9]\\d{0,3}"                              \
    "(?:([ \\t\\-]|(?<=\\d{3})[\\n-\\r])" ROW "(?:\\1" ROW "){0,9}+|([./])" ROW "(?:\\2" ROW                \
    "){1,9}+)" LONE "(?![ \\-./:]{1,3}\\d)))"

/* ---- social security numbers, cards, secrets ---- */

/* With spaces only if no more digits are around it. After 978-93-5268 an ISBN continues. */
#define SPACED(s, signs)                                                                           \
    "(?<!\\d" signs "...)(?<!\\d" signs "{2}...)(?<!\\d" signs "{3}...)" s "\\d{2}" s              \
    "\\d{4}(?!" signs "{0,3}\\d)"
#define JOINT "(?:" BROKEN "-" BROKEN "|\\+\\+)"
#define SSN                                                                                        \
    BEGINS "\\d{3}(?:" JOINT "\\d{2}" JOINT "\\d{4}" ENDS "(?<!97[89]-..-....(?=-\\d))|" SPACED(   \
        " ", "[ -]") "|" SPACED("[" SPACE "]", "[" SPACE "-]") ")"
/* The longest row of digits that could be a card. */
#define CARD BEGINS "[3-6](?:(?:[" SPACE "-]{0,3}|\\+\\+)\\d){12,18}"

#define SECRET_NAMES "password|secret|token|ssn|api_key|credit_card"
/* The name of a secret may be the last part of a path: "my.password", "db/token". */
#define PATH "(?:[A-Za-z0-9_@\\-]{0,100}+[./:]){0,20}+"
/* "password": "x", or within a JSON string: \"password\": \"x\". The match is the first byte of
 * the value. */
#define SECRET                                                                                     \
    "(?<!\\\\)(\\\\*+)\"" PATH "(?i:" SECRET_NAMES ")\\1\"[ \\t\\r\\n]*+:[ "                       \
    "\\t\\r\\n]*+(?:\\1\")?+\\K(?s:.)"

/* ---- checks ---- */

static bool is_hex(struct pii_text t, size_t i)
{
    return pii_is_digit(t, i) || (i < t.len && (t.s[i] | 0x20) >= 'a' && (t.s[i] | 0x20) <= 'f');
}

static bool is_letter(struct pii_text t, size_t i)
{
    return i < t.len && (t.s[i] | 0x20) >= 'a' && (t.s[i] | 0x20) <= 'z';
}

static size_t count_digits(struct pii_text t, const struct pii_span *in)
{
    size_t count = 0;
    for (size_t i = in->start; i < in->end; i++)
        count += pii_is_digit(t, i);
    return count;
}

#define PHONE_LEAST 7 /* digits */
#define CARD_LEAST  13
#define UUID_LEN    36

/* 8-4-4-4-12, and nothing joined to it. */
static bool is_uuid(struct pii_text t, size_t start)
{
    if (t.len < UUID_LEN || start > t.len - UUID_LEN)
        return false;
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? t.s[start + i] != '-' : !is_hex(t, start + i))
            return false;
    }
    size_t end = start + UUID_LEN;
    bool joined = start > 0 && (is_letter(t, start - 1) || pii_is_digit(t, start - 1));
    return !joined && !is_letter(t, end) && !pii_is_digit(t, end);
}

/* The end of the UUID that contains byte i, or 0 if none does. */
static size_t uuid_end(struct pii_text t, size_t i)
{
    for (size_t back = 0; back < UUID_LEN && back <= i; back++)
        if (is_uuid(t, i - back))
            return i - back + UUID_LEN;
    return 0;
}

/* Digits within a UUID do not begin a number. */
static bool is_in_uuid(struct pii_text t, const struct pii_span *found)
{
    size_t i = found->start;
    while (!pii_is_digit(t, i))
        i++;
    return uuid_end(t, i) > 0;
}

/* A single group after a plus has at least eight digits. A number with one leading zero has ten
 * or eleven. */
static bool check_phone(struct pii_text t, struct pii_span *found)
{
    const char *s = t.s + found->start;
    size_t count = count_digits(t, found);
    size_t signs = 0;
    while (s[signs] == '+' || (signs && s[signs] == '('))
        signs++;
    bool small = signs && count == PHONE_LEAST && count + signs == found->end - found->start;
    bool trunk = s[0] == '0' && s[1] != '0';
    return !small && !(trunk && (count < 10 || count > 11)) && !is_in_uuid(t, found);
}

static bool check_ssn(struct pii_text t, struct pii_span *found)
{
    return !is_in_uuid(t, found);
}

#define HASH_LOOK 32 /* bytes to check before and after a number */

/* Is the number part of a run of hexadecimal digits with a letter that is long enough for a hash
 * or an id? */
static bool is_in_hash(struct pii_text t, const struct pii_span *found)
{
    size_t low = found->start, high = found->end;
    if (!(low > 0 && is_letter(t, low - 1)) && !is_letter(t, high))
        return false;
    while (low > 0 && found->start - low < HASH_LOOK && is_hex(t, low - 1))
        low--;
    while (high - found->end < HASH_LOOK && is_hex(t, high))
        high++;
    return high - low >= 16 && !(low > 0 && is_letter(t, low - 1) && !is_hex(t, low - 1)) &&
           !(is_letter(t, high) && !is_hex(t, high));
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_card_sign(struct pii_text t, size_t i)
{
    return i < t.len && (is_space(t.s[i]) || t.s[i] == '-');
}

static bool is_plus(struct pii_text t, size_t i)
{
    return i < t.len && t.s[i] == '+';
}

bool pii_card_continues(struct pii_text t, size_t i, size_t *next)
{
    *next = i + 2 * (is_plus(t, i) && is_plus(t, i + 1));
    while (*next - i < 3 && is_card_sign(t, *next) && !is_plus(t, i))
        ++*next;
    return pii_is_digit(t, *next);
}

static bool row_continues(struct pii_text t, size_t i)
{
    size_t next;
    return pii_card_continues(t, i, &next);
}

static bool came_from(struct pii_text t, size_t i)
{
    if (i > 2 && is_plus(t, i - 1))
        return is_plus(t, i - 2) && pii_is_digit(t, i - 3);
    for (int n = 0; n < 3 && i > 0 && is_card_sign(t, i - 1); n++)
        i--;
    return i > 0 && pii_is_digit(t, i - 1);
}

/*
 * A row that is only a card may have any groups. Within a longer row the groups have three digits
 * or more (the last may have fewer at the end of the row); otherwise every list of numbers would
 * contain a card.
 */
static bool has_groups(struct pii_text t, const struct pii_span *found)
{
    bool last = !row_continues(t, found->end), small = false, space = false, dash = false,
         plus = false;
    size_t digits = 0;
    for (size_t i = found->start; i < found->end; i++) {
        small |= !pii_is_digit(t, i) && digits > 0 && digits < 3;
        digits = pii_is_digit(t, i) ? digits + 1 : 0;
        space |= is_space(t.s[i]);
        dash |= t.s[i] == '-';
        plus |= t.s[i] == '+';
    }
    small |= digits < 3 && !last;
    return !small || (last && !came_from(t, found->start) && space + dash + plus < 2);
}

/* Is it the fraction of a number, such as 0.4111111111111111? */
static bool is_fraction(struct pii_text t, const struct pii_span *found, size_t count)
{
    size_t i = found->start;
    return count == found->end - i && i > 1 && t.s[i - 1] == '.' && pii_is_digit(t, i - 2);
}

static bool has_space(struct pii_text t, const struct pii_span *found)
{
    size_t i = found->start;
    while (i < found->end && !is_space(t.s[i]))
        i++;
    return i < found->end;
}

/* Is a row of digits with a valid Luhn sum a card? */
static bool is_card(struct pii_text t, const struct pii_span *found, size_t count)
{
    return (count > CARD_LEAST || t.s[found->start] == '4') && !pii_is_digit(t, found->end) &&
           has_groups(t, found) && !is_fraction(t, found, count) &&
           (has_space(t, found) || !is_in_hash(t, found)) && !is_in_uuid(t, found);
}

/* Finds the longest card that begins there. Computes the Luhn sum of all rows in one pass: one
 * sum for rows with an even, one for rows with an odd number of digits. */
static bool check_card(struct pii_text t, struct pii_span *found)
{
    static const unsigned char doubled[] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};
    struct pii_span row = *found;
    size_t count = 0, last = found->end;
    unsigned sums[2] = {0, 0};
    found->end = 0;
    for (size_t i = row.start; i < last; i++) {
        if (!pii_is_digit(t, i))
            continue;
        unsigned d = (unsigned)(t.s[i] - '0');
        sums[count++ % 2] += doubled[d];
        sums[count % 2] += d;
        row.end = i + 1;
        if (count >= CARD_LEAST && sums[count % 2] % 10 == 0 && is_card(t, &row, count))
            found->end = row.end;
    }
    return found->end > 0;
}

/* ---- values of secrets ---- */

/* The number of backslashes before `i`, which tells how deep JSON is nested in strings. */
static size_t depth_at(struct pii_text t, size_t i)
{
    size_t n = 0;
    while (n < i && t.s[i - n - 1] == '\\')
        n++;
    return n;
}

/* The quote that closes the name of the value at `i`. */
static size_t name_end(struct pii_text t, size_t i)
{
    while (t.s[i - 1] != ':')
        i--;
    for (i--; t.s[i - 1] != '"';)
        i--;
    return i - 1;
}

/*
 * The end of a value whose quotes have `depth` backslashes: after a string, or at a quote with
 * fewer, which ends the string around it.
 */
static size_t escaped_end(struct pii_text t, size_t start, size_t depth, bool in_string)
{
    size_t level = 0;
    for (size_t i = start; i < t.len; i++) {
        char c = t.s[i];
        size_t slashes = c == '"' ? depth_at(t, i) : 0;
        if (c == '"' && slashes < depth)
            return i - slashes;
        if (c == '"' && slashes == depth) {
            in_string = !in_string;
            if (level == 0 && !in_string)
                return i + 1;
        } else if (in_string || c == '"') {
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
 * The find is the inside of a string, or the whole of another value, or the rest of the text if the
 * value is truncated. Quotes have backslashes in JSON within a string that is not JSON as a whole.
 */
static bool check_secret(struct pii_text t, struct pii_span *found)
{
    size_t start = found->start, name = name_end(t, start), depth = depth_at(t, name);
    bool in_string = t.s[start - 1] == '"';
    size_t end = depth ? escaped_end(t, start, depth, in_string)
                       : (size_t)(json_skip_value(t.s + start - in_string, t.s + t.len) - t.s);
    bool closed = in_string && end > start + depth && t.s[end - 1] == '"';
    if (closed && (depth == 0 || depth_at(t, end - 1) == depth))
        end -= depth + 1;
    found->end = end;
    bool hidden = end - start == strlen(PII_SECRET_MASK) &&
                  memcmp(t.s + start, PII_SECRET_MASK, end - start) == 0;
    return end > start && !hidden;
}

bool pii_is_secret_name(const char *text, size_t len)
{
    static const char names[] = SECRET_NAMES;
    size_t start = len;
    while (start > 0 && !memchr("./:", text[start - 1], 3))
        start--;
    for (const char *at = names; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == len - start && strncasecmp(at, text + start, len - start) == 0)
            return true;
    return false;
}

/* ---- the quick pass ---- */

/*
 * Every find has an '@', a quote and a colon after the name of a secret, or a row of digits that does not
 * begin in a UUID. One pass shows that most texts have none of these. It reads the raw text; if a
 * part of it would be read as something else, the rules must scan the text.
 */

#define ROW_LEAST 9 /* digits of a row without a plus before it */

/* The bytes that begin a row of digits or an escape, that end the name of a secret, and the sign of
 * an address. */
static const bool is_trigger[256] = {
    ['0'] = true, ['1'] = true,  ['2'] = true, ['3'] = true, ['4'] = true,
    ['5'] = true, ['6'] = true,  ['7'] = true, ['8'] = true, ['9'] = true,
    ['"'] = true, ['\\'] = true, ['%'] = true, ['@'] = true,
};

/* Sixteen bytes, compared at once. */
#define BLOCK 16
typedef unsigned char block __attribute__((vector_size(BLOCK)));

/* How many bytes there are from `raw` on before a trigger or a byte beyond ASCII, or before the last block. */
static size_t plain_run(const char *raw, size_t len)
{
    for (size_t i = 0; len - i >= BLOCK; i += BLOCK) {
        block b;
        uint64_t half[2];
        memcpy(&b, raw + i, BLOCK);
        block found = (block)((b - '0' < 10) | (b == '"') | (b == '\\') | (b == '%') | (b == '@')) |
                      (b & 0x80);
        memcpy(half, &found, BLOCK);
        if (half[0] | half[1]) {
            for (size_t k = 0; !found[k]; k++)
                i++;
            return i;
        }
    }
    return len - len % BLOCK;
}

/* The length of a non-ASCII code point that is read as itself, or as a sign that may be in a row
 * of digits (*gap); 0 for others. */
static size_t foreign_at(struct pii_text t, size_t i, bool *gap)
{
    uint32_t c;
    int n = utf8_decode(t.s + i, t.len - i, &c);
    uint32_t read = n ? pii_reads_as(c) : 0;
    *gap = read == ' ' || read == '-' || read == '.' || read == '\n';
    return n && (*gap || read == c) ? (size_t)n : 0;
}

/* The length of a sign that may be between the digits of a number; 0 if it is none. */
static size_t gap_at(struct pii_text t, size_t i)
{
    bool gap = false;
    char c = t.s[i];
    if (c == '\\')
        return i + 1 < t.len && t.s[i + 1] && strchr("/tnrf", t.s[i + 1]) ? 2 : 0;
    if (!(c & 0x80))
        return is_space(c) || (c >= '(' && c <= '/' && c != '*' && c != ',');
    size_t n = foreign_at(t, i, &gap);
    return gap ? n : 0;
}

/*
 * Skips a row of digits and the signs between them. Returns true, with *at 0, if it may be a number:
 * it has enough digits and does not begin in a UUID.
 */
static bool skip_row(struct pii_text t, size_t *at)
{
    size_t i = *at, count = 0, gap = 1, before = i - (i > 0 && t.s[i - 1] == '(');
    size_t least = before > 0 && t.s[before - 1] == '+' ? PHONE_LEAST : ROW_LEAST;
    for (; i < t.len && count < least && gap > 0; i += gap) {
        gap = pii_is_digit(t, i) ? 1 : gap_at(t, i);
        least = t.s[i] == '+' ? PHONE_LEAST : least;
        count += pii_is_digit(t, i);
    }
    *at = count < least ? i : uuid_end(t, *at);
    return *at == 0;
}

/* Skips backslashes and the letter of an escape. Returns whether they may mean anything other
 * than white space, a slash or a quote. */
static bool skip_escape(struct pii_text t, bool escaped, size_t *at)
{
    size_t i = *at;
    while (i < t.len && t.s[i] == '\\')
        i++;
    if (i < t.len && t.s[i] == 'u')
        return true;
    bool escapes = escaped && (i - *at) % 2 && i < t.len;
    *at = i + (escapes && strchr("nrtbf", t.s[i]));
    return escapes && *at == i && t.s[i] != '/' && t.s[i] != '"';
}

/* Is the quote at `i` one after the last letter of a secret's name, and before a colon? */
static bool may_end_secret(struct pii_text t, size_t i)
{
    size_t last = i, gap;
    while (last > 0 && t.s[last - 1] == '\\')
        last--;
    if (last == 0 || !memchr("dtny", t.s[last - 1] | 0x20, 4))
        return false;
    for (i++; i < t.len && (gap = gap_at(t, i)) > 0;)
        i += gap;
    return i < t.len && t.s[i] == ':';
}

/* Skips a trigger at t.s[*at]. Returns whether the rules must scan the text. */
static bool skip_trigger(struct pii_text t, bool escaped, size_t *at)
{
    char c = t.s[*at];
    if (c == '\\')
        return skip_escape(t, escaped, at);
    if (pii_is_digit(t, *at))
        return skip_row(t, at);
    ++*at;
    return c == '@' || (c == '%' ? is_hex(t, *at) : may_end_secret(t, *at - 1));
}

bool pii_may_find(const char *raw, size_t len, bool escaped)
{
    const struct pii_text t = {raw, len};
    for (size_t i = 0; i < len;) {
        bool gap;
        unsigned char c = (unsigned char)raw[i];
        if (c < 0x80 && !is_trigger[c]) {
            i++;
            i += plain_run(raw + i, len - i);
            continue;
        }
        size_t used = c < 0x80 ? 0 : foreign_at(t, i, &gap);
        i += used;
        if (c < 0x80 ? skip_trigger(t, escaped, &i) : used == 0)
            return true;
    }
    return false;
}

/* ---- compiled ---- */

#define MATCH_STEPS 10000
#define MATCH_DEPTH 500
#define MATCH_KB    1024

pcre2_code *pii_compile(const char *pattern, size_t len, uint32_t options, int *code, size_t *place)
{
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)pattern, len, options, code, place, NULL);
    if (compiled)
        pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE |
                                        PCRE2_JIT_PARTIAL_HARD); /* if the JIT is available */
    return compiled;
}

static struct pii_built_in *compile_all(void)
{
    static const char *const patterns[PII_CUSTOM] = {
        [PII_EMAIL] = EMAIL, [PII_PHONE] = PHONE,   [PII_SSN] = SSN,
        [PII_CARD] = CARD,   [PII_SECRET] = SECRET,
    };
    struct pii_built_in *all = xmalloc(sizeof(*all));
    int code;
    size_t place;
    *all = (struct pii_built_in){
        .rule = {[PII_EMAIL] = {.name = "email", .sign = '@'},
                 [PII_PHONE] = {.name = "phone", .digits = PHONE_LEAST, .check = check_phone},
                 [PII_SSN] = {.name = "ssn", .digits = 9, .check = check_ssn},
                 [PII_CARD] = {.name = "card", .digits = CARD_LEAST, .check = check_card},
                 [PII_SECRET] = {.name = "secret", .sign = '"', .check = check_secret}},
        .bound = pcre2_match_context_create(NULL)};
    if (!all->bound)
        alloc_fail();
    pcre2_set_match_limit(all->bound, MATCH_STEPS);
    pcre2_set_depth_limit(all->bound, MATCH_DEPTH);
    pcre2_set_heap_limit(all->bound, MATCH_KB);
    for (int i = 0; i < PII_CUSTOM; i++) {
        uint32_t utf = i == PII_EMAIL ? PCRE2_UTF : 0;
        all->rule[i].code = pii_compile(patterns[i], PCRE2_ZERO_TERMINATED, utf, &code, &place);
        if (!all->rule[i].code)
            abort();
    }
    return all;
}

static void release(struct pii_built_in *all)
{
    for (int i = 0; i < PII_CUSTOM; i++)
        pcre2_code_free(all->rule[i].code);
    pcre2_match_context_free(all->bound);
    free(all);
}

/* Compiled when they are first needed. Of threads that need them at once one wins. */
const struct pii_built_in *pii_built_in_rules(void)
{
    static struct pii_built_in *_Atomic compiled;
    struct pii_built_in *mine, *now = atomic_load(&compiled);
    if (now)
        return now;
    mine = compile_all();
    if (atomic_compare_exchange_strong(&compiled, &now, mine))
        return mine;
    release(mine);
    return now;
}
