/*
 * What the files of this room share: the table of what a memory consists of, reading and writing by it, and the
 * lists of a memory element by element, as the exchange form writes them, of which patches are made.
 */
#ifndef STEMMA_EXCHANGE_INTERNAL_H
#define STEMMA_EXCHANGE_INTERNAL_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/* ---- the table ---- */

enum field_type {
    FIELD_REF,
    FIELD_TEXT,
    FIELD_TIME, /* absent: created_at of the memory, so that a line read twice is the same memory */
    FIELD_VERSION,
    FIELD_PLACE,  /* a whole number from 0 on; absent: -1 */
    FIELD_NUMBER, /* absent: NAN */
    FIELD_SHARE,  /* a number from 0 to 1; NAN is not written */
    FIELD_FLAG,
    FIELD_ROLE, /* words, from here on */
    FIELD_RELATION,
    FIELD_READING,
    FIELD_RECORDED,
    FIELD_SCORE,
    FIELD_STATUS,
    FIELD_DETAIL, /* a JSON object */
    FIELD_LIST,   /* of records or texts */
    FIELD_LINKS,  /* links by the names that other tools give them; only read */
};
#define FIELD_IS_SCALAR(type) ((type) > FIELD_REF && (type) < FIELD_DETAIL)

enum {
    ALWAYS = 1, /* it is written even if it has its default; null in a patch is an error */
    NEEDED = 2, /* a text that may not be absent or empty */
    EMPTY = 4,  /* an absent text is the empty one */
};

struct record;
struct field {
    const char *name, *key; /* "text", and as it is written: ,"text": */
    size_t key_len;
    enum field_type type;
    unsigned flags;
    size_t offset;             /* where it stands in the record; of a list, its array */
    size_t count;              /* where the length of a list stands */
    const struct record *item; /* what a list consists of */
};

/* What an element of a list consists of; without fields it is a text. */
struct record {
    const char *path; /* where it stands, for the names of unknown members */
    size_t size;
    const struct field *fields;
    size_t count;
};

/* In the order of a line. */
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
    MEMBER_MARKS,
    MEMBER_WRITTEN, /* the others are only read */
    MEMBER_DERIVED_FROM = MEMBER_WRITTEN,
    MEMBER_DERIVATION,
    MEMBER_SOURCE_EPISODES,
    MEMBER_SUPERSEDES,
    MEMBER_PROCESSED_INTO,
    MEMBER_LABEL,
    MEMBER_COUNT
};
extern const struct field exchange_fields[MEMBER_COUNT];

/* Is it the same in both records? Scalars, and the text of a detail. */
bool field_equal(const struct field *f, const void *a, const void *b);
void field_copy(const struct field *f, void *to, const void *from); /* a scalar */
/* Has it its default, which need not be written? */
bool field_is_absent(const struct field *f, const void *record);
const char *field_text(const struct field *f, const void *record); /* NULL: absent */
/* The value of a scalar as JSON; an absent text is null. */
void field_write_value(struct strbuf *out, const struct field *f, const void *record);
/* Key and value, or nothing where it is absent. */
void field_write(struct strbuf *out, const struct field *f, const void *record);

/* ---- reading ---- */

struct exchange_reader {
    struct memory *m;
    struct arena *arena;
    struct strbuf *unknown; /* may be NULL */
    struct error *e;
};

/* All return -1 with the error filled. */
int exchange_wrong(struct exchange_reader *r, const char *name, const char *how);
/* Takes the value of a scalar; ptr NULL: it is absent. */
int field_read(struct exchange_reader *r, const struct field *f, struct json_slice value,
               void *record);
/* An absent value (ptr NULL) leaves *out as it is. */
int exchange_text(struct exchange_reader *r, struct json_slice value, const char *name,
                  const char **out);
/* The members of an object by field, null ones as absent; others go to `unknown`, after `path` and a dot. */
int exchange_members(struct exchange_reader *r, struct json_slice object, const char *path,
                     const struct field *fields, size_t count, struct json_slice *out);
/* How many elements; -1 where it is no list. An absent one has none. */
int exchange_count(struct exchange_reader *r, struct json_slice list, const char *name,
                   size_t *count);

/* A list of refs, or one by itself: those that are refs as antecedents, the others as annotations. */
struct exchange_refs {
    struct antecedent *list;
    size_t count;
    const char **annotations;
    size_t annotation_count;
};
/* `bare` is the kind of a word without a colon; -1: such a word is refused. */
int exchange_read_refs(struct exchange_reader *r, struct json_slice value, const char *name,
                       int bare, struct exchange_refs *out);

/* ---- lists as they are held ---- */

size_t items_count(const struct field *list, const void *record);
/* The address of one: a const char *, a struct justification, … */
const void *items_at(const struct field *list, const void *record, size_t i);
/* An array of such elements takes the place of the list; it becomes the record's. */
void items_set(const struct field *list, void *record, const void *items, size_t count);
void item_write(const struct field *list, const void *item, struct strbuf *out);
/* Reads an element into `item`, which has room for one. */
int item_read(const struct field *list, struct exchange_reader *r, struct json_slice value,
              void *item);
/* Reads a list into the record, with room for `more` elements behind it. */
int items_read(const struct field *list, struct exchange_reader *r, struct json_slice value,
               size_t more, void *record);

/* ---- lists as texts ---- */

/* The elements one after the other. Those of a detail are its members, each an object of that member alone. */
struct elements {
    struct strbuf text;
    size_t *end; /* [count] where each ends in `text` */
    size_t count, alloc;
};
#define ELEMENTS_INIT                                                                              \
    {                                                                                              \
        STRBUF_INIT, NULL, 0, 0                                                                    \
    }
void elements_write(struct elements *out, const struct field *list, const struct memory *m);
void elements_add(struct elements *list, struct json_slice element);
void elements_release(struct elements *list);
struct json_slice elements_at(const struct elements *list, size_t i);
bool elements_equal(const struct elements *a, const struct elements *b);
int slice_compare(struct json_slice a, struct json_slice b);
/* What stands between the quotes of a member's name. */
struct json_slice member_key(struct json_slice member);
/* Appends a member to the object that is being made in `out`. */
void member_add(struct strbuf *out, struct json_slice member);

/* Places of elements in the order of what they hold (or of their keys), equal ones in the order of the list. */
struct sorted {
    const struct elements *list;
    size_t *place;
    size_t count;
    bool by_key;
};
/* Of all elements, or of those in `some`. The caller frees `place`. */
struct sorted elements_sort(const struct elements *list, const bool *some, bool by_key);
/* The index of the first that is `wanted` and stands at `least` or after it, or that is greater. */
size_t sorted_find(const struct sorted *s, struct json_slice wanted, size_t least);

/* Which elements have no partner on the other side, where partners stand in the same order. */
struct unmatched {
    bool *removed, *added; /* [before->count], [after->count] */
};
/*
 * What both have at the beginning and at the end are partners; in between, each element of `before`
 * takes the next equal one of `after`. O(n log n). The caller releases it.
 */
void elements_match(struct unmatched *u, const struct elements *before,
                    const struct elements *after);
void unmatched_release(struct unmatched *u);

#endif
