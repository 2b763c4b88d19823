/*
 * The graph of support in memory: compressed sparse rows both ways.
 *
 * Nodes are numbered 0..nodes-1. A node has justifications (an `any` group of n antecedents is n of
 * them, an `all` group one, an empty group one without antecedents); a justification has antecedents.
 * Rows of forward arrays:
 *
 *   justifications of node v     just_first[v] .. just_first[v + 1]
 *   antecedents of just. j       link_first[j] .. link_first[j + 1], each link_to[i]
 *   uses of node v               use_first[v] .. use_first[v + 1], each use_just[i] (a justification
 *                                of just_node[use_just[i]] that names v), ascending
 *
 * The same antecedent stands once in a justification. The whole store and the neighbourhood of one
 * memory are the same structure, so that one algorithm serves every answer: `row` maps a node to its
 * row in the store and is NULL for the whole store, where node + 1 is the row.
 */
#ifndef STEMMA_GRAPH_H
#define STEMMA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
    uint32_t *just_group; /* [justs] the number of the stored group it comes from, from 0 */
    uint8_t *just_shape;  /* [justs] GRAPH_SHAPE(role, reading, recorded) */
    uint32_t *use_first;  /* [nodes + 1]; filled by graph_finish */
    uint32_t *use_just;   /* [links] */
    int64_t *row;         /* [nodes] or NULL */
    /* capacities, while it is being built */
    size_t node_alloc, just_alloc, link_alloc;
};

#define GRAPH_SHAPE(role, reading, recorded) ((role) | (reading) << 5 | (recorded) << 6)
#define SHAPE_ROLE(shape)                    ((enum role)((shape)&31))
#define SHAPE_READING(shape)                 ((enum reading)((shape) >> 5 & 1))
#define SHAPE_RECORDED(shape)                ((enum recorded)((shape) >> 6 & 3))

/*
 * Building: graph_init, then for each node in its order graph_add_node and at once its groups with
 * graph_add_group, then graph_finish. Antecedents may be nodes that come later; all must be below
 * `nodes` when it is finished. graph_release frees it, half-built too.
 */
void graph_init(struct graph *g);
/* Room for so many, once: for who knows how many will come. */
void graph_reserve(struct graph *g, size_t nodes, size_t justs, size_t links);
void graph_add_node(struct graph *g, enum kind kind, enum status status);
void graph_add_group(struct graph *g, unsigned shape, unsigned group, const uint32_t *antecedents,
                     size_t count);
void graph_finish(struct graph *g);
/* What graph_thin leaves of a node. */
enum node_view {
    VIEW_NONE = 0, /* no links: none come from it, none lead to it */
    VIEW_REF,      /* those that lead to it */
    VIEW_WHOLE,
    VIEW_STOOD, /* all, with an empty justification before them: of its first one all antecedents are VIEW_NONE */
};
/*
 * Takes links away from a finished graph, as `view` says of each node; a justification that loses all its antecedents
 * goes too, and the groups of a node are numbered as those that are left. Nodes stay, and so do labels that
 * were computed before, but not what they say of justifications. O(nodes + links).
 */
void graph_thin(struct graph *g, const uint8_t *view);
void graph_release(struct graph *g);

static inline bool graph_lives(const struct graph *g, uint32_t node)
{
    return STATUS_LIVES(g->status[node]);
}

/* What became of a memory's support. */
enum label {
    LABEL_SUPPORTED = 0, /* stands, none lost */
    LABEL_WEAKENED,      /* stands, though a justification does not hold */
    LABEL_UNSUPPORTED,   /* none holds */
    LABEL_CIRCULAR,      /* none holds, but would in the greatest fixed point */
    LABEL_UNSOURCED,     /* none given, and not a source by its kind */
    LABEL_ENDED,         /* dead: its status is what to show */
    LABEL_COUNT
};
const char *label_name(enum label label); /* "supported", …; LABEL_ENDED: "ended" */

struct labels {
    uint8_t *label;   /* [nodes] enum label */
    uint8_t *stands;  /* [nodes] bool: lives, and no justification or one that holds */
    uint32_t *holds;  /* [nodes] how many of its justifications hold */
    uint32_t *broken; /* [justs] antecedents that do not stand; 0: it holds */
};

/*
 * Labels of all nodes by counting (Dowling and Gallier 1984): the least fixed point decides what
 * stands, the greatest what is circular. O(nodes + links).
 */
void labels_compute(struct labels *l, const struct graph *g);
void labels_release(struct labels *l);

#endif
