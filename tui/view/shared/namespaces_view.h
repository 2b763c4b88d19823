/* The parts of the view of namespaces, for view_namespaces.c, namespaces_order.c and namespaces_paint.c. */
#ifndef STEMMA_NAMESPACES_VIEW_H
#define STEMMA_NAMESPACES_VIEW_H

#include "store/entries/entry.h"
#include "tui/explorer/app.h"
#include "tui/view/shared/view_namespaces.h"

struct namespaces_view {
    struct view view;
    struct arena arena;        /* of the rows */
    struct namespace_row *row; /* [all], by name */
    size_t all;
    struct namespace_line {
        const struct namespace_row *row;
        double weight; /* of the order: the greater is before */
    } * line;          /* [view.count], those that the filter leaves */
    char filter[256];
    int order; /* of namespaces_order.c */
    bool reverse;
    struct guard_rules *rules; /* held; that the rows are shown by */
    bool read;
    struct {
        int items, bytes, bar, put, put_width, expired, pii, name;
    } at; /* 0: it is not shown; `bar` is how wide one is */
};

static inline struct namespaces_view *namespaces_of(const struct view *v)
{
    return (struct namespaces_view *)v;
}

/* NULL: there is no such line. */
const struct namespace_row *namespaces_row(const struct view *v, size_t line);
/* Its name as it is shown; the row's own is what is meant. */
void namespaces_add_name(const struct view *v, const struct namespace_row *r, struct strbuf *out);

/* Was anything put there since the last visit? */
bool namespaces_put_since(const struct view *v, const struct namespace_row *r);

/* ---- namespaces_order.c ---- */

/* The rows that the filter leaves, in the order; the cursor stays on the namespace of that name (NULL: on none), where
 * it is still shown. */
void namespaces_lay(struct namespaces_view *n, const char *name);
void namespaces_lay_again(struct namespaces_view *n);

/* ---- namespaces_paint.c ---- */

void namespaces_layout(struct view *v, int height, int width);
void namespaces_draw_header(struct view *v, const struct pane *p);
void namespaces_draw_line(struct view *v, const struct pane *row, size_t line);
/* What the namespace under the cursor is held to, and who may do what there. */
void namespaces_draw_preview(struct view *v, const struct pane *p);

#endif
