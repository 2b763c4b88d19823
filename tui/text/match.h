/*
 * What a filter and a search look for: a piece of text, in any case unless it holds a capital
 * (smart-case). The one meaning of it for hiding rows, jumping and highlighting.
 */
#ifndef STEMMA_MATCH_H
#define STEMMA_MATCH_H

#include <stdbool.h>
#include <stddef.h>

struct match {
    size_t from, to; /* bytes */
};
/* The first place at or after `start` in `text` of `len` bytes; false where there is none, or the
 * pattern is empty. O(len · pattern). */
bool match_find(const char *text, size_t len, size_t start, const char *pattern,
                struct match *found);
bool match_text(const char *text, const char *pattern); /* NULL matches nothing */

#endif
