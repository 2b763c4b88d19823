/*
 * JSON as bytes: checking, reading as slices, and writing.
 *
 * JSON from outside is checked before anything else reads it, cJSON included: by itself cJSON
 * accepts raw control bytes, broken UTF-8, a NUL that truncates a string, and any depth. Stored
 * values are read as slices of the checked text, because a parsed number or string would not always
 * be written again as it was.
 */
#ifndef STEMMA_JSON_H
#define STEMMA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"

struct arena;

#define JSON_DEPTH_MAX   101 /* the most levels of a detail: a value of 100 levels in an object */
#define JSON_DEPTH_LIMIT 128 /* the most levels that json_check accepts */

/*
 * Checks that the text is one JSON value (RFC 8259) with optional white space around it: valid
 * UTF-8, no raw control character in a string, no lone surrogate escape, no duplicate key in an
 * object, numbers that are finite as a double, at most `depth` levels (JSON_DEPTH_LIMIT at most).
 * Returns -1 otherwise; the error names the position in bytes, from 1. O(len), and O(k log k) for
 * an object with many keys. Does not recurse.
 */
int json_check(const char *text, size_t len, int depth, struct error *e);
/* The same, but accepts broken UTF-8 and lone surrogate escapes in strings, and numbers of any size.
 * The reader must handle all three. */
int json_check_lax(const char *text, size_t len, int depth, struct error *e);
/* Like json_check_lax, but accepts any depth and duplicate keys. Use it for text that is only
 * sliced. */
bool json_is_formed(const char *text, size_t len);

/*
 * Reading checked JSON as slices of the text, without copying.
 */

/* The text of a value within a larger text. `ptr` is NULL if the value is absent. */
struct json_slice {
    const char *ptr;
    size_t len;
};
/* The text without the white space around it. */
struct json_slice json_trim(const char *text, size_t len);
/* The value of the member `key` of the object `text`, which json_check has accepted. */
struct json_slice json_member(const char *text, size_t len, const char *key);
/* The same of a checked value; absent also if that is absent or no object, or if the member is null. */
struct json_slice json_get(struct json_slice object, const char *key);
/*
 * Iterates over the members of an object or the elements of an array, in their order; over nothing
 * for another value:
 *   for (struct json_each it = json_each(slice); json_next(&it);) … it.key, it.value …
 */
struct json_each {
    const char *at, *end;
    bool is_object;
    struct json_slice key; /* of a member: the text between the quotes, with its escapes */
    struct json_slice value;
};
struct json_each json_each(struct json_slice container);
bool json_next(struct json_each *it);
bool json_key_is(struct json_slice key, const char *name); /* compares with escapes resolved */
bool json_key_is_any(struct json_slice key, const char *const *names); /* `names` ends with NULL */
/* The number of members or elements; 0 for another value. */
size_t json_count(struct json_slice container);

/*
 * Resolves the escapes of `s`, the text between the quotes of a string. `out` has room for `len`
 * bytes and may be `s`. Returns the bytes written. \u0000 becomes a NUL. Half of a surrogate pair,
 * which json_check_lax accepts, becomes three bytes that are not valid UTF-8.
 */
size_t json_unescape(char *out, const char *s, size_t len);
/* The text of a string in the arena, with escapes resolved. *len, which may be NULL, is its
 * length in bytes, since it may contain a NUL. Returns NULL and length 0 if the value is not a
 * string. */
char *json_text(struct arena *a, struct json_slice value, size_t *len);
/* The same, repaired to valid UTF-8 without NUL. */
char *json_text_repaired(struct arena *a, struct json_slice value);
/* The same of a member (json_get). */
char *json_get_text(struct arena *a, struct json_slice object, const char *key);
/* Appends the text of a string with escapes resolved. Appends another value as it is. */
void json_add_plain(struct strbuf *out, struct json_slice value);
/* Reads a whole number in any notation ("5", "5.0", "5e0"). Returns -1 if it is out of range or
 * has a fraction, even one that a double would round away. */
