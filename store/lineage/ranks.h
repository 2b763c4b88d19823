/*
 * All rows in the order of a value that is computed over the whole graph: effective confidence,
 * trust, or how many others lose all support without a memory. They belong to the loaded graph and
 * last as long as it. Only confidences that decay are computed each time, because they change with
 * the clock.
 */
#ifndef STEMMA_RANKS_H
#define STEMMA_RANKS_H

#include "store/lineage/loaded.h"

struct ranks {
    size_t rows;
    double *value;           /* by row - 1 */
    uint32_t *order;         /* the rows, lowest value first, then lowest row */
    const struct loaded *of; /* the snapshot that they belong to; NULL: to the caller */
};

/* The reader must be in a transaction. NULL on error. Call ranks_release. */
const struct ranks *ranks_get(struct reader *r, enum ranked_by by, struct error *e);
void ranks_release(const struct ranks *k); /* NULL is allowed */
/* Sets `loses` of rows. Loads the graph. */
int loses_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
               struct error *e);
/* The place of the first row in `order` that is not before this value and row. */
size_t ranks_place(const struct ranks *k, double value, int64_t row);

#endif
