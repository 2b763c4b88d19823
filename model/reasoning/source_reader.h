/*
 * Reading the values of one source or citation, with errors. For source*.c, reasoning.c and
 * citation.c only.
 *
 * Strings come from json_check_lax. Invalid UTF-8 and NULs in them become U+FFFD in texts for
 * people; a passage keeps its bytes.
 */
#ifndef STEMMA_SOURCE_READER_H
#define STEMMA_SOURCE_READER_H

#include "model/reasoning/source.h"

struct source_reader {
    struct arena *arena;
    struct error *e; /* why the item is rejected */
};

/* Sets ERROR_INVALID, "NAME HOW" (`how`: "is not an object"), and returns -1. */
int source_wrong(struct source_reader *r, const char *name, const char *how);

/* Sets out[i] to the member names[i] of an object. A null member is present. */
void source_members(struct json_slice object, const char *const *names, size_t count,
                    struct json_slice *out);
/* Is the value absent or null? */
bool source_is_none(struct json_slice value);
bool source_is_number(struct json_slice value);

/* Reads a text, or a number as its JSON text. Another value is ERROR_INVALID. None leaves *out
 * unchanged. */
int source_text(struct source_reader *r, struct json_slice value, const char *name,
                const char **out);
/* Reads a whole number, or a text of one with optional white space around it. Returns false for
 * another value. */
bool source_whole(struct source_reader *r, struct json_slice value, int64_t *out);
/* Reads a number from 0 to 1. -0 becomes 0. */
int source_share(struct source_reader *r, struct json_slice value, const char *name, double *out);
/* Reads the word for the origin of a score. None leaves *out unchanged. */
int source_origin(struct source_reader *r, struct json_slice value, enum score *out);

/* The number of items of a list; 0 if it is not a list. */
size_t source_count(struct json_slice list);
/* Adds an item and the reason in r->e to the list, which has room for it. */
void source_refuse(struct source_reader *r, struct source_refusal *list, size_t *count,
                   size_t index);
/* Makes an id from the prefix and the number. */
const char *source_invent(struct arena *arena, const char *prefix, size_t number);
/* The first SOURCE_EXCERPT code points, or fewer if personal data would be cut, repaired to
 * valid UTF-8. */
const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len);

#endif
