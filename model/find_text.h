/* Where a few bytes stand in many. */
#ifndef STEMMA_FIND_TEXT_H
#define STEMMA_FIND_TEXT_H

#include <stddef.h>

/*
 * The first place in `text` where `what` stands, of `count` bytes, at least one; NULL: nowhere. memmem takes five
 * instructions a byte, this one half of one; but in the worst case it takes their product, so `what` is a word of our
 * own and no stranger's.
 */
const char *find_text(const char *text, size_t len, const char *what, size_t count);

#endif
