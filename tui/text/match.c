#include "tui/text/match.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/graph/graph.h"
#include "model/memory/memory.h"
#include "store/query/list.h"

static bool has_capital(const char *pattern)
{
    size_t len = strlen(pattern);
    for (size_t i = 0; i < len;) {
        uint32_t c;
        int n = utf8_decode(pattern + i, len - i, &c);
        if (n == 0) {
            i++;
            continue;
        }
        if (utf8proc_tolower((utf8proc_int32_t)c) != (utf8proc_int32_t)c)
            return true;
        i += (size_t)n;
    }
    return false;
}

/* Decodes one code point, folded if `fold`; a broken byte gets a value above Unicode. Returns its length. */
static size_t next_code(const char *s, size_t len, bool fold, uint32_t *c)
{
    unsigned char byte = (unsigned char)*s;
    if (byte < 0x80) {
        *c = fold && byte >= 'A' && byte <= 'Z' ? byte + 32u : byte;
        return 1;
    }
    int n = utf8_decode(s, len, c);
    if (n == 0) {
        *c = 0x200000u + byte;
        return 1;
    }
    if (fold)
        *c = (uint32_t)utf8proc_tolower((utf8proc_int32_t)*c);
    return (size_t)n;
}

/* If the pattern matches at `at`, returns the end of the match, else 0. */
static size_t match_here(const char *text, size_t len, size_t at, const char *pattern,
                         size_t pattern_len, bool fold)
{
    size_t p = 0;
    while (p < pattern_len) {
        uint32_t a, b;
        if (at >= len)
            return 0;
        at += next_code(text + at, len - at, fold, &a);
        p += next_code(pattern + p, pattern_len - p, fold, &b);
        if (a != b)
            return 0;
    }
    return at;
}

bool match_find(const char *text, size_t len, size_t start, const char *pattern,
                struct match_place *found)
{
    size_t pattern_len = pattern ? strlen(pattern) : 0;
    if (pattern_len == 0)
        return false;
    bool fold = !has_capital(pattern);
    for (size_t at = start; at < len;) {
        uint32_t c;
        size_t end = match_here(text, len, at, pattern, pattern_len, fold);
        if (end > 0) {
            *found = (struct match_place){at, end};
            return true;
        }
        at += next_code(text + at, len - at, false, &c);
    }
    return false;
}

bool match_text(const char *text, const char *pattern)
{
    struct match_place found;
    return text && match_find(text, strlen(text), 0, pattern, &found);
}

const char *choice_order(int i)
{
    return i < ORDER_COUNT ? order_name((enum list_order)i) : NULL;
}

static int no_such_kind(const char *word, const char *other, struct error *e)
{
    struct suggestion near = SUGGESTION_INIT(word);
    AUTO_STRBUF hint = STRBUF_INIT, names = STRBUF_INIT;
    for (int k = 0; k < KIND_COUNT; k++) {
        strbuf_addf(&names, "%s%s", k ? ", " : "", kind_name((enum kind)k));
        suggest_consider(&near, kind_name((enum kind)k));
        suggest_consider(&near, kind_spec((enum kind)k)->plural);
    }
    if (near.name)
        strbuf_addf(&hint, "Did you mean %s?", near.name);
    else
        strbuf_addf(&hint, "It is one of: %s%s%s", other ? other : "", other ? ", " : "",
                    names.buf);
    error_set(e, ERROR_USAGE, hint.buf, "there is no kind of memory '%.80s'", word);
    return -1;
}

int choice_kind_typed(const char *word, const char *other, struct error *e)
{
    int kind = kind_from_word(word);
    if (kind < 0 && other && strcmp(word, other) == 0)
        return KIND_COUNT;
    return kind >= 0 ? kind : no_such_kind(word, other, e);
}