int json_integer(struct json_slice value, int64_t *out);
/* Returns -1 if the value is not a number or not finite. */
int json_double(struct json_slice value, double *out);
/* Whether the value is a finite number from 0 on, or an object of them. */
bool json_is_amounts(struct json_slice value);

/* Appends the checked `text` without white space outside strings, otherwise unchanged. */
void json_minify(struct strbuf *out, const char *text, size_t len);
/* The same, and resolves escapes that are not needed: \u540d becomes 名, \/ becomes /. Control
 * characters (C1 too) and halves of surrogate pairs stay escaped. Numbers keep their digits. The
 * output is never longer than the text. */
void json_tidy(struct strbuf *out, const char *text, size_t len);

/* Writing. Output is one line: control characters, DEL, C1 and bidi controls are escaped as \u,
 * broken UTF-8 as \ufffd; other text stays UTF-8. */
void json_add_string(struct strbuf *out, const char *s); /* NULL writes null */
void json_add_string_len(struct strbuf *out, const char *s, size_t len);
/* The same, with every other non-ASCII code point escaped too: the canonical form. */
void json_add_ascii(struct strbuf *out, const char *s);
/* What json_add_string writes between the quotes, for a string that is built from parts. */
void json_add_inside(struct strbuf *out, const char *s);
/*
 * Writes JSON as the inside of a JSON string. It must have no control characters: only quotes and
 * backslashes are escaped.
 */
void json_add_text(struct strbuf *out, const char *json, size_t len);
/* Appends a checked value. Characters in its strings that json_add_string would escape are
 * escaped. */
void json_add_value(struct strbuf *out, const char *text, size_t len);
/* In the JSON in `out`, escapes characters that displays show as nothing, too. It is for all that goes
 * out; what is hashed has these characters as they are. */
void json_show(struct strbuf *out);
/* Writes the shortest text that reads back as the same double: "0.8", "1", "1e300". Writes null
 * if the value is not finite. */
void json_add_double(struct strbuf *out, double value);
void json_add_int(struct strbuf *out, int64_t value);

/*
 * An object or array under construction. It writes the commas.
 *   struct json_object o = json_begin(out, '{');
 *   json_pair_int(&o, "a", 1);
 *   json_end(&o);
 */
struct json_object {
    struct strbuf *out;
    char close;
    bool any;
};
struct json_object json_begin(struct strbuf *out, char open);
void json_key(struct json_object *o, const char *key); /* in an object, before each value */
void json_item(struct json_object *o);                 /* in an array, before each value */
void json_item_string(struct json_object *list, const char *text);
void json_item_int(struct json_object *list, int64_t value);
void json_end(struct json_object *o);
void json_end_line(struct json_object *o); /* also ends the line */
/* A member: key and value. */
void json_pair(struct json_object *o, const char *key, const char *text); /* NULL writes null */
/* Arrays of strings. */
void json_add_strings(struct strbuf *out, const char *const *text, size_t count);
void json_pair_strings(struct json_object *o, const char *key, const char *const *text,
                       size_t count);
/* Write nothing if the text is NULL or the value absent. */
void json_pair_if(struct json_object *o, const char *key, const char *text);
void json_pair_value(struct json_object *o, const char *key, struct json_slice value);
void json_pair_int_if(struct json_object *o, const char *key, int64_t value); /* nothing for 0 */
void json_pair_true_if(struct json_object *o, const char *key, bool value);   /* or nothing */
void json_pair_int(struct json_object *o, const char *key, int64_t value);
void json_pair_bool(struct json_object *o, const char *key, bool value);
void json_pair_double(struct json_object *o, const char *key, double value);
/* Writes `json` unchanged. */
void json_pair_raw(struct json_object *o, const char *key, const char *json);
/* Copies the members of `from` except those in `but` (which ends with NULL), null ones included. */
void json_add_others(struct json_object *o, struct json_slice from, const char *const *but);
/* json_open begins a member that is an object or an array, json_item_open an element that is
 * one. */
struct json_object json_open(struct json_object *o, const char *key, char open);
struct json_object json_item_open(struct json_object *list, char open);

#endif
