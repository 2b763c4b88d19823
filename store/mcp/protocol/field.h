/*
 * What a tool takes and answers: from a table of fields, which ends with one whose name is NULL, come the JSON Schema and
 * the check of what a client sends. The schema uses no oneOf, anyOf or allOf, which hosts reject.
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
    FIELD_OBJECT, /* of `fields`; NULL: any members */
    FIELD_ARRAY,  /* of `of`; an array within one is of strings */
    FIELD_ANY,
};

enum field_flag {
    FIELD_REQUIRED = 1,
    FIELD_NULLABLE = 2,    /* null says the same as leaving it out, or SQL NULL */
    FIELD_NOT_EMPTY = 4,   /* a string or an array */
    FIELD_OPEN = 8,        /* an object that may have further members */
    FIELD_NONE_EMPTY = 16, /* an array none of whose strings is empty */
    FIELD_TEXT =
        32, /* a string that may hold a NUL or half a surrogate pair: whoever takes it repairs
                        it. Any other string that does is refused, so that none is cut */
    FIELD_TAUGHT = 64, /* an array whose elements the schema describes and the check passes: whoever
                          takes it refuses what it cannot take, one element at a time */
    FIELD_SUBJECT = 128, /* the ref, or the list of refs, of the memory that a call is about */
    /* Of an answer, what is not masked: */
    FIELD_OWN = 256,  /* stemma writes it itself: a time, a cursor */
    FIELD_SELF = 512, /* it is the name by which the caller goes */

    FIELD_SEEN = 1024, /* a string of which something is seen: the name that somebody signs with */
};

struct field {
    const char *name;
    enum field_type type, of;
    unsigned flags;
    const char *about;
    const char *fallback; /* its default as JSON; NULL: none */
    size_t longest;       /* code points of a string, or of each in an array; 0: no bound */
    double min, max; /* of a number, or of how many in an array; equal: no bound. INFINITY: none */
    const char *(*choice)(int i); /* the allowed strings, until NULL; NULL: any */
    const struct field *fields;   /* of an object, or of each object in an array */
};
/* An entry of a table: FIELD("limit", INTEGER, 0, "At most so many.", .min = 1, .max = 200) */
#define FIELD(name_, type_, flags_, ...)                                                           \
    {                                                                                              \
        .name = name_, .type = FIELD_##type_, .flags = flags_, .about = __VA_ARGS__                \
    }
#define FIELD_END                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

/* Appends the JSON Schema (2020-12) of an object with these fields. `closed`: of arguments, so that there are no others;
 * what may be null is marked there as hosts with a dialect of one type want it. Else of an answer, or a failure. */
void field_schema(struct strbuf *out, const struct field *fields, bool closed);

/* One member of an object of arguments, as it was taken. */
struct given_value {
    struct json_slice json; /* as it stands; ptr NULL: absent or null */
    const char *text;       /* of a string: its escapes resolved */
    size_t len;             /* and its bytes, of which one may be a NUL (FIELD_TEXT) */
    int choice;             /* which of the allowed ones it is */
    const char **list;      /* of an array of strings: FIELD_TAUGHT is left as it stands */
    size_t count;
    double number;
    int64_t integer;
};
/* The members of an object of arguments, each at the place of its field. */
struct given {
    const struct field *fields;
    struct given_value *value;
};
/* Checks and takes arguments, in one pass. ERROR_INVALID names the argument that is wrong, how, and what would be right.
 * ptr NULL is an object without members, `fields` NULL asks for none. In the arena; slices are of the object's text. */
int field_take(const struct field *fields, struct json_slice object, struct arena *arena,
               struct given *out, struct error *e);

const char *given_text(const struct given *t, const char *name, size_t *len); /* NULL: absent */
const char **given_list(const struct given *t, const char *name, size_t *count);
/* As it was given; ptr NULL: absent or null. */
struct json_slice given_value(const struct given *t, const char *name);
double given_number(const struct given *t, const char *name, double otherwise);
int64_t given_integer(const struct given *t, const char *name, int64_t otherwise);
bool given_bool(const struct given *t, const char *name, bool otherwise);
/* Which of the field's choices is given; `otherwise` where none is. */
int given_choice(const struct given *t, const char *name, int otherwise);

#endif
