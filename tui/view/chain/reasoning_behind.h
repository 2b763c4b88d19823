/*
 * What lies behind a memory: the chains of thought that led to it or that used it, and the sources that it
 * goes back to.
 */
#ifndef STEMMA_REASONING_BEHIND_H
#define STEMMA_REASONING_BEHIND_H

#include "store/db/store.h"

#define BEHIND_NODES                                                                               \
    4000 /* memories that are looked through at most; where there are more, it is said */
#define BEHIND_MOST 500 /* rows that are given */

struct behind {
    int64_t *row; /* [count] the nearest first, each once */
    size_t count;
    bool bounded; /* there may be others, further away */
};

/*
 * Chains: of a step its own; of a document and of what it was retrieved from or cited as, those that used it;
 * of any other memory those whose steps it rests on, at whatever depth. In the arena; -1 with `e`.
 */
int behind_chains(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                  struct error *e);
/* What it rests on that is a source by itself: documents, retrievals, raws, entries; of a retrieval the documents
 * that were made of it. */
int behind_sources(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                   struct error *e);

#endif
