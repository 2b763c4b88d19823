/* One thing that happened, with what it says in bytes of its own. */
#ifndef STEMMA_HAPPENING_MAKE_H
#define STEMMA_HAPPENING_MAKE_H

#include "tui/view/events/happening.h"

struct happening_words {
    const char *who, *what, *client, *change, *why; /* NULL: "" */
    const char *text;                               /* where it is about no memory */
    const char *namespace_;
};

/* One like that, with these words and those of its memory, masked where the reader is; free() it. NULL where
 * memory ran out. */
struct happening *happening_make(struct reader *r, const struct happening *like,
                                 const struct happening_words *words);

#endif
