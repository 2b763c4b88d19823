/*
 * A graph that was read, drawn: laid out in a style and a width, and written with what is asked
 * for.
 */
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
int drawn_style_from_name(const char *name); /* -1 */

enum drawn_bundle {
    BUNDLE_BY_STYLE = 0, /* from left to right, and not from top to bottom */
    BUNDLE_YES,
    BUNDLE_NO,
};

struct drawn_options {
    enum drawn_style style;
    enum drawn_bundle bundle;
    bool ascii, rects, moves, stats;
    size_t width; /* columns that there are: labels are shortened to fit; 0: no bound */
    const char
        *lit; /* of lines only those of the edges from and to this id are drawn; NULL: all are */
};

/* Columns of a label where no width is given, and the fewest that a width leaves. */
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
