/* The parts of the view of retrievals, for view_retrievals.c and retrievals_paint.c. */
#ifndef STEMMA_RETRIEVALS_VIEW_H
#define STEMMA_RETRIEVALS_VIEW_H

#include "tui/explorer/app.h"
#include "tui/view/group_times.h"
#include "tui/view/view_retrievals.h"

#define ROW_HEAD (-1) /* the group itself */
#define ROW_MORE (-2) /* what is still to come of it */

struct group_line {
    uint32_t group;
    int32_t row;
};

struct retrievals_view {
    struct view view;
    enum retrieval_group by;
    char *agent;               /* that is shown; NULL: all */
    struct retrieval_set *set; /* NULL: not read yet */
    struct unfolding unfolded;
    struct group_times times;
    struct group_line *line;
    size_t line_alloc;
    /* Where the columns begin; 0: it is not shown. */
    struct group_columns {
        int count, first, last, times, times_width, when_width, name;
    } columns;
};

static inline struct retrievals_view *retrievals_of_view(struct view *v)
{
    return (struct retrievals_view *)v;
}

/* NULL: there is no such line. */
const struct group_line *retrievals_line(const struct retrievals_view *l, size_t line);
/* What a group is called; those without a name: "(none)". */
const char *retrievals_group_said(const struct retrievals *group);

/* ---- retrievals_paint.c ---- */

struct group_columns retrievals_fit(const struct app *x, int width);
void retrievals_draw_header(struct view *v, const struct pane *p);
void retrievals_draw_line(struct view *v, const struct pane *row, size_t line);
/* Of a group's own line: its name, its numbers, and a chart of its times. */
void retrievals_draw_preview(struct view *v, const struct pane *p);

#endif
