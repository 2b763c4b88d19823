/* Operations that are still to be written: each moves to a file of its own. */
#include "operation.h"
#include "../model/difference.h"
#include "history.h"
#include "past.h"

#define PENDING(name)                                                                              \
    int op_##name(struct plan *p, const struct request *q, struct error *e)                        \
    {                                                                                              \
        (void)p;                                                                                   \
        (void)q;                                                                                   \
        return error_set(e, ERROR_INVALID, "", #name " cannot be done yet");                       \
    }
PENDING(purge)
PENDING(fix_provenance)
PENDING(undo)
PENDING(redo)

int memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                      struct difference **out, size_t *count)
{
    (void)before, (void)after, (void)arena;
    *out = NULL;
    *count = 0;
    return 0;
}

int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e)
{
    (void)r, (void)seq, (void)e;
    return 0;
}

int history_walk(struct reader *r, int64_t node,
                 int (*each)(void *arg, const struct revision *revision), void *arg,
                 struct error *e)
{
    (void)r, (void)node, (void)each, (void)arg, (void)e;
    return 0;
}

int history_versions(struct reader *r, struct arena *arena, int64_t node, int64_t **rows,
                     size_t *count, struct error *e)
{
    (void)r, (void)arena, (void)node, (void)e;
    *rows = NULL;
    *count = 0;
    return 0;
}
