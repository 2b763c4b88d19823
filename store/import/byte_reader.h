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

/* "-" is standard input. */
int byte_reader_open(struct byte_reader *r, const char *path, struct error *e);
/*
 * 1: there is more unread than before; 0: that is all; -1 an error; BYTES_IDLE: nothing has come for
 * half a second, though more may. What is unread may have moved. Where it is asked to stop, by
 * `asked` or by a signal, a file is an error at once, for it can be read again; of a stream what was
 * read so far is all. However long a line or a value is, each part of it
 * is such an occasion.
 */
#define BYTES_IDLE 2
int byte_reader_fill(struct byte_reader *r, struct error *e);
/* It was asked to stop: what was read so far is all. */
void byte_reader_stop(struct byte_reader *r);
/* Once all that was read is taken over: 0, or -1 with ERROR_INTERRUPTED where it was stopped. */
int byte_reader_ended(const struct byte_reader *r, struct error *e);
void byte_reader_close(struct byte_reader *r);

/* Is that path standard input or a pipe: what is read once and has no name that would tell it again? */
bool byte_reader_is_stream(const char *path);

#endif
