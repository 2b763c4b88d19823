/*
 * The lists of a memory, element by element, each as the exchange form writes it: what patches are
 * made of. For the files of model/ that write and apply them.
 */
#ifndef STEMMA_EXCHANGE_ELEMENTS_H
#define STEMMA_EXCHANGE_ELEMENTS_H

#include "model/format/exchange_reader.h"

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
 * One after the other; text.failed where memory ran out. A member of the detail is an object of
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
 * takes the next equal one of `after`. O(n log n). -1 where memory ran out; else to be released.
 */
int elements_match(struct unmatched *u, const struct elements *before,
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
