/*
 * A line of a list, drawn cell by cell from left to right. A view defines the cells of a line in one function. With
 * `names` the same function draws the column headers, so that both always agree.
 */
#ifndef STEMMA_LIST_LINE_H
#define STEMMA_LIST_LINE_H

#include "store/record/get.h"
#include "tui/explorer/details.h"
#include "tui/term/paint.h"

struct list_line {
    struct view *view;
    const struct pane *pane;
    bool names;          /* draw the column headers instead */
    int at, end;         /* the free columns; a right-aligned cell takes them from the end */
    const char *pattern; /* matches are highlighted */
};

/* Cells begin at column `at`. With `pattern` "" or NULL, uses the pattern of the view's search. */
struct list_line line_begin(struct view *v, const struct pane *pane, bool names, int at,
                            const char *pattern);
/* Draws the selection sign of the memory in the second column, and its label. Returns its row, or NULL if it cannot
 * be read. */
const struct memory_row *line_memory(const struct list_line *l, int64_t node, int label);
/* Draws the label of a memory, or that it is inactive. Either argument may be NULL. */
void line_label(const struct pane *pane, int column, const struct memory_row *m,
                const struct detail *d);
/* Draws the signs of these flags (enum row_flag), each in one column; returns their number. */
int paint_flags(const struct pane *pane, int row, int column, unsigned flags);
/* Draws the sign for memories that are new or changed since the last visit. */
void line_change_sign(const struct list_line *l, int column, const struct memory_row *m);

/* The header of the columns of signs before the first cell. */
void line_sign(const struct list_line *l);
/* A cell is `width` columns wide, with a gap of two; width 0 hides it, as may the person (tui/widget/headers.h). The
 * text may be NULL, and the name too, for a cell that is not below the column of that name. */
void line_cell(struct list_line *l, int width, const char *name, enum style style,
               const char *text);
void line_right(struct list_line *l, int width, const char *name, enum style style,
                const char *text);
void line_number(struct list_line *l, int width, const char *name, enum style style, int64_t n);
/* A time or an age; nothing for 0. `exact` is the header of times. */
void line_when(struct list_line *l, const char *name, const char *exact, int64_t at);
int line_when_width(const struct list_line *l);
void line_ref(struct list_line *l, int width, const char *name, const struct memory_row *m);
/* The last cell: text in the remaining columns, which can be scrolled. */
void line_text(const struct list_line *l, const char *name, enum style style, const char *text);

/* The heading of a section: "would lose all support 3  stand now, and would …". */
void line_heading(const struct pane *row, const char *name, size_t count, const char *about);

#endif
