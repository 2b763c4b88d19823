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
