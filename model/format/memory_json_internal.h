/*
 * Shared within this room: the table of a memory's fields, reading and writing by that table, and
 * the lists of a memory as element texts, from which patches are made.
 */
#ifndef STEMMA_MEMORY_JSON_INTERNAL_H
#define STEMMA_MEMORY_JSON_INTERNAL_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/* ---- the table ---- */

enum field_type {
    FIELD_REF,
    FIELD_TEXT,
    FIELD_TIME, /* default: created_at of the memory, so that reading a line twice gives the same memory */
    FIELD_VERSION,
    FIELD_PLACE,  /* a whole number from 0; -1 if absent */
    FIELD_CHUNK,  /* a whole number; CHUNK_NONE if absent */
    FIELD_NUMBER, /* NAN if absent */
    FIELD_SHARE,  /* a number from 0 to 1; NAN is not written */
    FIELD_FLAG,
    FIELD_ROLE, /* this and the next ones are words */
    FIELD_RELATION,
    FIELD_READING,
    FIELD_RECORDED,
    FIELD_SCORE,
    FIELD_STATUS,
    FIELD_DETAIL, /* a JSON object */
    FIELD_LIST,   /* a list of records or texts */
    FIELD_LINKS,  /* links by the names of other tools; read, but never written */
};
#define FIELD_IS_SCALAR(type) ((type) > FIELD_REF && (type) < FIELD_DETAIL)

enum {
    ALWAYS = 1, /* written even if it has its default; null in a patch is an error */
    NEEDED = 2, /* a text that must not be absent or empty */
    EMPTY = 4,  /* an absent text is read as the empty one */
};

struct record;
struct field {
    const char *name, *key; /* "text", and as written: ,"text": */
    size_t key_len;
    enum field_type type;
    unsigned flags;
    size_t offset;             /* offset in the record; for a list, of its array */
    size_t count;              /* offset of the length of a list */
    const struct record *item; /* the element type of a list */
};

/* The type of the elements of a list. Without fields they are texts. */
struct record {
    const char *path; /* prefix for the names of unknown members: "marks" */
    size_t size;
    const struct field *fields;
    size_t count;
};

/* In the order of a line of the JSON of a memory. */
enum member {
    MEMBER_REF,
    MEMBER_AGENT_ID,
    MEMBER_TEXT,
    MEMBER_CREATED_AT,
    MEMBER_UPDATED_AT,
    MEMBER_CONFIDENCE,
    MEMBER_SOURCE_TYPE,
    MEMBER_SOURCE,
    MEMBER_SOURCE_ENTITY,
    MEMBER_STATUS,
    MEMBER_PROTECTED,
    MEMBER_TAGS,
    MEMBER_CONTEXT,
    MEMBER_ANNOTATIONS,
    MEMBER_VERSION,
    MEMBER_DETAIL,
    MEMBER_JUSTIFICATIONS,
    MEMBER_HISTORY,
    MEMBER_RELATIONS,
    MEMBER_FLAGS,
    MEMBER_WRITTEN, /* the members from here on are only read */
    MEMBER_DERIVED_FROM = MEMBER_WRITTEN,
    MEMBER_DERIVATION,
    MEMBER_SOURCE_EPISODES,
    MEMBER_SUPERSEDES,
    MEMBER_PROCESSED_INTO,
    MEMBER_LABEL,
    MEMBER_EFFECTIVE,
    MEMBER_TRUST,
    MEMBER_WHY,
    MEMBER_COUNT
};
extern const struct field memory_json_fields[MEMBER_COUNT];

/* Is the field equal in both records? For scalars, and the text of a detail. */
bool field_equal(const struct field *f, const void *a, const void *b);
void field_copy(const struct field *f, void *to, const void *from); /* scalars only */
/* Does the field have its default, which is not written? */
bool field_is_absent(const struct field *f, const void *record);
const char *field_text(const struct field *f, const void *record); /* NULL if absent */
/* Writes the value of a scalar as JSON. An absent text is null. */
void field_write_value(struct strbuf *out, const struct field *f, const void *record);
/* Writes key and value, or nothing if the field is absent. */
void field_write(struct strbuf *out, const struct field *f, const void *record);

/* ---- reading ---- */

