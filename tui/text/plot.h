/*
 * A chart of numbers as rows of text: bars or a line, with the values at its left and the range below. A view paints
 * the rows (paint_plot), a page puts them (page_plot). Every sign is one column wide.
 */
#ifndef STEMMA_PLOT_H
#define STEMMA_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/strbuf.h"

#define PLOT_VALUE 7 /* columns of a value at the left */

struct plot {
    const double *value; /* [count] one for each column; NAN for none */
    size_t count;
    double low, high; /* the ends of the axis; if both are 0, from 0 to the greatest value */
    int rows;         /* of the chart itself */
    bool line; /* a line that goes on until the value changes; else bars from the lowest row */
    bool ascii;
    void (*write)(char *out, size_t size, double value); /* a value of the axis; NULL for no axis */
    const char *left, *right; /* below the chart, in ASCII; NULL for no such row */
};

/* The columns before the chart, and the rows with the one below. */
int plot_axis_width(const struct plot *p);
int plot_height(const struct plot *p);
/* Append row `row`, 0 for the highest: plot_axis_width columns, and `count` columns. */
void plot_add_axis(const struct plot *p, int row, struct strbuf *out);
void plot_add_row(const struct plot *p, int row, struct strbuf *out);
/* Appends what it shows in words: "12 values, the least 0.2, the greatest 0.95, the last 0.9". */
void plot_add_words(const struct plot *p, struct strbuf *out);

#endif
