/* Cells of a drawing: any window of it, lines and borders. Labels are the caller's to write over
 * it. */
#ifndef STEMMA_RASTER_H
#define STEMMA_RASTER_H

#include "model/layout/layout.h"

enum {
    CELL_N = 1, /* the line goes on upwards, … */
    CELL_S = 2,
    CELL_W = 4,
    CELL_E = 8,
};

enum raster_sort {
    RASTER_EMPTY = 0,
    RASTER_LINE,
    RASTER_BORDER, /* of a node; its ports too */
    RASTER_INSIDE, /* within a node: its label goes here, or a blank */
};

struct raster_cell {
    uint8_t sort;   /* enum raster_sort */
    uint8_t mask;   /* CELL_…, of lines and borders */
    uint8_t stroke; /* of a line, or of the net that has a port in that border */
    uint8_t arrow;  /* 0, or CELL_N or CELL_W: ▲ or ◄ stands here */
    bool twofold;   /* a port of STROKE_ALL: ╤ ╧ ╟ ╢ */
    bool dashed;    /* a ghost's border */
    bool lit;
    uint32_t node;   /* of a border and what is inside; PICTURE_NONE of a line */
    uint32_t net;    /* of a line; the one that is in front where two cross */
    uint32_t behind; /* the net that passes behind it; PICTURE_NONE */
};

/* A window of the drawing, which may reach beyond it. */
struct raster {
    int32_t column, row, columns, rows;
    struct raster_cell *cell; /* [rows * columns] */
};

/*
 * `lit` may be NULL, or says for each of the picture's edges whether it is brought out: the lines
 * that it runs along, from one end to the other and nothing else of its net, are lit and in front
 * of all others. The caller calls raster_release in any case. O(wires + cells).
 */
void raster_make(struct raster *r, const struct layout *l, int32_t column, int32_t row,
                 int32_t columns, int32_t rows, const uint8_t *lit);
void raster_release(struct raster *r);

/* What is written in the cell, one column wide: " " where it is empty or inside a node. */
const char *raster_glyph(const struct raster_cell *cell, bool ascii);

#endif
