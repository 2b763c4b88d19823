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

#endif
