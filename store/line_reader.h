/*
 * Lines of a file or of standard input, as slices of a buffer: nothing is copied, and a line beyond
 * the bound is passed over, not cut. For store/ alone.
 */
#ifndef STEMMA_LINE_READER_H
#define STEMMA_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../model/error.h"

#define LINE_MAX_BYTES (64u << 20)

struct line_reader {
    int fd;
    const char *path;
    char *buf;
    size_t alloc, start, end; /* what is unread: buf[start] .. buf[end] */
    bool is_file;             /* what is read from it is there at once */
    bool at_end, stopped;
    int64_t number; /* of the line that was read last, from 1 */
    int64_t offset; /* bytes read so far */
    int64_t size;   /* of the file; 0: not known */
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
#define LINE_IDLE 2
int line_reader_next(struct line_reader *r, struct line *line, struct error *e);
/* What was read so far is all: whole lines of it still come, a part of one does not. */
void line_reader_stop(struct line_reader *r);
void line_reader_close(struct line_reader *r);

#endif
