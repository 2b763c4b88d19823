/*
 * What reading the exchange form is made of: values of a member, with errors that name it. For the
 * files exchange_*.c alone.
 */
#ifndef STEMMA_EXCHANGE_READER_H
#define STEMMA_EXCHANGE_READER_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"

struct exchange_reader {
    struct memory *m;
    struct arena *arena;
    struct strbuf *unknown; /* may be NULL */
    struct error *e;
};

/* All return -1 with the error filled. An absent value (ptr NULL) leaves *out as it is. */
int exchange_wrong(struct exchange_reader *r, const char *name, const char *how);
int exchange_no_memory(struct exchange_reader *r);
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
/* Keeps the first of each ref. */
int exchange_drop_repeated(struct exchange_reader *r, struct antecedent *list, size_t *count);

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

#endif
