/*
 * The only cache of the store: its whole graph with all labels. It is loaded when a query first
 * needs it, shared by the readers of all threads, and updated from the journal.
 *
 * A snapshot never changes while somebody holds it. A reader only gets the snapshot of its own
 * transaction. Readers of the past, of the writer's transaction, and readers whose caller may not
 * see all entries load a snapshot of their own; those that disbelieve the same memories
 * (struct disbelief) share one. After few changes only labels that can have changed
 * are computed again, without the graph, which is loaded again when a query next needs it.
 */
#ifndef STEMMA_LOADED_H
#define STEMMA_LOADED_H

#include <stdatomic.h>
#include "model/graph/graph.h"
#include "model/graph/roots.h"
#include "store/lineage/subgraph.h"
#include "store/db/store.h"
#include "model/base/map.h"
#include "model/memory/memory.h"

struct graph_cache;
struct graph_cache *graph_cache_new(void);
void graph_cache_free(struct graph_cache *c); /* NULL is allowed */

/* Adds the SQL functions for loading to a new connection. */
int graph_load_prepare(struct db *db, struct error *e);

/* A relation `processed_into` between nodes, in the order of table link. */
struct processed {
    uint32_t raw, into;
};
struct processed_list {
    struct processed *pair;
    size_t count, alloc;
};

/*
 * A snapshot of all labels, and usually of the graph, in which node n is row n + 1. A snapshot that
 * was updated has only labels.
 */
struct ranks;
enum ranked_by {
    RANKED_BY_EFFECTIVE,
    RANKED_BY_TRUST,
    RANKED_BY_LOSES, /* how many others lose all support without it: loaded_keystones */
    RANKED_BY_COUNT
};

struct loaded {
    bool has_graph;
    struct graph graph;
    struct processed_list processed;
    size_t rows;
    struct labels labels; /* by row - 1; without the graph only `label` and `valid` */
    uint32_t *justs;      /* [rows] number of justifications */
    int64_t seq;          /* it is as of this event */
    _Atomic(struct ranks *) ranks[RANKED_BY_COUNT]; /* NULL: not computed yet */
    _Atomic(struct keystones *) keystones;          /* NULL: not computed yet */
    atomic_size_t holders;
};
/* Frees the ranks of a snapshot that nobody else holds. */
void ranks_drop(struct loaded *l);

/*
 * Returns a snapshot with the graph, and loads it if needed. The reader must be in a transaction.
 * NULL on error. Call loaded_release.
 */
const struct loaded *loaded_get(struct reader *r, struct error *e);
/* The same without loading; NULL if there is none for the reader's transaction. */
const struct loaded *loaded_find(struct reader *r);
/*
 * The same for labels, with or without the graph. A snapshot of an earlier transaction is updated
 * if little has changed.
 */
const struct loaded *loaded_labels_get(struct reader *r, struct error *e);
const struct loaded *loaded_labels_find(struct reader *r);
void loaded_release(const struct loaded *l); /* NULL is allowed */

/* The keystones of a snapshot with its graph (model/graph/roots.h), computed at the first call;
 * they last as long as it. NULL if the reader is interrupted. */
const struct keystones *loaded_keystones(const struct loaded *l, struct reader *r, struct error *e);

/*
 * Finds the rows that events changed or added after event `seq`, when the greatest row was `last`. Returns false if
 * there are `most` or more.
 */
bool loaded_changed(struct reader *r, int64_t seq, int64_t last, size_t most, int64_t *row,
                    size_t *count);

/* False if the row is unknown. `l` may be NULL. */
static inline bool loaded_label(const struct loaded *l, int64_t row, struct row_label *out)
{
    if (!l || row < 1 || (uint64_t)row > l->rows)
        return false;
    *out = (struct row_label){.label = (enum label)l->labels.label[row - 1],
                              .valid = l->labels.valid[row - 1],
                              .justs = l->justs[row - 1]};
    return true;
}

/*
 * All rows in the order of a value that is computed over the whole graph: effective confidence,
 * trust, or how many others lose all support without a memory. They belong to the loaded graph and
 * last as long as it. Only confidences that decay are computed each time, because they change with
 * the clock.
 */
struct ranks {
    size_t rows;
    double *value;           /* by row - 1 */
    uint32_t *order;         /* the rows, lowest value first, then lowest row */
    const struct loaded *of; /* the snapshot that they belong to; NULL: to the caller */
};

/* The reader must be in a transaction. NULL on error. Call ranks_release. */
const struct ranks *ranks_get(struct reader *r, enum ranked_by by, struct error *e);
void ranks_release(const struct ranks *k); /* NULL is allowed */
/* Sets `loses` of rows. Loads the graph. */
int loses_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
               struct error *e);
/* The place of the first row in `order` that is not before this value and row. */
size_t ranks_place(const struct ranks *k, double value, int64_t row);

/*
 * Memories that a reader disbelieves for the moment. It answers as if they were retracted: labels, support, trust,
 * lineages and questions are those of the store without them. Nothing is written, and the rows themselves are read as
 * they are.
 *
 * Readers of several threads may share one. It has a loaded graph of its own (loaded.h), loaded when a query first
 * needs it; until then the labels of a few rows come from their surroundings, as in a store that was just opened.
 */
struct graph_cache;

struct disbelief {
    struct row_set rows; /* constant */
    struct graph_cache *graph;
    atomic_size_t holders;
};

/* Held by the caller, who calls disbelief_release. */
struct disbelief *disbelief_new(const int64_t *rows, size_t count);
struct disbelief *disbelief_hold(struct disbelief *d); /* NULL is allowed */
void disbelief_release(struct disbelief *d);           /* NULL is allowed */

/* The status of a row as the reader believes it. */
enum status disbelief_status(const struct reader *r, int64_t row, enum status stored);

#endif
