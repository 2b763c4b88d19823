/* Chains on the same question side by side, by their strategy: answers, confidence, steps, sources,
 * which they share. */
#ifndef STEMMA_VIEW_STRATEGIES_H
#define STEMMA_VIEW_STRATEGIES_H

#include "tui/widget/view.h"

#define STRATEGIES_MOST 40 /* chains that are compared at once */

/* `nodes`: chains, copied; at most STRATEGIES_MOST of them are read. */
struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count);

#endif
