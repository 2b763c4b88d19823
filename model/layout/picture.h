/*
 * What is to be drawn: nodes, each as wide as its label, and edges between them.
 *
 * Everything in model/layout is integers, without a clock, and gives the same for the same picture
 * in whatever order its nodes and edges were added.
 */
#ifndef STEMMA_PICTURE_H
#define STEMMA_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_NONE UINT32_MAX

/* How an edge is drawn. Of several between the same two nodes, in the same direction, the one named
 * last here is drawn. */
enum stroke {
    STROKE_GUESSED = 0, /* ╌ */
    STROKE_EVIDENCE,    /* ┈ */
    STROKE_REINFORCED,  /* ┄ */
    STROKE_DERIVED,     /* ─ */
    STROKE_ALL,         /* ─ from a double port: all of them are needed */
    STROKE_SUPERSEDES,  /* ━ */
    STROKE_COUNT
};
/* "guessed", "evidence", … */
const char *stroke_name(enum stroke stroke);

struct picture_node {
    const char *id; /* the caller's, who keeps it; distinct */
    int rank;       /* nodes are drawn in the order of rank, at, id where nothing else tells */
    int64_t at;
    int columns;    /* of its label, at least 1; the layout adds what borders take */
    bool ghost;     /* drawn dashed */
    bool loop;      /* an edge to itself; the label shows it, and no line */
    uint32_t added; /* which one it was when it was added, from 0 */
};

/* `from` rests on `to`, and stands before it in the drawing but where a circle forbids. */
struct picture_edge {
    uint32_t from, to;
    uint8_t strokes; /* a bit for each that was added */
    uint8_t stroke;  /* the one that is drawn */
};

struct picture {
    struct picture_node *node; /* [nodes] in the order of (rank, at, id) once it is finished */
    struct picture_edge *edge; /* [edges] by (from, to), each once; none to itself */
    uint32_t nodes, edges;
    uint32_t
        *place; /* [nodes] where the node that was added as i stands; filled by picture_finish */
    size_t node_alloc, edge_alloc;
};
#define PICTURE_INIT                                                                               \
    {                                                                                              \
        .node = NULL                                                                               \
    }

/*
 * Building: nodes (picture_add_node fills `added`), then edges between nodes as they were added,
 * then picture_finish. The caller calls picture_release in any case.
 */
int picture_add_node(struct picture *p, struct picture_node node);
int picture_add_edge(struct picture *p, uint32_t from, uint32_t to, enum stroke stroke);
void picture_finish(struct picture *p);
void picture_release(struct picture *p);

/*
 * A picture as an outline: a tree of lines with references, for what is too narrow or too large for
 * a drawing, for screen readers and for files.
 */

struct picture_line {
    uint32_t node;
    uint32_t edge;    /* that leads here; PICTURE_NONE at a root */
    uint32_t parent;  /* the line above in the tree; PICTURE_NONE */
    uint32_t depth;   /* 0 at a root */
    uint32_t first;   /* the line where the node stands with all that is below it: its own, or one
                         before */
    uint32_t below;   /* how many lines stand below `first` in the tree */
    uint32_t parents; /* edges that lead to the node: ×k where there are several */
    bool again, circle,
        last; /* it refers to `first`; that is on its own path; the last of its siblings */
};

struct picture_outline {
    struct picture_line *line; /* [count] roots + edges; fewer than UINT32_MAX */
    size_t count;
};

/*
 * Depth first from `root`, or where that is PICTURE_NONE from each node that nothing rests on and
 * from one of each circle that is reached from none of these, the first of it by the picture's
 * order; then what is not reached yet likewise. `down`: along the edges; else against them.
 * Children by the picture's order. A node's first line has its children below it, so that each edge
 * stands on one line, and a line that refers has none below.
 *
 * Iterative, O(nodes + edges).  picture_outline_release follows in any
 * case.
 */
int picture_outline_make(struct picture_outline *o, const struct picture *p, uint32_t root,
                         bool down);
void picture_outline_release(struct picture_outline *o);

#endif
