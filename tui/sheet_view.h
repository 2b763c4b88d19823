/* What views whose lines are a sheet have in common: a view of one memory with its sections. */
#ifndef STEMMA_SHEET_VIEW_H
#define STEMMA_SHEET_VIEW_H

#include "sheet.h"
#include "view.h"

/* The line, with the mark of a memory that is marked. */
void sheet_view_draw_line(struct view *v, const struct sheet *s, const struct pane *row,
                          size_t line);
/* To the next section (-1: the one before) that has a row to open or is not on the screen, or to the head
 * of the view, where the cursor is on no line. */
void sheet_view_step(struct view *v, const struct sheet *s, int direction);

/* Where the cursor stood before the sheet was laid out anew. */
struct sheet_place {
    bool on_line;
    int64_t node, value;
    size_t line, row; /* of the sheet, of the screen */
};
struct sheet_place sheet_view_place(const struct view *v, const struct sheet *s);
/* There are other lines now: the cursor goes to the line of that memory and value, else stays about there. */
void sheet_view_return(struct view *v, const struct sheet *s, const struct sheet_place *place);

#endif
