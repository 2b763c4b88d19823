/* "Did you mean": the nearest of some names to a word that is none of them. */
#ifndef STEMMA_SUGGEST_H
#define STEMMA_SUGGEST_H

#include <stddef.h>

/*
 * Keeps the nearest name seen so far. Distance counts insertions, deletions, substitutions and
 * exchanges of neighbours (Damerau 1964, optimal string alignment), cases folded; a name that the
 * word begins is near whatever its length.
 */
struct suggestion {
    const char *word;
    const char *name; /* the nearest; NULL: none is near enough. Belongs to the caller */
    size_t distance;
};
#define SUGGESTION_INIT(word)                                                                      \
    {                                                                                              \
        (word), NULL, (size_t)-1                                                                   \
    }
void suggest_consider(struct suggestion *s, const char *name);

/* The names that an option takes, from the model's own tables: one each until NULL. */

const char *choice_kind(int i);
const char *choice_status(int i); /* those of stored memories; after the last, "all" */
const char *choice_label(int i);
const char *choice_order(int i);

/*
 * The kind that a word names, or KIND_COUNT where it is `other` ("all"; NULL: no such word). -1 with
 * ERROR_USAGE and the nearest name, or all of them.
 */
struct error;
int choice_kind_typed(const char *word, const char *other, struct error *e);

#endif
