/*
 * Matching what a person types: patterns of filters and searches, and the names that options accept.
 *
 * A pattern is plain text. It ignores case unless it contains a capital letter (smart-case). Filters, search and
 * highlighting all use it.
 */
#ifndef STEMMA_MATCH_H
#define STEMMA_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/query/query.h"

struct error;

struct match_place {
    size_t from, to; /* bytes */
};
/* Finds the first match in `text` (`len` bytes) at or after `start`. False if there is none, or if the pattern is
 * empty. O(len · pattern). */
bool match_find(const char *text, size_t len, size_t start, const char *pattern,
                struct match_place *found);
bool match_text(const char *text, const char *pattern); /* false if `text` is NULL */

/* The names that an option accepts, besides those of fields of queries: one per index, then NULL. */
const char *choice_order(int i);

/*
 * Parses the name of a kind. Returns KIND_COUNT for the word `other` ("all"; NULL if no such word is accepted).
 * Returns -1 and sets ERROR_USAGE, with the nearest name or all names, for any other word.
 */
int choice_kind_typed(const char *word, const char *other, struct error *e);

#endif
