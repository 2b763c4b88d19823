/* "Did you mean": the known name that is nearest to a mistyped word. */
#ifndef STEMMA_SUGGEST_H
#define STEMMA_SUGGEST_H

#include <stddef.h>

/*
 * Keeps the name nearest to a mistyped word. The distance counts insertions, deletions, substitutions
 * and exchanges of adjacent characters (Damerau 1964, optimal string alignment) and ignores case. A name that starts
 * with the word always counts as near.
 */
struct suggestion {
    const char *word;
    const char *name; /* the nearest, owned by the caller; NULL if none is near enough */
    size_t distance;
};
#define SUGGESTION_INIT(word)                                                                      \
    {                                                                                              \
        (word), NULL, (size_t)-1                                                                   \
    }
void suggest_consider(struct suggestion *s, const char *name);

#endif
