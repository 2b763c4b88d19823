/*
 * The records of a file or of standard input as they come: its lines, or its JSON values. A record is a slice of a
 * buffer whose unread part grows until the record is whole: nothing is copied, and one beyond the bound is passed over,
 * not cut. For store/ alone.
 *
 * JSON values are the elements of a list, or stand on lines, or simply follow each other. Where one ends is found by
 * its brackets alone; whether it is JSON is for json_check.
 */
#ifndef STEMMA_RECORD_READER_H
#define STEMMA_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"

#define RECORD_MAX_BYTES (64u << 20)

/* Known by how the first value ends: on its own line, or not. On lines a broken value ends with its
 * line, and takes no other with it. */
enum value_shape {
    VALUES_UNKNOWN,
    VALUES_LINES,
    VALUES_FOLLOW, /* one after the other, over several lines */
    VALUES_LIST
};

struct record_reader {
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

    bool by_lines; /* each line that is not blank is a record */
    enum value_shape shape;
    bool begun;     /* the mark of the order of bytes was looked for */
    bool any;       /* there is something, be it the bracket of an empty list */
    int64_t number; /* of the record that was read last, from 1 */
    int64_t line;   /* of the next byte, from 1 */
};

struct record {
    const char *ptr; /* without white space around it; until the next call */
    size_t len;
    int64_t number, line; /* where it begins, both from 1 */
    bool too_long;        /* more than RECORD_MAX_BYTES: ptr is NULL */
    bool unclosed;        /* the file ended within the list that it is of: ptr is NULL */
};

/* "-" is standard input. */
int record_reader_open(struct record_reader *r, const char *path, bool by_lines, struct error *e);
/*
 * 1 a record, 0 the end, -1 an error; RECORD_IDLE: nothing has come for half a second, though more may. The last line
 * needs no line end. Where it is asked to stop, by `asked` or by a signal, a file is an error at once, for it can be
 * read again; of a stream whole records of what was read still come, a part of one does not. O(bytes).
 */
#define RECORD_IDLE 2
int record_reader_next(struct record_reader *r, struct record *out, struct error *e);
/* It was asked to stop: what was read so far is all. */
void record_reader_stop(struct record_reader *r);
/* Once all that was read is taken over: 0, or -1 with ERROR_INTERRUPTED where it was stopped. */
int record_reader_ended(const struct record_reader *r, struct error *e);
void record_reader_close(struct record_reader *r);

/* Is that path standard input or a pipe: what is read once and has no name that would tell it again? */
bool record_path_is_stream(const char *path);

#endif
