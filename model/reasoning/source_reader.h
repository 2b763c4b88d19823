/*
 * What reading sources and citations is made of: values of one item, with what is wrong with it in
 * an error. For the files source*.c and citation*.c alone.
 *
 * Strings come from json_check_lax: what is no UTF-8 in them, and each NUL, becomes U+FFFD in what
 * people read; a passage keeps its bytes.
 */
#ifndef STEMMA_SOURCE_READER_H
#define STEMMA_SOURCE_READER_H

#include "model/reasoning/source.h"

struct source_reader {
    struct arena *arena;
    struct error *e; /* why the item is refused */
};

int source_wrong(struct source_reader *r, const char *name, const char *how);

/* The members of an object by name; a null one is there. */
void source_members(struct json_slice object, const char *const *names, size_t count,
                    struct json_slice *out);
/* Absent, or null. */
bool source_is_none(struct json_slice value);
bool source_is_number(struct json_slice value);

/* Text or a number, which is its JSON text; neither is ERROR_INVALID; none leaves *out. */
int source_text(struct source_reader *r, struct json_slice value, const char *name,
                const char **out);
/* A whole number, or text of one with white space around it: true; anything else: false. */
bool source_whole(struct source_reader *r, struct json_slice value, int64_t *out);
/* A number from 0 to 1, +0 for -0. */
int source_share(struct source_reader *r, struct json_slice value, const char *name, double *out);
/* The word for where a score came from; none leaves *out. */
int source_origin(struct source_reader *r, struct json_slice value, enum score *out);

/* How many items a list has; what is no list has none. */
size_t source_count(struct json_slice list);
/* Adds what r->e says is wrong with that item to a list that has room for it. */
void source_refuse(struct source_reader *r, struct source_refusal *list, size_t *count,
                   size_t index);
/* The prefix and the number. */
const char *source_invent(struct arena *arena, const char *prefix, size_t number);
/* The first SOURCE_EXCERPT code points, or less where personal data would be cut; what is broken in them fixed. */
const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len);

#endif
