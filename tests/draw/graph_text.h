/*
 * A graph as lines of text: `node ID LABEL` and `edge FROM TO KIND`, what tests/graph-draw reads.
 */
#ifndef STEMMA_TESTS_GRAPH_TEXT_H
#define STEMMA_TESTS_GRAPH_TEXT_H

#include "model/base/error.h"
#include "model/layout/picture.h"

/* Lines of a text that is written to: words and lines come to end with a NUL. */
struct text_lines {
    char *at, *end; /* what is not read yet */
    size_t number;  /* of the line that was read last, from 1 */
};

struct given_node {
    const char *id;
    const char *label; /* any bytes, NULs among them */
    size_t label_len;
    size_t line;      /* where it was given; 0: it is only named by an edge */
    bool ghost, loop; /* no node was given; it has an edge to itself */
};

struct given_edge {
    const char *from_id, *to_id;
    uint32_t from, to; /* of graph_text.node */
    enum stroke stroke;
};

struct graph_text {
    struct given_node *node; /* [nodes] by id */
    struct given_edge *edge; /* [edges] as they were given */
    size_t nodes, edges;
    size_t node_alloc, edge_alloc;
};

/*
 * Reads up to the end, or to a line that begins with the word `draw`: then its words are left in
 * *draw, which is else NULL. Blank lines and blanks around words are passed over, a node without a
 * label is called by its id, and one that only an edge names is a ghost. -1 where a line is none of
 * these, or a node is given twice with different labels. What is read points into the text.
 * graph_text_release follows in any case.
 */
int graph_text_read(struct graph_text *g, struct text_lines *lines, char **draw, struct error *e);
void graph_text_release(struct graph_text *g);

/* The next word of what `*at` points to, which moves behind it; NULL where there is none. */
char *next_word(char **at);

#endif
