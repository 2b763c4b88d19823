/* Counts the rows of a list by iterating over it. */
#ifndef STEMMA_TEST_LISTED_H
#define STEMMA_TEST_LISTED_H

#include "store/query/list.h"

static inline int listed_add(void *arg, const int64_t *nodes, size_t count)
{
    *(int64_t *)arg += (int64_t)count;
    return 0;
}

static inline int listed_count(struct reader *r, const struct list_query *query, int64_t *count,
                               struct error *e)
{
    *count = 0;
    return list_ids(r, query, listed_add, count, e);
}

#endif
