/*
 * A line of a list, drawn cell by cell from left to right. A view says in one function which cells a line has; with
 * `names` the same function draws the header above the lines, so that both always agree.
 */
#ifndef STEMMA_LIST_LINE_H
#define STEMMA_LIST_LINE_H

#include "store/record/get.h"
#include "tui/explorer/details.h"
#include "tui/term/paint.h"

struct list_line {
    struct view *view;
    const struct pane *pane;
    bool names;  /* draws the names of the cells in place of what they hold */
    int at, end; /* the columns that are left; a cell at the right takes them from the end */
    const char *pattern; /* shown where it matches */
};

/* Cells begin at that column; "" or NULL is the pattern of the view's own search. */
struct list_line line_begin(struct view *v, const struct pane *pane, bool names, int at,
                            const char *pattern);
/* Of the memory: its mark in the second column, and its label. Its row; NULL where it cannot be read. */
const struct memory_row *line_memory(const struct list_line *l, int64_t node, int label);
/* Of a memory as it is now: its label, or that it is gone. Either may be NULL. */
void line_label(const struct pane *pane, int column, const struct memory_row *m,
                const struct detail *d);
/* That it is new or changed since the last visit. */
void line_news(const struct list_line *l, int column, const struct memory_row *m);

/* Each is `width` columns wide and two from the next one; 0: it is not shown. Text may be NULL. */
void line_cell(struct list_line *l, int width, const char *name, enum style style,
               const char *text);
void line_right(struct list_line *l, int width, const char *name, enum style style,
                const char *text);
/* A time or an age; `at` 0: nothing. */
void line_when(struct list_line *l, const char *name, int64_t at);
int line_when_width(const struct list_line *l);
void line_ref(struct list_line *l, int width, const char *name, const struct memory_row *m);
/* The last one: a text that pans, in all that is left. */
void line_text(const struct list_line *l, const char *name, enum style style, const char *text);

/* "would fall 3  stand now, and would …": the heading of a section. */
void line_heading(const struct pane *row, const char *name, size_t count, const char *about);

#endif
