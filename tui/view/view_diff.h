/* What changed between two moments: each memory that differs with the event that made it so, and
 * what it was. */
#ifndef STEMMA_VIEW_DIFF_H
#define STEMMA_VIEW_DIFF_H

#include "tui/text/moment.h"
#include "tui/widget/view.h"

/* From the first to the second; the reference is the caller's. */
struct view *diff_view_new(struct app *x, const struct moment *from, const struct moment *to);

#endif
