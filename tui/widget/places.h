/*
 * A list's rows after others wrote: those that changed are taken out and all of them put where they
 * belong now, in one pass over the list, however many they are.
 */
#ifndef STEMMA_WIDGET_PLACES_H
#define STEMMA_WIDGET_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/query/list.h"

struct ui;
struct reader;

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
 * `*ids` of `*count`, with room for `*alloc`, in the order of the query. -1 where they cannot be read:
 * the ids are then to be read anew.
 */
int places_update(const struct placing *p, const struct unplaced *u, int64_t **ids, size_t *alloc,
                  size_t *count, struct moves *m);

/*
 * Looking through memories for a piece of text, on the worker, a slice at a time: what filters a list
 * and finds in it. A memory matches by its text, tags, source, context or the beginning of its ref,
 * and by what lists of its kind show beside the text: an answer, a document's id, a place, a URI.
 */

/* Places in the nodes that match, ascending; called in the main thread, several times. */
typedef void (*scan_found)(void *arg, const uint32_t *places, size_t count, bool complete);

/*
 * Begins; `owner` has one scan at a time, a newer one replaces it, worker_cancel_owner ends it.
 * `nodes` is taken over (malloc). At most 2^32 nodes.
 */
void scan_start(struct ui *ui, const void *owner, int64_t *nodes, size_t count, const char *pattern,
                scan_found found, void *arg);
bool scan_matches(struct reader *r, int64_t node, const char *pattern);

#endif
