/* What an error says and quotes, masked. */
#include "store/mcp/protocol/masking.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json_scan.h"

/* So much of an argument is known for its beginning. */
#define QUOTED_LEAST 6

/* The longest beginning of `s` that stands in the text: its bytes, and where. */
static size_t find_beginning(const char *text, const char *s, size_t len, size_t *where)
{
    size_t longest = 0;
    for (size_t i = 0; text[i]; i++) {
        size_t n = 0;
        while (n < len && text[i + n] && text[i + n] == s[n])
            n++;
        if (n > longest) {
            longest = n;
            *where = i;
        }
    }
    return longest;
}

static void put_in_place(char *text, size_t size, size_t where, size_t len, const char *with,
                         size_t with_len)
{
    struct strbuf changed = STRBUF_INIT;
    strbuf_add(&changed, text, where);
    strbuf_add(&changed, with, with_len);
    strbuf_addstr(&changed, text + where + len);
    size_t kept = changed.failed ? 0 : changed.len < size ? changed.len : size - 1;
    while (kept && kept < changed.len && ((unsigned char)changed.buf[kept] & 0xc0) == 0x80)
        kept--;
    memcpy(text, kept ? changed.buf : "", kept);
    text[kept] = '\0';
    strbuf_release(&changed);
}

/* What an error quotes of an argument may be cut, as half an address: it is masked as a whole, and then cut. */
static void mask_quoted(const struct pii *p, const char *s, size_t len, char *text, size_t size)
{
    size_t where = 0;
    struct strbuf masked = STRBUF_INIT;
    if (len < QUOTED_LEAST || !pii_in_string(p, s, len))
        return;
    size_t quoted = find_beginning(text, s, len, &where);
    if (quoted < QUOTED_LEAST)
        return;
    pii_mask_string(p, s, len, &masked, NULL);
    size_t kept = quoted == len || masked.len < quoted ? masked.len : quoted;
    while (kept && kept < masked.len && ((unsigned char)masked.buf[kept] & 0xc0) == 0x80)
        kept--;
    put_in_place(text, size, where, quoted, masked.buf, masked.failed ? 0 : kept);
    strbuf_release(&masked);
}

/* What an error quotes, perhaps cut, of the JSON that was given, masked as it was given: in its place, in a text that has
 * so much room. What else there is in it stays. */
static void mask_quotes(const struct pii *p, struct json_slice given, char *text, size_t size)
{
    const char *at = given.ptr, *end = at ? at + given.len : NULL;
    while (at && at < end) {
        const char *start = at++;
        if (*start != '"')
            continue;
        at = json_skip_string(start, end);
        char *s = at - start < 2 ? NULL : xmalloc((size_t)(at - start));
        if (!s) {
            text[0] = '\0';
            return;
        }
        mask_quoted(p, s, json_unescape(s, start + 1, (size_t)(at - start) - 2), text, size);
        free(s);
    }
}

/* Puts it in the place of a text of that size, cut where it is longer; nothing where it could not be made. */
static void put_fixed(const struct strbuf *made, char *text, size_t size)
{
    size_t len = made->failed ? 0 : made->len < size ? made->len : size - 1;
    while (len && len < made->len && ((unsigned char)made->buf[len] & 0xc0) == 0x80)
        len--;
    memcpy(text, len ? made->buf : "", len);
    text[len] = '\0';
}

/* An error that is masked, and the arguments that it may quote. */
struct said {
    struct error *error;
    struct json_slice given;
};

/* Text in a place of its own, whose size masking may pass: then it is cut. */
static void mask_fixed(const struct said *s, const struct pii *p, char *text, size_t size)
{
    struct strbuf masked = STRBUF_INIT;
    mask_quotes(p, s->given, text, size);
    if (pii_mask_string(p, text, strlen(text), &masked, NULL) || masked.failed)
        put_fixed(&masked, text, size);
    strbuf_release(&masked);
}

/* Where what is quoted from `at` on ends: what stands between two quotes may join them to one, as a colon does. */
static size_t quote_end(const struct error *e, size_t at, size_t len)
{
    while (at < len && (error_quotes(e, at) || (at + 1 < len && error_quotes(e, at + 1))))
        at++;
    return at;
}

/*
 * Patterns of a configuration look at what is quoted alone: one that finds much would leave nothing of what stemma says
 * itself. The built-in rules find nothing in that, and look at all of it.
 */
static void mask_quoted_alone(const struct said *s, const struct pii *p)
{
    struct error *e = s->error;
    struct strbuf all = STRBUF_INIT;
    char quote[sizeof(e->what)];
    size_t len = strlen(e->what);
    for (size_t at = 0, end; at < len; at = end) {
        end = at;
        while (end < len && !error_quotes(e, end))
            end++;
        strbuf_add(&all, e->what + at, end - at);
        at = end;
        end = quote_end(e, at, len);
        memcpy(quote, e->what + at, end - at);
        quote[end - at] = '\0';
        mask_fixed(s, p, quote, sizeof(quote));
        strbuf_addstr(&all, quote);
    }
    put_fixed(&all, e->what, sizeof(e->what));
    strbuf_release(&all);
    mask_fixed(s, pii_built_in(), e->what, sizeof(e->what));
}

bool mask_error(const struct pii *p, struct json_slice given, struct error *e)
{
    const struct error was = *e;
    const struct said s = {e, given};
    bool own = pii_has_patterns(p);
    if (own)
        mask_quoted_alone(&s, p);
    else
        mask_fixed(&s, p, e->what, sizeof(e->what));
    mask_fixed(&s, own && !e->todo_quotes ? pii_built_in() : p, e->todo, sizeof(e->todo));
    return strcmp(was.what, e->what) != 0 || strcmp(was.todo, e->todo) != 0;
}
