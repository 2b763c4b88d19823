/* Common part of views whose lines are a sheet with sections. */
#ifndef STEMMA_SHEET_VIEW_H
#define STEMMA_SHEET_VIEW_H

#include "tui/render/sheet.h"
#include "tui/widget/page.h"
#include "tui/widget/view.h"

/* The first member of such a view. */
struct sheet_view {
    struct view view;
    struct page shown;
};

void sheet_draw_line(const struct sheet *s, const struct pane *row, size_t line,
                     const char *pattern);

/* Draws a sheet below the rule of a pane, from line `top` on. Returns `top`, limited to the last line. */
size_t sheet_draw(const struct sheet *s, const struct pane *p, size_t top);
/* The first line after scrolling by `lines`. */
size_t sheet_scrolled(const struct sheet *s, size_t top, long lines);

/* Creates a view of `size` bytes, which begins with a struct sheet_view. Its page is about `id`. */
void *sheet_view_new(size_t size, const struct view_ops *ops, struct ui *ui,
                     const struct page_ops *page, int64_t id);

/* For view_ops. A line of a selected memory shows the selection sign. */
void sheet_view_draw_line(struct view *v, const struct pane *row, size_t line);
bool sheet_view_selectable(struct view *v, size_t line);
struct line_subject sheet_view_subject(struct view *v, size_t line);
void sheet_view_text(struct view *v, size_t line, struct strbuf *out);
#define SHEET_VIEW_OPS                                                                             \
    .layout = sheet_view_layout, .draw_line = sheet_view_draw_line,                                \
    .selectable = sheet_view_selectable, .subject = sheet_view_subject, .text = sheet_view_text,   \
    .empty = sheet_view_empty, .request = sheet_view_request, .load = sheet_view_load,             \
    .release = sheet_view_release

void sheet_view_load(struct view *v);
void sheet_view_layout(struct view *v, int height, int width);
const char *sheet_view_empty(struct view *v);
/* view_ops->release. A view with more to release calls it at the end. */
void sheet_view_release(struct view *v);

/* The line under the cursor, or NULL. */
const struct sheet_line *sheet_view_line(const struct view *v);
/* Tab goes to the next section that has a row to open or is not visible; with the cursor on no line, to the top.
 * Returns false for other requests. */
bool sheet_view_request(struct view *v, enum view_request request);

#endif
