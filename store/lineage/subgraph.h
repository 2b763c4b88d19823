/*
 * Loads the graph of a store: all of it, or the surroundings of a few memories. Both are a `struct
 * graph` of model/graph, so the same algorithms apply. loaded.h shares the whole graph.
 */
#ifndef STEMMA_SUBGRAPH_H
#define STEMMA_SUBGRAPH_H

#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "model/memory/confidence.h"
#include "store/db/store.h"

struct loaded;

/* Loads the whole graph from the store: node n is row n + 1 (g->row is NULL). Two index scans. */
int graph_load(struct reader *r, struct graph *g, struct error *e);

/*
 * The closure of `roots` (distinct rows). ANCESTORS: everything that they are based on.
 * DESCENDANTS: everything based on them and, so that labels are exact, everything that those are
 * based on. Nodes 0..root_count-1 are the roots in order; g->row has the rows. Stops with *bounded
 * = true beyond `max_nodes` (0: no limit): then use the whole graph.
 */
int graph_load_surroundings(struct reader *r, struct graph *g, const int64_t *roots,
                            size_t root_count, enum direction direction, size_t max_nodes,
                            bool *bounded, struct error *e);

/*
 * The memories that lie at most `depth` steps from a row, with their links in that direction, and those that these
 * links name: enough to show them and to tell that there is more, not to compute labels. Node 0 is the row. For
 * `bounded` see above.
 */
int graph_load_near(struct reader *r, struct graph *g, int64_t row, enum direction direction,
                    uint32_t depth, size_t max_nodes, bool *bounded, struct error *e);

/*
 * Everything based on `roots`. Of its other antecedents only labels are loaded: each is a fence,
 * from node *inside on, so that all other nodes get the labels, and lose support or not, as in the
 * whole graph. `known` has valid labels of rows that are not based on `roots`; NULL if none.
 * Otherwise as graph_load_surroundings with DESCENDANTS.
 */
int graph_load_dependants(struct reader *r, struct graph *g, const struct loaded *known,
                          const int64_t *roots, size_t root_count, size_t max_nodes, size_t *inside,
                          bool *bounded, struct error *e);

/*
 * The rows based on a row: first those that name it directly, then their dependants, breadth first,
 * each once, without the row itself. Only reads the index of targets. Stops with `more` beyond
 * `most` (0: no limit). The caller frees `row`. O(links found).
 */
struct dependants {
    int64_t *row;
    size_t count, direct; /* the first `direct` of them name it directly */
    bool more;
};
int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e);

struct independent {
    bool known, proven; /* known: it stands, and they were counted; not proven: there may be more */
    uint32_t count;
};

/*
 * Exact labels and justification counts of rows, as the reader's caller may see them: as if nothing
 * were based on hidden entries. Uses the loaded labels if they are there; else the surroundings; if
 * these do not decide, the whole graph. Rows may repeat.
 */
struct row_label {
    enum label label;
    uint32_t valid, justs;
    double stored, effective; /* confidence (effective.h); 0 from labels_of_rows */
    bool unstated;            /* it stands, but nobody stated its confidence */
    bool has_trust;
    double trust;            /* trust.h; only with has_trust */
    enum trust_class class;  /* CLASS_NONE unless trust_class_fill set it */
    bool has_proved;         /* labels_of_rows found the class next to the label, */
    enum trust_class proved; /* which trust_class_fill then takes */
    bool has_loses;
    uint32_t loses; /* others that would lose all support without it; only with has_loses */
    struct independent independent; /* not known unless independent_fill set it */
};
int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e);
/*
 * How many independent derivations a memory has (model/graph/roots.h): ten valid justifications may be ten echoes of
 * one source. Beyond `bound` memories it is known only if the keystones of the whole graph are computed. For a person:
 * nothing is hidden.
 */
int independent_of_row(struct reader *r, int64_t row, size_t bound, struct independent *out,
                       struct error *e);
/*
 * The memories that say most about what a row is based on, or what is based on it: those without which others there
 * lose all support, contradicted, unsupported and circular ones, the most telling first. None if there are more than
 * `bound` memories. The caller frees `rows`.
 */
int telling_of_row(struct reader *r, int64_t row, enum direction side, size_t bound, int64_t **rows,
                   size_t *count, struct error *e);
/* Sets `independent` next to a known label: where it costs nothing, or with a `bound` above 0 as independent_of_row. */
int independent_fill(struct reader *r, int64_t row, size_t bound, struct row_label *io,
                     struct error *e);
/* As labels_of_rows without hiding anything, and without the loaded labels. */
int labels_uncached(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                    struct error *e);

#endif
