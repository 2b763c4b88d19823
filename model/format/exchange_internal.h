/*
 * What the files of this room share: reading the values of a member, with errors that name it, and the lists of a memory
 * element by element, each as the exchange form writes it, of which patches are made.
 */
#ifndef STEMMA_EXCHANGE_INTERNAL_H
#define STEMMA_EXCHANGE_INTERNAL_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/* ---- reading ---- */

struct exchange_reader {
    struct memory *m;
    struct arena *arena;
    struct strbuf *unknown; /* may be NULL */
    struct error *e;
};

/* All return -1 with the error filled. An absent value (ptr NULL) leaves *out as it is. */
int exchange_wrong(struct exchange_reader *r, const char *name, const char *how);
int exchange_text(struct exchange_reader *r, struct json_slice value, const char *name,
                  const char **out);
int exchange_whole(struct exchange_reader *r, struct json_slice value, const char *name,
                   int64_t least, int64_t *out);
int exchange_number(struct exchange_reader *r, struct json_slice value, const char *name,
                    double *out);
/* A number from 0 to 1. */
int exchange_share(struct exchange_reader *r, struct json_slice value, const char *name,
                   double *out);
/* One of the words that `from_name` knows (-1: it does not). */
int exchange_word(struct exchange_reader *r, struct json_slice value, const char *name,
                  int (*from_name)(const char *), int *out);

/*
 * The members of an object by name, null ones as absent; those in none of the `names` go to `unknown`,
 * after `within` and a dot where that is not "".
 */
int exchange_members(struct exchange_reader *r, struct json_slice object, const char *within,
                     const char *const *names, size_t count, struct json_slice *out);

/* How many elements; -1 where it is no list. An absent one has none. */
int exchange_count(struct exchange_reader *r, struct json_slice list, const char *name,
                   size_t *count);
/* A list of strings, in the arena. */
int exchange_texts(struct exchange_reader *r, struct json_slice list, const char *name,
                   const char ***out, size_t *count);

/* A ref that must be there, and name a kind. */
int exchange_ref(struct exchange_reader *r, struct json_slice value, const char *name,
                 struct ref *out);
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

/* The links of a memory as they may be written: in full, or by the names that other tools give them. */
struct exchange_links {
    struct json_slice justifications, relations;
    struct json_slice derived_from, derivation, source_episodes, supersedes, processed_into;
};
/* Fills the justifications, relations and annotations of r->m, which has its other fields. */
int exchange_read_links(struct exchange_reader *r, const struct exchange_links *links);
int exchange_read_history(struct exchange_reader *r, struct json_slice list);
int exchange_read_marks(struct exchange_reader *r, struct json_slice list);

/* One element of such a list. */
int exchange_read_justification(struct exchange_reader *r, struct json_slice value,
                                struct justification *out);
int exchange_read_relation(struct exchange_reader *r, struct json_slice value,
                           struct relation *out);
int exchange_read_entry(struct exchange_reader *r, struct json_slice value,
                        struct history_entry *out);
int exchange_read_mark(struct exchange_reader *r, struct json_slice value, struct mark *out);

/* ---- lists ---- */

/* In the order of a line. The detail is a list of its members. */
enum exchange_list {
    LIST_TAGS,
    LIST_ANNOTATIONS,
    LIST_DETAIL,
    LIST_JUSTIFICATIONS,
    LIST_HISTORY,
    LIST_RELATIONS,
    LIST_MARKS,
    LIST_COUNT
};
const char *exchange_list_name(enum exchange_list list); /* "tags", … */
int exchange_list_from_name(struct json_slice name);     /* -1: none is called so */

/* ---- the elements as texts ---- */

/*
 * One after the other. A member of the detail is an object of
 * that member alone.
 */
struct elements {
    struct strbuf text;
    size_t *end; /* [count] where each ends in `text` */
    size_t count, alloc;
};
#define ELEMENTS_INIT                                                                              \
    {                                                                                              \
        STRBUF_INIT, NULL, 0, 0                                                                    \
    }
void elements_write(struct elements *out, enum exchange_list list, const struct memory *m);
void elements_add(struct elements *list, struct json_slice element);
void elements_release(struct elements *list);
struct json_slice elements_at(const struct elements *list, size_t i);
bool elements_equal(const struct elements *a, const struct elements *b);
int elements_compare_slices(struct json_slice a, struct json_slice b);
/* What stands between the quotes of a member's name. */
struct json_slice elements_key(struct json_slice member);

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

/* ---- the elements as they are held; not those of the detail ---- */

size_t exchange_list_count(enum exchange_list list, const struct memory *m);
/* The address of one, and its size: a const char *, a struct justification, … */
const void *exchange_list_item(enum exchange_list list, const struct memory *m, size_t i);
size_t exchange_list_item_size(enum exchange_list list);
/* An array of such elements takes the place of the list; it becomes the memory's. */
void exchange_list_set(enum exchange_list list, struct memory *m, void *items, size_t count);
void exchange_list_write_item(enum exchange_list list, const void *item, struct strbuf *out);
/* Reads an element into `item`, which has room for one. */
int exchange_list_read_item(enum exchange_list list, struct exchange_reader *r,
                            struct json_slice value, void *item);

#endif
