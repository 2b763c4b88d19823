/* The fields of each kind of memory besides its text, as a person edits them. */
#ifndef STEMMA_KIND_FIELDS_H
#define STEMMA_KIND_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/ops/operation.h"

struct arena;

enum value_type {
    VALUE_TEXT = 0,
    VALUE_TEXTS, /* several texts, separated by commas */
    VALUE_REFS,  /* refs or annotations, separated by commas */
    VALUE_WHOLE, /* a whole number */
    VALUE_NUMBER,
    VALUE_BOOLEAN, /* yes or no */
    VALUE_TIME,    /* a future time: 2026-02-01 10:00 or 10m; stored as ms since the epoch, UTC */
    VALUE_WHEN,    /* a time, durations count back: 2026-02-01 10:00, 2h ago; stored likewise */
    VALUE_JSON,
};

struct kind_field {
    const char *name, *help;
    enum value_type type;
    const char *const *choices; /* suggested values, ending with NULL; or NULL */
    const char *label; /* the field's label in a form if it differs from `name`, else NULL */
};
/* The fields of a kind. Sets *count, 0 for a kind without fields. */
const struct kind_field *kind_fields(enum kind kind, size_t *count);

/* Appends the name of a field as people read it: "created" for "created_at", "belief type" for "detail.belief_type". */
void field_add_title(struct strbuf *out, const char *name);
/* Whether a number of that name is a time in ms since the epoch. Accepts names of fields and of members of the
 * detail: "expires_at", "detail.expires_at". */
bool field_is_time(const char *name, size_t len);
/* Whether a field holds somebody's name, which must be shown exactly (TEXT_EXACT). */
bool field_is_name(const char *name);
/* Appends a value of the detail as a person reads and types it. Appends nothing for null. */
void value_write(struct strbuf *out, enum value_type type, struct json_slice value);
/* Parses typed text into JSON; empty text becomes null. Durations count from `now`. Returns -1 and sets ERROR_INVALID
 * if the text does not fit the type. */
int value_read(struct strbuf *json, enum value_type type, const char *text, int64_t now,
               struct error *e);

/* Splits a list at commas and trims blanks. A part may be in quotes. The parts are in the arena. */
const char **value_parts(struct arena *arena, const char *text, size_t *count);
/* Joins parts to a list that value_parts splits again. */
void value_join(struct strbuf *out, const char *const *parts, size_t count);

extern const char *const value_yes_no[]; /* "yes", "no" */

/* Members of a memory's detail. They may have any JSON type. */

/* The raw member; ptr NULL if absent. */
struct json_slice member_of(const struct memory *m, const char *key);
/* A string in the arena; NULL if it is absent, empty or not a string. */
const char *member_text(const struct memory *m, const char *key, struct arena *arena);
/* A whole number, or `otherwise`. */
int64_t member_int(const struct memory *m, const char *key, int64_t otherwise);

#endif
