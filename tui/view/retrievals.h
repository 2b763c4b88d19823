/* Attributions grouped by type, URI or agent, with a timeline of when they were retrieved. */
#ifndef STEMMA_VIEW_RETRIEVALS_H
#define STEMMA_VIEW_RETRIEVALS_H

#include "store/reasoning/retrievals.h"
#include "tui/widget/view.h"

struct view *retrievals_view_new(struct app *x, enum retrieval_group by);
/* Of such a view: groups them by the next of type, URI and agent. */
void retrievals_view_regroup(struct view *v);

#endif
