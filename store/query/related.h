/* What names a memory in a relation: the other end of supersedes, contradicts and the like. */
#ifndef STEMMA_RELATED_H
#define STEMMA_RELATED_H

#include "store/db/store.h"

struct related {
    int64_t node; /* the memory that says so */
    enum role type;
};
/* At most `limit` of them, by row; *more: there are others. In the arena. */
int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e);

/* Does the memory name the other one in a link, of support or of a relation? 1, 0; -1 on error. */
int related_names(struct reader *r, int64_t memory, int64_t other, struct error *e);

/* ---- the memories that bear a mark: somebody's word on them ---- */

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
