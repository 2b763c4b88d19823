/* What a row of a list says of a memory whose origin says nothing: how far a chain is, where a passage stands. */
#ifndef STEMMA_ASPECT_H
#define STEMMA_ASPECT_H

#include "store/db/store.h"

#define ASPECT_WIDEST 20 /* columns that are worth showing of one */

/* Are these (KIND_BIT()s) kinds of which all have one? Chains, steps, documents, citations, attributions. */
bool kinds_have_aspects(unsigned kinds);
/*
 * "abandoned, 3 steps", "step 2", "5 uses, changed", "page 12, Delivery", "web_scrape"; "" where there is
 * nothing to say. In the arena, where its memory is read as well; NULL with `e` set.
 */
const char *aspect_read(struct reader *r, struct arena *arena, int64_t node, struct error *e);

#endif
