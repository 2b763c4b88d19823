/*
 * Reads the records of a file or of standard input: lines or JSON values. A record is a slice of
 * the read buffer, which grows until the record is complete; nothing is copied. A record beyond the
 * limit is skipped, not cut. Only for store/.
 *
 * JSON values are the elements of a list, or stand on lines, or follow each other. The end of a
 * value is found by its brackets; json_check must validate it.
 */
#ifndef STEMMA_RECORD_READER_H
#define STEMMA_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"

#define RECORD_MAX_BYTES (64u << 20)

/* Determined by whether the first value ends on its own line. If values stand on lines, a broken
 * value ends with its line and does not spoil others. */
enum value_shape {
    VALUES_UNKNOWN,
    VALUES_LINES,
    VALUES_FOLLOW, /* one after the other, across lines */
    VALUES_LIST
};

struct record_reader {
    int fd;
    const char *path;
    char *buf;
    size_t alloc, start, end; /* unread data: buf[start] .. buf[end] */
    bool is_file;             /* reading never waits */
    bool at_end, stopped;
    /* Called before more is read, with bytes read and size; non-zero stops. May be NULL. */
    int (*asked)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t offset; /* bytes read so far */
    int64_t size;   /* of the file; 0 if unknown */

    bool by_lines; /* every line that is not blank is a record */
    enum value_shape shape;
    bool begun;     /* a byte order mark was skipped or ruled out */
    bool any;       /* the source is not empty (an empty list counts) */
    int64_t number; /* number of the last record, from 1 */
    int64_t line;   /* line of the next byte, from 1 */
};

struct record {
    const char *ptr; /* without surrounding white space; valid until the next call */
    size_t len;
    int64_t number, line; /* of its start; both from 1 */
    bool too_long;        /* more than RECORD_MAX_BYTES; ptr is NULL */
    bool unclosed;        /* the file ended inside its list; ptr is NULL */
};

/* "-" means standard input. */
int record_reader_open(struct record_reader *r, const char *path, bool by_lines, struct error *e);
/*
 * Returns 1 with a record, 0 at the end, -1 on error, RECORD_IDLE if nothing arrived for half a
 * second but more may come. The last line needs no line end. If `asked` or a signal stops a file,
 * that is an error at once, because the file can be read again. Of a stream, the complete records
 * read so far are still returned. O(bytes).
 */
#define RECORD_IDLE 2
int record_reader_next(struct record_reader *r, struct record *out, struct error *e);
/* Stops reading: what was read so far is all. */
void record_reader_stop(struct record_reader *r);
/* Call when all records were processed: returns 0, or -1 with ERROR_INTERRUPTED if reading was
 * stopped. */
int record_reader_ended(const struct record_reader *r, struct error *e);
void record_reader_close(struct record_reader *r);

/* Returns true for standard input and pipes, which can be read only once and have no name that
 * identifies them. */
bool record_path_is_stream(const char *path);

#endif
