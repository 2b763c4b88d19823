/* The cells of a drawing, for any window of it: lines and borders. The caller writes the labels
 * over them. */
#ifndef STEMMA_RASTER_H
#define STEMMA_RASTER_H

#include "model/layout/layout.h"

enum {
    CELL_N = 1, /* the line continues upwards, … */
    CELL_S = 2,
    CELL_W = 4,
    CELL_E = 8,
};

enum raster_type {
    RASTER_EMPTY = 0,
    RASTER_LINE,
    RASTER_BORDER, /* a node's border, with its ports */
    RASTER_INSIDE, /* inside a node: its label, or blank */
};

struct raster_cell {
    uint8_t type;   /* enum raster_type */
    uint8_t mask;   /* CELL_… of lines and borders */
    uint8_t stroke; /* of a line, or of the net with a port in that border */
    uint8_t arrow;  /* CELL_N for ▲, CELL_W for ◄, or 0 */
    bool twofold;   /* a port of STROKE_ALL: ╤ ╧ ╟ ╢ */
    bool dashed;    /* the border of a ghost */
    bool lit;
    uint32_t node;    /* of a border or the inside; PICTURE_NONE for a line */
    uint32_t net;     /* of a line; the one on top if two cross */
    uint32_t crossed; /* the other net, drawn under it; PICTURE_NONE if none */
};

/* A window of the drawing. It may extend beyond the drawing. */
struct raster {
    int32_t column, row, columns, rows;
    struct raster_cell *cell; /* [rows * columns] */
};

/*
 * Makes the cells of a window. `lit` is NULL, or has for each edge of the picture whether it is
 * highlighted: then the lines along which it runs, and no other part of its net, are lit and in
 * front of all others. Call raster_release in any case. O(wires + cells).
 */
void raster_make(struct raster *r, const struct layout *l, int32_t column, int32_t row,
                 int32_t columns, int32_t rows, const uint8_t *lit);
void raster_release(struct raster *r);

/* The text of a cell, one column wide: " " if it is empty or inside a node. */
const char *raster_glyph(const struct raster_cell *cell, bool ascii);

#endif
