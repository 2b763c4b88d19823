#include "store/import/byte_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/store_file.h"

/* ---- bytes ---- */

#define CHUNK   (1u << 20)
#define IDLE_MS 500

static int cannot_read(const struct byte_reader *r, struct error *e)
{
    if (errno == EBUSY)
        return error_set(e, ERROR_REFUSED, "Give another file.",
                         "%s belongs to the store that is open", r->path);
    return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", r->path,
                     strerror(errno));
}

/* "-" is standard input. */
static int byte_reader_open(struct byte_reader *r, const char *path, struct error *e)
{
    struct stat file;
    *r = (struct byte_reader){.fd = 0, .path = "standard input"};
    if (strcmp(path, "-") != 0) {
        r->path = path;
        r->fd = store_file_open_other(path);
        if (r->fd < 0)
            return cannot_read(r, e);
    }
    r->is_file = fstat(r->fd, &file) == 0 && S_ISREG(file.st_mode);
    if (r->is_file)
        r->size = file.st_size;
    return 0;
}

void byte_reader_stop(struct byte_reader *r)
{
    r->stopped = true;
}

static void byte_reader_close(struct byte_reader *r)
{
    if (r->fd > 0)
        close(r->fd);
    free(r->buf);
    r->buf = NULL;
}

bool byte_reader_is_stream(const char *path)
{
    struct stat file;
    return strcmp(path, "-") == 0 ||
           (stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode));
}

/* Moves what is unread to the front, and makes room for a chunk after it. */
static void make_room(struct byte_reader *r)
{
    if (r->start > 0) {
        memmove(r->buf, r->buf + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->alloc - r->end >= CHUNK)
        return;
    size_t alloc = 2 * r->alloc + CHUNK;
    r->buf = xrealloc(r->buf, alloc);
    r->alloc = alloc;
}

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "Run it again to go on.", "the import was interrupted");
}

/* A signal that ends the wait asks for it, too: at a terminal nothing may ever come. */
static int stop_asked(struct byte_reader *r, struct error *e)
{
    byte_reader_stop(r);
    return r->is_file ? interrupted(e) : 0;
}

/* Not every signal that ends the wait asks for its end: one that stopped the process for a while does not. */
static bool asks_to_go_on(const struct byte_reader *r)
{
    return r->asked && !r->asked(r->arg, r->offset, r->size);
}

int byte_reader_ended(const struct byte_reader *r, struct error *e)
{
    return r->stopped ? interrupted(e) : 0;
}

static int byte_reader_fill(struct byte_reader *r, struct error *e)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    if (r->at_end || r->stopped)
        return 0;
    if (r->asked && r->asked(r->arg, r->offset, r->size))
        return stop_asked(r, e);
    make_room(r);
    int some = r->is_file ? 1 : poll(&ready, 1, IDLE_MS);
    if (some == 0)
        return BYTES_IDLE;
    if (some < 0 && errno == EINTR)
        return asks_to_go_on(r) ? BYTES_IDLE : stop_asked(r, e);
    ssize_t got = read(r->fd, r->buf + r->end, CHUNK);
    if (got < 0 && errno == EINTR)
        return stop_asked(r, e);
    if (got < 0)
        return cannot_read(r, e);
    r->end += (size_t)got;
    r->offset += got;
    r->at_end = got == 0;
    return got > 0;
}

/* ---- lines ---- */

int line_reader_open(struct line_reader *r, const char *path, struct error *e)
{
    r->number = 0;
    return byte_reader_open(&r->in, path, e);
}

void line_reader_close(struct line_reader *r)
{
    byte_reader_close(&r->in);
}

/* Passes over what is left of a line that is too long. */
static int skip_line(struct byte_reader *r, struct error *e)
{
    for (;;) {
        char *end = memchr(r->buf + r->start, '\n', r->end - r->start);
        if (end) {
            r->start = (size_t)(end - r->buf) + 1;
            return 1;
        }
        r->start = r->end;
        int more = byte_reader_fill(r, e);
        if (more <= 0)
            return more < 0 ? -1 : 1;
    }
}

int line_reader_next(struct line_reader *r, struct line *line, struct error *e)
{
    struct byte_reader *in = &r->in;
    size_t looked = 0;
    *line = (struct line){NULL, 0, false};
    for (;;) {
        size_t unread = in->end - in->start;
        char *end =
            unread > looked ? memchr(in->buf + in->start + looked, '\n', unread - looked) : NULL;
        size_t len = end ? (size_t)(end - (in->buf + in->start)) : unread;
        if (len > LINE_MAX_BYTES) {
            r->number++;
            line->too_long = true;
            return skip_line(in, e);
        }
        int more = end ? 0 : byte_reader_fill(in, e);
        if (more < 0)
            return -1;
        if (more == LINE_IDLE)
            return LINE_IDLE;
        if (more) {
            looked = unread;
            continue;
        }
        if (!end && (len == 0 || in->stopped))
            return 0;
        r->number++;
        *line = (struct line){in->buf + in->start, len, false};
        in->start += len + (end != NULL);
        return 1;
    }
}

/* ---- values of a JSON file ---- */

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
        } else if (s->depth == 0 && s->at && ends_scalar(c)) {
            return true;
        } else if (c == '"') {
            s->in_string = true;
        } else if (c == '{' || c == '[') {
            s->depth++;
        } else if (c == '}' || c == ']') {
            if (s->depth <= 1)
                return s->at++, true;
            s->depth--;
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
