/* The memories that bear a mark: somebody's word on them. */
#ifndef STEMMA_MARKED_H
#define STEMMA_MARKED_H

#include "store/db/store.h"

struct marked {
    int64_t node, at; /* when it was said last */
};
/*
 * The listed ones that are marked so, the newest mark first; of one agent (NULL: of any). Malloc'd; the caller
 * frees *out. O(marks of that name).
 */
int marked_list(struct reader *r, const char *mark, const char *agent, struct marked **out,
                size_t *count, struct error *e);

/* The newest such mark of one memory, in the arena. ERROR_NOT_FOUND: it has none. */
int marked_read(struct reader *r, struct arena *arena, int64_t node, const char *mark,
                struct mark *out, struct error *e);

#endif
