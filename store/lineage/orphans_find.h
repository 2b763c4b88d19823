/* Looking for what is wrong with a lineage: the parts of orphans_find. For store/ alone. */
#ifndef STEMMA_ORPHANS_FIND_H
#define STEMMA_ORPHANS_FIND_H

#include "store/lineage/orphans.h"
#include "store/db/reader.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"

struct finder {
    struct reader *r;
    struct db *db;
    const struct loaded *all;
    int64_t agent; /* a row; 0: any; -1: one that has no memory */
    int64_t now;
    int (*each)(void *arg, const struct orphan *orphan);
    void *arg;
    bool stopped;
};

/* Tells `each` of a problem of that row, unless it is another agent's. */
int finder_give(struct finder *f, enum problem problem, int64_t row, const char *field,
                const char *target, struct error *e);
bool finder_lives(const struct finder *f, int64_t row);

/* In the order of the rows, like the others. */
int find_suspect_times(struct finder *f, struct error *e);
int find_unexplained(struct finder *f, struct error *e);

#endif
