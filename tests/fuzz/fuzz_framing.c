/* Splits bytes into lines: the lines do not depend on how the bytes arrive, and equal those of a simple reader. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "store/mcp/protocol/connection_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void take_all(struct framing *f, struct strbuf *lines)
{
    const char *line;
    size_t len;
    enum frame got;
    while ((got = framing_next(f, &line, &len)) != FRAME_NONE) {
        assert(got == FRAME_LINE);
        assert(!memchr(line, '\n', len));
        strbuf_addf(lines, "%zu:", len);
        strbuf_add(lines, line, len);
        framing_release_lines(f);
    }
}

/* Feeds pieces of this size. */
static void read_in(const char *bytes, size_t len, size_t piece, struct strbuf *lines)
{
    struct framing f = FRAMING_INIT;
    for (size_t i = 0; i < len; i += piece) {
        framing_feed(&f, bytes + i, len - i < piece ? len - i : piece);
        take_all(&f, lines);
    }
    framing_end(&f);
    take_all(&f, lines);
    framing_release(&f);
}

static size_t line_length(const char *line, size_t len, bool is_first, size_t *skipped)
{
    *skipped = 0;
    if (len > 0 && line[len - 1] == '\r')
        len--;
    if (is_first && len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        *skipped = 3;
    size_t i = *skipped;
    while (i < len && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r'))
        i++;
    return i == len ? 0 : len - *skipped;
}

static void read_plainly(const char *bytes, size_t len, struct strbuf *lines)
{
    size_t skipped;
    for (size_t at = 0; at < len;) {
        const char *newline = memchr(bytes + at, '\n', len - at);
        size_t end = newline ? (size_t)(newline - bytes) : len;
        size_t length = line_length(bytes + at, end - at, at == 0, &skipped);
        if (length > 0) {
            strbuf_addf(lines, "%zu:", length);
            strbuf_add(lines, bytes + at + skipped, length);
        }
        at = end + 1;
    }
}

static void same(const struct strbuf *a, const struct strbuf *b)
{
    assert(a->len == b->len && memcmp(a->buf, b->buf, a->len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct strbuf plain = STRBUF_INIT, whole = STRBUF_INIT, parts = STRBUF_INIT;
    const char *text = (const char *)bytes;
    size_t piece = len > 0 ? bytes[len - 1] % 7 + 1u : 1;
    read_plainly(text, len, &plain);
    read_in(text, len, len + 1, &whole);
    read_in(text, len, piece, &parts);
    same(&plain, &whole);
    same(&whole, &parts);
    strbuf_release(&plain);
    strbuf_release(&whole);
    strbuf_release(&parts);
    return 0;
}
