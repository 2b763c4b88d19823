/* A graph as lines of text, `node ID LABEL` and `edge FROM TO KIND`, which tests/graph-draw reads. */
#ifndef STEMMA_TESTS_GRAPH_TEXT_H
#define STEMMA_TESTS_GRAPH_TEXT_H

#include "model/base/error.h"
#include "model/layout/picture.h"

/* Lines of a text that is modified: words and lines get a NUL at their end. */
struct text_lines {
    char *at, *end; /* not yet read */
    size_t number;  /* of the last line, from 1 */
};

struct given_node {
    const char *id;
    const char *label; /* any bytes, with NULs */
    size_t label_len;
    size_t line;      /* its line; 0 if only an edge names it */
    bool ghost, loop; /* no node was given, and it has an edge to itself */
};

struct given_edge {
    const char *from_id, *to_id;
    uint32_t from, to; /* of graph_text.node */
    enum stroke stroke;
};

struct graph_text {
    struct given_node *node; /* [nodes] by id */
    struct given_edge *edge; /* [edges] in the order of the input */
    size_t nodes, edges;
    size_t node_alloc, edge_alloc;
};

/*
 * Reads to the end, or to a line that begins with the word `draw`, whose words are then in *draw,
 * which is otherwise NULL. Ignores blank lines and blanks around words. A node without a label has
 * its id as label. A node that only an edge names is a ghost. Returns -1 if a line is something
 * else, or if a node has two different labels. The result points into the text. Call
 * graph_text_release in any case.
 */
int graph_text_read(struct graph_text *g, struct text_lines *lines, char **draw, struct error *e);
void graph_text_release(struct graph_text *g);

/* Returns the next word and advances `*at`, or NULL if there is none. */
char *next_word(char **at);

#endif
