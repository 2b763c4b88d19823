/* The fields that each kind of memory has next to its text, as a person fills them in. */
#ifndef STEMMA_KIND_FIELDS_H
#define STEMMA_KIND_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/ops/operation.h"

enum value_type {
    VALUE_TEXT = 0,
    VALUE_TEXTS, /* several, with commas between */
    VALUE_REFS,  /* refs or annotations, with commas between */
    VALUE_WHOLE,
    VALUE_NUMBER,
    VALUE_TRUTH, /* yes or no */
    VALUE_TIME,  /* to come, as 2026-02-01 10:00 or 10m; ms since the epoch, UTC */
    VALUE_JSON,
};

struct kind_field {
    const char *name, *help;
    enum value_type type;
    const char *const
        *choices;      /* values that people give it, ends with NULL; NULL: none are offered */
    const char *label; /* its name in a form, where `name` means something else; NULL: the same */
};
/* Those of that kind; *count of them, 0 for a kind without. */
const struct kind_field *kind_fields(enum kind kind, size_t *count);

/* Is a number of that name a time, in ms since the epoch? Names are those of fields, and of members of the detail with
 * and without it: "expires_at", "detail.expires_at". */
bool field_is_time(const char *name, size_t len);
/* Is the field of a memory somebody's name, which shows what it hides? */
bool field_is_name(const char *name);
/* A value of the detail as a person reads and types it; nothing for null. */
void value_write(struct strbuf *out, enum value_type type, struct json_slice value);
/* What was typed as a value of the detail, null for nothing, which is no JSON; lengths of time begin `now`.
 * ERROR_INVALID: it is none of that type. */
int value_read(struct strbuf *json, enum value_type type, const char *text, int64_t now,
               struct error *e);

/* The parts of a list with commas between, without the blanks around them; a part may stand in quotes. In the
 * arena. */
struct arena;
const char **value_parts(struct arena *arena, const char *text, size_t *count);
/* The other way. */
void value_join(struct strbuf *out, const char *const *parts, size_t count);

extern const char *const value_truths[]; /* "yes", "no" */

/* Members of a memory's detail, whatever others wrote there. */

/* As it stands; ptr NULL: absent. */
struct json_slice member_of(const struct memory *m, const char *key);
/* A string, in the arena; NULL: absent, empty, or no string. */
const char *member_text(const struct memory *m, const char *key, struct arena *arena);
/* A whole number. */
int64_t member_int(const struct memory *m, const char *key, int64_t otherwise);

#endif
