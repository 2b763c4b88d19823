/*
 * A list's rows after others wrote: those that changed are taken out and all of them put where they
 * belong now, in one pass over the list, however many they are.
 */
#ifndef STEMMA_PLACES_H
#define STEMMA_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/query/list.h"

#define PLACES_MOST 1024 /* more at once: the list is read again */

/* Memories that were written and are not in their places yet; each once. */
struct unplaced {
    int64_t node[PLACES_MOST];
    bool was_there[PLACES_MOST]; /* it is not new, so the list may have it already */
    size_t count;
    bool overflow; /* there were more */
};
void unplaced_add(struct unplaced *u, int64_t node, bool was_there);

/* What a pass did. */
struct moves {
    size_t out[PLACES_MOST]; /* rows before the pass that were taken out, ascending */
    size_t out_count;
    size_t in[PLACES_MOST];   /* rows after it that were put in, ascending */
    bool is_new[PLACES_MOST]; /* that one was not taken out just before */
    size_t in_count;
};

struct placing {
    struct reader *reader;
    const struct list_query *query;
    bool (*passes)(void *arg, int64_t node); /* NULL: every one that the query has */
    void *arg;
    int64_t keep; /* stays in its row though the query leaves it out now; 0: none */
};

/*
 * `*ids` of `*count`, with room for `*alloc`, in the order of the query. -1 where they cannot be read
 * or memory runs out: the ids are then to be read anew.
 */
int places_update(const struct placing *p, const struct unplaced *u, int64_t **ids, size_t *alloc,
                  size_t *count, struct moves *m);

#endif
