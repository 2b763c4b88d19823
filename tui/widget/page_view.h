/* Common part of views whose lines are a page with sections. */
#ifndef STEMMA_PAGE_VIEW_H
#define STEMMA_PAGE_VIEW_H

#include "tui/render/page.h"
#include "tui/widget/panel.h"
#include "tui/widget/view.h"

/* The cursor's position before the page was laid out again. */
struct page_place {
    bool on_line;
    int64_t node, value;
    size_t nth;  /* number among the lines of that memory and value, from 0 */
    size_t line; /* of the page */
    long row;    /* row on the screen; outside of it if the person scrolled away */
};

/* The first member of such a view. */
struct page_view {
    struct view view;
    struct panel shown;
    struct page_place lost; /* of a memory that left the page under the cursor; it may return */
    size_t put;             /* where the cursor went then */
};

void page_draw_line(const struct page *s, const struct pane *row, size_t line, const char *pattern);

/* Draws a rule with a title, `state` and how many lines do not fit, and the page below it from line `top` on. Returns
 * `top`, limited to the last line. */
size_t page_draw(const struct page *s, const struct pane *p, size_t top, const char *title,
                 const char *state);
/* The first line after scrolling by `lines`. */
size_t page_scrolled(const struct page *s, size_t top, long lines);

/* Creates a view of `size` bytes, which begins with a struct page_view. Its page is about `id`. */
void *page_view_new(size_t size, const struct view_ops *ops, struct ui *ui,
                    const struct panel_ops *page, int64_t id);

/* For view_ops. A line of a selected memory shows the selection sign. */
void page_view_draw_line(struct view *v, const struct pane *row, size_t line);
bool page_view_selectable(struct view *v, size_t line);
struct line_subject page_view_subject(struct view *v, size_t line);
void page_view_text(struct view *v, size_t line, struct strbuf *out);
#define PAGE_VIEW_OPS                                                                              \
    .layout = page_view_layout, .draw_line = page_view_draw_line,                                  \
    .selectable = page_view_selectable, .subject = page_view_subject, .text = page_view_text,      \
    .position = view_add_position, .empty = page_view_empty, .request = page_view_request,         \
    .load = page_view_load, .release = page_view_release

/* Goes to the end: the last line that opens, and as much before it as fits. */
void page_view_end(struct view *v);
void page_view_load(struct view *v);
void page_view_layout(struct view *v, int height, int width);
const char *page_view_empty(struct view *v);
/* view_ops->release. A view with more to release calls it at the end. */
void page_view_release(struct view *v);

/* The line under the cursor, or NULL. */
const struct page_line *page_view_line(const struct view *v);
/* Tab goes to the next section that has a row to open or is not visible; with the cursor on no line, to the top.
 * Returns false for other requests. */
bool page_view_request(struct view *v, enum view_request request);

#endif
