/*
 * The graph of support in memory, as compressed sparse rows in both directions, and the labels of
 * its nodes.
 *
 * Nodes are numbered 0..nodes-1. A node has justifications: an `any` group of n antecedents is n of
 * them, an `all` group one, an empty group one without antecedents. A justification has
 * antecedents. Rows of the arrays:
 *
 *   justifications of node v     just_first[v] .. just_first[v + 1]
 *   antecedents of just. j       link_first[j] .. link_first[j + 1], each link_to[i]
 *   uses of node v               use_first[v] .. use_first[v + 1], each use_just[i], ascending: a
 *                                justification of just_node[use_just[i]] with antecedent v
 *
 * An antecedent occurs at most once in a justification. The whole store and the neighbourhood of
 * one memory use the same structure, so one algorithm answers for both. `row` maps a node to its
 * row in the store. It is NULL for the whole store, where the row is node + 1.
 */
#ifndef STEMMA_GRAPH_H
#define STEMMA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/graph/patience.h"
#include "model/memory/memory.h"

#define NODE_NONE UINT32_MAX

struct graph {
    uint32_t nodes, justs, links;
    uint8_t *status;      /* [nodes] enum status */
    uint8_t *kind;        /* [nodes] enum kind */
    uint32_t *just_first; /* [nodes + 1] */
    uint32_t *link_first; /* [justs + 1] */
    uint32_t *link_to;    /* [links] */
    uint32_t *just_node;  /* [justs] */
    uint32_t *just_group; /* [justs] the stored group it comes from, numbered per node from 0 */
    uint8_t *just_shape;  /* [justs] GRAPH_SHAPE(role, reading, recorded) */
    uint32_t *use_first;  /* [nodes + 1]; filled by graph_finish */
    uint32_t *use_just;   /* [links] */
    int64_t *row;         /* [nodes] or NULL */
    struct patience *patience; /* of the caller; NULL: there is no end */
    /* capacities, used while building */
    size_t node_alloc, just_alloc, link_alloc;
};

#define GRAPH_SHAPE(role, reading, recorded) ((role) | (reading) << 5 | (recorded) << 6)
#define SHAPE_ROLE(shape)                    ((enum role)((shape)&31))
#define SHAPE_READING(shape)                 ((enum reading)((shape) >> 5 & 1))
#define SHAPE_RECORDED(shape)                ((enum recorded)((shape) >> 6 & 3))

/*
 * Building: call graph_init; then for each node in order graph_add_node, followed by
 * graph_add_group for each of its groups; then graph_finish. Antecedents may be nodes that are
 * added later; all must be below `nodes` at graph_finish. graph_release frees the graph, also a
 * half-built one.
 */
void graph_init(struct graph *g);
/* Allocates once, if the final numbers are known. */
void graph_reserve(struct graph *g, size_t nodes, size_t justs, size_t links);
void graph_add_node(struct graph *g, enum kind kind, enum status status);
void graph_add_group(struct graph *g, unsigned shape, unsigned group, const uint32_t *antecedents,
                     size_t count);
void graph_finish(struct graph *g);
/* What graph_thin keeps of a node. */
enum node_view {
    VIEW_NONE = 0, /* no links in either direction */
    VIEW_REF, /* links to it; its own justifications not, or with `users` those by what is VIEW_WHOLE */
    VIEW_WHOLE, /* all links */
    /* all links, and an empty justification first: it replaces the first justification, whose
     * antecedents are all VIEW_NONE */
    VIEW_WITH_PREMISE,
};
/*
 * Removes links from a finished graph; `view` [nodes] has an enum node_view for each node. A
 * justification that loses all its antecedents is removed too, and the groups of a node are
 * renumbered. Nodes stay. Labels that were computed before stay valid for nodes, but not for
 * justifications. O(nodes + links).
 */
void graph_thin(struct graph *g, const uint8_t *view, bool users);
void graph_release(struct graph *g);

/* Counts steps of a computation; true if it is to be given up. */
static inline bool graph_gives_up(const struct graph *g, uint64_t steps)
{
    return patience_is_over(g->patience, steps);
}

static inline bool graph_lives(const struct graph *g, uint32_t node)
{
    return STATUS_LIVES(g->status[node]);
}

/* The state of a memory's support. A node stands if it is live and has no justification or a
 * valid one. A justification is valid if all its antecedents stand. */
enum label {
    LABEL_SUPPORTED = 0, /* stands; all justifications are valid */
    LABEL_WEAKENED,      /* stands, but a justification is not valid */
    LABEL_UNSUPPORTED,   /* no justification is valid */
    LABEL_CIRCULAR,  /* no justification is valid, but one would be in the greatest fixed point */
    LABEL_UNSOURCED, /* has no justification, and its kind is not a source */
    LABEL_ENDED,     /* not live: show its status */
    LABEL_COUNT
};
const char *label_name(enum label label); /* "supported", …; LABEL_ENDED: "ended" */
static inline bool label_stands(enum label label)
{
    return label == LABEL_SUPPORTED || label == LABEL_WEAKENED || label == LABEL_UNSOURCED;
}

struct labels {
    uint8_t *label;   /* [nodes] enum label */
    uint8_t *stands;  /* bool */
    uint32_t *valid;  /* how many of its justifications are valid */
    uint32_t *broken; /* antecedents that do not stand; it is valid if this is 0 */
};

/*
 * Computes the labels of all nodes by counting (Dowling and Gallier 1984). The least fixed point
 * decides which nodes stand, the greatest which are circular. O(nodes + links). Release `l`.
 */
void labels_compute(struct labels *l, const struct graph *g);
void labels_release(struct labels *l);

/* The row of a node in the store. */
static inline int64_t graph_row(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node + 1;
}

#endif
