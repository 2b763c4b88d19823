/* What names a memory in a relation: the other end of supersedes, contradicts and the like. */
#ifndef STEMMA_RELATED_H
#define STEMMA_RELATED_H

#include "store.h"

struct related {
    int64_t node; /* the memory that says so */
    enum role type;
};
/* At most `limit` of them, by row; *more: there are others. In the arena. */
int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e);

#endif
