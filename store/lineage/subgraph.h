/*
 * The graph of a store in memory: the whole of it, or what surrounds a few memories. Both give the `struct graph` of
 * model/, so one algorithm serves every answer. loaded.h shares the whole graph between questions.
 */
#ifndef STEMMA_SUBGRAPH_H
#define STEMMA_SUBGRAPH_H

#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "store/db/store.h"

struct loaded;

/* The whole store, read anew: node n is row n + 1 (g->row NULL). Two index scans. */
int graph_load(struct reader *r, struct graph *g, struct error *e);

/*
 * The closure of `roots` (different rows): with ANCESTORS all that they are based on; with DESCENDANTS all that is
 * based on them and, so that labels are exact, all that those are based on. Nodes 0..root_count-1 are the roots in
 * their order, g->row gives the rows. Stops with *bounded = true beyond `max_nodes` (0: no bound): then the answer
 * must come from the whole graph.
 */
int graph_load_around(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                      enum direction direction, size_t max_nodes, bool *bounded, struct error *e);

/*
 * What is based on `roots`, and of what that is based on besides only the labels: each of those, from node *inside on,
 * stands as a fence, so that the others are labelled, and lose their support or not, as in the whole graph. `known` has
 * labels that hold still of rows that are not based on `roots`; NULL: none are known. Otherwise as graph_load_around
 * with DESCENDANTS.
 */
int graph_load_carried(struct reader *r, struct graph *g, const struct loaded *known,
                       const int64_t *roots, size_t root_count, size_t max_nodes, size_t *inside,
                       bool *bounded, struct error *e);

static inline int64_t graph_row(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node + 1;
}

/*
 * What is based on a row: all that names it directly, then what is based on those, breadth first, each once; the row
 * itself is left out. Only the index of targets is read. Stops with `more` where there are beyond `most` (0: no
 * bound). The caller frees `row`. O(links found).
 */
struct dependants {
    int64_t *row;
    size_t count, direct; /* the first `direct` of them name it themselves */
    bool more;
};
int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e);

/*
 * Labels and justification counts of these rows, exact, as the reader's caller may see them: as if nothing were
 * based on an entry that is hidden from the caller. From the labels of all where those are loaded; else by what is
 * near where that settles it, and where it does not from the whole graph. A row may stand several times.
 */
struct row_label {
    enum label label;
    uint32_t holds, justs;
};
int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e);
/* The same of all there is, whoever asks, and without the labels that are loaded. */
int labels_cold(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                struct error *e);

#endif
