/* Health: what is wrong with the lineage of the store, by problem. */
#ifndef STEMMA_VIEW_HEALTH_H
#define STEMMA_VIEW_HEALTH_H

#include "tui/widget/view.h"

struct view *health_view_new(struct app *x);

/* Offers what would mend the problem under the cursor, for all marked memories that have it. */
void health_view_mend(struct view *v);

#endif
