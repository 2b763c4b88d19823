/*
 * JSON as bytes: checked before anything parses it, sliced without losing a digit, and written.
 *
 * cJSON parses what json_check has passed; it accepts too much by itself (raw control bytes, broken
 * UTF-8, a NUL that cuts a string, any depth) and prints numbers with loss, so numbers and objects
 * that must survive unchanged are taken as slices of the text.
 */
#ifndef STEMMA_JSON_H
#define STEMMA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "strbuf.h"

#define JSON_DEPTH_MAX 64

/*
 * Is it one JSON value (RFC 8259) with white space around it: valid UTF-8, no raw control character
 * in a string, no lone surrogate escape, no key twice in one object, numbers that a double holds as
 * finite, at most `depth` levels? -1 with the byte's place otherwise. O(len).
 */
int json_check(const char *text, size_t len, int depth, struct error *e);

/* A value's text within a larger one; ptr NULL: absent. */
struct json_slice {
    const char *ptr;
    size_t len;
};
/* The value of that member of the object `text`, which json_check has passed. */
struct json_slice json_member(const char *text, size_t len, const char *key);
/* Appends the checked `text` without white space outside strings; everything else as it is. */
void json_minify(struct strbuf *out, const char *text, size_t len);

/* Writing. All output is one line of ASCII-safe JSON: control characters, DEL, C1, bidi controls
 * and broken UTF-8 (as U+FFFD) are escaped as \u, other text stays UTF-8. */
void json_add_string(struct strbuf *out, const char *s); /* NULL writes null */
void json_add_string_len(struct strbuf *out, const char *s, size_t len);
/* As above with every non-ASCII code point escaped too (surrogate pairs): the canonical form. */
void json_add_ascii(struct strbuf *out, const char *s);
/* The shortest text that reads back as the same double; "0.8", "1", "1e300". Not finite: null. */
void json_add_double(struct strbuf *out, double value);
void json_add_int(struct strbuf *out, int64_t value);

/*
 * An object or array under construction: writes the commas.
 *   struct json_object o = json_begin(out, '{'); json_key(&o, "a"); json_add_int(out, 1); json_end(&o);
 */
struct json_object {
    struct strbuf *out;
    char close;
    bool any;
};
struct json_object json_begin(struct strbuf *out, char open);
void json_key(struct json_object *o, const char *key); /* in an object, before each value */
void json_item(struct json_object *o);                 /* in an array, before each value */
void json_end(struct json_object *o);

#endif
