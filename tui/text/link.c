#include "tui/text/link.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

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
    const char *open = len && *s == '/' ? s : at < LINK_MAX ? memmem(s, len, "(/", 2) : NULL;
    if (!open)
        return false;
    size_t from = (size_t)(open - s) + (*open == '(');
    size_t to = without_end(s, from, find_end(s, from, len));
    *out = (struct link){from, to};
    return to > at && to > from + 1 && memchr(s + from + 1, '/', to - from - 1);
}

static bool find_uri(const char *s, size_t len, size_t at, struct link *out)
{
    size_t from = at > LINK_MAX ? at - LINK_MAX : 0; /* a link may begin before `at` */
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
    if (out->len - before <= LINK_MAX)
        return true;
    strbuf_cut(out, before);
    return false;
}
