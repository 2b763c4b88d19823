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
    struct error *e; /* ERROR_INVALID: the item is refused; ERROR_MEMORY: all of it */
};

int source_no_memory(struct error *e);
int source_wrong(struct source_reader *r, const char *name, const char *how);

/* The members of an object by name; a null one is there. */
void source_members(struct json_slice object, const char *const *names, size_t count,
                    struct json_slice *out);
/* Absent, or null. */
bool source_is_none(struct json_slice value);
bool source_is_number(struct json_slice value);

/* The bytes as valid UTF-8 without NUL, in the arena; NULL where memory ran out. */
const char *source_mended(struct source_reader *r, const char *bytes, size_t len);
/* Text or a number, which is its JSON text; neither is ERROR_INVALID; none leaves *out. */
int source_text(struct source_reader *r, struct json_slice value, const char *name,
                const char **out);
/* The same as the bytes that were given. */
int source_bytes(struct source_reader *r, struct json_slice value, const char *name,
                 const char **out, size_t *len);
/* A whole number, or text of one with white space around it: 1; anything else: 0; -1:
 * ERROR_MEMORY. */
int source_whole(struct source_reader *r, struct json_slice value, int64_t *out);
/* A number from 0 to 1, +0 for -0. */
int source_share(struct source_reader *r, struct json_slice value, const char *name, double *out);
/* The word for where a score came from; none leaves *out. */
int source_origin(struct source_reader *r, struct json_slice value, enum score *out);

/* What was refused, while it is gathered; released by whoever gathers. */
struct source_refusals {
    struct source_refusal *item;
    size_t count, alloc;
};
/* Takes what r->e says is wrong with that item. -1: memory ran out, or had run out before. */
int source_refuse(struct source_refusals *list, struct source_reader *r, size_t index);
/* Moves them to the arena. */
int source_refusals_keep(const struct source_refusals *list, struct source_reader *r,
                         struct source_refusal **out, size_t *count);

/* Sources while they are read. */
struct source_gathering {
    struct source_reader r;
    struct error why; /* of the item that is read: r.e */
    struct source *source;
    size_t count, alloc;
    struct source_refusals refused;
};
void source_gather(struct source_gathering *g, struct arena *arena);
int source_keep(struct source_gathering *g, const struct source *s);
/* Moves what was gathered to the arena, unless reading it `failed`, and frees the rest; fills `e` on -1. */
int source_gathered(struct source_gathering *g, int failed, struct source_list *out,
                    struct error *e);

/* The prefix and the number; NULL where memory ran out. */
const char *source_invent(struct arena *arena, const char *prefix, size_t number);
/* The first SOURCE_EXCERPT code points, or less where personal data would be cut; what is broken in them mended; NULL where memory ran out. */
const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len);
/* Sets the hash of the version from the passage, where none was given. */
int source_hash_content(struct source_reader *r, struct source *s);

#endif
