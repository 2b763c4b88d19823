/* A private directory for a store that is not to stay. */
#ifndef STEMMA_SCRATCH_H
#define STEMMA_SCRATCH_H

#include "model/base/error.h"

struct scratch {
    char directory[256]; /* "" where none was made */
    char store[300];     /* the path of the store in it */
};
#define SCRATCH_INIT                                                                               \
    {                                                                                              \
        "", ""                                                                                     \
    }

/* Makes it under TMPDIR or /tmp, for the owner alone. */
int scratch_make(struct scratch *s, struct error *e);
/* Removes the files in it, and the directory. */
void scratch_remove(struct scratch *s);
/* Removes the store `path` with the files that stand beside it under its name and a `-`. */
void scratch_remove_store(const char *path);

#endif
