#include "model/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "model/base/utf8.h"
#include <ctype.h>
#include <strings.h>

/* A message under construction, and which of its bytes are quoted. */
struct message {
    char text[sizeof(((struct error *)0)->what)];
    bool quoted[sizeof(((struct error *)0)->what)];
};

/* ---- writing ---- */

#define FORMAT_MAX 512 /* bytes of a format; the output of a longer one counts as quoted */

/* The end of the conversion ("%-5zu") that begins at `at`. */
static const char *conversion_end(const char *at)
{
    at += strspn(at + 1, "-+ #0123456789.*hlLzjtq") + 1;
    return *at ? at + 1 : at;
}

/* How many bytes the first `len` bytes of the format produce. */
static size_t output_length(const char *format, size_t len, va_list args)
{
    char part[FORMAT_MAX];
    va_list copy;
    memcpy(part, format, len);
    part[len] = '\0';
    va_copy(copy, args);
    int written = vsnprintf(NULL, 0, part, copy);
    va_end(copy);
    return written > 0 ? (size_t)written : 0;
}

static void write_message(struct message *s, const char *format, va_list args)
{
    va_list copy;
    size_t size = sizeof(s->text), len = strlen(format);
    memset(s->quoted, len >= FORMAT_MAX, size);
    for (const char *at = strchr(format, '%'); at && len < FORMAT_MAX;) {
        const char *end = conversion_end(at);
        size_t from = output_length(format, (size_t)(at - format), args);
        size_t to = output_length(format, (size_t)(end - format), args);
        for (size_t i = from; i < to && i < size && end[-1] != '%'; i++)
            s->quoted[i] = true;
        at = strchr(end, '%');
    }
    va_copy(copy, args);
    vsnprintf(s->text, size, format, copy);
    va_end(copy);
}

/* ---- cleaning ---- */

static void remove_bytes(char *text, bool *quoted, size_t at, size_t count, size_t len)
{
    memmove(text + at, text + at + count, len - at - count + 1);
    if (quoted)
        memmove(quoted + at, quoted + at + count, (len - at - count) * sizeof(*quoted));
}

/* Replaces what could control a terminal by question marks, since quoted text may come from a
 * store. `quoted` may be NULL. */
static void make_clean(char *text, bool *quoted)
{
    size_t len = strlen(text);
    size_t at = 0;
    while (at < len) {
        uint32_t c;
        int n = utf8_decode(text + at, len - at, &c);
        if (n == 0) {
            text[at++] = '?';
        } else if (utf8_is_control(c) || utf8_is_bidi(c)) {
            text[at++] = '?';
            remove_bytes(text, quoted, at, (size_t)n - 1, len);
            len -= (size_t)n - 1;
        } else {
            at += (size_t)n;
        }
    }
}

/* snprintf may have cut inside a code point. */
static void drop_cut_tail(char *text, size_t size)
{
    size_t len = strlen(text);
    if (len + 1 < size)
        return;
    size_t start = len;
    while (start > 0 && len - start < 4 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && ((unsigned char)text[start - 1] & 0x80))
        start--;
    uint32_t c;
    if (start < len && utf8_decode(text + start, len - start, &c) == 0)
        text[start] = '\0';
}

/* Cleans the message and makes it the `what` of `e`. */
static void store_message(struct error *e, struct message *s)
{
    drop_cut_tail(s->text, sizeof(s->text));
    make_clean(s->text, s->quoted);
    size_t len = strlen(s->text);
    memcpy(e->what, s->text, len + 1);
    memset(e->quoted, 0, sizeof(e->quoted));
    for (size_t i = 0; i < len; i++)
        if (s->quoted[i])
            e->quoted[i / 8] |= (unsigned char)(1u << i % 8);
}

int error_set(struct error *e, enum error_code code, const char *hint, const char *what, ...)
{
    struct message message; /* built apart, since the arguments may point into `e` */
    va_list args;
    va_start(args, what);
    write_message(&message, what, args);
    va_end(args);
    char next[sizeof(e->hint)];
    snprintf(next, sizeof(next), "%s", hint);
    drop_cut_tail(next, sizeof(next));
    make_clean(next, NULL);
    e->code = code;
    e->hint_quotes = false;
    store_message(e, &message);
    memcpy(e->hint, next, strlen(next) + 1);
    return -1;
}

