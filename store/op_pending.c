/* Operations that are still to be written: each moves to a file of its own. */
#include "operation.h"

#define PENDING(name)                                                                              \
    int op_##name(struct plan *p, const struct request *q, struct error *e)                        \
    {                                                                                              \
        (void)p;                                                                                   \
        (void)q;                                                                                   \
        return error_set(e, ERROR_INVALID, "", #name " cannot be done yet");                       \
    }
PENDING(fix_provenance)
