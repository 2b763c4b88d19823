/*
 * The one cache of the store: its whole graph with the labels of all, loaded when a question first needs it, then
 * shared by the readers of every thread and kept current from the journal.
 *
 * A snapshot never changes while somebody holds it. A reader is given the one of its own moment, never another.
 * Readers of the past, of a transaction that is being written, and those whose caller may not see all entries get a
 * snapshot of their own. Labels are kept apart from the graph: after a few changes only what is based on the changed
 * rows is labelled again, while the graph is loaded anew when a question next needs it.
 */
#ifndef STEMMA_LOADED_H
#define STEMMA_LOADED_H

#include <stdatomic.h>
#include "model/graph/graph.h"
#include "store/db/store.h"

struct graph_cache;
struct graph_cache *graph_cache_new(void);
void graph_cache_free(struct graph_cache *c); /* NULL is allowed */

/* Gives a connection the functions by which it is loaded: once, when it is opened. */
int graph_load_prepare(struct db *db, struct error *e);

/* A relation `processed_into`, by nodes, in the order of the table of links. */
struct processed {
    uint32_t raw, into;
};
struct processed_list {
    struct processed *pair;
    size_t count, alloc;
};

/* Node n is row n + 1. */
struct loaded {
    struct graph graph;
    struct labels labels;
    struct processed_list processed;
    int64_t seq; /* the event as of which it holds */
    atomic_size_t holders;
};
/* Within a transaction of the reader's; it loads what is not there. NULL on error. */
const struct loaded *loaded_get(struct reader *r, struct error *e);
/* NULL where it is not there at this moment. */
const struct loaded *loaded_find(struct reader *r);
void loaded_release(const struct loaded *l); /* NULL is allowed */

/* The labels of all rows, with how many justifications they have and how many of those hold. */
struct known_labels {
    uint8_t *label; /* [rows] enum label, by row - 1 */
    uint32_t *holds, *justs;
    size_t rows;
    int64_t seq;
    atomic_size_t holders;
};
/* As above; known_labels_find brings what is there to the reader's moment where little has changed. */
const struct known_labels *known_labels_get(struct reader *r, struct error *e);
const struct known_labels *known_labels_find(struct reader *r);
void known_labels_release(const struct known_labels *k); /* NULL is allowed */

/* -1 where nothing is known of it. */
static inline int known_label(const struct known_labels *k, int64_t row)
{
    return k && row >= 1 && (uint64_t)row <= k->rows ? k->label[row - 1] : -1;
}

#endif
