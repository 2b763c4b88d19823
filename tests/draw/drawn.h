/* Draws a graph: lays it out in a style and a width, and writes it with the requested extras. */
#ifndef STEMMA_TESTS_DRAWN_H
#define STEMMA_TESTS_DRAWN_H

#include <stdio.h>
#include "tests/draw/graph_text.h"

enum drawn_style {
    DRAWN_LR = 0,
    DRAWN_LR_BOX,
    DRAWN_TB,
    DRAWN_TB_BOX,
    DRAWN_OUTLINE,
    DRAWN_STYLES
};
int drawn_style_from_name(const char *name); /* -1 if there is none */

enum drawn_bundle {
    BUNDLE_BY_STYLE = 0, /* from left to right, not from top to bottom */
    BUNDLE_YES,
    BUNDLE_NO,
};

struct drawn_options {
    enum drawn_style style;
    enum drawn_bundle bundle;
    bool ascii, rects, moves, stats;
    size_t width;    /* available columns, to which labels are shortened; 0 for no limit */
    const char *lit; /* draw only the edges from and to this id; NULL for all */
};

/* Columns of a label without a width, and the least with one. */
#define DRAWN_LABEL       32
#define DRAWN_LABEL_LEAST 4

/*
 * Writes the drawing, then a line `-- rect ID COLUMN ROW WIDTH HEIGHT` for each node, by id, a line
 * `-- moves ID LEFT RIGHT UP DOWN` for each (where the arrow keys lead; not of an outline), and a
 * line `-- stats …`. Times are of the processor, for the layout that is drawn and its raster. -1
 * where there is no node to be lit, or memory ran out.
 */
int drawn_write(FILE *out, const struct graph_text *g, const struct drawn_options *o,
                struct error *e);

#endif
