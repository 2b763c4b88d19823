/*
 * The bytes of a file or of standard input as they come, in a buffer whose unread part grows until it
 * is taken. What lines and JSON values are read from. For store/ alone.
 */
#ifndef STEMMA_BYTE_READER_H
#define STEMMA_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"

struct byte_reader {
    int fd;
    const char *path;
    char *buf;
    size_t alloc, start, end; /* what is unread: buf[start] .. buf[end] */
    bool is_file;             /* what is read from it is there at once */
    bool at_end, stopped;
    /* Asked before more is read, with what was read so far and the size; not 0: to stop. NULL: never. */
    int (*asked)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t offset; /* bytes read so far */
    int64_t size;   /* of the file; 0: not known */
};

/*
 * 1: there is more unread than before; 0: that is all; -1 an error; BYTES_IDLE: nothing has come for
 * half a second, though more may. What is unread may have moved. Where it is asked to stop, by
 * `asked` or by a signal, a file is an error at once, for it can be read again; of a stream what was
 * read so far is all. However long a line or a value is, each part of it
 * is such an occasion.
 */
#define BYTES_IDLE 2
/* It was asked to stop: what was read so far is all. */
void byte_reader_stop(struct byte_reader *r);
/* Once all that was read is taken over: 0, or -1 with ERROR_INTERRUPTED where it was stopped. */
int byte_reader_ended(const struct byte_reader *r, struct error *e);

/* Is that path standard input or a pipe: what is read once and has no name that would tell it again? */
bool byte_reader_is_stream(const char *path);

/*
 * Lines of a file or of standard input, as slices of a buffer: nothing is copied, and a line beyond
 * the bound is passed over, not cut. For store/ alone.
 */

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

/*
 * The JSON values of a file or of standard input, one after the other: the elements of a list, or
 * values that stand on lines or simply follow each other. Where one ends is found by its brackets
 * alone; whether it is JSON is for json_check. For store/ alone.
 */

#define VALUE_MAX_BYTES (64u << 20)

/* Known by how the first value ends: on its own line, or not. On lines a broken value ends with its
 * line, and takes no other with it. */
enum value_shape {
    VALUES_UNKNOWN,
    VALUES_LINES,
    VALUES_FOLLOW, /* one after the other, over several lines */
    VALUES_LIST
};

struct value_reader {
    struct byte_reader in;
    enum value_shape shape;
    bool begun;     /* the mark of the order of bytes was looked for */
    bool any;       /* there is something, be it the bracket of an empty list */
    int64_t number; /* of the value that was read last, from 1 */
    int64_t line;   /* of the next byte, from 1 */
};

struct json_value {
    const char *ptr; /* until the next call */
    size_t len;
    int64_t number, line; /* where it begins, both from 1 */
    bool too_long;        /* more than VALUE_MAX_BYTES: ptr is NULL */
    bool unclosed;        /* the file ended within the list that it is of: ptr is NULL */
};

int value_reader_open(struct value_reader *r, const char *path, struct error *e);
/* 1 a value, 0 the end, BYTES_IDLE, -1 an error. After byte_reader_stop a part of a value does not
 * come. O(bytes). */
int value_reader_next(struct value_reader *r, struct json_value *out, struct error *e);
void value_reader_close(struct value_reader *r);

#endif
