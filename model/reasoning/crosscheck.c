/* Checks of a response against its citations. */
#include "model/reasoning/citation.h"

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
    AUTO_STRBUF form = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        const char *at = m->text;
        strbuf_clear(&form);
        citation_format(&form, cited[i].name, cited[i].page, cited[i].section);
        while ((at = strstr(at, form.buf))) {
            mark(m, (size_t)(at - m->text), form.len);
            at += form.len;
        }
    }
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

/* The bytes of a list marker at the beginning of a line ("- ", "• ", "12. ", "3) "), indent included; 0 if there is
 * none. */
static size_t list_marker(const struct marks *m, size_t at)
{
    static const char bullet[] = "\xe2\x80\xa2";
    size_t from = at, digits = 0;
    while (at < m->len && (m->text[at] == ' ' || m->text[at] == '\t'))
        at++;
    while (digits < 4 && at + digits < m->len && isdigit((unsigned char)m->text[at + digits]))
        digits++;
    if (digits > 0 && digits < 4 && at + digits < m->len && strchr(".)", m->text[at + digits]))
        at += digits + 1;
    else if (at < m->len && strchr("-*+", m->text[at]))
        at++;
    else if (m->len - at >= sizeof(bullet) - 1 &&
             memcmp(m->text + at, bullet, sizeof(bullet) - 1) == 0)
        at += sizeof(bullet) - 1;
    else
        return 0;
    return at < m->len && isspace((unsigned char)m->text[at]) ? at + 1 - from : 0;
}

/* Does the line that ends at this line feed end the sentence that began at `from`: it is a heading, or an empty line,
 * an item of a list or a heading follows? */
static bool line_ends_sentence(const struct marks *m, size_t from, size_t at)
{
    size_t next = at + 1;
    while (next < m->len && m->text[next] != '\n' && isspace((unsigned char)m->text[next]))
        next++;
    return next == m->len || m->text[next] == '\n' || m->text[next] == '#' ||
           m->text[from] == '#' || list_marker(m, at + 1) > 0;
}

/* The bytes of a code point of the set at `at`; 0 if it is none of them. */
static size_t one_of(const struct marks *m, size_t at, const uint32_t *set)
{
    uint32_t c;
    int n = at < m->len ? utf8_decode(m->text + at, m->len - at, &c) : 0;
    for (; n > 0 && *set; set++)
        if (*set == c)
            return (size_t)n;
    return 0;
}

/* The signs that end a sentence, those of scripts that need no white space after them, and what may close it. */
static const uint32_t narrow_ends[] = {'.', '!', '?', 0};
static const uint32_t wide_ends[] = {0x3002, 0xff61, 0xff01, 0xff1f, 0x203c, 0x2047, 0x2048, 0x2049,
                                     0x61f,  0x6d4,  0x964,  0x965,  0x1362, 0x104b, 0x17d4, 0};
static const uint32_t closes[] = {'"',    '\'',   ')',    ']',    0x2019, 0x201d, 0xbb,
                                  0x300d, 0x300f, 0xff09, 0x3011, 0x300b, 0};

/* The bytes of a sign at `at` that ends a sentence; 0 if there is none, or if it is part of a citation. */
static size_t sentence_end_at(const struct marks *m, size_t at)
{
    if (at < m->len && m->cited[at])
        return 0;
    size_t n = one_of(m, at, narrow_ends);
    return n ? n : one_of(m, at, wide_ends);
}

/* Is the point at `at` that of an initial, of a title before a name, or of "Fig." before a number? */
static bool is_abbreviation(const struct marks *m, size_t from, size_t at, char next)
{
    static const char titles[] =
        " dr mr mrs ms prof st rev gen col capt lt sgt sen rep gov mme vs cf al ";
    static const char before_number[] = " no nos p pp fig figs vol ch sec eq art ca approx jan feb "
                                        "mar apr jun jul aug sep sept oct nov dec ";
    char word[12] = " ";
    size_t len = 0;
    while (at - len > from && len < sizeof(word) - 2 &&
           isalpha((unsigned char)m->text[at - len - 1]))
        len++;
    bool joined = at - len > from &&
                  (isdigit((unsigned char)m->text[at - len - 1]) || m->text[at - len - 1] & 0x80);
    if (len == 0 || len >= sizeof(word) - 2 || joined)
        return false;
    for (size_t i = 0; i < len; i++)
        word[i + 1] = (char)tolower((unsigned char)m->text[at - len + i]);
    word[len + 1] = ' ';
    return isdigit((unsigned char)next) ? strstr(before_number, word) != NULL
                                        : len == 1 || strstr(titles, word) != NULL;
}

/* The end of the sentence if it ends at `at`, after what closes it; else 0. A point before a small letter is that of an
 * abbreviation. */
static size_t ends_sentence(const struct marks *m, size_t from, size_t at)
{
    bool wide = false;
    size_t end = at, n, next;
    if (m->text[at] == '\n')
        return !m->cited[at] && line_ends_sentence(m, from, at) ? at + 1 : 0;
    for (; (n = sentence_end_at(m, end)) > 0; end += n)
        wide |= n > 1;
    if (end == at)
        return 0;
    bool point = end == at + 1 && m->text[at] == '.';
    while (end < m->len && !m->cited[end] && (n = one_of(m, end, closes)) > 0)
        end += n;
    for (next = end; next < m->len && (n = utf8_space(m->text + next, m->len - next)) > 0;)
        next += n;
    if (wide || next == m->len)
        return end;
    bool abbreviates =
        point && !m->cited[next] &&
        (islower((unsigned char)m->text[next]) || is_abbreviation(m, from, at, m->text[next]));
    return next > end && !abbreviates ? end : 0;
}

/* The end of the sentence that begins at `from`, after a citation that directly follows it. */
static size_t sentence_end(const struct marks *m, size_t from)
{
    size_t end = 0, n;
    for (size_t at = from; end == 0 && at < m->len; at++)
        end = ends_sentence(m, from, at);
    end = end ? end : m->len;
    for (size_t after = end; after < m->len;) {
        while (after < m->len && isspace((unsigned char)m->text[after]))
            after++;
        if (after == m->len || !m->cited[after])
            break;
        while (after < m->len && (n = m->cited[after] ? 1 : sentence_end_at(m, after)) > 0)
            after += n;
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
        bool begins = from == 0 || text[from - 1] == '\n';
        for (; from < len && isspace((unsigned char)text[from]); from++)
            begins |= text[from] == '\n';
        from += begins ? list_marker(&m, from) : 0;
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
    AUTO_STRBUF whole = STRBUF_INIT, part = STRBUF_INIT;
    add_collapsed(&whole, text);
    add_collapsed(&part, passage);
    return part.len == 0 || (whole.len && strstr(whole.buf, part.buf));
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
    AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
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
    return same && other && words;
}
