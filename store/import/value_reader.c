#include "store/import/value_reader.h"

#include <string.h>

int value_reader_open(struct value_reader *r, const char *path, struct error *e)
{
    *r = (struct value_reader){.shape = VALUES_UNKNOWN, .line = 1};
    return byte_reader_open(&r->in, path, e);
}

void value_reader_close(struct value_reader *r)
{
    byte_reader_close(&r->in);
}

static const char *unread(const struct value_reader *r)
{
    return r->in.buf + r->in.start;
}

static size_t unread_length(const struct value_reader *r)
{
    return r->in.end - r->in.start;
}

/* Counts the lines of what is taken. */
static void take(struct value_reader *r, size_t len)
{
    const char *at = unread(r), *end = at + len;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        r->line++;
        at++;
    }
    r->in.start += len;
}

/* ---- between values ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The mark of the order of bytes, which some editors put first. */
static void skip_mark(struct value_reader *r)
{
    if (!r->begun && unread_length(r) >= 3 && memcmp(unread(r), "\xef\xbb\xbf", 3) == 0)
        r->in.start += 3;
    r->begun = true;
}

/* Passes over white space, and over the brackets and commas of a list. 1: a value begins; 0: the end;
 * BYTES_IDLE; -1. */
static int find_value(struct value_reader *r, struct error *e)
{
    for (;;) {
        size_t skip = 0, len = unread_length(r);
        if (len >= 3 || r->in.at_end)
            skip_mark(r), len = unread_length(r);
        const char *text = unread(r);
        while (r->begun && skip < len &&
               (is_space(text[skip]) || (r->shape == VALUES_LIST && text[skip] == ',')))
            skip++;
        char c = skip < len ? text[skip] : '\0';
        bool opens = r->begun && skip < len && r->shape != VALUES_LIST && c == '[';
        bool closes = r->begun && skip < len && r->shape == VALUES_LIST && c == ']';
        take(r, skip + (opens || closes));
        r->any |= opens || (r->begun && skip < len);
        if (opens || closes) {
            r->shape = opens ? VALUES_LIST : VALUES_UNKNOWN;
            continue;
        }
        if (r->begun && skip < len)
            return 1;
        int more = byte_reader_fill(&r->in, e);
        if (more == 1 || (more == 0 && !r->begun && unread_length(r) > 0)) {
            r->begun |= more == 0;
            continue;
        }
        return more;
    }
}

/* ---- a value ---- */

/* How far one was looked at. */
struct scan {
    size_t at;
    size_t depth;
    bool in_string, escaped;
    size_t line_end; /* the first one within it; 0: none */
    size_t skipped;  /* bytes of one that is too long, which are gone */
};

static bool ends_scalar(char c)
{
    return is_space(c) || c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || c == '"';
}

/* Goes on over what is there; true where the value ends at s->at. */
static bool scan_on(struct scan *s, const char *text, size_t len)
{
    for (; s->at < len; s->at++) {
        char c = text[s->at];
        if (c == '\n' && !s->line_end && s->at)
            s->line_end = s->at;
        if (s->in_string) {
            s->in_string = s->escaped || c != '"';
            s->escaped = !s->escaped && c == '\\';
            if (!s->in_string && s->depth == 0)
                return s->at++, true;
        } else if (c == '"') {
            s->in_string = true;
        } else if (c == '{' || c == '[') {
            s->depth++;
        } else if (c == '}' || c == ']') {
            if (s->depth <= 1)
                return s->at++, true;
            s->depth--;
        } else if (s->depth == 0 && s->at && ends_scalar(c)) {
            return true;
        }
    }
    return false;
}

/* Does the line after that place begin with another object? Then the value is a broken line. */
static bool is_broken_line(const char *text, size_t len, size_t line_end)
{
    return line_end && line_end + 1 < len && text[line_end + 1] == '{';
}

/* Is nothing but white space on the rest of its line? */
static bool ends_line(const char *text, size_t len, size_t at)
{
    while (at < len && is_space(text[at]) && text[at] != '\n')
        at++;
    return at == len || text[at] == '\n';
}

static void settle_shape(struct value_reader *r, const struct scan *s)
{
    if (r->shape != VALUES_UNKNOWN)
        return;
    bool line = (!s->line_end && ends_line(unread(r), unread_length(r), s->at)) ||
                is_broken_line(unread(r), unread_length(r), s->line_end);
    r->shape = line ? VALUES_LINES : VALUES_FOLLOW;
}

/* On a line the value is what stands there, whatever its brackets. */
static bool line_is_there(const struct value_reader *r, struct scan *s)
{
    const char *end =
        unread_length(r) > s->at ? memchr(unread(r) + s->at, '\n', unread_length(r) - s->at) : NULL;
    s->at = end ? (size_t)(end - unread(r)) : unread_length(r);
    return end != NULL;
}

static bool value_is_there(struct value_reader *r, struct scan *s)
{
    if (r->shape == VALUES_LINES)
        return line_is_there(r, s);
    bool there = scan_on(s, unread(r), unread_length(r));
    /* What follows the first one tells how they stand; it may not have come. */
    if (there && r->shape == VALUES_UNKNOWN)
        settle_shape(r, s);
    if (!there && r->shape == VALUES_UNKNOWN &&
        is_broken_line(unread(r), unread_length(r), s->line_end)) {
        r->shape = VALUES_LINES;
        s->at = s->line_end;
        return true;
    }
    return there;
}

/* What is too long is let go as it comes. */
static void let_go(struct value_reader *r, struct scan *s)
{
    if (s->at <= VALUE_MAX_BYTES && !s->skipped)
        return;
    s->skipped += s->at;
    take(r, s->at);
    s->at = 0;
    s->line_end = 0;
}

/* ---- all of them ---- */

static size_t without_space_after(const char *text, size_t len)
{
    while (len && is_space(text[len - 1]))
        len--;
    return len;
}

static int give(struct value_reader *r, const struct scan *s, struct json_value *out)
{
    const char *text = unread(r);
    bool too_long = s->skipped || s->at > VALUE_MAX_BYTES;
    out->number = ++r->number;
    out->too_long = too_long;
    out->ptr = too_long ? NULL : text;
    out->len = too_long ? 0 : without_space_after(text, s->at);
    take(r, s->at);
    return 1;
}

static int unclosed(struct value_reader *r, struct json_value *out)
{
    *out = (struct json_value){.number = r->number + 1, .line = r->line, .unclosed = true};
    r->shape = VALUES_UNKNOWN;
    return 1;
}

int value_reader_next(struct value_reader *r, struct json_value *out, struct error *e)
{
    struct scan s = {.at = 0};
    *out = (struct json_value){.ptr = NULL};
    int found = find_value(r, e);
    if (found == 0 && r->shape == VALUES_LIST && !r->in.stopped)
        return unclosed(r, out);
    if (found != 1)
        return found;
    out->line = r->line;
    while (!value_is_there(r, &s)) {
        let_go(r, &s);
        int more = byte_reader_fill(&r->in, e);
        if (more < 0)
            return -1;
        if (more == 0 && (r->in.stopped || s.at + s.skipped == 0))
            return 0;
        if (more == 0)
            break;
        if (more == BYTES_IDLE && !s.skipped)
            return BYTES_IDLE; /* it is looked at anew when more has come */
    }
    return give(r, &s, out);
}
