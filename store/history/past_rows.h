/*
 * Which memories differ between a moment and now, as two sets of rows: those that were there and
 * are another thing now, and those that came later. All others are as they were. For store/ alone.
 */
#ifndef STEMMA_PAST_ROWS_H
#define STEMMA_PAST_ROWS_H

#include "store/db/db.h"

struct past_rows {
    int64_t seq;                /* the moment: its last event */
    int64_t last;               /* the event up to which it is known */
    int64_t rows;               /* the greatest row there was then; a greater one came later */
    uint64_t *changed, *unborn; /* a bit for each row from 0 to `rows` */
    size_t words;               /* of each */
    size_t changed_count;
};

static inline bool past_bit(const uint64_t *bits, int64_t row)
{
    return bits[(size_t)row / 64] >> (row % 64) & 1;
}
static inline bool past_is_unborn(const struct past_rows *p, int64_t row)
{
    return row > p->rows || (row >= 0 && past_bit(p->unborn, row));
}
/* Is it now what it was then? */
static inline bool past_is_same(const struct past_rows *p, int64_t row)
{
    return row >= 0 && row <= p->rows && !past_bit(p->changed, row) && !past_bit(p->unborn, row);
}

#endif
