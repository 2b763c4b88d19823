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
int stroke_from_name(const char *name); /* -1: there is no such one */

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
 * then picture_finish. -1 where memory ran out; picture_release follows in any case.
 */
int picture_add_node(struct picture *p, struct picture_node node);
int picture_add_edge(struct picture *p, uint32_t from, uint32_t to, enum stroke stroke);
int picture_finish(struct picture *p);
void picture_release(struct picture *p);

#endif
