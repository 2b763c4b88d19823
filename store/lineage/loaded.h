/*
 * The one cache of the store: its whole graph with the labels of all, loaded when a question first needs it, then
 * shared by the readers of every thread and kept current from the journal.
 *
 * A snapshot never changes while somebody holds it. A reader is given the one of its own moment, never another.
 * Readers of the past, of a transaction that is being written, and those whose caller may not see all entries get a
 * snapshot of their own. After a few changes only what is based on the changed rows is labelled again, without the
 * graph, which is loaded anew when a question next needs it.
 */
#ifndef STEMMA_LOADED_H
#define STEMMA_LOADED_H

#include <stdatomic.h>
#include "model/graph/graph.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"

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

/*
 * A snapshot of the labels of all rows, and mostly of the graph that they are of, in which node n is row n + 1. Labels
 * that were brought forward have none.
 */
struct loaded {
    bool has_graph;
    struct graph graph;
    struct processed_list processed;
    size_t rows;
    struct labels labels; /* by row - 1; without the graph `label` and `holds` alone */
    uint32_t *justs;      /* [rows] how many justifications each has */
    int64_t seq;          /* the event as of which it holds */
    atomic_size_t holders;
};
/* With the graph. Within a transaction of the reader's; it loads what is not there. NULL on error. */
const struct loaded *loaded_get(struct reader *r, struct error *e);
/* NULL where it is not there at this moment. */
const struct loaded *loaded_find(struct reader *r);
/* The same of the labels, be the graph there or not; what is there is brought to the reader's moment where little has
 * changed. */
const struct loaded *loaded_labels_get(struct reader *r, struct error *e);
const struct loaded *loaded_labels_find(struct reader *r);
void loaded_release(const struct loaded *l); /* NULL is allowed */

/* false: nothing is known of it. `l` may be NULL. */
static inline bool loaded_label(const struct loaded *l, int64_t row, struct row_label *out)
{
    if (!l || row < 1 || (uint64_t)row > l->rows)
        return false;
    *out = (struct row_label){(enum label)l->labels.label[row - 1], l->labels.holds[row - 1],
                              l->justs[row - 1]};
    return true;
}

#endif
