/*
 * Rows in the order of their effective confidence, which no index has. It is never above the stored
 * confidence, whose index gives the rows: so a row that was read can be passed on as soon as the
 * next one of the index is not before it. Where nothing is lost, that is at once.
 *
 * Lowest first nothing is known before all rows are read, nor where all confidences decay, nor after
 * a page that left rows out. Then a few rows are read and sorted, and of more the ranks of all
 * rows are walked (store/lineage/ranks.h). Only for store/query.
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
 * Once a row was lowered, a page that begins after *out must be sorted.
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
