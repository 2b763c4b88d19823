/* Where a few bytes stand in many. */
#ifndef STEMMA_FIND_TEXT_H
#define STEMMA_FIND_TEXT_H

#include <stddef.h>

/*
 * The first place in `text` where `what` stands, of `count` bytes, at least one; NULL: nowhere. It looks at sixteen places
 * at once, where memmem takes five instructions for each; but in the worst case it takes the product of both lengths, so
 * `what` is a word of our own and no stranger's.
 */
const char *find_text(const char *text, size_t len, const char *what, size_t count);

#endif
