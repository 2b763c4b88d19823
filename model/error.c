#include "error.h"

#include <stdarg.h>
#include "utf8.h"

/* Quoted text may come from a store: what could drive a terminal is shown as a question mark. */
static void make_clean(char *text)
{
    size_t len = strlen(text);
    size_t at = 0;
    while (at < len) {
        uint32_t c;
        int n = utf8_decode(text + at, len - at, &c);
        if (n == 0) {
            text[at++] = '?';
        } else if (utf8_is_control(c) || utf8_is_bidi(c)) {
            memset(text + at, '?', 1);
            memmove(text + at + 1, text + at + n, len - at - (size_t)n + 1);
            len -= (size_t)n - 1;
            at++;
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

int error_set(struct error *e, enum error_code code, const char *todo, const char *what, ...)
{
    char said[sizeof(e->what)]; /* the arguments may quote `e` itself */
    va_list args;
    va_start(args, what);
    vsnprintf(said, sizeof(said), what, args);
    va_end(args);
    char next[sizeof(e->todo)];
    snprintf(next, sizeof(next), "%s", todo);
    drop_cut_tail(said, sizeof(said));
    drop_cut_tail(next, sizeof(next));
    make_clean(said);
    make_clean(next);
    e->code = code;
    memcpy(e->what, said, strlen(said) + 1);
    memcpy(e->todo, next, strlen(next) + 1);
    return -1;
}

int error_prefix(struct error *e, const char *prefix, ...)
{
    char before[256];
    va_list args;
    va_start(args, prefix);
    vsnprintf(before, sizeof(before), prefix, args);
    va_end(args);
    char todo[sizeof(e->todo)];
    memcpy(todo, e->todo, sizeof(todo));
    return error_set(e, e->code, todo, "%s: %s", before, e->what);
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
    [ERROR_MEMORY] = {3, "INTERNAL_ERROR"},
    [ERROR_REFUSED] = {4, "PERMISSION_DENIED"},
    [ERROR_CONFLICT] = {4, "CONFLICT"},
    [ERROR_INTERRUPTED] = {1, "INTERNAL_ERROR"},
    [ERROR_PII] = {4, "PII_DETECTED"},
    [ERROR_QUOTA] = {4, "QUOTA_EXCEEDED"},
    [ERROR_RATE] = {4, "RATE_LIMITED"},
};

int error_exit_status(const struct error *e)
{
    return codes[e->code].exit_status;
}

const char *error_name(enum error_code code)
{
    return codes[code].name;
}
