/* The keys whose value is nobody's business, and such a pair in a text that is no JSON as a whole. */
#include "model/pii/pii_find.h"

#include <strings.h>
#include "model/json/json_scan.h"

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
