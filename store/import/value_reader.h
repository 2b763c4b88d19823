/*
 * The JSON values of a file or of standard input, one after the other: the elements of a list, or
 * values that stand on lines or simply follow each other. Where one ends is found by its brackets
 * alone; whether it is JSON is for json_check. For store/ alone.
 */
#ifndef STEMMA_VALUE_READER_H
#define STEMMA_VALUE_READER_H

#include "store/import/byte_reader.h"

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
