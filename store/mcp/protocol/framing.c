#include "store/mcp/protocol/framing.h"

#include "store/mcp/protocol/message.h"

void framing_release(struct framing *f)
{
    strbuf_release(&f->bytes);
    f->taken = f->scanned = 0;
}

/* Makes what was given out room again, once it is the larger part: each byte moves at most once. */
static void close_up(struct framing *f)
{
    if (f->taken == 0 || f->taken < f->bytes.len / 2)
        return;
    memmove(f->bytes.buf, f->bytes.buf + f->taken, f->bytes.len - f->taken);
    strbuf_cut(&f->bytes, f->bytes.len - f->taken);
    f->scanned -= f->taken;
    f->taken = 0;
}

void framing_feed(struct framing *f, const char *bytes, size_t len)
{
    if (f->ended || len == 0)
        return;
    if (f->skipping) {
        const char *end = memchr(bytes, '\n', len);
        if (!end)
            return;
        f->skipping = false;
        len -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
    }
    close_up(f);
    strbuf_add(&f->bytes, bytes, len);
}

void framing_end(struct framing *f)
{
    f->ended = true;
}

static enum frame refuse(struct framing *f, bool is_whole)
{
    f->skipping = !is_whole;
    if (f->skipping)
        framing_release(f);
    return FRAME_TOO_LONG;
}

static bool is_blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

/* Takes the line from f->taken that is `len` bytes long, and `end` bytes more. */
static enum frame take(struct framing *f, size_t len, size_t end, const char **line, size_t *out)
{
    const char *at = f->bytes.buf + f->taken;
    f->taken += len + end;
    f->scanned = f->taken;
    bool is_first = !f->begun;
    f->begun = true;
    if (len > 0 && at[len - 1] == '\r')
        len--;
    if (is_first && len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
        at += 3;
        len -= 3;
    }
    if (is_blank(at, len))
        return FRAME_NONE;
    *line = at;
    *out = len;
    return len > MCP_LINE_MAX ? refuse(f, true) : FRAME_LINE;
}

enum frame framing_next(struct framing *f, const char **line, size_t *len)
{
    if (f->bytes.failed)
        return FRAME_LOST;
    while (f->taken < f->bytes.len) {
        size_t left = f->bytes.len - f->scanned;
        const char *end = memchr(f->bytes.buf + f->scanned, '\n', left);
        f->scanned = f->bytes.len;
        size_t length = (end ? (size_t)(end - f->bytes.buf) : f->bytes.len) - f->taken;
        if (!end && !f->ended)
            return length > MCP_LINE_MAX + 4 ? refuse(f, false) : FRAME_NONE;
        enum frame got = take(f, length, end != NULL, line, len);
        if (got != FRAME_NONE)
            return got;
    }
    return FRAME_NONE;
}

void framing_rest(struct framing *f)
{
    if (f->taken == f->bytes.len && !f->bytes.failed)
        framing_release(f);
}
