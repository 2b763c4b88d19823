/* What is found in a text: what a person types, names, and links. */
#include "tui/text/match.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
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

/* ---- links ---- */

/* Agents write URIs, and what a handler of another scheme does is not known. */
static size_t scheme_length(const char *s, size_t len)
{
    static const char *const schemes[] = {"http://", "https://", "file://"};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        size_t own = strlen(schemes[i]);
        if (len > own && !strncasecmp(s, schemes[i], own))
            return own;
    }
    return 0;
}

/* Where it ends: before a blank, a quote, a bracket <>, or what stands in place of a control character. */
static size_t find_end(const char *s, size_t from, size_t len)
{
    size_t to = from;
    while (to < len && (unsigned char)s[to] > ' ' && s[to] != 0x7f && !strchr("\"<>`", s[to]) &&
           (len - to < 3 || memcmp(s + to, "\xef\xbf\xbd", 3) != 0))
        to++;
    return to;
}

/* Punctuation at the end belongs to the sentence, as does a bracket that the URI did not open. */
static size_t without_end(const char *s, size_t from, size_t to)
{
    while (to > from) {
        char last = s[to - 1], open = last == ')' ? '(' : last == ']' ? '[' : '\0';
        bool opened = open && memchr(s + from, open, to - from);
        if (!strchr(".,;:!?'", last) && (!open || opened))
            break;
        to--;
    }
    return to;
}

/* A path that is the text or its beginning, or stands in brackets: "direct (/home/ash/notes.md)". */
static bool find_path(const char *s, size_t len, size_t at, struct link *out)
{
    const char *open = len && *s == '/' ? s : at < LINK_BYTES ? memmem(s, len, "(/", 2) : NULL;
    if (!open)
        return false;
    size_t from = (size_t)(open - s) + (*open == '(');
    size_t to = without_end(s, from, find_end(s, from, len));
    *out = (struct link){from, to};
    return to > at && to > from + 1 && memchr(s + from + 1, '/', to - from - 1);
}

static bool find_uri(const char *s, size_t len, size_t at, struct link *out)
{
    size_t from = at > LINK_BYTES ? at - LINK_BYTES : 0; /* a link may begin before `at` */
    for (const char *mark; (mark = memmem(s + from, len - from, "://", 3));) {
        size_t colon = (size_t)(mark - s), begin = colon;
        while (begin > from && colon - begin < 5 && (s[begin - 1] | 32) >= 'a' &&
               (s[begin - 1] | 32) <= 'z')
            begin--;
        size_t scheme = scheme_length(s + begin, len - begin);
        size_t to = without_end(s, begin, find_end(s, colon + 3, len));
        from = colon + 3;
        *out = (struct link){begin, to};
        if (scheme && to > begin + scheme && to > at)
            return true;
    }
    return false;
}

bool link_find(const char *s, size_t len, size_t at, struct link *out)
{
    struct link path;
    bool is_path = find_path(s, len, at, &path), is_uri = find_uri(s, len, at, out);
    if (is_path && (!is_uri || path.from < out->from))
        *out = path;
    return is_path || is_uri;
}

static void add_encoded(struct strbuf *out, const char *s, size_t len, const char *keep)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        bool plain = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
                     (c && c < 0x7f && strchr(keep, c));
        if (plain)
            strbuf_addch(out, (char)c);
        else
            strbuf_addf(out, "%%%02X", c);
    }
}

bool link_add_target(struct strbuf *out, const char *s, const struct link *l)
{
    char host[256] = "";
    size_t before = out->len;
    bool path = s[l->from] == '/';
    if (path && !gethostname(host, sizeof(host) - 1)) {
        strbuf_addstr(out, "file://");
        add_encoded(out, host, strlen(host), "-._~");
    }
    add_encoded(out, s + l->from, l->to - l->from,
                path ? "-._~/!$&'()*+,;=:@" : "-._~:/?#[]@!$&'()*+,;=%");
    if (out->len - before <= LINK_BYTES)
        return true;
    strbuf_cut(out, before);
    return false;
}
