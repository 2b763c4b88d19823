/* When nothing matched: whether what was asked for is there at all, told on standard error. */
#ifndef STEMMA_NOTHING_H
#define STEMMA_NOTHING_H

#include "store/db/store.h"

struct wanted {
    const char *agent, *source_type; /* NULL: any */
};

/*
 * 1 where this store knows the agent and the source type; 0 where it does not, and that is told with the
 * ones there are; -1 with an error.
 */
int nothing_known(struct reader *r, const struct wanted *wanted, struct error *e);

#endif
