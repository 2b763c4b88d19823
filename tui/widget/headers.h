/*
 * The columns of a list. A list draws the names of its columns with heading_draw; a person chooses which of them are
 * shown and how wide they are, and sorts the lines by one. Choices are kept by the names of the list and the column.
 */
#ifndef STEMMA_HEADERS_H
#define STEMMA_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include "tui/term/paint.h"

struct view;

#define HEADERS_MAX      40
#define COLUMN_NAME      24  /* bytes of the name of a list or column */
#define COLUMN_WIDTH_MAX 200 /* that a person may choose */

/* The columns of the list on top, in the order of the screen, as the last frame drew them. */
struct headers {
    struct header {
        char name[COLUMN_NAME];
        int from, to; /* columns of the screen; equal if it is not shown */
        bool fixed;   /* always shown, in the room that is left */
    } at[HEADERS_MAX];
    size_t count;
    struct header_shift {
        char name[COLUMN_NAME];
        int by; /* columns to the right of where the list would draw it */
    } shift[HEADERS_MAX];
    size_t shifts;
    const struct view *of; /* only compared: another view may be on top before its first frame */
};

/* What a person chose for a column of a list. */
struct column_choice {
    char list[COLUMN_NAME], column[COLUMN_NAME];
    bool hidden, shown; /* neither: shown if there is room */
    int width;          /* 0: that of the list */
    int place;          /* from 1, in a list whose columns can be moved; 0: that of the list */
};

/* The name under which choices for the columns of this view are kept. */
const char *columns_list(struct view *v);
/* What was chosen for the column; NULL for nothing. */
const struct column_choice *column_choice(struct view *v, const char *column);
/* The same, added if there is none. */
struct column_choice *column_choose(struct view *v, const char *column);
/* The width of a column that the list would draw `width` wide; 0 if it is hidden. */
int column_width(struct view *v, const char *column, int width);

/* Draws the name of a column, with an arrow if it sorts the list, and records where it is. `shown` is drawn in place of
 * the name; NULL for the name. With `width` 0 only records that the list has the column. */
void heading_draw(struct view *v, const struct pane *p, const char *name, const char *shown, int at,
                  int width, bool right);
/* The same for the last column, which takes the room that is left. */
void heading_draw_last(struct view *v, const struct pane *p, const char *name, int at, int width);

/* ---- where a column is ---- */

/* Whether the person can move its columns: a list of memories has their order in its own table (tui/view/columns.h),
 * others shift what they draw. */
bool columns_move(const struct view *v);
/* After the names were drawn: sorts them as they were moved. Returns true if they have to be drawn once more, since
 * some are elsewhere then. */
bool headers_arrange(struct view *v);
/* How far from its own place a column was moved. */
int column_shift(const struct view *v, const char *name);

/* ---- how a view is sorted ---- */

/* The column that sorts the lines, and whether the least is first; NULL for none. */
const char *heading_sorted(struct view *v, bool *up);
/* The columns of a view as they are on the screen; none if it was not drawn yet. */
const struct headers *headers_of(const struct view *v);
/* The name of the column at a column of the screen; NULL for none. */
const char *heading_at(const struct headers *h, int x);

#endif
