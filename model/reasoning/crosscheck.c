/* Checks of a response against its citations. */
#include "model/reasoning/crosscheck.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"

/* ---- sentences ---- */

/* Marks the bytes of a text that are part of a citation. */
struct marks {
    const char *text;
    size_t len;
    bool *cited; /* [len] */
};

static void mark(struct marks *m, size_t from, size_t len)
{
    for (size_t i = from; i < from + len && i < m->len; i++)
        m->cited[i] = true;
}

/* Citations in the text count in code points. */
static void mark_found(struct marks *m, struct arena *arena)
{
    struct cited *found;
    size_t count, byte = 0, point = 0;
    citations_in_text(m->text, arena, &found, &count);
    for (size_t i = 0; i < count; i++) {
        size_t from = 0;
        for (size_t end = found[i].at + found[i].len; byte < m->len && point < end; point++) {
            uint32_t c;
            int n = utf8_decode(m->text + byte, m->len - byte, &c);
            from = point == found[i].at ? byte : from;
            byte += n ? (size_t)n : 1;
        }
        mark(m, from, byte - from);
    }
}

static void mark_formatted(struct marks *m, const struct citation *cited, size_t count)
{
    struct strbuf form = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        const char *at = m->text;
        strbuf_clear(&form);
        citation_format(&form, cited[i].name, cited[i].page, cited[i].section);
        while ((at = strstr(at, form.buf))) {
            mark(m, (size_t)(at - m->text), form.len);
            at += form.len;
        }
    }
    strbuf_release(&form);
}

/* "[2]" and "[^2]" */
static void mark_numbers(struct marks *m, size_t count)
{
    for (const char *at = m->text; (at = strchr(at, '[')); at++) {
        const char *digits = at + 1 + (at[1] == '^');
        char *end;
        unsigned long number = isdigit((unsigned char)*digits) ? strtoul(digits, &end, 10) : 0;
        if (number >= 1 && number <= count && *end == ']')
            mark(m, (size_t)(at - m->text), (size_t)(end + 1 - at));
    }
}

/* The end of a paragraph at this byte: 2 line feeds, with only white space between them. */
static bool is_empty_line(const struct marks *m, size_t at)
{
    if (m->text[at] != '\n')
        return false;
    for (at++; at < m->len && isspace((unsigned char)m->text[at]); at++)
        if (m->text[at] == '\n')
            return true;
    return at >= m->len;
}

/* A point before a small letter is that of an abbreviation. */
static bool ends_sentence(const struct marks *m, size_t at)
{
    size_t next = at + 1;
    if (m->cited[at] || !strchr(".!?", m->text[at]))
        return !m->cited[at] && is_empty_line(m, at);
    while (next < m->len && isspace((unsigned char)m->text[next]))
        next++;
    return next == m->len ||
           (next > at + 1 && !(m->text[at] == '.' && islower((unsigned char)m->text[next])));
}

/* The end of the sentence that begins at `from`, after a citation that directly follows it. */
static size_t sentence_end(const struct marks *m, size_t from)
{
    size_t end = from;
    while (end < m->len && !ends_sentence(m, end))
        end++;
    end += end < m->len;
    for (size_t after = end; after < m->len;) {
        while (after < m->len && isspace((unsigned char)m->text[after]))
            after++;
        if (after == m->len || !m->cited[after])
            break;
        while (after < m->len && (m->cited[after] || strchr(".!?", m->text[after])))
            after++;
        end = after;
    }
    return end;
}

static bool has_letter(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (isalpha((unsigned char)s[i]) || (s[i] & 0x80))
            return true;
    return false;
}

static bool is_cited(const struct marks *m, size_t from, size_t end)
{
    for (; from < end; from++)
        if (m->cited[from])
            return true;
    return false;
}

void sentences_uncited(const char *text, const struct citation *cited, size_t count,
                       struct arena *arena, const char ***out, size_t *out_count)
{
    size_t len = strlen(text), alloc = 0;
    struct marks m = {text, len, arena_array(arena, len + 1, sizeof(bool))};
    mark_found(&m, arena);
    mark_formatted(&m, cited, count);
    mark_numbers(&m, count);
    *out = NULL;
    *out_count = 0;
    for (size_t from = 0, end; from < len; from = end) {
        while (from < len && isspace((unsigned char)text[from]))
            from++;
        end = sentence_end(&m, from);
        size_t last = end;
        while (last > from && isspace((unsigned char)text[last - 1]))
            last--;
        if (last > from && text[from] != '#' && has_letter(text + from, last - from) &&
            !is_cited(&m, from, last))
            *ARENA_ADD(arena, *out, *out_count, alloc) =
                arena_strndup(arena, text + from, last - from);
    }
}

/* ---- passages ---- */

static void add_collapsed(struct strbuf *out, const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        size_t space = utf8_space(text + i, len - i);
        if (space && out->len && i + space < len)
            strbuf_addch(out, ' ');
        i += space;
        for (; i < len && utf8_space(text + i, len - i) == 0; i++)
            strbuf_addch(out, text[i]);
    }
}

bool text_has_passage(const char *text, const char *passage)
{
    struct strbuf whole = STRBUF_INIT, part = STRBUF_INIT;
    add_collapsed(&whole, text);
    add_collapsed(&part, passage);
    bool has = part.len == 0 || (whole.len && strstr(whole.buf, part.buf));
    strbuf_release(&whole);
    strbuf_release(&part);
    return has;
}

/* The bytes of a number: digits, with points and commas between digits. */
static size_t number_length(const char *s)
{
    size_t len = 0;
    while (isdigit((unsigned char)s[len]) ||
           (len && strchr(".,", s[len]) && s[len] && isdigit((unsigned char)s[len + 1])))
        len++;
    return len;
}

bool numbers_differ(const char *a, const char *b)
{
    struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
    bool same = true, other = false, words = false;
    add_collapsed(&x, a);
    add_collapsed(&y, b);
    const char *p = x.len ? x.buf : "", *q = y.len ? y.buf : "";
    while (same && *p) {
        size_t first = number_length(p), second = number_length(q);
        if (first && second) {
            other |= first != second || memcmp(p, q, first) != 0;
            p += first;
            q += second;
        } else {
            same = *p == *q && !first && !second;
            words |= isalpha((unsigned char)*p) || (*p & 0x80);
            p++;
            q += *q != '\0';
        }
    }
    same = same && !*q;
    strbuf_release(&x);
    strbuf_release(&y);
    return same && other && words;
}
