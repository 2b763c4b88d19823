/*
 * Lines of a file or of standard input, as slices of a buffer: nothing is copied, and a line beyond
 * the bound is passed over, not cut. For store/ alone.
 */
#ifndef STEMMA_LINE_READER_H
#define STEMMA_LINE_READER_H

#include "store/import/byte_reader.h"

#define LINE_MAX_BYTES (64u << 20)

struct line_reader {
    struct byte_reader in;
    int64_t number; /* of the line that was read last, from 1 */
};

struct line {
    const char *ptr; /* without its line end; until the next call */
    size_t len;
    bool too_long; /* more than LINE_MAX_BYTES: ptr is NULL */
};

/* "-" is standard input. */
int line_reader_open(struct line_reader *r, const char *path, struct error *e);
/* 1 a line, 0 the end, -1 an error; LINE_IDLE: nothing has come for half a second, though more may.
 * The last line needs no line end. */
#define LINE_IDLE BYTES_IDLE
int line_reader_next(struct line_reader *r, struct line *line, struct error *e);
/* After byte_reader_stop whole lines of what was read still come, a part of one does not. */
void line_reader_close(struct line_reader *r);

#endif
