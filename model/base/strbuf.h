/*
 * A string that grows.
 *
 * `buf` is never NULL and always ends with a NUL at buf[len]; it may also hold NULs inside.
 * Appending never fails (see alloc.h). STRBUF_INIT needs no allocation.
 */
#ifndef STEMMA_STRBUF_H
#define STEMMA_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "model/base/alloc.h"

struct strbuf {
    char *buf;
    size_t len;
    size_t alloc; /* 0 while `buf` is the shared empty string */
};

extern char strbuf_empty[];
#define STRBUF_INIT                                                                                \
    {                                                                                              \
        strbuf_empty, 0, 0                                                                         \
    }

void strbuf_init(struct strbuf *sb);
/* Frees the string. The strbuf is empty then and may be used again. */
void strbuf_release(struct strbuf *sb);
#define AUTO_STRBUF AUTO(strbuf)
/* Empties the string and keeps the allocation. */
void strbuf_clear(struct strbuf *sb);
/* Makes room for `more` bytes after len, and a NUL. */
void strbuf_grow(struct strbuf *sb, size_t more);
/* Truncates to `len` bytes; does nothing if the string is not longer. */
void strbuf_cut(struct strbuf *sb, size_t len);

static inline bool strbuf_has_room(const struct strbuf *sb, size_t more)
{
    return more < sb->alloc && sb->len < sb->alloc - more;
}
/* Inline, since nearly all output is appended in short strings of known length. */
static inline void strbuf_add(struct strbuf *sb, const void *bytes, size_t len)
{
    if (len == 0)
        return;
    if (!strbuf_has_room(sb, len))
        strbuf_grow(sb, len);
    memcpy(sb->buf + sb->len, bytes, len);
    sb->len += len;
    sb->buf[sb->len] = '\0';
}
static inline void strbuf_addstr(struct strbuf *sb, const char *s)
{
    strbuf_add(sb, s, strlen(s));
}
static inline void strbuf_addch(struct strbuf *sb, char c)
{
    if (sb->len + 1 >= sb->alloc)
        strbuf_grow(sb, 1);
    sb->buf[sb->len++] = c;
    sb->buf[sb->len] = '\0';
}
void strbuf_addchars(struct strbuf *sb, char c, size_t count);
void strbuf_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same in a function with variable arguments; `format` is its last named parameter. */
#define STRBUF_VADD(sb, format)                                                                    \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        strbuf_vaddf(sb, format, args);                                                            \
        va_end(args);                                                                              \
    } while (0)
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Returns the string, which the caller frees with free(), and empties the strbuf. `len` may be
 * NULL. */
char *strbuf_detach(struct strbuf *sb, size_t *len);

static inline bool text_ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), own = strlen(end);
    return len >= own && strcmp(text + len - own, end) == 0;
}

#endif
