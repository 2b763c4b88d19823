/* What views whose lines are a sheet have in common: a view of one memory, or of several, with its sections. */
#ifndef STEMMA_SHEET_VIEW_H
#define STEMMA_SHEET_VIEW_H

#include "tui/render/sheet.h"
#include "tui/widget/view.h"

/* The first member of such a kind of view. */
struct sheet_view {
    struct view view;
    struct sheet sheet;
    int laid_out;   /* for this width; 0: it must be laid out */
    unsigned times; /* as ages_shown said */
};

void sheet_draw_line(const struct sheet *s, const struct pane *row, size_t line,
                     const char *pattern);

/* For view_ops. A line has the mark of its memory, where that is marked. */
void sheet_view_draw_line(struct view *v, const struct pane *row, size_t line);
bool sheet_view_selectable(struct view *v, size_t line);
int64_t sheet_view_node(struct view *v, size_t line);
void sheet_view_text(struct view *v, size_t line, struct strbuf *out);

/* The line under the cursor; NULL: it is on none. */
const struct sheet_line *sheet_view_line(const struct view *v);
/* Tab and its like: to the next section that has a row to open or is not on the screen, or to the head of
 * the view, where the cursor is on no line. False for another request. */
bool sheet_view_request(struct view *v, enum view_request request);

/* Is it laid out for that width, as times are shown now? Else it is said to be, and the caller does it. */
bool sheet_view_is_laid_out(struct view *v, int width);

/* Where the cursor stood before the sheet was laid out anew. */
struct sheet_place {
    bool on_line;
    int64_t node, value;
    size_t nth;  /* of the lines of that memory and value, from 0 */
    size_t line; /* of the sheet */
    long row;    /* of the screen, which may have been scrolled away from it */
};
struct sheet_place sheet_view_place(const struct view *v);
/* There are other lines now: the cursor goes to the line of that memory and value, else stays about there. */
void sheet_view_return(struct view *v, const struct sheet_place *place);

#endif
