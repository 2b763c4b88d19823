/*
 * The input of a layout: nodes, each as wide as its label, and edges between them; and an outline
 * of it as a list.
 *
 * Everything in model/layout uses integers and no clock. It gives the same result for the same
 * picture, in whatever order nodes and edges were added.
 */
#ifndef STEMMA_PICTURE_H
#define STEMMA_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_NONE UINT32_MAX

/* How an edge is drawn. If there are several edges from one node to another, the last one in
 * this order is drawn. */
enum stroke {
    STROKE_GUESSED = 0, /* ╌ */
    STROKE_EVIDENCE,    /* ┈ */
    STROKE_REINFORCED,  /* ┄ */
    STROKE_DERIVED,     /* ─ */
    STROKE_ALL,         /* ─ from a double port: all antecedents are needed */
    STROKE_SUPERSEDES,  /* ━ */
    STROKE_COUNT
};
/* "guessed", "evidence", … */
const char *stroke_name(enum stroke stroke);

struct picture_node {
    const char *id; /* unique; the caller keeps it alive */
    int rank;       /* nodes are drawn in the order of rank, at, id unless crossings decide */
    int64_t at;
    int columns;    /* width of its label, at least 1; the layout adds borders */
    int lines;      /* of its label; 0 means 1 */
    bool ghost;     /* drawn dashed */
    bool loop;      /* it has an edge to itself, which the label shows in place of a line */
    uint32_t added; /* its number in the order of adding, from 0 */
};

static inline int picture_lines(const struct picture_node *n)
{
    return n->lines > 1 ? n->lines : 1;
}

/* `from` is based on `to`, which is before it in the drawing unless a cycle prevents that. */
struct picture_edge {
    uint32_t from, to;
    uint8_t strokes; /* a bit for each stroke that was added */
    uint8_t stroke;  /* the stroke that is drawn */
};

struct picture {
    struct picture_node *node; /* [nodes] by (rank, at, id) once finished */
    struct picture_edge *edge; /* [edges] by (from, to), unique, none to itself */
    uint32_t nodes, edges;
    /* [nodes] the index of the node that was added as number i; set by picture_finish */
    uint32_t *place;
    size_t node_alloc, edge_alloc;
};
#define PICTURE_INIT                                                                               \
    {                                                                                              \
        .node = NULL                                                                               \
    }

/*
 * Building: add nodes (picture_add_node sets `added`), then edges between the numbers of nodes in
 * the order of adding, then call picture_finish. Both return -1 if there are too many. Call
 * picture_release in any case.
 */
int picture_add_node(struct picture *p, struct picture_node node);
int picture_add_edge(struct picture *p, uint32_t from, uint32_t to, enum stroke stroke);
void picture_finish(struct picture *p);
void picture_release(struct picture *p);

/*
 * A picture as an outline: a tree of lines with references. It is for terminals that are too narrow
 * for a drawing, pictures that are too large, screen readers and files.
 */
struct picture_line {
    uint32_t node;
    uint32_t edge;    /* the edge that leads here; PICTURE_NONE at a root */
    uint32_t parent;  /* the parent's line; PICTURE_NONE at a root */
    uint32_t depth;   /* 0 at a root */
    uint32_t first;   /* the line that has the node's children: this one, or an earlier one */
    uint32_t below;   /* the number of lines below `first` in the tree */
    uint32_t parents; /* the number of edges to the node, shown as ×k if there are several */
    bool again, circle,
        last; /* `again`: it refers to `first`. `circle`: that is on its own path. `last` of its siblings */
};

struct picture_outline {
    struct picture_line *line; /* [count] roots + edges; fewer than UINT32_MAX */
    size_t count;
};

/*
 * Makes the outline, depth first from `root`, and then from what is not reached yet. If `root` is
 * PICTURE_NONE, or for the rest, the roots are the nodes that nothing leads to, and the first node
 * of each cycle that cannot be reached from these. `down` follows edges from `from` to `to`;
 * otherwise the other way. Children are in the order of the picture. Only the first line of a node
 * has children, so each edge is on one line.
 *
 * Returns -1 if there are too many lines. Iterative, O(nodes + edges). Call picture_outline_release
 * in any case.
 */
int picture_outline_make(struct picture_outline *o, const struct picture *p, uint32_t root,
                         bool down);
void picture_outline_release(struct picture_outline *o);

#endif
