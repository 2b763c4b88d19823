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

void past_rows_release(struct past_rows *p);
/* The same sets again; *to holds nothing. -1 where memory ran out: *to is to be released. */
void past_rows_copy(struct past_rows *to, const struct past_rows *from);

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

/*
 * Finds them for p->seq, from the events that follow it where those are few, else from the index of
 * all events by their subject. `told` (may be NULL) stops it with non-zero: ERROR_INTERRUPTED. In a
 * transaction. O(events since), at most O(events).
 */
int past_rows_find(struct past_rows *p, struct db *db,
                   int (*told)(void *arg, int64_t done, int64_t total), void *arg, struct error *e);

/* A row became another thing, or came. */
void past_rows_add(struct past_rows *p, int64_t row, bool was_there);

#endif
