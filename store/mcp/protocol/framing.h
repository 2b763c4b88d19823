/*
 * Bytes into lines. A line ends with `\n` or `\r\n`; blank ones are skipped, and so is a byte order mark
 * at the very beginning. One that is longer than MCP_LINE_MAX is reported once and then skipped to its
 * end without being kept. Each byte is looked at once, however few arrive at a time, and nothing is
 * allocated between lines.
 */
#ifndef STEMMA_MCP_FRAMING_H
#define STEMMA_MCP_FRAMING_H

#include "model/base/strbuf.h"

struct framing {
    struct strbuf bytes;
    size_t taken;   /* of `bytes`: given out already */
    size_t scanned; /* no line ends before this */
    bool begun;     /* the first line was given out */
    bool skipping;  /* what arrives belongs to a line that was refused */
    bool ended;
};

enum frame {
    FRAME_NONE, /* no whole line is there */
    FRAME_LINE,
    FRAME_TOO_LONG,
    FRAME_LOST, /* memory ran out for what was fed, and nothing more will come of it */
};

#define FRAMING_INIT                                                                               \
    {                                                                                              \
        .bytes = STRBUF_INIT                                                                       \
    }

void framing_release(struct framing *f);
void framing_feed(struct framing *f, const char *bytes, size_t len);
/* Nothing more is fed: what is left is a line. */
void framing_end(struct framing *f);
/* The next line, without its end. It stays where it is until the next call of framing_feed or
 * framing_rest. */
enum frame framing_next(struct framing *f, const char **line, size_t *len);
/* The line that was given out is no longer needed: lets the memory go where nothing is left. */
void framing_rest(struct framing *f);

#endif
