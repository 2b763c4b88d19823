/* Facets of a list: the values that its memories have in a field of queries, and how many have each. */
#ifndef STEMMA_FACET_H
#define STEMMA_FACET_H

#include <stdatomic.h>
#include "model/query/query.h"
#include "store/query/list.h"

struct facet {
    /* As a query takes it, in the arena; QUERY_NONE for memories without tags, or whose flags lists do not show. */
    const char *value;
    size_t count; /* memories; one with several tags counts for each */
};

/* Whether a field has facets: kind, agent, label, status, source, tag, told, flag or confidence. */
bool facet_is_of(enum query_field field);
/* Whether its values are ranges in order, the highest first: a histogram. Those without a memory have a row, too. */
bool facet_is_ranges(enum query_field field);
/* Else the most frequent value is first. Reads each memory of the list as its caller may see it: O(list). Adds
 * to *looked how many it has read so far; any thread may read that. NULL is allowed. */
int facet_count(struct reader *r, const struct list_query *list, enum query_field field,
                struct arena *arena, atomic_size_t *looked, struct facet **out, size_t *count,
                struct error *e);

#endif
