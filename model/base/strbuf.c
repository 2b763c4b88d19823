#include "model/base/strbuf.h"

#include <stdint.h>
#include "model/base/alloc.h"

char strbuf_empty[1]; /* never written to, since alloc is 0 */

void strbuf_init(struct strbuf *sb)
{
    *sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release(struct strbuf *sb)
{
    if (sb->alloc)
        free(sb->buf);
    strbuf_init(sb);
}

void strbuf_clear(struct strbuf *sb)
{
    sb->len = 0;
    if (sb->alloc)
        sb->buf[0] = '\0';
}

void strbuf_grow(struct strbuf *sb, size_t more)
{
    if (strbuf_has_room(sb, more))
        return;
    if (more > SIZE_MAX / 4 || sb->len > SIZE_MAX / 4)
        alloc_fail();
    size_t alloc = sb->len + more + 1;
    size_t grown = sb->alloc + sb->alloc / 2 + 32;
    if (alloc < grown)
        alloc = grown;
    char *buf = xrealloc(sb->alloc ? sb->buf : NULL, alloc);
    if (sb->alloc == 0)
        buf[0] = '\0';
    sb->buf = buf;
    sb->alloc = alloc;
}

void strbuf_cut(struct strbuf *sb, size_t len)
{
    if (len >= sb->len)
        return;
    sb->len = len;
    sb->buf[len] = '\0';
}

void strbuf_addchars(struct strbuf *sb, char c, size_t count)
{
    if (count == 0)
        return;
    strbuf_grow(sb, count);
    memset(sb->buf + sb->len, c, count);
    sb->len += count;
    sb->buf[sb->len] = '\0';
}

/* Formats into the free room, and a second time only if that was too small. */
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
{
    va_list again;
    size_t room = sb->alloc ? sb->alloc - sb->len : 0;
    va_copy(again, args);
    int len = vsnprintf(room ? sb->buf + sb->len : NULL, room, format, args);
    if (len < 0)
        alloc_fail(); /* more than INT_MAX bytes */
    if ((size_t)len < room) {
        sb->len += (size_t)len;
    } else {
        strbuf_grow(sb, (size_t)len);
        vsnprintf(sb->buf + sb->len, (size_t)len + 1, format, again);
        sb->len += (size_t)len;
    }
    va_end(again);
}

void strbuf_addf(struct strbuf *sb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vaddf(sb, format, args);
    va_end(args);
}

char *strbuf_detach(struct strbuf *sb, size_t *len)
{
    strbuf_grow(sb, 0);
    char *buf = sb->buf;
    if (len)
        *len = sb->len;
    strbuf_init(sb);
    return buf;
}