struct memory_json_reader {
    struct memory *m;
    struct arena *arena;
    struct strbuf *unknown; /* may be NULL */
    struct error *e;
};

/* All of these return -1 and fill the error on failure. memory_json_wrong always does. */
int memory_json_wrong(struct memory_json_reader *r, const char *name, const char *how);
/* Reads the value of a scalar. It is absent if value.ptr is NULL. */
int field_read(struct memory_json_reader *r, const struct field *f, struct json_slice value,
               void *record);
/* Reads a string. An absent value (ptr NULL) leaves *out unchanged. */
int memory_json_text(struct memory_json_reader *r, struct json_slice value, const char *name,
                     const char **out);
/* Puts the value of each member into out[index of its field]. A null member counts as absent.
 * The names of other members are added to `unknown`, after `path` and a dot. */
int memory_json_members(struct memory_json_reader *r, struct json_slice object, const char *path,
                        const struct field *fields, size_t count, struct json_slice *out);
/* Sets *count to the number of elements. An absent list has none. Fails if the value is not a
 * list. */
int memory_json_count(struct memory_json_reader *r, struct json_slice list, const char *name,
                      size_t *count);

/* A list of refs, or one ref: the refs as antecedents, the others as annotations. */
struct memory_json_refs {
    struct antecedent *list;
    size_t count;
    const char **annotations;
    size_t annotation_count;
};
/* `bare` is the kind of a word without a colon, or -1 to reject it. */
int memory_json_read_refs(struct memory_json_reader *r, struct json_slice value, const char *name,
                          int bare, struct memory_json_refs *out);

/* ---- lists as arrays ---- */

size_t items_count(const struct field *list, const void *record);
/* The address of element i: a const char *, a struct justification, … */
const void *items_at(const struct field *list, const void *record, size_t i);
/* Replaces the list by an array, which the record then shares. */
void items_set(const struct field *list, void *record, const void *items, size_t count);
void item_write(const struct field *list, const void *item, struct strbuf *out);
/* Reads an element into `item`, which has room for one. */
int item_read(const struct field *list, struct memory_json_reader *r, struct json_slice value,
              void *item);
/* Reads a list into the record. The array has room for `more` further elements. */
int items_read(const struct field *list, struct memory_json_reader *r, struct json_slice value,
               size_t more, void *record);

/* ---- lists as texts ---- */

/* The texts of all elements, one after the other. The elements of a detail are its members, each
 * as an object with that member alone. */
struct elements {
    struct strbuf text;
    size_t *end; /* [count] the end of each element in `text` */
    size_t count, alloc;
};
/* clang-format off */
#define ELEMENTS_INIT {STRBUF_INIT, NULL, 0, 0}
/* clang-format on */
void elements_write(struct elements *out, const struct field *list, const struct memory *m);
void elements_add(struct elements *list, struct json_slice element);
void elements_release(struct elements *list);
struct json_slice elements_at(const struct elements *list, size_t i);
bool elements_equal(const struct elements *a, const struct elements *b);
int slice_compare(struct json_slice a, struct json_slice b);
/* The name of a member, between its quotes. */
struct json_slice member_key(struct json_slice member);
/* Appends a member to the unfinished object in `out`. */
void member_add(struct strbuf *out, struct json_slice member);

/* Indices of elements, sorted by content or by key, and equal ones by index. */
struct sorted {
    const struct elements *list;
    size_t *place;
    size_t count;
    bool by_key;
};
/* Sorts all elements, or those with `some` set. The caller frees `place`. */
struct sorted elements_sort(const struct elements *list, const bool *some, bool by_key);
/* The index in `place` of the first element that equals `wanted` and has place `least` or more,
 * or that is greater. */
size_t sorted_find(const struct sorted *s, struct json_slice wanted, size_t least);

/* The elements without a partner on the other side. Partners are equal and in the same order. */
struct unmatched {
    bool *removed, *added; /* [before->count], [after->count] */
};
/*
 * A common beginning and a common end are partners. In between, each element of `before` takes the
 * next equal one of `after`. O(n log n). Release `u`.
 */
void elements_match(struct unmatched *u, const struct elements *before,
                    const struct elements *after);
void unmatched_release(struct unmatched *u);

#endif
