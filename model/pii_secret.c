/* The keys whose value is nobody's business, and such a pair in a text that is no JSON as a whole. */
#include "pii_find.h"

#include <strings.h>
#include "json_scan.h"

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

/* Between the quotes of a string, the whole of anything else; to the end of the text where it is cut off. */
bool pii_secret_at(struct pii_text t, size_t quote, struct pii_span *out)
{
    size_t word = quote + 1 < t.len ? pii_secret_word(t, quote + 1) : 0;
    if (word == 0 || !pii_is(t, word, '"'))
        return false;
    size_t colon = skip_space(t, word + 1);
    if (!pii_is(t, colon, ':'))
        return false;
    size_t start = skip_space(t, colon + 1);
    size_t end = (size_t)(json_skip_value(t.s + start, t.s + t.len) - t.s);
    if (pii_is(t, start, '"')) {
        start++;
        end -= end > start && t.s[end - 1] == '"';
    }
    *out = (struct pii_span){start, end, PII_SECRET};
    return end > start && !is_hidden(t, start, end);
}
