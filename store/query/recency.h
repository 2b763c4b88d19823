/*
 * How far back in the rows what is newest lies, as it was found before: memories mostly stand in the order in which
 * they were created, so what matches among the last rows is what matches among the newest, and a search need not look
 * further. Exact at the moment of the reader's transaction.
 */
#ifndef STEMMA_RECENCY_H
#define STEMMA_RECENCY_H

#include "store/db/store.h"

struct recency;
struct recency *recency_new(void);
void recency_free(struct recency *k); /* NULL is allowed */

/*
 * *least: every memory that was created after that time stands in this row or a later one, or is among the few of
 * `strays`, which stand far before the others of their time. Where it is below `row` it may be less than it needs to
 * be, by a share of what lies behind `row`. Within a transaction of a reader's that keeps what it finds.
 * O(memories created since, that nobody asked about).
 */
#define RECENCY_STRAYS 16
struct strays {
    int64_t row[RECENCY_STRAYS];
    size_t count;
};
int recency_least(struct reader *r, int64_t created_at, int64_t row, int64_t *least,
                  struct strays *strays, struct error *e);

static inline bool strays_have(const struct strays *s, int64_t row)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->row[i] == row)
            return true;
    return false;
}

#endif
