/*
 * Words that a person types: the pattern of a filter or a search, the nearest name to a mistyped one ("did you
 * mean"), and the names that an option takes.
 *
 * A pattern is a piece of text, in any case unless it holds a capital (smart-case). Hiding rows, jumping and
 * highlighting all use it.
 */
#ifndef STEMMA_MATCH_H
#define STEMMA_MATCH_H

#include <stdbool.h>
#include <stddef.h>

struct match_place {
    size_t from, to; /* bytes */
};
/* The first place at or after `start` in `text` of `len` bytes; false where there is none, or the
 * pattern is empty. O(len · pattern). */
bool match_find(const char *text, size_t len, size_t start, const char *pattern,
                struct match_place *found);
bool match_text(const char *text, const char *pattern); /* NULL matches nothing */

/*
 * "Did you mean": keeps the nearest name seen so far to a word that is none of them. Distance counts insertions,
 * deletions, substitutions and exchanges of neighbours (Damerau 1964, optimal string alignment), cases folded; a
 * name that the word begins is near whatever its length.
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
