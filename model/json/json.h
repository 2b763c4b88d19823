/*
 * JSON as bytes: checked before anything parses it, sliced without losing a digit, and written.
 *
 * What comes from outside is checked before anything reads it, cJSON included, which accepts too much by
 * itself (raw control bytes, broken UTF-8, a NUL that cuts a string, any depth). What a memory keeps is read
 * as slices of the checked text, since a parsed number or string would not always be written as it was.
 */
#ifndef STEMMA_JSON_H
#define STEMMA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"

#define JSON_DEPTH_MAX   64  /* levels of a value that a memory keeps */
#define JSON_DEPTH_LIMIT 128 /* levels that json_check follows at all */

/*
 * Is it one JSON value (RFC 8259) with white space around it: valid UTF-8, no raw control character
 * in a string, no lone surrogate escape, no key twice in one object, numbers that a double holds as
 * finite, at most `depth` levels (JSON_DEPTH_LIMIT at most)? -1 with the byte's place, from 1,
 * otherwise; O(len), and O(k log k) for an object
 * of many keys. Does not recurse.
 */
int json_check(const char *text, size_t len, int depth, struct error *e);
/* The same, but broken UTF-8 and lone surrogate escapes in strings pass: what reads them must look. */
int json_check_lax(const char *text, size_t len, int depth, struct error *e);
/* Is it JSON as json_check_lax has it, however deep, whatever keys stand twice and however large numbers are? What
 * is no more than that can be sliced, and nothing else. */
bool json_is_formed(const char *text, size_t len);

/*
 * Reading what json_check has passed, in slices of the text, without copying.
 */

/* A value's text within a larger one; ptr NULL: absent. */
struct json_slice {
    const char *ptr;
    size_t len;
};
/* The text without the white space around it. */
struct json_slice json_trim(const char *text, size_t len);
/* The value of that member of the object `text`, which json_check has passed. */
struct json_slice json_member(const char *text, size_t len, const char *key);
/*
 * The members of an object or the elements of an array, in their order; nothing for another value:
 *   for (struct json_each it = json_each(slice); json_next(&it);) … it.key, it.value …
 */
struct json_each {
    const char *at, *end;
    bool is_object;
    struct json_slice key; /* between its quotes, escapes as they stand; of an object only */
    struct json_slice value;
};
struct json_each json_each(struct json_slice container);
bool json_next(struct json_each *it);
bool json_key_is(struct json_slice key, const char *name);             /* its escapes resolved */
bool json_key_is_any(struct json_slice key, const char *const *names); /* NULL behind the last */
/* How many members or elements; of another value 0. */
size_t json_count(struct json_slice container);

/*
 * Resolves the escapes of what stands between a string's quotes into `out`, which has room for `len`
 * bytes and may be `s`, and returns how many it wrote: a \u0000 is a NUL, half a surrogate pair (after
 * json_check_lax) the three bytes that UTF-8 forbids.
 */
size_t json_unescape(char *out, const char *s, size_t len);
/* A string's text in the arena, its escapes resolved; *len (may be NULL) its bytes, for it may hold a NUL. NULL
 * and 0: it is no string. */
struct arena;
char *json_text(struct arena *a, struct json_slice value, size_t *len);
/* The same as valid UTF-8 without NUL, fixed where it must be. */
char *json_text_repaired(struct arena *a, struct json_slice value);
/* Appends a string's text, its escapes resolved, or another value as it is written. */
void json_add_plain(struct strbuf *out, struct json_slice value);
/* A whole number, however written ("5", "5.0", "5e0"); -1: not one, be its fraction too small for a double, or out
 * of range. */
int json_integer(struct json_slice value, int64_t *out);
/* -1: no number, or not finite. */
int json_double(struct json_slice value, double *out);

/* Appends the checked `text` without white space outside strings; everything else as it is. */
void json_minify(struct strbuf *out, const char *text, size_t len);
/* The same, and an escape stands only where it must: \u540d is 名, \/ is /, while control characters (C1 too) and
 * halves of surrogate pairs stay escaped. Numbers keep their digits. Never longer than the text. */
void json_tidy(struct strbuf *out, const char *text, size_t len);

/* Writing. All output is one line of ASCII-safe JSON: control characters, DEL, C1, bidi controls
 * and broken UTF-8 (as U+FFFD) are escaped as \u, other text stays UTF-8. */
void json_add_string(struct strbuf *out, const char *s); /* NULL writes null */
void json_add_string_len(struct strbuf *out, const char *s, size_t len);
/* The same with every non-ASCII code point escaped too (surrogate pairs): the canonical form. */
void json_add_ascii(struct strbuf *out, const char *s);
/* What stands between the quotes of json_add_string, for a string that is put together from parts. */
void json_add_inside(struct strbuf *out, const char *s);
/*
 * JSON without control characters as what stands between the quotes of a JSON string: only quotes and backslashes get a
 * backslash.
 */
void json_add_text(struct strbuf *out, const char *json, size_t len);
/* A checked value as it is, but what json_add_string would escape in its strings is escaped. */
void json_add_value(struct strbuf *out, const char *text, size_t len);
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
void json_end_line(struct json_object *o); /* and the line */
/* A member whole: its key and its value. */
void json_pair(struct json_object *o, const char *key, const char *text);    /* NULL writes null */
void json_pair_if(struct json_object *o, const char *key, const char *text); /* unless it is NULL */
void json_pair_value(struct json_object *o, const char *key, struct json_slice value); /* so */
void json_pair_int(struct json_object *o, const char *key, int64_t value);
void json_pair_bool(struct json_object *o, const char *key, bool value);
void json_pair_double(struct json_object *o, const char *key,
                      double value); /* see json_add_double */
void json_pair_raw(struct json_object *o, const char *key, const char *json); /* JSON as it is */
/* The members of `from` but those named (NULL behind the last), as they are, null ones too. */
void json_add_others(struct json_object *o, struct json_slice from, const char *const *but);
/* Begins a member that is an object or an array, and an element that is one. */
struct json_object json_open(struct json_object *o, const char *key, char open);
struct json_object json_item_open(struct json_object *list, char open);

#endif
