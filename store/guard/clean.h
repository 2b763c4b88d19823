/* Text from a store in one line that is safe to show: for answers that are read as text. */
#ifndef STEMMA_CLEAN_H
#define STEMMA_CLEAN_H

#include <stddef.h>
#include "model/base/strbuf.h"

/*
 * Appends at most `count` code points of `s` (valid UTF-8), and an ellipsis where that is not all of it.
 * A run of white space and control characters is a space; what would reorder or hide text is U+FFFD.
 */
void clean_add(struct strbuf *out, const char *s, size_t count);

#endif
