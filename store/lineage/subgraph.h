/*
 * The graph of a store in memory: the whole of it, or what surrounds a few memories. Both give the
 * `struct graph` of model/, so one algorithm serves every answer.
 */
#ifndef STEMMA_SUBGRAPH_H
#define STEMMA_SUBGRAPH_H

#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "store/db/store.h"

/*
 * The whole store: node n is row n + 1 (g->row NULL). Two index scans (measured at 1,000,000
 * memories and 3,000,000 links: see make bench).
 */
int graph_load(struct reader *r, struct graph *g, struct error *e);

/*
 * The closure of `roots` (rows): with ANCESTORS all they rest on; with DESCENDANTS all that rests on
 * them and, so that labels are exact, all that those rest on. Nodes 0..root_count-1 are the roots
 * in their order, g->row gives the rows. Stops with *bounded = true beyond `max_nodes`: then the
 * answer must come from the whole graph. 0: no bound.
 */
int graph_load_around(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                      enum direction direction, size_t max_nodes, bool *bounded, struct error *e);

/*
 * What rests on `roots`, and of what that rests on besides only the labels: each of those, from node *inside on,
 * stands as a fence, so that the others are labelled, and fall or not, as in the whole graph. Otherwise as
 * graph_load_around with DESCENDANTS. The labels of the first *inside nodes may be given to labels_keep.
 */
int graph_load_carried(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                       size_t max_nodes, size_t *inside, bool *bounded, struct error *e);
/* Keeps the labels of the first `count` nodes, which are exact, for who asks next. */
int labels_keep(struct reader *r, const struct graph *g, const struct labels *l, size_t count,
                struct error *e);

/*
 * What a row rests on in at most `depth` steps, or what rests on it, with all that these rest on; what is named beyond
 * stands at the edge, without its links and with a status that was not read. Node 0 is the row, and the
 * order is that of graph_load_around. `max_nodes` and `bounded` as there.
 */
struct within {
    size_t nodes; /* that are not at the edge */
    bool whole;   /* nothing lies deeper: these are all that it rests on, or all that rests on it */
    bool bounded;
};
int graph_load_within(struct reader *r, struct graph *g, int64_t row, enum direction direction,
                      uint32_t depth, size_t max_nodes, struct within *out, struct error *e);

/* The node of a row in a graph loaded around something; NODE_NONE where it is not in it. O(nodes). */
uint32_t graph_node(const struct graph *g, int64_t row);
static inline int64_t graph_row(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node + 1;
}

/*
 * What rests on a row: all that does directly, then what rests on those, breadth first, each once; the
 * row itself is left out. Only the index of targets is read, nothing of what they rest on. Stops with
 * `more` where there are beyond `most` (0: no bound). The caller frees `row`. O(links found).
 */
struct dependants {
    int64_t *row;
    size_t count, direct; /* the first `direct` of them name it themselves */
    bool more;
};
int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e);

/*
 * Labels and justification counts of these rows, exact: by what is near where that settles it, else by
 * all that they rest on, and where that is much from the whole graph. A row may stand several times.
 */
struct row_label {
    enum label label;
    uint32_t holds, justs;
};
int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e);
/*
 * The same as the reader's caller may see them: as if nothing rested on an entry that is hidden from him, or he could tell
 * by a label that there is one and when it goes. Where entries have links all that the rows rest on is loaded.
 */
int labels_seen_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e);

#endif
