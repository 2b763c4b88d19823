/*
 * Rows in the order of their effective confidence, which no index has. Rows are read in the order of
 * the stored confidence, an upper bound of the effective one. A row waits in a heap until no later
 * row can come before it; if no confidence was lowered, none waits.
 *
 * Three orders cannot be had in this way: lowest first, one where all confidences decay, and a page
 * after one with a lowered row. For those a few rows are read whole and sorted (ranking_sort); of
 * many rows the ranks are walked (store/lineage/loaded.h). Only for store/query.
 */
#ifndef STEMMA_RANKING_H
#define STEMMA_RANKING_H

#include "store/query/order.h"

struct loaded;

/* For more rows than this, loading all labels costs less than reading the surroundings of each. */
#define RANKING_FEW 500

struct ranked {
    double value;
    int64_t row;
};

struct ranking {
    struct reader *reader;
    bool down;              /* highest first */
    struct ranked *waiting; /* a heap of rows that were read; the next one is the first */
    size_t count, alloc;
    bool lowered;               /* some row had less than its stored confidence */
    size_t looked;              /* rows whose confidence was computed */
    const struct loaded *known; /* labels of all rows, held from the RANKING_FEWth on */
};

/* Can the order be had without reading all rows first? */
bool ranking_is_lazy(struct reader *r, bool down);
/* Takes the next row of the index, whose key has the stored confidence. */
int ranking_take(struct ranking *k, const struct order_key *row, struct error *e);
/*
 * Stores the next row in *out and returns true if none from `row` on (NULL: the end) can precede it.
 * If `lowered` is set, the page after *out cannot continue by the index: use ranking_sort.
 */
bool ranking_next(struct ranking *k, const struct order_key *row, struct order_key *out);
void ranking_release(struct ranking *k);

/* Sets the effective confidence (or ORDER_TRUST: the trust) of at most RANKING_FEW rows, and sorts
 * them. */
int ranking_sort(struct reader *r, struct ranked *rows, size_t count, enum list_order order,
                 bool down, struct error *e);
/* Does `a` come before `b`? */
bool ranked_before(struct ranked a, struct ranked b, bool down);

#endif