/* Appends to the message. */
static void append(struct message *s, const char *text, bool quoted)
{
    size_t size = sizeof(s->text), len = strlen(s->text);
    snprintf(s->text + len, size - len, "%s", text);
    for (size_t i = len; s->text[i]; i++)
        s->quoted[i] = quoted;
}

void error_join(struct error *e)
{
    struct message message = {.text = ""};
    if (!e->hint[0])
        return;
    append(&message, e->what, false);
    for (size_t i = 0; message.text[i]; i++)
        message.quoted[i] = error_quotes(e, i);
    append(&message, ". ", false);
    append(&message, e->hint, e->hint_quotes);
    store_message(e, &message);
    e->hint[0] = '\0';
    e->hint_quotes = false;
}

void error_quote_all(struct error *e)
{
    memset(e->quoted, 0xff, sizeof(e->quoted));
}

int error_quote_none(struct error *e)
{
    memset(e->quoted, 0, sizeof(e->quoted));
    return -1;
}

void error_cut(struct error *e, size_t at, size_t count)
{
    struct message message = {.text = ""};
    append(&message, e->what, false);
    size_t len = strlen(message.text);
    for (size_t i = 0; i < len; i++)
        message.quoted[i] = error_quotes(e, i);
    remove_bytes(message.text, message.quoted, at, count, len);
    store_message(e, &message);
}

int error_prefix(struct error *e, const char *prefix, ...)
{
    struct message message;
    va_list args;
    va_start(args, prefix);
    write_message(&message, prefix, args);
    va_end(args);
    append(&message, ": ", false);
    size_t len = strlen(message.text);
    append(&message, e->what, false);
    for (size_t i = len; message.text[i]; i++)
        message.quoted[i] = error_quotes(e, i - len);
    store_message(e, &message);
    return -1;
}

static const struct {
    int exit_status;
    const char *name;
} codes[] = {
    [ERROR_NONE] = {0, "NONE"},
    [ERROR_NOT_FOUND] = {1, "NOT_FOUND"},
    [ERROR_USAGE] = {2, "INVALID_REQUEST"},
    [ERROR_INVALID] = {3, "INVALID_REQUEST"},
    [ERROR_STORE] = {3, "INTERNAL_ERROR"},
    [ERROR_BUSY] = {3, "INTERNAL_ERROR"},
    [ERROR_REFUSED] = {4, "PERMISSION_DENIED"},
    [ERROR_CONFLICT] = {4, "CONFLICT"},
    [ERROR_INTERRUPTED] = {1, "INTERNAL_ERROR"},
    [ERROR_PII] = {4, "PII_DETECTED"},
    [ERROR_QUOTA] = {4, "QUOTA_EXCEEDED"},
    [ERROR_RATE] = {4, "RATE_LIMITED"},
};

const char *error_write_hint(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG
               ? "Make room there, or write to another place."
               : "Write to another place.";
}

int error_exit_status(const struct error *e)
{
    return codes[e->code].exit_status;
}

const char *error_name(enum error_code code)
{
    return codes[code].name;
}

/* ---- did you mean ---- */

/* Three rows of the matrix suffice, since an exchange of adjacent characters looks back two rows. */

#define LONGEST 32 /* bytes; no name is longer, and longer words match none */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int fold(char c)
{
    return tolower((unsigned char)c);
}

/* Optimal string alignment distance. Both lengths are at most LONGEST. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= b_len; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = fold(a[i - 1]) != fold(b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[a_len % 3][b_len];
}

void suggest_consider(struct suggestion *s, const char *name)
{
    size_t len = strlen(s->word), name_len = strlen(name);
    if (len == 0 || len > LONGEST || name_len > LONGEST)
        return;
    size_t d = distance(s->word, len, name, name_len);
    size_t near = name_len < 6 ? 1 : name_len / 3;
    if (len >= 3 && len < name_len && strncasecmp(s->word, name, len) == 0)
        d = least(d, 1);
    if (d <= near && d < least(len, name_len) && d < s->distance) {
        s->name = name;
        s->distance = d;
    }
}
