/* What if: what falls, what is weakened and what only descends when memories are retracted. Nothing
 * is written. */
#ifndef STEMMA_VIEW_WHATIF_H
#define STEMMA_VIEW_WHATIF_H

#include "tui/widget/view.h"

/* `nodes` are copied. */
struct view *whatif_view_new(struct app *x, const int64_t *nodes, size_t count);

#endif
