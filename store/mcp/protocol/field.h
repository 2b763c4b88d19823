/*
 * Describes what a tool takes and answers. A table of fields, ended by a NULL name, gives both the JSON Schema and
 * the check of the arguments. The schema uses no oneOf, anyOf or allOf, because hosts reject them.
 */
#ifndef STEMMA_MCP_FIELD_H
#define STEMMA_MCP_FIELD_H

#include "model/base/arena.h"
#include "model/json/json.h"

enum field_type {
    FIELD_STRING,
    FIELD_NUMBER,
    FIELD_INTEGER,
    FIELD_BOOLEAN,
    FIELD_OBJECT,  /* has `fields`; NULL allows any members */
    FIELD_ARRAY,   /* of elements of type `of`; a nested array holds strings */
    FIELD_NUMBERS, /* a number from 0 on, or an object of them */
    FIELD_ANY,
};

enum field_flag {
    FIELD_REQUIRED = 1,
    FIELD_NULLABLE = 2,    /* may be null, which means the same as absent */
    FIELD_NOT_EMPTY = 4,   /* a string or an array that may not be empty */
    FIELD_OPEN = 8,        /* an object that may have further members */
    FIELD_NONE_EMPTY = 16, /* an array none of whose strings is empty */
    /* a string that may contain NUL or half a surrogate pair; the tool repairs it. Other strings with these are
     * refused */
    FIELD_TEXT = 32,
    /* an array whose elements are in the schema but are not checked here: the tool checks them one by one */
    FIELD_CHECKED_BY_TOOL = 64,
    FIELD_SUBJECT = 128, /* the ref, or list of refs, of the memory that the call is about */
    /* Flags of answers: strings that are not masked. Numbers never are. */
    FIELD_OWN = 256,  /* stemma itself generates it: a time, a cursor */
    FIELD_SELF = 512, /* the caller's own name */

    FIELD_VISIBLE = 1024, /* a string with at least one visible character, such as a name */
    /* Savings of tokens: an argument that is taken and not in the schema; choices that only a refusal lists. */
    FIELD_UNLISTED = 2048,
    FIELD_UNTOLD = 4096,
    FIELD_UNKEPT = 8192, /* the value of an entry: not kept with a failed call */
};

struct field {
    const char *name;
    enum field_type type, of;
    unsigned flags;
    const char *about;
    const char *fallback; /* default value as JSON; NULL if none */
    /* maximum code points of a string, or of each string of an array; 0 for no limit */
    size_t longest;
    /* bounds of a number, or of the length of an array. Equal means no bounds; INFINITY leaves one side open */
    double min, max;
    /* the i-th allowed string, NULL after the last; a NULL function allows any */
    const char *(*choice)(int i);
    const struct field *fields; /* members of an object, or of each object of an array */
};
/* An entry of a table: FIELD("limit", INTEGER, 0, "Maximum number of rows.", .min = 1, .max = 200) */
#define FIELD(name_, type_, flags_, ...)                                                           \
    {                                                                                              \
        .name = name_, .type = FIELD_##type_, .flags = flags_, .about = __VA_ARGS__                \
    }
#define FIELD_END                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

/* Appends the JSON Schema (2020-12) of an object with these fields. With `given` it is of arguments: nullable fields
 * are marked with "nullable", which hosts with single-type dialects need, and bounds are left to the check, whose
 * errors name them, since an agent pays for each byte. Otherwise it is of an answer, or of an error. */
void field_schema(struct strbuf *out, const struct field *fields, bool given);

/* The value of one argument. */
struct given_value {
    struct json_slice json; /* the JSON text; ptr NULL if absent or null */
    const char *text;       /* a string with its escapes resolved */
    size_t len;             /* bytes of `text`; they may include NUL with FIELD_TEXT */
    int choice;             /* index of the allowed string */
    const char **list; /* elements of an array of strings; not filled with FIELD_CHECKED_BY_TOOL */
    size_t count;
    double number;
    int64_t integer;
};
/* The values of all arguments: value[i] belongs to fields[i]. */
struct given {
    const struct field *fields;
    struct given_value *value;
};
/* Checks and reads arguments in one pass. `object` with ptr NULL counts as {}; `fields` NULL allows no arguments.
 * Memory comes from the arena; slices point into `object`. Returns -1 and sets ERROR_INVALID, which names the wrong
 * argument and what would be valid. */
int field_take(const struct field *fields, struct json_slice object, struct arena *arena,
               struct given *out, struct error *e);

const char *given_text(const struct given *t, const char *name, size_t *len); /* NULL if absent */
const char **given_list(const struct given *t, const char *name, size_t *count);
/* The JSON text; ptr NULL if absent or null. */
struct json_slice given_value(const struct given *t, const char *name);
double given_number(const struct given *t, const char *name); /* NAN if absent */
int64_t given_integer(const struct given *t, const char *name, int64_t otherwise);
bool given_bool(const struct given *t, const char *name, bool otherwise);
/* The index of the given choice; `otherwise` if none is given. */
int given_choice(const struct given *t, const char *name, int otherwise);

#endif
